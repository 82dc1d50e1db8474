"""Why a row gets its answer, step by step, and what would have to change for another one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tsdt.schema import OTHER, is_missing
from tsdt.views import words
from tsdt.views.conditions import Branch, Condition, branches, jointly_possible

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree, Step

SHOWN = 3  # alternatives in print


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of the path: why the row goes this way, and what that does to the share of the answer."""

    node: int
    attribute: Hashable
    value: Any
    why: str
    effect: str


@dataclass(frozen=True, slots=True)
class Change:
    """An attribute that would have to change: its value now, and what would be asked of it.

    A column that is both an attribute of categories and one of numbers may be asked two things.
    """

    attribute: Hashable
    value: Any
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f"{' and '.join(map(str, self.conditions))} instead of {words.value(self.value)}"


@dataclass(frozen=True, slots=True)
class Alternative:
    """The nearest leaf with another answer, nearest meaning the fewest attributes to change."""

    answer: Hashable
    leaf: int
    changes: tuple[Change, ...]

    def __str__(self) -> str:
        return f"{words.answer_text(self.answer)}, if {' and '.join(map(str, self.changes))}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer to one row, the reasons for it in the order of the path, and the nearest leaf of each other class."""

    answer: Hashable | None
    node: int
    reasons: tuple[Reason, ...]
    alternatives: tuple[Alternative, ...]

    def __str__(self) -> str:
        answer = words.answer_text(self.answer)
        lines = [f"{answer}, because" if self.reasons else f"always {answer}"]
        widest = max((words.cells(reason.why) for reason in self.reasons), default=0)
        for i, reason in enumerate(self.reasons, start=1):
            gap = " " * (widest - words.cells(reason.why))
            lines.append(f"{i:3}. {reason.why}{gap}   {reason.effect}")
        if self.alternatives:
            lines.append("it would be")
        lines += [f"  -  {alternative}" for alternative in self.alternatives[:SHOWN]]
        if len(self.alternatives) > SHOWN:
            lines.append(f"  -  or one of {len(self.alternatives) - SHOWN} more, further away")
        return "\n".join(lines)

    __repr__ = __str__


def explain(tree: DecisionTree, row: Mapping[Hashable, Any]) -> Explanation:
    """The path of one row and the nearest other answers; see `DecisionTree.explain`.

    >>> from tsdt.views.example import weather
    >>> explain(weather(), {"outlook": "sunny", "humidity": 70})
    yes, because
      1. outlook is sunny           like 35.7% of the samples here; yes goes from 64.3% to 40.0%
      2. humidity is 70, <= 77.5    like 40.0% of the samples here; yes goes from 40.0% to 100%
    it would be
      -  no, if humidity > 77.5 (or missing) instead of 70
    """
    node = tree.end(row)
    label = tree.nodes[node].label
    reasons = tuple(_reason(tree, step, label) for step in tree.path(row))
    return Explanation(tree.answer(tree.nodes[node]), node, reasons, tuple(_alternatives(tree, row, label)))


def _reason(tree: DecisionTree, step: Step, label: int) -> Reason:
    node = tree.nodes[step.node]
    name = tree.attributes[node.attribute].name
    why = f"{words.value(name)} is {words.value(step.value)}" + _way(tree, step)
    if step.child < 0:
        return Reason(
            step.node, name, step.value, why, f"so the majority of the {node.n_samples:,} samples here decides"
        )
    child = tree.nodes[step.child]
    before, after = (words.percent(n.counts[label], n.n_samples) for n in (node, child))
    answer = words.value(tree.classes[label])
    share = words.percent(tree.shares[step.child], tree.shares[step.node])
    effect = f"like {share} of the samples here; {answer} "
    effect += f"stays at {after}" if before == after else f"goes from {before} to {after}"
    return Reason(step.node, name, step.value, why, effect)


def _way(tree: DecisionTree, step: Step) -> str:
    """What is to be said about a value beyond the value itself."""
    node = tree.nodes[step.node]
    if step.child < 0:
        return ", never seen here"
    position = node.children.index(step.child)
    if node.threshold is not None:
        side = f"{'<=' if position == 0 else '>'} {words.number(node.threshold)}"
        return f", which goes with {side}" if is_missing(step.value) else f", {side}"
    if tree.attributes[node.attribute].is_numeric:
        return "" if is_missing(step.value) else f", {words.edge(tree, node, position).replace('≤', '<=')}"
    category = tree.attributes[node.attribute].categories[node.codes[position]]
    return ", which counts as any other" if category is OTHER else ""


def _alternatives(tree: DecisionTree, row: Mapping[Hashable, Any], label: int) -> list[Alternative]:
    """For each other class its nearest leaf: the fewest changes, then the most samples; the nearest class first."""
    nearest: dict[int, tuple[tuple[int, int], Alternative]] = {}
    for leaf, branch in enumerate(branches(tree)):
        node = tree.nodes[leaf]
        if not node.is_leaf or node.label == label:
            continue
        asked = _by_name(branch)
        if not all(map(jointly_possible, asked.values())):
            continue
        changes = _changes(asked, row)
        distance = (len(changes), -node.n_samples)
        if node.label not in nearest or distance < nearest[node.label][0]:
            nearest[node.label] = distance, Alternative(tree.classes[node.label], leaf, changes)
    return [alternative for _, alternative in sorted(nearest.values(), key=lambda found: found[0])]


def _by_name(branch: Branch) -> dict[Hashable, tuple[Condition, ...]]:
    asked: dict[Hashable, tuple[Condition, ...]] = {}
    for condition in branch.values():
        name = condition.attribute.name
        asked[name] = (*asked.get(name, ()), condition)
    return asked


def _changes(asked: Mapping[Hashable, tuple[Condition, ...]], row: Mapping[Hashable, Any]) -> tuple[Change, ...]:
    return tuple(
        Change(name, row.get(name), conditions)
        for name, conditions in asked.items()
        if not all(condition.holds(row.get(name)) for condition in conditions)
    )
