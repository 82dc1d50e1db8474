"""JSON lines: one object a line. A key that a row lacks is a missing value."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from tsdt.cli.exits import CommandError
from tsdt.cli.input.block import BadRow, Block
from tsdt.cli.input.bytes import Stop, whole_lines
from tsdt.cli.input.kinds import FIRST, NUMBER, TEXT, Kinds
from tsdt.cli.input.records import BadRowError
from tsdt.tables import objects


class ObjectReader:
    """Rows of JSON lines."""

    header = b""

    def __init__(self, file: IO[bytes], stop: Stop) -> None:
        self._stop = stop
        self._blocks = whole_lines(file, stop, quoted=False)
        self.line, self.offset = 1, 0
        first = next(self._blocks, b"")
        self._blocks = itertools.chain([first] if first else [], self._blocks)
        self.names = self._names(first)
        if not self.names:
            raise CommandError("no JSON object is in its first lines" if first else "the input is empty")

    def _names(self, first: bytes) -> list[str]:
        names: dict[str, None] = {}
        for line in first.split(b"\n")[:FIRST]:
            try:
                names.update(dict.fromkeys(_object(line)))
            except BadRowError:
                continue
        return list(names)

    def skip_to(self, file: IO[bytes], offset: int, line: int) -> None:
        """Go on from a place that an earlier run has reached."""
        file.seek(offset)
        self._blocks = whole_lines(file, self._stop, quoted=False)
        self.offset, self.line = offset, line

    def arrange(self, kinds: Kinds, target: str | None, used: frozenset[str], keep_text: bool) -> None:
        """Decide what to read and how."""
        self._kinds, self._target, self._keep_text = kinds, target, keep_text
        self._left_out = frozenset(self.names) - used

    def __iter__(self) -> Iterator[Block]:
        for block in self._blocks:
            result = self._read(block)
            self.line += result.lines
            self.offset += len(block)
            result.end = self.offset
            yield result

    def _read(self, block: bytes) -> Block:
        rows, labels, place = list[dict[str, Any]](), list[Any](), list[int]()
        result, text = Block(rows, 0), list[bytes]()
        for i, line in enumerate(block.split(b"\n")):
            if not line.strip():
                continue
            text.append(line)
            try:
                row, label = self._checked(_object(line))
            except BadRowError as error:
                result.bad.append(BadRow(self.line + i, line.decode(errors="replace"), str(error), error.text_in))
                continue
            place.append(len(text) - 1)
            rows.append(row)
            labels.append(label)
        result.n_rows, result.lines, result.text = len(rows), block.count(b"\n"), text if self._keep_text else ()
        result.place = np.array(place, dtype=np.intp)
        result.labels = objects(labels) if self._target is not None else None
        return result

    def _checked(self, row: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        label = row.pop(self._target, None) if self._target is not None else None
        if self._target is not None and (label is None or label != label):
            raise BadRowError(f"{self._target} is missing, which is the target")
        kept = {name: value for name, value in row.items() if name not in self._left_out}
        for name, value in [*kept.items(), (self._target, label)]:
            if isinstance(value, (list, dict)):
                raise BadRowError(f"{name} holds a {'list' if isinstance(value, list) else 'object'}, not one value")
        for name, value in kept.items():
            self._check_kind(name, value)
        return kept, label

    def _check_kind(self, name: str, value: Any) -> None:
        if value is None:
            return
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        kind = self._kinds.of.setdefault(name, NUMBER if is_number else TEXT)
        if kind == NUMBER and not is_number:
            raise BadRowError.of_text(name, value)


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRowError(f"not JSON: {str(error)[:80]}") from None
    if not isinstance(found, dict):
        raise BadRowError(f"a JSON {type(found).__name__} instead of an object")
    return found
