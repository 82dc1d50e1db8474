"""One cell with our search, in slices, so that it is known when each value was reached. Prints JSON.

`python -m benchmarks.exact.ours TABLE SPLIT_COST SECONDS POLICY`
"""

from __future__ import annotations

import json
import sys
import time
from typing import NamedTuple

from benchmarks.memory import forget_peak, peak_mb
from tsdt import TSDTClassifier
from tsdt.datasets import Table, paper_table

FIRST_SLICE, LAST_SLICE, GROWTH = 0.001, 0.05, 1.3
"""Seconds between two looks at the certificate: short ones first, because much happens early."""


class Moment(NamedTuple):
    """What was known when so much had been spent."""

    seconds: float
    visits: int
    looks: int
    value: float
    upper: float


def moment(model: TSDTClassifier, seconds: float) -> Moment:
    """What is known now."""
    looks = getattr(model._learner.engine, "looks", 0)
    return Moment(seconds, model.n_iter_, looks, model.certificate_.value, model.certificate_.upper)


def solve(table: Table, split_cost: float, seconds: float, policy: str) -> dict[str, object]:
    """Fit until proven or until so many CPU seconds are spent; `history` has the moments at which anything changed."""
    model = TSDTClassifier(split_cost, policy=policy, time_limit=FIRST_SLICE, random_state=0)
    before, start = forget_peak(), time.process_time()
    model.fit(table.X, table.y)
    history: list[Moment] = []
    size = FIRST_SLICE
    while True:
        now = moment(model, time.process_time() - start)
        if not history or (now.value, now.upper) != (history[-1].value, history[-1].upper):
            history.append(now)
        if model.certificate_.proven or now.seconds >= seconds:
            break
        model.improve(min(size, seconds - now.seconds))
        size = min(LAST_SLICE, size * GROWTH)
    found = {"proven": model.certificate_.proven, "splits": model.tree_.n_splits, "megabytes": peak_mb() - before}
    return {**now._asdict(), **found, "history": history}


def value_at(history: list[list[float]], seconds: float) -> float:
    """The value of the best tree known at a moment; before the first look, the value of that look."""
    moments = [Moment(*now) for now in history]
    return max((now.value for now in moments if now.seconds <= seconds), default=moments[0].value)


def reached(history: list[list[float]], value: float) -> Moment | None:
    """The moment when a value was first reached, to 1e-9; None where it never was."""
    moments = (Moment(*now) for now in history)
    return next((now for now in moments if now.value >= value - 1e-9), None)


if __name__ == "__main__":
    name, split_cost, seconds, policy = sys.argv[1:]
    print(json.dumps(solve(paper_table(name), float(split_cost), float(seconds), policy)))
