"""STreeD on one table, for the same objective as ours. Runs in the environment of pystreed and prints JSON.

`python -m benchmarks.peers.streed TABLE.npz SPLIT_COST SECONDS`
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from pystreed import STreeDClassifier

from benchmarks.memory import peak_mb

DEEPEST = 20
"""The greatest depth that STreeD accepts."""
MOST_PATIENCE = 4.0
"""How many times its limit STreeD may take by the wall clock on a busy machine."""


def fit(X: np.ndarray, y: np.ndarray, split_cost: float, limit: float) -> tuple[STreeDClassifier, float, float]:
    """A solver that has ended at a limit of the wall clock (it knows no other), with its CPU and wall seconds."""
    depth = min(DEEPEST, X.shape[1])
    solver = STreeDClassifier("cost-complex-accuracy", max_depth=depth, cost_complexity=split_cost, time_limit=limit)
    start = time.process_time(), time.monotonic()
    solver.fit(X, y)
    return solver, time.process_time() - start[0], time.monotonic() - start[1]


def solve(X: np.ndarray, y: np.ndarray, split_cost: float, seconds: float) -> dict[str, object]:
    """The tree that STreeD finds in about so many CPU seconds: where others took the machine, it has a second try."""
    before = peak_mb()
    solver, spent, passed = fit(X, y, split_cost, seconds)
    if not solver.fit_result.is_optimal() and spent < 0.8 * seconds:
        solver, spent, passed = fit(X, y, split_cost, seconds * min(passed / spent, MOST_PATIENCE))
    splits = int(solver.fit_result.tree_nodes())
    return {
        "value": float((solver.predict(X) == y).mean()) - split_cost * splits,
        "proven": bool(solver.fit_result.is_optimal()),
        "seconds": spent,
        "megabytes": peak_mb() - before,
        "splits": splits,
    }


if __name__ == "__main__":
    table = np.load(sys.argv[1])
    print(json.dumps(solve(table["X"], table["y"], float(sys.argv[2]), float(sys.argv[3]))))
