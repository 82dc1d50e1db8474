"""Evidence from a window: the last samples, and one question about them: the counts of a box.

A box is a tuple of conditions in the order of their attributes. Code 0 of a number means missing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Row = tuple[int, ...]
Sample = tuple[Row, int]


class Condition(NamedTuple):
    """What an attribute is held to: the codes `low` to `high` and, for numbers, whether missing ones are in as well."""

    attribute: int
    low: int
    high: int
    missing: bool = False

    def holds(self, row: Row) -> bool:
        """Whether a row satisfies the condition."""
        code = row[self.attribute]
        return self.low <= code <= self.high or (code == 0 and self.missing)


Box = tuple[Condition, ...]


def narrowed(box: Box, by: Condition) -> Box:
    """The box with one more condition; a condition on the same attribute is replaced, for it was wider."""
    return tuple(sorted([c for c in box if c.attribute != by.attribute] + [by]))


class Counts:
    """Counts of a box. A cell is one category of one attribute: its class counts and, last, its twins."""

    def __init__(self, samples: Iterable[Sample], arities: Sequence[int], n_classes: int) -> None:
        self.total = [0] * (n_classes + 1)
        self.cells = [[[0] * (n_classes + 1) for _ in range(arity)] for arity in arities]
        groups: dict[Row, list[int]] = {}
        for row, label in samples:
            groups.setdefault(row, [0] * n_classes)[label] += 1
        for row, counts in groups.items():
            counts.append(sum(counts) - max(counts))  # twins: no tree gets them right
            for cell in [self.total, *(self.cells[i][code] for i, code in enumerate(row))]:
                for k, count in enumerate(counts):
                    cell[k] += count


class Window:
    """The last `capacity` samples; where that is 0, all samples."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.arities: list[int] = []
        self.ordered: list[bool] = []
        self.n_classes = 0
        self.samples: deque[Sample] = deque()
        self.added = 0

    def grow(self, arities: Sequence[int], ordered: Sequence[bool], n_classes: int) -> None:
        """Make room for new attributes, categories and classes. In a new attribute all samples so far have code 0."""
        more = (0,) * (len(arities) - len(self.arities))
        self.samples = deque((row + more, label) for row, label in self.samples)
        self.arities, self.ordered, self.n_classes = list(arities), list(ordered), n_classes

    def add(self, row: Row, label: int) -> None:
        """Take a sample in; where the window is full the oldest one goes."""
        if self.capacity and len(self.samples) == self.capacity:
            self.samples.popleft()
        self.samples.append((row, label))
        self.added += 1

    def changes(self, stamp: int) -> tuple[int, int]:
        """How many samples came and went since `stamp` had come."""
        if not self.capacity:
            return self.added - stamp, 0
        gone, gone_then = max(self.added - self.capacity, 0), max(stamp - self.capacity, 0)
        return self.added - stamp, gone - gone_then

    def count(self, box: Box) -> Counts:
        """The counts of a box."""
        inside = (sample for sample in self.samples if all(condition.holds(sample[0]) for condition in box))
        return Counts(inside, self.arities, self.n_classes)

    def places(self, box: Box) -> tuple[int, ...]:
        """Where in the window the samples of a box are."""
        return tuple(i for i, (row, _) in enumerate(self.samples) if all(condition.holds(row) for condition in box))

    def held_to(self, box: Box, attribute: int) -> Condition:
        """What a box holds an attribute to. The other attributes are free: a number from its first bin to its last."""
        for condition in box:
            if condition.attribute == attribute:
                return condition
        return Condition(attribute, 1, self.arities[attribute] - 1, missing=True)
