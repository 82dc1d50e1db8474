"""Bad rows: counted, the first few shown, kept in a file where that was asked for, fatal where that was."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from typing import IO, Any

from tsdt.cli.exits import CommandError
from tsdt.cli.input import BadRow

SHOWN = 5
WIDEST = 60


class Rejects:
    """Takes bad rows."""

    def __init__(self, warn: Callable[[str], None], strict: bool, path: str | None) -> None:
        self.n, self.strict, self.warn = 0, strict, warn
        self._file: IO[str] | None = None
        if path is not None:
            self._file = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115  # closed by close
            self._writer: Any = csv.writer(self._file)
            self._writer.writerow(["line", "reason", "row"])

    def take(self, rows: Sequence[BadRow]) -> None:
        """Deal with some bad rows."""
        for row in rows:
            self.n += 1
            if self._file is not None:
                self._writer.writerow([row.line, _reason(row), row.text])
            if self.strict:
                self.close()
                raise CommandError(f"{_told(row)}; without --strict it would be left out")
            if self.n <= SHOWN:
                self.warn(f"left out {_told(row)}")
            if self.n == SHOWN + 1:
                self.warn("more bad rows are counted but not shown; --rejects FILE keeps them")
        if rows and self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """No more rows."""
        if self._file is not None:
            self._file.close()


def _told(row: BadRow) -> str:
    text = row.text if len(row.text) <= WIDEST else row.text[:WIDEST] + "..."
    return f"line {row.line}: {_reason(row)}" + (f": {' '.join(text.split())}" if text else "")


def _reason(row: BadRow) -> str:
    return row.reason + (f" (--text {row.text_in} makes it text)" if row.text_in else "")
