"""Is a column numbers or categories? Decided from the values it holds, in the same way for lists and for arrays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn
from tsdt.schema.attribute import Kind
from tsdt.schema.missing import is_missing
from tsdt.schema.numbers import as_numbers, is_number

FEW = 10
"""Whole numbers with no more distinct values than this are categories, as long as no one says otherwise."""


MOMENTS = (date, time, timedelta, np.datetime64, np.timedelta64)
"""Values that have an order, and yet are categories: no threshold between them could be written as a number."""


class Recognised(NamedTuple):
    """The kind of a column and the reason. Tentative: categories now, but more numbers would make it numeric."""

    kind: Kind
    why: str
    tentative: bool = False


def recognise(values: Sequence[Any] | NDArray[Any]) -> Recognised | None:
    """The kind of a column by its values, None when all of them are missing.

    >>> recognise([3.5, 2.25, None])
    Recognised(kind='numeric', why='numbers', tentative=False)
    >>> recognise([1, 2, 1, 2])
    Recognised(kind='categorical', why='2 whole numbers', tentative=True)
    >>> recognise(["12", "7"])
    Recognised(kind='categorical', why='text', tentative=False)
    >>> recognise([date(2024, 5, 1)])
    Recognised(kind='categorical', why='date, not cut', tentative=False)
    >>> recognise([None, float("nan")])
    """
    if isinstance(values, CodedColumn):
        return _of_objects(list(values.counts()))
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return _of_numbers(values.astype(np.float64, copy=False))
    if isinstance(values, np.ndarray) and values.dtype.kind in "bUS":
        words = "true or false" if values.dtype.kind == "b" else "text"
        return Recognised("categorical", words) if len(values) else None
    return _of_objects(values.tolist() if isinstance(values, np.ndarray) else values)


def _of_objects(values: Sequence[Any]) -> Recognised | None:
    types = set(map(type, values)) - {type(None)}
    if types <= {str}:
        return Recognised("categorical", "text") if types else None
    present = [value for value in values if not is_missing(value)]
    if not present:
        return None
    if any(isinstance(value, complex) for value in present):
        raise ValueError("Complex data not supported: make two columns of the real and the imaginary part")
    if all(map(is_number, present)):
        return _of_numbers(as_numbers(present, ""))
    names = sorted({type(value).__name__ for value in present})
    if all(isinstance(value, MOMENTS) for value in present):
        return Recognised("categorical", f"{' and '.join(names)}, not cut")
    if len(names) > 1:
        return Recognised("categorical", "mixed: " + ", ".join(names))
    return Recognised("categorical", {"bool": "true or false", "str": "text"}.get(names[0], names[0]))


def _of_numbers(numbers: NDArray[np.float64]) -> Recognised | None:
    numbers = numbers[~np.isnan(numbers)]
    if len(numbers) == 0:
        return None
    for some in (numbers[:1000], numbers):  # most columns of numbers are known by their first values
        distinct = np.unique(some)
        if len(distinct) > FEW or not (np.isfinite(distinct) & (distinct == np.floor(distinct))).all():
            return Recognised("numeric", "numbers")
    return Recognised("categorical", f"{len(distinct)} whole number{'s' if len(distinct) > 1 else ''}", tentative=True)
