"""Text from files and repositories, made safe to show.

A name, a signature or a path may hold anything, control sequences and bidirectional overrides included. What is not
printable is shown as an escape, so no file can drive or deceive a terminal.
"""

from __future__ import annotations

_C_ESCAPES = {"\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r"}
_C_ESCAPES |= {'"': '\\"', "\\": "\\\\"}


def safe(text: str) -> str:
    """`text` with every unprintable character written as an escape (`\\x1b`, `\\u202e`)."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def safe_path(path: str) -> str:
    """A path as git shows it: as it is if that is safe, else in C quotes."""
    if path.isprintable() and '"' not in path and "\\" not in path:
        return path
    return '"' + "".join(_quoted(c) for c in path) + '"'


def _escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _quoted(character: str) -> str:
    if (known := _C_ESCAPES.get(character)) is not None:
        return known
    if character.isprintable():
        return character
    code = ord(character)
    data = bytes([code - 0xDC00]) if 0xDC80 <= code <= 0xDCFF else character.encode("utf-8", "surrogatepass")
    return "".join(f"\\{byte:03o}" for byte in data)
