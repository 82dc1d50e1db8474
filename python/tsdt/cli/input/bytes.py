"""Bytes from a file or a pipe, in blocks of whole lines. A slow pipe gives small blocks soon, a fast one large ones."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import select
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import IO, cast

from tsdt.cli.exits import CommandError

if sys.platform != "win32":
    import fcntl

BLOCK = 1 << 21
"""Bytes in a block, about. More would not be faster."""

PATIENCE = 0.2
"""Seconds that a line may wait for others to come."""

MOST_LINES = 100
"""Lines that one row can have between quotes; more are a quote that was not closed."""

Stop = Callable[[], bool]


class UnreadableError(CommandError):
    """The input breaks off: a disk that fails, a packed file that was cut."""

    def __init__(self, name: str, error: Exception) -> None:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        super().__init__(f"{name} cannot be read any further: {' '.join(why.split()).lower()}")


def open_bytes(path: str, offset: int = 0) -> IO[bytes]:
    """A file or, for `-`, standard input, from a place on. What ends in .gz is unpacked."""
    if path == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed")
        _widen(sys.stdin.fileno())
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    if path.endswith(".gz"):
        packed = gzip.GzipFile(path)
        packed.seek(offset)
        return cast(IO[bytes], packed)
    file = open(path, "rb", buffering=0)  # noqa: SIM115  # the reader closes it
    if offset:
        file.seek(offset)
    else:
        _widen(file.fileno())
    return file


def _widen(handle: int) -> None:
    """Ask for a pipe that holds a megabyte, so that reader and writer wait less for each other."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_SETPIPE_SZ, 1 << 20)


def pieces(file: IO[bytes], stop: Stop) -> Iterator[bytes]:
    """What the file gives, about a block at a time; less where no more came within `PATIENCE`. Ends when told to."""
    held, size, since = list[bytes](), 0, 0.0
    while not stop():
        waited = time.monotonic() - since if held else 0.0
        ready = _ready(file, max(0.0, PATIENCE - waited) if held else 0.1)
        try:
            piece = _piece(file) if ready else None
        except UnreadableError:
            if held:
                yield b"".join(held)
            raise
        if piece:
            since = since if held else time.monotonic()
            held.append(piece)
            size += len(piece)
        if held and (size >= BLOCK or piece == b"" or time.monotonic() - since >= PATIENCE):
            yield b"".join(held)
            held, size = [], 0
        if piece == b"":
            return
    if held:
        yield b"".join(held)


def _piece(file: IO[bytes]) -> bytes:
    try:
        return getattr(file, "read1", file.read)(BLOCK) or b""  # all that can be had before it breaks off
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError(name_of(file), error) from None


def name_of(file: IO[bytes]) -> str:
    """What a file is called in messages."""
    name = getattr(file, "name", None)
    return name if isinstance(name, str) else "standard input"


def _ready(file: IO[bytes], seconds: float) -> bool:
    """Whether there is something to read, waiting for it a while."""
    try:
        return bool(select.select([file.fileno()], [], [], seconds)[0])
    except (OSError, ValueError, io.UnsupportedOperation):  # not a thing that can be waited for
        return True


def whole_lines(file: IO[bytes], stop: Stop, quoted: bool) -> Iterator[bytes]:
    """Blocks that end with a line, and the rest at the end. Quoted: a line end between quotes ends no line.

    When told to stop, a line that has not come whole is left out.
    """
    rest = b""
    for piece in pieces(file, stop):
        end = piece.rfind(b"\n") + 1
        if not end:
            rest += piece
            continue
        block, rest = b"".join([rest, memoryview(piece)[:end]]), piece[end:]
        if quoted and b'"' in block and block.count(b'"') % 2:
            whole = block + rest
            end = _last_row_end(whole)
            block, rest = whole[:end], whole[end:]
        if block:
            yield block
    if rest and not stop():
        yield rest


def _last_row_end(block: bytes) -> int:
    """Where the last whole row of a block ends, one of whose quotes is open; 0 when there is none."""
    lines = block[: block.rfind(b"\n") + 1].split(b"\n")[:-1]
    i = passed = 0
    while i < len(lines):
        stop = i + 1
        if lines[i].count(b'"') % 2:
            stop = closing_line(lines, i)
            if not stop and len(lines) - i < MOST_LINES:  # it may close in what comes next
                return passed
            stop = stop or i + 1
        passed += sum(map(len, lines[i:stop])) + stop - i
        i = stop
    return passed


def closing_line(lines: Sequence[bytes], start: int) -> int:
    """Behind the line that closes the quote which is open in a line; 0 when none does."""
    for end in range(start + 1, min(start + MOST_LINES, len(lines))):
        if lines[end].count(b'"') % 2:
            return end + 1
    return 0
