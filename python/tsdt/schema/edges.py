"""Edges between the bins of a numeric attribute: at quantiles, and at numbers that a person would write."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsdt.engine import choose_engine

Floats = NDArray[np.float64]


def shortest_between(low: float, high: float) -> float:
    """The shortest decimal strictly between two numbers, the one nearest to the middle; `low` where there is none.

    >>> shortest_between(37, 38), shortest_between(1203.7, 1877.2), shortest_between(-3, 8)
    (37.5, 1500.0, 0.0)
    """
    width = high - low
    if not math.isfinite(width):
        return low if math.isfinite(low) else math.nextafter(high, -math.inf)
    middle = low + width / 2
    power = min(308, math.floor(math.log10(width)) + 1)
    while power > -308:
        nearest = round(middle / 10.0**power)
        candidates = [float(f"{m}e{power}") for m in (nearest - 1, nearest, nearest + 1)]
        inside = [c for c in candidates if low < c < high]
        if inside:
            return min(inside, key=lambda c: abs(c - middle))
        power -= 1
    return low


def quantile_cuts(counts: NDArray[np.intp], bins: int) -> list[int]:
    """After which distinct values to cut, so that the bins hold about the same number of samples.

    A value that fills a bin alone gets it, and the others share what is left.

    >>> quantile_cuts(np.array([1, 1, 1, 1]), 2), quantile_cuts(np.array([90, 1, 1, 1, 1]), 3)
    ([1], [0, 2])
    """
    if len(counts) <= bins:
        return list(range(len(counts) - 1))
    upto = np.concatenate([[0], np.cumsum(counts)])  # upto[i]: samples of the first i distinct values
    cuts, start = list[int](), 0
    for left in range(bins, 1, -1):
        target = upto[start] + (upto[-1] - upto[start]) / left
        stop = int(np.searchsorted(upto, target, side="left"))
        if stop > start + 1 and target - upto[stop - 1] < upto[stop] - target:
            stop -= 1
        stop = max(start + 1, stop)
        if stop >= len(counts):
            break
        cuts.append(stop - 1)
        start = stop
    return cuts


def quantile_edges(numbers: Floats, bins: int) -> Floats:
    """The edges of at most `bins` bins for numbers without NaN.

    >>> quantile_edges(np.array([1.0, 2.0, 3.0, 4.0]), bins=2)
    array([2.5])
    """
    distinct, counts = np.unique(numbers, return_counts=True)
    cuts = quantile_cuts(counts, bins)
    return np.array([shortest_between(float(distinct[i]), float(distinct[i + 1])) for i in cuts], dtype=np.float64)


class FineBins(NamedTuple):
    """Bins as fine as there are numbers, or nearly: their codes, and the numbers on both sides of each cut.

    >>> fine = FineBins.of(np.array([3.0, 1.0, np.nan, 8.0]), most=10)
    >>> fine.codes.tolist(), fine.threshold(2)
    ([2, 1, 0, 3], 5.0)
    """

    codes: NDArray[np.uint16]
    below: Floats
    above: Floats

    @classmethod
    def of(cls, numbers: Floats, most: int) -> FineBins:
        """At most so many bins."""
        distinct, counts = np.unique(numbers[~np.isnan(numbers)], return_counts=True)
        cuts = np.array(quantile_cuts(counts, most), dtype=np.intp)
        return cls(bin_codes(numbers, distinct[cuts]), distinct[cuts], distinct[cuts + 1])

    @property
    def arity(self) -> int:
        """The number of codes, that of missing numbers included."""
        return len(self.below) + 2

    def threshold(self, cut: int) -> float:
        """The shortest number after the bin of this code."""
        return shortest_between(float(self.below[cut - 1]), float(self.above[cut - 1]))


def bin_codes(numbers: Floats, edges: Floats) -> NDArray[np.uint16]:
    """The bin of each number, counted from 1; 0 for NaN.

    >>> bin_codes(np.array([0.5, np.nan, 2.5, 1.0]), np.array([1.0, 2.0])).tolist()
    [1, 0, 3, 1]
    """
    codes: NDArray[np.uint16] = choose_engine().bin_codes(numbers, edges)
    return codes
