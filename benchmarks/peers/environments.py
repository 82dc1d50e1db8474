"""An environment for each peer, because their needs do not agree: made when first asked for, under .venv-peers/."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.running import ROOT

REQUIREMENTS = {
    "pystreed": ("pystreed==1.4.0",),
    "gosdt": ("gosdt==1.0.4", "scikit-learn>=1.5,<1.6"),
    "pydl8.5": ("pydl8.5==0.1.8",),
}
"""What is installed for each peer."""


class PeerMissingError(RuntimeError):
    """A peer that cannot be installed here, with the reason."""


def interpreter(peer: str) -> Path:
    """The Python that has a peer. What could not be installed once is tried again on the next run."""
    folder = ROOT / ".venv-peers" / peer
    with _alone(folder.parent):
        return _made(folder, peer)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While others wait who want to install something there too."""
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _made(folder: Path, peer: str) -> Path:
    stamp, path = folder / ".installed", folder / "bin" / "python"
    wanted = "\n".join(REQUIREMENTS[peer])
    if not (stamp.exists() and stamp.read_text() == wanted and path.exists()):
        print(f"Installing {peer} into .venv-peers/{peer}.", file=sys.stderr, flush=True)
        _run([sys.executable, "-m", "venv", "--clear", str(folder)])
        _run([str(path), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *REQUIREMENTS[peer]])
        stamp.write_text(wanted)
    return path


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()] or lines or [f"status {done.returncode}"]
        raise PeerMissingError(f"it cannot be installed: {errors[-1]}")
