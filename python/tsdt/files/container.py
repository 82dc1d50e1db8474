"""A file around bytes: a header with a version and a checksum, written whole or not at all.

    10 bytes  89 54 53 44 54 0D 0A 1A 0A 00, which no text has and which copying as text would change
     2 bytes  the version of the format
     8 bytes  the length of the content
    32 bytes  SHA-256 of the version, the length and the content
              the content

All numbers are little-endian. What the content means is not known here.
"""

from __future__ import annotations

import hashlib
import os
import struct
import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl

OTHER_COPY = "copy it again, or use an older copy"
MAGIC = b"\x89TSDT\r\n\x1a\n\0"
VERSION = 1

_HEADER = struct.Struct("<10sHQ32s")
_COUNTED = struct.Struct("<HQ")


class ModelFileError(ValueError):
    """A file that holds no model, or no whole one; the message names the file and what to do.

    Example:
        >>> import tsdt
        >>> try:
        ...     tsdt.load(tsdt.__file__)
        ... except tsdt.ModelFileError as error:
        ...     print(str(error).partition("__init__.py ")[2])
        is no model of tsdt: it begins with ...; give a file that model.save has written
    """


def wrap(content: bytes) -> bytes:
    """The content with its header."""
    return _HEADER.pack(MAGIC, VERSION, len(content), _checksum(VERSION, content)) + content


def unwrap(whole: bytes, path: str) -> bytes:
    """The content of a file, found complete and unaltered.

    >>> unwrap(wrap(b"content"), "model.tsdt")
    b'content'
    >>> unwrap(wrap(b"content")[:-2], "model.tsdt")
    Traceback (most recent call last):
        ...
    tsdt.files.container.ModelFileError: model.tsdt is cut short: 57 bytes of 59 are there; copy it again, or use an \
older copy
    """
    if not whole.startswith(MAGIC[: max(1, len(whole))]):
        raise ModelFileError(
            f"{path} is no model of tsdt: it begins with {whole[:8]!r}; give a file that model.save has written"
        )
    if len(whole) < _HEADER.size:
        raise ModelFileError(
            f"{path} is cut short: it has {len(whole)} bytes, the header alone {_HEADER.size}; {OTHER_COPY}"
        )
    _, version, length, checksum = _HEADER.unpack_from(whole)
    content = whole[_HEADER.size :]
    if version != VERSION:  # whose header may be another one, too
        newer = "a newer tsdt; upgrade this one" if version > VERSION else "an older tsdt; load it there"
        doubt = "" if _checksum(version, content) == checksum else f", or, if it never was, {OTHER_COPY}"
        raise ModelFileError(f"{path} has format {version}, this tsdt reads format {VERSION}: it is of {newer}{doubt}")
    if len(content) < length:
        expected = _HEADER.size + length
        raise ModelFileError(f"{path} is cut short: {len(whole)} bytes of {expected} are there; {OTHER_COPY}")
    if len(content) > length or _checksum(version, content) != checksum:
        raise ModelFileError(f"{path} was altered after it was written: its checksum does not fit; {OTHER_COPY}")
    return content


def _checksum(version: int, content: bytes) -> bytes:
    checksum = hashlib.sha256(_COUNTED.pack(version, len(content)))
    checksum.update(content)
    return checksum.digest()


def write_whole(path: str | os.PathLike[str], whole: bytes) -> None:
    """Put bytes into a file so that at every moment the file is the old one or the new one, also after a crash.

    They go to a file beside it first, which then takes its place. That file has always the same name: what a crash
    leaves of it is overwritten the next time.
    """
    try:
        _put_in_place(Path(os.path.realpath(path)), whole)
    except OSError as error:
        error.filename, error.filename2 = os.fspath(path), None  # the one that whoever reads it knows
        raise


def _put_in_place(target: Path, whole: bytes) -> None:
    beside = target.with_name(f".{target.name}.saving")
    with os.fdopen(_open_alone(beside), "wb") as file:
        try:
            file.truncate()
            file.write(whole)
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                os.chmod(beside, target.stat().st_mode & 0o777)
            os.replace(beside, target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    _sync_folder(target.parent)


def _open_alone(path: Path) -> int:
    """Open a file for writing, waiting until no one else writes it."""
    while True:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        if sys.platform == "win32":
            return handle
        fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except FileNotFoundError:  # whoever had it has put it in place meanwhile
            pass
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Have the new name of a file survive a loss of power."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
