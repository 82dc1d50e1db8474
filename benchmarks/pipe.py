"""Rows of CSV through a pipe into `tsdt learn`: rows a second of processor time, and memory, beside polars and pandas.

    python benchmarks/pipe.py [ROWS] [FOLDER]

Each measurement is a process of its own; what it needs to start (an empty run) is taken off. Polars has one thread.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

COLOURS = np.array(["red", "green", "blue", "black"])
PART = 500_000
LEARN = [sys.executable, "-m", "tsdt", "learn", "-", "--target", "class"]
LEARN += ["--window", "100000", "--stream", "--quiet"]
READ = """
import sys
from argparse import Namespace
from tsdt.cli.input import Kinds
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows
args = Namespace(format=None, delimiter=None, names=None, ignore=[], text=[], numeric=[])
rows = Rows("-", args, Rejects(print, True, None))
rows.arrange(Kinds(), "class", None)
print(sum(block.n_rows for block in rows.blocks()), file=sys.stderr)
"""


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


def main() -> None:
    """Measure and print."""
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.gettempdir())
    path, few = folder / f"tsdt-pipe-{n}.csv", folder / "tsdt-pipe-few.csv"
    write_rows(path, n)
    write_rows(few, 200)
    python = [sys.executable, "-c"]
    runs = {
        "polars, only parsing": [*python, "import sys, polars; polars.read_csv(sys.stdin.buffer.read())"],
        "pandas, only parsing": [*python, "import sys, pandas; pandas.read_csv(sys.stdin.buffer)"],
        "tsdt, only reading": [*python, READ],
        "tsdt learn, no search": [*LEARN, "--effort", "1e-6"],
        "tsdt learn --effort 50": [*LEARN, "--effort", "50"],
        "tsdt learn --effort 100": [*LEARN, "--effort", "100"],
        "tsdt learn": LEARN,
    }
    print(f"{n:,} rows, {path.stat().st_size / 1e6:,.0f} MB of CSV through a pipe")
    print(f"{'':24}{'seconds':>9}{'rows/s':>12}{'x polars':>10}{'x pandas':>10}{'MB early':>10}{'MB most':>9}")
    taken: dict[str, float] = {}
    for name, command in runs.items():
        start = cost(command, few, POLARS_MAX_THREADS="1").seconds
        found = cost(command, path, POLARS_MAX_THREADS="1")
        taken[name] = seconds = found.seconds - start
        polars, pandas = taken["polars, only parsing"], taken.get("pandas, only parsing", float("nan"))
        print(
            f"{name:24}{seconds:9.2f}{n / seconds:12,.0f}{seconds / polars:10.1f}{seconds / pandas:10.1f}"
            f"{found.early:10,.0f}{found.most:9,.0f}",
            flush=True,
        )
    path.unlink()
    few.unlink()


if __name__ == "__main__":
    main()
