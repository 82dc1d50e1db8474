"""What is measured, each case in a process of its own. `python -m benchmarks.cases NAME` runs one and prints JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from benchmarks.memory import forget_peak, peak_mb
from tsdt import TSDTClassifier
from tsdt.datasets import Stream, monk1, random_tree, xnor
from tsdt.engine import engine_name

PHASES = ("selection", "simulation", "expansion", "backup")
SLOW = 1 if engine_name() == "rust" else 20
"""How many times fewer samples the plain-Python engine gets where only the rate matters."""


@dataclass(frozen=True)
class Figures:
    """What a case found out: CPU seconds for so many samples, megabytes on top of the imports, what was learned."""

    samples: int
    seconds: float
    megabytes: float
    phases: dict[str, float]
    learned: str


def measure(learn: Callable[..., Any], pieces: Iterable[tuple[Any, Any]]) -> tuple[float, float]:
    """Learn piece by piece: CPU seconds of learning alone, and by how many megabytes the peak has risen."""
    before, seconds = forget_peak(), 0.0
    for x, y in pieces:
        start = time.process_time()
        learn(x, y)
        seconds += time.process_time() - start
    return seconds, peak_mb() - before


def phases(model: TSDTClassifier) -> dict[str, float]:
    """The seconds of each phase of the search, where the engine counts them."""
    timings = getattr(model._learner.engine, "timings", None)
    return dict(zip(PHASES, timings(), strict=True)) if timings else {}


def learn_in_chunks(model: TSDTClassifier, stream: Stream, n: int, size: int) -> tuple[float, float]:
    """Learn n samples of a stream, a chunk at a time."""
    return measure(model.learn_many, islice(stream.chunks(size), n // size))


def xnor_run(backup: str) -> Figures:
    """The paper's synthetic experiment: 400 iterations of 100 samples of 100 attributes."""
    model = TSDTClassifier(split_cost=0.05, search="trees", backup=backup, random_state=0)
    seconds, megabytes = learn_in_chunks(model, xnor(q=100), 40_000, 4_000)
    used = {node.attribute for node in model.tree_.nodes if not node.is_leaf}
    which = "X1 and X2 only" if used == {0, 1} else f"on {len(used)} attributes"
    return Figures(40_000, seconds, megabytes, phases(model), f"{model.tree_.n_splits} splits, {which}")


def monk1_drop_first() -> Figures:
    """MONK-1, one-hot without the first categories: 10,000 iterations over the 124 training rows."""
    model = TSDTClassifier(split_cost=0.0025, search="trees", random_state=0)
    train, _ = monk1("drop first")
    seconds, megabytes = learn_in_chunks(model, train.cycle(), 1_000_000, 10_000)
    objective = (model.predict(train.X) == train.y).mean() - 0.0025 * model.tree_.n_splits
    return Figures(1_000_000, seconds, megabytes, phases(model), f"objective {objective:.4f}, optimum 0.9575")


def learn_one() -> Figures:
    """Dicts of 10 attributes of 5 categories, one at a time."""
    model = TSDTClassifier(search="trees", random_state=0)
    rows = list(random_tree(q=10).take(200_000 // SLOW).stream())

    def learn(rows: list[Any], _: None) -> None:  # one piece: reading the clock for every row would cost more than it
        for row, label in rows:
            model.learn_one(row, label)

    seconds, megabytes = measure(learn, [(rows, None)])
    return Figures(len(rows), seconds, megabytes, phases(model), f"{model.tree_.n_leaves} leaves")


def learn_many() -> Figures:
    """Integer arrays of 10 attributes of 5 categories, ten thousand rows at a time."""
    model, n = TSDTClassifier(search="trees", random_state=0), 2_000_000 // SLOW
    seconds, megabytes = learn_in_chunks(model, random_tree(q=10), n, 10_000)
    return Figures(n, seconds, megabytes, phases(model), f"{model.tree_.n_leaves} leaves")


CASES: dict[str, Callable[[], Figures]] = {
    "XNOR q=100, fast": lambda: xnor_run("fast"),
    "XNOR q=100, clark": lambda: xnor_run("clark"),
    "MONK-1 drop first": monk1_drop_first,
    "learn_one, dicts of 10": learn_one,
    "learn_many, arrays of 10": learn_many,
}

if __name__ == "__main__":
    print(json.dumps(asdict(CASES[sys.argv[1]]())))
