"""The search over trees in both engines, and samples for them that depend on a seed alone."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tsdt import reference
from tsdt.reference.random import Random

try:
    compiled: ModuleType | None = import_module("tsdt._engine")
except ImportError:
    compiled = None

needs_compiled = pytest.mark.skipif(
    compiled is None, reason="the compiled engine is not built: nothing to compare with"
)
both = pytest.mark.parametrize(
    "engine", [pytest.param(compiled, id="rust", marks=needs_compiled), pytest.param(reference, id="python")]
)


def tree_search(engine: Any, **settings: Any) -> Any:
    """A search over trees, with a split cost of .01 unless told otherwise."""
    return engine.TreeSearch(**{"split_cost": 0.01, **settings})


def table(rows: list[list[int]], labels: list[int], q: int) -> tuple[np.ndarray, np.ndarray]:
    """Lists as the seam wants them."""
    return np.array(rows, dtype=np.uint16).reshape(len(rows), q), np.array(labels, dtype=np.uint16)


def noisy_rule(arities: list[int], n_classes: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Samples whose class follows from their first two values, but one time in ten."""
    random, rows, labels = Random(seed), [], []
    for _ in range(n):
        row = [random.below(k) for k in arities]
        rule = sum(row[:2]) % n_classes
        rows.append(row)
        labels.append(random.below(n_classes) if random.uniform() < 0.1 else rule)
    return table(rows, labels, len(arities))
