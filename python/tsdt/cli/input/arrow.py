"""Columns of pyarrow as arrays, without an object for each value."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pyarrow as pa

from tsdt.cli.input.block import Array
from tsdt.coded import CodedColumn

pa.enable_signal_handlers(False)  # a signal ends the run between blocks, not in the middle of one
_REPEATING = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_date)
"""Types of values that repeat, and are looked at once each; a date stays a date."""


def as_array(column: Any) -> Array:
    """A column of pyarrow as an array; values that repeat are one object, None where one is missing."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if any(is_kind(column.type) for is_kind in _REPEATING):
        column = column.dictionary_encode()
    if not pa.types.is_dictionary(column.type):
        return column.to_numpy(zero_copy_only=False)
    values = column.dictionary.to_pylist()
    places = column.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
    if None in values:  # a null can also be a value of the dictionary
        places = np.where(places == values.index(None), -1, places)
    return cast(Array, CodedColumn(places, values))
