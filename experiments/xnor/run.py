"""Figure 4: on the XNOR stream, who ends with the tree that asks for X1 and X2 alone, and in what time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from river.tree import ExtremelyFastDecisionTreeClassifier, HoeffdingTreeClassifier

from benchmarks.streams.convergence import BATCH, is_perfect
from experiments.experiment import Experiment, Size, Task, run_command
from experiments.results import Row
from tsdt import TSDTClassifier
from tsdt.datasets import xnor

SPLIT_COST, ITERATIONS, RUNS = 0.05, 400, 20
QS = (5, 10, 20, 50, 100)
RIVER = {"VFDT": HoeffdingTreeClassifier, "EFDT": ExtremelyFastDecisionTreeClassifier}
OURS: dict[str, dict[str, str]] = {
    "TSDT": {"search": "trees", "backup": "clark"},
    "Fast-TSDT": {"search": "trees", "backup": "fast"},
    "branch search": {"search": "branches"},
}


def tasks(size: Size) -> Iterator[Task]:
    """Every learner on every number of attributes, each run with a seed of its own."""
    iterations, runs = (20, 1) if size == "tiny" else (ITERATIONS, RUNS)
    for q in QS[:1] if size == "tiny" else QS:
        for learner in [*OURS, *RIVER]:
            for seed in range(runs):
                yield {"learner": learner, "q": q, "seed": seed, "samples": iterations * BATCH}


def measure(task: Task) -> Iterator[Row]:
    """One run. The columns are shuffled, so that a tie that goes to the first attribute is not a lucky one."""
    q, seed, n = task["q"], task["seed"], task["samples"]
    order = np.random.default_rng(seed).permutation(q)
    wanted = set(np.flatnonzero(order < 2).tolist())
    X, y = xnor(q=q, seed=seed).rows(0, n)
    learn = _river if task["learner"] in RIVER else _ours
    yield learn(task["learner"], X[:, order], y, seed)(wanted)


Judge = Callable[[set[int]], Row]
"""What is said of a tree, given the attributes that it should ask for."""


def _ours(learner: str, X: np.ndarray, y: np.ndarray, seed: int) -> Judge:
    model = TSDTClassifier(SPLIT_COST, batch_size=BATCH, random_state=seed, **OURS[learner])  # type: ignore[arg-type]
    start = time.process_time()
    model.learn_many(X, y)
    tree, seconds = model.tree_, time.process_time() - start
    return lambda wanted: {"perfect": is_perfect(tree, wanted), "leaves": tree.n_leaves, "seconds": round(seconds, 4)}


def _river(learner: str, X: np.ndarray, y: np.ndarray, seed: int) -> Judge:
    model = RIVER[learner](nominal_attributes=list(range(X.shape[1])))
    rows: list[tuple[dict[int, Any], int]] = [
        (dict(enumerate(x)), label) for x, label in zip(X.tolist(), y.tolist(), strict=True)
    ]
    start = time.process_time()
    for x, label in rows:
        model.learn_one(x, label)
    seconds, asked = time.process_time() - start, _asked(model)
    return lambda wanted: {
        "perfect": len(asked) == 3 and set(asked) == wanted,
        "leaves": model.n_leaves,
        "seconds": round(seconds, 4),
    }


def _asked(model: Any) -> list[int]:
    """The attribute of each split of a tree of River, which has no public way to ask for it."""
    root = model._root
    return [branch.feature for branch in root.iter_branches()] if hasattr(root, "iter_branches") else []


EXPERIMENT = Experiment(Path(__file__).parent, ("learner", "q", "seed", "samples"), tasks, measure, ("river",))

if __name__ == "__main__":
    run_command(EXPERIMENT, __doc__)
