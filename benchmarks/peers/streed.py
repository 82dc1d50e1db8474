"""STreeD, for the same objective as ours. Runs in the environment of pystreed."""

from __future__ import annotations

import numpy as np
from pystreed import STreeDClassifier

from benchmarks.peers.task import Answer, Stopwatch, ask

DEEPEST = 20
"""The greatest depth that STreeD accepts."""
PATIENCE = 4.0
"""How many times its limit it may take by the wall clock on a busy machine."""


def fit(X: np.ndarray, y: np.ndarray, split_cost: float, limit: float) -> tuple[STreeDClassifier, Stopwatch]:
    """A solver that has ended at a limit of the wall clock: it knows no other."""
    depth = min(DEEPEST, X.shape[1])
    watch = Stopwatch()
    solver = STreeDClassifier("cost-complex-accuracy", max_depth=depth, cost_complexity=split_cost, time_limit=limit)
    return solver.fit(X, y), watch


def learn(X: np.ndarray, y: np.ndarray, split_cost: float, seconds: float) -> Answer:
    """The tree that it finds in about so many CPU seconds: where others took the machine, it has a second try."""
    solver, watch = fit(X, y, split_cost, seconds)
    spent, passed = watch.cpu, watch.wall
    if not solver.fit_result.is_optimal() and spent < 0.8 * seconds:
        solver, watch = fit(X, y, split_cost, seconds * min(passed / spent, PATIENCE))
        spent = watch.cpu
    return Answer(solver.predict, int(solver.fit_result.tree_nodes()), bool(solver.fit_result.is_optimal()), spent)


if __name__ == "__main__":
    ask(learn)
