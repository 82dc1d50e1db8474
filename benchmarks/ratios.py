"""What each version measured, kept in benchmarks/history, and a check that no ratio falls by more than a quarter.

`python -m benchmarks.ratios record` keeps the last runs as those of this version; `check` compares them with the newest
record. Ratios are between learners on one machine in one run, so a record serves on every machine.
"""

from __future__ import annotations

import csv
import importlib.metadata
import math
import platform
import shutil
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import parquet
from benchmarks.page import write_tables
from benchmarks.peers.environments import REQUIREMENTS
from benchmarks.report import RESULTS
from benchmarks.running import ROOT
from tsdt.engine import engine_name

HISTORY = ROOT / "benchmarks" / "history"
MOST_FALL = 0.25
WORTH_TIMING = 0.1
"""Cells that STreeD solves in fewer seconds say more of imports and clocks than of a search."""

Rows = list[dict[str, str]]


def geometric_mean(values: Sequence[float]) -> float:
    """The mean of ratios."""
    return math.exp(statistics.mean(map(math.log, values)))


def exact_ratios(rows: Rows) -> dict[str, float]:
    """Against STreeD, and against the optimum."""
    timed = [row for row in rows if row["ratio"] and float(row["streed_seconds"]) >= WORTH_TIMING]
    return {
        "exact: STreeD's CPU time over ours": geometric_mean([float(row["ratio"]) for row in timed]),
        "exact: share of cells proven": statistics.mean(row["proven"] == "True" for row in rows),
        "exact: least share of the optimum after 1 s": min(float(row["after_1s"]) for row in rows),
    }


def convergence_ratios(rows: Rows) -> dict[str, float]:
    """The samples that the search over trees needs for one of those that the search over branches needs."""
    medians = {(row["problem"], row["search"]): float(row["median"]) for row in rows if row["median"]}
    problems = dict.fromkeys(problem for problem, _ in medians)
    both = [p for p in problems if (p, "trees") in medians and (p, "branches") in medians]
    return {f"convergence: trees over branches, {p}": medians[p, "trees"] / medians[p, "branches"] for p in both}


def throughput_ratios(rows: Rows) -> dict[str, float]:
    """Against River's VFDT, averaged over the concepts."""
    return {
        "throughput: learn_many over River": geometric_mean([float(row["ratio"]) for row in rows]),
        "throughput: learn_one over River": geometric_mean([float(row["ratio_one"]) for row in rows]),
    }


def footprint_ratios(rows: Rows) -> dict[str, float]:
    """How flat memory is: what it was when the window had been filled twice, over the most that it was later."""
    full = [float(row["resident"]) for row in rows if int(row["samples"]) >= 200_000]
    return {"memory: at 200,000 samples over the most later": full[0] / max(full)} if full else {}


def drift_ratios(rows: Rows) -> dict[str, float]:
    """Accuracy over whole concepts after the first change, against River's adaptive tree."""

    def accuracy(learner: str) -> float:
        after = [row for row in rows if row["learner"] == learner][1:]
        parts = {"first": 0.1, "second": 0.1, "middle": 0.6, "last": 0.2}
        return statistics.mean(sum(share * float(row[part]) for part, share in parts.items()) for row in after)

    ours = [name for name in dict.fromkeys(row["learner"] for row in rows) if name.startswith("tsdt")]
    return {f"drift: accuracy of {name} over River's": accuracy(name) / accuracy("River HAT") for name in ours}


def parquet_ratios(rows: Rows) -> dict[str, float]:
    """Against scikit-learn's encoder and tree on one large file."""
    by_name = {row["learner"]: row for row in rows}
    ours, theirs = by_name["tsdt"], by_name[f"one-hot, depth {parquet.DEPTH}"]
    return {
        "parquet: CPU time of one-hot and CART over ours": float(theirs["cpu"]) / float(ours["cpu"]),
        "parquet: their prediction over ours": float(theirs["predict"]) / float(ours["predict"]),
        "parquet: their tree's prediction alone over ours": float(theirs["alone"]) / float(ours["predict"]),
        "parquet: their memory over ours": float(theirs["mb"]) / float(ours["mb"]),
    }


def numeric_ratios(rows: Rows) -> dict[str, float]:
    """Against CART on tables of numbers."""
    return {
        "numeric: least of our objective over CART's": min(float(r["value"]) / float(r["cart"]) for r in rows),
        "numeric: accuracy on folds over CART's": geometric_mean(
            [float(r["test"]) / float(r["cart_test"]) for r in rows]
        ),
    }


def pipe_ratios(rows: Rows) -> dict[str, float]:
    """Against those who only parse, and how flat memory is."""
    seconds = {row["what"]: float(row["seconds"]) for row in rows}
    ours = next(row for row in rows if row["what"] == "tsdt learn")
    return {
        "pipe: polars' parsing over our learning": seconds["polars, only parsing"] / seconds["tsdt learn"],
        "pipe: pandas' parsing over our learning": seconds["pandas, only parsing"] / seconds["tsdt learn"],
        "pipe: polars' parsing over our reading": seconds["polars, only parsing"] / seconds["tsdt, only reading"],
        "pipe: memory at a quarter of the rows over the most": float(ours["early"]) / float(ours["most"]),
    }


RATIOS: dict[str, Callable[[Rows], dict[str, float]]] = {
    "exact": exact_ratios,
    "convergence": convergence_ratios,
    "throughput": throughput_ratios,
    "footprint": footprint_ratios,
    "drift": drift_ratios,
    "parquet": parquet_ratios,
    "numeric": numeric_ratios,
    "pipe": pipe_ratios,
}


def read(path: Path) -> Rows:
    """The rows of a CSV file."""
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def ratios(folder: Path) -> dict[str, float]:
    """All ratios of the tables in a folder."""
    found: dict[str, float] = {}
    for name, ratio in RATIOS.items():
        if (folder / f"{name}.csv").exists():
            found |= ratio(read(folder / f"{name}.csv"))
    return found


def version() -> str:
    """The version of this checkout."""
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    return next(line.split('"')[1] for line in lines if line.startswith("version"))


def newest() -> Path | None:
    """The record of the newest version."""
    folders = [folder for folder in HISTORY.glob("*") if folder.is_dir()]
    return max(folders, key=lambda folder: [int(part) for part in folder.name.split(".")], default=None)


def write_about(path: Path) -> None:
    """What the figures were measured with."""
    libraries = ["numpy", "scikit-learn", "river"]
    rows = [("python", platform.python_version()), ("tsdt", version()), ("engine", engine_name())]
    rows += [(name, importlib.metadata.version(name)) for name in libraries]
    rows += [tuple(pins[0].split("==")) for pins in REQUIREMENTS.values()]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("what", "version"), *rows])


def record() -> None:
    """Keep the last runs as those of this version, and put their tables on the page."""
    folder = HISTORY / version()
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(RESULTS.glob("*.csv")):
        shutil.copy(path, folder / path.name)
    write_about(folder / "about.csv")
    write_tables(folder, read)
    print(f"Kept in {folder.relative_to(ROOT)}, and on the page docs/benchmarks.md:")
    for name, value in ratios(folder).items():
        print(f"  {value:>10.3f}  {name}")


def check() -> bool:
    """Whether no ratio has fallen by more than a quarter since the newest record."""
    folder, now = newest(), ratios(RESULTS)
    if folder is None:
        print("No version is recorded yet: `python -m benchmarks.ratios record` does it.")
        return True
    print(f"{'now':>10}  {'before':>10}  (before: version {folder.name})")
    fallen = False
    for name, before in ratios(folder).items():
        fell = name in now and now[name] < (1.0 - MOST_FALL) * before
        fallen |= fell
        value = f"{now[name]:.3f}" if name in now else "not run"
        print(f"{value:>10}  {before:>10.3f}  {name}" + ("  FELL by more than a quarter" if fell else ""))
    return not fallen


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record"]:
            record()
        case ["check"]:
            sys.exit(not check())
        case _:
            sys.exit(__doc__)
