"""The learner under the estimators: rows wait here for a batch, the schema makes codes of them, the engine learns them.

What is learned depends on the order of the samples alone, not on how they were cut into calls.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.certificate import Certificate
from tsdt.engine import Codes, EngineState, Search, WindowSearch, engine_name, make_search
from tsdt.parameters import Parameters
from tsdt.schema import Schema
from tsdt.schema.alignment import align, check_row, first_present
from tsdt.schema.kinds import recognise
from tsdt.schema.labels import as_labels, check_label
from tsdt.schema.numbers import as_numbers
from tsdt.tables import Table, objects
from tsdt.tree import DecisionTree, Node

Values = Sequence[Any] | NDArray[Any]

BLOCK = 16_384
"""Rows that go from table to engine at once: few enough to stay in the cache."""

_SURE = frozenset({int, bool, str, bytes})  # types of labels that need no second look
_SCALARS = frozenset({int, float, bool, str, bytes, type(None)})


class Learner:
    """One model being learned: its schema, its engine, and the samples that wait for a complete batch."""

    def __init__(self, parameters: Parameters, seed: int) -> None:
        self.parameters = parameters
        self.schema = Schema(parameters.schema, parameters.bins, parameters.max_categories)
        self.engine = _make_engine(parameters, seed)
        self.n_seen = 0
        self._rows: list[tuple[Any, ...]] = []  # one value per column of the schema
        self._labels: list[Hashable] = []
        self._width = 0
        self._pick = _picker(())
        self._familiar: set[tuple[type, ...]] = set()  # types of rows that need no second look
        self._grown: tuple[list[int], list[bool], int] = ([], [], 0)  # what the engine was told last
        self._tree: DecisionTree | None = None

    # -- samples in --------------------------------------------------------------------------------------------------

    def learn_one(self, row: Mapping[Any, Any], label: Hashable) -> None:
        """Take in one sample; every `batch_size` of them the engine learns."""
        if type(label) not in _SURE:
            check_label(label)
        try:
            values = self._pick(row)
            familiar = len(row) == len(values) and tuple(map(type, values)) in self._familiar
        except (KeyError, TypeError, AttributeError, IndexError):
            familiar = False
        if not familiar:
            values = self._admit(row)
        self._rows.append(values)
        self._labels.append(label)
        self.n_seen += 1
        if len(self._rows) >= self.parameters.batch_size:
            self._flush()

    def learn_table(self, table: Table, y: Any) -> None:
        """Take in many samples. Nothing is learned when anything is wrong with one of them."""
        labels = as_labels(y, table.n_rows)
        columns = align(self.schema, table)
        self._match_width()
        self._foresee(columns)
        m, n = self.parameters.batch_size, len(labels)
        self.n_seen += n
        start = 0
        if self._rows:
            start = min(n, m - len(self._rows))
            self._wait(columns, labels, 0, start)
        while n - start >= m:
            stop = start + self._reach(columns, start, (n - start) // m * m)
            self._take([column[start:stop] for column in columns], labels[start:stop])
            start = stop
        self._wait(columns, labels, start, n)

    def load_table(self, table: Table, y: Any) -> tuple[Codes, Codes]:
        """The schema and the codes of a whole table, the engine made ready for them; nothing is searched."""
        labels = as_labels(y, table.n_rows)
        columns = align(self.schema, table)
        self._match_width()
        self.schema.decide(columns)
        codes, classes = self.schema.encode(columns, len(labels)), self.schema.encode_classes(labels)
        self.n_seen = len(labels)
        self._grow(self.schema.arities, self.schema.ordered, len(self.schema.classes))
        return codes, classes

    def changed(self) -> None:
        """The engine has moved on: the tree is to be read anew."""
        self._tree = None

    def _admit(self, row: Any) -> tuple[Any, ...]:
        """A row whose keys or types are not familiar: new keys become columns, absent ones are missing."""
        if not isinstance(row, Mapping):
            raise TypeError(f"a sample is {row!r} ({type(row).__name__}); give a dict from attribute names to values")
        new = [name for name in row if name not in self.schema.positions]
        values = tuple(row.get(name) for name in [*self.schema.names, *new])
        check_row(self.schema, values, new)
        if new:
            self.schema.add_columns(new)
            self._match_width()
        types = tuple(map(type, values))
        if _SCALARS.issuperset(types):
            self._familiar.add(types)
        return values

    def _match_width(self) -> None:
        """The rows that wait get a missing value for every column that is new."""
        names = self.schema.names
        if len(names) == self._width:
            return
        self._width = len(names)
        self._pick = _picker(names)
        self._rows = [row + (None,) * (len(names) - len(row)) for row in self._rows]

    def _wait(self, columns: Sequence[Values], labels: Values, start: int, stop: int) -> None:
        """Let the rows of a table wait for the rest of their batch."""
        if start == stop:
            return
        parts = [_listed(column[start:stop]) for column in columns]
        self._rows += zip(*parts, strict=True) if parts else [()] * (stop - start)
        self._labels += _listed(labels[start:stop])
        if len(self._rows) == self.parameters.batch_size:
            self._flush()

    def _flush(self) -> None:
        """The rows that wait are a complete batch."""
        columns: list[Values] = list(zip(*self._rows, strict=True)) if self._width else []
        labels, self._rows, self._labels = self._labels, [], []
        self._take(columns, labels)

    def _foresee(self, columns: list[NDArray[Any]]) -> None:
        """Read as numbers what the batches to come will find to be numbers, so that text among them is refused now."""
        m, waiting = self.parameters.batch_size, len(self._rows)
        for i in self.schema.dormant:
            if columns[i].dtype.kind == "O":
                before = objects([row[i] for row in self._rows])
                values = np.concatenate([before, columns[i]])
                start = first_present(values) // m * m
                recognised = recognise(values[start : start + m])
                if start + m <= len(values) and recognised is not None and recognised.kind == "numeric":
                    columns[i] = as_numbers(values, self.schema.columns[i].name)[waiting:]

    def _reach(self, columns: Sequence[Values], start: int, length: int) -> int:
        """How many of the next samples can be taken at once: up to the batch in which a dormant column wakes."""
        m = self.parameters.batch_size
        length = min(length, max(m, BLOCK // m * m))
        for i in self.schema.dormant:
            present = first_present(np.asarray(columns[i][start : start + length]))
            if present < length:
                length = max(m, present // m * m)
        return length

    # -- samples to the engine -----------------------------------------------------------------------------------------

    def _take(self, columns: Sequence[Values], labels: Values) -> None:
        """Whole batches: decide the columns that wake, make codes, let the engine learn."""
        if self.schema.dormant and self.schema.decide(columns):
            self._familiar.clear()
        before = self.schema.arities
        codes, classes = self.schema.encode(columns, len(labels)), self.schema.encode_classes(labels)
        if self._grown == (self.schema.arities, self.schema.ordered, len(self.schema.classes)):
            self.engine.learn(codes, classes)
        else:
            self._learn_growing(codes, classes, before)
        self._tree = None

    def _learn_growing(self, codes: Codes, classes: Codes, arities: Sequence[int]) -> None:
        """Tell the engine of each new category and class with the batch that brings it, as if samples came singly."""
        m, q = self.parameters.batch_size, len(arities)
        seen = np.column_stack([codes, classes]).reshape(-1, m, q + 1).max(axis=1).astype(np.int64) + 1
        needed = np.maximum.accumulate(np.maximum(seen, [*arities, self._grown[2]]), axis=0)
        changes = [0, *(np.flatnonzero((np.diff(needed, axis=0) != 0).any(axis=1)) + 1).tolist(), len(needed)]
        for start, stop in pairwise(changes):
            sizes = needed[start].tolist()
            self._grow(sizes[:-1], self.schema.ordered, sizes[-1])
            self.engine.learn(codes[start * m : stop * m], classes[start * m : stop * m])

    def _grow(self, arities: list[int], ordered: list[bool], n_classes: int) -> None:
        if self._grown != (arities, ordered, n_classes):
            self._grown = (arities, ordered, n_classes)
            self.engine.grow(*self._grown)

    # -- pickling ------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_pick"]
        if hasattr(self.engine, "state"):
            state["engine"] = EngineState(type(self.engine).__name__, engine_name(), self.engine.state())
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._pick = _picker(self.schema.names)
        if isinstance(self.engine, EngineState):
            self.engine = self.engine.restore()

    # -- the answer ----------------------------------------------------------------------------------------------------

    def tree(self) -> DecisionTree:
        """The best tree now. Before the first complete batch it is a leaf with the labels that wait."""
        if self._tree is None or self.engine.n_iter == 0:
            self._tree = self._read_tree()
        return self._tree

    def _read_tree(self) -> DecisionTree:
        if self._grown[2] == 0:
            classes = tuple(dict.fromkeys(self._labels))
            return DecisionTree((), classes, (Node(tuple(map(self._labels.count, classes))),))
        attributes = self.schema.attributes
        nodes = []
        for attribute, cut, missing, codes, children, counts in self.engine.tree():
            threshold = attributes[attribute].edges[cut - 1] if attribute >= 0 and cut >= 0 else None
            nodes.append(Node(tuple(counts), attribute, tuple(children), tuple(codes), threshold, missing))
        return DecisionTree(attributes, self.schema.classes[: len(nodes[0].counts)], tuple(nodes))

    def classes(self) -> tuple[Hashable, ...]:
        """The classes in the order of their appearance, those of the samples that wait included."""
        return tuple(dict.fromkeys([*self.schema.classes, *self._labels]))

    def certificate(self) -> Certificate:
        """What is known of the tree: of a search over trees, only its value."""
        if isinstance(self.engine, WindowSearch) and self._grown[2]:
            return Certificate(*self.engine.certificate())
        tree = self.tree()
        return Certificate(tree.accuracy - self.parameters.split_cost * tree.n_splits, 1.0, False)


def _make_engine(p: Parameters, seed: int) -> Search:
    shared: dict[str, Any] = {
        "split_cost": p.split_cost,
        "policy": p.policy,
        "batch_size": p.batch_size,
        "gamma": p.gamma,
        "min_samples": p.min_samples,
        "seed": seed,
    }
    if p.search == "trees":
        return make_search("TreeSearch", backup=p.backup, **shared)
    return make_search("BranchSearch", window=p.window, effort=p.effort, max_memory=p.max_memory, **shared)


def _picker(names: Sequence[Hashable]) -> Any:
    """A function that takes the values of some names out of a dict, as a tuple."""
    if len(names) > 1:
        return itemgetter(*names)
    return (lambda row: (row[names[0]],)) if names else (lambda row: ())


def _listed(values: Values) -> list[Any]:
    listed: list[Any] = values.tolist() if isinstance(values, np.ndarray) else list(values)
    return listed
