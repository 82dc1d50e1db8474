"""Asks one peer for a tree at each of several parameters. Runs in the environment of the peer and prints JSON.

`python -m experiments.frontier.asking MODULE FOLD.npz SECONDS PARAMETERS...`
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.task import Answer, Learn, Stopwatch, share_right

PATIENCE = 3.0
"""How many times its limit a peer may take by the wall clock on a busy machine."""


def in_cpu_seconds(learn: Learn, fold: Any, parameter: float, seconds: float) -> Answer:
    """The tree that a peer finds in about so many CPU seconds, though its limit is one of the wall clock.

    Where others took the machine from it, it has a second try with a longer limit.
    """
    watch = Stopwatch()
    found = learn(fold["X"], fold["y"], parameter, seconds)
    if watch.wall < seconds or watch.cpu > 0.8 * seconds:
        return found
    return learn(fold["X"], fold["y"], parameter, seconds * min(watch.wall / watch.cpu, PATIENCE))


def answer(learn: Learn, fold: Any, parameter: float, seconds: float) -> dict[str, Any]:
    """The tree at one parameter; where the peer gives up, its reason."""
    try:
        found = in_cpu_seconds(learn, fold, parameter, seconds)
        right = {name: share_right(found, fold[f"X{end}"], fold[f"y{end}"]) for name, end in ENDS.items()}
    except Exception as error:
        return {"parameter": parameter, "failed": f"{type(error).__name__}: {error}"[:200]}
    size = {"splits": found.splits, "leaves": found.splits + 1}  # all its attributes are binary
    return {"parameter": parameter, **size, **right, "seconds": found.seconds, "proven": found.proven}


ENDS = {"train": "", "test": "_test"}
"""The names of the arrays of a fold end so."""

if __name__ == "__main__":
    module, file, seconds, *parameters = sys.argv[1:]
    learn, fold = import_module(module).learn, np.load(file)
    print(json.dumps({"rows": [answer(learn, fold, float(given), float(seconds)) for given in parameters]}))
