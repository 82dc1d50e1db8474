"""Whole batches on their way to the engine: columns that wake, codes, growth, new edges, and a new price of splits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.checkpoints import Checkpoints
from tsdt.engine import Codes, NodeTuple, WindowSearch
from tsdt.engine_state import EngineState
from tsdt.leaf_models import LeafModels
from tsdt.parameters import Parameters
from tsdt.priced_engine import PricedEngine
from tsdt.schema import Schema
from tsdt.schema.alignment import first_present
from tsdt.schema.column import Values
from tsdt.schema.revision import Revisions

BLOCK = 16_384
"""Rows that go from a table to the engine at once: few enough to stay in the cache."""


CHANCE = 0.005
"""By so much the worth of a tree may fall without a reason."""


class Feed(PricedEngine):
    """Makes codes of samples and has the engine learn them, so that only the order of the samples matters."""

    def __init__(self, schema: Schema, parameters: Parameters, seed: int) -> None:
        super().__init__(schema, parameters, seed)
        p, m = parameters, parameters.batch_size
        plain = p.leaf_prediction == "majority" or self.held is None
        self.leaf_models = None if plain or self.held is None else LeafModels(p.leaf_prediction, self.held)
        can_revise = isinstance(self.engine, WindowSearch) and p.window > 0
        self.revisions = Revisions(schema, p.window, m) if can_revise else None
        self.watch = Checkpoints(m, p.window, first=2 * m)  # of what the tree is worth
        self._worth = 1.0  # when a greedy tree was last grown

    # -- whole batches -------------------------------------------------------------------------------------------------

    def reach(self, columns: Sequence[NDArray[Any]], start: int, length: int) -> int:
        """How many of the next samples can be taken at once: until a column wakes or something is looked at anew."""
        m = self.parameters.batch_size
        if self.leaf_models:
            return m  # the tree after each batch matters
        length = min(length, max(m, BLOCK // m * m), *(checkpoints.left() for checkpoints in self._all_checkpoints()))
        for i in self.schema.dormant:
            present = first_present(columns[i][start : start + length])
            if present < length:
                length = max(m, present // m * m)
        return length

    def _all_checkpoints(self) -> list[Checkpoints]:
        edges = [self.watch, self.revisions.checkpoints] if self.revisions else []
        return [*edges, self.price_checkpoints] if self.price_checkpoints else edges

    def take(self, columns: Sequence[Values], labels: Values) -> bool:
        """Whole batches, given by column. Returns whether anything was decided anew of a column."""
        woken = bool(self.schema.dormant and self.schema.decide(columns))
        arities = self.schema.arities
        codes, classes = self.schema.encode(columns, len(labels)), self.schema.encode_classes(labels)
        if self.leaf_models:
            self.leaf_models.score(codes, classes)
        if self.grown == (self.schema.arities, self.schema.ordered, len(self.schema.classes)):
            self.engine.learn(codes, classes)
        else:
            self._learn_growing(codes, classes, arities)
        self._keep(codes, classes)
        if self.revisions:
            self.revisions.note(columns, len(labels))
            woken = self._look_at_bins(len(labels)) or woken
        if self.price_checkpoints:
            self.price_checkpoints.count += len(labels)
            if self.price_checkpoints.left() <= 0:
                self.price_anew()
        return woken

    def _keep(self, codes: Codes, classes: Codes) -> None:
        if self.held:
            left = self.held.add(codes, classes)
            if self.leaf_models:
                self.leaf_models.learn((codes, classes), left, self.engine.tree(), self.sizes)

    # -- growth --------------------------------------------------------------------------------------------------------

    @property
    def sizes(self) -> tuple[list[int], int]:
        """The arities of the attributes and the number of classes that the engine knows."""
        return self.grown[0], self.grown[2]

    def _learn_growing(self, codes: Codes, classes: Codes, arities: Sequence[int]) -> None:
        """Tell the engine of each new category and class with the batch that brings it, as if samples came singly."""
        m, q = self.parameters.batch_size, len(arities)
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

    def _look_at_bins(self, n: int) -> bool:
        """After n samples more: see whether the tree has lost, and new edges when it has, or when it is time."""
        if self.revisions is None:
            return False
        self.watch.count += n
        has_lost = False
        if self.watch.left() <= 0:
            has_lost = self._has_lost()
            self.watch.advance()
        if has_lost:
            self.revisions.checkpoints.hurry()
        return self.revisions.checkpoints.left() <= 0 and self.revise(from_greedy=has_lost)

    def revise(self, from_greedy: bool, exact: bool = False) -> bool:
        """New edges where they are needed, and new codes for the samples that the engine holds.

        From greedy: a greedy tree may say where, and is planted. Exact: edges beside thresholds are as fine as can be.
        """
        if not isinstance(self.engine, WindowSearch) or self.revisions is None:
            return False
        used, is_greedy = self.thresholds([self.engine.tree()]), self.cuts_numbers and from_greedy
        if is_greedy:
            greedy = self._fine_thresholds() if exact else self.thresholds([self.greedy_tree()])
            for attribute, wanted in greedy.items():
                used[attribute] |= wanted
        changed, codes = self.new_bins(used, self.engine.held(), exact)
        if changed:
            arities = self.schema.arities
            self._grow([*self.grown[0], *arities[len(self.grown[0]) :]], self.grown[2])  # new attributes first
            self.engine.recode(changed, codes, [arities[k] for k in changed])
            self.grown = (arities, self.schema.ordered, self.grown[2])
            if self.held:
                self.held.recode(changed, codes)
            if self.leaf_models:
                self.leaf_models.recode()
        if is_greedy:
            self.engine.plant(self.greedy_tree())
        return bool(changed)

    def _has_lost(self) -> bool:
        """Whether the tree is worth less than when a greedy one was last grown; yes until the window is full."""
        if not isinstance(self.engine, WindowSearch):
            return False
        worth, is_full = self.engine.certificate()[0], self.watch.count > self.parameters.window
        if is_full and worth >= self._worth - CHANCE:
            return False
        self._worth = worth
        return True

    def thresholds(self, trees: Iterable[Sequence[NodeTuple]]) -> defaultdict[int, set[float]]:
        """Where trees cut the numbers, by attribute."""
        used = defaultdict[int, set[float]](set)
        for attribute, cut, *_ in chain.from_iterable(trees):
            if 0 < cut <= len(self.schema.active[attribute].edges):
                used[attribute].add(float(self.schema.active[attribute].edges[cut - 1]))
        return used

    def new_bins(self, used: Mapping[int, Collection[float]], n: int, exact: bool) -> tuple[list[int], Codes]:
        """New edges beside these thresholds: which attributes got them, and the codes of the last n samples there."""
        if self.revisions is None:
            return [], np.empty((n, 0), dtype=np.uint16)
        changed = self.revisions.revise(used, n, exact)
        return changed, self.revisions.codes(changed, n)

    def _fine_thresholds(self) -> dict[int, set[float]]:
        """Where the greedy tree would cut if it had the numbers themselves."""
        if not isinstance(self.engine, WindowSearch) or self.revisions is None:
            return {}
        codes, classes = self.engine.samples()
        fine, arities = self.revisions.fine_bins(self.engine.held()), self.schema.arities
        for attribute, bins in fine.items():
            codes[:, attribute], arities[attribute] = bins.codes[: len(codes)], bins.arity
        used: dict[int, set[float]] = {attribute: set() for attribute in fine}
        for attribute, cut, *_ in self.grown_greedily(codes, classes, arities, self.split_cost).at(self.split_cost):
            if cut > 0 and attribute in fine:
                used[attribute].add(fine[attribute].threshold(cut))
        return used

    # -- whole tables --------------------------------------------------------------------------------------------------

    def load(self, columns: Sequence[Values], labels: Values) -> tuple[Codes, Codes]:
        """The codes of a whole table, the engine made ready for them; nothing is learned."""
        self.schema.decide(columns)
        codes, classes = self.schema.encode(columns, len(labels)), self.schema.encode_classes(labels)
        if self.revisions:
            self.revisions.load(columns, len(labels))
        if self.held:
            self.held.load(codes, classes)
        self.watch.start_at(len(labels))
        if self.price_checkpoints:
            self.price_checkpoints.start_at(len(labels))
        self._grow(self.schema.arities, len(self.schema.classes))
        return codes, classes

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "engine": EngineState.of(self.engine)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if isinstance(self.engine, EngineState):
            self.engine = self.engine.restore()
