"""Problems for the search over branches: tables, and histories of samples that come, go, grow and get new bins."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from tsdt import reference

POLICIES = ["mixed", "optimistic", "thompson", "ucb", "epsilon-greedy"]
PRICES = [0.0, 0.001, 0.01, 0.025, 0.05, 0.1, 0.3, 1 / 3, 1 / 7, 0.0123456789012345]

try:
    compiled: Any = importlib.import_module("tsdt._engine")
except ImportError:
    compiled = None

needs_compiled = pytest.mark.skipif(compiled is None, reason="the compiled engine is not built")
every_engine = pytest.mark.parametrize(
    "engine", [pytest.param(reference, id="python"), pytest.param(compiled, id="rust", marks=needs_compiled)]
)


@dataclass
class Held:
    """What a search was told and holds: the schema, the samples of its window, and those that wait for a batch."""

    arities: list[int]
    ordered: list[bool]
    n_classes: int
    limit: int
    batch_size: int
    capacity: int = 0
    window: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    waiting: list[tuple[tuple[int, ...], int]] = field(default_factory=list)

    def samples(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        """New samples: labels follow the codes, with noise; there are duplicates, and columns that say nothing."""
        codes = np.zeros((n, len(self.arities)), dtype=np.uint16)
        for i, arity in enumerate(self.arities):
            codes[:, i] = rng.integers(0, arity, n) if rng.random() < 0.9 else rng.integers(0, arity)
        for i in np.flatnonzero(rng.random(n) < 0.2):
            codes[i] = codes[rng.integers(0, n)]
        noise = (rng.random(n) < 0.25) * rng.integers(0, self.n_classes, n)
        labels = (codes[:, : rng.integers(1, len(self.arities) + 1)].sum(axis=1) + noise) % self.n_classes
        return codes, labels.astype(np.uint16)

    def load(self, codes: np.ndarray, labels: np.ndarray) -> None:
        self.capacity = self.limit and max(self.limit, len(labels))
        self.window, self.waiting = pairs(codes, labels), []

    def learn(self, codes: np.ndarray, labels: np.ndarray) -> None:
        for sample in pairs(codes, labels):
            self.waiting.append(sample)
            if len(self.waiting) == self.batch_size:
                self.window = (self.window + self.waiting)[-self.capacity :]  # 0: all of them
                self.waiting = []

    def grow(self, arities: list[int], ordered: list[bool], n_classes: int) -> None:
        more = (0,) * (len(arities) - len(self.arities))
        self.arities, self.ordered, self.n_classes = arities, ordered, n_classes
        self.window = [(row + more, label) for row, label in self.window]
        self.waiting = [(row + more, label) for row, label in self.waiting]

    def recode(self, attributes: list[int], codes: np.ndarray, arities: list[int]) -> None:
        held = self.window + self.waiting
        for place, (row, label) in enumerate(held):
            new = dict(zip(attributes, codes[place].tolist(), strict=True))
            held[place] = (tuple(new.get(i, code) for i, code in enumerate(row)), label)
        n = len(self.window)
        self.window, self.waiting = held[:n], held[n:]
        for attribute, arity in zip(attributes, arities, strict=True):
            self.arities = [*self.arities[:attribute], arity, *self.arities[attribute + 1 :]]


def pairs(codes: np.ndarray, labels: np.ndarray) -> list[tuple[tuple[int, ...], int]]:
    return [(tuple(row), label) for row, label in zip(codes.tolist(), labels.tolist(), strict=True)]


@dataclass
class Problem:
    """Settings of a search, what it is told first, and a source of draws for the rest."""

    settings: dict[str, Any]
    held: Held
    rng: np.random.Generator

    def start(self, engine: Any, **more: Any) -> Any:
        search = engine.BranchSearch(**{**self.settings, **more})
        search.grow(self.held.arities, self.held.ordered, self.held.n_classes)
        return search


def problem(seed: int, **settings: Any) -> Problem:
    """A small problem: categories and numbers, few classes, a small window."""
    rng = np.random.default_rng(seed)
    q = int(rng.integers(1, 5))
    drawn = {
        "split_cost": float(rng.choice(PRICES)),
        "policy": POLICIES[seed % len(POLICIES)],
        "batch_size": int(rng.integers(1, 7)),
        "min_samples": int(rng.choice([2, 2, 2, 1, 4])),
        "window": int(rng.choice([0, 1, *range(3, 30)])),
        "effort": float(rng.choice([0.5, 3.0, 30.0])),
        "seed": seed,
        **settings,
    }
    ordered = (rng.random(q) < 0.4).tolist()
    arities = [int(rng.integers(1 + is_number, 5)) for is_number in ordered]
    held = Held(arities, ordered, int(rng.integers(2, 5)), drawn["window"], drawn["batch_size"], drawn["window"])
    return Problem(drawn, held, rng)


Call = tuple[str, tuple[Any, ...]]


def calls(made: Problem, n: int) -> Iterator[Call]:
    """A history of a search: the methods to call, one after the other. `made.held` is what the search holds by then."""
    kinds = ["learn"] * 8 + ["load", "search", "search", "grow", "grow", "recode", "restore"]
    for kind in made.rng.choice(kinds, n):
        call = _call(made, str(kind))
        if call:
            yield call


def _call(made: Problem, kind: str) -> Call | None:
    held, rng = made.held, made.rng
    arguments: tuple[Any, ...] = ()
    if kind in ("learn", "load"):
        arguments = held.samples(rng, int(rng.integers(0 if kind == "learn" else 1, 25)))
    elif kind == "search":
        return kind, (int(rng.integers(0, 12)), np.inf)
    elif kind == "grow":
        arguments = _growth(held, rng)
    elif kind == "recode":
        numbers = [i for i, is_number in enumerate(held.ordered) if is_number]
        if not numbers or made.settings["window"] == 0:
            return None
        attributes = sorted(rng.choice(numbers, rng.integers(1, len(numbers) + 1), replace=False).tolist())
        arities = rng.integers(2, 7, len(attributes)).tolist()
        n = len(held.window) + len(held.waiting)
        columns = [rng.integers(0, arity, n).astype(np.uint16) for arity in arities]
        arguments = attributes, np.ascontiguousarray(np.stack(columns, axis=1)), arities
    if arguments:
        getattr(held, kind)(*arguments)
    return kind, arguments


def _growth(held: Held, rng: np.random.Generator) -> tuple[list[int], list[bool], int]:
    arities, ordered, n_classes = list(held.arities), list(held.ordered), held.n_classes
    kind = rng.integers(0, 4)
    if kind == 0 and len(arities) < 6:
        arities.append(int(rng.integers(1, 4)))
        ordered.append(bool(rng.random() < 0.3))
    elif kind == 1:
        n_classes += 1
    else:
        arities[rng.integers(0, len(arities))] += 1
    return arities, ordered, n_classes


def do(search: Any, call: Call) -> Any:
    """Call a method; a restored search takes the place of the one that was packed."""
    name, arguments = call
    if name == "restore":
        return type(search).from_state(search.state())
    getattr(search, name)(*arguments)
    return search


def seen(search: Any) -> tuple[Any, ...]:
    """All that can be seen of a search."""
    return search.n_iter, search.looks, search.held(), search.certificate(), nodes(search)


def nodes(search: Any) -> list[tuple[Any, ...]]:
    return [tuple(list(part) if isinstance(part, (list, tuple)) else part for part in node) for node in search.tree()]


seeds = st.integers(min_value=0, max_value=10**6)
