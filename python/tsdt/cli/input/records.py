"""Delimited text row by row, in plain Python: what every row is judged by, and the way where pyarrow is absent."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tsdt.cli.input.block import BadRow, Block
from tsdt.cli.input.bytes import closing_line
from tsdt.cli.input.kinds import MISSING, NUMBER, Kinds, is_number
from tsdt.tables import objects


@dataclass
class Layout:
    """How rows are written: the names of the columns, what divides them, which of them are used, which is the label."""

    names: list[str]
    delimiter: str
    kinds: Kinds
    target: str | None
    used: frozenset[str]
    keep_text: bool = False

    @property
    def places(self) -> list[tuple[int, str]]:
        """The columns to read, with their positions."""
        return [(i, name) for i, name in enumerate(self.names) if name in self.used or name == self.target]


class BadRowError(ValueError):
    """What is wrong with a row, and the column of numbers that it has text in, where that is it."""

    def __init__(self, reason: str, text_in: str | None = None) -> None:
        super().__init__(reason)
        self.text_in = text_in

    @classmethod
    def of_text(cls, name: str, value: Any) -> BadRowError:
        """Text among the numbers of a column."""
        return cls(f"{name} is {value!r}, but was a number so far", name)


def records(block: bytes) -> Iterator[tuple[int, bytes]]:
    """The rows of a block with the line they begin in, counted from 0. Empty lines are no rows.

    A quote that is not closed ends with its line, so that one bad row does not swallow the others.
    """
    lines = block.split(b"\n")
    i = 0
    while i < len(lines):
        end = i + 1
        if lines[i].count(b'"') % 2:
            end = closing_line(lines, i) or end
        record = b"\n".join(lines[i:end]).rstrip(b"\r")
        if record:
            yield i, record
        i = end


def fields(record: bytes, delimiter: str, n_columns: int = 0) -> list[str]:
    """The fields of a row; an error where it is not text, has an open quote, or too few or many fields."""
    try:
        text = record.decode()
    except UnicodeDecodeError as error:
        raise BadRowError(f"byte {error.start + 1} is not UTF-8") from None
    if '"' in text:
        try:
            (found,) = csv.reader([text], delimiter=delimiter, strict=True)
        except (csv.Error, ValueError):
            raise BadRowError("a quote is not closed or out of place") from None
    else:
        found = text.split(delimiter)
    if n_columns and len(found) != n_columns:
        raise BadRowError(f"{len(found)} field{'s' if len(found) != 1 else ''} instead of {n_columns}")
    return found


def read_block(block: bytes, first_line: int, layout: Layout) -> Block:
    """All rows of a block, each judged by itself."""
    values: dict[str, list[Any]] = {name: [] for _, name in layout.places}
    result, place, n = Block({}, 0), list[int](), 0
    text = list[bytes]()
    for n, (line, record) in enumerate(records(block)):
        text.append(record)
        try:
            row = _checked(fields(record, layout.delimiter, len(layout.names)), layout)
        except BadRowError as error:
            written = record.decode(errors="replace")
            result.bad.append(BadRow(first_line + line, written, str(error), error.text_in))
            continue
        place.append(n)
        for name, value in row:
            values[name].append(value)
    result.n_rows, result.lines, result.text = len(place), block.count(b"\n"), text if layout.keep_text else ()
    result.place = np.array(place, dtype=np.intp)
    columns = {name: _column(values[name], layout.kinds.of[name]) for name in values}
    if layout.target is not None:
        result.labels = objects(columns.pop(layout.target).tolist())
    result.rows = columns
    return result


def _checked(found: Sequence[str], layout: Layout) -> list[tuple[str, Any]]:
    """The values of a row by name."""
    row = list[tuple[str, Any]]()
    for i, name in layout.places:
        text = found[i]
        if name == layout.target:
            if text in MISSING:
                raise BadRowError(f"{name} is missing, which is the target")
            row.append((name, text))
        elif text in MISSING:
            row.append((name, None))
        elif layout.kinds.of[name] == NUMBER:
            if not is_number(text):
                raise BadRowError.of_text(name, text)
            row.append((name, float(text)))
        else:
            row.append((name, layout.kinds.words.get(name, {}).get(text, text)))
    return row


def _column(values: list[Any], kind: str) -> Any:
    return np.array(values, dtype=np.float64) if kind == NUMBER else objects(values)
