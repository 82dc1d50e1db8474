"""One XNOR run at q = 100 with the learner alone, without the estimator and scikit-learn. Prints its megabytes.

`python -m benchmarks.bare`
"""

from __future__ import annotations

from typing import Any

from benchmarks.memory import peak_mb

BEFORE = peak_mb()

from tsdt.datasets import xnor  # noqa: E402
from tsdt.learner import Learner  # noqa: E402
from tsdt.parameters import Parameters  # noqa: E402
from tsdt.tables import as_table  # noqa: E402


def main() -> None:
    """Learn 400 batches of 100 samples, as they come."""
    search: dict[str, Any] = {
        "search": "trees",
        "backup": "fast",
        "policy": "thompson",
        "batch_size": 100,
        "gamma": 0.75,
    }
    limits: dict[str, Any] = {
        "max_iter": None,
        "time_limit": None,
        "min_samples": 2,
        "effort": 200.0,
        "max_memory": 10**9,
    }
    table: dict[str, Any] = {
        "window": 0,
        "bins": 16,
        "max_categories": 50,
        "schema": None,
        "leaf_prediction": "majority",
    }
    learner = Learner(Parameters(split_cost=0.05, auto_price=False, **search, **limits, **table), seed=0)
    for start in range(0, 40_000, 1000):
        X, y = xnor(100, seed=0).rows(start, start + 1000)
        learner.learn_table(as_table(X), y)
    if learner.tree().n_splits != 3:
        raise AssertionError(f"{learner.tree().n_splits} splits instead of 3")
    print(peak_mb() - BEFORE)


if __name__ == "__main__":
    main()
