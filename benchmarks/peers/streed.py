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


def solve(X: np.ndarray, y: np.ndarray, split_cost: float, seconds: float) -> dict[str, object]:
    """The tree that STreeD finds within a time limit (of the wall clock: it has no other)."""
    solver = STreeDClassifier(
        "cost-complex-accuracy",
        max_depth=min(DEEPEST, X.shape[1]),
        cost_complexity=split_cost,
        time_limit=seconds,
    )
    before, start = peak_mb(), time.process_time()
    solver.fit(X, y)
    spent = time.process_time() - start
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
