"""When numbers have moved for good reason: bins that have worn out, and categories that were numbers after all.

The numbers of the window are kept here and looked at now and then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tsdt.checkpoints import Checkpoints
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
        self.schema = schema
        self.held = HeldNumbers(window)
        self.checkpoints = Checkpoints(batch_size, window, first=2 * batch_size)

    def load(self, columns: Sequence[Values], n: int) -> None:
        """Start from a whole table."""
        self.held = HeldNumbers(max(self.held.capacity, n))
        self.note(columns, n)
        self.checkpoints.start_at(n)

    def note(self, columns: Sequence[Values], n: int) -> None:
        """Keep the numbers of n samples, given by column."""
        for column in self.schema.active:
            if column.is_movable:
                self.held.track(column.position)
        numbers = {}
        for i in self.held.tracked:
            try:
                numbers[i] = as_numbers(columns[i], self.schema.columns[i].name)
            except ValueError:  # text among the whole numbers of a tentative column: categories they are
                self._settle(i)
        self.held.add(numbers, n)
        self.checkpoints.count += n

    def _settle(self, i: int) -> None:
        self.schema.columns[i].tentative = False
        self.held.drop(i)

    def revise(self, used: Mapping[int, Collection[float]], n: int) -> list[int]:
        """At a checkpoint: give attributes new edges where they need them, and say which attributes changed.

        `used` are the tree's thresholds by attribute.
        """
        changed, bins = list[int](), self.schema.bins
        for k, column in enumerate(self.schema.active[:]):
            if not column.is_movable:
                continue
            numbers = self.held.last(column.position, n)
            numbers = numbers[~np.isnan(numbers)]
            if column.tentative:
                changed += self._try_as_numbers(column, numbers)
            elif needs_new_edges(column, numbers, bins):
                column.cut_at(new_edges(numbers, bins, used.get(k, ())))
                changed.append(k)
        self.checkpoints.advance()
        return changed

    def _try_as_numbers(self, column: Column, numbers: Floats) -> list[int]:
        if has_outgrown_categories(column):
            return [self.schema.add_numbers(column, quantile_edges(numbers, self.schema.bins))]
        if self.held.count >= PROBATION:
            self._settle(column.position)
        return []

    def codes(self, attributes: Sequence[int], n: int) -> NDArray[np.uint16]:
        """The new codes of the last n samples in some attributes, the oldest sample first."""
        codes = np.empty((n, len(attributes)), dtype=np.uint16)
        for k, attribute in enumerate(attributes):
            column = self.schema.active[attribute]
            codes[:, k] = bin_codes(self.held.last(column.position, n), column.edges)
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
