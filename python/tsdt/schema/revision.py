"""When numbers have moved for good reason: bins that have worn out, and categories that were numbers after all.

The numbers of the window are kept here and looked at now and then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tsdt.checkpoints import Checkpoints
from tsdt.schema.column import Column, Values
from tsdt.schema.edges import FineBins, Floats, bin_codes, quantile_edges, shortest_between
from tsdt.schema.held import HeldNumbers
from tsdt.schema.kinds import FEW
from tsdt.schema.missing import OTHER
from tsdt.schema.numbers import as_numbers
from tsdt.schema.schema import Schema

FINEST = 64
"""Samples: smaller gaps beside a cut are not divided in a stream."""

FINE = 1024
"""Bins in which a greedy tree looks for its cuts."""

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

    def revise(self, used: Mapping[int, Collection[float]], n: int, exact: bool = False) -> list[int]:
        """At a checkpoint: give attributes new edges where they need them, and say which attributes changed.

        `used` are the tree's thresholds by attribute. Exact: bins beside them are divided down to single samples.
        """
        changed, bins = list[int](), self.schema.bins
        for k, column in enumerate(self.schema.active[:]):
            if not column.is_movable:
                continue
            numbers = self.held.last(column.position, n)
            numbers = numbers[~np.isnan(numbers)]
            if column.tentative:
                changed += self._try_as_numbers(column, numbers)
                continue
            heaviest = 1.0 if exact else max(FINEST, 0.5 * len(numbers) / bins)
            if needs_new_edges(column, numbers, bins, used.get(k, ()), heaviest):
                column.cut_at(new_edges(numbers, bins, used.get(k, ()), heaviest / 4))
                changed.append(k)
        self.checkpoints.advance(same=not changed)
        return changed

    def _try_as_numbers(self, column: Column, numbers: Floats) -> list[int]:
        if has_outgrown_categories(column):
            return [self.schema.add_numbers(column, quantile_edges(numbers, self.schema.bins))]
        if self.held.count >= PROBATION:
            self._settle(column.position)
        return []

    def fine_bins(self, n: int) -> dict[int, FineBins]:
        """The last n numbers of each attribute that could have other bins, in fine ones."""
        movable = [(k, c.position) for k, c in enumerate(self.schema.active) if c.is_movable and not c.tentative]
        return {k: FineBins.of(self.held.last(position, n), FINE) for k, position in movable}

    def codes(self, attributes: Sequence[int], n: int) -> NDArray[np.uint16]:
        """The new codes of the last n samples in some attributes, the oldest sample first."""
        codes = np.empty((n, len(attributes)), dtype=np.uint16)
        for k, attribute in enumerate(attributes):
            column = self.schema.active[attribute]
            codes[:, k] = bin_codes(self.held.last(column.position, n), column.edges)
        return codes


def needs_new_edges(
    column: Column, numbers: Floats, bins: int, used: Collection[float] = (), heaviest: float = FINEST
) -> bool:
    """Whether a bin that could be divided holds more than twice its due, or than `heaviest` beside a cut in use."""
    if not np.isin(list(used), column.edges).all():
        return True
    codes = bin_codes(numbers, column.edges)
    limits = np.full(len(column.edges) + 2, 2.0 * len(numbers) / bins)
    for place in np.flatnonzero(np.isin(column.edges, list(used))):
        limits[place + 1 : place + 3] = heaviest
    heavy = np.flatnonzero(np.bincount(codes, minlength=len(limits)) > limits)
    return any(len(np.unique(numbers[codes == code])) > 1 for code in heavy)


def new_edges(numbers: Floats, bins: int, used: Collection[float], finest: float = FINEST) -> Floats:
    """Edges at the quantiles of today, those that the tree uses, and ever finer ones on both sides of these.

    >>> new_edges(np.arange(400.0), bins=4, used=[130.5], finest=10).tolist()
    [99.5, 115.5, 122.5, 130.5, 139.5, 147.5, 165.5, 199.5, 299.5]
    """
    ordered, edges = np.sort(numbers), quantile_edges(numbers, bins)
    places = np.searchsorted(ordered, np.unique([*edges, *used]), side="right")
    places = np.unique(np.concatenate([[0], places, [len(ordered)]]))
    finer = list[float]()
    for here in np.searchsorted(ordered, sorted(used), side="right").tolist():
        k = int(np.searchsorted(places, here))
        for end in (places[max(k - 1, 0)], places[min(k + 1, len(places) - 1)]):
            gap = (int(end) - here) / 2
            while abs(gap) >= max(1.0, finest / 2):
                finer.append(_edge_at(ordered, round(here + gap)))
                gap /= 2
    return np.unique([*edges, *used, *finer])


def _edge_at(ordered: Floats, place: int) -> float:
    """A number that has about so many of the others below it."""
    low = float(ordered[max(place - 1, 0)])
    after = int(np.searchsorted(ordered, low, side="right"))
    return shortest_between(low, float(ordered[after])) if after < len(ordered) else low


def has_outgrown_categories(column: Column) -> bool:
    """Whether a column of few whole numbers has turned out to hold many numbers."""
    numbers = [category for category in column.lookup if category is not None]
    many = len(numbers) > FEW or OTHER in column.lookup
    return many or any(not float(number).is_integer() for number in numbers if isinstance(number, (int, float)))
