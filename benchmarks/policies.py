"""The table that `make bench-policies` prints: how soon each policy finds the optimum, and how soon it proves it."""

from __future__ import annotations

import argparse
import csv
from typing import Any

from benchmarks.exact.optima import Cell, available, default_reference, read_optima
from benchmarks.exact.ours import Moment, reached, value_at
from benchmarks.report import RESULTS, Column, Report
from benchmarks.running import figures

POLICIES = ("mixed", "optimistic", "thompson", "ucb", "epsilon-greedy")
CELLS = (
    Cell("MONK1-dropfirst", 0.0025),
    Cell("MONK2", 0.01),
    Cell("tic-tac-toe", 0.01),
    Cell("tic-tac-toe", 0.0001),
    Cell("car-evaluation", 0.01),
    Cell("car-evaluation", 0.0001),
    Cell("compas-binary", 0.0001),
    Cell("fico_binary", 0.01),
    Cell("fico_binary", 0.0025),
    Cell("fico_binary", 0.0001),
)
COLUMNS = (
    Column("table", "table", width=15),
    Column("split_cost", "cost", "g", 6),
    Column("policy", "policy", width=14),
    Column("after_a_tenth", "after 0.1 s", ".2%"),
    Column("after_1s", "after 1 s", ".2%"),
    Column("found_seconds", "found s", ".3f"),
    Column("found_visits", "visits", ",", 9),
    Column("found_looks", "looks", ",", 9),
    Column("proven_seconds", "proven s", ".3f"),
    Column("proven_visits", "visits", ",", 9),
    Column("proven_looks", "looks", ",", 9),
    Column("gap", "gap left", ".4f"),
)


def row_of(cell: Cell, policy: str, found: dict[str, Any], optimum: float) -> dict[str, Any]:
    """One row: what a policy had after a while, when it found the optimum, and when it had proven it."""
    history = found["history"]
    at, proven = reached(history, optimum), found["proven"]
    return {
        "table": cell.table,
        "split_cost": cell.split_cost,
        "policy": policy,
        "after_a_tenth": value_at(history, 0.1) / optimum,
        "after_1s": value_at(history, 1.0) / optimum,
        **({f"found_{name}": getattr(at, name) for name in ("seconds", "visits", "looks")} if at else {}),
        **({f"proven_{name}": found[name] for name in ("seconds", "visits", "looks")} if proven else {}),
        "gap": 0.0 if proven else found["upper"] - found["value"],
    }


def curves(cell: Cell, policy: str, history: list[list[float]]) -> list[dict[str, Any]]:
    """The whole course of a search, for those who draw it."""
    name = {"table": cell.table, "split_cost": cell.split_cost, "policy": policy}
    return [{**name, **Moment(*now)._asdict()} for now in history]


def main() -> None:
    """Run every policy in every cell and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.policies", description=__doc__)
    parser.add_argument("--limit", type=float, default=8.0, help="CPU seconds for each search")
    options = parser.parse_args()
    print(f"At most {options.limit:g} CPU s each. A look is one question to the evidence: the counts of one branch.\n")
    report, course = Report("policies", COLUMNS), []
    optima = read_optima(default_reference())
    for cell in available(CELLS):
        runs = {p: figures("benchmarks.exact.ours", *cell, options.limit, p) for p in POLICIES}
        optimum = optima.get(cell, max(run["value"] for run in runs.values()))
        for policy, run in runs.items():
            report.add(row_of(cell, policy, run, optimum))
            course += curves(cell, policy, run["history"])
    with (RESULTS / "policy_curves.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["table", "split_cost", "policy", *Moment._fields])
        writer.writeheader()
        writer.writerows(course)


if __name__ == "__main__":
    main()
