"""What is seen while a run goes on: plain lines, JSON, or nothing. The live display has a file of its own."""

from __future__ import annotations

import json
import math
import sys
from typing import Any, Protocol

from tsdt.cli.output import can_redraw
from tsdt.cli.progress import Progress

FIRST_LINE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds until the first line of progress, and between lines at most; in between the pauses grow."""


class Display(Protocol):
    """Takes looks at a run, and messages. A look counts the tree anew: none is asked for sooner than after `pause`."""

    pause: float

    def show(self, progress: Progress) -> None:
        """The run as it is now."""

    def say(self, message: str) -> None:
        """Something worth knowing."""

    def warn(self, message: str) -> None:
        """Something that went wrong, and goes on."""

    def close(self) -> None:
        """The run is over."""


class Silent:
    """Only warnings, on standard error."""

    pause = math.inf

    def show(self, progress: Progress) -> None:
        """Nothing."""

    def say(self, message: str) -> None:
        """Nothing."""

    def warn(self, message: str) -> None:
        """One line."""
        print(f"tsdt: {message}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Nothing."""


class Lines(Silent):
    """One line of progress now and then, on standard error."""

    pause = 0.2

    def __init__(self) -> None:
        self._next = FIRST_LINE

    def show(self, progress: Progress) -> None:
        """A line, when it is time."""
        if progress.seconds >= self._next:
            self._next = progress.seconds + min(max(progress.seconds, 1.0), LONGEST_PAUSE)
            print(progress_line(progress), file=sys.stderr, flush=True)

    def say(self, message: str) -> None:
        """One line."""
        print(message, file=sys.stderr, flush=True)


class Json(Silent):
    """One object a line, on standard output."""

    pause = 0.2

    def __init__(self) -> None:
        self._next = FIRST_LINE

    def show(self, progress: Progress) -> None:
        """A look, once a second at most."""
        if progress.seconds >= self._next:
            self._next = progress.seconds + 1.0
            emit({"event": "progress", **progress.facts()})

    def say(self, message: str) -> None:
        """A message."""
        emit({"event": "message", "text": message})

    def warn(self, message: str) -> None:
        """A warning."""
        emit({"event": "warning", "text": message})


def emit(facts: dict[str, Any]) -> None:
    """One line of JSON."""
    print(json.dumps(facts, ensure_ascii=False, default=str), flush=True)


def progress_line(progress: Progress) -> str:
    """A look at a run in one line."""
    tree, certificate = progress.tree, progress.certificate
    gap = "proven optimal" if certificate.proven else f"gap {certificate.gap:.4f}"
    bad = f"  {progress.bad_rows:,} bad rows" if progress.bad_rows else ""
    rate = "" if progress.searching else f"  {progress.rate:,.0f}/s"
    return (
        f"{clock(progress.seconds):>6}  {progress.samples:,} samples{rate}  {tree.n_leaves} leaves  "
        f"value {certificate.value:.4f}  {gap}{bad}"
    )


def clock(seconds: float) -> str:
    """A time as people read it.

    >>> clock(7.4), clock(83), clock(3725)
    ('7 s', '1:23', '1:02:05')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def make_display(quiet: bool, as_json: bool, title: str) -> Display:
    """The display that fits the terminal and what was asked for."""
    if as_json:
        return Json()
    if quiet:
        return Silent()
    if can_redraw(sys.stderr):
        try:
            from tsdt.cli.live import Live
        except ImportError:
            return Lines()
        return Live(title)
    return Lines()
