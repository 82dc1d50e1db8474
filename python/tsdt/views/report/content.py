"""What a report is about: a finished tree and what is known of it. How it looks is not known here."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tsdt.certificate import Certificate
    from tsdt.frontiers import Frontier
    from tsdt.history import Moment
    from tsdt.tree import DecisionTree


@dataclass(frozen=True)
class Confusion:
    """How often each class (a row) was answered with each class (a column), and on which samples."""

    classes: tuple[Hashable, ...]
    counts: NDArray[np.int64]
    about: str

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return float(np.trace(self.counts) / max(1, self.counts.sum()))


@dataclass(frozen=True)
class Content:
    """All that a report says."""

    title: str
    tree: DecisionTree
    certificate: Certificate
    split_cost: float
    bounded: bool  # whether the search proves a bound at all
    schema: Sequence[tuple[str, ...]]  # rows of cells, the header first
    importances: Sequence[tuple[str, float]]
    confusion: Confusion
    history: Sequence[Moment] = ()
    frontier: Frontier | None = None


def confusion_of(tree: DecisionTree) -> Confusion:
    """The confusion among the samples that the tree's leaves have counted.

    >>> from tsdt.views.example import weather
    >>> confusion_of(weather()).counts.tolist()
    [[3, 2], [0, 9]]
    """
    counts = np.zeros((len(tree.classes),) * 2, dtype=np.int64)
    for leaf in tree.leaves:
        if tree.classes:
            counts[:, tree.nodes[leaf].label] += np.array(tree.nodes[leaf].counts, dtype=np.int64)
    return Confusion(tree.classes, counts, "the samples that the tree was made from")


def confusion_on(actual: Sequence[Hashable], answers: Sequence[Hashable], classes: Sequence[Hashable]) -> Confusion:
    """The confusion between classes and answers; classes that were never learned get a row of their own.

    >>> confusion_on(["a", "b", "c"], ["a", "a", "b"], ["a", "b"]).counts.tolist()
    [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
    """
    places = {label: i for i, label in enumerate(dict.fromkeys([*classes, *actual]))}
    counts = np.zeros((len(places),) * 2, dtype=np.int64)
    np.add.at(counts, ([places[label] for label in actual], [places[label] for label in answers]), 1)
    return Confusion(tuple(places), counts, f"the {len(actual):,} rows given for this report")
