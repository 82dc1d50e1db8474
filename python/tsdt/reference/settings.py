"""What a user can set of the search over branches, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass

from tsdt.reference.boundary import ensure
from tsdt.reference.policies import POLICIES

NAMES = ("mixed", "optimistic", *POLICIES)
"""The policies of the search over branches."""


@dataclass(frozen=True)
class Settings:
    """The settings, by the names that the seam has for them."""

    split_cost: float
    policy: str
    batch_size: int
    gamma: float
    min_samples: int
    window: int
    effort: float
    max_memory: int  # the compiled engine's business
    seed: int

    def __post_init__(self) -> None:
        names = ", ".join(f'"{name}"' for name in NAMES)
        ensure(self.policy in NAMES, f'policy is "{self.policy}": it must be one of [{names}]')
        for name in ("batch_size", "min_samples", "window", "max_memory", "seed"):
            value = getattr(self, name)
            ensure(0 <= value < 2**64, f"{name} is {value}: out of range")
        ensure(0.0 <= self.split_cost <= 1.0, f"split_cost is {self.split_cost}: it must be from 0 to 1")
        ensure(0.0 < self.gamma <= 1.0, f"gamma is {self.gamma}: it must be above 0 and at most 1")
        ensure(self.effort > 0.0, f"effort is {self.effort}: it must be above 0")
        ensure(self.batch_size > 0, "batch_size is 0: it must be at least 1")
