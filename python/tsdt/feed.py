"""Whole batches on their way to the engine: columns that wake, codes, growth, and new edges for numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.engine import Codes, Search, WindowSearch
from tsdt.leaf_models import LeafModels
from tsdt.parameters import Parameters
from tsdt.schema import Schema
from tsdt.schema.alignment import first_present
from tsdt.schema.column import Values
from tsdt.schema.revision import Revisions

BLOCK = 16_384
"""Rows that go from a table to the engine at once: few enough to stay in the cache."""


class Feed:
    """Makes codes of samples and has the engine learn them, so that only the order of the samples matters."""

    def __init__(self, schema: Schema, engine: Search, p: Parameters) -> None:
        self.schema, self.engine, self.batch_size = schema, engine, p.batch_size
        self.grown: tuple[list[int], list[bool], int] = ([], [], 0)  # what the engine was told last
        can_revise = isinstance(engine, WindowSearch) and p.window > 0
        self.revisions = Revisions(schema, p.window, p.batch_size) if can_revise else None
        self.leaf_models = None if p.leaf_prediction == "majority" else LeafModels(p.leaf_prediction, p.window)

    def reach(self, columns: Sequence[NDArray[Any]], start: int, length: int) -> int:
        """How many of the next samples can be taken at once: until a column wakes or edges are to be revised."""
        m = self.batch_size
        if self.leaf_models:
            return m  # the tree after each batch matters
        length = min(length, max(m, BLOCK // m * m), self.revisions.left() if self.revisions else length)
        for i in self.schema.dormant:
            present = first_present(columns[i][start : start + length])
            if present < length:
                length = max(m, present // m * m)
        return length

    def load(self, columns: Sequence[Values], labels: Values) -> tuple[Codes, Codes]:
        """The codes of a whole table, the engine made ready for them; nothing is learned."""
        self.schema.decide(columns)
        codes, classes = self.schema.encode(columns, len(labels)), self.schema.encode_classes(labels)
        if self.revisions:
            self.revisions.load(columns, len(labels))
        if self.leaf_models:
            self.leaf_models.load(codes, classes)
        self._grow(self.schema.arities, len(self.schema.classes))
        return codes, classes

    def take(self, columns: Sequence[Values], labels: Values) -> bool:
        """Whole batches, given by column. Returns whether anything was decided anew of a column."""
        woken = bool(self.schema.dormant and self.schema.decide(columns))
        arities = self.schema.arities
        codes, classes = self.schema.encode(columns, len(labels)), self.schema.encode_classes(labels)
        if self.revisions:
            self.revisions.note(columns, len(labels))
        if self.leaf_models:
            self.leaf_models.score(codes, classes)
        if self.grown == (self.schema.arities, self.schema.ordered, len(self.schema.classes)):
            self.engine.learn(codes, classes)
        else:
            self._learn_growing(codes, classes, arities)
        if self.leaf_models:
            self.leaf_models.learn(codes, classes, self.engine.tree(), self.sizes)
        return (self._revise() if self.revisions and self.revisions.left() <= 0 else False) or woken

    @property
    def sizes(self) -> tuple[list[int], int]:
        """The arities of the attributes and the number of classes that the engine knows."""
        return self.grown[0], self.grown[2]

    def _learn_growing(self, codes: Codes, classes: Codes, arities: Sequence[int]) -> None:
        """Tell the engine of each new category and class with the batch that brings it, as if samples came singly."""
        m, q = self.batch_size, len(arities)
        seen = np.column_stack([codes, classes]).reshape(-1, m, q + 1).max(axis=1).astype(np.int64) + 1
        needed = np.maximum.accumulate(np.maximum(seen, [*arities, self.grown[2]]), axis=0)
        changes = [0, *(np.flatnonzero((np.diff(needed, axis=0) != 0).any(axis=1)) + 1).tolist(), len(needed)]
        for start, stop in pairwise(changes):
            sizes = needed[start].tolist()
            self._grow(sizes[:-1], sizes[-1])
            self.engine.learn(codes[start * m : stop * m], classes[start * m : stop * m])

    def _grow(self, arities: list[int], n_classes: int) -> None:
        if self.grown != (arities, self.schema.ordered, n_classes):
            self.grown = (arities, self.schema.ordered, n_classes)
            self.engine.grow(*self.grown)

    def _revise(self) -> bool:
        """New edges where they are needed, and new codes for the samples that the engine holds."""
        if not isinstance(self.engine, WindowSearch) or self.revisions is None:
            return False
        used = defaultdict[int, set[float]](set)
        for attribute, cut, *_ in self.engine.tree():
            if cut > 0:
                used[attribute].add(float(self.schema.columns[self.schema.active[attribute]].edges[cut - 1]))
        held = self.engine.held()
        changed = self.revisions.revise(used, held)
        if changed:
            arities, codes = self.schema.arities, self.revisions.codes(changed, held)
            self.engine.recode(changed, codes, [arities[k] for k in changed])
            self._grow(arities, self.grown[2])
            if self.leaf_models:
                self.leaf_models.recode(changed, codes)
        return bool(changed)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "engine": None}  # the learner has it, and gives it back
