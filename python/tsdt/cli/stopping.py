"""Ctrl-C and SIGTERM: the first asks to end well, the second Ctrl-C ends at once."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any, Self


class Stopping:
    """While in it, the signals set `asked`; `as_interrupt` makes them KeyboardInterrupt, for a search that heeds it."""

    def __init__(self) -> None:
        self.asked = ""
        self.as_interrupt = False
        self._before: dict[int, Any] = {}

    def __call__(self) -> bool:
        """Whether to stop."""
        return bool(self.asked)

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        again = bool(self.asked)
        self.asked = "Ctrl-C" if number == signal.SIGINT else "SIGTERM"
        if self.as_interrupt or (again and number == signal.SIGINT):
            self.as_interrupt = False
            raise KeyboardInterrupt
