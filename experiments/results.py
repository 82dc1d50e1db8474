"""The results of an experiment: a CSV file that grows task by task, so that an interrupted run continues."""

from __future__ import annotations

import csv
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.report import value
from tsdt.engine import engine_name
from tsdt.version import VERSION

Row = dict[str, Any]
"""One line of a file of results, by the names of its columns."""


def versions(packages: Sequence[str] = ()) -> str:
    """What measured: this package and its engine, Python, and the packages that took part."""
    found = [f"tsdt {VERSION} ({engine_name()})", f"Python {platform.python_version()}"]
    return "; ".join([*found, *(f"{name} {version(name)}" for name in packages)])


def read(path: Path) -> list[Row]:
    """The rows of a file; none where there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as lines:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(lines)]


class Results:
    """The rows that are known. A task is done when there are rows with its values in the columns of the key."""

    def __init__(self, path: Path, key: Sequence[str]) -> None:
        self.path, self.key = path, tuple(key)
        self.rows = read(path)
        self._done = {self._key(row) for row in self.rows}

    def __contains__(self, task: Mapping[str, Any]) -> bool:
        return self._key(task) in self._done

    def add(self, task: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep all rows of a task at once: a file never holds half of them."""
        self.rows += [{**task, **row} for row in rows]
        self._done.add(self._key(task))
        self._write()

    def _key(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(row[name]) for name in self.key)

    def _write(self) -> None:
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        beside = self.path.with_suffix(".part")
        with beside.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows)
        os.replace(beside, self.path)
