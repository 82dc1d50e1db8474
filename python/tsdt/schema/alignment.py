"""Rows and tables against a schema: which value belongs to which column, and what cannot be taken in."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn
from tsdt.schema.column import Column, is_hashable
from tsdt.schema.missing import is_missing
from tsdt.schema.numbers import as_number, as_numbers
from tsdt.schema.schema import Schema
from tsdt.tables import RowTable, Table

_HASHABLE = frozenset({int, float, bool, str, bytes, type(None)})


def read_columns(schema: Schema, table: Table) -> dict[Hashable, NDArray[Any]]:
    """The columns of a table by name, found good for a schema that stays as it is."""
    names = _names(schema, table)
    lacking = [name for name in schema.names if name not in names]
    if lacking and not isinstance(table, RowTable):
        raise ValueError(f"X lacks {', '.join(map(repr, lacking))}; give every column that was learned from")
    if table.names is None:
        return {name: _checked(schema.column(name, i), table.at(i)) for i, name in enumerate(names)}
    return {name: _checked(schema.column(name), table.named(name)) for name in names}


def check_declared(schema: Schema, found: Mapping[Hashable, NDArray[Any]]) -> None:
    """Refuse declarations of columns that a whole table does not have."""
    unknown = [name for name in schema.declared if name not in found and not _is_place(name, len(found))]
    if unknown:
        raise ValueError(f"schema names {unknown[0]!r}, which X lacks; its columns are {', '.join(map(repr, found))}")


def _is_place(name: Hashable, n_columns: int) -> bool:
    return isinstance(name, int) and 0 <= name < n_columns


def take_in(schema: Schema, table: Table, found: Mapping[Hashable, NDArray[Any]]) -> list[NDArray[Any]]:
    """The columns of a table in the order of the schema, which takes in the new ones; absent ones are missing."""
    schema.add_columns([name for name in found if name not in schema.positions], by_position=table.names is None)
    empty = np.empty(table.n_rows, dtype=object)  # None in every place
    return [found.get(name, empty) for name in schema.names]


def _names(schema: Schema, table: Table) -> tuple[Hashable, ...]:
    """The names of a table's columns; those of a bare array are its positions' names."""
    if table.names is not None:
        return table.names
    expected = len(schema.columns)
    if expected and table.n_columns != expected:
        raise ValueError(
            f"X has {table.n_columns} features, but TSDTClassifier is expecting {expected} features as input; "
            "a table without names must have the same columns every time"
        )
    return schema.names or tuple(f"x{i}" for i in range(table.n_columns))


def _checked(column: Column, values: NDArray[Any]) -> NDArray[Any]:
    """The values, as numbers where the column is numeric; an error where they cannot belong to it."""
    if column.takes_numbers:
        return as_numbers(values, column.name)
    held = values.values if isinstance(values, CodedColumn) else values.tolist() if values.dtype.kind == "O" else ()
    if not _HASHABLE.issuperset(map(type, held)):
        if not all(map(is_hashable, held)):
            raise column.unhashable(held)
        if any(isinstance(value, complex) for value in held):
            raise ValueError(f"column {column.name!r}: Complex data not supported; make two columns of it")
    return values


def check_row(schema: Schema, values: Sequence[Any], new: Sequence[Hashable]) -> None:
    """Refuse a row that holds a value which cannot belong to its column."""
    columns = [*schema.columns, *map(schema.column, new)]
    for column, value in zip(columns, values, strict=True):
        if column.takes_numbers:
            as_number(value, column.name)
        elif not is_hashable(value):
            raise column.unhashable([value])
        elif isinstance(value, complex) and not is_missing(value):
            raise ValueError(f"column {column.name!r}: Complex data not supported; make two columns of it")


def first_present(values: NDArray[Any]) -> int:
    """The place of the first value that is not missing, or how many there are.

    >>> first_present(np.array([np.nan, 2.0])), first_present(np.array([None, None]))
    (1, 2)
    """
    if isinstance(values, CodedColumn):
        return values.first_present()
    if values.dtype.kind == "f":
        present = np.flatnonzero(~np.isnan(values))
        return int(present[0]) if len(present) else len(values)
    if values.dtype.kind != "O":
        return 0
    return next((i for i, value in enumerate(values.tolist()) if not is_missing(value)), len(values))
