"""A concept that changes: the XNOR stream whose relevant attributes move on, beside River's adaptive tree.

`python -m benchmarks.streams.drift LEARNER` runs one learner and prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from river.tree import HoeffdingAdaptiveTreeClassifier

from benchmarks.report import Column, Report
from benchmarks.running import figures
from tsdt import TSDTClassifier
from tsdt.datasets import drifting_xnor

EVERY, CONCEPTS, Q, NOISE = 50_000, 4, 10, 0.05
STEP = 100
"""Samples between two prequential looks: predict them all, then learn them."""
WINDOWS = {"tsdt, window 5,000": 5_000, "tsdt, window 20,000": 20_000}
HAT = "River HAT"

COLUMNS = (
    Column("learner", "learner", width=19),
    Column("concept", "concept", width=9),
    Column("first", "first 5,000", ".1%"),
    Column("second", "next 5,000", ".1%"),
    Column("middle", "10,000 to 40,000", ".1%"),
    Column("last", "last 10,000", ".1%"),
    Column("back", "samples to 90%", ",.0f"),
    Column("tree", "tree at the end", width=26),
    Column("rate", "samples/CPU s", ",.0f"),
)


class Ours:
    """Our learner, and what can be said of its tree."""

    def __init__(self, window: int) -> None:
        self.model = TSDTClassifier(0.05, window=window, random_state=0)

    def right(self, X: Any, y: Any) -> int:
        """How many of these samples it gets right before it learns them."""
        known = self.model.__sklearn_is_fitted__()
        right = int((self.model.predict(X) == y).sum()) if known else 0
        self.model.learn_many(X, y)
        return right

    def tree(self) -> str:
        """Its size and its attributes."""
        tree = self.model.tree_
        used = sorted({node.attribute for node in tree.nodes if not node.is_leaf})
        return f"{tree.n_splits} splits on " + (" ".join(f"X{i + 1}" for i in used) or "nothing")


class Adaptive:
    """River's adaptive Hoeffding tree, which forgets by itself."""

    def __init__(self) -> None:
        names = list(range(Q))
        self.model = HoeffdingAdaptiveTreeClassifier(nominal_attributes=names, leaf_prediction="mc", seed=0)

    def right(self, X: Any, y: Any) -> int:
        """How many of these samples it gets right, each before it learns it."""
        right = 0
        for values, label in zip(X.tolist(), y.tolist(), strict=True):
            x = dict(enumerate(values))
            right += self.model.predict_one(x) == label
            self.model.learn_one(x, label)
        return right

    def tree(self) -> str:
        """Its size."""
        return f"{self.model.n_leaves} leaves, height {self.model.height}"


def run(name: str) -> list[dict[str, Any]]:
    """One learner over the whole stream: a row for each concept."""
    learner = Adaptive() if name == HAT else Ours(WINDOWS[name])
    stream = drifting_xnor(EVERY, q=Q, noise=NOISE)
    rows = []
    for concept in range(CONCEPTS):
        begin, right = time.process_time(), []
        for start in range(concept * EVERY, (concept + 1) * EVERY, STEP):
            right.append(learner.right(*stream.rows(start, start + STEP)) / STEP)
        seconds = time.process_time() - begin
        relevant = f"X{2 * concept + 1} X{2 * concept + 2}"
        rows.append({"learner": name, "concept": relevant, **accuracies(right), "tree": learner.tree()})
        rows[-1]["rate"] = EVERY / seconds
    return rows


def accuracies(right: list[float]) -> dict[str, float | None]:
    """Accuracy over parts of a concept's life, and the samples until ten looks in a row had at least 90%."""
    parts = {"first": (0, 5_000), "second": (5_000, 10_000), "middle": (10_000, 40_000), "last": (40_000, 50_000)}
    shares = {name: right[low // STEP : high // STEP] for name, (low, high) in parts.items()}
    runs = (i for i in range(len(right) - 9) if sum(right[i : i + 10]) >= 9.0)
    back = next(runs, None)
    found: dict[str, float | None] = {name: sum(part) / len(part) for name, part in shares.items()}
    return {**found, "back": None if back is None else float(back * STEP)}


def main() -> None:
    """Run every learner and print the table."""
    print(f"XNOR among {Q}, {NOISE:.0%} of labels wrong; the relevant attributes change every {EVERY:,} samples.")
    print("Accuracy before learning; the best possible is 95%.\n")
    report = Report("drift", COLUMNS)
    for name in [*WINDOWS, HAT]:
        for row in figures("benchmarks.streams.drift", name)["rows"]:
            report.add(row)


if __name__ == "__main__":
    print(json.dumps({"rows": run(sys.argv[1])}))
