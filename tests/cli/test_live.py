"""The live display, as a terminal gets it: wide, narrow, without colours, and plain lines where none can be redrawn."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import termios
import threading
from pathlib import Path

import pytest
from command_runs import rows, start
from test_processes import feed, wait_until

pytest.importorskip("rich")


def watch(folder: Path, columns: int, until: str, **variables: str) -> str:
    """What a terminal gets of a stream until a word comes, and then Ctrl-C; the stream ends well."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": str(columns)} | variables
    learn = ["learn", "-", "--target", "class", "--checkpoint", str(folder / "m.tsdt"), "--every", "200ms"]
    process = start(*learn, stderr=theirs, env=environment)
    os.close(theirs)
    assert process.stdin is not None and process.stdout is not None
    feed(process.stdin, rows(2000))
    seen = bytearray()
    reading = threading.Thread(target=_read_all, args=(ours, seen))
    reading.start()
    wait_until(lambda: re.search(until.encode(), bytes(seen), re.DOTALL))
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    reading.join()
    assert process.returncode == 0 and b"ended by Ctrl-C" in out
    return seen.decode()


def _read_all(terminal: int, seen: bytearray) -> None:
    """All that comes, until no one has the other end; a terminal that is not read stops whoever writes."""
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 1 << 16):
            seen += part
    os.close(terminal)


@pytest.mark.parametrize("columns", [100, 60])
def test_a_terminal_shows_speed_value_gap_what_was_improved_and_the_tree(tmp_path: Path, columns: int) -> None:
    seen = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", watch(tmp_path, columns, "saved.*answer"))
    for word in (
        r"samples +[\d,]+ +[\d,]+ a second",
        r"value +0\.\d",
        r"below the|proven optimal",
        r"improved +(now|\d+ s ago)",
    ):
        assert re.search(word, seen), word
    assert "colour" in seen and "Ctrl-C ends it well" in seen
    assert max(len(line.rstrip("\r")) for line in seen.split("\n")) <= columns


def test_no_colours_where_none_are_wanted(tmp_path: Path) -> None:
    seen = watch(tmp_path, 100, "answer", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", seen) and "▓" in seen


def test_plain_lines_where_nothing_can_be_redrawn(tmp_path: Path) -> None:
    seen = watch(tmp_path, 100, r"samples .*leaves .*value", TERM="dumb")
    assert "\x1b" not in seen
