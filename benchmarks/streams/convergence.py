"""How many samples of a stream it takes until the perfect tree stays: the search over branches beside that over trees.

`python -m benchmarks.streams.convergence STREAM SEARCH SEED SAMPLES` runs one stream once and prints JSON.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.report import Column, Report
from benchmarks.running import figures
from tsdt import TSDTClassifier
from tsdt.datasets import Stream, parity, xnor
from tsdt.tree import DecisionTree

BATCH = 100
SEARCHES = ("branches", "trees")


class Problem(NamedTuple):
    """A stream whose label is the parity of its first `order` attributes, and what is asked of a learner on it."""

    stream: Callable[[int], Stream]
    order: int
    split_cost: float
    samples: int


PROBLEMS = {
    "XNOR q=100": Problem(lambda seed: xnor(q=100, seed=seed), 2, 0.05, 40_000),
    "XNOR q=300": Problem(lambda seed: xnor(q=300, seed=seed), 2, 0.05, 80_000),
    "parity of 3, q=20": Problem(lambda seed: parity(3, q=20, seed=seed), 3, 0.05, 150_000),
    "parity of 3, q=20, cheap": Problem(lambda seed: parity(3, q=20, seed=seed), 3, 0.02, 150_000),
}
COLUMNS = (
    Column("problem", "stream", width=24),
    Column("split_cost", "cost", "g", 5),
    Column("search", "search", width=8),
    Column("perfect", "perfect", width=8),
    Column("median", "samples, median", ",.0f"),
    Column("least", "least", ",.0f", 7),
    Column("most", "most", ",.0f", 7),
    Column("seconds", "CPU s a run", ".2f"),
)


def is_perfect(tree: DecisionTree, wanted: set[int]) -> bool:
    """Whether a tree splits on the attributes of the concept alone, and as often as it takes."""
    used = [node.attribute for node in tree.nodes if not node.is_leaf]
    return len(used) == 2 ** len(wanted) - 1 and set(used) == wanted


def run(problem: Problem, search: str, seed: int) -> dict[str, Any]:
    """One stream, its columns shuffled: after how many samples the tree was perfect for good (None: it was not)."""
    stream = problem.stream(seed)
    columns = np.random.default_rng(seed).permutation(len(stream.names))
    wanted = set(np.flatnonzero(columns < problem.order).tolist())
    model = TSDTClassifier(problem.split_cost, search=search, batch_size=BATCH, random_state=seed)
    last_imperfect, seconds = 0, 0.0
    for start in range(0, problem.samples, BATCH):
        X, y = stream.rows(start, start + BATCH)
        begin = time.process_time()
        model.learn_many(X[:, columns], y)
        seconds += time.process_time() - begin
        if not is_perfect(model.tree_, wanted):
            last_imperfect = start + BATCH
    stays = last_imperfect < problem.samples
    return {"samples": last_imperfect + BATCH if stays else None, "seconds": seconds}


def summary(name: str, search: str, runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The row of one problem and one search."""
    samples = [run["samples"] for run in runs if run["samples"] is not None]
    return {
        "problem": name,
        "split_cost": PROBLEMS[name].split_cost,
        "search": search,
        "perfect": f"{len(samples)} of {len(runs)}",
        "median": statistics.median(samples) if samples else None,
        "least": min(samples, default=None),
        "most": max(samples, default=None),
        "seconds": statistics.mean(run["seconds"] for run in runs),
        "limit": PROBLEMS[name].samples,
    }


def main(seeds: int) -> None:
    """Run every problem with both searches and print the table."""
    print(f"Samples until the perfect tree stays to the end of the stream; {seeds} seeds, columns shuffled.\n")
    report = Report("convergence", COLUMNS)
    for name in PROBLEMS:
        for search in SEARCHES:
            runs = [figures("benchmarks.streams.convergence", name, search, seed) for seed in range(seeds)]
            report.add(summary(name, search, runs))


if __name__ == "__main__":
    problem, search, seed = sys.argv[1:]
    print(json.dumps(run(PROBLEMS[problem], search, int(seed))))
