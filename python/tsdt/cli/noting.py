"""Notes beside a model: the target, what columns hold, the history of its runs, and how far its source was read."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from tsdt.cli.input import Block

HEAD = 4096
"""Bytes at the beginning of a file by which it is known again."""

RUNS_KEPT = 50


def is_regular(path: str) -> bool:
    """Whether a path is a file that can be read again, not a pipe."""
    try:
        return path != "-" and stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def fingerprint(path: str) -> str:
    """What a whole file holds, as a checksum."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass
class Place:
    """How far a file was read: whole blocks up to an offset and line, and some rows of the next block."""

    offset: int
    line: int
    rows: int = 0

    def pass_block(self, block: Block) -> None:
        """A whole block is done."""
        self.offset, self.line, self.rows = block.end, self.line + block.lines, 0


def place_in(path: str, place: Place) -> dict[str, Any]:
    """A place as notes, with the beginning of the file by which it is known again."""
    length = min(HEAD, os.path.getsize(path))
    with open(path, "rb") as file:
        head = hashlib.sha256(file.read(length)).hexdigest()
    return {**asdict(place), "head": head, "head_length": length}


def place_to_go_on(path: str, noted: dict[str, Any] | None) -> Place | None:
    """The place that an earlier run has reached in this very file; None where it is another one."""
    if not noted or not is_regular(path):
        return None
    with open(path, "rb") as file:
        head = file.read(noted["head_length"])
    known = hashlib.sha256(head).hexdigest() == noted["head"]
    return Place(noted["offset"], noted["line"], noted["rows"]) if known else None


class History:
    """The runs that have made a model, this one the last."""

    def __init__(self, notes: dict[str, Any], source: str) -> None:
        self.notes = notes
        self.earlier: list[Any] = list(notes.get("runs", []))
        self.run = {"started": datetime.now(UTC).isoformat(timespec="seconds"), "source": os.path.basename(source)}

    @property
    def samples_before(self) -> int:
        """The samples of all runs before this one."""
        return int(self.notes.get("samples", 0))

    def note(self, samples: int, bad_rows: int, seconds: float, **more: Any) -> dict[str, Any]:
        """The notes to save now."""
        this = {**self.run, "samples": samples, "bad_rows": bad_rows, "seconds": round(seconds, 3)}
        runs = [*self.earlier, this][-RUNS_KEPT:]
        return {**self.notes, **more, "runs": runs, "samples": self.samples_before + samples}
