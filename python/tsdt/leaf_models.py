"""Leaves that can predict better than their majority: naive Bayes on the window's samples at each leaf.

The tree and its certificate stay as they are. Tables hold, for each leaf, how often each code of each attribute came
with each class among the last samples. With "adaptive", a leaf answers by whichever of majority and naive Bayes was
right more often there: samples are predicted before they are learned, and a leaf that is new starts with what each of
the two would have got right among its own samples, each sample left out in its turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from tsdt.engine import Codes, NodeTuple
from tsdt.held_codes import HeldCodes

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Sizes = tuple[list[int], int]  # arities, number of classes
Samples = tuple[Codes, Codes]  # codes and classes


class LeafModels:
    """Naive Bayes at the leaves of one tree, kept in step with the window and with the tree."""

    def __init__(self, kind: str, held: HeldCodes) -> None:
        self.adaptive = kind == "adaptive"
        self.held = held
        self.nodes: list[NodeTuple] = []
        self.arities: list[int] = []
        self.starts: list[int] = [0]  # where each attribute's codes begin; after them is a place for codes never seen
        self.by_class = np.zeros((0, 0))  # samples by node and class
        self.tables = np.zeros((0, 0, 0))  # samples by node, place and class
        self.hits = np.zeros((0, 2))  # by node: right by majority, right by naive Bayes
        self._logs: tuple[Floats, Floats] | None = None
        self._bayes: NDArray[np.bool_] | None = None

    # -- learning ------------------------------------------------------------------------------------------------------

    def score(self, codes: Codes, classes: Codes) -> None:
        """Count what majority and naive Bayes get right of samples that were not learned yet."""
        if self.adaptive and self.nodes:
            ends, labels = ends_of(self.nodes, codes), classes.astype(np.intp)
            known = self.by_class[ends].sum(axis=1) > 0  # an empty leaf predicts nothing
            majority = (self.by_class[ends].argmax(axis=1) == labels) & known
            bayes = (self.scores(ends, codes).argmax(axis=1) == labels) & known
            np.add.at(self.hits, ends, np.column_stack([majority, bayes]))

    def learn(self, came: Samples, left: Samples, tree: Sequence[NodeTuple], sizes: Sizes) -> None:
        """Some samples came and others left the window; `tree` and `sizes` are those after that."""
        if self._is_of(tree, sizes):
            self._count(*left, -1.0)
            self._count(*came, 1.0)
        else:
            self._become(tree, sizes)
            if self.held.capacity == 0:
                self._count(*came, 1.0)

    def follow(self, tree: Sequence[NodeTuple], sizes: Sizes) -> None:
        """Be the models of this tree, which was found without new samples."""
        if not self._is_of(tree, sizes):
            self._become(tree, sizes)

    def recode(self) -> None:
        """The window's samples have new codes in some attributes."""
        self.nodes, self.hits = [], np.zeros((0, 2))  # no path means what it meant

    def _is_of(self, tree: Sequence[NodeTuple], sizes: Sizes) -> bool:
        return _structure(tree) == self.nodes and sizes == (self.arities, self.by_class.shape[1])

    def _become(self, tree: Sequence[NodeTuple], sizes: Sizes) -> None:
        """Count the window's samples anew; leaves that stay keep their hits, and without a window their counts."""
        old_nodes, old_hits, old = self.nodes, self.hits, (self.by_class, self.tables, self.starts)
        self.nodes, (self.arities, n_classes) = _structure(tree), sizes
        self.starts = list(accumulate((arity + 1 for arity in self.arities), initial=0))
        self.by_class = np.zeros((len(tree), n_classes))
        self.tables = np.zeros((len(tree), self.starts[-1], n_classes))
        codes, classes = self.held.all(len(self.arities))
        self._count(codes, classes, 1.0)
        self.hits = self._left_out_hits(codes, classes) if self.adaptive else np.zeros((len(tree), 2))
        before = {path: node for node, path in enumerate(_paths(old_nodes))}
        for node, path in enumerate(_paths(self.nodes)):
            if path in before:
                self.hits[node] = old_hits[before[path]]
                if self.held.capacity == 0:
                    self._carry_over(node, before[path], *old)
        self._logs = self._bayes = None

    def _carry_over(self, node: int, old_node: int, by_class: Floats, tables: Floats, starts: list[int]) -> None:
        self.by_class[node, : by_class.shape[1]] = by_class[old_node]
        for start, old_start, old_stop in zip(self.starts, starts, starts[1:], strict=False):
            stop = start + old_stop - old_start - 1
            self.tables[node, start:stop, : by_class.shape[1]] = tables[old_node, old_start : old_stop - 1]

    def _count(self, codes: Codes, classes: Codes, weight: float) -> None:
        if len(codes) == 0:
            return
        ends, labels, k = ends_of(self.nodes, codes), classes.astype(np.intp), self.by_class.shape[1]
        self.by_class += weight * np.bincount(ends * k + labels, minlength=self.by_class.size).reshape(-1, k)
        for i, (start, arity) in enumerate(zip(self.starts, self.arities, strict=False)):
            places = (ends * arity + codes[:, i]) * k + labels
            counts = np.bincount(places, minlength=len(self.nodes) * arity * k)
            self.tables[:, start : start + arity] += weight * counts.reshape(-1, arity, k)
        self._logs = self._bayes = None

    def _left_out_hits(self, codes: Codes, classes: Codes) -> Floats:
        """How many samples of each leaf majority and naive Bayes would get right, had they not seen that sample."""
        hits = np.zeros((len(self.nodes), 2))
        if len(codes):
            ends, labels, rows = ends_of(self.nodes, codes), classes.astype(np.intp), np.arange(len(codes))
            counts, scores = self.by_class[ends], self.scores(ends, codes)
            counts[rows, labels] -= 1.0
            scores[rows, labels] = self._left_out_scores(ends, codes, labels)
            known = counts.sum(axis=1) > 0
            majority, bayes = counts.argmax(axis=1) == labels, scores.argmax(axis=1) == labels
            np.add.at(hits, ends, np.column_stack([majority & known, bayes & known]))
        return hits

    def _left_out_scores(self, ends: Places, codes: Codes, labels: Places) -> Floats:
        """The score of each sample's own class, without that sample."""
        n = self.by_class[ends, labels] - 1.0
        with np.errstate(divide="ignore"):
            scores = np.log(n)
        for i, (start, arity) in enumerate(zip(self.starts, self.arities, strict=False)):
            scores += np.log(self.tables[ends, start + codes[:, i], labels] / (n + arity))  # one added, one left out
        return scores

    # -- answering -----------------------------------------------------------------------------------------------------

    def scores(self, ends: Places, codes: NDArray[np.integer]) -> Floats:
        """The logarithm of each class's naive Bayes score, up to a constant; a code never seen says nothing."""
        priors, shares = self._log_shares()
        scores = priors[ends]
        for i, (start, arity) in enumerate(zip(self.starts, self.arities, strict=False)):
            scores += shares[ends, start + np.minimum(codes[:, i], arity)]
        return scores

    def _log_shares(self) -> tuple[Floats, Floats]:
        """By node, place and class: the logarithm of the class's share, and of the code's share in the class."""
        if self._logs is None:
            widths = np.repeat(self.arities, [arity + 1 for arity in self.arities]).reshape(1, -1, 1)
            shares = np.log((self.tables + 1.0) / (self.by_class[:, None, :] + widths))
            shares[:, [start - 1 for start in self.starts[1:]]] = 0.0
            with np.errstate(divide="ignore"):
                self._logs = np.log(self.by_class), shares
        return self._logs

    def bayes_nodes(self) -> NDArray[np.bool_]:
        """Which nodes answer by naive Bayes: leaves with samples, if adaptive only where it is right as often."""
        if self._bayes is None:
            self._bayes = np.array([node[0] < 0 for node in self.nodes]) & (self.by_class.sum(axis=1) > 0)
            if self.adaptive:
                self._bayes &= self.hits[:, 1] >= self.hits[:, 0]
        return self._bayes

    def distributions(self, ends: Places, codes: NDArray[np.integer]) -> Floats:
        """The class distributions of rows by naive Bayes at the nodes where their paths end."""
        scores = self.scores(ends, codes)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def distribution(self, end: int, codes: Sequence[int]) -> list[float]:
        """The class distribution of one row by naive Bayes; code -1 is one that was never seen."""
        priors, shares = self._log_shares()
        places = [s + (c if 0 <= c < a else a) for s, a, c in zip(self.starts, self.arities, codes, strict=False)]
        scores = priors[end] + shares[end, places].sum(axis=0)
        odds = np.exp(scores - scores.max())
        distribution: list[float] = (odds / odds.sum()).tolist()
        return distribution


def _structure(tree: Sequence[NodeTuple]) -> list[NodeTuple]:
    """A tree without its counts, for comparison."""
    return [(a, cut, missing, tuple(codes), tuple(children), ()) for a, cut, missing, codes, children, _ in tree]


def ends_of(nodes: Sequence[NodeTuple], codes: NDArray[np.integer]) -> Places:
    """For each row of codes, the node where its path ends.

    >>> tree = [(0, -1, -1, [1, 2], [1, 2], []), (-1, -1, -1, [], [], []), (-1, -1, -1, [], [], [])]
    >>> ends_of(tree, np.array([[2], [1], [0]])).tolist()
    [2, 1, 0]
    """
    ends = np.zeros(len(codes), dtype=np.intp)
    for i, (attribute, cut, missing, seen, children, _) in enumerate(nodes):  # parents stand before their children
        if attribute < 0:
            continue
        rows = np.flatnonzero(ends == i)
        values = codes[rows, attribute]
        if cut >= 0:
            below = np.where(values <= cut, children[0], children[1])
            ends[rows] = np.where(values == 0, children[missing] if missing >= 0 else i, below)
        else:
            table = np.full(max(int(values.max(initial=0)), *seen, 0) + 1, i, dtype=np.intp)
            table[list(seen)] = children
            ends[rows] = table[values]
    return ends


def _paths(nodes: Sequence[NodeTuple]) -> list[tuple[tuple[int, int, int], ...]]:
    """The conditions that lead to each node: attribute, cut, and code or side."""
    paths: list[tuple[tuple[int, int, int], ...]] = [()] * len(nodes)
    for i, (attribute, cut, _, seen, children, _) in enumerate(nodes):
        for side, child in zip(seen or range(len(children)), children, strict=True):
            paths[child] = (*paths[i], (attribute, cut, side))
    return paths
