"""Delimited text by the compiled engine, in columns without an object for each value: only blocks without fault."""

from __future__ import annotations

from typing import Any, cast

from tsdt.cli.input.block import Array, Block
from tsdt.cli.input.kinds import MISSING, NUMBER
from tsdt.cli.input.records import Layout
from tsdt.coded import CodedColumn
from tsdt.engine import choose_engine

_MISSING = sorted(MISSING)


def read_block(block: bytes, layout: Layout) -> Block | None:
    """All rows of a block; None where one is to be looked at by itself, or the engine is not compiled."""
    read = getattr(choose_engine(), "read_delimited", None)
    if read is None or not layout.delimiter.isascii():
        return None
    found = read(block, ord(layout.delimiter), "".join(_kind(name, layout) for name in layout.names), _MISSING)
    if found is None:
        return None
    n_rows, n_lines, columns = found
    arrays = {name: _array(columns[i], layout.kinds.words.get(name)) for i, name in layout.places}
    labels = None
    if layout.target is not None:
        labels = arrays.pop(layout.target)
        if (cast(CodedColumn, labels).places < 0).any():
            return None
    result = Block(arrays, n_rows, labels, lines=n_lines)
    if layout.keep_text:
        result.text = [line for line in block.replace(b"\r\n", b"\n").split(b"\n") if line]
    return result if len(result.text) in (0, n_rows) else None  # not where a row has several lines


def _kind(name: str, layout: Layout) -> str:
    if name not in layout.used and name != layout.target:
        return "-"
    return "n" if layout.kinds.of[name] == NUMBER and name != layout.target else "w"


def _array(column: Any, words: dict[str, Any] | None) -> Array:
    if not isinstance(column, tuple):
        return cast(Array, column)
    places, values = column
    return cast(Array, CodedColumn(places, [words.get(value, value) for value in values] if words else values))
