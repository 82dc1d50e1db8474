"""Small, optimal decision trees that keep learning while the data flow."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tsdt.certificate import Certificate
    from tsdt.classifier import TSDTClassifier
    from tsdt.files import ModelFileError, load
    from tsdt.frontiers import Frontier, frontier
    from tsdt.readers import read_batches
    from tsdt.schema import Attribute, Schema
    from tsdt.tree import DecisionTree

__all__ = [
    "Attribute",
    "Certificate",
    "DecisionTree",
    "Frontier",
    "ModelFileError",
    "Schema",
    "TSDTClassifier",
    "frontier",
    "load",
    "read_batches",
]

_HOMES = {
    "Attribute": "tsdt.schema",
    "Certificate": "tsdt.certificate",
    "DecisionTree": "tsdt.tree",
    "Frontier": "tsdt.frontiers",
    "ModelFileError": "tsdt.files",
    "Schema": "tsdt.schema",
    "TSDTClassifier": "tsdt.classifier",
    "frontier": "tsdt.frontiers",
    "load": "tsdt.files",
    "read_batches": "tsdt.readers",
}


def __getattr__(name: str) -> Any:
    """Import on first use, so that `import tsdt` is quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tsdt' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
