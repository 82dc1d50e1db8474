"""River's VFDT: it sees the training rows once, one by one, as a stream, and knows nothing of the split cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from river.tree import HoeffdingTreeClassifier

from benchmarks.peers.task import Answer, Stopwatch, ask


def rows(X: np.ndarray) -> list[dict[int, Any]]:
    """Rows as dicts, as River has them."""
    return [dict(enumerate(row)) for row in X.tolist()]


def learn(X: np.ndarray, y: np.ndarray, split_cost: float, seconds: float) -> Answer:
    """One pass over the rows."""
    model = HoeffdingTreeClassifier(nominal_attributes=list(range(X.shape[1])))
    samples, labels = rows(X), y.tolist()
    watch = Stopwatch()
    for x, label in zip(samples, labels, strict=True):
        model.learn_one(x, label)
    splits = int(model.n_branches or 0)
    return Answer(lambda table: np.array([model.predict_one(x) for x in rows(table)]), splits, None, watch.cpu)


if __name__ == "__main__":
    ask(learn)
