"""An engine at rest: which search it is, all it knows as bytes, and its answer in case no one can read them."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from tsdt.engine import Codes, NodeTuple, Search, WindowSearch

MODULES = {"tsdt._engine": "rust", "tsdt.reference": "python"}


class Answer(NamedTuple):
    """What a search has found: enough to predict."""

    tree: Sequence[NodeTuple]
    certificate: tuple[float, float, bool] | None
    n_iter: int


class EngineState(NamedTuple):
    """A search as bytes, for files: which search, of which engine, all it knows, and what it has found."""

    kind: str
    engine: str
    state: bytes
    answer: Answer

    @classmethod
    def of(cls, search: Search) -> EngineState:
        """The state of a search."""
        if isinstance(search, RestingSearch):
            return search.kept
        tree = [
            (a, cut, missing, list(codes), list(kids), list(n)) for a, cut, missing, codes, kids, n in search.tree()
        ]
        certificate = search.certificate() if isinstance(search, WindowSearch) else None
        made = type(search)
        engine = next(engine for module, engine in MODULES.items() if made.__module__.startswith(module))
        return cls(made.__name__, engine, search.state(), Answer(tree, certificate, search.n_iter))

    def restore(self) -> Search:
        """The search again, in its own engine; where that cannot be, one that answers but cannot learn."""
        try:
            module = next(module for module, engine in MODULES.items() if engine == self.engine)
            search: Search = getattr(importlib.import_module(module), self.kind).from_state(self.state)
            return search
        except (ImportError, ValueError) as error:
            resting = RestingWindowSearch if self.answer.certificate else RestingSearch
            warnings.warn(f"the model predicts but cannot learn here: {error}", RuntimeWarning, stacklevel=2)
            return resting(self, str(error))


class RestingSearch:
    """A search whose engine is not here: it answers, keeps its state for whoever can use it, and cannot learn."""

    def __init__(self, kept: EngineState, why: str) -> None:
        self.kept, self.why = kept, why
        self.n_iter = kept.answer.n_iter

    def tree(self) -> Sequence[NodeTuple]:
        """The tree when the search was put to rest."""
        return self.kept.answer.tree

    def state(self) -> bytes:
        """The bytes as they came."""
        return self.kept.state

    @classmethod
    def from_state(cls, state: bytes) -> NoReturn:
        """Bytes alone are not enough."""
        raise TypeError("a resting search comes from an EngineState")

    def _refuse(self) -> NoReturn:
        remedy = f"load it where the engine {self.kept.engine!r} of its version is installed, or learn a new model"
        raise RuntimeError(f"this model was loaded without its engine ({self.why}), so it cannot learn; {remedy}")

    def grow(self, arities: Sequence[int], ordered: Sequence[bool], n_classes: int) -> None:
        """Refused."""
        self._refuse()

    def learn(self, codes: Codes, labels: Codes) -> None:
        """Refused."""
        self._refuse()


class RestingWindowSearch(RestingSearch):
    """The same for the search over branches."""

    def certificate(self) -> tuple[float, float, bool]:
        """What was known of the tree when the search was put to rest."""
        value, upper, proven = self.kept.answer.certificate or (0.0, 1.0, False)
        return value, upper, proven

    def load(self, codes: Codes, labels: Codes) -> None:
        """Refused."""
        self._refuse()

    def search(self, visits: int, seconds: float, samples: int = 0) -> bool:
        """Refused."""
        self._refuse()

    def held(self) -> int:
        """Refused."""
        self._refuse()

    def samples(self) -> tuple[Codes, Codes]:
        """None are at hand."""
        return np.empty((0, 0), dtype=np.uint16), np.empty(0, dtype=np.uint16)

    def plant(self, tree: Sequence[Any]) -> None:
        """Refused."""
        self._refuse()

    def recode(self, attributes: Sequence[int], codes: Any, arities: Sequence[int]) -> None:
        """Refused."""
        self._refuse()
