"""When numbers have moved for good reason: bins that have worn out, and categories that were numbers after all.

The numbers of the window are kept here and looked at now and then: after twice as many samples as the last time, and
once for each window when it is full.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tsdt.schema.column import Column, Values
from tsdt.schema.edges import Floats, bin_codes, quantile_edges
from tsdt.schema.held import HeldNumbers
from tsdt.schema.kinds import FEW
from tsdt.schema.missing import OTHER
from tsdt.schema.numbers import as_numbers
from tsdt.schema.schema import Schema

PROBATION = 10_000
"""Samples after which a column of few whole numbers stays a column of categories."""


class Revisions:
    """The numbers of the window, and which attributes need new codes."""

    def __init__(self, schema: Schema, window: int, batch_size: int) -> None:
        self.schema, self.batch_size = schema, batch_size
        self.window = -(-window // batch_size) * batch_size
        self.held = HeldNumbers(self.window)
        self.next = 2 * batch_size  # how many samples there are at the next checkpoint

    def left(self) -> int:
        """How many samples are left until the next checkpoint."""
        return self.next - self.held.count

    def load(self, columns: Sequence[Values], n: int) -> None:
        """Start from a whole table."""
        self.held = HeldNumbers(max(self.window, n))
        self.note(columns, n)
        self.next = self._after(n)

    def note(self, columns: Sequence[Values], n: int) -> None:
        """Keep the numbers of n samples, given by column."""
        for i in self.schema.active:
            if self.schema.columns[i].is_movable:
                self.held.track(i)
        numbers = {}
        for i in self.held.tracked:
            try:
                numbers[i] = as_numbers(columns[i], self.schema.columns[i].name)
            except ValueError:  # text among the whole numbers of a tentative column: categories they are
                self._settle(i)
        self.held.add(numbers, n)

    def _settle(self, i: int) -> None:
        self.schema.columns[i].tentative = False
        self.held.drop(i)

    def _after(self, count: int) -> int:
        step = min(count, self.window)
        return count + max(1, -(-step // self.batch_size)) * self.batch_size  # whole batches

    def revise(self, used: Mapping[int, Collection[float]], n: int) -> list[int]:
        """At a checkpoint: give attributes new edges where they need them, and say which attributes changed.

        `used` are the tree's thresholds by attribute.
        """
        changed = []
        for k, i in enumerate(self.schema.active):
            column = self.schema.columns[i]
            if i in self.held.tracked and self._revise(column, self.held.last(i, n), used.get(k, ())):
                changed.append(k)
        self.next = self._after(self.held.count)
        return changed

    def _revise(self, column: Column, numbers: Floats, used: Collection[float]) -> bool:
        numbers, bins = numbers[~np.isnan(numbers)], self.schema.bins
        if column.kind == "numeric":
            if not needs_new_edges(column, numbers, bins):
                return False
            column.cut_at(new_edges(numbers, bins, used))
            return True
        if has_outgrown_categories(column):
            column.become_numeric(quantile_edges(numbers, bins))
            return True
        if self.held.count >= PROBATION:
            self._settle(column.position)
        return False

    def codes(self, attributes: Sequence[int], n: int) -> NDArray[np.uint16]:
        """The new codes of the last n samples in some attributes, the oldest sample first."""
        codes = np.empty((n, len(attributes)), dtype=np.uint16)
        for k, attribute in enumerate(attributes):
            i = self.schema.active[attribute]
            codes[:, k] = bin_codes(self.held.last(i, n), self.schema.columns[i].edges)
        return codes


def needs_new_edges(column: Column, numbers: Floats, bins: int) -> bool:
    """Whether a bin that could be divided holds more than twice its due of the numbers."""
    codes = bin_codes(numbers, column.edges)
    heavy = np.flatnonzero(np.bincount(codes, minlength=1) > 2.0 * len(numbers) / bins)
    return any(len(np.unique(numbers[codes == code])) > 1 for code in heavy)


def new_edges(numbers: Floats, bins: int, used: Collection[float]) -> Floats:
    """Edges at the quantiles of today, the ones that the tree uses kept in place of their nearest neighbours.

    >>> new_edges(np.arange(100.0), bins=4, used=[30.5]).tolist()
    [30.5, 49.5, 74.5]
    """
    edges = quantile_edges(numbers, bins)
    for kept in sorted(used):
        if len(edges) and kept not in edges:
            edges[np.abs(edges - kept).argmin()] = kept
    return np.unique(edges)


def has_outgrown_categories(column: Column) -> bool:
    """Whether a column of few whole numbers has turned out to hold many numbers."""
    numbers = [category for category in column.lookup if category is not None]
    many = len(numbers) > FEW or OTHER in column.lookup
    return many or any(not float(number).is_integer() for number in numbers if isinstance(number, (int, float)))
