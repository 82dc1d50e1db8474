"""Results on their way out: to standard output, or to a file that is there whole or not at all."""

from __future__ import annotations

from tsdt.files.container import write_whole


def write(text: str, path: str | None) -> None:
    """Write a text, with a line end."""
    text = text if text.endswith("\n") else text + "\n"
    if path is None:
        print(text, end="")
    else:
        write_whole(path, text.encode())
