"""Certificate: how far a tree can be from the best one. It only states; the search has found it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is known of a tree on the evidence it was learned from.

    `value` is the tree's own objective, accuracy less `split_cost` per split; no tree at all has more than `upper`.

    >>> Certificate(value=0.9, upper=0.92, proven=False).gap
    0.02
    >>> print(Certificate(value=0.9, upper=0.9, proven=True))
    value 0.9, proven optimal
    """

    value: float
    upper: float
    proven: bool

    @property
    def gap(self) -> float:
        """How much better a tree could at most be: `upper - value`, rounded free of noise in the last digits."""
        return 0.0 if self.proven else round(max(self.upper - self.value, 0.0), 12)

    def __str__(self) -> str:
        if self.proven:
            return f"value {self.value:.6g}, proven optimal"
        return f"value {self.value:.6g}, at most {self.gap:.6g} below the optimum"
