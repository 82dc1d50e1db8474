"""Draws for data sets: SplitMix64 over whole arrays, the same numbers on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(z: np.ndarray) -> np.ndarray:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@dataclass(frozen=True)
class Draws:
    """A sequence of random numbers in which number i is a function of the seed and i alone.

    The seed is mixed first, so that a learner with the same seed draws other numbers than its data do.

    >>> Draws(seed=7).below(6, 0, 5).tolist()
    [0, 4, 2, 5, 5]
    >>> Draws(seed=7).below(6, 3, 5).tolist()
    [5, 5]
    """

    seed: int

    @cached_property
    def state(self) -> int:
        """The state before the first number: `tsdt.reference.random.Random(state)` draws the same sequence."""
        return int(_mix(np.array([~self.seed & (2**64 - 1)], dtype=np.uint64))[0])

    def bits(self, start: int, stop: int) -> np.ndarray:
        """Sixty-four random bits for each position from `start` up to `stop`."""
        position = np.arange(start + 1, stop + 1, dtype=np.uint64)
        return _mix(np.uint64(self.state) + position * _GOLDEN)  # wraps around, as it must

    def uniform(self, start: int, stop: int) -> np.ndarray:
        """Numbers strictly between 0 and 1."""
        return ((self.bits(start, stop) >> np.uint64(11)) + 0.5) * 2.0**-53

    def below(self, n: int, start: int, stop: int) -> np.ndarray:
        """Whole numbers from 0 to n - 1."""
        return (self.uniform(start, stop) * n).astype(np.intp)

    def shuffled(self, n: int) -> np.ndarray:
        """The numbers from 0 to n - 1 in random order."""
        return np.argsort(self.bits(0, n), kind="stable")
