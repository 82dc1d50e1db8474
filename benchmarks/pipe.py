"""Rows of CSV through a pipe into `tsdt learn`: rows a second of processor time, and memory, beside polars and pandas.

    python -m benchmarks.pipe [ROWS]

Each measurement is a process of its own; what it needs to start (a run over 200 rows) is taken off. Polars has one
thread. Of three rounds each has the middle one.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import polars as pl

from benchmarks.report import Column, Report

COLOURS = np.array(["red", "green", "blue", "black"])
PART = 500_000
ROUNDS = 3
PYTHON = [sys.executable, "-c"]
READ = """
from argparse import Namespace
from tsdt.cli.input import Kinds
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows
args = Namespace(format=None, delimiter=None, names=None, ignore=[], text=[], numeric=[])
rows = Rows("-", args, Rejects(print, True, None))
rows.arrange(Kinds(), "class", None)
for block in rows.blocks():
    pass
"""
LEARN = [sys.executable, "-m", "tsdt", "learn", "-", "--target", "class", "--window", "100000", "--stream", "--quiet"]
PEERS = ("polars", "pandas")
RUNS = {
    "polars, only parsing": [*PYTHON, "import sys, polars; polars.read_csv(sys.stdin.buffer.read())"],
    "pandas, only parsing": [*PYTHON, "import sys, pandas; pandas.read_csv(sys.stdin.buffer)"],
    "tsdt, only reading": [*PYTHON, READ],
    "tsdt learn, no search": [*LEARN, "--effort", "1e-6"],
    "tsdt learn --effort 50": [*LEARN, "--effort", "50"],
    "tsdt learn": LEARN,
}
COLUMNS = (
    Column("what", "", width=22),
    Column("seconds", "CPU s", ".2f", 6),
    Column("rate", "rows/CPU s", ",.0f"),
    Column("times_polars", "times polars", ".1f"),
    Column("times_pandas", "times pandas", ".1f"),
    Column("early", "MB early", ",.0f"),
    Column("most", "MB most", ",.0f"),
)


class Cost(NamedTuple):
    """What a process took: seconds of the processor, and the memory at a quarter of the rows and at the most, in MB."""

    seconds: float
    early: float
    most: float


def write_rows(path: Path, n: int) -> None:
    """Five columns of numbers, four of text, and a class that depends on three of them, wrong for one row in twenty."""
    draw = np.random.default_rng(0)
    with path.open("wb") as file:
        for start in range(0, n, PART):
            m = min(PART, n - start)
            columns = {f"n{i}": draw.normal(size=m).round(3) for i in range(5)}
            columns |= {f"c{i}": COLOURS[draw.integers(0, 4, m)] for i in range(4)}
            yes = (columns["n0"] > 0.3) & (columns["c1"] == "blue") | (columns["n1"] < -1)
            columns["class"] = np.where(yes ^ (draw.random(m) < 0.05), "yes", "no")
            pl.DataFrame(columns).write_csv(file, include_header=start == 0)


def cost(command: list[str], path: Path | None = None, **variables: str) -> Cost:
    """Run a command, the file in its pipe, and see what it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ | variables)
    seen: list[float] = []
    watching = threading.Thread(target=_watch_memory, args=(process, seen))
    watching.start()
    assert process.stdin is not None
    if path is not None:
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                process.stdin.write(part)
    process.stdin.close()
    if process.wait():
        raise SystemExit(f"{command} has failed")
    watching.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, seen[len(seen) // 4] if seen else 0.0, max(seen, default=0.0))


def _watch_memory(process: subprocess.Popen[bytes], seen: list[float]) -> None:
    while process.poll() is None:
        try:
            resident = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
            seen.append(resident * os.sysconf("SC_PAGE_SIZE") / 1e6)
        except (OSError, IndexError):
            pass
        time.sleep(0.1)


def measured(command: list[str], path: Path, few: Path) -> Cost:
    """What a command takes for a file, without what it takes to start."""
    start = cost(command, few, POLARS_MAX_THREADS="1")
    whole = cost(command, path, POLARS_MAX_THREADS="1")
    return whole._replace(seconds=whole.seconds - start.seconds)


def middle(costs: list[Cost]) -> Cost:
    """The run that took neither the most nor the fewest seconds."""
    return sorted(costs)[len(costs) // 2]


def main() -> None:
    """Measure in rounds, so that what else the machine does meets all alike, and print."""
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    with TemporaryDirectory() as folder:
        path, few = Path(folder) / "rows.csv", Path(folder) / "few.csv"
        write_rows(path, n)
        write_rows(few, 200)
        print(f"{n:,} rows of 10 columns, {path.stat().st_size / 1e6:,.0f} MB of CSV, through a pipe")
        found: dict[str, list[Cost]] = {name: [] for name in RUNS}
        for _ in range(ROUNDS):
            for name, command in RUNS.items():
                found[name].append(measured(command, path, few))
    report = Report("pipe", COLUMNS)
    typical = {name: middle(costs) for name, costs in found.items()}
    for name, taken in typical.items():
        ratios = {f"times_{peer}": taken.seconds / typical[f"{peer}, only parsing"].seconds for peer in PEERS}
        report.add({"what": name, **taken._asdict(), "rate": n / taken.seconds, **ratios})


if __name__ == "__main__":
    main()
