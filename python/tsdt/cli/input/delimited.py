"""CSV and TSV: the header, what divides the fields, and blocks read fast where they are clean, row by row where not."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator
from typing import IO

from tsdt.cli.exits import CommandError
from tsdt.cli.input import columns
from tsdt.cli.input.block import Block, join
from tsdt.cli.input.bytes import Stop, whole_lines
from tsdt.cli.input.kinds import FIRST, TEXT, Kinds
from tsdt.cli.input.records import BadRowError, Layout, fields, read_block, records

SMALL = 1 << 15
"""Bytes: a smaller part of a block with a bad row is read row by row."""

LONG_ENOUGH = 5.0
"""Seconds to wait for the first rows before the columns are judged by those that came."""

PARTS = 8
"""In how many parts a block with a bad row is divided, to find it."""


class DelimitedReader:
    """Rows of delimited text."""

    def __init__(self, file: IO[bytes], stop: Stop, delimiter: str | None, names: list[str] | None) -> None:
        self._stop = stop
        self._blocks = whole_lines(file, stop, quoted=True)
        self.header = b""
        self.line = 1
        self.offset = 0
        first = next(self._blocks, b"")
        if first.startswith(b"\xef\xbb\xbf"):
            first, self.offset = first[3:], 3
        if names is None:
            first = self._take_header(first, delimiter)
        else:
            self.names, self.delimiter = names, delimiter or likely_delimiter(first.partition(b"\n")[0])
        self._blocks = itertools.chain([first] if first else [], self._blocks)
        self.layout: Layout | None = None

    def _take_header(self, first: bytes, delimiter: str | None) -> bytes:
        _, record = next(records(first), (0, b""))
        if not record:
            raise CommandError("the input is empty: not even a header is there")
        self.delimiter = delimiter or likely_delimiter(record)
        try:
            self.names = [name.strip() for name in fields(record, self.delimiter)]
        except BadRowError as error:
            raise CommandError(f"the header cannot be read: {error}") from None
        if len(set(self.names)) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise CommandError(f"two columns are named {twice!r}; rename one")
        self.header = record
        end = _after(first, first.index(record) + len(record))
        self.line += first.count(b"\n", 0, end)
        self.offset += end
        return first[end:]

    def skip_to(self, file: IO[bytes], offset: int, line: int) -> None:
        """Go on from a place that an earlier run has reached."""
        file.seek(offset)
        self._blocks = whole_lines(file, self._stop, quoted=True)
        self.offset, self.line = offset, line

    def arrange(self, kinds: Kinds, target: str | None, used: frozenset[str], keep_text: bool) -> None:
        """Decide what to read and how; looks at the first rows where the kind of a column is not known."""
        self.layout = Layout(self.names, self.delimiter, kinds, target, used, keep_text)
        if target is not None:
            kinds.of[target] = TEXT
        unknown = any(name not in kinds.of for _, name in self.layout.places)
        if unknown:
            kinds.learn(self.names, self._first_rows())

    def _first_rows(self) -> list[list[str]]:
        rows, seen, deadline = list[list[str]](), list[bytes](), time.monotonic() + LONG_ENOUGH
        for block in self._blocks:
            seen.append(block)
            for _, record in itertools.islice(records(block), FIRST - len(rows)):
                with contextlib.suppress(BadRowError):
                    rows.append(fields(record, self.delimiter, len(self.names)))
            if len(rows) >= FIRST or time.monotonic() > deadline:
                break
        self._blocks = itertools.chain(seen, self._blocks)
        return rows

    def __iter__(self) -> Iterator[Block]:
        if self.layout is None:
            raise RuntimeError("arrange comes first")
        for block in self._blocks:
            result = _read(block, self.line, self.layout)
            self.line += result.lines
            self.offset += len(block)
            result.end = self.offset
            yield result


def likely_delimiter(header: bytes) -> str:
    """What divides the fields of a header: the most frequent of comma, semicolon, tab and bar.

    >>> likely_delimiter(b"age;name, first;class")
    ';'
    """
    counts = {mark: header.count(mark.encode()) for mark in ",;\t|"}
    return max(counts, key=lambda mark: counts[mark])


def _after(block: bytes, place: int) -> int:
    end = block.find(b"\n", place)
    return len(block) if end < 0 else end + 1


def _read(block: bytes, line: int, layout: Layout) -> Block:
    """A block by the compiled engine; where it has a fault, its parts; the smallest parts row by row."""
    found = columns.read_block(block, layout)
    if found is not None:
        return found
    if len(block) <= SMALL or b'"' in block:
        return read_block(block, line, layout)
    results = list[Block]()
    start = 0
    while start < len(block):
        stop = _after(block, min(start + len(block) // PARTS, len(block) - 1))
        results.append(_read(block[start:stop], line, layout))
        line += results[-1].lines
        start = stop
    return join(results)
