"""What the table of cells says in a few lines: how many optima, how many proofs, how soon, how large."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
SAME = 1e-9
"""Two objectives are one when they differ by less: values are whole rows and whole splits."""
QUICK = {
    1.0: ("MONK1-original", "MONK1-dropfirst", "MONK1-droplast", "MONK2", "MONK3", "compas-binary", "car-evaluation"),
    5.0: ("tic-tac-toe", "fico_binary"),
}
"""Seconds within which a split cost of 0.01 and above is to be proven, and on which tables."""


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """The lines under the table."""
    known = [row for row in rows if row["optimum"] is not None]
    missed = [row for row in known if abs(row["value"] - row["optimum"]) > SAME]
    yield f"Optimum reached (to {SAME:g}): {len(known) - len(missed)} of {len(known)} known{_names(missed)}."
    open_cells = [row for row in rows if not row["proven"]]
    yield f"Proven: {len(rows) - len(open_cells)} of {len(rows)}{_names(open_cells)}."
    longest, largest = max(rows, key=lambda row: row["seconds"]), max(rows, key=lambda row: row["megabytes"])
    yield f"Longest: {longest['seconds']:.2f} CPU s ({_name(longest)})."
    yield f"Largest: {largest['megabytes']:.0f} MB ({_name(largest)})."
    for limit, tables in QUICK.items():
        cells = [row for row in rows if row["table"] in tables and row["split_cost"] >= 0.01]
        late = [row for row in cells if not (row["proven"] and row["seconds"] < limit)]
        text = f"Split cost 0.01 and above, proven in under {limit:g} s: {len(cells) - len(late)} of {len(cells)}"
        yield f"{text}{_names(late)}."
    for share in (0.99, 0.995):
        below = [row for row in known if row["after_1s"] < share]
        text = f"At least {share:.1%} of the optimum after 1 s: {len(known) - len(below)} of {len(known)}"
        yield f"{text}{_names(below)}."
    yield from _beside_streed(rows)


def _beside_streed(rows: Sequence[Row]) -> Iterator[str]:
    solved = [row for row in rows if row.get("streed_value") is not None]
    if not solved:
        return
    both = [row for row in solved if row["proven"] and row["streed_proven"]]
    proven = sum(row["streed_proven"] for row in solved)
    yield f"STreeD: {proven} of {len(solved)} proven in its limit."
    if both:
        differ = [row for row in both if abs(row["value"] - row["streed_value"]) > SAME]
        mean = math.exp(sum(math.log(row["ratio"]) for row in both) / len(both))
        yield f"Both proven: {len(both)}; values differ in {len(differ)}. Geometric mean of the times: {mean:.1f}."


def _name(row: Row) -> str:
    return f"{row['table']} at {row['split_cost']:g}"


def _names(rows: Sequence[Row]) -> str:
    return f" (not: {', '.join(map(_name, rows))})" if rows else ""
