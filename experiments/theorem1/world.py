"""A problem so small that every value of Theorem 1 is known: two attributes that decide the label up to noise."""

from __future__ import annotations

import numpy as np

from tsdt.reference.decision import DecisionNode
from tsdt.reference.trees import Child, SearchNode, TreeSearch

Box = tuple[int | None, int | None]
"""A branch: the value of each attribute, None where it is free."""

SPLIT_COST = 0.05
ARITIES = (3, 2)
ROWS = ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1))
LIKELY = (0.20, 0.15, 0.15, 0.15, 0.15, 0.20)
POSITIVE = (0.90, 0.80, 0.20, 0.10, 0.85, 0.15)
"""How likely each row is, and how likely its label is 1. The best tree asks for X1, and where that is 2, for X2."""


def samples(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """So many samples of this world."""
    draw = np.random.default_rng(seed)
    rows = draw.choice(len(ROWS), n, p=LIKELY)
    y = draw.random(n) < np.array(POSITIVE)[rows]
    return np.array(ROWS, dtype=np.uint16)[rows], y.astype(np.uint16)


def accuracy(box: Box) -> float:
    """The share of all samples that the best answer in a box gets right."""
    inside = [i for i, row in enumerate(ROWS) if all(b is None or b == x for b, x in zip(box, row, strict=True))]
    ones = sum(LIKELY[i] * POSITIVE[i] for i in inside)
    return max(ones, sum(LIKELY[i] for i in inside) - ones)


def best(box: Box) -> float:
    """The most that a box is worth: accuracy less the price of the splits made in it."""
    free = [i for i, b in enumerate(box) if b is None]
    return max([accuracy(box), *(split_value(box, i) for i in free)])


def split_value(box: Box, attribute: int) -> float:
    """What a box is worth once it is split, price included."""
    return sum(best(_held(box, attribute, value)) for value in range(ARITIES[attribute])) - SPLIT_COST


def _held(box: Box, attribute: int, value: int) -> Box:
    return (value, box[1]) if attribute == 0 else (box[0], value)


def box_of(node: DecisionNode) -> Box:
    """The branch that leads to a node."""
    held = dict(node.conditions)
    return held.get(0), held.get(1)


def value(search: TreeSearch, state: SearchNode) -> float:
    """The true value of a state: what its leaves are worth when all goes on as well as it can."""
    return sum(best(box_of(leaf)) for leaf in state.leaves(search.root))


def value_of_child(search: TreeSearch, state: SearchNode, child: Child) -> float:
    """The true value of a state after one more split, the price of that split not included."""
    rest = value(search, state) - best(box_of(child.leaf))
    return rest + split_value(box_of(child.leaf), child.attribute) + SPLIT_COST


def optimal_actions(search: TreeSearch, state: SearchNode) -> list[int]:
    """The positions of the best actions, 0 for the terminal one. Two orders of the same splits are equally good."""
    stay = sum(accuracy(box_of(leaf)) for leaf in state.leaves(search.root))
    values = [stay, *(value_of_child(search, state, child) - SPLIT_COST for child in state.children)]
    return [i for i, v in enumerate(values) if v > max(values) - 1e-12]
