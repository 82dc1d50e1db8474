"""Learning a table: all rows at once, then search until the tree is proven the best, the time is over, or a signal."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import Any

from tsdt.cli.learning import Learning
from tsdt.cli.noting import fingerprint, is_regular
from tsdt.fitting import fit_table
from tsdt.tables import as_table

SLICE = 0.2
"""Seconds to search between two looks."""


def learn_table(learning: Learning) -> None:
    """Read all rows, then search."""
    rows, labels = learning.rows.whole()
    learning.watch.samples, learning.watch.bad_rows = len(labels), learning.rows.rejects.n
    search_table(learning, rows, labels)


def search_table(learning: Learning, rows: Any, labels: Any, seconds: float | None = None) -> None:
    """Search for the tree of these rows, for so many seconds at most where they are given, else `time_limit`."""
    learning.as_table = True
    learning.stop.as_interrupt = True  # the search heeds it, and keeps what it has
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        _fit_watched(learning, rows, labels, seconds)
    learning.stop.as_interrupt = False


def _fit_watched(learning: Learning, rows: Any, labels: Any, seconds: float | None) -> None:
    """What `fit` does, shown while it goes on."""
    model, table = learning.model, as_table(rows)
    learner = model._new_learner()

    def look() -> None:
        learner.changed()
        learning.look(searching=True)

    model._learner, model._declared_classes, learner.watcher = learner, (), look
    own = learner.parameters
    if seconds is not None:
        learner.parameters = replace(own, time_limit=seconds)
    try:
        fit_table(learner, table, labels)
    finally:
        learner.parameters = own
        del learner.watcher


def is_same_table(learning: Learning) -> bool:
    """Whether the model was learned from this very file, as a table."""
    path, noted = learning.rows.path, learning.opened.notes.get("table")
    return noted is not None and is_regular(path) and fingerprint(path) == noted


def go_on_searching(learning: Learning) -> None:
    """The rows are known: only the search goes on."""
    learning.as_table = True
    limit = learning.model.time_limit
    deadline = time.monotonic() + (limit if limit is not None else float("inf"))
    samples = learning.history.samples_before
    learning.display.say(f"These {samples:,} rows are in the model already; the search for a better tree goes on.")
    while time.monotonic() < deadline and not learning.stop():
        if learning.model.improve(min(SLICE, deadline - time.monotonic())):
            return
        learning.look(searching=True)
