"""Running the command in this process or in one of its own, and rows to run it on."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tsdt.cli.main import main

COMMAND = [sys.executable, "-m", "tsdt"]


def rows(n: int, seed: int = 0) -> list[str]:
    """Rows of CSV with numbers, text, few whole numbers and missing values."""
    draw = random.Random(seed)
    lines = []
    for _ in range(n):
        age, colour, size = round(draw.gauss(40, 10), 1), draw.choice(["red", "blue", "green"]), draw.randint(1, 4)
        yes = (age > 45 and colour == "red") or (colour == "blue" and size > 2)
        lines.append(f"{age},{colour},{size},{draw.choice(['a', 'b', ''])},{'yes' if yes else 'no'}")
    return lines


HEADER = "age,colour,size,note,class"


def write_csv(path: Path, lines: list[str]) -> str:
    """A CSV file; its path."""
    path.write_text("\n".join([HEADER, *lines]) + "\n")
    return str(path)


class Run:
    """What a command has said, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


class Shell:
    """Runs commands in this process, which is quicker."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._capsys, self.folder = capsys, folder

    def __call__(self, *arguments: str) -> Run:
        code = main(arguments)
        captured = self._capsys.readouterr()
        return Run(code, captured.out, captured.err)

    def path(self, name: str) -> str:
        return str(self.folder / name)


def start(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    """A command as a process of its own, fed through a pipe."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*COMMAND, *arguments], **(pipes | options))  # type: ignore[call-overload, no-any-return]
