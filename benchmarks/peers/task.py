"""What every peer is asked: the best tree of a table at a split cost. All that is imported here every peer has.

`python -m benchmarks.peers.NAME TABLE.npz SPLIT_COST SECONDS` asks one of them and prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.memory import forget_peak, peak_mb


class Answer(NamedTuple):
    """The tree that was found: how it answers, its splits, whether it is proven optimal, and its CPU seconds.

    A learner that does not aim at our objective can prove nothing of it: then `proven` is None.
    """

    predict: Callable[[np.ndarray], np.ndarray]
    splits: int
    proven: bool | None
    seconds: float


Learn = Callable[[np.ndarray, np.ndarray, float, float], Answer]
"""From rows, labels, split cost and a limit in CPU seconds to an answer."""


def ask(learn: Learn) -> None:
    """Have a learner do what the command line says, and print what came of it."""
    file, split_cost, limit = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    table = np.load(file)
    before = forget_peak()
    answer = learn(table["X"], table["y"], split_cost, limit)
    found = {"proven": answer.proven, "seconds": answer.seconds, "splits": answer.splits}
    found["megabytes"] = peak_mb() - before
    found["value"] = share_right(answer, table["X"], table["y"]) - split_cost * answer.splits
    if "X_test" in table:
        found["test"] = share_right(answer, table["X_test"], table["y_test"])
    print(json.dumps(found))


def share_right(answer: Answer, X: np.ndarray, y: np.ndarray) -> float:
    """The accuracy of a tree."""
    return float((np.asarray(answer.predict(X)) == y).mean())


class Stopwatch:
    """CPU and wall seconds since it was made."""

    def __init__(self) -> None:
        self.start = time.process_time(), time.monotonic()

    @property
    def cpu(self) -> float:
        """CPU seconds of this process, all threads together."""
        return time.process_time() - self.start[0]

    @property
    def wall(self) -> float:
        """Seconds of the clock on the wall."""
        return time.monotonic() - self.start[1]
