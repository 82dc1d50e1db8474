"""Learning from a whole table: how long the search goes on, and what ends it."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping

import numpy as np

from tsdt.engine import Codes, WindowSearch
from tsdt.learner import Learner
from tsdt.tables import Table

ITERATIONS = 1000
"""The iterations of the search over trees where `max_iter` is not given: the paper's M."""

SLICE = 0.05
"""Seconds between two looks at the clock, and for Ctrl-C."""

FIRST = 16
"""Visits until the first look at what was found; then twice as many, and so on, as time allows."""

ROUNDS = 3
"""Of search in `fit`, with finer bins each time; where no number is cut, there is only one."""


def check_not_empty(table: Table) -> None:
    """A table to learn has rows and columns."""
    if table.n_rows == 0 or table.n_columns == 0:
        what = "sample(s)" if table.n_rows == 0 else "feature(s)"
        raise ValueError(f"0 {what} (shape={(table.n_rows, table.n_columns)}) while a minimum of 1 is required.")


def refuse_others(method: str, given: Mapping[str, object]) -> None:
    """Refuse arguments that a method does not have: weights in words, as many have them; a weight of None is none.

    >>> refuse_others("fit", {"sample_weight": [1, 2]})
    Traceback (most recent call last):
        ...
    TypeError: fit got sample_weight, but there are no weights here, because a certificate counts rows; repeat the \
rows that weigh more, or leave it out
    """
    for name, value in given.items():
        if name != "sample_weight":
            raise TypeError(f"{method} got an unexpected keyword argument {name!r}")
        if value is not None:
            why = "there are no weights here, because a certificate counts rows"
            raise TypeError(f"{method} got sample_weight, but {why}; repeat the rows that weigh more, or leave it out")


def fit_table(learner: Learner, table: Table, y: object) -> None:
    """Learn a table: until proven optimal (branches only), or `max_iter`, or `time_limit`, or Ctrl-C."""
    start = time.monotonic()
    codes, classes = learner.load_table(table, y)
    parameters = learner.parameters
    seconds = np.inf if parameters.time_limit is None else parameters.time_limit
    try:
        if isinstance(learner.engine, WindowSearch):
            learner.load_window(codes, classes, seconds)
            search_and_refine(learner, start, seconds, parameters.max_iter)
        else:
            cycle(learner, codes, classes, start + seconds, parameters.max_iter or ITERATIONS)
    except KeyboardInterrupt:
        warnings.warn("interrupted: the best tree found so far is kept", RuntimeWarning, stacklevel=3)
    learner.changed()
    learner.note(last=True)


def search_and_refine(learner: Learner, start: float, seconds: float, visits: int | None) -> None:
    """Search over branches, in rounds: after each the bins beside the tree's cuts become finer.

    Once a tree is proven the best over its bins, a round with finer ones takes no longer than all before it.
    """
    proven = False
    for done in range(1, ROUNDS + 1):
        now = time.monotonic()
        deadline = min(start + seconds * done / ROUNDS, now + max(1.0, now - start) if proven else math.inf)
        part = None if visits is None else visits * done // ROUNDS - visits * (done - 1) // ROUNDS
        proven = search_on(learner, deadline, part)
        if done < ROUNDS and not learner.refine() and proven:
            return


def cycle(learner: Learner, codes: Codes, classes: Codes, deadline: float, iterations: int) -> None:
    """Search over trees: the rows of the table, over and over, as a stream of batches."""
    m, n, done, batches = learner.parameters.batch_size, len(codes), 0, 1
    while done < iterations:
        before = time.monotonic()
        batches = min(batches, iterations - done)
        rows = np.arange(done * m, (done + batches) * m) % n
        learner.engine.learn(codes[rows], classes[rows])
        done += batches
        learner.note()
        now = time.monotonic()
        if now >= deadline:
            return
        batches = max(1, int(batches * min(2.0, SLICE / max(now - before, 1e-6))))


def search_on(learner: Learner, deadline: float, visits: int | None) -> bool:
    """Search over branches, slice by slice; True when the tree is proven optimal."""
    engine = learner.engine
    if not isinstance(engine, WindowSearch):
        raise TypeError("the search over trees learns from samples alone; use search='branches' to go on without them")
    last, step = None if visits is None else engine.n_iter + visits, FIRST
    try:
        while True:
            part = step if last is None else min(step, last - engine.n_iter)
            if part <= 0:
                return engine.certificate()[2]
            if engine.search(part, max(0.0, min(SLICE, deadline - time.monotonic()))):
                return True
            if time.monotonic() >= deadline:
                return False
            learner.note()
            step = min(2 * step, 2**31)
    finally:
        learner.changed()
        learner.note(last=True)
