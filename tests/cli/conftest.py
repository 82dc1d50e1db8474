"""What the tests of the command share."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Shell, rows, write_csv

from tsdt.cli.main import main


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    return Shell(capsys, tmp_path)


@pytest.fixture
def data(tmp_path: Path) -> str:
    return write_csv(tmp_path / "data.csv", rows(600))


@pytest.fixture(scope="session")
def learned(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A model of those rows, learned once for all tests."""
    folder = tmp_path_factory.mktemp("learned")
    path = folder / "m.tsdt"
    assert (
        main(["learn", write_csv(folder / "data.csv", rows(600)), "--target", "class", "--model", str(path), "--quiet"])
        == 0
    )
    return path.read_bytes()


@pytest.fixture
def model(shell: Shell, data: str, learned: bytes) -> str:
    path = Path(shell.path("m.tsdt"))
    path.write_bytes(learned)
    return str(path)
