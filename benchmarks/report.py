"""A table that grows row by row: printed as Markdown, so that it can stand on a page, and kept as CSV."""

from __future__ import annotations

import csv
import re
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

    @property
    def breadth(self) -> int:
        """How wide it is."""
        return max(len(self.head), self.width)

    def text(self, value: Any) -> str:
        """A value as it is printed; what does not exist is a dash."""
        if value is None:
            return "-"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value if isinstance(value, str) else format(value, self.form)


def line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """One line of a table: the first cell to the left, the others to the right."""
    first, *others = zip(cells, widths, strict=True)
    padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
    return f"| {' | '.join(padded)} |"


def head(columns: Sequence[Column]) -> list[str]:
    """The first two lines of a table."""
    widths = [column.breadth for column in columns]
    return [line([column.head for column in columns], widths), line(["-" * width for width in widths], widths)]


def body(columns: Sequence[Column], row: Mapping[str, Any]) -> str:
    """The line of one row."""
    return line([column.text(row.get(column.key)) for column in columns], [column.breadth for column in columns])


class Report:
    """One table. Rows may hold more than its columns show: all of it goes to the CSV file."""

    def __init__(self, name: str, columns: Sequence[Column]) -> None:
        self.columns = columns
        self.rows: list[dict[str, Any]] = []
        self.path = RESULTS / f"{name}.csv"
        print(*head(columns), sep="\n", flush=True)

    def add(self, row: Mapping[str, Any]) -> None:
        """Print a row and keep it, also when the run is interrupted after it."""
        self.rows.append(dict(row))
        print(body(self.columns, row), flush=True)
        self._write()

    def _write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        keys = dict.fromkeys(key for row in self.rows for key in row)
        with self.path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(keys))
            writer.writeheader()
            writer.writerows(self.rows)


def value(text: str) -> Any:
    """A cell of a CSV file as what it was: nothing, a truth, a number or a text."""
    if text in ("", "True", "False"):
        return {"": None, "True": True, "False": False}[text]
    try:
        return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
    except ValueError:
        return text
