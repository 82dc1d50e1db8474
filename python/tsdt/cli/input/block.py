"""A block of rows: the good ones as a table with labels, the bad ones with their line and what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn
from tsdt.tables import objects

Array = NDArray[Any]


class BadRow(NamedTuple):
    """A row that cannot be used: where it is, as it was written, and why.

    Where the reason is text in a column of numbers, `text_in` is that column: it might be read as text throughout.
    """

    line: int
    text: str
    reason: str
    text_in: str | None = None


@dataclass
class Block:
    """Rows that were read at once.

    `rows` is a table of the good ones without their labels. `place` says which of all the rows they are, and `text` is
    all rows as they were written, where that was asked for.
    """

    rows: Any
    n_rows: int
    labels: Array | None = None
    bad: list[BadRow] = field(default_factory=list)
    lines: int = 0
    end: int = 0
    text: Sequence[Any] = ()
    place: Array | None = None

    def part(self, start: int, stop: int) -> Any:
        """Some of the good rows."""
        if isinstance(self.rows, list):
            return self.rows[start:stop]
        return {name: column[start:stop] for name, column in self.rows.items()}


def join(blocks: Sequence[Block]) -> Block:
    """Blocks that follow each other as one."""
    if len(blocks) == 1:
        return blocks[0]
    places, before = [], 0
    for block in blocks:
        places.append((np.arange(block.n_rows) if block.place is None else block.place) + before)
        before += block.n_rows + len(block.bad)
    labels = [block.labels for block in blocks if block.labels is not None]
    return Block(
        rows=_join_rows([block.rows for block in blocks if block.n_rows] or [blocks[0].rows]),
        n_rows=sum(block.n_rows for block in blocks),
        labels=_join_columns(labels) if labels else None,
        bad=[bad for block in blocks for bad in block.bad],
        lines=sum(block.lines for block in blocks),
        end=blocks[-1].end,
        text=[text for block in blocks for text in block.text],
        place=np.concatenate(places),
    )


def _join_rows(rows: Sequence[Any]) -> Any:
    if isinstance(rows[0], list):
        return [row for part in rows for row in part]
    return {name: _join_columns([part[name] for part in rows]) for name in rows[0]}


def _join_columns(columns: Sequence[Array]) -> Array:
    if all(isinstance(column, CodedColumn) for column in columns):
        return _join_coded(cast("Sequence[CodedColumn]", columns))
    if len({column.dtype.kind for column in columns} - set("iuf")) > 0:
        return objects([value for column in columns for value in column.tolist()])
    return np.concatenate(columns)


def _join_coded(columns: Sequence[CodedColumn]) -> Array:
    """One list of values for all of them."""
    known: dict[Any, int] = {}
    parts = []
    for column in columns:
        moved = [known.setdefault(value, len(known)) for value in column.values]
        parts.append(np.array([*moved, -1], dtype=np.int32)[column.places])  # place -1 is the last one
    return cast(Array, CodedColumn(np.concatenate(parts), list(known)))
