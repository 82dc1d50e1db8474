"""Runs a measurement in a process of its own, so that neither memory nor warm caches pass from one to the next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tsdt.engine import engine_name

ROOT = Path(__file__).resolve().parent.parent
"""The checkout: modules of `benchmarks` are found from here in every environment."""


class RunError(RuntimeError):
    """A measurement did not end well; the text is the last line that it wrote."""


def python(*arguments: str, interpreter: Path | str = sys.executable) -> str:
    """What a fresh interpreter prints. One thread for everyone, because CPU seconds are compared."""
    fixed = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TSDT_ENGINE": engine_name()}
    command = [str(interpreter), *arguments]
    environment = {**os.environ, **fixed}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, env=environment)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"]
        raise RunError(lines[-1])
    return done.stdout


def figures(module: str, *arguments: object, interpreter: Path | str = sys.executable) -> dict[str, Any]:
    """The figures that a module prints as its last line, as JSON."""
    text = python("-m", module, *map(str, arguments), interpreter=interpreter)
    found: dict[str, Any] = json.loads(text.strip().splitlines()[-1])
    return found
