"""DL8.5 at one depth, asked as the peers are, with the depth in place of the price. Runs in its own environment."""

from __future__ import annotations

import math

import numpy as np
from pydl85 import DL85Classifier

from benchmarks.peers.dl85 import count_splits
from benchmarks.peers.task import Answer, Stopwatch


def learn(X: np.ndarray, y: np.ndarray, depth: float, seconds: float) -> Answer:
    """The most accurate tree of a depth that it finds within a limit of the wall clock. Splits cost it nothing."""
    watch = Stopwatch()
    model = DL85Classifier(max_depth=int(depth), time_limit=math.ceil(seconds)).fit(X, y)
    return Answer(model.predict, count_splits(model.tree_), None, watch.cpu)
