"""Which reader a file needs, by its name or as told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, Protocol

from tsdt.cli.exits import CommandError
from tsdt.cli.input.block import Block
from tsdt.cli.input.bytes import Stop, UnreadableError, open_bytes
from tsdt.cli.input.kinds import Kinds

FORMATS = ("csv", "tsv", "jsonl", "parquet")
ENDINGS = {
    "csv": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "json": "jsonl",
    "parquet": "parquet",
    "pq": "parquet",
}


class Reader(Protocol):
    """What every reader offers: the names of the columns, and then blocks of rows."""

    names: list[str]
    header: bytes
    line: int
    offset: int

    def skip_to(self, file: IO[bytes], offset: int, line: int) -> None:
        """Go on from a place that an earlier run has reached."""

    def arrange(self, kinds: Kinds, target: str | None, used: frozenset[str], keep_text: bool) -> None:
        """Decide what to read and how."""

    def __iter__(self) -> Iterator[Block]:
        """The blocks."""


def format_of(path: str, told: str | None = None) -> str:
    """The format of a file: as told, else by the end of its name, else CSV.

    >>> format_of("rows.tsv.gz"), format_of("-"), format_of("rows", "jsonl")
    ('tsv', 'csv', 'jsonl')
    """
    return told or ENDINGS.get(_ending(path), "csv")


def has_format(path: str) -> bool:
    """Whether the end of a name says what the format is.

    >>> has_format("rows.tsv.gz"), has_format("/dev/stdout")
    (True, False)
    """
    return _ending(path) in ENDINGS


def _ending(path: str) -> str:
    return path.removesuffix(".gz").rpartition(".")[2].lower()


def open_input(
    path: str, stop: Stop, told: str | None = None, delimiter: str | None = None, names: list[str] | None = None
) -> tuple[IO[bytes], Reader]:
    """A file or pipe and its reader."""
    name = "standard input" if path == "-" else path
    if path != "-" and os.path.isdir(path):
        raise CommandError(f"{path} is a folder; give a file, or - for standard input")
    try:
        file = open_bytes(path)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {(error.strerror or str(error)).lower()}") from None
    try:
        reader = _reader(file, stop, format_of(path, told), delimiter, names)
    except CommandError as error:
        file.close()
        raise error if isinstance(error, UnreadableError) else CommandError(f"{name}: {error}", error.code) from None
    return file, reader


def _reader(file: IO[bytes], stop: Stop, form: str, delimiter: str | None, names: list[str] | None) -> Reader:
    if form == "jsonl":
        from tsdt.cli.input.objects import ObjectReader

        return ObjectReader(file, stop)
    if form == "parquet":
        from tsdt.cli.input.parquet import ParquetReader

        return ParquetReader(file, stop)
    from tsdt.cli.input.delimited import DelimitedReader

    return DelimitedReader(file, stop, "\t" if form == "tsv" else delimiter, names)
