"""A schema as one printed table. It reads columns and decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tsdt.schema.column import Column

SHOWN = 6  # categories or edges in a line
WIDEST = 60
HEADER = ("column", "kind", "values", "missing", "why")


def schema_rows(columns: Sequence[Column]) -> list[tuple[str, ...]]:
    """The cells: column, kind, values, share of missing values, and why the kind was decided; the header first."""
    return [HEADER, *(_row(column) for column in columns)]


def schema_text(columns: Sequence[Column]) -> str:
    """The table, aligned, with a line under its header."""
    rows = schema_rows(columns)
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    lines = [_line(row, widths) for row in rows]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return "\n".join(lines)


def _line(row: tuple[str, ...], widths: Sequence[int]) -> str:
    cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
    cells[3] = row[3].rjust(widths[3])
    return " | ".join(cells).rstrip()


def _row(column: Column) -> tuple[str, str, str, str, str]:
    column = column.numbers or column
    share = column.n_missing / column.n_seen if column.n_seen else 0.0
    if column.kind is None:
        return str(column.name), "undecided", "", "100.0%", column.why
    values = _edges(column) if column.kind == "numeric" else _categories(column)
    return str(column.name), column.kind, values, f"{share:.1%}", column.why


def _edges(column: Column) -> str:
    shown = [f"{edge:.15g}" for edge in column.edges]
    return f"{len(shown) + 1} bins" + (f", edges {_abridged(shown)}" if shown else "")


def _categories(column: Column) -> str:
    shown = ["missing" if category is None else str(category) for category in column.lookup]
    return f"{len(shown)}: {_abridged(shown)}"


def _abridged(items: Sequence[str]) -> str:
    shown = items if len(items) <= SHOWN else [*items[: SHOWN - 2], "...", items[-1]]
    text = ", ".join(shown)
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
