"""A table that grows row by row: printed as Markdown, so that it can stand on a page, and kept as CSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.running import ROOT

RESULTS = ROOT / "build" / "benchmarks"
"""Where the CSV files of the last runs are; `benchmarks/history` keeps those of each version."""


class Column(NamedTuple):
    """A column of a table: its key in a row, its head, how its values are written, and how wide it is at least."""

    key: str
    head: str
    form: str = ""
    width: int = 0

    def text(self, value: Any) -> str:
        """A value as it is printed; what does not exist is a dash."""
        if value is None:
            return "-"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value if isinstance(value, str) else format(value, self.form)


class Report:
    """One table. Rows may hold more than its columns show: all of it goes to the CSV file."""

    def __init__(self, name: str, columns: Sequence[Column]) -> None:
        self.columns = columns
        self.rows: list[dict[str, Any]] = []
        self.path = RESULTS / f"{name}.csv"
        self.widths = [max(len(column.head), column.width) for column in columns]
        self._print([column.head for column in columns])
        self._print(["-" * width for width in self.widths])

    def add(self, row: Mapping[str, Any]) -> None:
        """Print a row and keep it, also when the run is interrupted after it."""
        self.rows.append(dict(row))
        self._print([column.text(row.get(column.key)) for column in self.columns])
        self._write()

    def _print(self, cells: Sequence[str]) -> None:
        first, *others = zip(cells, self.widths, strict=True)
        padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        print(f"| {' | '.join(padded)} |", flush=True)

    def _write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        keys = dict.fromkeys(key for row in self.rows for key in row)
        with self.path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(keys))
            writer.writeheader()
            writer.writerows(self.rows)
