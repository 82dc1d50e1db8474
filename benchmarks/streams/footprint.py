"""Resident memory over a long stream: flat once the window is full.

`python -m benchmarks.streams.footprint` prints the table; with `run` it is the process that is measured.
"""

from __future__ import annotations

import json
import sys
import time

from benchmarks.memory import resident_mb
from benchmarks.report import Column, Report
from benchmarks.running import figures
from tsdt import TSDTClassifier
from tsdt.datasets import random_tree
from tsdt.engine import engine_name

WINDOW, CHUNK = 100_000, 10_000
SAMPLES = 1_000_000 if engine_name() == "rust" else 120_000
STEP = SAMPLES // 20

COLUMNS = (
    Column("samples", "samples", ",", 9),
    Column("resident", "resident MB", ".1f"),
    Column("added", "above the imports", ".1f"),
    Column("engine", "engine's own MB", ".1f"),
    Column("rate", "samples/CPU s", ",.0f"),
)


def course() -> list[dict[str, float]]:
    """Learn the stream and read the memory now and then."""
    stream = random_tree(q=20, arity=5, noise=0.05)
    model = TSDTClassifier(0.01, window=WINDOW, random_state=0)
    stream.rows(0, CHUNK)
    imports, begin, found = resident_mb(), time.process_time(), []
    for start in range(0, SAMPLES, CHUNK):
        model.learn_many(*stream.rows(start, start + CHUNK))
        if (start + CHUNK) % STEP == 0:
            now, resident = time.process_time(), resident_mb()
            row = {"samples": start + CHUNK, "resident": resident, "added": resident - imports}
            row |= {"engine": getattr(model._learner.engine, "bytes", 0) / 1e6, "rate": STEP / (now - begin)}
            found.append(row)
            begin = now
    return found


def main() -> None:
    """Print the table and by how much memory grew after the window was full."""
    print(f"window={WINDOW:,}; 20 attributes of 5 categories, 5% of labels wrong.\n")
    report = Report("footprint", COLUMNS)
    rows = figures("benchmarks.streams.footprint", "run")["course"]
    for row in rows:
        report.add(row)
    full = [row["resident"] for row in rows if row["samples"] >= 2 * WINDOW]
    if full:
        rise = max(full) - full[0]
        print(f"\nFrom {2 * WINDOW:,} samples on, memory rose by {rise:.1f} MB ({rise / full[0]:.1%}) at most.")


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        print(json.dumps({"course": course()}))
    else:
        main()
