"""How value and bound moved while a model was learned: few moments, however long it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, overload

from tsdt.certificate import Certificate

MOST = 256
"""Moments that are kept; when there are as many, every other one goes."""

GROWTH = 1.1
"""Samples or visits from one moment to the next, at least: so that a long run adds few."""


class Moment(NamedTuple):
    """What was known after so many samples, visits of the search (n_iter) and seconds."""

    n_seen: int
    n_iter: int
    seconds: float
    value: float
    upper: float


class History(Sequence[Moment]):
    """Moments at geometric distances, and the last one.

    >>> history = History()
    >>> for n in range(100_000):
    ...     history.note(n, 0, lambda: Certificate(0.5, 1.0, False))
    >>> len(history)
    102
    """

    def __init__(self) -> None:
        self._moments: list[Moment] = []
        self._next = (0, 0)  # samples and visits at which to look again
        self._since, self._before = time.monotonic(), 0.0

    def note(self, n_seen: int, n_iter: int, certificate: Callable[[], Certificate], last: bool = False) -> None:
        """Keep this moment if it is time for one, or if it is the last one for now; else nothing is even asked."""
        if n_seen < self._next[0] and n_iter < self._next[1] and not last:
            return
        known = certificate()
        seconds = self._before + time.monotonic() - self._since
        if self._moments and self._moments[-1][:2] == (n_seen, n_iter):
            self._moments.pop()
        elif len(self._moments) >= MOST:
            del self._moments[1::2]
        self._moments.append(Moment(n_seen, n_iter, seconds, known.value, known.upper))
        self._next = (int(n_seen * GROWTH) + 1, int(n_iter * GROWTH) + 1)

    def __len__(self) -> int:
        return len(self._moments)

    @overload
    def __getitem__(self, index: int) -> Moment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Moment]: ...
    def __getitem__(self, index: int | slice) -> Moment | list[Moment]:
        return self._moments[index]

    def __iter__(self) -> Iterator[Moment]:
        return iter(self._moments)

    def __getstate__(self) -> dict[str, object]:
        seconds = self._moments[-1].seconds if self._moments else 0.0
        return {**self.__dict__, "_since": 0.0, "_before": seconds}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._since = time.monotonic()  # the clock of another process says nothing here
