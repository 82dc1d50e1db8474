"""Delimited text by pyarrow: columns without an object for each value. It takes only blocks without fault."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.csv

from tsdt.cli.input.block import Array, Block
from tsdt.cli.input.kinds import MISSING, NUMBER
from tsdt.cli.input.records import Layout
from tsdt.coded import CodedColumn

pa.enable_signal_handlers(False)  # a signal ends the run between blocks, not in the middle of one
_WORDS = pa.dictionary(pa.int32(), pa.utf8())
_REPEATING = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_date)
"""Types of values that repeat, and are looked at once each; a date stays a date."""


class FaultyBlockError(ValueError):
    """A block with a row that is to be looked at by itself."""


def read_block(block: bytes, layout: Layout) -> Block:
    """All rows of a block, or `FaultyBlockError`."""
    table = _parse(block, layout)
    columns = {name: as_array(table[name], layout.kinds.words.get(name)) for name in table.column_names}
    labels = None
    if layout.target is not None:
        if table[layout.target].null_count:
            raise FaultyBlockError("a label is missing")
        labels = columns.pop(layout.target)
    result = Block(columns, table.num_rows, labels, lines=block.count(b"\n"))
    if layout.keep_text:
        result.text = [line for line in block.replace(b"\r\n", b"\n").split(b"\n") if line]
        if len(result.text) != result.n_rows:
            raise FaultyBlockError("a row has several lines")
    return result


def _parse(block: bytes, layout: Layout) -> Any:
    quoted = b'"' in block
    if quoted and b'"' in _whole_fields(layout.delimiter).sub(b"", block):  # pyarrow would read on as if it were right
        raise FaultyBlockError("a quote is out of place")
    reading = pyarrow.csv.ReadOptions(column_names=layout.names, use_threads=False, block_size=len(block) + 1)
    parsing = pyarrow.csv.ParseOptions(
        delimiter=layout.delimiter, quote_char='"' if quoted else False, newlines_in_values=quoted
    )
    types = {
        name: pa.float64() if layout.kinds.of[name] == NUMBER and name != layout.target else _WORDS
        for _, name in layout.places
    }
    try:
        return pyarrow.csv.read_csv(pa.py_buffer(block), reading, parsing, _conversion(tuple(types.items())))
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise FaultyBlockError(str(error)) from None


@lru_cache(maxsize=4)
def _whole_fields(delimiter: str) -> re.Pattern[bytes]:
    """What quoted fields look like: a quote at the start, a quote at the end, and only doubled ones between."""
    mark = re.escape(delimiter.encode())
    return re.compile(rb'(?:^|(?<=\n)|(?<=%b))"(?:[^"]|"")*+"(?=%b|\r?\n|\r?\Z)' % (mark, mark))


@lru_cache(maxsize=4)
def _conversion(types: tuple[tuple[str, Any], ...]) -> Any:
    return pyarrow.csv.ConvertOptions(
        column_types=dict(types),
        include_columns=[name for name, _ in types],
        null_values=sorted(MISSING),
        strings_can_be_null=True,
    )


def as_array(column: Any, words: dict[str, Any] | None = None) -> Array:
    """A column of pyarrow as an array; values that repeat are one object, None where one is missing."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if any(is_kind(column.type) for is_kind in _REPEATING):
        column = column.dictionary_encode()
    if not pa.types.is_dictionary(column.type):
        return column.to_numpy(zero_copy_only=False)
    values = column.dictionary.to_pylist()
    if words:
        values = [words.get(value, value) for value in values]
    places = column.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
    if None in values:  # a null can also be a value of the dictionary
        places = np.where(places == values.index(None), -1, places)
    return cast(Array, CodedColumn(places, values))
