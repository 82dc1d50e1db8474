"""Every box of a small space, solved bottom up: where there are not too many boxes, the shortest way to a proof.

A box holds each attribute to one category or to none in particular. Written as digits, the arity standing for "any",
boxes are numbers, and every child of a box has a smaller number than the box.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence

from tsdt.reference.bounds import Prices
from tsdt.reference.window import Box, Sample

STEP = 1 << 15
"""About how many boxes one step solves."""


def is_small(arities: Sequence[int], n: int, prices: Prices, most_boxes: int, n_bytes: int) -> bool:
    """Whether there are at most so many boxes, they fit into so many bytes, and their losses into a word each."""
    error, split = units(prices)
    boxes = math.prod(arity + 1 for arity in arities)
    return boxes <= min(most_boxes, n_bytes // 4) and error * n + split < 2**32 - 1


def units(prices: Prices) -> tuple[int, int]:
    """The prices in the smallest whole numbers."""
    common = math.gcd(prices.error, prices.split)
    return prices.error // common, prices.split // common


class Lattice:
    """The least loss of every box, as far as they are known."""

    def __init__(
        self, arities: Sequence[int], n_classes: int, min_samples: int, prices: Prices, samples: Sequence[Sample]
    ) -> None:
        self.arities, self.n_classes, self.min_samples = arities, n_classes, max(min_samples, 2)
        self.error, self.split = units(prices)
        # what one more in an attribute's digit adds to the number of a box
        self.strides = [math.prod(arity + 1 for arity in arities[i + 1 :]) for i in range(len(arities))]
        self.losses = array("I", [0]) * math.prod(arity + 1 for arity in arities)
        # attributes before this are stepped through, the others are swept in one step
        self.stepped = next((i for i, stride in enumerate(self.strides) if stride < STEP), 0)
        self.steps = self._step_through(0, [], self._cells(samples))

    def _cells(self, samples: Sequence[Sample]) -> list[int]:
        """Class counts of every cell: the rows with the same codes."""
        counts = [0] * (self.n_classes * math.prod(self.arities))
        for row, label in samples:
            cell = 0
            for code, arity in zip(row, self.arities, strict=True):
                cell = cell * arity + code
            counts[cell * self.n_classes + label] += 1
        return counts

    def step(self) -> bool:
        """Solve the next boxes; True when all are solved."""
        return next(self.steps)

    def _step_through(self, number: int, digits: list[int], counts: list[int]) -> Iterator[bool]:
        """All boxes with the given first digits, by the counts of the cells in them."""
        level = len(digits)
        free = [i for i, digit in enumerate(digits) if digit == self.arities[i]]
        if level == self.stepped or not any(counts):  # no samples, no loss
            self._sweep(level, number, free, counts)
            yield len(free) == self.stepped
        else:
            for digit in range(self.arities[level] + 1):
                below = self._restricted(level, digit, counts)
                yield from self._step_through(number + digit * self.strides[level], [*digits, digit], below)

    def _sweep(self, level: int, number: int, free: list[int], counts: list[int]) -> None:
        if not any(counts):
            return
        if level == len(self.arities):
            self.losses[number] = self._least(number, free, counts)
            return
        for digit in range(self.arities[level] + 1):
            still_free = [*free, level] if digit == self.arities[level] else free
            below = self._restricted(level, digit, counts)
            self._sweep(level + 1, number + digit * self.strides[level], still_free, below)

    def _restricted(self, level: int, digit: int, counts: list[int]) -> list[int]:
        """Counts of the cells within a digit of their first attribute."""
        size = len(counts) // self.arities[level]
        if digit < self.arities[level]:
            return counts[digit * size : (digit + 1) * size]
        return [sum(counts[i::size]) for i in range(size)]

    def _least(self, number: int, free: list[int], classes: list[int]) -> int:
        """The least loss of a box whose children are solved."""
        n = sum(classes)
        leaf = (n - max(classes)) * self.error
        if n < self.min_samples:
            return leaf
        return min([leaf, *(self._split_loss(number, attribute) for attribute in free)])

    def _split_loss(self, number: int, attribute: int) -> int:
        """What a box loses when it is split by an attribute that it holds to nothing."""
        children = (number - (i + 1) * self.strides[attribute] for i in range(self.arities[attribute]))
        return self.split + sum(self.losses[child] for child in children)

    def best_split(self, box: Box, errors: int) -> int | None:
        """The best split of a box with so many errors of its majority class; None where it is best left alone."""
        held = {condition.attribute: condition.low for condition in box}
        places = ((self.arities[i] - code) * self.strides[i] for i, code in held.items())
        number = len(self.losses) - 1 - sum(places)
        if self.losses[number] == errors * self.error:
            return None
        free = (i for i in range(len(self.arities)) if i not in held)
        return next(i for i in free if self._split_loss(number, i) == self.losses[number])
