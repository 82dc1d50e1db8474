"""DL8.5: the most accurate tree of each depth from 1 to 4; of those, the best by our objective."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pydl85 import DL85Classifier

from benchmarks.peers.task import Answer, Stopwatch, ask

DEEPEST = 4


def count_splits(node: dict[str, Any]) -> int:
    """How often a tree of DL8.5 splits. Its own `size_` counts fewer nodes than the tree has."""
    return 1 + count_splits(node["left"]) + count_splits(node["right"]) if "feat" in node else 0


def learn(X: np.ndarray, y: np.ndarray, split_cost: float, seconds: float) -> Answer:
    """The trees that it finds within a time limit together, in whole seconds of the wall clock for each."""
    watch, best, most, splits = Stopwatch(), None, -math.inf, 0
    for depth in range(1, DEEPEST + 1):
        limit = math.ceil(seconds - watch.wall)
        if limit < 1:
            break
        model = DL85Classifier(max_depth=depth, time_limit=limit).fit(X, y)
        size = count_splits(model.tree_)
        if model.accuracy_ - split_cost * size > most:
            best, most, splits = model, model.accuracy_ - split_cost * size, size
    if best is None:
        raise TimeoutError(f"no tree within {seconds} s")
    return Answer(best.predict, splits, None, watch.cpu)


if __name__ == "__main__":
    ask(learn)
