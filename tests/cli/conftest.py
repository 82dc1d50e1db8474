"""What the tests of the command share."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Shell, rows, write_csv


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    return Shell(capsys, tmp_path)


@pytest.fixture
def data(tmp_path: Path) -> str:
    return write_csv(tmp_path / "data.csv", rows(600))


@pytest.fixture
def model(shell: Shell, data: str) -> str:
    path = shell.path("m.tsdt")
    assert shell("learn", data, "--target", "class", "--model", path, "--quiet").code == 0
    return path
