"""One attribute as a tree knows it: frozen, with all it needs to read a value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tsdt.schema.edges import bin_codes
from tsdt.schema.lookup import Lookup
from tsdt.schema.numbers import as_number, as_numbers

Kind = Literal["categorical", "numeric"]


@dataclass(frozen=True)
class Attribute:
    """A named attribute: its kind, its categories in the order of their codes, and the edges between bins of numbers.

    A missing value is the category None. For numbers, code 0 is missing and codes 1, 2, ... are the bins in order;
    bin c holds the numbers above `edges[c - 2]` up to and including `edges[c - 1]`.

    >>> colour = Attribute("colour", categories=("red", "blue", None))
    >>> [colour.code(value) for value in ("blue", None, "green")]
    [1, 2, -1]
    >>> age = Attribute("age", kind="numeric", edges=(18.0, 65.0))
    >>> [age.code(value) for value in (None, 18, 30, 99)]
    [0, 1, 2, 3]
    """

    name: Hashable
    kind: Kind = "categorical"
    categories: tuple[Hashable, ...] = ()
    edges: tuple[float, ...] = ()
    position: int = 0
    """The column of the attribute in a table without names."""

    def __post_init__(self) -> None:
        if self.kind == "numeric":
            object.__setattr__(self, "categories", bin_names(self.edges))

    @property
    def is_numeric(self) -> bool:
        """Whether the attribute holds numbers."""
        return self.kind == "numeric"

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.categories)

    def code(self, value: Any) -> int:
        """The code of one value; -1 for a category that was never seen.

        >>> colour = Attribute("colour", categories=("red", "blue"))
        >>> colour.code("blue"), colour.code("green")
        (1, -1)
        """
        if self.kind == "numeric":
            number = as_number(value, self.name)
            return bisect_left(self.edges, number) + 1 if number == number else 0
        try:
            code = self._lookup[value]
        except TypeError:  # an unhashable value cannot have been seen
            return -1
        return code if code < len(self.categories) else -1

    def encode(self, values: NDArray[Any]) -> NDArray[np.intp]:
        """The codes of an array of values; `len(categories)` for a category that was never seen.

        >>> colour = Attribute("colour", categories=("red", "blue"))
        >>> colour.encode(np.array(["blue", "green", "red"])).tolist()
        [1, 2, 0]
        """
        if self.kind == "numeric":
            return bin_codes(self.numbers(values), np.asarray(self.edges, dtype=float)).astype(np.intp)
        try:
            return self._lookup.encode(values).astype(np.intp)
        except TypeError:
            listed = [self.code(value) for value in values.tolist()]
            return np.array([len(self.categories) if code < 0 else code for code in listed], dtype=np.intp)

    def number(self, value: Any) -> float:
        """One value as a float, NaN where it is missing.

        >>> age = Attribute("age", kind="numeric", edges=(18.0, 65.0))
        >>> age.number(30), age.number(None)
        (30.0, nan)
        """
        return as_number(value, self.name)

    def numbers(self, values: Iterable[Any]) -> NDArray[np.float64]:
        """An array of values as floats, NaN where they are missing.

        >>> age = Attribute("age", kind="numeric", edges=(18.0, 65.0))
        >>> age.numbers([30, None]).tolist()
        [30.0, nan]
        """
        return as_numbers(values, self.name)


def bin_names(edges: tuple[float, ...]) -> tuple[Hashable, ...]:
    """The bins between edges in words, missing first.

    >>> bin_names((18.0, 65.0))
    (None, '<= 18', '18 to 65', '> 65')
    """
    if not edges:
        return (None, "any number")
    shown = [f"{edge:.15g}" for edge in edges]
    between = [f"{low} to {high}" for low, high in pairwise(shown)]
    return (None, f"<= {shown[0]}", *between, f"> {shown[-1]}")
