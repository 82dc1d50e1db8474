"""The one on-ramp: anything with rows and columns becomes a `Table`, which gives columns as arrays. No codes here."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import narwhals.stable.v1 as nw
import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn
from tsdt.frames import as_frame, is_frame
from tsdt.series import series_column

Array = NDArray[Any]

ACCEPTED = "a dict of columns, a list of dicts, a 2-D array, or a pandas, polars or pyarrow table"


class Table(Protocol):
    """Rows and columns. `names` is None for a bare array, whose columns only have positions."""

    names: tuple[Hashable, ...] | None
    n_rows: int
    n_columns: int

    def at(self, position: int) -> Array:
        """The column at a position."""

    def named(self, name: Hashable) -> Array:
        """The column of a name."""


class ArrayTable:
    """A bare two-dimensional array: columns by position."""

    def __init__(self, array: Array) -> None:
        self.names: tuple[Hashable, ...] | None = None
        if array.ndim == 2:
            self.array, (self.n_rows, self.n_columns) = array, array.shape
            return
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead with shape {array.shape}; one row per sample and one "
            "column per attribute is right. Reshape your data: array.reshape(-1, 1) where it is one attribute, "
            "array.reshape(1, -1) where it is one sample"
        )

    def at(self, position: int) -> Array:
        """The column at a position."""
        return plain(self.array[:, position])

    def named(self, name: Hashable) -> Array:
        """A bare array has no names."""
        raise KeyError(name)


class ColumnTable:
    """Columns by name: a dict of columns, or a structured array."""

    def __init__(self, columns: Mapping[Hashable, Any], names: Sequence[Hashable]) -> None:
        self.columns = {name: as_column(columns[name], name) for name in names}
        self.names: tuple[Hashable, ...] | None = tuple(names)
        self.n_columns = len(self.columns)
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns have different lengths: {lengths}; give each the same number of values")
        self.n_rows = next(iter(lengths.values()), 0)

    def at(self, position: int) -> Array:
        """The column at a position."""
        return list(self.columns.values())[position]

    def named(self, name: Hashable) -> Array:
        """The column of a name."""
        return self.columns[name]


class RowTable:
    """A list of dicts, as River has its samples: a key that a row lacks is a missing value there."""

    def __init__(self, rows: Sequence[Mapping[Hashable, Any]]) -> None:
        self.rows = rows
        self.names: tuple[Hashable, ...] | None = tuple(dict.fromkeys(name for row in rows for name in row))
        self.n_rows, self.n_columns = len(rows), len(self.names)

    def at(self, position: int) -> Array:
        """The column at a position."""
        return self.named((self.names or ())[position])

    def named(self, name: Hashable) -> Array:
        """The column of a name, None where a row lacks it."""
        return objects([row.get(name) for row in self.rows])


class FrameTable:
    """A table that narwhals understands: pandas, polars, pyarrow and others."""

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self.frame = frame
        self.names: tuple[Hashable, ...] | None = tuple(frame.columns)
        self.n_rows, self.n_columns = frame.shape

    def at(self, position: int) -> Array:
        """The column at a position."""
        return self.named(self.frame.columns[position])

    def named(self, name: Hashable) -> Array:
        """The column of a name."""
        if name not in self.frame.columns:
            raise KeyError(name)
        return plain(series_column(self.frame.get_column(name)))


def as_table(X: Any) -> Table:
    """Any table as a `Table`.

    >>> as_table({"colour": ["red", "blue"], "age": [30, 40]}).names
    ('colour', 'age')
    >>> as_table([{"age": 30}, {"age": 40, "colour": "red"}]).named("colour").tolist()
    [None, 'red']
    >>> as_table([[1, 2], [3, 4], [5, 6]]).n_rows
    3
    """
    if isinstance(X, (ArrayTable, ColumnTable, RowTable, FrameTable)):
        return X
    if hasattr(X, "toarray"):
        raise TypeError(
            f"X is {type(X).__name__}, a sparse container; make it dense first: X.toarray(), or sparse_output=False in "
            "an encoder; or leave the encoder out, because text can stay as it is"
        )
    if isinstance(X, np.ndarray):
        X = unmasked(X)
        return ColumnTable({n: X[n] for n in X.dtype.names}, X.dtype.names) if X.dtype.names else ArrayTable(X)
    if isinstance(X, Mapping):
        return ColumnTable(X, list(X))
    if is_frame(X):
        return _frame_table(X)
    if isinstance(X, (str, os.PathLike)):
        raise TypeError(
            f"X is {_shown(X)}, which is no table; a file is learned by model.learn_from(path, target=...), and read "
            "in parts by tsdt.read_batches(path)"
        )
    if isinstance(X, bytes) or not (hasattr(X, "__iter__") or hasattr(X, "__array__")):
        raise TypeError(f"X is {_shown(X)}, which is no table; give {ACCEPTED}")
    return _sequence_table(X)


def _sequence_table(X: Any) -> Table:
    if hasattr(X, "__array__"):
        return ArrayTable(np.asarray(X))
    rows = list(X)
    if all(isinstance(row, Mapping) for row in rows):
        return RowTable(rows)
    widths = {len(row) if isinstance(row, (Sequence, np.ndarray)) and not isinstance(row, str) else -1 for row in rows}
    if len(widths) > 1:
        raise ValueError(f"the rows of X have different lengths: {sorted(widths)[:5]}; give each the same number")
    if -1 in widths:
        return ArrayTable(objects(rows))
    array = np.empty((len(rows), widths.pop()), dtype=object)  # so that the values keep their types
    for i, row in enumerate(rows):
        array[i] = row.tolist() if isinstance(row, np.ndarray) else row
    return ArrayTable(array)


def _frame_table(X: Any) -> Table:
    try:
        frame = as_frame(X)
    except Exception as error:  # each library has its own: duplicate names, lost connections
        raise ValueError(f"the {type(X).__name__} cannot be read as a table: {error}") from error
    if len(set(frame.columns)) < len(frame.columns):
        raise ValueError(f"two columns have the same name, they are {list(frame.columns)}; rename one")
    return FrameTable(frame)


def n_rows(X: Any) -> int:
    """How many rows a table has.

    >>> n_rows({"colour": ["red", "blue"]})
    2
    """
    return as_table(X).n_rows


def column_of(X: Any, position: int, attributes: Sequence[Any]) -> Array:
    """The column of one of a tree's attributes: by name where the table has names, by position where it has none."""
    table, attribute = as_table(X), attributes[position]
    if table.names is None:
        if attribute.position < table.n_columns:
            return table.at(attribute.position)
        raise ValueError(
            f"X has {table.n_columns} features, but the tree asks for column {attribute.position}, "
            f"{attribute.name!r}; give the columns that were learned from"
        )
    try:
        return table.named(attribute.name)
    except KeyError:
        raise ValueError(
            f"X lacks the column {attribute.name!r} that the tree asks for; its columns are {listed(table.names)}"
        ) from None


def as_column(values: Any, name: Hashable) -> Array:
    """One column: an array of one dimension that keeps the values as they are.

    >>> as_column([1, "a", None], "mixed").tolist()
    [1, 'a', None]
    """
    if not isinstance(values, (np.ndarray, CodedColumn)):
        series = nw.from_native(values, pass_through=True, allow_series=True)
        if isinstance(series, nw.Series):
            values = series_column(series)
        elif hasattr(values, "__array__"):
            values = np.asarray(values)
        elif isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
            raise TypeError(f"column {name!r} is {_shown(values)}; give a list or an array with one value per row")
        else:
            return objects(list(values))
    values = unmasked(values) if isinstance(values, np.ma.MaskedArray) else values
    if values.ndim != 1:
        raise ValueError(f"column {name!r} has shape {values.shape}; one dimension with one value per row is right")
    return plain(values)


def unmasked(values: Array) -> Array:
    """A bare array; what is masked is missing.

    >>> unmasked(np.ma.masked_array([1, 2], mask=[False, True])).tolist()
    [1.0, nan]
    """
    if not isinstance(values, np.ma.MaskedArray):
        return np.asarray(values)
    if values.dtype.kind in "iuf":
        return np.where(np.ma.getmaskarray(values), np.nan, values.data)
    result = values.data.astype(object)
    result[np.ma.getmaskarray(values)] = None
    return result


def plain(values: Array) -> Array:
    """An array whose values are numbers, text or Python objects: dates become `datetime`, NaT becomes None.

    >>> plain(np.array(["2024-05-01", "NaT"], dtype="datetime64[D]")).tolist()
    [datetime.datetime(2024, 5, 1, 0, 0), None]
    """
    kind = values.dtype.kind
    if kind == "c":
        raise ValueError("Complex data not supported: make two columns of the real and the imaginary part")
    if kind in "mM":
        return values.astype(f"{'datetime64' if kind == 'M' else 'timedelta64'}[us]").astype(object)
    if kind == "V":
        return objects(values.tolist())
    if kind == "f" and values.dtype.itemsize != 8:
        return values.astype(np.float64)
    return values


def objects(values: Sequence[Any]) -> Array:
    """A one-dimensional array of objects, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def listed(names: Sequence[Hashable]) -> str:
    """The first names of a table, for an error.

    >>> listed(("colour", "age"))
    "'colour', 'age'"
    """
    shown = ", ".join(map(repr, names[:12]))
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{text[:60] + '...' if len(text) > 60 else text} ({type(value).__name__})"
