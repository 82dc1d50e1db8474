"""One column of a frame: numbers as an array, text and categories as codes where its library has them. No rows here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import narwhals.stable.v1 as nw
import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn

Array = NDArray[Any]


def series_column(series: nw.Series[Any]) -> Array:
    """The values of a column: an array, or a `CodedColumn` that reads like one.

    >>> import polars as pl
    >>> series_column(nw.from_native(pl.Series(["red", None, "red"]), series_only=True)).tolist()
    ['red', None, 'red']
    """
    kind, library = series.dtype, series.implementation
    if kind in (nw.String, nw.Categorical, nw.Enum) and len(series):
        if library.is_polars():
            return _coded(*_of_polars(series.to_native()))
        if library.is_pyarrow():
            return _coded(*_of_arrow(series.to_native()))
        if library.is_pandas_like():
            return _coded(*_of_pandas(series.to_native(), kind != nw.String))
    if kind == nw.Boolean and (library.is_polars() or library.is_pyarrow()) and series.null_count():
        return _coded(series.cast(nw.Int32).fill_null(-1).to_numpy(), [False, True])
    if kind.is_nested():
        raise ValueError(
            f"column {series.name!r} holds values of type {kind}, not single ones; make a column of each of their parts"
        )
    if kind in (nw.Int128, nw.UInt128):  # NumPy has no such numbers
        series = series.cast(nw.Float64)
    if kind == nw.Date or (isinstance(kind, nw.Datetime) and kind.time_zone):
        return np.array(series.to_list(), dtype=object)  # an array would lose what kind of a moment it is
    values: Array = series.to_numpy()
    return values


def _coded(places: Array, values: Sequence[Any]) -> Array:
    return cast(Array, CodedColumn(places, values))


def _of_polars(series: Any) -> tuple[Array, list[Any]]:
    import polars as pl

    if not isinstance(series.dtype, pl.Enum):
        text = series.cast(pl.String)
        series = text.cast(pl.Enum(text.drop_nulls().unique(maintain_order=True)))
    places = series.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    return places, series.dtype.categories.to_list()


def _of_pandas(series: Any, categorical: bool) -> tuple[Array, list[Any]]:
    if categorical:
        return series.cat.codes.to_numpy().astype(np.int32), series.cat.categories.tolist()
    places, values = series.factorize()
    return places.astype(np.int32), values.tolist()


def _of_arrow(column: Any) -> tuple[Array, list[Any]]:
    array = column.combine_chunks() if hasattr(column, "chunks") else column
    if not hasattr(array, "dictionary"):
        array = array.dictionary_encode()
    places = array.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False)
    values = array.dictionary.to_pylist()
    if None in values:  # a null can also be a value of the dictionary
        places = np.where(places == values.index(None), -1, places)
    return places, values
