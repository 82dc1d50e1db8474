"""Results on their way out: to standard output, or to a file that is there whole or not at all."""

from __future__ import annotations

import os
from typing import IO

from tsdt.cli.exits import USAGE, CommandError
from tsdt.files.container import write_whole


def write(text: str, path: str | None) -> None:
    """Write a text, with a line end."""
    text = text if text.endswith("\n") else text + "\n"
    if path is None:
        print(text, end="")
    else:
        write_whole(path, text.encode())


def check_apart(output: str | None, *inputs: str | None) -> None:
    """Refuse to write over what is read."""
    for path in inputs:
        there = output is not None and path is not None and os.path.isfile(output) and os.path.isfile(path)
        if there and os.path.samefile(str(output), str(path)):
            raise CommandError(f"{output} is read, so it cannot be written; name another file", USAGE)


def can_redraw(stream: IO[str]) -> bool:
    """Whether a stream goes to a terminal that can draw over what it has drawn."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
