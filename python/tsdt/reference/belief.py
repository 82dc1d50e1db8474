"""Belief: what counts say of values. Posteriors are Normal, given as (mean, variance)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Normal = tuple[float, float]

CAUTION = 3.0
"""How many standard deviations below its mean a value is taken for where it must not be overrated."""


def beta_normal(scored: int, hits: int) -> Normal:
    """The Normal with the first two moments of Beta(1 + hits, 1 + scored - hits): Eqs. (alpha) to (leaf-leaf-2)."""
    alpha, beta = 1.0 + hits, 1.0 + (scored - hits)
    total = alpha + beta
    return alpha / total, alpha * beta / (total * total * (1.0 + total))


Trial = Callable[[int, float], float]
"""How many samples count in a leaf of n samples and probability p, by how far its tree was put to the test. What leaves
learned in other trees counts for means, not for certainty."""


def full(n: int, p: float) -> float:
    """All that the leaf knows."""
    return math.inf


def never(n: int, p: float) -> float:
    """The tree was never simulated: it is known as a split of a leaf alone."""
    return math.sqrt(n)


def simulated(seen: float) -> Trial:
    """So many samples were simulated in the tree itself."""
    return lambda n, p: p * seen


def node_posterior(n: int, hits: int, tested: float = math.inf) -> Normal:
    """The posterior of a node's accuracy after n samples: the first one scores nothing (the sums start at i = 2).

    The variance is as wide as if no more than `tested` samples had scored.
    """
    scored = max(n - 1, 0)
    mean, variance = beta_normal(scored, hits)
    return mean, mean * (1.0 - mean) / (tested + 3.0) if tested < scored else variance


def cautious_mean(n: int, hits: int) -> float:
    """The mean less its doubt: by chance the best of many looks better than it is."""
    mean, variance = node_posterior(n, hits)
    return mean - CAUTION * math.sqrt(variance)


def widen(variance: float, gamma: float) -> float:
    """The exponent that keeps a variance from collapsing too soon (appendix on experiments)."""
    return variance**gamma


def clark(first: Normal, second: Normal) -> Normal:
    """Clark's Normal for the maximum of two: Eqs. (clark-mu), (clark-sigma), with the square root in sigma_m."""
    (m1, v1), (m2, v2) = first, second
    spread = math.sqrt(v1 + v2)
    if spread == 0.0:
        return max(m1, m2), 0.0
    a = (m1 - m2) / spread
    below, above = 0.5 * math.erfc(-a / math.sqrt(2.0)), 0.5 * math.erfc(a / math.sqrt(2.0))
    density = math.exp(-0.5 * a * a) / math.sqrt(2.0 * math.pi)
    mean = m1 * below + m2 * above + density * spread
    square = (m1 * m1 + v1) * below + (m2 * m2 + v2) * above + (m1 + m2) * spread * density
    return mean, max(square - mean * mean, 0.0)


def clark_maximum(values: Sequence[Normal]) -> Normal:
    """The nested maximum of Appendix C, folded from the last value to the first."""
    result = values[-1]
    for value in reversed(values[:-1]):
        result = clark(value, result)
    return result


def best_mean(values: Sequence[Normal]) -> Normal:
    """Fast-TSDT: the value with the highest mean, the first one on a tie, Eq. (theta-fast-tsdt)."""
    return max(values, key=lambda value: value[0])
