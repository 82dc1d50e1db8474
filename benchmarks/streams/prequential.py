"""Accuracy on real and synthetic streams, predict first and then learn, beside River's stream learners.

`python -m benchmarks.streams.prequential STREAM LEARNER SAMPLES` measures one pair and prints JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from benchmarks.report import Column, Report
from benchmarks.running import RunError, figures

SAMPLES = 50_000

COLUMNS = (
    Column("stream", "stream", width=13),
    Column("learner", "learner", width=14),
    Column("all", "accuracy", ".4f"),
    Column("second_half", "second half", ".4f"),
    Column("leaves", "leaves"),
    Column("rate", "samples/s", ",.0f"),
    Column("mebibytes", "MB above start", ",.0f"),
)

STREAMS = ("Phishing", "ImageSegments", "Bananas", "Shuttle", "SEA", "Agrawal-1", "Agrawal-4", "LED", "RandomTree")
OURS = ("majority", "adaptive")
PEERS = ("VFDT", "EFDT", "HAT", "LAST")
FOREST = "ARF"


def pairs(name: str, samples: int) -> Iterable[tuple[dict[str, Any], Any]]:
    """The samples of a stream: River's bundled files whole, its generators for so many samples."""
    from river import datasets
    from river.datasets import synth

    generators: dict[str, Callable[[], Any]] = {
        "SEA": lambda: synth.SEA(variant=0, noise=0.1, seed=1),
        "Agrawal-1": lambda: synth.Agrawal(classification_function=0, seed=1),
        "Agrawal-4": lambda: synth.Agrawal(classification_function=3, seed=1),
        "LED": lambda: synth.LED(seed=1, noise_percentage=0.1),
        "RandomTree": lambda: synth.RandomTree(seed_tree=1, seed_sample=1),
    }
    return islice(generators[name]() if name in generators else getattr(datasets, name)(), samples)


def learner(name: str) -> Any:
    """A learner with its default settings."""
    if name in OURS:
        from tsdt import TSDTClassifier

        return TSDTClassifier(leaf_prediction=name, random_state=1)
    from river import forest, tree

    return {
        "VFDT": tree.HoeffdingTreeClassifier,
        "EFDT": tree.ExtremelyFastDecisionTreeClassifier,
        "HAT": lambda: tree.HoeffdingAdaptiveTreeClassifier(seed=1),
        "LAST": tree.LASTClassifier,
        "ARF": lambda: forest.ARFClassifier(n_models=10, seed=1),
    }[name]()


def leaves_of(model: Any) -> int | None:
    """How many leaves a learner's tree has, where it has one tree."""
    if hasattr(model, "tree_"):
        return int(model.tree_.n_leaves)
    return int(model.n_leaves) if hasattr(model, "n_leaves") else None


def peak() -> float:
    """Peak memory of this process, in mebibytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(stream: str, name: str, samples: int) -> dict[str, Any]:
    """One learner on one stream."""
    data = list(pairs(stream, samples))
    model, right = learner(name), list[bool]()
    before, begin = peak(), time.process_time()
    for x, y in data:
        right.append(model.predict_one(x) == y)
        model.learn_one(x, y)
    seconds, half = time.process_time() - begin, len(right) // 2
    return {
        "stream": stream,
        "learner": name,
        "samples": len(right),
        "all": sum(right) / len(right),
        "second_half": sum(right[half:]) / (len(right) - half),
        "leaves": leaves_of(model),
        "rate": len(right) / seconds,
        "mebibytes": peak() - before,
    }


def main(samples: int = SAMPLES, forest: bool = True) -> None:
    """Print the table, then in how many streams ours is ahead, and by how much."""
    report = Report("prequential", COLUMNS)
    for stream in STREAMS:
        for name in (*OURS, *PEERS, *([FOREST] if forest else [])):
            try:
                report.add(figures("benchmarks.streams.prequential", stream, name, samples))
            except RunError as error:
                report.add({"stream": stream, "learner": f"{name}: {error}"})
    for ours in OURS:
        print(summary(report.rows, ours))


def summary(rows: list[dict[str, Any]], ours: str) -> str:
    """How ours fares against the best single tree of each stream, and against the forest."""
    found = {(row["stream"], row["learner"]): row["all"] for row in rows if "all" in row}
    margins, matched = dict[str, float](), 0
    for stream in STREAMS:
        peers = [found[stream, peer] for peer in PEERS if (stream, peer) in found]
        if (stream, ours) in found and peers:
            margins[stream] = 100 * (found[stream, ours] - max(peers))
            matched += found[stream, ours] >= found.get((stream, FOREST), 2.0)
    ahead = sum(margin > 0 for margin in margins.values())
    far = sum(margin >= 5 for margin in margins.values())
    worst = min(margins, key=margins.__getitem__) if margins else "-"
    return (
        f"\n{ours} leaves: ahead of the best of {', '.join(PEERS)} on {ahead} of {len(margins)}, by five points "
        f"or more on {far}; at worst {margins.get(worst, 0.0):+.1f} points ({worst}); {FOREST} matched on {matched}."
    )


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
