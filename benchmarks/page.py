"""Puts the recorded tables into docs/benchmarks.md, each between its two marks, so that page and record agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import numeric, parquet, pipe, policies, scaling
from benchmarks.exact import __main__ as exact
from benchmarks.peers import __main__ as peers
from benchmarks.report import Column, body, head, value
from benchmarks.running import ROOT
from benchmarks.streams import convergence, drift, footprint, prequential, throughput

PAGE = ROOT / "docs" / "benchmarks.md"
COLUMNS: dict[str, Sequence[Column]] = {
    "exact": exact.COLUMNS,
    "policies": policies.COLUMNS,
    "convergence": convergence.COLUMNS,
    "throughput": throughput.COLUMNS,
    "footprint": footprint.COLUMNS,
    "drift": drift.COLUMNS,
    "prequential": prequential.COLUMNS,
    "peers": peers.COLUMNS,
    "scaling": scaling.COLUMNS,
    "parquet": parquet.COLUMNS,
    "numeric": numeric.COLUMNS,
    "pipe": pipe.COLUMNS,
}


def write_tables(folder: Path, rows_of: Callable[[Path], list[dict[str, str]]]) -> None:
    """Bring every table of the page up to a record; tables that were not recorded stay as they are."""
    page = PAGE.read_text()
    for name, columns in COLUMNS.items():
        path = folder / f"{name}.csv"
        if path.exists():
            rows = [{key: value(text) for key, text in row.items()} for row in rows_of(path)]
            marks = re.compile(f"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
            table = "\n".join([*head(columns), *(body(columns, row) for row in rows)])
            page = marks.sub(lambda found, table=table: f"{found[1]}{table}\n{found[2]}", page)
    PAGE.write_text(page)
