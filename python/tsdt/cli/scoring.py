"""How often answers are right: counted by class and answer, and put in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

MOST_CLASSES = 12
"""Classes in the printed confusion matrix."""


class Score:
    """Counts of (class, answer)."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()

    def add(self, truth: Iterable[Any], answers: Iterable[Any]) -> None:
        """Count some rows; classes are the same when they are written the same."""
        self.counts.update(zip(map(str, truth), map(str, answers), strict=True))

    @property
    def n(self) -> int:
        """How many rows."""
        return self.counts.total()

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return sum(count for (truth, answer), count in self.counts.items() if truth == answer) / max(1, self.n)

    @property
    def classes(self) -> list[str]:
        """All classes, the most frequent first."""
        sizes = Counter[str]()
        for (truth, answer), count in self.counts.items():
            sizes[truth] += count
            sizes[answer] += 0
        return [name for name, _ in sizes.most_common()]

    @property
    def majority(self) -> float:
        """The share that always answering the most frequent class would get right."""
        sizes = Counter[str]()
        for (truth, _), count in self.counts.items():
            sizes[truth] += count
        return max(sizes.values(), default=0) / max(1, self.n)

    def interval(self) -> tuple[float, float]:
        """Where the accuracy on other such rows lies, 19 times of 20 (Wilson).

        >>> score = Score()
        >>> score.add("aab", "aaa")
        >>> [round(end, 3) for end in score.interval()]
        [0.208, 0.939]
        """
        n, p, z = max(1, self.n), self.accuracy, 1.959964
        middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)

    def facts(self) -> dict[str, Any]:
        """The score for programs."""
        return {
            "rows": self.n,
            "accuracy": round(self.accuracy, 6),
            "interval": [round(end, 6) for end in self.interval()],
            "majority": round(self.majority, 6),
            "classes": self.classes,
            "confusion": [[self.counts[truth, answer] for answer in self.classes] for truth in self.classes],
        }

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"accuracy  {self.accuracy:.2%} of {self.n:,} rows (19 times of 20 between {low:.2%} and {high:.2%})\n"
            f"baseline  {self.majority:.2%} by always answering {self.classes[0] if self.n else 'nothing'}\n\n"
            f"{self.matrix()}"
        )

    def matrix(self) -> str:
        """The confusion matrix: a row for each class, a column for each answer."""
        shown = self.classes[:MOST_CLASSES]
        cells = [["class \\ answer", *shown, "found"]]
        for truth in shown:
            counts = [self.counts[truth, answer] for answer in shown]
            size = sum(count for (name, _), count in self.counts.items() if name == truth)
            found = f"{self.counts[truth, truth] / size:.1%}" if size else "-"
            cells.append([truth, *(f"{count:,}" for count in counts), found])
        cells.append(["right", *map(self._precision, shown), ""])
        text = aligned(cells)
        hidden = len(self.classes) - len(shown)
        return text + (f"\n({hidden} rarer classes are not shown)" if hidden > 0 else "")

    def _precision(self, answer: str) -> str:
        size = sum(count for (_, name), count in self.counts.items() if name == answer)
        return f"{self.counts[answer, answer] / size:.1%}" if size else "-"


def aligned(cells: list[list[str]]) -> str:
    """A table of text, the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = []
    for row in cells:
        first, *others = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *others]).rstrip())
    return "\n".join(lines)
