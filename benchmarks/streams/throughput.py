"""Samples a second once the tree has settled, beside River's VFDT in the same run, and where the time goes.

`python -m benchmarks.streams.throughput SEED` measures one concept and prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from river.tree import HoeffdingTreeClassifier

from benchmarks.report import Column, Report
from benchmarks.running import figures
from tsdt import TSDTClassifier
from tsdt.datasets import Stream, Table, random_tree
from tsdt.engine import engine_name, make_search

WINDOW = 100_000
SLOW = 1 if engine_name() == "rust" else 100
"""How many times fewer samples the plain-Python engine gets."""
MANY, ONE = 10_000 // SLOW, 1_000 // SLOW
"""Samples of one turn, for those who take arrays and for those who take dicts."""
SETTLING, MEASURED = 20, 30
"""Turns before and after the clock matters; the window is full halfway through the first."""
NOTHING_PAYS = 1.0
"""A split cost at which there is nothing to search: what is left is the window."""

COLUMNS = (
    Column("seed", "concept"),
    Column("splits", "splits"),
    Column("filling", "learn_many, window filling", ",.0f"),
    Column("rate", "window full", ",.0f"),
    Column("slowest", "slowest 10,000", ",.0f"),
    Column("one", "learn_one", ",.0f"),
    Column("river", "River VFDT (mc)", ",.0f"),
    Column("ratio", "times River", ".1f"),
    Column("ratio_one", "learn_one", ".1f"),
    Column("way_there", "codes and checks", ".0%"),
    Column("window", "window", ".0%"),
    Column("search", "search", ".0%"),
)


class Clocked:
    """A learner that takes turns, and the samples it learned for each CPU second in each turn."""

    def __init__(self, learn: Callable[[Any, Any], Any], size: int, *, dicts: bool = False) -> None:
        self.learn, self.size, self.dicts = learn, size, dicts
        self.seen, self.rates = 0, list[float]()

    def turn(self, stream: Stream) -> None:
        """Learn the next samples, which are there before the clock starts."""
        table = stream.take(self.size, self.seen)
        pairs = list(table.stream()) if self.dicts else [(table.X, table.y)]
        begin = time.process_time()
        for x, y in pairs:
            self.learn(x, y)
        self.rates.append(self.size / (time.process_time() - begin))
        self.seen += self.size

    def rate(self, first: int = SETTLING, last: int = SETTLING + MEASURED) -> float:
        """The rate over some turns together."""
        turns = self.rates[first:last]
        return len(turns) / sum(1.0 / rate for rate in turns)


def engine(split_cost: float) -> Any:
    """The engine alone, with the settings of the estimator."""
    settings = {"policy": "mixed", "batch_size": 100, "gamma": 0.75, "min_samples": 2, "max_memory": 10**9, "seed": 0}
    made = make_search("BranchSearch", split_cost=split_cost, window=WINDOW, effort=200.0, **settings)
    made.grow([5] * 20, [False] * 20, 2)
    return made


def settled(table: Table) -> TSDTClassifier:
    """A model that has learned a table by the names of its columns, as dicts have them."""
    columns = {name: np.ascontiguousarray(table.X[:, i]) for i, name in enumerate(table.names)}
    return TSDTClassifier(0.01, window=WINDOW, random_state=0).learn_many(columns, table.y)


def measure(seed: int) -> dict[str, Any]:
    """All figures of one concept. The learners take turns, so that a busy machine is as busy for each of them."""
    stream = random_tree(q=20, arity=5, noise=0.05, seed=seed)
    model = TSDTClassifier(0.01, window=WINDOW, random_state=0)
    vfdt = HoeffdingTreeClassifier(leaf_prediction="mc", nominal_attributes=list(stream.names))
    runners = {
        "many": Clocked(model.learn_many, MANY),
        "engine": Clocked(engine(0.01).learn, MANY),
        "idle": Clocked(engine(NOTHING_PAYS).learn, MANY),
        "one": Clocked(settled(stream.take(SETTLING * MANY)).learn_one, ONE, dicts=True),
        "river": Clocked(vfdt.learn_one, ONE, dicts=True),
    }
    for _ in range(SETTLING + MEASURED):
        for runner in runners.values():
            runner.turn(stream)
    rate = {name: runner.rate() for name, runner in runners.items()}
    return {
        "seed": seed,
        "splits": model.tree_.n_splits,
        "filling": runners["many"].rate(SETTLING // 4, SETTLING // 2),
        "rate": rate["many"],
        "slowest": min(runners["many"].rates[SETTLING:]),
        "one": rate["one"],
        "river": rate["river"],
        "ratio": rate["many"] / rate["river"],
        "ratio_one": rate["one"] / rate["river"],
        "way_there": max(0.0, 1.0 - rate["many"] / rate["engine"]),
        "window": rate["many"] / rate["idle"],
        "search": max(0.0, rate["many"] / rate["engine"] - rate["many"] / rate["idle"]),
    }


def main(seeds: int) -> None:
    """Measure some concepts and print the table."""
    print("20 attributes of 5 categories, a concept of depth two, 5% of labels wrong; samples for each CPU second.")
    print("The last three columns say where the time of learn_many goes when the window is full.\n")
    report = Report("throughput", COLUMNS)
    for seed in range(seeds):
        report.add(figures("benchmarks.streams.throughput", seed))


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
