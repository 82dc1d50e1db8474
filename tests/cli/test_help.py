"""--help teaches: every example in it runs, on files with the names that it uses."""

from __future__ import annotations

import gzip
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import Shell

from tsdt.cli import exits
from tsdt.cli.help_texts import COMMANDS, TOP_EXAMPLES

ENDLESS = ("producer", "tail -f", "eval")
"""What begins so does not end by itself, or stands for what people have."""


def examples(text: str) -> list[str]:
    """The commands of an example: what stands before two spaces, a remark or a line end."""
    lines = [re.split(r"\s{2,}|\s+#", line.strip())[0] for line in text.splitlines() if re.match(r"  \S", line)]
    return [line for line in lines if not line.startswith(ENDLESS)]


ALL = dict.fromkeys(
    line for text in (*(text for _, text in COMMANDS.values()), TOP_EXAMPLES) for line in examples(text)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with the names that the examples use."""
    pl = pytest.importorskip("polars")
    folder, draw = tmp_path_factory.mktemp("examples"), random.Random(0)
    rows = [(draw.choice(["sunny", "rain"]), draw.randint(40, 99)) for _ in range(300)]
    lines = [f"{sky},{humidity},{'in' if sky == 'rain' or humidity > 75 else 'out'}" for sky, humidity in rows]
    text = "\n".join(["outlook,humidity,class", *lines]) + "\n"
    for name in ("data.csv", "new.csv", "test.csv"):
        (folder / name).write_text(text)
    (folder / "logs.gz").write_bytes(gzip.compress(text.replace("class", "status", 1).encode()))
    pl.read_csv(folder / "data.csv").write_parquet(folder / "new.parquet")
    learn = [sys.executable, "-m", "tsdt", "learn", "data.csv", "--target", "class", "--quiet", "--model", "m.tsdt"]
    subprocess.run(learn, cwd=folder, check=True)
    for name in ("a.tsdt", "b.tsdt", "monday.tsdt", "friday.tsdt"):
        shutil.copy(folder / "m.tsdt", folder / name)
    return folder


def test_every_command_has_examples() -> None:
    assert all(examples(text) for name, (_, text) in COMMANDS.items() if name != "demo") and len(ALL) > 25


@pytest.mark.parametrize("example", ALL)
def test_an_example_runs(example: str, folder: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    if not re.search(r"[|<>]", example):
        assert example.startswith("tsdt ") and shell(*example.split()[1:]).code == exits.OK
        return
    if "jq" in example and shutil.which("jq") is None:
        pytest.skip("jq is missing")
    shim = folder / "tsdt"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tsdt "$@"\n')
    shim.chmod(0o755)
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)}
    (folder / ".config" / "fish" / "completions").mkdir(parents=True, exist_ok=True)
    script = f"set -euo pipefail\n{example}"
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
