"""The learner under the estimators: rows wait here for a batch, the schema makes codes of them, the engine learns them.

What is learned depends on the order of the samples alone, not on how they were cut into calls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.certificate import Certificate
from tsdt.engine import Codes, NodeTuple, Search, WindowSearch
from tsdt.feed import Feed
from tsdt.history import History
from tsdt.leaf_models import LeafModels
from tsdt.parameters import Parameters
from tsdt.prices import PriceChoice
from tsdt.schema import Schema
from tsdt.schema.alignment import check_declared, read_columns, take_in
from tsdt.schema.labels import as_labels
from tsdt.tables import Table, column_of
from tsdt.tree import DecisionTree, Node
from tsdt.waiting import WaitingRows

FIRST_SAMPLES = 10
"""As long as there is no complete batch, the first samples are searched when there are so many, then twice as many."""


class Learner:
    """One model being learned: its schema, its engine, and the samples that wait for a complete batch."""

    watcher: Callable[[], None] | None = None
    """Called now and then while a table is searched, for whoever shows how it goes. No part of what is learned."""

    def __init__(self, parameters: Parameters, seed: int) -> None:
        self.parameters = parameters
        self.schema = Schema(parameters.schema, parameters.bins, parameters.max_categories)
        self.n_seen = 0
        self._waiting = WaitingRows(self.schema)
        self._feed = Feed(self.schema, parameters, seed)
        self._tree: DecisionTree | None = None
        self._first_tree: tuple[int, DecisionTree] | None = None
        self._history: History | None = History()

    @property
    def feed(self) -> Feed:
        """The way of whole batches and tables to the engine."""
        return self._feed

    @property
    def engine(self) -> Search:
        """The engine that searches."""
        return self._feed.engine

    @property
    def n_iter(self) -> int:
        """How many iterations were made, by this engine and by those before it."""
        return self._feed.n_iter

    @property
    def split_cost(self) -> float:
        """The price of a split, given or chosen."""
        return self._feed.split_cost

    @property
    def choice(self) -> PriceChoice | None:
        """How the price was chosen, where it was."""
        return self._feed.choice

    @property
    def history(self) -> History:
        """How value and bound moved; a model from a file begins anew."""
        if self._history is None:
            self._history = History()
        return self._history

    def note(self, last: bool = False) -> None:
        """Have the history look at this moment; mostly it does not."""
        self.history.note(self.n_seen, self.n_iter, self._certificate_now, last)
        if self.watcher is not None:
            self.watcher()

    # -- samples in --------------------------------------------------------------------------------------------------

    def learn_one(self, row: Mapping[Any, Any], label: Hashable) -> None:
        """Take in one sample; every `batch_size` of them the engine learns."""
        self._waiting.add(row, label)
        self.n_seen += 1
        if len(self._waiting) >= self.parameters.batch_size:
            self._flush()

    def learn_table(self, table: Table, y: Any) -> None:
        """Take in many samples. Nothing is learned when anything is wrong with one of them."""
        labels = as_labels(y, table.n_rows)
        m, n, start = self.parameters.batch_size, len(labels), 0
        found = read_columns(self.schema, table)
        self._waiting.foresee(found, m)
        columns = take_in(self.schema, table, found)
        self._waiting.widen()
        self.n_seen += n
        if len(self._waiting):
            start = min(n, m - len(self._waiting))
            self._waiting.add_part([column[:start] for column in columns], labels[:start])
            if len(self._waiting) == m:
                self._flush()
        while n - start >= m:
            stop = start + self._feed.reach(columns, start, (n - start) // m * m)
            self._take([column[start:stop] for column in columns], labels[start:stop])
            start = stop
        self._waiting.add_part([column[start:] for column in columns], labels[start:])

    def _flush(self) -> None:
        self._take(*self._waiting.drain())

    def _take(self, columns: Any, labels: Any) -> None:
        if self._feed.take(columns, labels):
            self._waiting.look_again()
        self.changed()
        self.note()

    def load_table(self, table: Table, y: Any) -> tuple[Codes, Codes]:
        """The schema and the codes of a whole table, the engine made ready for them; nothing is searched."""
        labels = as_labels(y, table.n_rows)
        found = read_columns(self.schema, table)
        check_declared(self.schema, found)
        columns = take_in(self.schema, table, found)
        self._waiting.widen()
        self.n_seen = len(labels)
        return self._feed.load(columns, labels)

    def load_window(self, codes: Codes, classes: Codes, seconds: float) -> None:
        """Have the engine hold a whole table, at a price chosen first where that was asked for."""
        self._feed.load_window(codes, classes, seconds)

    def refine(self) -> bool:
        """Divide the bins beside the tree's cuts as finely as the samples allow; False when there is nothing to do."""
        divided = self._feed.revise(from_greedy=True, exact=True)
        self.changed()
        return divided

    # -- the answer ----------------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """The engine has moved on: the tree is to be read anew, and its leaves are others."""
        self._tree = None
        if self._feed.leaf_models and self._has_batch:
            self._feed.leaf_models.follow(self.engine.tree(), self._feed.sizes)

    def tree(self) -> DecisionTree:
        """The best tree now. Before the first complete batch it is that of the first samples that wait."""
        if self._has_batch:
            if self._tree is None:
                self._tree = read_tree(self.schema, self.engine.tree())
            return self._tree
        n = len(self._waiting)
        if n >= FIRST_SAMPLES and self.parameters.search == "branches":
            return self._tree_of_first(FIRST_SAMPLES << (n // FIRST_SAMPLES).bit_length() - 1)
        labels = self._waiting.labels
        classes = tuple(dict.fromkeys(labels))
        return DecisionTree((), classes, (Node(tuple(map(labels.count, classes))),))

    def _tree_of_first(self, n: int) -> DecisionTree:
        """The tree of the first n samples that wait, by a learner of their own; a split must mend two of them."""
        if self._first_tree is None or self._first_tree[0] != n:
            price = max(self.parameters.split_cost, 2 / n)
            own = replace(self.parameters, batch_size=n, split_cost=price, auto_price=False, leaf_prediction="majority")
            learner = Learner(own, self._feed.seed)
            for row, label in zip(self._waiting.rows[:n], self._waiting.labels, strict=False):
                learner.learn_one(dict(zip(self.schema.names, row, strict=True)), label)
            self._first_tree = n, learner.tree()
        return self._first_tree[1]

    @property
    def _has_batch(self) -> bool:
        return self._feed.grown[2] > 0

    def distributions(self, table: Table) -> NDArray[np.float64]:
        """The class distribution of each row, classes in the order of the tree's."""
        tree = self.tree()
        ends = tree.apply(table)
        shares = tree.distributions[ends]
        models = self._leaf_models()
        rows = np.flatnonzero(models.bayes_nodes()[ends]) if models else ()
        if models and len(rows):
            columns = [column_of(table, i, tree.attributes)[rows] for i in range(len(tree.attributes))]
            codes = [a.encode(column) for a, column in zip(tree.attributes, columns, strict=True)]
            shares[rows] = models.distributions(ends[rows], np.array(codes, dtype=np.intp).T.reshape(len(rows), -1))
        return shares

    def distribution(self, row: Mapping[Any, Any]) -> list[float]:
        """The class distribution of one row, classes in the order of the tree's."""
        tree = self.tree()
        end = tree.end(row)
        models = self._leaf_models()
        if models is None or not models.bayes_nodes()[end]:
            return tree.distribution(end)
        return models.distribution(end, [a.code(row.get(a.name)) for a in tree.attributes])

    def _leaf_models(self) -> LeafModels | None:
        return self._feed.leaf_models if self._has_batch else None

    def classes(self) -> tuple[Hashable, ...]:
        """The classes in the order of their appearance, those of the samples that wait included."""
        return tuple(dict.fromkeys([*self.schema.classes, *self._waiting.labels]))

    def certificate(self) -> Certificate:
        """What is known of the tree: of a search over trees, only its value."""
        if isinstance(self.engine, WindowSearch) and self._has_batch:
            return Certificate(*self.engine.certificate())
        tree = self.tree()
        return Certificate(tree.accuracy - self.split_cost * tree.n_splits, 1.0, False)

    def _certificate_now(self) -> Certificate:
        self._tree = None  # the engine may have moved on
        return self.certificate()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_tree": None, "_first_tree": None}


def read_tree(schema: Schema, found: Sequence[NodeTuple]) -> DecisionTree:
    """The tree that an engine has found, codes as values."""
    attributes, nodes = schema.attributes, list[Node]()
    for (attribute, cut, missing, codes, children, counts), highest in zip(found, _highest_bins(found), strict=True):
        threshold = None
        if cut >= 0:  # a cut above every bin in the box parts missing values from numbers
            edges = attributes[attribute].edges
            threshold = edges[cut - 1] if cut < highest.get(attribute, len(edges) + 1) else math.inf
        nodes.append(Node(tuple(counts), attribute, tuple(children), tuple(codes), threshold, missing))
    return DecisionTree(attributes, schema.classes[: len(nodes[0].counts)], tuple(nodes))


def _highest_bins(tree: Sequence[NodeTuple]) -> list[dict[int, int]]:
    """For each node the highest bin that its path leaves to each numeric attribute, where the path sets a limit."""
    highest: list[dict[int, int]] = [{} for _ in tree]
    for i, (attribute, cut, _, _, children, _) in enumerate(tree):  # parents stand before their children
        for side, child in enumerate(children):
            highest[child] = {**highest[i], attribute: cut} if cut >= 0 and side == 0 else highest[i]
    return highest
