"""What a handful of runs says of all runs: intervals for shares, and quartiles as the paper draws them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

LEVEL = 1.959963984540054
"""Standard deviations of the Normal that leave out one case in twenty."""


def wilson(hits: int, n: int, z: float = LEVEL) -> tuple[float, float]:
    """Wilson's interval for a share: what it may truly be, at 95%, where `hits` of `n` runs had it.

    >>> tuple(round(end, 3) for end in wilson(20, 20))
    (0.839, 1.0)
    """
    if n == 0:
        return 0.0, 1.0
    share, square = hits / n, z * z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == n else middle + half)


class Quartiles(NamedTuple):
    """The first quartile, the median and the third."""

    low: float
    median: float
    high: float


def quartiles(values: Sequence[float]) -> Quartiles:
    """The quartiles of some values, interpolated as NumPy does.

    >>> quartiles([4.0, 1.0, 3.0, 2.0])
    Quartiles(low=1.75, median=2.5, high=3.25)
    """
    if len(values) == 1:
        return Quartiles(values[0], values[0], values[0])
    return Quartiles(*statistics.quantiles(values, n=4, method="inclusive"))


def standard_error(values: Sequence[float]) -> float:
    """By how much the mean of these values may be off; nothing is known from one."""
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
