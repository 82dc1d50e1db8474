"""Asks one peer for a tree at each of several parameters. Runs in the environment of the peer and prints JSON.

`python -m experiments.frontier.asking MODULE FOLD.npz SECONDS PARAMETERS...`
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.task import Learn, share_right


def answer(learn: Learn, fold: Any, parameter: float, seconds: float) -> dict[str, Any]:
    """The tree at one parameter; where the peer gives up, its reason."""
    try:
        found = learn(fold["X"], fold["y"], parameter, seconds)
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
