"""A node of decision trees: what its samples have in common, and what is known of the subtrees below it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from tsdt.reference.belief import cautious_mean, node_posterior
from tsdt.reference.counts import RunningCounts

Conditions = tuple[tuple[int, int], ...]
"""Attributes held to a category, in the order of the attributes."""


class Part(NamedTuple):
    """A part of a node that is split: its share of the samples, what is known of it, and its node if there is one."""

    share: float
    n: int
    hits: int
    child: DecisionNode | None


class DecisionNode:
    """A node of decision trees: its counts, its children by the attribute that splits it, and what splits are worth.

    It is what its samples have in common, whatever the order in which a tree asks for it.
    """

    def __init__(self, conditions: Conditions, counts: RunningCounts) -> None:
        self.conditions, self.counts = conditions, counts
        self.children: dict[int, list[DecisionNode]] = {}
        self.grown: dict[int, float] = {}
        """By attribute: what a sample here is worth with a split on it and the best that is known below, prices taken
        off; only where that was ever asked."""
        self.best = -math.inf
        """The highest of those."""
        self.sure, self.choice = -math.inf, -1
        """What a sample here is worth, cautiously, in the subtree for which that is highest; and its first split."""

    def uses(self, attribute: int) -> bool:
        """Whether an attribute is held to a category here."""
        return any(held == attribute for held, _ in self.conditions)

    def splittable(self, min_samples: int, n_attributes: int) -> bool:
        """Whether a split could help, by the samples seen today."""
        impure = sum(c > 0 for c in self.counts.by_class) > 1
        return impure and self.counts.n >= min_samples and len(self.conditions) < n_attributes

    def parts(self, attribute: int) -> Iterator[Part]:
        """What a split makes. Of the samples of a part, those seen here are some: the more the better."""
        made = self.children.get(attribute)
        for code, hits in enumerate(self.counts.table_hits[attribute]):
            n, child = sum(self.counts.table[attribute][code]), made[code] if made else None
            known = evidence(n, hits, child)
            yield Part(n / self.counts.n if self.counts.n else 0.0, *known, child)

    def reckon(self, price: float) -> None:
        """Look anew at what the splits of the node are worth, each with its price taken off."""
        self.best = self.sure = -math.inf
        for attribute in range(len(self.counts.table)):
            if self.uses(attribute):
                continue
            worth = sure = 0.0
            for share, n, hits, child in self.parts(attribute):
                worth += share * worth_of(n, hits, child)
                sure += share * max(cautious_mean(n, hits), child.sure if child else -math.inf)
            self.grown[attribute] = worth - price
            self.best = max(self.best, worth - price)
            if sure - price > self.sure:
                self.sure, self.choice = sure - price, attribute


def evidence(n: int, hits: int, node: DecisionNode | None) -> tuple[int, int]:
    """Samples and hits of a node: those seen in the node above, or its own where they are more."""
    return (node.counts.n, node.counts.hits) if node and node.counts.n > n else (n, hits)


def worth_of(n: int, hits: int, node: DecisionNode | None) -> float:
    """What a sample in a node is worth: in a leaf with this evidence, or with the best subtree known."""
    mean, _ = node_posterior(n, hits)
    return max(mean, node.best if node else -math.inf)
