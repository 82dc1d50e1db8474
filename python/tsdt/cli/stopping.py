"""Ctrl-C and SIGTERM: how a command ends when it is told to, from its first moment on."""

from __future__ import annotations

import os
import signal
from abc import ABC, abstractmethod
from types import FrameType
from typing import Any, Self

from tsdt.cli.exits import BY_CTRL_C, BY_SIGTERM, ENDED_BY

NAMES = {signal.SIGINT: BY_CTRL_C, signal.SIGTERM: BY_SIGTERM}


class Handling(ABC):
    """While in it, the signals go to `heed`; then to whom they went before."""

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in NAMES:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as in the background of a script
                self._before[number] = signal.signal(number, self.heed)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @abstractmethod
    def heed(self, number: int, frame: FrameType | None) -> None:
        """A signal has come."""


class Starting(Handling):
    """Every command: a signal ends it, at once while its parts are being loaded, which must not be disturbed."""

    loading = True

    def done(self) -> None:
        """All is loaded."""
        self.loading = False

    def heed(self, number: int, frame: FrameType | None) -> None:
        """End."""
        by = NAMES[signal.Signals(number)]
        if self.loading:
            os.write(2, f"tsdt: ended by {by} before anything was begun\n".encode())
            os._exit(ENDED_BY[by])
        raise KeyboardInterrupt(by)


class Stopping(Handling):
    """For what can end well: the signals set `asked`; with `as_interrupt`, and the second Ctrl-C, they interrupt."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = ""
        self.as_interrupt = False

    def __call__(self) -> bool:
        """Whether to stop."""
        return bool(self.asked)

    def check(self) -> None:
        """End here, where nothing has been done that could be kept."""
        if self.asked:
            raise KeyboardInterrupt(self.asked)

    def heed(self, number: int, frame: FrameType | None) -> None:
        """Note it."""
        again = bool(self.asked)
        self.asked = NAMES[signal.Signals(number)]
        if self.as_interrupt or (again and number == signal.SIGINT):
            self.as_interrupt = False
            raise KeyboardInterrupt(self.asked)
