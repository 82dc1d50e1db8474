"""The table with which `make bench` ends: every peer on the same rows at the same split cost, in one run."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.exact.optima import Cell, available
from benchmarks.peers.environments import PeerMissingError, interpreter
from benchmarks.report import Column, Report
from benchmarks.running import RunError, figures
from tsdt.datasets import Table, paper_table


class Peer(NamedTuple):
    """A learner by its name: the module that asks it, and the environment it needs (None: the one of this process)."""

    module: str
    environment: str | None = None


PEERS = {
    "tsdt": Peer("ours"),
    "STreeD": Peer("streed", "pystreed"),
    "GOSDT": Peer("gosdt", "gosdt"),
    "DL8.5, depth<=4": Peer("dl85", "pydl8.5"),
    "CART, pruned": Peer("cart"),
    "River VFDT": Peer("vfdt"),
}
TABLES = ("MONK1-droplast", "MONK2", "MONK3", "tic-tac-toe", "car-evaluation", "compas-binary", "fico_binary")
COLUMNS = (
    Column("table", "table", width=15),
    Column("learner", "learner", width=15),
    Column("value", "objective", ".6f"),
    Column("proven", "proven"),
    Column("splits", "splits"),
    Column("test", "test accuracy", ".3f"),
    Column("seconds", "CPU s", ".3f", 7),
    Column("megabytes", "MB", ".0f", 5),
    Column("ratio", "times ours", ".1f", 10),
)


def save_halves(table: Table, path: Path) -> None:
    """Two thirds of the rows to learn from, one third to test on, the same for everyone."""
    order = np.random.default_rng(0).permutation(len(table))
    train, test = np.split(order, [2 * len(table) // 3])
    np.savez(path, X=table.X[train], y=table.y[train], X_test=table.X[test], y_test=table.y[test])


def ready(peers: dict[str, Peer]) -> dict[str, Callable[..., dict[str, Any]]]:
    """The peers that are here, each as a function that asks it; those that are not are named with the reason."""
    found: dict[str, Callable[..., dict[str, Any]]] = {}
    for name, peer in peers.items():
        try:
            python = interpreter(peer.environment) if peer.environment else sys.executable
        except PeerMissingError as error:
            print(f"{name} is left out: {error}.")
            continue
        module = f"benchmarks.peers.{peer.module}"
        found[name] = lambda *arguments, module=module, python=python: figures(module, *arguments, interpreter=python)
    return found


def main() -> None:
    """Ask every peer on every table and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--split-cost", type=float, default=0.01)
    parser.add_argument("--limit", type=float, default=30.0, help="CPU seconds for each learner on each table")
    options = parser.parse_args()
    peers = ready(PEERS)
    print(f"Objective on the training rows at split cost {options.split_cost:g}; at most {options.limit:g} s each.\n")
    report = Report("peers", COLUMNS)
    for cell in available(Cell(table, options.split_cost) for table in TABLES):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "table.npz"
            save_halves(paper_table(cell.table), file)
            for name, row in answers(peers, file, options).items():
                report.add({"table": cell.table, "learner": name, **row})


def answers(peers: dict[str, Any], file: Path, options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """What every peer answers on one table; what fails says so."""
    rows: dict[str, dict[str, Any]] = {}
    for name, ask in peers.items():
        try:
            rows[name] = ask(file, options.split_cost, options.limit)
        except RunError as error:
            print(f"{name} failed: {error}")
            continue
        if "tsdt" in rows:
            rows[name]["ratio"] = rows[name]["seconds"] / rows["tsdt"]["seconds"]
    return rows


if __name__ == "__main__":
    main()
