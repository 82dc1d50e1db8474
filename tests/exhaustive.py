"""The tests' oracle: the optimum over all trees by looking at every box. Exponential, and obviously right."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

Row = tuple[int, ...]


def optimum(
    rows: Sequence[Sequence[int]],
    labels: Sequence[int],
    ordered: Sequence[bool],
    split_cost: Fraction,
    min_samples: int = 2,
) -> Fraction:
    """The highest `accuracy - split_cost * splits` of any tree, as an exact fraction."""
    samples = [(tuple(row), label) for row, label in zip(rows, labels, strict=True)]
    price = split_cost * len(samples)

    @cache
    def least_loss(box: tuple[tuple[Row, int], ...]) -> Fraction:
        counts: dict[int, int] = {}
        for _, label in box:
            counts[label] = counts.get(label, 0) + 1
        best = Fraction(len(box) - max(counts.values()))
        if best == 0 or len(box) < min_samples:
            return best
        for i, is_number in enumerate(ordered):
            for parts in cuts(box, i) if is_number else [categories(box, i)]:
                if len(parts) > 1:
                    best = min(best, price + sum((least_loss(part) for part in parts), Fraction(0)))
        return best

    return 1 - least_loss(tuple(samples)) / len(samples)


def categories(box: Sequence[tuple[Row, int]], i: int) -> list[tuple[tuple[Row, int], ...]]:
    """The box by category of attribute i."""
    codes = sorted({row[i] for row, _ in box})
    return [tuple(s for s in box if s[0][i] == code) for code in codes]


def cuts(box: Sequence[tuple[Row, int]], i: int) -> list[list[tuple[tuple[Row, int], ...]]]:
    """The box at every cut of number i, missing ones (code 0) on either side; and all numbers against the missing ones."""
    codes = sorted({row[i] for row, _ in box} - {0})
    result = [[part for part in (tuple(s for s in box if s[0][i]), tuple(s for s in box if not s[0][i])) if part]]
    for cut in codes[:-1]:
        for missing_left in (True, False):
            left = tuple(s for s in box if (s[0][i] <= cut if s[0][i] else missing_left))
            right = tuple(s for s in box if (s[0][i] > cut if s[0][i] else not missing_left))
            result.append([left, right])
    return result
