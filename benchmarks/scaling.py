"""The table that `make bench-scaling` prints: how time grows with the size of a problem, one dimension at a time.

`python -m benchmarks.scaling DIMENSION SIZE` measures one problem and prints JSON.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.memory import forget_peak, peak_mb
from benchmarks.report import Column, Report
from benchmarks.running import figures
from tsdt import TSDTClassifier
from tsdt.datasets import Stream, parity, random_tree
from tsdt.engine import engine_name

SAMPLES = 20_000 if engine_name() == "rust" else 500
LIMIT = 20.0
"""CPU seconds for a proof."""
SIZES: dict[str, tuple[int, ...]] = {
    "samples": (SAMPLES // 8, SAMPLES // 4, SAMPLES // 2, SAMPLES, 2 * SAMPLES, 4 * SAMPLES),
    "attributes": (5, 10, 20, 40, 80, 160),
    "categories": (2, 4, 8, 16),
    "classes": (2, 4, 8, 16, 32),
    "leaves": (2, 4, 8, 16),
}
COLUMNS = (
    Column("dimension", "dimension", width=10),
    Column("size", "size", ",", 8),
    Column("seconds", "fit, CPU s", ".3f"),
    Column("proven", "proven"),
    Column("megabytes", "MB", ".1f", 6),
    Column("splits", "splits"),
    Column("micros", "stream, CPU us a sample", ".2f"),
)


def problem(dimension: str, size: int) -> tuple[Stream, int]:
    """A stream in which one dimension has a size and the others stand still, and how many samples to take of it."""
    match dimension:
        case "samples":
            return random_tree(q=20, arity=3, noise=0.05), size
        case "attributes":
            return random_tree(q=size, arity=3, noise=0.05), SAMPLES
        case "categories":
            return random_tree(q=20, arity=size, noise=0.05), SAMPLES
        case "classes":
            return random_tree(q=20, arity=6, n_classes=size, noise=0.05), SAMPLES
        case "leaves":
            return parity(order=int(math.log2(size)), q=10, noise=0.05), SAMPLES
    raise ValueError(f"there is no dimension {dimension!r}, they are {', '.join(SIZES)}")


def fit_figures(stream: Stream, n: int) -> dict[str, Any]:
    """CPU seconds until the tree of a table is proven, or the limit."""
    table = stream.take(n)
    before, begin = forget_peak(), time.process_time()
    model = TSDTClassifier(0.01, time_limit=LIMIT, random_state=0).fit(table.X, table.y)
    while not model.certificate_.proven and time.process_time() - begin < LIMIT:
        model.improve(LIMIT - (time.process_time() - begin))
    found = {"seconds": time.process_time() - begin, "proven": model.certificate_.proven}
    return {**found, "splits": model.tree_.n_splits, "megabytes": peak_mb() - before}


def stream_micros(stream: Stream, n: int) -> float:
    """CPU microseconds for each sample of the second half of a stream, whose window is full by then."""
    model = TSDTClassifier(0.01, window=max(n // 2, 1), random_state=0)
    model.learn_many(*stream.rows(0, n // 2))
    X, y = stream.rows(n // 2, n)
    begin = time.process_time()
    model.learn_many(X, y)
    return (time.process_time() - begin) / (n - n // 2) * 1e6


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of the straight line through the points on paper with two logarithmic scales."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def main() -> None:
    """Measure every problem; under the table, the exponent of each dimension."""
    print(
        f"{SAMPLES:,} samples, 20 attributes of 3 categories, a concept of depth two, 5% wrong labels, split cost 0.01,"
    )
    print("but for one dimension; leaves are those of a parity among 10 attributes.\n")
    report = Report("scaling", COLUMNS)
    for dimension, sizes in SIZES.items():
        for size in sizes:
            report.add({"dimension": dimension, "size": size, **figures("benchmarks.scaling", dimension, size)})
    print("\nTime grows with the size to the power of (only proven fits count):")
    for dimension in SIZES:
        rows = [row for row in report.rows if row["dimension"] == dimension]
        proven = [row for row in rows if row["proven"]]
        fit = exponent([r["size"] for r in proven], [r["seconds"] for r in proven]) if len(proven) > 1 else math.nan
        stream = exponent([row["size"] for row in rows], [row["micros"] for row in rows])
        print(f"  {dimension:<12} fit {fit:5.2f}   a sample of a stream {stream:5.2f}")


if __name__ == "__main__":
    if sys.argv[1:]:
        made = problem(sys.argv[1], int(sys.argv[2]))
        print(json.dumps({**fit_figures(*made), "micros": stream_micros(*made)}))
    else:
        main()
