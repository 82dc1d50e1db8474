"""Real processes: pipes, signals, kills at random moments, the session of the README, and how soon it starts."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

import pytest
from command_runs import COMMAND, HEADER, rows, start

import tsdt
from tsdt.files import open_saved, to_bytes

ROOT = Path(__file__).parent.parent.parent
KILLS = int(os.environ.get("TSDT_KILLS", "6"))
A_LIFE = 4000
"""Rows that a process is given before it is killed; it is given them again and again until then."""


def feed(pipe: IO[bytes], lines: list[str], pause: float = 0.002, endless: bool = True) -> threading.Thread:
    """Write a header and rows into a pipe, in the background, until no one reads them."""

    def write() -> None:
        try:
            pipe.write(f"{HEADER}\n".encode())
            while True:
                for i in range(0, len(lines), 50):
                    pipe.write("".join(f"{line}\n" for line in lines[i : i + 50]).encode())
                    pipe.flush()
                    time.sleep(pause)
                if not endless:
                    break
            pipe.close()
        except (BrokenPipeError, ValueError):
            pass

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def wait_until(condition: Any, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.02)


def samples_in(path: Path) -> int:
    return int(open_saved(path).notes["samples"]) if path.exists() else 0


def a_life(path: Path, lines: list[str], draw: random.Random) -> str:
    """A process that learns from a pipe, killed early or some time after a checkpoint; what it has said."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    process = start("learn", "-", "--target", "class", "--checkpoint", str(path), "--every", "50ms")
    assert process.stdin is not None and process.stderr is not None
    feeding = feed(process.stdin, lines)
    if draw.random() < 0.25:
        time.sleep(draw.uniform(0.0, 3.0))
    else:
        wait_until(lambda: path.exists() and path.stat().st_mtime_ns != before)
        time.sleep(draw.uniform(0.0, 0.4))
    process.send_signal(signal.SIGKILL)
    said = process.stderr.read().decode()
    process.wait()
    feeding.join()
    return said


def test_kill_at_any_moment_leaves_the_last_checkpoint(tmp_path: Path) -> None:
    path, draw = tmp_path / "m.tsdt", random.Random(os.environ.get("TSDT_KILLS_SEED", "0"))
    covered, before, lives = list[str](), 0, 0
    for life in range(KILLS):
        lines = rows(A_LIFE, seed=life)
        said = a_life(path, lines, draw)
        after = samples_in(path)  # it loads, whole
        if before and (said or after > before):
            assert f"Going on from {path} after {before:,} samples" in said
        covered += [lines[i % A_LIFE] for i in range(after - before)]
        lives += after > before
        before = after
    assert lives > KILLS // 3, "too few lives were long enough for a checkpoint"
    (tmp_path / "covered.csv").write_text("\n".join([HEADER, *covered]) + "\n")
    whole = [str(tmp_path / "covered.csv"), "--target", "class", "--stream", "--model", str(tmp_path / "whole.tsdt")]
    subprocess.run([*COMMAND, "learn", *whole, "--quiet"], check=True)
    assert to_bytes(tsdt.load(path)) == to_bytes(tsdt.load(tmp_path / "whole.tsdt"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_save_and_end_well(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "m.tsdt"
    process = start("learn", "-", "--target", "class", "--checkpoint", str(path), "--every", "100ms")
    assert process.stdin is not None
    feed(process.stdin, rows(2000))
    wait_until(path.exists)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and b"ended by" in out and b"Saved in" in out and b"Traceback" not in err
    assert re.search(rf"Learned {samples_in(path):,} samples", out.decode())


def test_a_signal_that_is_ignored_stays_so() -> None:
    code = (
        "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from tsdt.cli.stopping import Starting, Stopping\n"
        "with Starting(), Stopping() as stop: os.kill(os.getpid(), signal.SIGINT); print(stop.asked or 'ignored')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "ignored\n"


def test_a_slow_pipe_is_learned_as_it_comes_and_answered_at_once(tmp_path: Path) -> None:
    path = tmp_path / "m.tsdt"
    process = start("learn", "-", "--target", "class", "--model", str(path), "--quiet")
    assert process.stdin is not None
    feed(process.stdin, rows(500), endless=False)
    assert process.wait(timeout=60) == 0 and samples_in(path) == 500
    process = start("predict", str(path), "-")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"age,colour,size\n50,red,1\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"age,colour,size,prediction,confidence\n"
    assert process.stdout.readline().startswith(b"50,red,1,yes,")  # while the pipe is open
    process.stdin.close()
    assert process.wait(timeout=60) == 0


def test_a_pipe_that_ends_is_the_table_it_is(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("\n".join([HEADER, *rows(650)]) + "\n")
    for source, name in ((str(tmp_path / "d.csv"), "file.tsdt"), ("-", "pipe.tsdt")):
        with (tmp_path / "d.csv").open("rb") as file:
            learn = [
                "learn",
                source,
                "--target",
                "class",
                "--time-limit",
                "5m",
                "--quiet",
                "--model",
                str(tmp_path / name),
            ]
            subprocess.run([*COMMAND, *learn], stdin=file, check=True)
    piped = tsdt.load(tmp_path / "pipe.tsdt")
    assert piped.tree_.n_samples == 650 and piped.certificate_.proven
    assert to_bytes(piped) == to_bytes(tsdt.load(tmp_path / "file.tsdt"))


def test_a_reader_that_has_enough_ends_it_quietly(tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m tsdt --help | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == "" and done.stdout.startswith("usage: tsdt")


def test_a_stream_whose_reader_goes_away_is_saved(tmp_path: Path) -> None:
    process = start("learn", "-", "--target", "class", "--model", str(tmp_path / "m.tsdt"), "--json")
    assert process.stdin is not None and process.stdout is not None
    feed(process.stdin, rows(2000))
    assert b'"progress"' in process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 0 and samples_in(tmp_path / "m.tsdt") > 0


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_that_are_closed_change_nothing(tmp_path: Path, closed: str) -> None:
    (tmp_path / "d.csv").write_text("\n".join([HEADER, *rows(300)]) + "\n")
    command = f"'{sys.executable}' -m tsdt learn d.csv --target class --model m.tsdt {closed}"
    assert subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    assert samples_in(tmp_path / "m.tsdt") == 300


def test_the_version_imports_nothing_heavy() -> None:
    code = "import sys; from tsdt.cli.main import main; main(['--version']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not any(f"'{heavy}'" in done.stdout for heavy in ("numpy", "sklearn", "pyarrow", "rich", "argparse"))
    help_code = "import sys; from tsdt.cli.parser import build_parser; build_parser().format_help(); print(sys.modules)"
    done = subprocess.run([sys.executable, "-c", help_code], capture_output=True, text=True, check=True)
    assert not any(f"'{heavy}'" in done.stdout for heavy in ("numpy", "sklearn", "pyarrow", "rich"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is missing")
def test_the_session_of_the_readme_runs_as_written(tmp_path: Path) -> None:
    (session,) = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    install, activate, *commands = session.strip().splitlines()
    assert install.split("#")[0].strip() == "make setup" and activate.split("#")[0].strip() == ". .venv/bin/activate"
    shim = tmp_path / "bin" / "tsdt"  # the command that `make setup` makes, with the Python that runs this test
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tsdt "$@"\n')
    shim.chmod(0o755)
    path = f"{shim.parent}:{os.environ['PATH']}"
    script = "set -eu\n" + "\n".join(commands)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Proven" in done.stdout and "If " in done.stdout
    assert (tmp_path / "answered.csv").read_text().splitlines()[0].endswith(",prediction,confidence")


def test_make_setup_provides_the_command() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "RUNTIME := $(VENV)/.runtime-installed $(VENV)/bin/tsdt" in makefile
    assert os.access(ROOT / "scripts" / "tsdt", os.X_OK)
