"""The raw numbers of the samples that the window holds, so that they can be cut into new bins."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tsdt.schema.edges import Floats


class HeldNumbers:
    """A ring of the last `capacity` samples, one array per column that is tracked.

    >>> held = HeldNumbers(capacity=3)
    >>> held.track(0)
    >>> held.add({0: np.array([1.0, 2.0])}, 2)
    >>> held.add({0: np.array([3.0, 4.0])}, 2)
    >>> held.last(0, 3).tolist()
    [2.0, 3.0, 4.0]
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.count = 0  # samples so far
        self._size = 0  # places in each ring; it grows up to the capacity
        self._rings: dict[int, Floats] = {}

    @property
    def tracked(self) -> tuple[int, ...]:
        """The columns that are tracked."""
        return tuple(self._rings)

    def track(self, column: int) -> None:
        """Keep the numbers of a column from now on; before, they are missing."""
        if column not in self._rings:
            self._rings[column] = np.full(self._size, np.nan)

    def drop(self, column: int) -> None:
        """Keep the numbers of a column no longer."""
        self._rings.pop(column, None)

    def add(self, numbers: Mapping[int, Floats], n: int) -> None:
        """Take in n samples, given by column."""
        self._make_room(self.count + n)
        kept = min(n, self.capacity)
        for ring_part, part in self._parts(self.count + n - kept, kept):
            for column, ring in self._rings.items():
                ring[ring_part] = numbers[column][n - kept :][part]
        self.count += n

    def _make_room(self, n: int) -> None:
        size = min(self.capacity, max(n, 2 * self._size))
        if n > self._size and size > self._size:  # not full yet, so the samples stand in their order
            for column, ring in self._rings.items():
                self._rings[column] = np.concatenate([ring, np.full(size - self._size, np.nan)])
            self._size = size

    def last(self, column: int, n: int) -> Floats:
        """The numbers of the last n samples, the oldest first."""
        ring = self._rings[column]
        return np.concatenate([ring[:0], *(ring[places] for places, _ in self._parts(self.count - n, n))])

    def _parts(self, start: int, n: int) -> list[tuple[slice, slice]]:
        """Where n samples from one on stand in a ring, and which of them: one piece, or two where it ends between."""
        if n == 0:
            return []
        place = start % self._size
        before = min(n, self._size - place)
        parts = [(slice(place, place + before), slice(0, before)), (slice(0, n - before), slice(before, n))]
        return parts[: 1 if before == n else 2]
