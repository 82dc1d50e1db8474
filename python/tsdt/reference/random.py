"""Draws: one small generator that gives the same numbers in both engines and on every machine.

Only additions, multiplications, divisions and square roots of IEEE doubles are used, so nothing depends on a C library.
"""

from __future__ import annotations

import math

_MASK = (1 << 64) - 1

# Wichura (1988), Algorithm AS 241, PPND16: numerator and denominator, highest power first; the centre and two tails.
_CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
_TAIL = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258,
     3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
     0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1.0),
)  # fmt: skip
_FAR_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093,
     0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
     0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1.0),
)  # fmt: skip


def _ratio(polynomials: tuple[tuple[float, ...], tuple[float, ...]], x: float) -> float:
    numerator, denominator = 0.0, 0.0
    for a, b in zip(*polynomials, strict=True):
        numerator = numerator * x + a
        denominator = denominator * x + b
    return numerator / denominator


def natural_log(x: float) -> float:
    """The logarithm of a positive number, from its exponent and an odd series in (m - 1) / (m + 1)."""
    m, e = math.frexp(x)  # x = m * 2**e, m in [0.5, 1)
    if m < 0.7071067811865476:
        m, e = m * 2.0, e - 1
    s = (m - 1.0) / (m + 1.0)
    square, total = s * s, 0.0
    for odd in (21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1):
        total = total * square + 1.0 / odd
    return e * 0.6931471805599453 + 2.0 * s * total


def normal_quantile(p: float) -> float:
    """The value below which a standard Normal falls with probability p (AS 241)."""
    q = p - 0.5
    if -0.425 <= q <= 0.425:
        return q * _ratio(_CENTRE, 0.180625 - q * q)
    r = math.sqrt(-natural_log(p if q < 0.0 else 1.0 - p))
    x = _ratio(_TAIL, r - 1.6) if r <= 5.0 else _ratio(_FAR_TAIL, r - 5.0)
    return -x if q < 0.0 else x


class Random:
    """SplitMix64: 64 bits of state, any seed is a good seed."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def bits(self) -> int:
        """Sixty-four random bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        """A number strictly between 0 and 1."""
        return ((self.bits() >> 12) + 0.5) * 2.0**-52  # exact; one bit more would round up to 1

    def normal(self) -> float:
        """A draw from the standard Normal."""
        return normal_quantile(self.uniform())

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self.uniform() * n)
