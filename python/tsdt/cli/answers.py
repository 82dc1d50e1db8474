"""Rows with their answers on the way out, in the format they came in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import IO, Any

from tsdt.cli.exits import USAGE, CommandError

Answer = dict[str, Any]
"""What is added to a row, by column."""


def write_delimited(out: IO[bytes], delimiter: str, columns: Sequence[str]) -> Callable[[Any, Any], None]:
    """Writes rows as they were, and the answers behind them."""
    known: dict[int, bytes] = {id(None): delimiter.encode() * len(columns) + b"\n"}

    def write(text: Sequence[bytes], answers: Sequence[Answer | None]) -> None:
        for answer in answers:
            if id(answer) not in known and answer is not None:
                known[id(answer)] = _fields(answer, delimiter) + b"\n"
        out.write(b"".join(line + known[id(answer)] for line, answer in zip(text, answers, strict=True)))

    return write


def _fields(answer: Answer, delimiter: str) -> bytes:
    return delimiter.encode() + joined([as_text(value) for value in answer.values()], delimiter)


def joined(values: Sequence[str], delimiter: str) -> bytes:
    """Fields of a row, quoted where they need it."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="").writerow(values)
    return text.getvalue().encode()


def as_text(value: Any) -> str:
    """A value of an answer as a field."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write_objects(out: IO[bytes], columns: Sequence[str]) -> Callable[[Any, Any], None]:
    """Writes objects with the answers among their keys; None where a row could not be used."""
    nothing = dict.fromkeys(columns)

    def write(rows: Sequence[Any], answers: Sequence[Answer | None]) -> None:
        for row, answer in zip(rows, answers, strict=True):
            out.write(_with(row, answer or nothing))

    return write


def _with(row: Any, answer: Answer) -> bytes:
    if isinstance(row, bytes):
        try:
            row = json.loads(row)
        except ValueError:
            return row + b"\n"
        if not isinstance(row, dict):
            return json.dumps(row).encode() + b"\n"
    return json.dumps(row | answer, ensure_ascii=False, default=str).encode() + b"\n"


def write_table(out: IO[bytes], names: Sequence[str], columns: Sequence[str]) -> Callable[[Any, Any], None]:
    """Writes rows of a table as CSV, the header first."""
    out.write(joined([*names, *columns], ",") + b"\n")
    nothing = dict.fromkeys(columns)

    def write(rows: Sequence[dict[str, Any]], answers: Sequence[Answer | None]) -> None:
        for row, answer in zip(rows, answers, strict=True):
            before = ["" if value is None else str(value) for value in row.values()]
            out.write(joined([*before, *map(as_text, (answer or nothing).values())], ",") + b"\n")

    return write


class ParquetWriter:
    """Writes rows of a Parquet file and the answers beside them."""

    def __init__(self, path: str, schema: Any, columns: Sequence[str]) -> None:
        import pyarrow
        import pyarrow.parquet

        self._added = [
            pyarrow.field(name, pyarrow.float64() if i else pyarrow.string()) for i, name in enumerate(columns)
        ]
        self._schema = pyarrow.schema([*schema, *self._added])
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema)
        self._nothing = dict.fromkeys(columns)

    def __call__(self, rows: Sequence[dict[str, Any]], answers: Sequence[Answer | None]) -> None:
        """Write some rows."""
        import pyarrow

        listed = [row | _label_as_text(answer or self._nothing) for row, answer in zip(rows, answers, strict=True)]
        self._writer.write_table(pyarrow.Table.from_pylist(listed, schema=self._schema))

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()


def _label_as_text(answer: Answer) -> Answer:
    first, *others = answer.items()
    return {first[0]: None if first[1] is None else str(first[1]), **dict(others)}


def check_output(came_as: str, goes_as: str) -> None:
    """Refuse what would change text formats into each other."""
    if came_as != goes_as and came_as != "parquet":
        raise CommandError(f"rows that come as {came_as} go out as {came_as}, not as {goes_as}", USAGE)
