"""The answer of the search over branches: the best tree known, in preorder, with the class counts of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tsdt.reference.graph import BY_CATEGORY, LEAF, NONE_MISSING, ROOT, Action, Split
from tsdt.reference.window import Box, narrowed

if TYPE_CHECKING:
    from tsdt.reference.branches import BranchSearch


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
    branch: int | None
    counts: list[int]
    place: int


def best_tree(search: BranchSearch) -> list[AnswerNode]:
    """Follow the best action of every branch."""
    nodes: list[AnswerNode] = []
    stack: list[tuple[Part, AnswerNode | None]] = [(Part((), ROOT, search.window.count(()).total[:-1], 0), None)]
    while stack:
        part, parent = stack.pop()
        if parent is not None:
            parent.children.append(len(nodes))
            if parent.cut < 0:
                parent.codes.append(part.place)
        split, parts = split_of(search, part)
        nodes.append(AnswerNode(*described(split), [], [], part.counts))
        stack.extend((below, nodes[-1]) for below in reversed(parts))
    return nodes


def split_of(search: BranchSearch, part: Part) -> tuple[Split | None, list[Part]]:
    """The first split that separates something now, and what it separates; splits that no longer do are passed over."""
    while sum(part.counts) >= search.min_samples and part.branch is not None:
        branch = search.branches[part.branch]
        if branch.choice == LEAF:
            break
        action = branch.actions[branch.choice]
        parts = parts_of(search, part.box, action)
        if len(parts) != 1:
            return action.split, parts
        part = parts[0]
    return None, []


def parts_of(search: BranchSearch, box: Box, action: Action) -> list[Part]:
    """The children of an action that hold samples."""
    attribute = action.split.attribute
    held = {condition.attribute: condition for condition in box}
    within = held.get(attribute, search._unbounded(attribute))
    links = action.children.links if action.children else {}
    parts = []
    for place, condition in enumerate(action.split.conditions(within, search.window.arities[attribute])):
        child = narrowed(box, condition)
        parts.append(Part(child, links.get(place), search.window.count(child).total[:-1], place))
    return [part for part in parts if any(part.counts)]


def described(split: Split | None) -> tuple[int, int, int]:
    """A split as the seam has it."""
    if split is None:
        return -1, -1, -1
    if split.cut == BY_CATEGORY:
        return split.attribute, -1, -1
    return split.attribute, split.cut, -1 if split.missing == NONE_MISSING else split.missing
