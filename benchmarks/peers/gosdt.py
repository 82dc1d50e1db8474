"""GOSDT: it pays for each leaf, which is the same objective as ours but for a constant. Runs in its own environment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from gosdt import GOSDTClassifier, Status

from benchmarks.peers.task import Answer, Stopwatch, ask


def count_splits(node: Any) -> int:
    """How often a tree of GOSDT splits."""
    return 1 + count_splits(node.left_child) + count_splits(node.right_child) if hasattr(node, "feature") else 0


def learn(X: np.ndarray, y: np.ndarray, split_cost: float, seconds: float) -> Answer:
    """The tree that it finds within a time limit, in whole seconds of the wall clock."""
    watch = Stopwatch()
    model = GOSDTClassifier(regularization=split_cost, allow_small_reg=True, time_limit=math.ceil(seconds))
    model.fit(X.astype(bool), y)
    spent, proven = watch.cpu, model.result_.status == Status.CONVERGED
    return Answer(lambda table: model.predict(table.astype(bool)), count_splits(model.trees_[0].tree), proven, spent)


if __name__ == "__main__":
    ask(learn)
