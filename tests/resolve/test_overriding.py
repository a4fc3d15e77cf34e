"""What overrides a member, in each language's own way of saying so; see resolve.overriding."""

from __future__ import annotations

import pytest

PYTHON = {
    "base.py": "class Base:\n    def run(self): ...\n    def stop(self): ...\n",
    "more.py": "from base import Base\nclass One(Base):\n    def run(self): ...\n"
    "class Two(One):\n    def run(self): ...\n",
    "other.py": "class Stray:\n    def run(self): ...\n",
    "use.py": "from base import Base\nfrom more import One\ndef go(b: Base, o: One):\n    b.run()\n    o.run()\n",
}
JAVA = {
    "a/Shape.java": "package a;\ninterface Shape {\n  void draw(int x);\n}\n",
    "a/Round.java": "package a;\nclass Round implements Shape {\n  public void draw(int x) {}\n"
    "  void draw(int x, int y) {}\n}\n",
}
GO = {
    "go.mod": "module m\n",
    "a.go": "package m\ntype Runner interface {\n\tRun()\n\tStop()\n}\ntype Whole struct{}\nfunc (w Whole) Run() {}\n"
    "func (w Whole) Stop() {}\ntype Half struct{}\nfunc (h Half) Run() {}\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "m"\n',
    "src/lib.rs": "trait Run { fn run(&self); }\nstruct A;\nimpl Run for A {\n    fn run(&self) {}\n}\n"
    "struct B;\nimpl B {\n"
    "    fn run(&self) {}\n}\n",
}
CPP = {
    "a.cc": "struct Base {\n  virtual int area();\n};\nstruct Square : Base {\n  int area() override;\n};\n"
    "struct Other {\n  int area();\n};\n",
}
TYPESCRIPT = {
    "a.ts": "interface Runner {\n  run(): void;\n}\nclass Said implements Runner {\n  run() {}\n}\n"
    "class Unsaid {\n  run() {}\n}\n",
}


@pytest.mark.parametrize(
    ("files", "member", "found"),
    [
        (PYTHON, "Base.run", ["more.py:3", "more.py:5"]),
        (PYTHON, "One.run", ["more.py:5"]),
        (PYTHON, "Two.run", []),
        (PYTHON, "Base", []),
        (JAVA, "Shape.draw", ["a/Round.java:3"]),
        (GO, "Runner.Run", ["a.go:7"]),
        (RUST, "Run.run", ["src/lib.rs:4"]),
        (CPP, "Base.area", ["a.cc:5"]),
        (TYPESCRIPT, "Runner.run", ["a.ts:5", "a.ts:8"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_members_below_a_type_override_its_own(project, files, member: str, found: list[str]) -> None:
    asked = project(files)
    (definition,) = asked.resolver.lookup(member)
    places = [(d.path, asked.resolver.symbol(d).line) for d in asked.resolver.overriding(definition)]
    assert [f"{path}:{line}" for path, line in places] == found


def test_references_with_overrides_are_those_of_the_overriding_members_too(project) -> None:
    from git_graph.query.references import references

    resolver = project(PYTHON).resolver
    alone = [(r.path, r.line) for r in references(resolver, "Base.run").results]
    both = [(r.path, r.line) for r in references(resolver, "Base.run", overrides=True).results]
    assert (alone, both) == ([("use.py", 4)], [("use.py", 4), ("use.py", 5)])
