"""Searching one table at many prices of a split: it is encoded once, and what one price proves serves the others."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from tsdt.engine import Codes, NodeTuple, WindowSearch
from tsdt.envelope import EXACT, Envelope
from tsdt.fitting import ROUNDS, SLICE
from tsdt.held_codes import HeldCodes
from tsdt.learner import Learner, read_tree
from tsdt.prices import PRICES
from tsdt.tables import Table
from tsdt.tree import DecisionTree, Node

SHARE = 0.25
"""Of the time that is left, for one price at the most: what is hard at one price is harder at the cheaper ones."""


class PricedTable:
    """Samples in codes, and a search over them at any price."""

    def __init__(self, learner: Learner, codes: Codes, classes: Codes, can_refine: bool) -> None:
        self.feed, self.schema, self.can_refine = learner.feed, learner.schema, can_refine
        self.held = HeldCodes(len(codes))
        self.held.load(codes, classes)
        n_classes = self.feed.grown[2]
        counts = np.bincount(classes, minlength=n_classes).tolist()
        self.leaf = DecisionTree(self.schema.attributes, self.schema.classes[:n_classes], (Node(tuple(counts)),))
        self.found: list[list[NodeTuple]] = []  # the trees of this round, in codes

    @classmethod
    def of_table(cls, learner: Learner, table: Table, y: Any) -> Self:
        """A table, by a learner that has seen nothing yet."""
        codes, classes = learner.load_table(table, y)
        return cls(learner, codes, classes, can_refine=any(learner.schema.ordered))

    @classmethod
    def of_window(cls, learner: Learner) -> Self | None:
        """The samples that a learner holds, in its bins, which stay as they are; None where it holds none."""
        if not isinstance(learner.engine, WindowSearch):
            return None
        codes, classes = learner.engine.samples()
        return cls(learner, codes, classes, can_refine=False) if len(codes) else None

    def solve(self, price: float, enough: float, deadline: float) -> tuple[DecisionTree, float]:
        """The best tree found and the bound on all trees; it ends where no tree can have more than `enough`."""
        search = self.feed.ready(price)
        search.load(*(part.copy() for part in self.held.all(len(self.feed.grown[0]))))
        while not search.search(2**31, max(0.0, min(SLICE, deadline - time.monotonic()))):
            if time.monotonic() >= deadline or search.certificate()[1] <= enough + EXACT:
                break
        self.found.append(list(search.tree()))
        value, upper, proven = search.certificate()
        return read_tree(self.schema, self.found[-1]), value if proven else upper

    def refine(self) -> bool:
        """Make the bins finer beside the cuts of all trees that were found; False where there is nothing to do."""
        if not self.can_refine:
            return False
        changed, codes = self.feed.new_bins(self.feed.thresholds(self.found), self.held.count, exact=True)
        self.found.clear()
        if changed:
            self.held.recode(changed, codes)
            self.feed.grown = (self.schema.arities, self.schema.ordered, self.feed.grown[2])
        return bool(changed)


class FrontierSearch:
    """Narrows the envelope of a table until it is tight, at the prices that are wanted or at all of them."""

    def __init__(self, table: PricedTable, wanted: Sequence[float] | None, lowest: float, seconds: float) -> None:
        self.table, self.wanted = table, wanted
        self.start, self.seconds, self.n_solves = time.monotonic(), seconds, 0
        self.envelope = Envelope(table.leaf, lowest)

    def run(self) -> None:
        """Search in rounds, as `fit` does: after each, bins beside the cuts become finer, where there are numbers."""
        rounds = ROUNDS if self.table.can_refine else 1
        for done in range(1, rounds + 1):
            now = time.monotonic()
            whole = self.start + self.seconds * done / rounds
            deadline = whole if done == 1 else min(whole, now + max(1.0, now - self.start))
            self._round(deadline)
            if done < rounds and not self.table.refine():  # all that is left is for what is not proven
                self._round(self.start + self.seconds)
                return
            if done < rounds:
                self.envelope.forget_bounds()

    def _round(self, deadline: float) -> None:
        for price in self._prices():
            if not self.envelope.is_tight(price):
                left = deadline - time.monotonic()
                self._solve(price, time.monotonic() + SHARE * left if left < math.inf else math.inf)

    def _solve(self, price: float, deadline: float) -> None:
        tree, upper = self.table.solve(price, self.envelope.value(price), deadline)
        self.envelope.add(tree)
        self.envelope.bound(price, upper)
        self.n_solves += 1

    def _prices(self) -> Iterator[float]:
        """Where to look next, while the envelope moves: ever cheaper, and wherever two lines meet."""
        if self.wanted is not None:
            yield from halving(self.wanted)
            return
        tried = set[float]()
        for price in [*(price for price in PRICES if price > self.envelope.lowest), self.envelope.lowest]:
            yield price
            while meeting := next((p for p in self.envelope.open_prices() if p >= price and p not in tried), None):
                tried.add(meeting)
                yield meeting


def halving(prices: Sequence[float]) -> list[float]:
    """The ends first, then the middle of every part: what both ends of a part explain is explained in between.

    >>> halving([0.5, 0.4, 0.3, 0.2, 0.1])
    [0.5, 0.1, 0.3, 0.4, 0.2]
    """
    order, parts = [prices[0], prices[-1]], [(0, len(prices) - 1)]
    for a, b in parts:  # which grows meanwhile
        if b - a > 1:
            order.append(prices[(a + b) // 2])
            parts += [(a, (a + b) // 2), ((a + b) // 2, b)]
    return list(dict.fromkeys(order))
