"""One column of a schema while it grows: undecided until a value shows up, then categories or bins."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn
from tsdt.schema.attribute import Attribute, Kind
from tsdt.schema.declared import Declared
from tsdt.schema.edges import bin_codes, quantile_edges
from tsdt.schema.kinds import MOMENTS, recognise
from tsdt.schema.lookup import GrowingLookup
from tsdt.schema.missing import is_missing
from tsdt.schema.numbers import as_numbers

Values = Sequence[Any] | NDArray[Any]


class Column:
    """A column: its name, its position in tables without names, and what has been decided of it."""

    def __init__(self, name: Hashable, position: int, declared: Declared | None = None) -> None:
        self.name, self.position, self.declared = name, position, declared
        self.kind: Kind | None = None  # None: nothing but missing values so far
        self.why = "nothing but missing values so far"
        self.lookup = GrowingLookup()
        self.edges = np.empty(0, dtype=np.float64)
        self._attribute: Attribute | None = None
        self.numbers: Column | None = None  # a second attribute, where categories turned out to be numbers
        self.tentative = False  # few whole numbers: categories unless more turn up
        self.n_seen = self.n_missing = 0

    @property
    def takes_numbers(self) -> bool:
        """Whether anything but a number or a missing value is refused."""
        declared = self.declared is not None and self.declared.kind == "numeric"
        return self.kind == "numeric" or self.numbers is not None or declared

    @property
    def is_movable(self) -> bool:
        """Whether the numbers it holds may still change how it is coded."""
        return self.tentative or (self.kind == "numeric" and not (self.declared and self.declared.edges is not None))

    @property
    def arity(self) -> int:
        """How many codes the column has."""
        return len(self.edges) + 2 if self.kind == "numeric" else len(self.lookup)

    def decide(self, values: Values, late: bool, bins: int, max_categories: int) -> bool:
        """Decide the kind from some values; False when all of them are missing.

        A column that shows up late has been missing before, so missing is its code 0.
        """
        recognised = recognise(values)
        if recognised is None:
            return False
        if self.declared:
            self.kind, self.why = self.declared.kind, "declared"
        else:
            self.kind, self.why, self.tentative = recognised
        if self.kind == "numeric":
            self._cut(values, bins)
        else:
            self._open(values, late, max_categories)
        return True

    def _cut(self, values: Values, bins: int) -> None:
        if self.declared and self.declared.edges is not None:
            self.cut_at(np.array(self.declared.edges))
        else:
            numbers = as_numbers(values, self.name)
            self.cut_at(quantile_edges(numbers[~np.isnan(numbers)], bins))

    def cut_at(self, edges: NDArray[np.float64]) -> None:
        """Have these edges from now on."""
        self.edges, self._attribute = edges, None

    def _open(self, values: Values, late: bool, max_categories: int) -> None:
        first: list[Hashable] = [None] if late else []
        if self.declared and self.declared.categories is not None:
            given = dict.fromkeys([*first, *self.declared.categories])
            self.lookup = GrowingLookup(given, closed=True)
        else:
            self.lookup = GrowingLookup([*first, *self._most_frequent(values, max_categories)], max_categories)

    def become_numeric(self, edges: NDArray[np.float64]) -> None:
        """Hold the numbers of a column of whole numbers that have become too many for categories."""
        self.kind, self.why = "numeric", "whole numbers, more than at first"
        self.cut_at(edges)

    def _most_frequent(self, values: Values, most: int) -> list[Hashable]:
        """The categories that get a code of their own when there are too many, in the order of their appearance."""
        listed = values.tolist() if isinstance(values, np.ndarray) else values
        try:
            counts = Counter(values.counts() if isinstance(values, CodedColumn) else listed)
        except TypeError:
            raise self.unhashable(listed) from None
        if len(counts) <= most:
            return []
        kept = {category for category, _ in counts.most_common() if not is_missing(category)}
        if len(kept) > most:
            if any(isinstance(category, MOMENTS) for category in kept):
                self._warn_of_moments(len(kept), most)
            kept = set([category for category, _ in counts.most_common() if category in kept][:most])
        return [category for category in counts if category in kept]

    def _warn_of_moments(self, n: int, most: int) -> None:
        remedy = "give numbers that the tree can cut, such as days since a date, the month or the hour"
        warnings.warn(
            f"column {self.name!r} holds {n} dates or times, which are categories here, and only the {most} most "
            f"frequent ones are kept; {remedy}",
            stacklevel=2,
        )

    def unhashable(self, values: Sequence[Any]) -> ValueError:
        """The error for a value that cannot be a category."""
        value = next((v for v in values if not is_hashable(v)), None)
        remedy = "give text, numbers, True or False, None, or a tuple of those"
        kind = type(value).__name__
        return ValueError(f"column {self.name!r} holds {value!r} ({kind}), which cannot be a category; {remedy}")

    def encode(self, values: Values) -> NDArray[np.uint16]:
        """The codes of values, new categories taken in."""
        if self.kind == "numeric":
            codes = bin_codes(as_numbers(values, self.name), self.edges)
            missing = 0
        else:
            try:
                codes = self.lookup.encode(values)
            except TypeError:
                raise self.unhashable(list(values)) from None
            missing = self.lookup.get(None, -1)
        self.n_seen += len(codes)
        if missing >= 0:
            self.n_missing += int(np.count_nonzero(codes == missing))
        return codes

    def attribute(self) -> Attribute:
        """The column as it is now, frozen; the same object until something changes."""
        if self._attribute is None or len(self._attribute.categories) != self.arity:
            edges = tuple(self.edges.tolist()) if self.kind == "numeric" else ()
            categories = () if self.kind == "numeric" else self.lookup.categories
            self._attribute = Attribute(self.name, self.kind or "categorical", categories, edges, self.position)
        return self._attribute


def is_hashable(value: Any) -> bool:
    """Whether a value can be a category.

    >>> is_hashable((1, "a")), is_hashable([1])
    (True, False)
    """
    try:
        hash(value)
    except TypeError:
        return False
    return True
