"""The tests' oracle: the optimum over all trees by looking at every set of rows. Exponential, and obviously right."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache


def optimum(
    rows: Sequence[Sequence[int]],
    labels: Sequence[int],
    ordered: Sequence[bool],
    split_cost: Fraction,
    min_samples: int = 2,
) -> Fraction:
    """The highest `accuracy - split_cost * splits` of any tree, as an exact fraction."""
    return Exhaustive(rows, labels, ordered, split_cost, min_samples).optimum()


class Exhaustive:
    """All trees on a table. A set of rows is a number whose binary digits tell which rows are in.

    A loss is a whole number: an error weighs `error`, a split weighs `split`.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        labels: Sequence[int],
        ordered: Sequence[bool],
        split_cost: Fraction,
        min_samples: int = 2,
    ) -> None:
        self.rows, self.min_samples = rows, min_samples
        self.error, self.split = split_cost.denominator, split_cost.numerator * len(rows)
        self.classes = [self.where(label == k for label in labels) for k in set(labels)]
        self.splits = [parts for i in range(len(ordered)) for parts in (self.cuts(i) if ordered[i] else [self.by(i)])]
        self.least_loss = cache(self._least_loss)

    def optimum(self) -> Fraction:
        """The value of the best tree."""
        everything = self.where(True for _ in self.rows)
        return 1 - Fraction(self.least_loss(everything), self.error * len(self.rows))

    @staticmethod
    def where(holds) -> int:
        """The set of rows for which something holds."""
        return sum(1 << i for i, it_does in enumerate(holds) if it_does)

    def by(self, i: int) -> list[int]:
        """The split by all categories of attribute i."""
        return [self.where(row[i] == code for row in self.rows) for code in sorted({row[i] for row in self.rows})]

    def cuts(self, i: int) -> list[list[int]]:
        """All cuts of number i, missing ones (code 0) on either side; and all numbers against the missing ones."""
        missing = self.where(row[i] == 0 for row in self.rows)
        numbers = self.where(row[i] > 0 for row in self.rows)
        result = [[numbers, missing]]
        for cut in sorted({row[i] for row in self.rows if row[i] > 0}):
            left = self.where(0 < row[i] <= cut for row in self.rows)
            result += [[left | missing, numbers & ~left], [left, numbers & ~left | missing]]
        return result

    def _least_loss(self, box: int) -> int:
        """The least that any tree loses on some rows."""
        n = box.bit_count()
        errors = n - max((box & k).bit_count() for k in self.classes)
        best = errors * self.error
        if errors == 0 or n < self.min_samples:
            return best
        for split in self.splits:
            parts = [box & part for part in split if box & part]
            if len(parts) > 1:
                best = min(best, self.split + sum(map(self.least_loss, parts)))
        return best
