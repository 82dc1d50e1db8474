"""A greedy tree over codes, pruned at the price of a split: where the search over branches begins.

It is grown as CART grows it, by Gini impurity, and cut back where a split does not pay. So what is found is no worse
than that, however little time there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsdt.engine import Codes, NodeTuple

DEEPEST = 24
"""No path of the greedy tree is longer: what is below would not pay."""

MOST_ROWS = 20_000
"""Of a larger table every second row is enough, or every third, and so on."""


class Shape(NamedTuple):
    """How many codes each attribute has, which attributes are numbers, and how many classes there are."""

    arities: Sequence[int]
    ordered: Sequence[bool]
    n_classes: int


class Split(NamedTuple):
    """A split: the rows of each child, and the cut of a number or the codes of categories."""

    attribute: int
    cut: int
    codes: list[int]
    parts: list[NDArray[np.intp]]


class Grown(NamedTuple):
    """A subtree that is not cut back: its own split, and the subtrees below."""

    counts: list[int]
    split: Split | None = None
    below: tuple[Grown, ...] = ()

    def pruned(self, price: float) -> tuple[float, Grown]:
        """What is left of it where a split must mend more than `price` errors, and its errors and splits at that."""
        errors = sum(self.counts) - max(self.counts)
        if self.split is None:
            return errors, self
        below = [child.pruned(price) for child in self.below]
        loss = price + sum(below_loss for below_loss, _ in below)
        if loss >= errors:
            return errors, Grown(self.counts)
        return loss, self._replace(below=tuple(child for _, child in below))

    def put_into(self, nodes: list[NodeTuple]) -> int:
        """Append it in preorder, as the engines have trees; the place of its root."""
        place = len(nodes)
        nodes.append((-1, -1, -1, [], [], self.counts))
        if self.split is not None:
            children = [child.put_into(nodes) for child in self.below]
            nodes[place] = (self.split.attribute, self.split.cut, -1, self.split.codes, children, self.counts)
        return place


class GreedyTree:
    """One growth, at the lowest price that will be asked for, which can be cut back at any higher one.

    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, dtype=np.uint16)
    >>> tree = GreedyTree(codes, codes[:, 1], Shape([2, 2], [False, False], 2), 0.01).at(0.01)
    >>> [(attribute, list(children)) for attribute, _, _, _, children, _ in tree]
    [(1, [1, 2]), (-1, []), (-1, [])]
    """

    def __init__(self, codes: Codes, classes: Codes, shape: Shape, lowest: float, min_samples: int = 2) -> None:
        step = -(-len(codes) // MOST_ROWS) or 1
        self.codes, self.classes = codes[::step], classes[::step].astype(np.intp)
        self.shape, self.enough, self.min_samples = shape, lowest * len(self.codes), max(min_samples, 2)
        ends = np.cumsum(shape.arities, dtype=np.intp)
        self._starts = ends - np.asarray(shape.arities, dtype=np.intp)  # a cell is a code of an attribute
        self._cells = self.codes + self._starts
        self._attributes = np.repeat(np.arange(len(ends)), shape.arities)  # of cells
        self._ordered = np.asarray(shape.ordered, dtype=bool)
        self.root = self._grow(np.arange(len(self.codes)), DEEPEST)

    def at(self, split_cost: float) -> list[NodeTuple]:
        """The tree at a price, the root first."""
        nodes = list[NodeTuple]()
        self.root.pruned(split_cost * len(self.codes))[1].put_into(nodes)
        return nodes

    def _grow(self, rows: NDArray[np.intp], depth: int) -> Grown:
        counts = np.bincount(self.classes[rows], minlength=self.shape.n_classes)
        leaf = Grown(counts.tolist())
        if depth == 0 or len(rows) - counts.max(initial=0) <= self.enough or len(rows) < self.min_samples:
            return leaf
        split = self._best_split(rows, counts)
        if split is None:
            return leaf
        return Grown(leaf.counts, split, tuple(self._grow(part, depth - 1) for part in split.parts))

    def _best_split(self, rows: NDArray[np.intp], counts: NDArray[np.intp]) -> Split | None:
        """The split with the least impurity, of all attributes that separate anything."""
        present, table = self._table(rows)
        attributes = self._attributes[present]
        left = np.cumsum(table, axis=0) - attributes[:, None] * counts  # each attribute before has all rows
        right = counts - left
        is_cut = self._ordered[attributes] & (present > self._starts[attributes]) & right.any(axis=1)
        cuts = np.where(is_cut, _impurity(left) + _impurity(right), np.inf)
        sizes = np.bincount(attributes)
        firsts = np.cumsum(sizes) - sizes
        by_category = np.where(sizes == 1, np.inf, np.add.reduceat(_impurity(table), firsts))
        impurities = np.where(self._ordered, np.minimum.reduceat(cuts, firsts), by_category)
        best = int(np.argmin(impurities))
        if impurities[best] == np.inf:
            return None
        values, within = self.codes[rows, best], attributes == best
        if self._ordered[best]:
            cut = int(present[within][np.argmin(cuts[within])] - self._starts[best])
            return Split(best, cut, [], [rows[values <= cut], rows[values > cut]])
        found = (present[within] - self._starts[best]).tolist()
        return Split(best, -1, found, [rows[values == code] for code in found])

    def _table(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The cells that hold any of these rows, and how many of each class they hold."""
        cells, k = self._cells[rows], self.shape.n_classes
        present = np.flatnonzero(np.bincount(cells.ravel(), minlength=len(self._attributes)))
        ranks = np.empty(len(self._attributes), dtype=np.intp)
        ranks[present] = np.arange(len(present))
        found = np.bincount((ranks[cells] * k + self.classes[rows, None]).ravel(), minlength=len(present) * k)
        return present, found.reshape(-1, k)


def _impurity(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Gini impurity times samples, of each row of class counts."""
    n = counts.sum(axis=-1)
    result: NDArray[np.float64] = n - (counts.astype(np.float64) ** 2).sum(axis=-1) / np.maximum(n, 1)
    return result
