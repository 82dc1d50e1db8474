"""The codes of the last samples, for those who must count them anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tsdt.engine import Codes


class HeldCodes:
    """A ring of the last `capacity` samples: codes and classes.

    >>> held = HeldCodes(capacity=2)
    >>> _ = held.add(np.array([[1], [2]], dtype=np.uint16), np.array([0, 1], dtype=np.uint16))
    >>> left, _ = held.add(np.array([[3]], dtype=np.uint16), np.array([0], dtype=np.uint16))
    >>> left.tolist(), held.all(1)[0].tolist()
    ([[1]], [[2], [3]])
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._codes: Codes = np.empty((0, 0), dtype=np.uint16)
        self._classes: Codes = np.empty(0, dtype=np.uint16)
        self._start = self._stop = 0  # the samples held stand from start to stop

    @property
    def count(self) -> int:
        """How many samples are held."""
        return self._stop - self._start

    def load(self, codes: Codes, classes: Codes) -> None:
        """Start from a whole table, which is held even where it is larger."""
        self.capacity, self._start = max(self.capacity, len(codes)), self._stop
        self.add(codes, classes)

    def add(self, codes: Codes, classes: Codes) -> tuple[Codes, Codes]:
        """Take samples in; returns those that leave, the oldest first, to be read before others come."""
        self._make_room(len(codes), codes.shape[1])
        self._codes[self._stop : self._stop + len(codes)] = codes
        self._classes[self._stop : self._stop + len(codes)] = classes
        self._stop += len(codes)
        start, self._start = self._start, max(self._start, self._stop - self.capacity)
        if self.capacity == 0:  # no window: nothing is held, and nothing that was counted is forgotten
            return self._codes[:0], self._classes[:0]
        return self._codes[start : self._start], self._classes[start : self._start]

    def _make_room(self, n: int, width: int) -> None:
        """Move the samples to the front of arrays with room for as many again, so that moves are rare."""
        held = self._stop - self._start
        if self._stop + n > len(self._codes) or width > self._codes.shape[1]:
            codes = np.zeros((2 * (held + n), width), dtype=np.uint16)  # a new attribute was missing before: code 0
            codes[:held, : self._codes.shape[1]] = self._codes[self._start : self._stop]
            classes = np.zeros(len(codes), dtype=np.uint16)
            classes[:held] = self._classes[self._start : self._stop]
            self._codes, self._classes, self._start, self._stop = codes, classes, 0, held

    def all(self, width: int) -> tuple[Codes, Codes]:
        """All samples held, the oldest first, with `width` attributes."""
        self._make_room(0, width)
        return self._codes[self._start : self._stop], self._classes[self._start : self._stop]

    def recode(self, attributes: Sequence[int], codes: Codes) -> None:
        """New codes for the last samples in some attributes, new attributes among them."""
        self._make_room(0, max(attributes) + 1)
        n = min(len(codes), self._stop - self._start)
        self._codes[self._stop - n : self._stop, list(attributes)] = codes[len(codes) - n :]

    def __getstate__(self) -> dict[str, Any]:
        held = slice(self._start, self._stop)
        n = self._stop - self._start
        codes, classes = self._codes[held], self._classes[held]
        return {"capacity": self.capacity, "_codes": codes, "_classes": classes, "_start": 0, "_stop": n}
