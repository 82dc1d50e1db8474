"""What is known of the optimum as a function of the price of a split. No search happens here.

The optimum at price c is the highest of the lines `accuracy - c * splits`, one line per tree, so it is convex in c. A
known tree bounds it from below at every price, and two upper bounds bound it from above at every price between them.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree

EXACT = 1e-9
"""Values closer than this are one: those of two trees on n samples differ by a multiple of 1 / n, less prices."""


class Line(NamedTuple):
    """The value of one tree at every price, and the prices at which it is the best of the known ones."""

    tree: DecisionTree
    lowest: float
    highest: float

    def value(self, price: float) -> float:
        """The tree's accuracy less the price of its splits."""
        return self.tree.accuracy - price * self.tree.n_splits


@dataclass
class Envelope:
    """The optimum between known trees below and proven bounds above.

    >>> from tsdt.views.example import weather
    >>> from tsdt.tree import DecisionTree, Node
    >>> envelope = Envelope(DecisionTree((), ("no", "yes"), (Node((5, 9)),)), lowest=0.0)
    >>> envelope.add(weather())
    >>> [(line.tree.n_splits, round(line.lowest, 3), round(line.highest, 3)) for line in envelope.lines()]
    [(0, 0.107, 1.0), (2, 0.0, 0.107)]
    >>> envelope.is_tight(0.5), envelope.is_tight(0.1)
    (True, False)
    """

    leaf: DecisionTree
    lowest: float
    trees: dict[int, DecisionTree] = field(default_factory=dict)  # the best known by splits
    _bounds: list[tuple[float, float]] = field(default_factory=list)  # price, upper bound; by price

    def __post_init__(self) -> None:
        self.trees[0] = self.leaf
        self.bound(0.0, 1.0)
        self.bound(1.0 - self.leaf.accuracy, self.leaf.accuracy)  # no split can buy more than all the errors
        self.bound(1.0, self.leaf.accuracy)

    def add(self, tree: DecisionTree) -> None:
        """A tree was found."""
        known = self.trees.get(tree.n_splits)
        if known is None or tree.accuracy > known.accuracy + EXACT:
            self.trees[tree.n_splits] = tree

    def bound(self, price: float, upper: float) -> None:
        """It was proven that no tree has more value at this price."""
        i = bisect_left(self._bounds, (price,))
        if i < len(self._bounds) and self._bounds[i][0] == price:
            self._bounds[i] = (price, min(upper, self._bounds[i][1]))
        else:
            insort(self._bounds, (price, upper))

    def forget_bounds(self) -> None:
        """New trees have become possible, so that what was proven is proven no more."""
        self._bounds.clear()
        self.__post_init__()

    def value(self, price: float) -> float:
        """The value of the best known tree."""
        return max(tree.accuracy - price * tree.n_splits for tree in self.trees.values())

    def upper(self, price: float) -> float:
        """No tree has more value at this price: by bounds at cheaper prices, or between two prices by convexity."""
        i = bisect_left(self._bounds, (price,))
        if self._bounds[i][0] == price:
            best = self._bounds[i][1]
        else:
            (a, above), (b, below) = self._bounds[i - 1], self._bounds[i]
            best = above + (below - above) * (price - a) / (b - a)
        return max(self.value(price), min([best, *(upper for _, upper in self._bounds[:i])]))

    def is_tight(self, price: float) -> bool:
        """Whether the best known tree is proven to be the best of all at this price."""
        return self.upper(price) - self.value(price) <= EXACT

    def best(self, price: float) -> DecisionTree:
        """The best known tree; on a tie the smallest."""
        sizes = sorted(self.trees)
        return self.trees[max(sizes, key=lambda k: round(self.trees[k].accuracy - price * k, 12))]

    def lines(self) -> list[Line]:
        """The trees that are the best known ones at some price from `lowest` to 1, the smallest first."""
        found, highest, tree = list[Line](), 1.0, self.best(1.0)
        while True:
            rival, price = None, self.lowest
            for k, other in self.trees.items():
                if k > tree.n_splits:
                    meeting = (other.accuracy - tree.accuracy) / (k - tree.n_splits)
                    if meeting > price + EXACT or (rival and meeting > price - EXACT and k > rival.n_splits):
                        rival, price = other, meeting
            found.append(Line(tree, price, highest))
            if rival is None:
                return found
            tree, highest = rival, price

    def open_prices(self) -> Iterator[float]:
        """The prices where two of the lines meet that are not tight yet, the dearest first."""
        return (line.lowest for line in self.lines()[:-1] if not self.is_tight(line.lowest))
