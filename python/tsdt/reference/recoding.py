"""New bins for numbers: samples written anew, and a tree whose cuts are moved to where as many samples lie below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from tsdt.reference.answer import AnswerNode
from tsdt.reference.boundary import check_array, ensure
from tsdt.reference.window import Row, Sample, Window


def check_recoding(window: Window, held: int, attributes: Sequence[int], codes: Any, arities: Sequence[int]) -> None:
    """Refuse new bins that do not fit the samples held."""
    width = len(attributes)
    check_array("codes", codes, width)
    ensure(width > 0 and len(arities) == width, f"{width} attributes and {len(arities)} arities")
    ensure(len(set(attributes)) == width, "an attribute is named twice")
    ensure(window.capacity > 0, "without a window no sample is kept that could be given new bins")
    numbers = {i for i, is_number in enumerate(window.ordered) if is_number}
    ensure(numbers.issuperset(attributes), "only numeric attributes have bins")
    right = all(2 <= arity <= 1 << 15 for arity in arities)
    ensure(right, "a number has at least one bin and at most 32767")
    ensure(len(codes) == held, f"{codes.size} codes for {held} samples held and {width} attributes")
    ensure(bool((codes < list(arities)).all()), "a code is not below its arity")


def rewritten(samples: Iterable[Sample], attributes: Sequence[int], codes: Sequence[Row]) -> list[Sample]:
    """Samples with new codes in some attributes."""
    return [
        (tuple(dict(zip(attributes, new, strict=True)).get(i, code) for i, code in enumerate(row)), label)
        for (row, label), new in zip(samples, codes, strict=True)
    ]


def moved_tree(
    tree: Sequence[AnswerNode], window: Window, attributes: Sequence[int], codes: Sequence[Row], arities: Sequence[int]
) -> list[AnswerNode]:
    """The tree with the cuts of some attributes moved to the new bins: the nearest in samples below."""
    cuts: dict[int, list[int]] = {}
    for column, (attribute, arity) in enumerate(zip(attributes, arities, strict=True)):
        old = below([row[attribute] for row, _ in window.samples], window.arities[attribute])
        new = below([row[column] for row in codes], arity)
        cuts[attribute] = [nearest(new, mass) for mass in old]
    return [node._replace(cut=cuts[node.attribute][node.cut]) if node.attribute in cuts else node for node in tree]


def nearest(new: Sequence[int], mass: int) -> int:
    """The first cut with a number of samples below it that is nearest to `mass`; above the last bin is no cut."""
    return min(range(1, max(len(new) - 1, 2)), key=lambda cut: abs(new[cut] - mass))


def below(codes: Sequence[int], arity: int) -> list[int]:
    """How many codes (missing ones aside) are at most c, for each c."""
    counts = [0] * arity
    for code in codes:
        counts[code] += code > 0
    return list(accumulate(counts))
