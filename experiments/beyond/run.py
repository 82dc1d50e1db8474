"""Beyond the paper: other policies and both searches, against samples and seconds; window sizes; drift."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.streams.drift import HAT, Adaptive
from experiments.experiment import Experiment, Size, Task, run_command
from experiments.results import Row
from tsdt import TSDTClassifier
from tsdt.datasets import Table, drifting_xnor, paper_table

CELLS = {"MONK1-dropfirst": 0.0025, "tic-tac-toe": 0.01, "car-evaluation": 0.01, "compas-binary": 0.0025}
"""The tables that are streamed, and the price of a split on each."""
POLICIES = {
    "branches": ("mixed", "optimistic", "thompson", "ucb", "epsilon-greedy"),
    "trees": ("thompson", "ucb", "epsilon-greedy"),
}
LOOKS = 30
WINDOWS = (500, 2_000, 8_000, 32_000, 0)
RUNNING = "trees"
"""Drift: windows of the search over branches (0: none, all samples count), the search over trees, and River's HAT."""
EVERY, CONCEPTS, Q, NOISE, STEP = 10_000, 4, 10, 0.05, 250


def tasks(size: Size) -> Iterator[Task]:
    """Every policy on every table, then every way to forget on a stream whose concept changes."""
    tables, samples, runs = {
        "tiny": (["tic-tac-toe"], 200, 1),
        "short": ([*CELLS], 100_000, 3),
        "full": ([*CELLS], 3_000_000, 10),
    }[size]
    few = 1 if size == "tiny" else None
    learners = [f"{search}, {policy}" for search, policies in POLICIES.items() for policy in policies[:few]]
    forgetting = [*(f"window {window}" for window in WINDOWS), RUNNING, HAT][:few]
    for what, names, n in [*((table, learners, samples) for table in tables), ("drift", forgetting, EVERY * CONCEPTS)]:
        for learner in names:
            for seed in range(runs):
                yield {"what": what, "learner": learner, "samples": min(n, 5 * samples), "seed": seed}


def measure(task: Task) -> Iterator[Row]:
    """One learner on one stream."""
    return drift(task) if task["what"] == "drift" else search(task)


def search(task: Task) -> Iterator[Row]:
    """A table as a stream, in an order of its own for each seed: the value of the tree on the table, and its gap."""
    kind, policy = task["learner"].split(", ")
    cost = CELLS[task["what"]]
    model = TSDTClassifier(cost, search=kind, policy=policy, random_state=task["seed"])
    table = shuffled(paper_table(task["what"]), task["seed"])
    stream, seconds, last = table.cycle(), 0.0, 0
    for now in (np.unique(np.geomspace(1, task["samples"] // 100, LOOKS).round()) * 100).astype(int).tolist():
        X, y = stream.rows(last, now)
        start = time.process_time()
        model.learn_many(X, y)
        tree = model.tree_
        seconds, last = seconds + time.process_time() - start, now
        value = float((model.predict(table.X) == table.y).mean()) - cost * tree.n_splits
        row: Row = {"seen": now, "seconds": round(seconds, 5), "value": round(value, 6), "leaves": tree.n_leaves}
        yield {**row, "gap": round(model.certificate_.gap, 6) if kind == "branches" else None}


def shuffled(table: Table, seed: int) -> Table:
    """The rows of a table in another order."""
    order = np.random.default_rng(seed).permutation(len(table))
    return replace(table, X=table.X[order], y=table.y[order])


def drift(task: Task) -> Iterator[Row]:
    """XNOR whose relevant attributes move on: the accuracy of each step's samples, before they are learned."""
    learner = forgetting(task["learner"], task["seed"])
    stream = drifting_xnor(EVERY, q=Q, noise=NOISE, seed=task["seed"])
    for start in range(0, task["samples"], STEP):
        right = learner.right(*stream.rows(start, start + STEP))
        yield {"seen": start + STEP, "accuracy": right / STEP}


class Forgetting:
    """Our learner on a stream, asked before it learns."""

    def __init__(self, **parameters: Any) -> None:
        self.model = TSDTClassifier(0.05, **parameters)

    def right(self, X: np.ndarray, y: np.ndarray) -> int:
        """How many of these samples it gets right before it learns them."""
        known = self.model.__sklearn_is_fitted__()
        right = int((self.model.predict(X) == y).sum()) if known else 0
        self.model.learn_many(X, y)
        return right


def forgetting(name: str, seed: int) -> Forgetting | Adaptive:
    """A learner of the drift by its name."""
    if name == HAT:
        return Adaptive()
    if name == RUNNING:
        return Forgetting(search="trees", random_state=seed)
    return Forgetting(window=int(name.split()[1]), random_state=seed)


EXPERIMENT = Experiment(Path(__file__).parent, ("what", "learner", "samples", "seed"), tasks, measure, ("river",))

if __name__ == "__main__":
    run_command(EXPERIMENT, __doc__)
