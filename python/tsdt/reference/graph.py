"""The AND/OR graph of the search over branches: branches, their actions, and who is whose child. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tsdt.reference.bounds import Cost
from tsdt.reference.window import Box, Condition

BY_CATEGORY = -1
NONE_MISSING = 2
NOTHING_LEFT = 2**63 - 1  # no action is left that could lose less
NOTHING_KNOWN = -(2**63)


class Split(NamedTuple):
    """By all categories of an attribute, or (numbers) at a cut, with the side of the missing ones."""

    attribute: int
    cut: int = BY_CATEGORY
    missing: int = NONE_MISSING

    def conditions(self, within: Condition, arity: int) -> list[Condition]:
        """What each child adds to a box that holds the attribute to `within`, in the order of the children's places."""
        if self.cut == BY_CATEGORY:
            return [Condition(self.attribute, code, code) for code in range(arity)]
        high = min(max(self.cut, within.low - 1), within.high)
        left = within._replace(high=high, missing=within.missing and self.missing != 1)
        return [left, within._replace(low=high + 1, missing=within.missing and self.missing == 1)]


@dataclass
class Children:
    """The children of an action once it was chosen: errors and variance of those that stay leaves, and the others."""

    settled: int = 0
    variance: float = 0.0
    links: dict[int, Branch] = field(default_factory=dict)  # by their places


@dataclass
class Action:
    """A split of a branch, and what it is worth."""

    split: Split
    best: Cost  # of the trees known, at most
    likely: Cost  # where parts of the tree have not been counted since some samples came
    doubt: int  # errors that it may have besides, for all that is known
    low: int  # no tree loses less
    variance: float
    children: Children | None = None


@dataclass(eq=False)
class Branch:
    """A box, and what is known of the trees on it."""

    box: Box
    stamp: int  # samples that had come when it was last counted
    low: int  # no tree loses less
    best: Cost  # of the trees known, at most
    likely: Cost  # of the chosen tree
    doubt: int  # errors that it may have besides
    n: int
    errors: int
    variance: float
    rest: int = NOTHING_LEFT  # the least that any action loses that is not in `actions`
    visits: int = 0
    choice: int | None = None  # the position of the chosen action; none: stay a leaf
    looked: bool = False
    actions: list[Action] = field(default_factory=list)

    def best_action(self) -> Action | None:
        """The action of the chosen tree, or none where that is a leaf."""
        return None if self.choice is None else self.actions[self.choice]


class Candidate(NamedTuple):
    """An action as the counts show it; `moved` counts the separable samples outside its largest child."""

    split: Split
    low: int
    errors: int
    variance: float
    moved: int

    def action(self, low: int) -> Action:
        """The action, with a bound that may be better than what the counts show."""
        return Action(self.split, Cost(self.errors, 1), Cost(self.errors, 1), 0, low, self.variance)


def copy_of(branch: Branch, box: Box) -> Branch:
    """The same knowledge of another box that holds the same rows."""
    return replace(branch, box=box, actions=[replace(action) for action in branch.actions])


def add_up(cells: Sequence[Sequence[int]], codes: Sequence[int]) -> list[int]:
    """The sum of some cells."""
    return [sum(cells[code][k] for code in codes) for k in range(len(cells[0]))]


def plus(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """The sum of two cells."""
    return [a + b for a, b in zip(first, second, strict=True)]
