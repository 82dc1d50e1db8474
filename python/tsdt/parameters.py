"""The parameters of the learner, checked: each error names the parameter, its value and what would have been right."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

SEARCHES = ("branches", "trees")
BACKUPS = ("fast", "clark")
POLICIES = {
    "branches": ("auto", "mixed", "optimistic", "thompson", "ucb", "epsilon-greedy"),
    "trees": ("auto", "thompson", "ucb", "epsilon-greedy"),
}
AUTO_POLICY = {"branches": "mixed", "trees": "thompson"}
LEAF_PREDICTIONS = ("majority", "naive-bayes", "adaptive")
DEFAULT_PRICE = 0.01  # of a split, until one has been chosen, or where there is no window to choose from
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters under their names; `max_memory` in bytes."""

    split_cost: float
    auto_price: bool
    search: Literal["branches", "trees"]
    backup: str
    policy: str
    batch_size: int
    gamma: float
    window: int
    leaf_prediction: str
    bins: int
    max_categories: int
    max_iter: int | None
    time_limit: float | None
    min_samples: int
    effort: float
    max_memory: int
    schema: Any


def check_parameters(given: Mapping[str, Any]) -> Parameters:
    """The parameters of an estimator, checked and in their own types."""
    auto_price = _is_auto(given)
    search: Literal["branches", "trees"] = _one_of("search", given["search"], SEARCHES)
    return Parameters(
        split_cost=DEFAULT_PRICE
        if given["split_cost"] == "auto"
        else _real("split_cost", given["split_cost"], 0.0, 1.0),
        auto_price=auto_price,
        search=search,
        backup=_one_of("backup", given["backup"], BACKUPS),
        policy=_policy(given["policy"], search),
        batch_size=_whole("batch_size", given["batch_size"], 1),
        gamma=_real("gamma", given["gamma"], 1e-6, 1.0),
        window=_whole("window", given["window"], 0),
        leaf_prediction=_one_of("leaf_prediction", given["leaf_prediction"], LEAF_PREDICTIONS),
        bins=_whole("bins", given["bins"], 2, 60_000),
        max_categories=_whole("max_categories", given["max_categories"], 1, 60_000),
        max_iter=None if given["max_iter"] is None else _whole("max_iter", given["max_iter"], 1),
        time_limit=None if given["time_limit"] is None else _real("time_limit", given["time_limit"], 0.0, math.inf),
        min_samples=_whole("min_samples", given["min_samples"], 1),
        effort=_real("effort", given["effort"], 1e-6, math.inf),
        max_memory=check_memory(given["max_memory"]),
        schema=given["schema"],
    )


def _is_auto(given: Mapping[str, Any]) -> bool:
    price = given["split_cost"]
    if isinstance(price, str) and price != "auto":
        raise ValueError(f"split_cost is {price!r}; it must be a number from 0 to 1, or 'auto'")
    has_window = given["search"] == "branches" and given["window"] != 0
    return bool(price == "auto" and has_window)


def _policy(value: Any, search: str) -> str:
    if search == "trees" and value in ("mixed", "optimistic"):
        raise ValueError(f"policy is {value!r}, which needs the bounds of search='branches'; use policy='thompson'")
    policy: str = _one_of("policy", value, POLICIES[search])
    return AUTO_POLICY[search] if policy == "auto" else policy


def _one_of(name: str, value: Any, choices: tuple[str, ...]) -> Any:
    if isinstance(value, str) and value in choices:
        return value
    raise ValueError(f"{name} is {value!r}; it can be {', '.join(map(repr, choices))}")


def _whole(name: str, value: Any, low: int, high: int = 2**53) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r} ({type(value).__name__}); it must be a whole number")
    if not low <= int(value) <= high:
        limits = f"at least {low}" if high == 2**53 else f"from {low} to {high}"
        raise ValueError(f"{name} is {value}; it must be {limits}")
    return int(value)


def _real(name: str, value: Any, low: float, high: float) -> float:
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r} ({type(value).__name__}); it must be a number")
    if not low <= float(value) <= high:  # NaN fails too
        limits = f"at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
        raise ValueError(f"{name} is {value}; it must be {limits}")
    return float(value)


def check_memory(value: Any) -> int:
    """An amount of memory in bytes.

    >>> check_memory("1GB"), check_memory("512 MiB"), check_memory(10_000_000)
    (1000000000, 536870912, 10000000)
    """
    remedy = "say a number of bytes or text such as '500MB' or '1GB', at least 1MB"
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMG]?I?B|)\s*", value, re.IGNORECASE)
        if not match or match[2].upper() not in UNITS:
            raise ValueError(f"max_memory is {value!r}; {remedy}")
        size = float(match[1]) * UNITS[match[2].upper()]
    elif isinstance(value, numbers.Real) and not isinstance(value, bool):
        size = float(value)
    else:
        raise TypeError(f"max_memory is {value!r} ({type(value).__name__}); {remedy}")
    if not 10**6 <= size < 2**63:
        raise ValueError(f"max_memory is {value!r}; {remedy}")
    return int(size)
