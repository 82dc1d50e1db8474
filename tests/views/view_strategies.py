"""Random trees and tables for the exports: awkward names, unseen categories, missing values, numbers at thresholds."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from tsdt.schema import OTHER, Attribute
from tsdt.tree import DecisionTree, Node

AWKWARD = [
    *(
        "",
        " ",
        "a",
        "A",
        "'",
        '"',
        "''",
        '""',
        "`",
        "\\",
        "\\n",
        "a\nb",
        "a\r\nb",
        "\t",
        "it's",
        'say "x"',
        "`x`",
        "]",
        "[",
    ),
    *(
        "<b>&amp;</b>",
        "%s",
        "{x}",
        "{{",
        "$1",
        ":p",
        "?",
        "--",
        "/*",
        "; DROP TABLE t",
        "NULL",
        "nan",
        "missing",
        "1",
        "1.0",
    ),
    *("True", "None", "é", "e\u0301", "木", "🟢", "مرحبا", "\u202e", "\u200b", "#quot;", "|", "end", "label", "x" * 70),
    *(
        "<missing>",
        "<unseen>",
        "select",
        "row",
        "value",
        "number",
        "predict",
        "probabilities",
        "Cast",
        "constant",
        "other",
    ),
]
NUMBERS = [0.0, -1.0, 1.5, 0.1, 0.3, 0.1 + 0.2, 0.002877, 37.5, 1e15, 2.0**53, 1e300, -1e300, 1e-300, 5e-324, 1 / 3]
POOLS: dict[str, list[Any]] = {
    "text": AWKWARD,
    "integers": [0, 1, -1, 2, 10, 255, -(2**40), 2**53 - 1],
    "booleans": [True, False],
    "floats": [0.5, -2.25, 0.1, 0.002877, 1e-5, 1e300, 3.0],
}
POOLS["mixed"] = [*AWKWARD[:20], 0, 1, 2.5, -7, 10**30]


def chosen(rng: random.Random, pool: Sequence[Any], most: int) -> list[Any]:
    """Some values of a pool, none twice by Python's reckoning."""
    return list(dict.fromkeys(rng.sample(pool, rng.randint(1, min(most, len(pool))))))


def attribute_of(rng: random.Random, name: Any, position: int, kinds: Sequence[str]) -> Attribute:
    kind = rng.choice(kinds)
    if kind == "numbers":
        return Attribute(name, "numeric", edges=tuple(sorted(chosen(rng, NUMBERS, 4))), position=position)
    special = [value for value in (None, OTHER) if rng.random() < 0.4]
    categories = chosen(rng, POOLS[kind], 5) + special
    rng.shuffle(categories)
    return Attribute(name, "categorical", tuple(categories), position=position)


def nodes_of(rng: random.Random, attributes: Sequence[Attribute], n_classes: int, splits: int) -> tuple[Node, ...]:
    nodes: list[Node] = []

    def grow(depth: int) -> int:
        nonlocal splits
        place = len(nodes)
        counts = tuple(rng.choice((0, 0, 1, 2, 3, 50)) for _ in range(n_classes))
        nodes.append(Node(counts))
        if splits <= 0 or depth > 4 or (depth and rng.random() < 0.3):
            return place
        splits -= 1
        i = rng.randrange(len(attributes))
        if attributes[i].is_numeric and rng.random() < 0.7:
            children = (grow(depth + 1), grow(depth + 1))
            threshold, missing = rng.choice(NUMBERS), rng.choice((-1, 0, 1))
            nodes[place] = Node(counts, i, children, threshold=threshold, missing=missing)
        else:
            width = len(attributes[i].categories)
            codes = tuple(rng.sample(range(width), rng.randint(1, width)))
            nodes[place] = Node(counts, i, tuple(grow(depth + 1) for _ in codes), codes)
        return place

    grow(0)
    return tuple(nodes)


def twins_of(rng: random.Random, attributes: Sequence[Attribute]) -> Iterator[Attribute]:
    """Sometimes, for a column of integers that has turned out to hold numbers, its second attribute."""
    for twin in attributes:
        if kind_of(twin) == "integers" and rng.random() < 0.3:
            yield Attribute(twin.name, "numeric", edges=tuple(sorted(chosen(rng, NUMBERS, 4))), position=twin.position)


def rows_of(rng: random.Random, tree: DecisionTree, n: int) -> list[dict[Any, Any]]:
    """Rows that visit every part of a tree: known and unseen values, missing ones, numbers at and beside thresholds."""
    pools: dict[Any, list[Any]] = {attribute.name: [] for attribute in tree.attributes}
    for attribute in tree.attributes:
        if attribute.is_numeric:
            beside = [math.nextafter(x, side) for x in NUMBERS for side in (-math.inf, math.inf)]
            pools[attribute.name] += [*NUMBERS, *beside, math.inf, -math.inf, math.nan, None, 7]
        else:
            known = [c for c in attribute.categories if c is not OTHER]
            pools[attribute.name] += [*known, *known, None, *rng.choices(POOLS[kind_of(attribute)], k=3)]
    return [{name: rng.choice(pool) for name, pool in pools.items()} for _ in range(n)]


def kind_of(attribute: Attribute) -> str:
    """The pool that an attribute's categories are from."""
    if attribute.is_numeric:
        return "numbers"
    types = {type(c) for c in attribute.categories if c is not None and c is not OTHER}
    names = {str: "text", bool: "booleans", int: "integers", float: "floats"}
    return names[types.pop()] if len(types) == 1 else "mixed"


@st.composite
def trees_and_rows(
    draw: st.DrawFn,
    kinds: Sequence[str] = ("text", "integers", "booleans", "floats", "mixed", "numbers"),
    classes: Sequence[str] = ("text", "integers", "booleans", "floats"),
    names: Sequence[Any] = AWKWARD,
    n_rows: int = 30,
) -> tuple[DecisionTree, list[dict[Any, Any]]]:
    """A tree whose attributes and classes are of some of the kinds, and rows to send down it."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    splits = draw(st.integers(0, 8))
    wanted = list({str(name).lower(): name for name in rng.sample(names, min(4, len(names)))}.values())
    attributes = tuple(attribute_of(rng, name, i, kinds) for i, name in enumerate(wanted))
    attributes += tuple(twins_of(rng, attributes))
    labels = tuple(chosen(rng, POOLS[rng.choice(classes)], 4))
    tree = DecisionTree(attributes, labels, nodes_of(rng, attributes, len(labels), splits))
    return tree, rows_of(rng, tree, n_rows)
