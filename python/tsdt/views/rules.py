"""The tree in words: one sentence per leaf."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from tsdt.views import words
from tsdt.views.conditions import Condition, branches

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree


@dataclass(frozen=True, slots=True)
class Rule:
    """One leaf: what leads to it, its answer, how many samples it has counted, how many right, its share of all."""

    leaf: int
    conditions: tuple[Condition, ...]
    answer: Hashable | None
    n_samples: int
    n_right: int
    share: float

    def __str__(self) -> str:
        head = f"If {' and '.join(map(str, self.conditions))}, then" if self.conditions else "Always"
        return f"{head} {words.answer_text(self.answer)} ({self._weight()})."

    __repr__ = __str__

    def _weight(self) -> str:
        if not self.n_samples:
            return "no samples"
        right = words.part(self.n_right, self.n_samples)
        return f"{words.percent(self.share, 1)} of all samples; right for {right}"


class Rules(Sequence[Rule]):
    """The rules of a tree, those that decide most samples first."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)

    def __len__(self) -> int:
        return len(self._rules)

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> Rules: ...
    def __getitem__(self, index: int | slice) -> Rule | Rules:
        return Rules(self._rules[index]) if isinstance(index, slice) else self._rules[index]

    def __str__(self) -> str:
        return "\n".join(map(str, self._rules))

    __repr__ = __str__


def rules(tree: DecisionTree) -> Rules:
    """One readable sentence per leaf; see `DecisionTree.rules`.

    >>> from tsdt.views.example import weather
    >>> rules(weather())
    If outlook is rain, then yes (35.7% of all samples; right for 3 of 5).
    If outlook is overcast, then yes (28.6% of all samples; right for all 4).
    If outlook is sunny and humidity > 77.5 (or missing), then no (21.4% of all samples; right for all 3).
    If outlook is sunny and humidity <= 77.5, then yes (14.3% of all samples; right for all 2).
    """
    asked = branches(tree)
    found = []
    for leaf in tree.leaves:
        node = tree.nodes[leaf]
        answer, right = tree.answer(node), max(node.counts, default=0)
        share = float(tree.shares[leaf])
        found.append(Rule(leaf, tuple(asked[leaf].values()), answer, node.n_samples, right, share))
    return Rules(sorted(found, key=lambda rule: -rule.share))
