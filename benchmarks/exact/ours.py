"""One cell with our search, in slices, so that it is known when each value was reached. Prints JSON.

`python -m benchmarks.exact.ours TABLE SPLIT_COST SECONDS POLICY`
"""

from __future__ import annotations

import json
import sys
import time

from benchmarks.memory import peak_mb
from tsdt import TSDTClassifier
from tsdt.datasets import Table, paper_table

FIRST_SLICE, LAST_SLICE, GROWTH = 0.001, 0.05, 1.3
"""Seconds between two looks at the certificate: short ones first, because much happens early."""


def solve(table: Table, split_cost: float, seconds: float, policy: str) -> dict[str, object]:
    """Fit until proven or until so many CPU seconds are spent; `history` has seconds, value, upper at each change."""
    model = TSDTClassifier(split_cost, policy=policy, time_limit=FIRST_SLICE, random_state=0)
    before, start = peak_mb(), time.process_time()
    model.fit(table.X, table.y)
    history: list[tuple[float, float, float]] = []
    size = FIRST_SLICE
    while True:
        spent, certificate = time.process_time() - start, model.certificate_
        if not history or (certificate.value, certificate.upper) != history[-1][1:]:
            history.append((spent, certificate.value, certificate.upper))
        if certificate.proven or spent >= seconds:
            break
        model.improve(min(size, seconds - spent))
        size = min(LAST_SLICE, size * GROWTH)
    return {
        "value": certificate.value,
        "upper": certificate.upper,
        "proven": certificate.proven,
        "seconds": spent,
        "megabytes": peak_mb() - before,
        "splits": model.tree_.n_splits,
        "visits": model.n_iter_,
        "looks": getattr(model._learner.engine, "looks", None),
        "history": history,
    }


def value_at(history: list[list[float]], seconds: float) -> float:
    """The value of the best tree known at a moment; before the first look, the value of that look."""
    return max((value for spent, value, _ in history if spent <= seconds), default=history[0][1])


def reached_at(history: list[list[float]], value: float) -> float | None:
    """When a value was first reached, to 1e-9; None where it never was."""
    return next((spent for spent, reached, _ in history if reached >= value - 1e-9), None)


if __name__ == "__main__":
    name, split_cost, seconds, policy = sys.argv[1:]
    print(json.dumps(solve(paper_table(name), float(split_cost), float(seconds), policy)))
