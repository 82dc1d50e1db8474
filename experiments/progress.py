"""How far a run is: one line that is written anew on a terminal, and now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
QUIET = 30.0
"""Seconds between two lines where they cannot be written over."""


def clock(seconds: float) -> str:
    """Minutes and seconds.

    >>> clock(83.4)
    '1:23'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def followed(tasks: Sequence[T], name: str, done: int = 0) -> Iterator[T]:
    """The tasks in turn, saying how many are done, `done` of them before, and how long the others may take."""
    total, start, said = done + len(tasks), time.monotonic(), 0.0
    terminal = sys.stderr.isatty()
    for i, task in enumerate(tasks):
        passed = time.monotonic() - start
        if terminal or i == 0 or passed - said >= QUIET:
            left = f", about {clock(passed / i * (len(tasks) - i))} left" if i else ""
            line = f"{name}: {done + i} of {total} done, {clock(passed)} passed{left}"
            print(f"\r\033[K{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)
            said = passed
        yield task
    line = f"{name}: all {total} done in {clock(time.monotonic() - start)}"
    print(f"\r\033[K{line}" if terminal else line, file=sys.stderr, flush=True)
