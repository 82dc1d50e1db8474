"""A greedy tree over codes, pruned at the price of a split: where the search over branches begins on a table.

It is grown as CART grows it, by Gini impurity, and cut back where a split does not pay. So `fit` is no worse than that,
however little time it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """A subtree: its errors and splits at their prices, its own split, and the subtrees below."""

    loss: float
    counts: list[int]
    split: Split | None = None
    below: tuple[Grown, ...] = ()


def greedy_tree(codes: Codes, classes: Codes, shape: Shape, split_cost: float, min_samples: int = 2) -> list[NodeTuple]:
    """The tree as the engines have it, the root first.

    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5, dtype=np.uint16)
    >>> tree = greedy_tree(codes, codes[:, 1], Shape([2, 2], [False, False], 2), 0.01)
    >>> [(attribute, list(children)) for attribute, _, _, _, children, _ in tree]
    [(1, [1, 2]), (-1, []), (-1, [])]
    """
    step = -(-len(codes) // MOST_ROWS) or 1
    codes, classes = codes[::step], classes[::step]
    grower = _Grower(codes, classes.astype(np.intp), shape, split_cost * len(codes), max(min_samples, 2))
    nodes = list[NodeTuple]()
    _list(grower.grow(np.arange(len(codes)), DEEPEST), nodes)
    return nodes


def _list(grown: Grown, nodes: list[NodeTuple]) -> int:
    """Append a subtree in preorder; the place of its root."""
    place = len(nodes)
    nodes.append((-1, -1, -1, [], [], grown.counts))
    if grown.split is not None:
        children = [_list(child, nodes) for child in grown.below]
        nodes[place] = (grown.split.attribute, grown.split.cut, -1, grown.split.codes, children, grown.counts)
    return place


class _Grower(NamedTuple):
    codes: Codes
    classes: NDArray[np.intp]
    shape: Shape
    price: float
    min_samples: int

    def grow(self, rows: NDArray[np.intp], depth: int) -> Grown:
        """The subtree of some rows, already cut back."""
        counts = np.bincount(self.classes[rows], minlength=self.shape.n_classes)
        errors = int(counts.sum() - counts.max())
        leaf = Grown(errors, counts.tolist())
        if depth == 0 or errors <= self.price or len(rows) < self.min_samples:
            return leaf
        split = min(self._splits(rows), key=lambda found: found[0], default=(0.0, None))[1]
        if split is None:
            return leaf
        below = tuple(self.grow(part, depth - 1) for part in split.parts)
        loss = self.price + sum(child.loss for child in below)
        return Grown(loss, leaf.counts, split, below) if loss < errors else leaf

    def _splits(self, rows: NDArray[np.intp]) -> Iterator[tuple[float, Split]]:
        """The best split of each attribute that separates anything, with its impurity."""
        labels, k = self.classes[rows], self.shape.n_classes
        for i, (arity, is_number) in enumerate(zip(self.shape.arities, self.shape.ordered, strict=True)):
            values = self.codes[rows, i].astype(np.intp)
            table = np.bincount(values * k + labels, minlength=arity * k).reshape(arity, k)
            present = np.flatnonzero(table.any(axis=1))
            if len(present) < 2:
                continue
            if is_number:
                left = np.cumsum(table[present], axis=0)[:-1]
                impurities = _impurity(left) + _impurity(table.sum(axis=0) - left)
                best = int(np.argmin(impurities))
                cut = int(present[best])
                if cut > 0:
                    is_left = values <= cut
                    yield float(impurities[best]), Split(i, cut, [], [rows[is_left], rows[~is_left]])
            else:
                parts = [rows[values == code] for code in present]
                yield float(_impurity(table[present]).sum()), Split(i, -1, present.tolist(), parts)


def _impurity(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Gini impurity times samples, of each row of class counts."""
    n = counts.sum(axis=-1)
    result: NDArray[np.float64] = n - (counts.astype(np.float64) ** 2).sum(axis=-1) / np.maximum(n, 1)
    return result
