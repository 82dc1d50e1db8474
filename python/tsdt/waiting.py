"""The samples that wait for a complete batch: rows as tuples of values, in the order of the schema's columns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.schema import Schema
from tsdt.schema.alignment import check_row, first_present
from tsdt.schema.kinds import recognise
from tsdt.schema.labels import check_label
from tsdt.schema.numbers import as_numbers
from tsdt.tables import objects

Array = NDArray[Any]

_SURE = frozenset({int, bool, str, bytes})  # types of labels that need no second look
_SCALARS = frozenset({int, float, bool, str, bytes, type(None)})


class WaitingRows:
    """Samples that came one by one, or were left over from a table. A row is checked when it comes, never later."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.rows: list[tuple[Any, ...]] = []
        self.labels: list[Hashable] = []
        self._width = 0
        self._pick = _picker(())
        self._familiar: set[tuple[type, ...]] = set()  # types of rows that need no second look

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: Mapping[Any, Any], label: Hashable) -> None:
        """One sample."""
        if type(label) not in _SURE:
            check_label(label)
        try:
            values = self._pick(row)
            familiar = len(row) == len(values) and tuple(map(type, values)) in self._familiar
        except (KeyError, TypeError, AttributeError, IndexError):
            familiar = False
        if not familiar:
            values = self._admit(row)
        self.rows.append(values)
        self.labels.append(label)

    def _admit(self, row: Any) -> tuple[Any, ...]:
        """A row whose keys or types are not familiar: new keys become columns, absent ones are missing."""
        if not isinstance(row, Mapping):
            raise TypeError(f"a sample is {row!r} ({type(row).__name__}); give a dict from attribute names to values")
        new = [name for name in row if name not in self.schema.positions]
        values = tuple(row.get(name) for name in [*self.schema.names, *new])
        check_row(self.schema, values, new)
        if new:
            self.schema.add_columns(new)
            self.widen()
        types = tuple(map(type, values))
        if _SCALARS.issuperset(types):
            self._familiar.add(types)
        return values

    def add_part(self, columns: Sequence[Array], labels: Array) -> None:
        """Part of a table, given by column."""
        if len(labels):
            parts = [column.tolist() for column in columns]
            self.rows += zip(*parts, strict=True) if parts else [()] * len(labels)
            self.labels += labels.tolist()

    def widen(self) -> None:
        """Give the rows that wait a missing value for every column that is new."""
        if self._width < len(self.schema.names):
            self._width = len(self.schema.names)
            self._pick = _picker(self.schema.names)
            self.rows = [row + (None,) * (self._width - len(row)) for row in self.rows]

    def look_again(self) -> None:
        """A column has been decided: rows that were welcome before may not be now."""
        self._familiar.clear()

    def drain(self) -> tuple[list[Sequence[Any]], list[Hashable]]:
        """All that waits, given by column; nothing waits after it."""
        columns: list[Sequence[Any]] = list(zip(*self.rows, strict=True)) if self._width else []
        labels, self.rows, self.labels = self.labels, [], []
        return columns, labels

    def foresee(self, found: dict[Hashable, Array], batch_size: int) -> None:
        """Read as numbers what the batches to come will find to be numbers, so that text among them is refused now."""
        for name, column in found.items():
            known = self.schema.column(name)
            if column.dtype.kind == "O" and known.kind is None and not known.declared:
                before = [row[known.position] if known.position < self._width else None for row in self.rows]
                values = np.concatenate([objects(before), column])
                start = first_present(values) // batch_size * batch_size
                recognised = recognise(values[start : start + batch_size])
                if start + batch_size <= len(values) and recognised and recognised.kind == "numeric":
                    found[name] = as_numbers(values, name)[len(before) :]

    def __getstate__(self) -> dict[str, Any]:
        return {"schema": self.schema, "rows": self.rows, "labels": self.labels}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["schema"])  # type: ignore[misc]
        self.rows, self.labels = state["rows"], state["labels"]
        self.widen()


def _picker(names: Sequence[Hashable]) -> Any:
    """A function that takes the values of some names out of a dict, as a tuple."""
    if len(names) > 1:
        return itemgetter(*names)
    return (lambda row: (row[names[0]],)) if names else (lambda row: ())
