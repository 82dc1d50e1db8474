"""Samples a second once the tree has settled, beside River's VFDT in the same run, and where the time goes.

`python -m benchmarks.streams.throughput SEED` measures one concept and prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from river.tree import HoeffdingTreeClassifier

from benchmarks.report import Column, Report
from benchmarks.running import figures
from tsdt import TSDTClassifier
from tsdt.datasets import Stream, random_tree
from tsdt.engine import engine_name, make_search

CHUNK = 10_000
WINDOW = 100_000
SLOW = 1 if engine_name() == "rust" else 50
"""How many times fewer samples the plain-Python engine gets."""
SETTLE, MEASURED, RIVER = 2 * WINDOW // SLOW, 300_000 // SLOW, 40_000 // SLOW
"""Samples before the clock starts (the window is full by then), samples measured, and those measured for River."""

COLUMNS = (
    Column("seed", "concept"),
    Column("splits", "splits"),
    Column("filling", "learn_many, window filling", ",.0f"),
    Column("rate", "window full", ",.0f"),
    Column("slowest", "slowest 10,000", ",.0f"),
    Column("one", "learn_one", ",.0f"),
    Column("river", "River VFDT (mc)", ",.0f"),
    Column("ratio", "times River", ".1f"),
    Column("way_there", "codes and checks", ".0%"),
    Column("window", "window", ".0%"),
    Column("search", "search", ".0%"),
)


def rates(learn: Callable[..., Any], stream: Stream, start: int, n: int) -> Iterator[float]:
    """Samples for each CPU second, chunk by chunk."""
    for at in range(start, start + n, CHUNK):
        size = min(CHUNK, start + n - at)
        X, y = stream.rows(at, at + size)
        begin = time.process_time()
        learn(X, y)
        yield size / max(time.process_time() - begin, 1e-9)


def mean_rate(found: list[float]) -> float:
    """The rate of all chunks together, which are of one size."""
    return len(found) / sum(1.0 / rate for rate in found)


def one_by_one(learn: Callable[..., Any], stream: Stream, start: int, n: int) -> float:
    """Samples for each CPU second through a method that takes one dict and one label."""
    pairs = list(stream.take(n, start).stream())
    begin = time.process_time()
    for x, y in pairs:
        learn(x, y)
    return n / (time.process_time() - begin)


def engine_rate(stream: Stream, effort: float) -> float:
    """The rate of the engine alone, on codes that are there already, after it has settled."""
    settings = {"policy": "mixed", "batch_size": 100, "gamma": 0.75, "min_samples": 2, "max_memory": 1 << 30, "seed": 0}
    engine = make_search("BranchSearch", split_cost=0.01, window=WINDOW, effort=effort, **settings)
    engine.grow([5] * 20, [False] * 20, 2)
    list(rates(engine.learn, stream, 0, SETTLE))
    return mean_rate(list(rates(engine.learn, stream, SETTLE, MEASURED)))


def measure(seed: int) -> dict[str, Any]:
    """All figures of one concept."""
    stream = random_tree(q=20, arity=5, noise=0.05, seed=seed)
    model = TSDTClassifier(window=WINDOW, random_state=0)
    warm = list(rates(model.learn_many, stream, 0, SETTLE))
    full = list(rates(model.learn_many, stream, SETTLE, MEASURED))
    one = one_by_one(model.learn_one, stream, SETTLE + MEASURED, RIVER)
    vfdt = HoeffdingTreeClassifier(leaf_prediction="mc", nominal_attributes=list(stream.names))
    one_by_one(vfdt.learn_one, stream, 0, RIVER)
    river = one_by_one(vfdt.learn_one, stream, RIVER, RIVER)
    rate, engine, idle = mean_rate(full), engine_rate(stream, 200.0), engine_rate(stream, 1e-9)
    return {
        "seed": seed,
        "splits": model.tree_.n_splits,
        "filling": mean_rate(warm[len(warm) // 4 : len(warm) // 2]),
        "rate": rate,
        "slowest": min(full),
        "one": one,
        "river": river,
        "ratio": rate / river,
        "way_there": max(0.0, 1.0 - rate / engine),
        "window": rate / idle,
        "search": max(0.0, rate / engine - rate / idle),
    }


def main(seeds: int) -> None:
    """Measure some concepts and print the table."""
    print("20 attributes of 5 categories, a concept of depth two, 5% of labels wrong; samples for each CPU second.\n")
    report = Report("throughput", COLUMNS)
    for seed in range(seeds):
        report.add(figures("benchmarks.streams.throughput", seed))


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
