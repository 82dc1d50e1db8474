"""Running counts of one decision-tree node: n_ijk and the prequential hits m_ij of Section 4.3."""

from __future__ import annotations

from collections.abc import Sequence


def majority(counts: Sequence[int]) -> int:
    """The most frequent class, the first one on a tie."""
    return max(range(len(counts)), key=counts.__getitem__)


class RunningCounts:
    """Counts of the samples that a node has seen. They only ever grow."""

    def __init__(self, arities: Sequence[int], n_classes: int) -> None:
        self.n = self.hits = 0  # samples, and how many the majority so far predicted
        self.by_class = [0] * n_classes
        self.table = [[[0] * n_classes for _ in range(k)] for k in arities]  # n_ijk
        self.table_hits = [[0] * k for k in arities]  # m_ij

    def add(self, x: Sequence[int], y: int) -> None:
        """One sample. A hit is a prediction made before the sample was counted; the first sample has none."""
        self.hits += self.n > 0 and majority(self.by_class) == y
        self.n += 1
        self.by_class[y] += 1
        for table, hits, j in zip(self.table, self.table_hits, x, strict=True):
            hits[j] += any(table[j]) and majority(table[j]) == y
            table[j][y] += 1

    def grow(self, arities: Sequence[int], n_classes: int) -> None:
        """New classes, categories and attributes. In a new attribute every sample so far has code 0, missing."""
        more = [0] * (n_classes - len(self.by_class))
        self.by_class += more
        for i, table in enumerate(self.table):
            for counts in table:
                counts += more
            table += [[0] * n_classes for _ in range(arities[i] - len(table))]
            self.table_hits[i] += [0] * (arities[i] - len(self.table_hits[i]))
        for k in arities[len(self.table) :]:
            self.table.append([list(self.by_class)] + [[0] * n_classes for _ in range(k - 1)])
            self.table_hits.append([self.hits] + [0] * (k - 1))
