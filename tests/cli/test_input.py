"""Rows come in whole, in order, and the same whichever way a block is read."""

from __future__ import annotations

import io
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tsdt.cli.input import Block, Kinds, columns
from tsdt.cli.input.bytes import whole_lines
from tsdt.cli.input.delimited import DelimitedReader
from tsdt.cli.input.objects import ObjectReader


def read(text: bytes, target: str | None = "y", reader: Any = DelimitedReader, **options: Any) -> list[Block]:
    settings = {"delimiter": None, "names": None} | options if reader is DelimitedReader else {}
    opened = reader(io.BytesIO(text), lambda: False, **settings)
    opened.arrange(Kinds(), target, frozenset(opened.names) - {target}, keep_text=True)
    return list(opened)


def content(blocks: list[Block]) -> tuple[list[Any], list[Any], list[tuple[int, str]]]:
    found = [{name: list(column.tolist()) for name, column in block.rows.items()} for block in blocks]
    labels = [list(block.labels) for block in blocks if block.labels is not None]
    return found, labels, [(bad.line, bad.reason) for block in blocks for bad in block.bad]


def test_numbers_text_and_missing_values() -> None:
    found, labels, bad = content(read(b"a,b,y\n1.5,red,yes\n,NA,no\n-2e3,?,yes\n"))
    assert labels == [["yes", "no", "yes"]] and not bad
    assert found[0]["b"] == ["red", None, None]
    assert found[0]["a"][0] == 1.5 and found[0]["a"][1] != found[0]["a"][1] and found[0]["a"][2] == -2000


@pytest.mark.parametrize(
    "text", [b"a;b;y\n1;x;u\n", b"a\tb\ty\n1\tx\tu\n", b"\xef\xbb\xbfa,b,y\r\n1,x,u\r\n", b"a,b,y\n1,x,u"]
)
def test_marks_marks_of_order_and_line_ends(text: bytes) -> None:
    found, labels, bad = content(read(text))
    assert (found, labels, bad) == ([{"a": [1.0], "b": ["x"]}], [["u"]], [])


def test_bad_rows_are_named_with_line_and_reason() -> None:
    lines = [b"1,red,u"] * 2000
    lines[1500], lines[1600], lines[1700], lines[1800] = b"old,red,u", b"1,red", b"1,red,", b"1,\xff,u"
    _, labels, bad = content(read(b"a,b,y\n" + b"\n".join(lines) + b"\n"))
    assert [line for line, _ in bad] == [1502, 1602, 1702, 1802]
    reasons = ["was a number", "2 fields instead of 3", "missing, which is the target", "not UTF-8"]
    assert all(word in reason for word, (_, reason) in zip(reasons, bad, strict=True))
    assert sum(map(len, labels)) == 1996


def test_a_quote_that_stays_open_swallows_nothing_else() -> None:
    text = b'a,b,y\n1,"open,u\n' + b"2,red,v\n" * 300 + b'3,"two\nlines",w\n'
    _, labels, bad = content(read(text))
    assert len(bad) == 1 and bad[0][0] == 2
    assert sum(map(len, labels)) == 301


FIELDS = st.sampled_from(
    [
        "",
        "1",
        "2.5",
        "red",
        "NA",
        '"a,b"',
        '"say ""so"""',
        "é",
        " x ",
        '"',
        "a\tb",
        "inf",
        '"two\nlines"',
        "a\r",
        "x" * 9,
    ]
)


def assert_ways_agree(text: bytes) -> None:
    fast = content(read(text))
    with mock.patch.object(columns, "read_block", lambda *_: None):
        plain = content(read(text))
    assert repr(fast) == repr(plain)


@example([('"', '"a,b"', "u")])
@given(st.lists(st.tuples(FIELDS, FIELDS, st.sampled_from(["u", "v", ""])), max_size=30))
def test_fast_and_plain_reading_agree(found: list[tuple[str, str, str]]) -> None:
    assert_ways_agree(("a,b,y\n" + "".join(",".join(row) + "\n" for row in found)).encode())


@given(st.text('0123456789.-+eE_ ,"\r\n?nai\té\0', max_size=60))
def test_fast_and_plain_reading_agree_on_any_text(text: str) -> None:
    assert_ways_agree(b"a,b,y\n1,2,u\n" + text.encode())


@given(st.lists(st.from_regex(r"\A[+-]?[0-9]{0,18}\.?[0-9]{0,18}(e-?[0-9]{1,3})?\Z"), min_size=1, max_size=20))
def test_fast_and_plain_reading_agree_on_numbers(numbers: list[str]) -> None:
    assert_ways_agree(b"a,y\n1,u\n" + "".join(f"{number},u\n" for number in numbers).encode())


class Pieces(io.RawIOBase):
    """A file that gives a few bytes at a time."""

    def __init__(self, text: bytes, sizes: list[int]) -> None:
        self._file, self._sizes = io.BytesIO(text), sizes

    def read(self, size: int | None = -1) -> bytes:
        return self._file.read(self._sizes.pop() if self._sizes else size)


@given(
    st.lists(st.sampled_from([b"ab", b"\n", b'"', b",", b'""']), max_size=40), st.lists(st.integers(1, 9), max_size=20)
)
def test_blocks_are_the_whole_text_cut_behind_rows(words: list[bytes], sizes: list[int]) -> None:
    text = b"".join(words)
    whole = list(whole_lines(Pieces(text, [*sizes]), lambda: False, quoted=True))
    assert b"".join(whole) == text and all(block.endswith(b"\n") for block in whole[:-1])
    plain = list(whole_lines(Pieces(text, [*sizes]), lambda: False, quoted=False))
    assert b"".join(plain) == text
    if text.count(b'"') % 2 == 0:
        assert all(block.count(b'"') % 2 == 0 for block in whole)


def test_json_lines() -> None:
    blocks = read(
        b'{"a": 1, "y": "u"}\n[1]\n{"a": "x", "y": "u"}\n{"b": true, "y": null}\n{"b": true, "y": 2}\n',
        reader=ObjectReader,
    )
    (block,) = blocks
    assert block.rows == [{"a": 1}, {"b": True}] and block.labels is not None and list(block.labels) == ["u", 2]
    assert [bad.line for bad in block.bad] == [2, 3, 4]
