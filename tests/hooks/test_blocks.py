"""Our block in other people's hooks: in, out, and nothing else changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_graph.hooks import blocks

BLOCK = blocks.BEGIN + b" words\n(\n    true\n) || :\n" + blocks.END + b"\n"
OTHER = blocks.BEGIN + b" of long ago\n" + blocks.END + b"\n"

LINES = [
    b"#!/bin/sh",
    b"#!/usr/bin/env bash",
    b"echo hello",
    b"",
    b"# >>>",
    b"exec true",
    b"\xff\r",
    b"  " + BLOCK[:12],
]
lines = st.lists(st.sampled_from(LINES), max_size=6)
hooks = st.builds(lambda parts, end: b"\n".join(parts) + end, lines, st.sampled_from([b"", b"\n", b"\n\n"]))


@given(hooks)
def test_what_was_put_in_comes_out_byte_for_byte(hook: bytes) -> None:
    with_block = blocks.insert(hook, BLOCK)
    assert blocks.find(with_block) == BLOCK
    assert blocks.remove(with_block) == hook
    assert not blocks.is_broken(with_block)


@given(hooks)
def test_a_block_of_another_version_is_replaced_where_it_stands(hook: bytes) -> None:
    assert blocks.insert(blocks.insert(hook, OTHER), BLOCK) == blocks.insert(hook, BLOCK)


@given(hooks)
def test_putting_it_in_twice_is_putting_it_in_once(hook: bytes) -> None:
    once = blocks.insert(hook, BLOCK)
    assert blocks.insert(once, BLOCK) == once


def test_the_block_stands_right_after_the_first_line() -> None:
    assert blocks.insert(b"#!/bin/bash\nexec other\n", BLOCK) == b"#!/bin/bash\n" + BLOCK + b"exec other\n"
    assert blocks.insert(b"echo no first line\n", BLOCK) == BLOCK + b"echo no first line\n"


def test_a_block_whose_end_was_lost_is_not_ours_to_cut() -> None:
    hook = b"#!/bin/sh\n" + BLOCK.replace(blocks.END, b"") + b"echo theirs\n"
    assert blocks.is_broken(hook)
    assert blocks.find(hook) is None
    assert blocks.remove(hook) == hook


SCRIPTS = [b"#! /bin/sh -e", b"#!/usr/bin/env bash", b"#!/usr/bin/env -S FOO=1 zsh", b"#!/bin/dash\r", b"echo", b""]


@pytest.mark.parametrize("first", SCRIPTS)
def test_shell_scripts_are_known(first: bytes) -> None:
    assert blocks.is_shell(first + b"\necho\n")


@pytest.mark.parametrize(
    "content",
    [b"#!/usr/bin/env python3\n", b"#!/usr/bin/fish\n", b"#!/usr/bin/perl\n", b"#!\n", b"\x7fELF\x02", b"MZ\0\0"],
)
def test_anything_else_is_no_shell_script(content: bytes) -> None:
    assert not blocks.is_shell(content)
