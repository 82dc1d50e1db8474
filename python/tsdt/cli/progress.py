"""How far a run has come: what is shown while it learns."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from tsdt.certificate import Certificate
from tsdt.cli.differences import differences
from tsdt.tree import DecisionTree

RECENT = 5.0
"""Seconds over which the samples a second are counted."""


@dataclass(frozen=True)
class Progress:
    """One look at a run. `improved` says what changed last in the tree, `improved_at` when; times in seconds."""

    seconds: float
    samples: int
    rate: float
    tree: DecisionTree
    certificate: Certificate
    bad_rows: int
    improved: str
    improved_at: float
    saved_at: float | None
    searching: bool

    def facts(self) -> dict[str, Any]:
        """The numbers, for programs."""
        facts = {name: value for name, value in asdict_shallow(self).items() if name not in ("tree", "certificate")}
        return facts | tree_facts(self.tree, self.certificate)


def asdict_shallow(progress: Progress) -> dict[str, Any]:
    """The fields by name."""
    return {name: getattr(progress, name) for name in progress.__dataclass_fields__}


def tree_facts(tree: DecisionTree, certificate: Certificate) -> dict[str, Any]:
    """A tree in numbers."""
    return {
        "leaves": tree.n_leaves,
        "splits": tree.n_splits,
        "depth": tree.depth,
        "accuracy": round(tree.accuracy, 6),
        "gap": certificate.gap,
        **asdict(certificate),
    }


class Watch:
    """Follows a run: counts samples a second and notices when the tree becomes another one."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.start = time.monotonic()
        self.samples = self.bad_rows = 0
        self.saved_at: float | None = None
        self._counts = [(0.0, 0)]
        self._tree: DecisionTree | None = None
        self._improved, self._improved_at = "", 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.start

    def look(self, searching: bool = False) -> Progress:
        """How things are now."""
        now, tree = self.seconds, self.model.tree_
        self._counts = [*(count for count in self._counts if count[0] >= now - RECENT), (now, self.samples)]
        if self._tree is None or tree.nodes != self._tree.nodes:
            self._note(tree, now)
        return Progress(
            seconds=round(now, 3),
            samples=self.samples,
            rate=self._rate(now),
            tree=tree,
            certificate=self.model.certificate_,
            bad_rows=self.bad_rows,
            improved=self._improved,
            improved_at=round(self._improved_at, 3),
            saved_at=None if self.saved_at is None else round(self.saved_at, 3),
            searching=searching,
        )

    def _rate(self, now: float) -> float:
        (since, before), (_, after) = self._counts[0], self._counts[-1]
        return round((after - before) / (now - since), 1) if now > since else 0.0

    def _note(self, tree: DecisionTree, now: float) -> None:
        """Counts change all the time; what is worth telling is another split or another answer."""
        changes = differences(self._tree, tree) if self._tree is not None else ["the first tree"]
        if changes:
            self._improved, self._improved_at = changes[0], now
        self._tree = tree
