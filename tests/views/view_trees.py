"""Trees to look at, drawn by seed. What hypothesis draws for the exports is in `view_strategies`."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from tsdt.schema import Attribute
from tsdt.tree import DecisionTree, Node


@dataclass(eq=False)
class Sketch:
    """A node that is still growing."""

    counts: list[int]
    attribute: int = -1
    codes: tuple[int, ...] = ()
    threshold: float | None = None
    children: list[Sketch] = field(default_factory=list)


def random_tree(
    n_leaves: int,
    seed: int = 0,
    classes: Sequence[Hashable] = ("no", "yes"),
    names: Sequence[str] = ("age", "income", "colour", "shape", "smiling", "jacket"),
    categories: Sequence[Hashable] = ("red", "green", "blue", "yellow"),
    n_samples: int = 10_000,
) -> DecisionTree:
    """A tree of at least so many leaves whose counts add up; every other attribute is numeric."""
    rng = random.Random(seed)
    attributes = [
        Attribute(name, kind="numeric", edges=(1.0,), position=i)
        if i % 2 == 0
        else Attribute(name, categories=tuple(categories), position=i)
        for i, name in enumerate(names)
    ]
    root = Sketch(_shares(n_samples, [rng.random() + 0.2 for _ in classes]))
    leaves = [root]
    while len(leaves) < n_leaves:
        leaf = max(rng.sample(leaves, min(3, len(leaves))), key=lambda leaf: sum(leaf.counts))
        leaves.remove(leaf)
        _split(leaf, rng, attributes)
        leaves.extend(leaf.children)
    nodes: list[Node] = []
    _flatten(root, nodes)
    return DecisionTree(tuple(attributes), tuple(classes), tuple(nodes))


def _shares(total: int, weights: Sequence[float]) -> list[int]:
    parts = [int(total * weight / sum(weights)) for weight in weights]
    parts[0] += total - sum(parts)
    return parts


def _split(leaf: Sketch, rng: random.Random, attributes: Sequence[Attribute]) -> None:
    leaf.attribute = rng.randrange(len(attributes))
    attribute = attributes[leaf.attribute]
    if attribute.is_numeric:
        leaf.threshold, width = round(rng.uniform(0, 100), rng.randrange(4)), 2
    else:
        width = rng.randint(2, len(attribute.categories))
        leaf.codes = tuple(sorted(rng.sample(range(len(attribute.categories)), width)))
    parts = [_shares(n, [rng.random() ** 4 + 0.01 for _ in range(width)]) for n in leaf.counts]
    leaf.children = [Sketch(list(counts)) for counts in zip(*parts, strict=True)]


def _flatten(sketch: Sketch, nodes: list[Node]) -> int:
    place = len(nodes)
    nodes.append(Node(tuple(sketch.counts)))
    children = tuple(_flatten(child, nodes) for child in sketch.children)
    nodes[place] = Node(tuple(sketch.counts), sketch.attribute, children, sketch.codes, sketch.threshold)
    return place


def chain(n_splits: int) -> DecisionTree:
    """A tree as deep as it has splits."""
    nodes: list[Node] = []
    for i in range(n_splits):
        here = len(nodes)
        nodes.append(Node((10, n_splits - i), 0, (here + 1, here + 2), threshold=float(i)))
        nodes.append(Node((0, 1)))
    return DecisionTree((Attribute("depth", kind="numeric"),), ("a", "b"), (*nodes, Node((10, 0))))
