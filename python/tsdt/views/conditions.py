"""What a path asks of each attribute: the splits on its way, merged. Rules, explanations and SQL are made of these."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tsdt.schema import OTHER
from tsdt.views import words

if TYPE_CHECKING:
    from tsdt.schema import Attribute
    from tsdt.tree import DecisionTree, Node


@dataclass(frozen=True, slots=True)
class Category:
    """The attribute has one category; code -1 where two splits of the path ask for different ones."""

    attribute: Attribute
    code: int

    def __str__(self) -> str:
        wanted = words.value(self.attribute.categories[self.code]) if self.possible else "two things at once"
        return f"{words.value(self.attribute.name)} is {wanted}"

    @property
    def possible(self) -> bool:
        """Whether any value fits."""
        return self.code >= 0

    def holds(self, value: Any) -> bool:
        """Whether a value fits."""
        return self.possible and self.attribute.code(value) == self.code


@dataclass(frozen=True, slots=True)
class Interval:
    """The attribute is a number above `low` and up to `high`, None for no limit; `missing`: a missing one fits too."""

    attribute: Attribute
    low: float | None = None
    high: float | None = None
    missing: bool = True

    def __str__(self) -> str:
        name = words.value(self.attribute.name)
        if self.empty:
            return f"{name} is {'missing' if self.missing else 'two things at once'}"
        if self.low is None:
            text = f"{name} <= {words.number(self.high)}" if self.high is not None else f"{name} is any number"
        else:
            text = f"{name} > {words.number(self.low)}"
            if self.high is not None:
                text = f"{words.number(self.low)} < {name} <= {words.number(self.high)}"
        return f"{text} (or missing)" if self.missing else text

    @property
    def empty(self) -> bool:
        """Whether no number fits."""
        return self.low is not None and self.high is not None and self.low >= self.high

    @property
    def possible(self) -> bool:
        """Whether any value fits."""
        return self.missing or not self.empty

    def holds(self, value: Any) -> bool:
        """Whether a value fits."""
        x = self.attribute.number(value)
        if math.isnan(x):
            return self.missing
        return (self.low is None or x > self.low) and (self.high is None or x <= self.high)


Condition = Category | Interval
Branch = dict[int, Condition]  # by the position of the attribute, in the order of the path


def jointly_possible(conditions: Iterable[Condition]) -> bool:
    """Whether one value fits all conditions on a column."""
    asked = list(conditions)
    if not all(condition.possible for condition in asked):
        return False
    wanted = [c.attribute.categories[c.code] for c in asked if isinstance(c, Category)]
    if OTHER in wanted:  # some number that is no category, or any value at all
        return not any(isinstance(c, Interval) and c.empty for c in asked)
    return all(_holds(condition, value) for value in wanted for condition in asked)


def _holds(condition: Condition, value: Any) -> bool:
    try:
        return condition.holds(value)
    except ValueError:  # a text is asked of a column of numbers
        return False


def branches(tree: DecisionTree) -> list[Branch]:
    """For each node of the tree, what its path asks.

    >>> from tsdt.views.example import weather
    >>> print(*branches(weather())[2].values(), sep=" and ")
    outlook is sunny and humidity <= 77.5
    """
    found: list[Branch] = [{} for _ in tree.nodes]
    for i, node in enumerate(tree.nodes):
        for position, child in enumerate(node.children):
            found[child] = found[i] | {node.attribute: _narrowed(tree, node, position, found[i].get(node.attribute))}
    return found


def _narrowed(tree: DecisionTree, node: Node, position: int, before: Condition | None) -> Condition:
    """What a split adds to what was asked of its attribute before."""
    attribute = tree.attributes[node.attribute]
    if node.threshold is None and not attribute.is_numeric:
        code = node.codes[position]
        agrees = before is None or (isinstance(before, Category) and before.code == code)
        return Category(attribute, code if agrees else -1)
    interval = before if isinstance(before, Interval) else Interval(attribute)
    if node.threshold is None:
        return _in_bin(interval, node.codes[position])
    missing = interval.missing and node.missing == position
    if position == 0:
        return replace(_below(interval, node.threshold), missing=missing)
    return replace(_above(interval, node.threshold), missing=missing)


def _in_bin(interval: Interval, code: int) -> Interval:
    """An interval within a bin of its attribute; code 0 is missing, which leaves no number."""
    if code == 0:
        return replace(interval, low=math.inf, high=-math.inf)
    edges = interval.attribute.edges
    if code > 1:
        interval = _above(interval, edges[code - 2])
    if code <= len(edges):
        interval = _below(interval, edges[code - 1])
    return replace(interval, missing=False)


def _below(interval: Interval, threshold: float) -> Interval:
    return replace(interval, high=threshold if interval.high is None else min(interval.high, threshold))


def _above(interval: Interval, threshold: float) -> Interval:
    return replace(interval, low=threshold if interval.low is None else max(interval.low, threshold))
