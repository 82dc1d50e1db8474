"""Saving what is learned: now and then, at the end, and again when it fails. Nothing learned is given up."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import Any

from tsdt.cli.display import Display
from tsdt.cli.exits import NOT_SAVED, CommandError

RETRY = 5.0
"""Seconds until a failed save is tried again, at most."""

LAST_TRIES = 3
"""How often the last save is tried before the model goes elsewhere."""


class Saver:
    """Keeps a model in a file. `every` is None where it is saved only at the end."""

    def __init__(self, path: str, every: float | None, display: Display) -> None:
        self.path, self.every, self.display = path, every, display
        self.n_failed = 0
        self._next = time.monotonic() + every if every is not None else float("inf")

    def due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() >= self._next

    def save(self, model: Any, notes: dict[str, Any]) -> bool:
        """Save in mid-stream; a failure is told and tried again soon."""
        pause = self.every if self.every is not None else RETRY
        try:
            model.save(self.path, notes)
        except OSError as error:
            self._next = time.monotonic() + min(pause, RETRY)
            if self.n_failed == 0:
                why = f"{self.path} cannot be saved: {_why(error)}"
                self.display.warn(f"{why}; learning goes on, and saving is tried again")
            self.n_failed += 1
            return False
        if self.n_failed:
            self.display.say(f"{self.path} is saved again, after {self.n_failed} failed attempts")
        self.n_failed = 0
        self._next = time.monotonic() + pause
        return True

    def save_last(self, model: Any, notes: dict[str, Any], wait: Callable[[float], None] = time.sleep) -> None:
        """Save at the end. Where that fails, the model goes to another folder, and the error says where it is."""
        for attempt in range(LAST_TRIES):
            if attempt:
                wait(1.0)
            if self.save(model, notes):
                return
        name = Path(self.path).name
        for folder in dict.fromkeys([os.getcwd(), tempfile.gettempdir()]):
            elsewhere = _unused(Path(folder) / f"{name}.rescued")
            try:
                model.save(elsewhere, notes)
            except OSError:
                continue
            raise CommandError(f"{self.path} cannot be saved; the model is in {elsewhere} instead", NOT_SAVED)
        raise CommandError(f"{self.path} cannot be saved, nor anywhere else; what was learned is lost", NOT_SAVED)


def _unused(path: Path) -> Path:
    """The path, or one like it where something is there already."""
    others = (path.with_name(f"{path.name}-{i}") for i in count(2))
    return next(name for name in chain([path], others) if not name.exists())


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
