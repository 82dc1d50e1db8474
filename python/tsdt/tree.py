"""The answer: an immutable decision tree. It predicts and describes itself; how it was found is not known here."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tsdt.schema import Attribute, is_missing
from tsdt.schema.labels import label_array
from tsdt.tables import as_table, column_of
from tsdt.views.methods import Views


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree.

    A leaf has no children. A categorical split has one child per category seen (`codes`, aligned with `children`).
    A numeric split has a `threshold` and two children: `children[0]` takes `x <= threshold`, `children[1]` the rest;
    `missing` is the position (0 or 1) of the child that takes missing numbers, or -1 where none was ever seen.
    """

    counts: tuple[int, ...]
    attribute: int = -1
    children: tuple[int, ...] = ()
    codes: tuple[int, ...] = ()
    threshold: float | None = None
    missing: int = -1

    @property
    def is_leaf(self) -> bool:
        """Whether the node is a leaf."""
        return self.attribute < 0

    @property
    def n_samples(self) -> int:
        """How many samples of the evidence reach the node."""
        return sum(self.counts)

    @property
    def label(self) -> int:
        """The code of the majority class, the first one on a tie; 0 where there is no class."""
        return max(range(len(self.counts)), key=self.counts.__getitem__, default=0)


class Step(NamedTuple):
    """One step of a row's path: at `node` the row's `value` led to `child` (-1: the path ends here)."""

    node: int
    value: Any
    child: int


@dataclass(frozen=True, repr=False)
class DecisionTree(Views):
    """A decision tree over named attributes.

    `nodes` is in preorder, the root first. `attributes` and `classes` are those of the schema when the tree was made.

    Example:
        >>> from tsdt import TSDTClassifier
        >>> tree = TSDTClassifier(0.01).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20).tree_
        >>> tree.n_splits, tree.depth, tree.predict({"sky": ["grey"]}).tolist()
        (1, 1, ['wet'])
    """

    attributes: tuple[Attribute, ...]
    classes: tuple[Hashable, ...]
    nodes: tuple[Node, ...]

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The positions of the leaves in `nodes`, from left to right."""
        return tuple(i for i, node in enumerate(self.nodes) if node.is_leaf)

    def answer(self, node: Node) -> Hashable | None:
        """The class that a node answers with; None before any class was seen.

        >>> from tsdt.views.example import weather
        >>> tree = weather()
        >>> [tree.answer(tree.nodes[leaf]) for leaf in tree.leaves]
        ['yes', 'no', 'yes', 'yes']
        """
        return self.classes[node.label] if self.classes else None

    @property
    def n_leaves(self) -> int:
        """How many leaves the tree has."""
        return len(self.leaves)

    @property
    def n_splits(self) -> int:
        """How many splits the tree has."""
        return len(self.nodes) - self.n_leaves

    @cached_property
    def depth(self) -> int:
        """The number of splits on the longest path."""
        return max((depth for _, depth in self.walk()), default=0)

    @cached_property
    def n_samples(self) -> int:
        """How many samples of the evidence the tree was made from."""
        return self.nodes[0].n_samples

    @cached_property
    def accuracy(self) -> float:
        """The share of its evidence that the tree gets right."""
        return float(sum(self.shares[i] * self.distributions[i].max(initial=0.0) for i in self.leaves))

    @cached_property
    def shares(self) -> np.ndarray:
        """The share of samples that reaches each node, by the chain rule: deeper nodes may have counted fewer."""
        shares = np.ones(len(self.nodes))
        for node, share in zip(self.nodes, shares, strict=True):  # a parent stands before its children
            if node.children:
                sizes = np.array([self.nodes[child].n_samples for child in node.children], dtype=float)
                shares[list(node.children)] = share * sizes / max(1.0, sizes.sum())
        return shares

    def walk(self) -> Iterator[tuple[int, int]]:
        """Every node with its depth, in preorder.

        >>> from tsdt.views.example import weather
        >>> list(weather().walk())
        [(0, 0), (1, 1), (2, 2), (3, 2), (4, 1), (5, 1)]
        """
        stack = [(0, 0)]
        while stack:
            i, depth = stack.pop()
            yield i, depth
            stack.extend((child, depth + 1) for child in reversed(self.nodes[i].children))

    def path(self, row: Mapping[Hashable, Any]) -> list[Step]:
        """The steps that a row (a mapping from names to values) takes from the root; its last node answers.

        >>> from tsdt.views.example import weather
        >>> weather().path({"outlook": "sunny", "humidity": 70})
        [Step(node=0, value='sunny', child=1), Step(node=1, value=70, child=2)]
        """
        steps, i = [], 0
        while not self.nodes[i].is_leaf:
            value = row.get(self.attributes[self.nodes[i].attribute].name)
            child = self._child(self.nodes[i], value)
            steps.append(Step(i, value, child))
            if child < 0:
                break
            i = child
        return steps

    def end(self, row: Mapping[Hashable, Any]) -> int:
        """The node where the path of a row ends: a leaf, or the split that knows no way on.

        >>> from tsdt.views.example import weather
        >>> weather().end({"outlook": "rain"}), weather().end({"outlook": "hail"})
        (5, 0)
        """
        i = 0
        while not self.nodes[i].is_leaf:
            child = self._child(self.nodes[i], row.get(self.attributes[self.nodes[i].attribute].name))
            if child < 0:
                break
            i = child
        return i

    def _child(self, node: Node, value: Any) -> int:
        if node.threshold is not None:
            if is_missing(value):
                return node.children[node.missing] if node.missing >= 0 else -1
            number = self.attributes[node.attribute].number(value)
            return node.children[0 if number <= node.threshold else 1]
        code = self.attributes[node.attribute].code(value)
        return node.children[node.codes.index(code)] if code in node.codes else -1

    def apply(self, X: Any) -> np.ndarray:
        """For each row of a table, the node where its path ends. Only the columns that the tree asks for are read.

        >>> from tsdt.views.example import weather
        >>> weather().apply({"outlook": ["rain", "sunny"], "humidity": [70, 90]}).tolist()
        [5, 3]
        """
        table = as_table(X)
        where = np.zeros(table.n_rows, dtype=np.intp)
        columns: dict[tuple[int, bool], np.ndarray] = {}  # numbers and codes of one attribute are two columns
        waiting = [(0, np.arange(table.n_rows))]
        while waiting:
            i, rows = waiting.pop()
            node = self.nodes[i]
            if node.is_leaf or len(rows) == 0:
                where[rows] = i
                continue
            key = node.attribute, node.threshold is None
            if key not in columns:
                columns[key] = self._read(node, column_of(table, node.attribute, self.attributes))
            values = columns[key]
            sides = self._sides(node, values if len(rows) == table.n_rows else values[rows])
            waiting.extend((child, rows[sides == side]) for side, child in enumerate(node.children))
            where[rows[sides == len(node.children)]] = i
        return where

    def _read(self, node: Node, values: np.ndarray) -> np.ndarray:
        """A column as its splits compare it: numbers for thresholds, codes for categories."""
        attribute = self.attributes[node.attribute]
        return attribute.numbers(values) if node.threshold is not None else attribute.encode(values)

    def _sides(self, node: Node, values: np.ndarray) -> np.ndarray:
        """Which of a node's children takes each value, by position; one more than there are where none does."""
        nowhere = len(node.children)
        if node.threshold is not None:
            sides = (values > node.threshold).astype(np.int8)
            sides[np.isnan(values)] = node.missing if node.missing >= 0 else nowhere
            return sides
        table = np.full(len(self.attributes[node.attribute].categories) + 1, nowhere, dtype=np.intp)
        table[list(node.codes)] = range(nowhere)  # the last place, never seen, stays
        return table[values]

    @cached_property
    def labels(self) -> np.ndarray:
        """The classes as an array, of their own type where they share one."""
        return label_array(self.classes)

    @cached_property
    def distributions(self) -> np.ndarray:
        """The class distribution of each node, classes in the order of `classes`."""
        counts = np.array([node.counts for node in self.nodes], dtype=float).reshape(len(self.nodes), -1)
        total = counts.sum(axis=1, keepdims=True)
        return np.divide(counts, total, out=np.full_like(counts, 1.0 / max(1, counts.shape[1])), where=total > 0)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row of a table.

        >>> from tsdt.views.example import weather
        >>> weather().predict({"outlook": ["rain", "sunny"], "humidity": [70, 90]}).tolist()
        ['yes', 'no']
        """
        return self.labels[np.array([node.label for node in self.nodes])[self.apply(X)]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The class distribution of the node where each row's path ends, classes in the order of `classes`.

        >>> from tsdt.views.example import weather
        >>> weather().predict_proba({"outlook": ["rain", "sunny"], "humidity": [70, 90]}).tolist()
        [[0.4, 0.6], [1.0, 0.0]]
        """
        return self.distributions[self.apply(X)]

    def distribution(self, node: int) -> list[float]:
        """The class distribution of a node, classes in the order of `classes`.

        >>> from tsdt.views.example import weather
        >>> weather().distribution(5)
        [0.4, 0.6]
        """
        shares: list[float] = self.distributions[node].tolist()
        return shares

    def gains(self) -> Iterator[tuple[Attribute, float]]:
        """For each split its attribute and by how much it lowers the Gini impurity, weighted by the samples it sees.

        >>> from tsdt.views.example import weather
        >>> [(attribute.name, round(gain, 3)) for attribute, gain in weather().gains()]
        [('outlook', 0.116), ('humidity', 0.171)]
        """
        impurities = self.shares * (1.0 - (self.distributions**2).sum(axis=1))
        for i, node in enumerate(self.nodes):
            if not node.is_leaf:
                gain = float(impurities[i] - impurities[list(node.children)].sum())
                yield self.attributes[node.attribute], max(0.0, gain)
