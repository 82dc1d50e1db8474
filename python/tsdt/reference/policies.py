"""Policies: which of several actions to try next. Each sees what is believed of the actions and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tsdt.reference.belief import Normal
from tsdt.reference.random import Random, natural_log

Policy = Callable[[Sequence[Normal], int, Random], int]
"""Chooses a position among Normal posteriors, given how often the choice was made before and the generator."""

EPSILON = 0.1


def _argmax(values: Sequence[float]) -> int:
    return max(range(len(values)), key=values.__getitem__)


def thompson(posteriors: Sequence[Normal], visits: int, random: Random) -> int:
    """Draw a value from each posterior, take the highest."""
    return _argmax([mean + math.sqrt(variance) * random.normal() for mean, variance in posteriors])


def ucb(posteriors: Sequence[Normal], visits: int, random: Random) -> int:
    """The highest upper confidence value: the mean plus sqrt(2 ln t) standard deviations."""
    width = math.sqrt(2.0 * natural_log(1.0 + visits))
    return _argmax([mean + width * math.sqrt(variance) for mean, variance in posteriors])


def epsilon_greedy(posteriors: Sequence[Normal], visits: int, random: Random) -> int:
    """The highest mean, but one time in ten any action."""
    if random.uniform() < EPSILON:
        return random.below(len(posteriors))
    return _argmax([mean for mean, _ in posteriors])


POLICIES: dict[str, Policy] = {"thompson": thompson, "ucb": ucb, "epsilon-greedy": epsilon_greedy}
