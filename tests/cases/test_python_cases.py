from __future__ import annotations


def test_an_edge_that_could_be_two_is_counted_and_never_walked(written, ask) -> None:
    written(
        {
            "north.py": """
                def pole():
                    return 90

                def tilt():
                    return pole()

                def season():
                    return tilt()
            """,
            "south.py": """
                def other_pole():
                    return -90

                def tilt():
                    return other_pole()

                def night():
                    return tilt()
            """,
            "orbit.py": """
                def turn(half):
                    return half.tilt()
            """,
        }
    )
    impact = ask.answer("impact", "pole")
    assert [(r["name"], r["depth"]) for r in impact["results"]] == [("tilt", 1), ("season", 2)]
    assert impact["declined"]["receiver-unknown"] == 1
    callers = ask.answer("callers", "north.py:4")
    assert [site["path"] for edge in callers["results"] for site in edge["sites"]] == ["north.py"]
    assert callers["declined"] == {"ambiguous": 0, "receiver-unknown": 1}
    assert ask.sites("callers", "north.py:4", "--possible") == ["north.py:8"]
    assert ask.answer("callers", "north.py:4", "--possible")["total"] == 2


def test_a_function_keeps_its_callers_under_every_name_it_is_imported_by(written, ask) -> None:
    written(
        {
            "tools/__init__.py": "from .saw import cut\n",
            "tools/saw.py": """
                def cut(plank):
                    return plank
            """,
            "renamed.py": """
                from tools.saw import cut as trim

                def shop():
                    return trim(1)
            """,
            "through_package.py": """
                import tools

                def yard():
                    return tools.cut(2)
            """,
            "module_alias.py": """
                import tools.saw as blade

                def mill():
                    return blade.cut(3)
            """,
        }
    )
    assert ask.sites("callers", "tools/saw.py:1") == ["module_alias.py:4", "renamed.py:4", "through_package.py:4"]
    assert ask.names("callers", "cut") == ["mill", "shop", "yard"]


def test_what_is_made_by_assignment_keeps_its_uses_and_a_decorator_is_one(written, ask) -> None:
    written(
        {
            "words.py": """
                def deferred(function):
                    return function

                def spell(text):
                    return text

                spell_later = deferred(spell)

                class remembered:
                    def __init__(self, function):
                        self.function = function
            """,
            "sign.py": """
                from words import remembered, spell_later as _

                class Sign:
                    heading = _("Way out")

                    @remembered
                    def small_print(self):
                        return _("Mind the gap")
            """,
        }
    )
    assert {"sign.py:4", "sign.py:8"} <= set(ask.sites("references", "spell_later"))
    assert "sign.py:6" in ask.sites("references", "remembered")
    assert not {"spell_later", "remembered", "spell", "deferred"} & set(ask.names("unused"))


def test_calls_through_the_class_and_in_comprehensions_are_call_sites(written, ask) -> None:
    written(
        {
            "grid.py": """
                class Cell:
                    @staticmethod
                    def cost(weight):
                        return weight

                    @classmethod
                    def costs(cls, weights):
                        return [cls.cost(w) for w in weights]
            """,
            "plan.py": """
                from grid import Cell

                def single():
                    return Cell.cost(1)

                def several(weights):
                    return {w: Cell.cost(w) for w in weights}
            """,
        }
    )
    assert ask.sites("callers", "Cell.cost") == ["grid.py:8", "plan.py:4", "plan.py:7"]
    assert ask.names("callers", "Cell.cost") == ["costs", "several", "single"]


def test_a_function_named_like_a_list_method_has_its_callers_and_no_lists(written, ask) -> None:
    written(
        {
            "ledger.py": """
                def extend(rows):
                    return rows

                def pop():
                    return 1
            """,
            "clerk.py": """
                import ledger

                def book(rows):
                    ledger.extend(rows)
                    return ledger.pop()

                def sort(groups, key, rows):
                    groups.setdefault(key, []).extend(rows)
                    pile = []
                    pile.extend(rows)
                    return pile.pop()
            """,
        }
    )
    assert ask.sites("callers", "ledger.py:1") == ["clerk.py:4"]
    assert ask.sites("callers", "ledger.py:4") == ["clerk.py:5"]


def test_inherited_and_overridden_methods_have_the_calls_of_their_own(written, ask) -> None:
    written(
        {
            "animal.py": """
                class Animal:
                    def greet(self):
                        return self.sound()

                    def sound(self):
                        return ""
            """,
            "dog.py": """
                from animal import Animal

                class Dog(Animal):
                    def sound(self):
                        return super().sound() + "woof"

                def walk():
                    dog = Dog()
                    dog.greet()
                    return dog.sound()
            """,
        }
    )
    assert ask.sites("callers", "Animal.greet") == ["dog.py:9"]
    assert "dog.py:10" in ask.sites("callers", "Dog.sound")
    assert "dog.py:5" not in ask.sites("callers", "Dog.sound")
    assert {"animal.py:3", "dog.py:5"} <= set(ask.sites("callers", "Animal.sound"))
    assert "dog.py:10" not in ask.sites("callers", "Animal.sound")


def test_a_local_hides_an_import(written, ask) -> None:
    written(
        {
            "parse.py": """
                def number(text):
                    return int(text)
            """,
            "form.py": """
                from parse import number

                def given(number):
                    return number("1")

                def bound():
                    number = float
                    return number("1")

                def real():
                    return number("1")
            """,
        }
    )
    assert ask.sites("callers", "parse.py:1") == ["form.py:11"]


def test_a_method_passed_as_a_value_is_read_and_not_called(written, ask) -> None:
    written(
        {
            "depot.py": """
                class Depot:
                    def load(self, crates):
                        return crates

                    def forgotten(self):
                        return 0
            """,
            "driver.py": """
                from depot import Depot

                class Driver:
                    def __init__(self, depot: Depot):
                        self.depot = depot

                    def drive(self, queue, crates):
                        return queue.put(self.depot.load, crates)
            """,
        }
    )
    references = ask.answer("references", "Depot.load")["results"]
    assert [(r["path"], r["line"], r["role"]) for r in references] == [("driver.py", 8, "read")]
    assert ask.sites("callers", "Depot.load") == []
    unused = ask.names("unused")
    assert "forgotten" in unused
    assert "load" not in unused


def test_a_call_on_a_dict_is_no_call_of_a_method_of_the_project(written, ask) -> None:
    written(
        {
            "rates.py": """
                RATES = {"low": 1}

                def rate(name):
                    return RATES.get(name)
            """,
            "shelf.py": """
                class Shelf:
                    def __init__(self):
                        self._rows = {}

                    def get(self, row):
                        return self._rows.get(row)
            """,
            "stock.py": """
                from shelf import Shelf

                def look():
                    shelf = Shelf()
                    return shelf.get("top")
            """,
        }
    )
    assert ask.sites("callers", "Shelf.get") == ["stock.py:5"]
    assert ask.names("callers", "Shelf.get") == ["look"]


def test_a_reexported_function_is_not_a_namesake_method(written, ask) -> None:
    written(
        {
            "site/__init__.py": "",
            "site/routes/__init__.py": """
                from .table import insert

                __all__ = ["insert"]
            """,
            "site/routes/table.py": """
                def insert(route):
                    return route
            """,
            "tree/node.py": """
                class Node:
                    def insert(self, child):
                        self._children = [child]
            """,
            "main/setup.py": """
                from site.routes import insert

                def start():
                    return insert("/")

                def grow(items):
                    items.insert(0, 1)
                    return items
            """,
        }
    )
    assert ask.sites("callers", "site/routes/table.py:1") == ["main/setup.py:4"]
    assert ask.sites("callers", "Node.insert") == []


def test_self_is_the_class_that_the_method_stands_in(written, ask) -> None:
    written(
        {
            "forms.py": """
                class Letter:
                    def seal(self):
                        return "wax"

                    def send(self):
                        return self.seal()

                class Parcel:
                    def seal(self):
                        return "tape"

                    def send(self):
                        return self.seal()
            """
        }
    )
    assert ask.sites("callers", "Letter.seal") == ["forms.py:6"]
    assert ask.sites("callers", "Parcel.seal") == ["forms.py:13"]


def test_calls_outside_functions_are_the_modules(written, ask) -> None:
    written({"job.py": "def work():\n    return 1\n\nRESULT = work()\nwork()\n"})
    callers = ask.answer("callers", "work")["results"]
    assert [edge["symbol"]["kind"] for edge in callers] == ["module"]
    assert callers[0]["symbol"]["name"] == "job"
    assert ask.sites("callers", "work") == ["job.py:4", "job.py:5"]
