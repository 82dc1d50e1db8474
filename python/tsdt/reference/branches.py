"""The search over branches: an AND/OR graph of boxes, searched by visits, with bounds that turn into a proof.

The objective adds up over branches, so the optimum obeys, in losses (errors and splits at their prices),

    loss(b) = min( errors(b), min over splits of price + sum over its children c of loss(c) )

Read `graph` (what a branch is), `knowledge` (what is known of it), `looking` (how the window is asked), `visiting` (one
visit), `enumerating` (all boxes at once, where there are few), then this: the learner behind the seam, which gives the
visits their samples and their time.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

import numpy as np

from tsdt.reference.answer import AnswerNode, best_tree
from tsdt.reference.boundary import check_growth, check_samples, ensure
from tsdt.reference.bounds import Cost, Prices
from tsdt.reference.enumerating import Enumerating
from tsdt.reference.recoding import check_recoding, moved_tree, rewritten
from tsdt.reference.settings import Settings
from tsdt.reference.soundness import check_sample, restore
from tsdt.reference.state import Stored
from tsdt.reference.window import Sample, Window

PATIENCE, HALVINGS = 32, 7
"""After so many batches with a tree of the same shape half the effort is spent, after twice as many half of that ..."""

CHANCE = 72
"""The square of so many standard deviations of a number of errors: that many more are no chance."""

WIDE_GAP = 0.1
"""But as long as so great a part of the value may be missing, all of it is spent."""


class BranchSearch(Enumerating, Stored):
    """The learner: see the module."""

    def __init__(
        self,
        split_cost: float,
        policy: str = "mixed",
        batch_size: int = 100,
        gamma: float = 0.75,
        min_samples: int = 2,
        window: int = 100_000,
        effort: float = 200.0,
        max_memory: int = 1 << 30,
        seed: int = 0,
    ) -> None:
        super().__init__(Settings(split_cost, policy, batch_size, gamma, min_samples, window, effort, max_memory, seed))
        self.waiting: list[Sample] = []  # of a batch that is not complete

    def grow(self, arities: Sequence[int], ordered: Sequence[bool], n_classes: int) -> None:
        """Make room for new categories, classes and attributes."""
        window = self.window
        check_growth((window.arities, window.n_classes), (arities, n_classes))
        same = list(ordered)[: len(window.ordered)] == window.ordered
        ensure(same and len(ordered) == len(arities), "which attributes are numbers cannot change")
        more = (0,) * (len(arities) - len(window.arities))
        self.waiting = [(row + more, label) for row, label in self.waiting]
        if (list(arities), n_classes) != (window.arities, window.n_classes):
            self.lattice = None
        window.grow(list(map(int, arities)), list(map(bool, ordered)), int(n_classes))

    # -- samples in ------------------------------------------------------------------------------------------------

    def learn(self, codes: Any, labels: Any) -> None:
        """Take samples in; every complete batch enters the window, and the search spends its effort."""
        check_samples(codes, labels, self.window.arities, self.window.n_classes)
        for row, label in zip(codes.tolist(), labels.tolist(), strict=True):
            self.waiting.append((tuple(row), label))
            if len(self.waiting) == self.settings.batch_size:
                self._take_batch()
                self._spend_effort()

    def _take_batch(self) -> None:
        if self.by_rows:
            self._know_by_boxes()
        for row, label in self.waiting:
            self.window.add(row, label)
        self.waiting = []
        self.prices.of_window(len(self.window.samples))

    def _spend_effort(self) -> None:
        """Search between two batches. Where the tree has stayed the same for long and little can be missing, less."""
        full = int(self.settings.effort * self.settings.batch_size)
        self.credit += full if self._gap() >= WIDE_GAP else full >> min((self.calm // PATIENCE).bit_length(), HALVINGS)
        if self.credit < 0:
            self.calm += 1
            return
        while self.credit >= 0 and not self._is_proven():
            self.credit -= self._visit()
        self.credit = min(self.credit, 0)
        self._note_calm()

    def _note_calm(self) -> None:
        """See whether the best tree is still what it was: of the same shape, and no worse than chance can make it."""
        shape, errors = self._shape(), self.root.likely.errors
        is_full = len(self.window.samples) == self.window.capacity
        more = max(errors - self.fewest_errors, 0)
        has_lost = is_full and more * more > CHANCE * (self.fewest_errors + 1)
        is_same = shape == self.last_shape and not has_lost
        self.fewest_errors = min(self.fewest_errors, errors) if is_same and is_full else errors
        self.calm = self.calm + 1 if is_same else 0
        self.last_shape = shape

    def _gap(self) -> float:
        """How much the best tree known may fall short of the optimum, as the root was last settled."""
        whole = float(self.prices.error) * float(max(len(self.window.samples), 1))
        return max(self.root.best.loss(self.prices) - self.root.low, 0) / whole

    def load(self, codes: Any, labels: Any) -> None:
        """Replace the window by a whole table; search nothing yet."""
        check_samples(codes, labels, self.window.arities, self.window.n_classes)
        samples = [(tuple(row), label) for row, label in zip(codes.tolist(), labels.tolist(), strict=True)]
        capacity = self.settings.window and max(self.settings.window, len(samples))
        self._replace_window(capacity, self.window.arities, samples)
        self.waiting = []
        self.prices = Prices(self.settings.split_cost, self.window.capacity)
        self._start_over(by_rows=True)

    def plant(self, tree: Sequence[Sequence[Any]]) -> None:
        """Put a tree that was found elsewhere into the graph, as far as its splits are actions there."""
        ensure(len(tree) > 0, "a tree has at least one node")
        nodes = [AnswerNode(*node) for node in tree]
        for at, node in enumerate(nodes):
            ensure(all(at < i < len(nodes) for i in node.children), f"node {at} has the children {node.children}")
        if self.window.samples:
            self._plant(nodes)

    def recode(self, attributes: Sequence[int], codes: Any, arities: Sequence[int]) -> None:
        """Give numeric attributes new bins: codes has a row for each sample held, a column for each attribute.

        The search starts over from the best tree, its cuts moved to those that are nearest in samples.
        """
        check_recoding(self.window, self.held(), attributes, codes, arities)
        new = list(map(tuple, codes.tolist()))
        tree = moved_tree(self.tree(), self.window, attributes, new, arities)
        samples = rewritten([*self.window.samples, *self.waiting], attributes, new)
        n, given = len(self.window.samples), dict(zip(attributes, arities, strict=True))
        all_arities = [given.get(i, arity) for i, arity in enumerate(self.window.arities)]
        self._replace_window(self.window.capacity, all_arities, samples[:n])
        self.waiting = samples[n:]
        self._start_over(self.by_rows)
        self._plant(tree)

    def _replace_window(self, capacity: int, arities: Sequence[int], samples: Sequence[Sample]) -> None:
        window = Window(capacity)
        window.grow(arities, self.window.ordered, self.window.n_classes)
        for row, label in samples:
            window.add(row, label)
        self.window = window

    def held(self) -> int:
        """Samples inside: the window and the incomplete batch."""
        return len(self.window.samples) + len(self.waiting)

    def samples(self) -> tuple[Any, Any]:
        """The samples of the window, oldest first: codes (n, q) and labels; none where only counts are kept."""
        held = self.window.samples if self.window.capacity else []
        codes = np.array([row for row, _ in held], dtype=np.uint16).reshape(len(held), len(self.window.arities))
        return codes, np.array([label for _, label in held], dtype=np.uint16)

    # -- the answer ------------------------------------------------------------------------------------------------

    def search(self, visits: int, seconds: float, samples: int = 2**64 - 1) -> bool:
        """Go on without new samples: for so many visits or seconds, or until so many samples were looked at.

        Returns whether the tree is proven optimal.
        """
        start, made, enough = monotonic(), 0, self.spent + samples
        while self.window.samples and not self._is_proven() and made < visits and self.spent < enough:
            if monotonic() - start >= seconds:
                break
            self._visit_or_enumerate()
            made += 1
        return self._is_proven()

    def tree(self) -> list[AnswerNode]:
        """The best tree known, as the seam's list of nodes."""
        return best_tree(self)

    def certificate(self) -> tuple[float, float, bool]:
        """Value of the tree, the most that any tree is worth, and whether they are equal, all on the window."""
        low = max(self.root.low - self._slack(*self.window.changes(self.root.stamp)), 0)
        nodes = self.tree()
        errors = sum(sum(node.counts) - max(node.counts, default=0) for node in nodes if node.attribute < 0)
        loss = Cost(errors, sum(node.attribute >= 0 for node in nodes)).loss(self.prices)
        whole = float(self.prices.error) * float(max(len(self.window.samples), 1))
        return 1.0 - loss / whole, 1.0 - min(low, loss) / whole, low >= loss

    # -- from bytes ------------------------------------------------------------------------------------------------

    def _restored(self) -> None:
        restore(self)
        ensure(len(self.waiting) < self.settings.batch_size, f"{len(self.waiting)} samples wait")
        for sample in self.waiting:
            check_sample(sample, self.window)
