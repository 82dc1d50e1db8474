"""The tree as arrays like those of scikit-learn's `Tree`, over numbers and one-hot columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tsdt.tables import column_of, n_rows
from tsdt.views import words
from tsdt.views.binary import Question, questions

if TYPE_CHECKING:
    from tsdt.schema import Attribute
    from tsdt.tree import DecisionTree

Integers = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OneHot:
    """A column of the arrays: the number itself (code -1), or 1.0 where the attribute has the category of a code.

    A numeric attribute's code 0 is missing, as everywhere.
    """

    attribute: Attribute
    code: int = -1

    def __str__(self) -> str:
        name = words.value(self.attribute.name)
        return name if self.code < 0 else f"{name} = {words.value(self.attribute.categories[self.code])}"

    def values(self, column: NDArray[Any]) -> Floats:
        """The column for an array of values."""
        if self.code < 0:
            return self.attribute.numbers(column)
        return (self.attribute.encode(column) == self.code).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class TreeArrays:
    """Nodes as scikit-learn keeps them: `x[feature] <= threshold` goes to the left; -1 and -2 mark a leaf.

    `missing_go_to_left` says where NaN goes. `value` has the class distribution of each node and the shape
    (nodes, 1, classes); its first maximum is the answer. Thresholds and columns are 64 bits wide.
    """

    columns: tuple[OneHot, ...]
    classes: tuple[Any, ...]
    children_left: Integers
    children_right: Integers
    feature: Integers
    threshold: Floats
    missing_go_to_left: NDArray[np.uint8]
    value: Floats
    impurity: Floats
    n_node_samples: Integers

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self.feature)

    def encode(self, X: Any) -> Floats:
        """A table as the matrix that the arrays ask about."""
        attributes = [column.attribute for column in self.columns]
        matrix = np.empty((n_rows(X), len(self.columns)))
        for j, column in enumerate(self.columns):
            matrix[:, j] = column.values(column_of(X, j, attributes))
        return matrix


def to_sklearn(tree: DecisionTree) -> TreeArrays:
    """The tree as arrays like those of scikit-learn's `Tree`; see `DecisionTree.to_sklearn`.

    >>> from tsdt.views.example import weather
    >>> arrays = to_sklearn(weather())
    >>> [str(column) for column in arrays.columns]
    ['outlook = sunny', 'outlook = overcast', 'outlook = rain', 'humidity']
    >>> arrays.feature.tolist()
    [0, 1, 2, -2, -2, -2, 3, -2, -2]
    """
    asked = questions(tree)
    keys = [_key(question) for question in asked]
    places = {key: j for j, key in enumerate(sorted({key for key in keys if key is not None}))}
    lefts = [(q.yes if q.asks == "number" else q.no) for q in asked]
    rights = [(q.no if q.asks == "number" else q.yes) for q in asked]
    value = np.array([tree.distribution(q.node) if not sum(q.counts) else _shares(q) for q in asked])
    return TreeArrays(
        columns=tuple(OneHot(tree.attributes[attribute], code) for attribute, code in places),
        classes=tree.classes,
        children_left=np.array(lefts, dtype=np.intp),
        children_right=np.array(rights, dtype=np.intp),
        feature=np.array([-2 if key is None else places[key] for key in keys], dtype=np.intp),
        threshold=np.array([_threshold(q) for q in asked], dtype=np.float64),
        missing_go_to_left=np.array([q.missing_yes for q in asked], dtype=np.uint8),
        value=value.reshape(len(asked), 1, len(tree.classes)),
        impurity=1.0 - (value**2).sum(axis=1),
        n_node_samples=np.array([sum(q.counts) for q in asked], dtype=np.intp),
    )


def _key(question: Question) -> tuple[int, int] | None:
    """The column that a question is about: attribute and code, -1 for the number itself."""
    if question.asks is None:
        return None
    code = {"category": question.code, "missing": 0, "number": -1}[question.asks]
    return question.attribute, code


def _threshold(question: Question) -> float:
    return {"number": question.threshold, None: -2.0}.get(question.asks, 0.5)


def _shares(question: Question) -> list[float]:
    return [n / sum(question.counts) for n in question.counts]
