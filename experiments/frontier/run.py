"""Figures 5, 7 and 8: accuracy against leaves, on training and on test rows, and time, over five folds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.exact.optima import SPLIT_COSTS
from experiments.experiment import Experiment, Size, Task, run_command
from experiments.frontier.learners import BINARY, LEARNERS
from experiments.frontier.tables import FOLDS, TABLES, fold
from experiments.results import Row

DEPTHS = range(1, 7)
LIMITS: dict[Size, float] = {"tiny": 0.2, "short": 5.0, "full": 600.0}
"""Seconds for a search that ends with a proof or at its limit."""


def tasks(size: Size) -> Iterator[Task]:
    """Every learner on every fold of every table."""
    tables, folds = (("tic-tac-toe",), 1) if size == "tiny" else (TABLES, FOLDS)
    for learner in ("branch search", "CART") if size == "tiny" else LEARNERS:
        for table in tables:
            for k in () if learner in BINARY and table == "MONK1-original" else range(folds):
                yield {"table": table, "learner": learner, "fold": k, "seed": k, "limit": LIMITS[size]}


def measure(task: Task) -> list[Row]:
    """One learner on one fold, at every price of a split or depth."""
    parameters = DEPTHS if task["learner"] == "DL8.5" else SPLIT_COSTS
    rows = LEARNERS[task["learner"]](fold(task["table"], task["fold"]), task, parameters)
    return [
        {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()} for row in rows
    ]


EXPERIMENT = Experiment(Path(__file__).parent, ("table", "learner", "fold", "limit"), tasks, measure, ("scikit-learn",))

if __name__ == "__main__":
    run_command(EXPERIMENT, __doc__)
