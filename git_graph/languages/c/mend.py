"""Makes C and C++ readable to a grammar that has not run the preprocessor.

Macros may stand where no grammar of C expects a name (`EXPORT int f(void)`, `int f(void) ATTR(1);`, `class API Foo {`),
and conditional compilation may cut through a statement. `mend` blanks such macros and such directives, so that
what is left parses; the result has the same length and the same lines, so every place stays true. What it blanks it
names, so that the walk can read it as text. It looks at tokens alone and is a function of the bytes alone; it never
looks at an `#include`. Two names side by side (`FOO bar baz`) are no expression of either language, so little that is
right as it stands is ever touched.
"""

from __future__ import annotations

import re

from git_graph.languages.c.conditionals import Conditionals
from git_graph.languages.c.tokens import BASIC, MAX_WORK, WINDOW, WORD, Mended, blank_of

_PAIR = re.compile(rb"\b([A-Za-z_]\w*)\s+(?=([A-Za-z_]\w*))")
_THIRD = re.compile(rb"\s*(\*|(?<=\s)[A-Za-z_]\w*)")
_CONST = re.compile(
    rb"const\s+(?:(?:%s|struct|union|enum)\b|[A-Za-z_][\w:]*(?:<[^<>;{}]*>)?[\s*&]+[A-Za-z_])"
    % b"|".join(BASIC.encode().split())
)
"""`EXPORT const char *f(void)`: what follows a macro that stands before `const`."""
_CAPITALS = re.compile(rb"\b[A-Z_][A-Z0-9_]+\b(?=\s*(\S|\Z))")
"""A name that looks like a macro's, and what follows it."""
_OPERAND = frozenset(b"([=|,&!+<?~-\"'")
"""After one of these a name is a value."""
_OLD_STYLE = re.compile(
    rb"(\*\s*(?:[A-Z_]\w*\s+)?)([A-Za-z_]\w*)\s*\((?:\s*[A-Za-z_]\w*\s*,)*\s*[A-Za-z_]\w*\s*\)"
    rb"\s*((?:[A-Za-z_][\w\s*,\[\]]*;\s*)+)(?=\{)"
)
_NAME = re.compile(rb"\s*([A-Za-z_]\w*)\s*")
_POINTER = re.compile(rb"\s*(?:[A-Za-z_]\w*\s+)?\*")
"""What begins the name of a pointer to a function, a calling convention before it."""
_CONVENTION = re.compile(rb"\s*\*\s*\w+\s*\)\s*(?:[A-Z_]\w*\s*\(\s*)?\(")
"""What stands behind a calling convention: `(CONVENTION *name)(`, `(CONVENTION *name) ARGS((`."""
_QUALIFIED = re.compile(rb"\s*(?:[A-Za-z_]\w*\s*(?:<[^;{}()]*>)?\s*::\s*)*~?[A-Za-z_]\w*\s*(<[^;{}()]*>)?\s*")
_CLASS = re.compile(rb"\b(?:class|struct)\s+(?:[A-Z_][A-Z0-9_]+\s+)?([A-Za-z_]\w*)(?=[\s\w]*[:{])")
_FIELDS = re.compile(rb"\b(?:struct|union|class)\b[^;{}()=]*\Z")
_DECLARES = re.compile(
    rb"\s*(?:(?:static|inline|extern)\b|(?!return|else|case|sizeof|throw|new|delete|goto)"
    rb"(?:(?:struct|union|enum|const|unsigned)\s+)*[A-Za-z_]\w*[\s*]+[A-Za-z_]\w*\s*\()"
)
_PROTOTYPE = rb"[A-Z_][A-Z0-9_]*\s*\(\s*\("
"""`OF((`: a macro around the parameters of a prototype."""
_CALL_MODIFIER = re.compile(rb"\(\s*([A-Z_][A-Z0-9_]+)\s*\*\s*[A-Za-z_]\w*\s*\)\s*(?:\(|%s)" % _PROTOTYPE)
"""`typedef int (WINAPI *name)(void)`."""
_OF = re.compile(_PROTOTYPE)
_MORE = (b"_", b"*", b"&")
_JOINED = (b".", b">", b":", b"#")
_TAGS = frozenset((b"class", b"struct", b"union", b"enum"))
_BOUNDARY = frozenset(b";{}#")


MENDABLE = re.compile(
    rb"\n[ \t]*(?:[A-Z_][A-Z0-9_]{2,}(?:\([^()\n]*\))?[ \t]+[a-z_]\w*[ \t]+[\w*]"
    rb"|(?:class|struct|union)[ \t]+[A-Z_][A-Z0-9_]{2,}(?:\([^()\n]*\))?\s+\w+\s*(?:final\s*)?[:{])"
    rb"|\n(?:(?:[a-z_]\w*[ \t]+){1,3}\**[ \t]*[A-Z_][A-Z0-9_]{2,}[ \t]+\**[a-z_]"
    rb"|(?!static|extern|const|unsigned|signed|long|short|inline|typedef|struct|else|return|volatile|register|case)"
    rb"[a-z_]\w*[ \t]+(?:void|int|char|unsigned|long|const char|static|struct)\b)"
)
"""A source in which this is found is best mended before it is parsed at all."""
_QUALIFIERS = frozenset((b"const", b"volatile", b"noexcept", b"override", b"final"))
"""What may stand between the parameters of a member and a macro."""


def mend(source: bytes, cpp: bool) -> Mended:
    """`source` without what only the preprocessor understands."""
    return _Mender(source, cpp).run()


class _Mender(Conditionals):
    def run(self) -> Mended:
        self.pairs()
        for match in _CALL_MODIFIER.finditer(bytes(self.clear)):
            self.blank(*match.span(1))
        if not self.cpp:
            self.old_parameters()
        clear = bytes(self.clear)
        for match in _CAPITALS.finditer(clear):
            start = match.start()
            before = clear[start - 1] if clear[start - 1] != 0x20 else clear[start - 2]
            if before not in _OPERAND or (self.cpp and before in b",<" and match.group(1) == b"("):
                self.capitals(match)
                if self.work > MAX_WORK:
                    break
        if self.directives:
            self.conditionals()
        self.mended.text = bytes(self.out)
        self.mended.macros.sort()
        return self.mended

    # macros

    def pairs(self) -> None:
        """Names side by side: before a word that only begins something (`EXPORT int f()`), or three in a row."""
        clear = bytes(self.clear)
        keywords, starters = self.rules.keywords, self.rules.starters
        for match in _PAIR.finditer(clear):
            first, second = match.groups()
            if first in keywords:
                continue
            start = match.start()
            if second not in starters:
                if second in keywords:
                    if second != b"const" or not _CONST.match(clear, match.end()):
                        continue
                elif second.isupper() and not first.isupper():
                    continue  # between a type and a name: see `capitals`
                else:
                    third = _THIRD.match(clear, match.end() + len(second))
                    if third is None or third.group(1) in keywords or _CAPITALS.match(clear, third.start(1)):
                        continue
            if clear[start - 1 : start] not in _JOINED and self.last_word(start) not in _TAGS:
                self.blank(start, match.end(1))

    def old_parameters(self) -> None:
        """`char *f(a) int a; {`: the declarations of parameters before the body of a function that gives a pointer."""
        for match in _OLD_STYLE.finditer(bytes(self.clear)):
            if match.group(2) not in self.rules.keywords:
                first, last = match.span(3)
                self.out[first:last] = self.clear[first:last] = blank_of(self.out[first:last])
                self.mended.parameters.append((first, last))

    def capitals(self, match: re.Match[bytes]) -> None:
        start, end = match.span()
        if self.clear[start : start + 1].isspace():
            return  # blanked already
        following = match.group(1)
        before, at = self.previous(start)
        word = self.last_word(at + 1) if before in WORD else b""
        if following[:1].isalpha() or following == b"_":
            self.before_name(start, end, before, word)
        elif following in (b"*", b"&"):
            if self.is_type(word, at) or (before == 0x2A and match.group() in self.attributes):
                self.attributes.add(match.group())
                self.blank(start, end)
            elif before == 0x28 and _CONVENTION.match(self.clear, end) and self.in_typedef(at):
                self.blank(start, end)
        elif following == b"(":
            self.call_like(start, end, before, word, at)
        elif following in b"{;=,)[" and following:
            self.trailing(start, end, end, before, word, at)
        elif (
            following in (b"}", b"#", b"")
            and (before in _BOUNDARY or at < 0)
            and (before != 0x7B or _FIELDS.search(self.clear, max(0, at - WINDOW), at))
        ):
            self.blank(start, end)

    def in_typedef(self, at: int) -> bool:
        """Whether `at` stands in a `typedef`, as far back as a statement is looked for."""
        begin = max(0, at - WINDOW)
        begin = max(begin, self.clear.rfind(b";", begin, at) + 1, self.clear.rfind(b"}", begin, at) + 1)
        return self.clear.find(b"typedef", begin, at) >= 0

    def is_type(self, word: bytes, at: int) -> bool:
        """Whether `word`, which ends at `at`, says a type: a type's own word, or a name, not `return` or `static`."""
        if word in (b"const", b"volatile"):
            inner = self.last_word(at + 1 - len(word))
            return inner != b"" and inner not in self.rules.neutral
        return word != b"" and word not in self.rules.neutral

    def before_name(self, start: int, end: int, before: int, word: bytes) -> None:
        following = _NAME.match(self.clear, end)
        if following is None or following.group(1) in self.rules.keywords:
            return
        after = following.end()
        then = bytes(self.clear[after : after + 1])
        if word in _TAGS:
            double = self.clear[after : after + 2] == b"::"
            final = self.clear.startswith(b"final", after)
            if (then in (b"{", b":") and not double) or final or (word == b"class" and then in (b";", b"<")):
                self.blank(start, end)
            return
        if (
            word == b"explicit"
            or (then == b"(" and following.group(1) in self.classes())
            or self.is_type(word, self.previous(start)[1])
            or (before in b"*&>" and before)
        ):
            self.blank(start, end)
            return
        if then.isalpha() or then in _MORE:
            if not _OF.match(self.clear, after):  # `extern OFFSET f OF((int));`
                self.blank(start, end)
        elif then in (b":", b"<"):
            chain = _QUALIFIED.match(self.clear, end)
            tail = bytes(self.clear[chain.end() : chain.end() + 1]) if chain else b""
            if chain and (tail.isalpha() or tail in _MORE):
                self.blank(start, end)
        elif self.alone(start, end) and (
            self.clear.count(b"\n", end, following.start(1)) > 1
            or then in (b"#", b"", b"}")
            or (then == b"(" and following.group(1).isupper())
        ):
            self.blank(start, end)

    def classes(self) -> frozenset[bytes]:
        """The names of the classes of a C++ source: a macro before one that is called stands before a constructor."""
        if self.class_names is None:
            found = _CLASS.findall(bytes(self.clear)) if self.cpp else ()
            self.class_names = frozenset(found)
        return self.class_names

    def alone(self, start: int, end: int) -> bool:
        """Whether nothing else stands on the line of a macro."""
        first = self.clear.rfind(b"\n", 0, start) + 1
        last = self.clear.find(b"\n", end)
        return not self.clear[first:start].strip() and not self.clear[end : last if last >= 0 else None].strip()

    def call_like(self, start: int, end: int, before: int, word: bytes, at: int) -> None:
        opening = self.clear.index(b"(", end)
        close = self.close(opening)
        if close < 0:
            return
        if _DECLARES.match(self.clear, opening + 1) and (before in _BOUNDARY or at < 0 or before == 0x29):
            self.unwrap(start, end, opening, close)
        elif (word and self.is_attribute_place(word, at)) or (before == 0x29 and self.is_pointer(at)):
            if self.clear[opening + 1 : close].lstrip()[:1] == b"(" and self.previous(close - 1)[0] == 0x29:
                self.unwrap(start, end, opening, close)
            else:
                self.blank(start, close)
        elif before == 0x5D and self.clear[close : close + WINDOW].lstrip()[:1] == b";":
            self.blank(start, close)
        elif before in b",<" and before and self.cpp and self.in_template(start):
            self.blank(start, close)
            self.out[start : start + 3] = b"int"
        elif before == 0x29:
            self.trailing(start, close, close, before, word, at)
        elif before in _BOUNDARY or at < 0 or word in self.rules.neutral:
            self.unfinished(start, close, word)

    def unwrap(self, start: int, end: int, opening: int, close: int) -> None:
        """`int f OF((int));`, `UNUSED(static int f(void)) {`: only the macro and its own parentheses go."""
        self.mended.macros.append((start, end))
        for text in (self.out, self.clear):
            text[start : opening + 1] = blank_of(text[start : opening + 1])
            text[close - 1] = 0x20

    def is_pointer(self, closing: int) -> bool:
        """Whether the parenthesis at `closing` ends `type (*name)`."""
        opening = self.open(closing)
        if opening < 0 or not _POINTER.match(self.clear, opening + 1, closing):
            return False
        word = self.last_word(opening)
        return word != b"" and word not in self.rules.neutral

    def in_template(self, at: int) -> bool:
        """Whether the head of a template is open at `at`."""
        head = self.clear.rfind(b"template", max(0, at - WINDOW), at)
        if head < 0:
            return False
        text = self.clear[head:at]
        return text.count(b"<") > text.count(b">") - text.count(b"->")

    def is_attribute_place(self, word: bytes, at: int) -> bool:
        """Whether `word`, which ends at `at`, is the name in a declaration (`int x ATTR`) and so needs no other."""
        if word in self.rules.keywords or (word.isupper() and len(word) > 1):
            return False
        start = at + 1 - len(word)
        before, inner_at = self.previous(start)
        if before in b"*&>" and before:
            return True
        inner = self.last_word(start)
        if inner == b"const" and self.previous(inner_at + 1 - len(inner))[0] == 0x2A:
            return True
        return inner not in _TAGS and self.is_type(inner, inner_at)

    def trailing(self, start: int, end: int, after: int, before: int, word: bytes, at: int) -> None:
        """A macro at the end of a declaration: `int f(void) ATTR;`, `int f() const ATTR;`, `int x ATTR = 1;`."""
        while self.cpp and word in _QUALIFIERS:
            before, at = self.previous(at + 1 - len(word))
            word = self.last_word(at + 1) if before in WORD else b""
        if before == 0x29:
            following = bytes(self.clear[after : after + WINDOW].lstrip()[:1])
            if following in (b"{", b";", b":", b"=") or following.isalpha():
                opening = self.open(at)
                if opening >= 0 and self.is_declarator(opening):
                    self.blank(start, end)
        elif word and self.is_attribute_place(word, at):
            self.blank(start, end)

    def is_declarator(self, opening: int) -> bool:
        """Whether a parameter list opens at `opening`: a name stands before it and a type before that."""
        name = self.last_word(opening)
        if not name or name in self.rules.keywords:
            return False
        start = self.previous(opening)[1] + 1 - len(name)
        before, at = self.previous(start)
        if before in b"*&>~:" and before:
            return True
        word = self.last_word(start)
        return word in (b"explicit", b"virtual", b"inline", b"constexpr") or self.is_type(word, at)

    def unfinished(self, start: int, close: int, word: bytes) -> None:
        """`MACRO(x)` with neither `;` nor block behind it."""
        following = _NAME.match(self.clear, close)
        at_margin = bytes(self.clear[start - 1 : start]) in (b"\n", b"")
        if following is None:
            first = self.clear.rfind(b"\n", 0, start) + 1
            after = bytes(self.clear[close : close + WINDOW].lstrip()[:1])
            if after in (b"#", b"") and not self.clear[first:start].strip(b"; \t\f"):
                self.blank(start, close)
            return
        if following.group(1) in self.rules.keywords and b"\n" not in self.clear[close : following.start(1)]:
            if following.group(1) not in (b"const", b"noexcept", b"override", b"final", b"try"):
                self.blank(start, close)  # `DEPRECATED("x") int f(void);`
            return
        if word:
            return
        line = self.clear.find(b"\n", close, following.start(1))
        if line >= 0:
            space = self.clear.find(b" ", line, following.start(1))
            if space >= 0:
                self.out[space] = self.clear[space] = 0x3B
            elif at_margin and (
                following.group(1) in self.rules.keywords or _CAPITALS.match(self.clear, following.start(1))
            ):
                self.blank(start, close)
