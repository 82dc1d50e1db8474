"""The table that `make bench-exact` prints: every known optimum, ours beside STreeD, each in a process of its own."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.exact.optima import CELLS, Cell, available, default_reference, read_optima
from benchmarks.exact.ours import reached, value_at
from benchmarks.exact.summary import summary
from benchmarks.peers.environments import PeerMissingError, interpreter
from benchmarks.report import Column, Report
from benchmarks.running import RunError, figures
from tsdt.datasets import paper_table
from tsdt.engine import engine_name

COLUMNS = (
    Column("table", "table", width=15),
    Column("split_cost", "cost", "g", 6),
    Column("optimum", "optimum", ".6f", 8),
    Column("value", "value", ".6f", 8),
    Column("proven", "proven"),
    Column("found", "found s", ".3f"),
    Column("seconds", "CPU s", ".3f", 6),
    Column("megabytes", "MB", ".0f", 4),
    Column("after_1s", "after 1 s", ".2%"),
    Column("streed_value", "STreeD", ".6f", 8),
    Column("streed_proven", "proven"),
    Column("streed_seconds", "CPU s", ".3f", 6),
    Column("streed_megabytes", "MB", ".0f", 4),
    Column("streed_after_1s", "after 1 s", ".2%"),
    Column("times", "times", width=7),
)


def arguments() -> argparse.Namespace:
    """What can be chosen on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exact", description=__doc__)
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds for ours in each cell")
    parser.add_argument(
        "--peer-limit", type=float, default=40.0, help="seconds for STreeD in each cell; 0 leaves it out"
    )
    parser.add_argument("--policy", default="auto", help="the policy of our search")
    parser.add_argument("--reference", type=Path, default=default_reference(), help="a CSV file of proven optima")
    parser.add_argument("--tables", nargs="*", help="only these tables")
    return parser.parse_args()


def streed(cell: Cell, python: Path, limit: float) -> dict[str, Any]:
    """STreeD in one cell, at its limit and after one second. It knows only binary attributes."""
    table = paper_table(cell.table)
    if max(len(np.unique(column)) for column in table.X.T) > 2:
        return {"times": "binary"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.npz"
        np.savez(file, X=table.X, y=table.y)
        module = "benchmarks.peers.streed"
        found = figures(module, file, cell.split_cost, limit, interpreter=python)
        soon = found if found["seconds"] < 1.0 else figures(module, file, cell.split_cost, 1.0, interpreter=python)
    return {**{f"streed_{key}": value for key, value in found.items()}, "streed_value_1s": soon["value"]}


def compare(row: dict[str, Any]) -> None:
    """Add what both have to do with the optimum and with each other."""
    proofs = [row[name] for name, flag in (("value", "proven"), ("streed_value", "streed_proven")) if row.get(flag)]
    row["optimum"] = row["optimum"] if row["optimum"] is not None else max(proofs, default=None)
    if row["optimum"]:
        row["after_1s"] = row["value_1s"] / row["optimum"]
        found = reached(row["history"], row["optimum"])
        row["found"] = found.seconds if found else None
        if "streed_value_1s" in row:
            row["streed_after_1s"] = row["streed_value_1s"] / row["optimum"]
    if "streed_seconds" in row:
        row["ratio"] = row["streed_seconds"] / max(row["seconds"], 1e-4)
        row["times"] = ("" if row["streed_proven"] else ">") + f"{row['ratio']:.1f}" if row["proven"] else "-"


def measure(cell: Cell, options: argparse.Namespace, optimum: float | None, peer: Path | None) -> dict[str, Any]:
    """One row of the table."""
    row: dict[str, Any] = {"table": cell.table, "split_cost": cell.split_cost, "optimum": optimum}
    row |= figures("benchmarks.exact.ours", cell.table, cell.split_cost, options.limit, options.policy)
    row["value_1s"] = value_at(row["history"], 1.0)
    if peer:
        row |= streed(cell, peer, options.peer_limit)
    compare(row)
    del row["history"]
    return row


def find_peer(limit: float) -> tuple[Path | None, str]:
    """The Python that has STreeD, and how it is spoken of above the table."""
    if limit <= 0:
        return None, "left out, as asked"
    try:
        return interpreter("pystreed"), f"{limit:g} s of the wall clock in each cell"
    except PeerMissingError as error:
        return None, str(error)


def main() -> None:
    """Run every cell, print the table and what it says."""
    options = arguments()
    peer, words = find_peer(options.peer_limit)
    cells = available(cell for cell in CELLS if not options.tables or cell.table in options.tables)
    optima = read_optima(options.reference)
    print(f"Engine: {engine_name()}, at most {options.limit:g} CPU s in each cell. STreeD: {words}.")
    print("Optima: " + ("proven elsewhere." if optima else "no file of them, so those proven in this run."))
    print("MB is what solving adds to the imports; times is STreeD's CPU time over ours, > where it has no proof.\n")
    report = Report("exact", COLUMNS)
    for cell in cells:
        try:
            report.add(measure(cell, options, optima.get(cell), peer))
        except RunError as error:
            print(f"{cell.table} at {cell.split_cost:g} failed: {error}")
    print()
    for line in summary(report.rows):
        print(line)


if __name__ == "__main__":
    main()
