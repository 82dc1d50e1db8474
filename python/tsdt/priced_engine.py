"""The engine in use: made at a price, which may be chosen from the samples, and begun from a greedy tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from tsdt.checkpoints import Checkpoints
from tsdt.engine import Codes, NodeTuple, Search, WindowSearch, make_search
from tsdt.greedy import GreedyTree, Shape
from tsdt.held_codes import HeldCodes
from tsdt.parameters import Parameters
from tsdt.prices import FEW, FOLDS, JUDGES, PRICES, Fold, Limits, PriceChoice, choose_price
from tsdt.schema import Schema

LOOKS = 10
"""For each sample that prices are judged by, a trial looks at so many again, at most."""

SHARE = 0.5
"""In a stream all trials together take no more than this, in proportion to what the search may take meanwhile."""


class PricedEngine:
    """Makes engines, and knows what the one in use was told."""

    def __init__(self, schema: Schema, parameters: Parameters, seed: int) -> None:
        p = parameters
        self.schema, self.parameters, self.seed = schema, p, seed
        self.split_cost = p.split_cost
        self.choice: PriceChoice | None = None
        self.engine = self._make_search(p.split_cost)
        self.grown: tuple[list[int], list[bool], int] = ([], [], 0)  # what the engine was told last
        self.held = HeldCodes(p.window) if p.auto_price or p.leaf_prediction != "majority" else None
        self.price_checkpoints = Checkpoints(p.batch_size, p.window, 10 * p.batch_size) if p.auto_price else None
        self._iterations_before = 0  # of engines before this one

    @property
    def n_iter(self) -> int:
        """How many iterations were made, by this engine and by those before it."""
        return self._iterations_before + self.engine.n_iter

    def ready(self, price: float) -> WindowSearch:
        """A new search at a price, with room for all that was seen."""
        search = self._make_search(price)
        if not isinstance(search, WindowSearch):
            raise TypeError("the search over trees has no window")
        search.grow(*self.grown)
        return search

    def _make_search(self, price: float) -> Search:
        p = self.parameters
        shared: dict[str, Any] = {
            "split_cost": price,
            "policy": p.policy,
            "batch_size": p.batch_size,
            "gamma": p.gamma,
            "min_samples": p.min_samples,
            "seed": self.seed,
        }
        if p.search == "trees":
            return make_search("TreeSearch", backup=p.backup, **shared)
        return make_search("BranchSearch", window=p.window, effort=p.effort, max_memory=p.max_memory, **shared)

    # -- a greedy tree to begin from -----------------------------------------------------------------------------------

    @property
    def cuts_numbers(self) -> bool:
        """Whether any attribute has thresholds: only then is a greedy tree worth its time."""
        return any(self.schema.ordered)

    def greedy_tree(self) -> list[NodeTuple]:
        """The greedy tree of the window, over its bins."""
        if not isinstance(self.engine, WindowSearch):
            raise TypeError("the search over trees has no window")
        grown = self.grown_greedily(*self.engine.samples(), self.schema.arities, self.split_cost)
        return grown.at(self.split_cost)

    def grown_greedily(self, codes: Codes, classes: Codes, arities: list[int], lowest: float) -> GreedyTree:
        """The greedy tree of some samples, to be cut back at this price or a higher one."""
        shape = Shape(arities, self.schema.ordered, len(self.schema.classes))
        return GreedyTree(codes, classes, shape, lowest, self.parameters.min_samples)

    # -- the price -----------------------------------------------------------------------------------------------------

    def load_window(self, codes: Codes, classes: Codes, seconds: float) -> None:
        """Have the engine hold a whole table, at a price chosen first where that was asked for."""
        if self.parameters.auto_price:
            step = -(-len(codes) // JUDGES)
            asked = codes[::step], classes[::step]
            n_folds = FOLDS if len(codes) < FEW else 1
            limits = Limits(LOOKS * len(asked[0]), min(1.0, 0.3 * seconds / len(PRICES)) / n_folds)
            self.choice = choose_price(self.ready, self._folds(*asked, 1, n_folds), limits)
            self.split_cost = self.choice.split_cost
            self.engine = self.ready(self.split_cost)
        if isinstance(self.engine, WindowSearch):
            self.engine.load(codes, classes)
            if self.cuts_numbers:
                self.engine.plant(self.greedy_tree())

    def price_anew(self) -> None:
        """Choose the price from the window; every third batch is held out. A new price is a new search."""
        if self.held is None or self.price_checkpoints is None:
            return
        codes, classes = self.held.all(len(self.grown[0]))
        asked = codes[-JUDGES:], classes[-JUDGES:]
        due = SHARE * self.parameters.effort * self.price_checkpoints.distance / len(PRICES)
        limits = Limits(int(min(LOOKS * len(asked[0]), due)))
        standing = self.split_cost if self.choice and self.held.count == self.held.capacity else None
        self.choice = choose_price(self.ready, self._folds(*asked, self.parameters.batch_size, 1), limits, standing)
        same = self.choice.split_cost == self.split_cost
        if not same:
            before, self._iterations_before = self.engine.tree(), self.n_iter
            self.split_cost = self.choice.split_cost
            self.engine = engine = self.ready(self.split_cost)
            engine.load(codes.copy(), classes.copy())
            for tree in (before, self.greedy_tree()):
                engine.plant(tree)
            engine.search(2**31, np.inf, limits.samples)
        self.price_checkpoints.advance(same)

    def _folds(self, codes: Codes, classes: Codes, run: int, n_folds: int) -> list[Fold]:
        """Every third run of so many samples judges, and where there are more folds the next ones in their turn."""
        third, folds = np.arange(len(codes)) // run % FOLDS, list[Fold]()
        for judge in range(n_folds):
            judges = third == judge
            found_on = np.ascontiguousarray(codes[~judges]), classes[~judges]
            greedy = self.grown_greedily(*found_on, self.grown[0], PRICES[-1])
            folds.append(Fold(found_on, (codes[judges], classes[judges]), greedy))
        return folds
