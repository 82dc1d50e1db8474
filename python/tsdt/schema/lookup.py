"""Category to code, one value or a whole array at a time: lookups that stay as they are, and lookups that grow."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn, in_order
from tsdt.schema.missing import OTHER, is_missing

UNKNOWN = 65535  # no code is as high: codes are 16 bits wide
WIDEST = 1 << 16  # integers within such a range are looked up in an array

Codes = NDArray[np.uint16]


class Lookup(dict[Hashable, int]):
    """The codes of categories. Keys are equal as Python has it, so 1, 1.0 and True are one category.

    A category that is not in it counts as `OTHER` where that is a category, and gets the next code where it is not.

    >>> Lookup(["red", "blue"]).encode(["blue", "green", "red"]).tolist()
    [1, 2, 0]
    """

    def __init__(self, categories: Iterable[Hashable] = ()) -> None:
        super().__init__((category, code) for code, category in enumerate(categories))
        self._low = 0
        self._array: Codes = np.empty(0, dtype=np.uint16)
        self._array_of = -1  # how many keys the lookup had when the array was made

    def __missing__(self, value: Any) -> int:
        if isinstance(value, (np.datetime64, np.timedelta64)):
            kind = "datetime64" if isinstance(value, np.datetime64) else "timedelta64"
            return self[value.astype(f"{kind}[us]").item()]  # as a column of them reads
        if not is_missing(value):
            return self.unseen(value)
        return self[None] if None in self else self.unseen(None)

    def unseen(self, value: Hashable) -> int:
        """The code of a value that is not in the lookup; None stands for missing."""
        return self[OTHER] if value is not None and OTHER in self else len(self)

    def encode(self, values: Iterable[Any]) -> Codes:
        """The codes of many values, unseen ones taken in the order of their appearance."""
        if isinstance(values, CodedColumn):
            return self._coded(values)
        if not isinstance(values, np.ndarray):
            return np.fromiter(map(self.__getitem__, values), dtype=np.uint16)
        if values.dtype.kind in "biu":
            return self._whole(values, values.view(np.uint8) if values.dtype.kind == "b" else values)
        if values.dtype.kind == "f":
            return self._floats(values)
        return np.fromiter(map(self.__getitem__, values.tolist()), dtype=np.uint16, count=len(values))

    def _coded(self, column: CodedColumn) -> Codes:
        """Each distinct value once; what was found out is kept with the column."""
        known = column.known.get(id(self))
        if known is None:  # the last entry is for missing values, whose place is -1
            found = [self.get(value, UNKNOWN) if isinstance(value, str) else UNKNOWN for value in column.values]
            known = column.known[id(self)] = self, np.array([*found, self.get(None, UNKNOWN)], dtype=np.uint16)
        table = known[1]
        codes = table.take(column.places, mode="wrap")
        if len(codes) and codes.max() == UNKNOWN:
            places = in_order(column.places[codes == UNKNOWN])
            table[places] = self._each([None if place < 0 else column.values[place] for place in places])
            codes = table.take(column.places, mode="wrap")
        return codes

    def _each(self, values: Sequence[Any]) -> list[int]:
        """The codes of distinct values, None for missing ones, in their order."""
        if OTHER not in self:
            return [self[value] for value in values]
        other = self[OTHER]
        return [self[None] if value is None else self.get(value, other) for value in values]

    def _whole(self, values: NDArray[Any], numbers: NDArray[Any]) -> Codes:
        """Whole numbers: an array of codes where they are close together, otherwise value by distinct value."""
        if len(numbers) == 0:
            return np.empty(0, dtype=np.uint16)
        low, high = int(numbers.min()), int(numbers.max())
        if high - low >= WIDEST:
            return self._settle(values, np.full(len(values), UNKNOWN, dtype=np.uint16))
        array = self._codes_between(low, high)
        codes = array.take(numbers if self._low == 0 else numbers.astype(np.int64) - self._low)
        return self._settle(values, codes)

    def _floats(self, values: NDArray[Any]) -> Codes:
        codes = np.full(len(values), UNKNOWN, dtype=np.uint16)
        whole = np.flatnonzero((values == np.floor(values)) & (np.abs(values) < WIDEST))
        if len(whole):
            numbers = values[whole].astype(np.int64)
            low, high = int(numbers.min()), int(numbers.max())
            codes[whole] = self._codes_between(low, high).take(numbers - self._low)
        if None in self:
            codes[np.isnan(values)] = self[None]
        return self._settle(values, codes)

    def _settle(self, values: NDArray[Any], codes: Codes) -> Codes:
        """Fill the places whose code is unknown, distinct values in the order of their appearance."""
        places = np.flatnonzero(codes == UNKNOWN)
        if len(places):
            distinct, first, inverse = np.unique(values[places], return_index=True, return_inverse=True)
            found = np.empty(len(distinct), dtype=np.uint16)
            for i in np.argsort(first, kind="stable").tolist():
                found[i] = self[distinct[i].item()]
            codes[places] = found[inverse]
        return codes

    def _codes_between(self, low: int, high: int) -> Codes:
        """An array whose place v - self._low holds the code of v, wide enough for low to high."""
        end = self._low + len(self._array)
        if self._array_of != len(self) or low < self._low or high >= end:
            self._low = 0 if low >= 0 and high < WIDEST else low
            array = np.full(high - self._low + 1, UNKNOWN, dtype=np.uint16)
            for key, code in self.items():
                if isinstance(key, (int, float)) and self._low <= key <= high and key == int(key):
                    array[int(key) - self._low] = code
            self._array, self._array_of = array, len(self)
        return self._array


class GrowingLookup(Lookup):
    """A lookup that takes in what it has not seen, up to `max_categories`; what comes later counts as `OTHER`.

    Missing is a category of its own and does not count towards the limit.

    >>> colours = GrowingLookup(max_categories=2)
    >>> colours.encode(["red", None, "blue", "green", "red"]).tolist()
    [0, 1, 2, 3, 0]
    >>> colours.categories
    ('red', None, 'blue', other)
    """

    def __init__(
        self, categories: Iterable[Hashable] = (), max_categories: int = WIDEST // 2, closed: bool = False
    ) -> None:
        super().__init__(categories)
        self.max_categories = len(self) if closed else max_categories

    @property
    def categories(self) -> tuple[Hashable, ...]:
        """The categories in the order of their codes."""
        return tuple(self)

    def unseen(self, value: Hashable) -> int:
        """Take a value in, or count it as other."""
        if value is not None and len(self) - (None in self) >= self.max_categories:
            value = OTHER
        return self.setdefault(value, len(self))
