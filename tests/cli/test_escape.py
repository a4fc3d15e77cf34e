from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph.cli.escape import safe, safe_path

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("slugify", "slugify"),
        ("größe_名前", "größe_名前"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\x9bb", "a\\x9bb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b", "a\\u2066b"),
        ("a\u2028b", "a\\u2028b"),
        ("\udcff", "\\xff"),
        ("a\nb\r", "a\\x0ab\\x0d"),
    ],
)
def test_what_cannot_be_printed_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert safe(text) == shown


@given(ANY_TEXT)
def test_nothing_that_drives_a_terminal_is_left(text: str) -> None:
    assert safe(text).isprintable()
    assert safe_path(text).isprintable()


@given(st.text())
def test_safe_text_can_always_be_encoded(text: str) -> None:
    safe(text).encode()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("src/a b.py", "src/a b.py"),
        ("größe.py", "größe.py"),
        ('say "hi".py', '"say \\"hi\\".py"'),
        ("a\tb\n.py", '"a\\tb\\n.py"'),
        ("back\\slash.py", '"back\\\\slash.py"'),
        ("caf\udce9.py", '"caf\\351.py"'),
        ("\x1b]0;x.py", '"\\033]0;x.py"'),
    ],
)
def test_odd_paths_are_quoted_as_git_quotes_them(path: str, shown: str) -> None:
    assert safe_path(path) == shown
