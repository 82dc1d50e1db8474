"""Puts tables that were made from results into pages, each between its two marks, so that page and results agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
END = "<!-- end -->"
REPRODUCTION = ROOT / "docs" / "reproduction.md"


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table: the first column to the left, the others to the right.

    >>> print(markdown(["q", "runs"], [[5, "20 of 20"]]))
    | q |     runs |
    | - | -------: |
    | 5 | 20 of 20 |
    """
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(head), *texts]) for i in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(row, widths) for row in [list(head), rule, *texts])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return f"| {' | '.join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)])} |"


def filled(text: str, parts: Mapping[str, str]) -> str:
    """A page with each part between `<!-- name -->` and `<!-- end -->`; parts that it has no marks for are left out."""
    for name, part in parts.items():
        before, mark, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(END)
        if mark and end:
            text = f"{before}{mark}{part}\n{end}{after}"
    return text


def fill(pages: Sequence[Path], parts: Mapping[str, str]) -> None:
    """Bring pages up to the results; one that is not there is left alone."""
    for page in pages:
        if page.exists():
            page.write_text(filled(page.read_text(encoding="utf-8"), parts), encoding="utf-8")
