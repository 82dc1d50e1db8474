"""The cells that are solved, and their optima where someone else has proven them."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tsdt.datasets import PAPER_TABLES, DataNotFoundError, paper_table

SPLIT_COSTS = (0.1, 0.01, 0.0025, 0.0001)


class Cell(NamedTuple):
    """A table and the price of a split on it."""

    table: str
    split_cost: float


CELLS = tuple(Cell(table, split_cost) for table in PAPER_TABLES for split_cost in SPLIT_COSTS)


def available(cells: Iterable[Cell]) -> list[Cell]:
    """The cells whose data are here; the tables that are not are named."""
    found, refused = [], {}
    for cell in cells:
        try:
            paper_table(cell.table)
            found.append(cell)
        except DataNotFoundError as error:
            refused[cell.table] = str(error)
    for table, reason in refused.items():
        print(f"Left out {table}: {reason}.")
    return found


def default_reference() -> Path | None:
    """The file of optima that stands beside the data, where there is one."""
    folder = os.environ.get("TSDT_DATA")
    path = Path(folder).resolve().parent / "reference" / "optima.csv" if folder else None
    return path if path and path.is_file() else None


def read_optima(path: Path | None) -> dict[Cell, float]:
    """The optimum of each cell of a file. Its accuracies are rounded, so they are brought back to whole rows."""
    if path is None:
        return {}
    optima = {}
    with path.open(newline="") as lines:
        for row in csv.DictReader(lines):
            cell = Cell(row["dataset"], float(row["lambda"]))
            n = len(paper_table(cell.table))
            optima[cell] = round(float(row["train_acc"]) * n) / n - cell.split_cost * int(row["splits"])
    return optima
