"""The seam: which engine does the search, and what every engine offers. Nothing here knows how a search works.

`TSDT_ENGINE=python` or `TSDT_ENGINE=rust` chooses by hand; otherwise the compiled engine is used where it is built.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint16]
NodeTuple = tuple[int, int, int, Sequence[int], Sequence[int], Sequence[int]]
"""One node of a tree: attribute, cut, missing, codes, children, counts."""


@runtime_checkable
class Search(Protocol):
    """What both searches of both engines offer; `docs/architecture.md` says what each call means."""

    n_iter: int

    def grow(self, arities: Sequence[int], ordered: Sequence[bool], n_classes: int) -> None:
        """Make room for new categories, attributes and classes."""

    def learn(self, codes: Codes, labels: Codes) -> None:
        """Take samples in; every complete batch makes one iteration."""

    def tree(self) -> Sequence[NodeTuple]:
        """The best tree now, nodes in preorder."""

    def state(self) -> bytes:
        """All the search knows, as bytes."""

    @classmethod
    def from_state(cls, state: bytes) -> Self:
        """The search that `state` describes."""


@runtime_checkable
class WindowSearch(Search, Protocol):
    """What the search over branches offers beyond: a window of samples, and a bound."""

    def load(self, codes: Codes, labels: Codes) -> None:
        """Replace the window by a whole table, searching nothing."""

    def search(self, visits: int, seconds: float, samples: int = 2**64 - 1) -> bool:
        """Go on without new samples, until one of the limits; True when the tree is proven optimal."""

    def certificate(self) -> tuple[float, float, bool]:
        """Value, upper bound, and whether they are proven to be one."""

    def held(self) -> int:
        """How many samples are inside."""

    def plant(self, tree: Sequence[NodeTuple]) -> None:
        """Enter a tree that was found elsewhere, as far as its splits are actions here."""

    def recode(self, attributes: Sequence[int], codes: Codes, arities: Sequence[int]) -> None:
        """Give the samples held new codes in some attributes, the oldest sample first."""

    def samples(self) -> tuple[Codes, Codes]:
        """The samples of the window, the oldest first: codes and classes; none where only counts are kept."""


def choose_engine() -> ModuleType:
    """The module of the engine in use.

    >>> choose_engine().__name__ in ("tsdt._engine", "tsdt.reference")
    True
    """
    wanted = os.environ.get("TSDT_ENGINE", "").strip().lower()
    if wanted not in ("", "rust", "python"):
        raise ImportError(f"TSDT_ENGINE is {wanted!r}; it can be 'rust' (compiled), 'python' (reference) or unset")
    if wanted != "python":
        try:
            return importlib.import_module("tsdt._engine")
        except ImportError as error:
            if wanted == "rust":
                remedy = "build it with `maturin develop --release`, or unset TSDT_ENGINE to use the one in Python"
                raise ImportError(f"TSDT_ENGINE=rust, but the engine is not built ({error}); {remedy}") from error
    return importlib.import_module("tsdt.reference")


def engine_name() -> str:
    """The engine in use: "rust" or "python".

    >>> engine_name() in ("rust", "python")
    True
    """
    return "rust" if choose_engine().__name__ == "tsdt._engine" else "python"


def make_search(kind: str, **settings: Any) -> Search:
    """A new search of the engine in use: `kind` is "TreeSearch" or "BranchSearch"."""
    made: Search = getattr(choose_engine(), kind)(**settings)
    return made
