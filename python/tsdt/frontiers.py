"""The frontier: the optimal trees from one leaf up. It decides at which prices to search; the engine searches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from tsdt.certificate import Certificate
from tsdt.classifier import TSDTClassifier
from tsdt.envelope import Envelope, Line
from tsdt.fitting import check_not_empty
from tsdt.frontier_search import FrontierSearch, PricedTable
from tsdt.tree import DecisionTree
from tsdt.views.frontier import FrontierViews


@dataclass(frozen=True)
class FrontierPoint:
    """One tree of a frontier: the best one found from split cost `lowest` to `highest`.

    Where it is proven it is so at all of these; `split_cost` is in their middle, and the certificate speaks of it.
    Otherwise `split_cost` is where the tree may be furthest from the optimum, so that the gap holds everywhere.
    """

    tree: DecisionTree
    lowest: float
    highest: float
    split_cost: float
    certificate: Certificate

    @property
    def n_splits(self) -> int:
        """How many splits the tree has."""
        return self.tree.n_splits

    @property
    def n_leaves(self) -> int:
        """How many leaves the tree has."""
        return self.tree.n_leaves

    @property
    def accuracy(self) -> float:
        """The share of the samples that the tree gets right."""
        return self.tree.accuracy


@dataclass(frozen=True, repr=False)
class Frontier(FrontierViews, Sequence[FrontierPoint]):
    """The optimal trees of a table, the smallest first. It prints as a table.

    `complete`: every point is proven, and none is missing between them. `n_solves`: how many searches it took.

    Example:
        >>> from tsdt import frontier
        >>> found = frontier({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> len(found), found[1].tree.n_splits, found.complete
        (2, 1, True)
    """

    points: tuple[FrontierPoint, ...]
    complete: bool
    n_solves: int

    def __len__(self) -> int:
        return len(self.points)

    @overload
    def __getitem__(self, index: int) -> FrontierPoint: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FrontierPoint, ...]: ...
    def __getitem__(self, index: int | slice) -> FrontierPoint | tuple[FrontierPoint, ...]:
        return self.points[index]

    def at(self, split_cost: float) -> FrontierPoint:
        """The point with the best tree at a price.

        >>> from tsdt import frontier
        >>> found = frontier({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> found.at(0.01).n_splits, found.at(0.9).n_splits
        (1, 0)
        """
        return max(self.points, key=lambda point: point.accuracy - split_cost * point.n_splits)


def frontier(
    X: Any,
    y: Any,
    split_costs: Sequence[float] | None = None,
    *,
    lowest: float = 0.001,
    time_limit: float | None = 60.0,
    **settings: Any,
) -> Frontier:
    """The optimal trees of a table from one leaf up, each with its certificate: how to choose `split_cost`.

    Args:
        X: A table, as for `TSDTClassifier.fit`.
        y: The class of each row.
        split_costs: Only the trees that are optimal at these prices; None: all from 1 down to `lowest`.
        lowest: The lowest price of a split where `split_costs` is not given.
        time_limit: Seconds for the whole frontier. What could not be proven in time is marked.
        settings: Other parameters of `TSDTClassifier`.

    Examples:
        >>> from tsdt.datasets import monk
        >>> table = monk(1).in_words()
        >>> print(frontier(table.columns, table.y, lowest=0.005))
        splits  leaves  accuracy  best at split costs  certificate
             0       1     50.0%            0.25 to 1      optimal
             1       4     75.0%      0.02778 to 0.25      optimal
            10      27      100%     0.005 to 0.02778      optimal
        No optimal tree is missing: each is proven, and so are the prices between.
    """
    wanted = None if split_costs is None else sorted({_price(cost) for cost in split_costs}, reverse=True)
    if wanted == []:
        raise ValueError("split_costs is empty; give prices of a split from 0 to 1, or None for the whole frontier")
    model = TSDTClassifier(time_limit=time_limit, **settings)
    rows, labels = model._samples(X, y)
    check_not_empty(rows)
    table = PricedTable.of_table(model._new_learner(), rows, labels)
    return search_frontier(table, wanted, _price(lowest) if wanted is None else wanted[-1], time_limit)


def search_frontier(
    table: PricedTable, wanted: Sequence[float] | None, lowest: float, time_limit: float | None
) -> Frontier:
    """Search samples at the prices that are wanted, the dearest first, or at all of them down to `lowest`."""
    search = FrontierSearch(table, wanted, lowest, math.inf if time_limit is None else time_limit)
    search.run()
    return frontier_of(search.envelope, wanted, search.n_solves)


def frontier_of(envelope: Envelope, wanted: Sequence[float] | None, n_solves: int) -> Frontier:
    """The frontier that an envelope shows: all of it, or at the prices that are wanted."""
    lines = [line for line in (_seen(line, wanted) for line in envelope.lines()) if line]
    ends = wanted or [1.0, *(line.lowest for line in lines)]
    return Frontier(tuple(_point(envelope, line) for line in lines), all(map(envelope.is_tight, ends)), n_solves)


def _seen(line: Line, wanted: Sequence[float] | None) -> Line | None:
    """A line at the wanted prices alone; None where it is the best at none of them."""
    if wanted is None:
        return line
    prices = [price for price in wanted if line.lowest < price <= line.highest or price == line.lowest == wanted[-1]]
    return Line(line.tree, prices[-1], prices[0]) if prices else None


def _point(envelope: Envelope, line: Line) -> FrontierPoint:
    """A line with its certificate: what is proven at both ends of its prices is proven between them by convexity."""
    ends = (line.lowest, line.highest)
    proven = all(map(envelope.is_tight, ends))
    price = sum(ends) / 2 if proven else max(ends, key=lambda end: envelope.upper(end) - line.value(end))
    value = line.value(price)
    certificate = Certificate(value, value if proven else envelope.upper(price), proven)
    return FrontierPoint(line.tree, *ends, price, certificate)


def _price(value: Any) -> float:
    price = float(value)
    if not 0.0 <= price <= 1.0:
        raise ValueError(f"a split cost is {value!r}; it must be a number from 0 to 1")
    return price
