"""The answer of the search over branches: the best tree known, in preorder, with the class counts of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tsdt.reference.graph import BY_CATEGORY, NONE_MISSING, Action, Branch, Split
from tsdt.reference.window import Box, narrowed

if TYPE_CHECKING:
    from tsdt.reference.knowledge import Knowledge


class AnswerNode(NamedTuple):
    """A node as the seam has it."""

    attribute: int
    cut: int
    missing: int
    codes: list[int]
    children: list[int]
    counts: list[int]


class Part(NamedTuple):
    """A part of the rows on its way into the answer, with its branch where it may be split further."""

    box: Box
    branch: Branch | None
    counts: list[int]
    place: int


def best_tree(known: Knowledge) -> list[AnswerNode]:
    """Follow the best action of every branch."""
    nodes: list[AnswerNode] = []
    stack: list[tuple[Part, AnswerNode | None]] = [(Part((), known.root, known.window.count(()).total[:-1], 0), None)]
    while stack:
        part, parent = stack.pop()
        if parent is not None:
            parent.children.append(len(nodes))
            if parent.cut < 0:
                parent.codes.append(part.place)
        split, parts = split_of(known, part)
        nodes.append(AnswerNode(*described(split), [], [], part.counts))
        stack.extend((below, nodes[-1]) for below in reversed(parts))
    return nodes


def split_of(known: Knowledge, part: Part) -> tuple[Split | None, list[Part]]:
    """The first split that separates something now, and what it separates; splits that no longer do are passed over."""
    while sum(part.counts) >= known.settings.min_samples and part.branch is not None:
        action = part.branch.best_action()
        if action is None:
            break
        parts = parts_of(known, part.box, action)
        if len(parts) > 1:
            return as_of_now(known, action.split, part.box), parts
        if not parts:
            break
        part = parts[0]
    return None, []


def as_of_now(known: Knowledge, split: Split, box: Box) -> Split:
    """A split with the side of missing numbers, where some have come since it was looked at."""
    if split.cut == BY_CATEGORY or split.missing != NONE_MISSING:
        return split
    within = known.window.held_to(box, split.attribute)
    missing = narrowed(box, within._replace(low=within.high + 1))
    return split._replace(missing=0) if any(known.window.count(missing).total) else split


def parts_of(known: Knowledge, box: Box, action: Action) -> list[Part]:
    """The children of an action that hold samples."""
    attribute = action.split.attribute
    within, arity = known.window.held_to(box, attribute), known.window.arities[attribute]
    links = action.children.links if action.children else {}
    parts = []
    for place, condition in enumerate(action.split.conditions(within, arity)):
        child = narrowed(box, condition)
        parts.append(Part(child, links.get(place), known.window.count(child).total[:-1], place))
    return [part for part in parts if any(part.counts)]


def described(split: Split | None) -> tuple[int, int, int]:
    """A split as the seam has it."""
    if split is None:
        return -1, -1, -1
    if split.cut == BY_CATEGORY:
        return split.attribute, -1, -1
    return split.attribute, split.cut, -1 if split.missing == NONE_MISSING else split.missing
