"""A column by the distinct values it holds: a list of them and, for each row, a place in it. No schema, no libraries.

It stands in for an array of objects where a column of text is long: each distinct value is looked at once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MISSING = -1
"""The place of a missing value."""


class CodedColumn(Sequence[Any]):
    """Places in a list of values, -1 where a value is missing. It reads as an array of objects does.

    >>> colours = CodedColumn(np.array([1, 0, -1, 1]), ["red", "blue"])
    >>> colours.tolist()
    ['blue', 'red', None, 'blue']
    >>> colours[1:3].tolist(), colours[np.array([True, False, False, True])].tolist()
    (['red', None], ['blue', 'blue'])
    >>> colours.counts()
    {'blue': 2, 'red': 1, None: 1}
    """

    dtype, ndim = np.dtype(object), 1

    def __init__(self, places: NDArray[np.integer], values: Sequence[Hashable]) -> None:
        self.places, self.values = places, values
        self.known: dict[
            int, tuple[Any, NDArray[np.uint16]]
        ] = {}  # by lookup: the codes found so far, shared by slices

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, where: Any) -> Any:
        places = self.places[where]
        if not isinstance(places, np.ndarray):
            return None if places < 0 else self.values[places]
        part = CodedColumn(places, self.values)
        part.known = self.known
        return part

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list[Any]:
        """The values, None where they are missing."""
        values = [*self.values, None]  # place -1 is the last one
        return [values[place] for place in self.places.tolist()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = np.empty(len(self), dtype=object)
        array[:] = self.tolist()
        return array if dtype is None else array.astype(dtype)

    def first_present(self) -> int:
        """The row of the first value that is not missing, or how many rows there are."""
        present = np.flatnonzero(self.places >= 0)
        return int(present[0]) if len(present) else len(self)

    def counts(self) -> dict[Hashable, int]:
        """How often each value occurs, None for missing ones, in the order of appearance."""
        counts, found = np.bincount(self.places + 1), dict[Hashable, int]()
        for place in in_order(self.places):
            value = None if place < 0 else self.values[place]
            found[value] = found.get(value, 0) + int(counts[place + 1])
        return found


def in_order(places: NDArray[np.integer]) -> list[int]:
    """The distinct places in the order of their appearance.

    >>> in_order(np.array([2, 0, 2, -1]))
    [2, 0, -1]
    """
    n = len(places)
    first = np.full(int(places.max(initial=-1)) + 2, n, dtype=np.intp)
    first[places[::-1]] = np.arange(n - 1, -1, -1)  # where a place comes twice, the last one written is the first row
    first = np.roll(first, 1)  # place -1 stood at the end
    distinct = np.flatnonzero(first < n)
    ordered: list[int] = (distinct[np.argsort(first[distinct])] - 1).tolist()
    return ordered
