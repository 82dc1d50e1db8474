"""The commands: `make` lists what there is, and a missing tool gets one sentence. Nothing is installed here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text()
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"]
OURS = ("TSDT_", "MAKE", "MFLAGS", "PYTHON")  # variables that the commands heed
NEEDED = ["bash", "rm", "tail", "touch"]

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is missing")


def run(
    *command: str, folder: Path = ROOT, path: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; `path` is the only place where it finds programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    environment = kept | ({"PATH": str(path)} if path else {}) | variables
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """A folder of programs with a shell and little else: no cargo, no python."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in NEEDED:
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    return programs


@pytest.fixture
def elsewhere(tmp_path: Path) -> tuple[str, str]:
    """A virtual environment and a stamp that are not those of the checkout."""
    (tmp_path / "venv").mkdir()
    return str(tmp_path / "venv"), str(tmp_path / "venv" / "stamp")


@needs_make
def test_make_alone_lists_every_command() -> None:
    listed = run("make").stdout
    commands = re.findall(r"^\.PHONY: ([a-z-]+)$", MAKEFILE, flags=re.MULTILINE)
    assert {"demo", "test", "lint", "format", "build", "bench", "clean"} <= set(commands)
    for command in commands:
        assert re.search(rf"^  make {command} +\S.*$", listed, flags=re.MULTILINE), f"make {command} has no description"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_name_commands_and_files_that_exist(document: str) -> None:
    text = (ROOT / document).read_text()
    commands = set(re.findall(r"^\.PHONY: ([a-z-]+)$", MAKEFILE, flags=re.MULTILINE))
    assert set(re.findall(r"(?:`|^    )make ([a-z-]+)", text, flags=re.MULTILINE)) <= commands
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (ROOT / document).parent.joinpath(link).exists(), f"{document} links to {link}, which is not there"


def test_without_rust_one_line_says_so(bare_path: Path, elsewhere: tuple[str, str], tmp_path: Path) -> None:
    script = str(ROOT / "scripts" / "build-engine")
    for demanded, code, words in (("", 0, "plain-Python engine"), ("1", 1, "demands the compiled engine")):
        # In an empty folder: going on without the engine removes one that was built before.
        done = run(script, *elsewhere, folder=tmp_path, path=bare_path, TSDT_REQUIRE_RUST=demanded)
        said = done.stdout + done.stderr
        assert done.returncode == code and words in said and said.count("\n") == 1
        assert not Path(elsewhere[1]).exists()


def test_rust_checks_are_skipped_where_the_engine_was_not_built(elsewhere: tuple[str, str]) -> None:
    done = run("scripts/with-rust", elsewhere[1], "clippy")
    assert done.returncode == 0 and done.stdout == "Skipped cargo clippy: the compiled engine was not built.\n"
    assert run("scripts/with-rust", elsewhere[1], "clippy", TSDT_REQUIRE_RUST="1").returncode == 1


def test_a_missing_python_gets_one_sentence(bare_path: Path, elsewhere: tuple[str, str]) -> None:
    done = run("scripts/make-venv", elsewhere[0], path=bare_path)
    assert done.returncode == 1 and done.stderr.startswith("Python 3.11 or later is missing: install it from")
    assert done.stderr.count("\n") == 1


def test_a_python_that_is_too_old_is_not_taken(bare_path: Path, elsewhere: tuple[str, str]) -> None:
    old = bare_path / "python3"
    old.write_text("#!/usr/bin/env bash\nexit 1\n")  # what an old Python answers when it is asked for its version
    old.chmod(0o755)
    assert run("scripts/make-venv", elsewhere[0], path=bare_path).returncode == 1


def test_pinned_requirements_name_no_host() -> None:
    for lock in (ROOT / "requirements").glob("*.txt"):
        text = lock.read_text()
        assert "://" not in text and "--index-url" not in text
        assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\S)", text.strip()))
