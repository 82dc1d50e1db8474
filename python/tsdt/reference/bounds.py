"""Bounds: how little a box can lose, by its counts alone. A loss is a whole number: errors and splits at prices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Prices:
    """What an error and a split weigh in whole numbers, so that equal means equal: split_cost = split / (error * N)."""

    def __init__(self, split_cost: float, capacity: int) -> None:
        self.error = 1
        room = (2**63 - 1) // 8 // (capacity or 2**32)
        while round_half_up(split_cost * self.error) / self.error != split_cost:
            if self.error >= 10**12 or self.error > room // 10:
                break
            self.error *= 10
        self.split_per_sample = round_half_up(split_cost * self.error)
        self.split = 0

    def of_window(self, n: int) -> None:
        """Set the price of a split for a window of n samples."""
        self.split = self.split_per_sample * n


def round_half_up(x: float) -> int:
    """The nearest whole number of a number that is not negative."""
    return int(x + 0.5) if x < 2**52 else int(x)


class Cost(NamedTuple):
    """A tree by what it costs."""

    errors: int
    splits: int

    def loss(self, prices: Prices) -> int:
        """The loss of the tree."""
        return self.errors * prices.error + self.splits * prices.split


class Birth(NamedTuple):
    """What the counts of a box say before anything else: samples, errors of the majority, bounds of its loss."""

    n: int
    errors: int
    separable: int  # samples that some tree gets right: all but the twins
    low: int
    high: int


def birth(counts: Sequence[int], fan_out: int, min_samples: int, prices: Prices) -> Birth:
    """Bounds of a box from its class counts and twins (last). `fan_out` is the most children that a split can have.

    Staying a leaf loses the errors. Splitting s times costs s prices and leaves at most 1 + s (fan_out - 1) leaves,
    which get at most as many of the largest classes right, and never the twins.
    """
    *classes, twins = counts
    n = sum(classes)
    errors = n - max(classes, default=0)
    high = errors * prices.error
    low = high
    if n >= max(min_samples, 2) and errors > twins:
        largest = sorted((c for c in classes if c), reverse=True)
        splits = 1
        while True:
            leaves = 1 + splits * (fan_out - 1)
            wrong = max(n - sum(largest[:leaves]), twins)
            low = min(low, splits * prices.split + wrong * prices.error)
            if leaves >= len(largest):
                break
            splits += 1
    return Birth(n, errors, n - twins, low, high)
