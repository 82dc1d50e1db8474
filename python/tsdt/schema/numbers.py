"""Values of a numeric column as floats. Text is refused in words, even where it looks like a number."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.schema.missing import is_missing

MANY = 10**300  # whole numbers beyond are too large for a float

_PLAIN = frozenset({int, float, bool, type(None), np.float64, np.float32, np.int64, np.int32, np.bool_})


def is_number(value: Any) -> bool:
    """Whether a value is a real number; True and False are not, and neither is a duration of NumPy.

    >>> [is_number(value) for value in (3, 2.5, True, "3", 1j)]
    [True, True, False, False, False]
    """
    return isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, (bool, np.timedelta64))


def as_number(value: Any, name: Hashable) -> float:
    """One value of a numeric column, NaN where it is missing.

    >>> as_number(3, "age"), as_number(None, "age")
    (3.0, nan)
    >>> as_number("old", "age")
    Traceback (most recent call last):
        ...
    ValueError: column 'age' holds numbers, but a value is 'old' (str); make it a number or None, or declare \
schema={'age': 'categorical'}
    """
    if type(value) is float or (type(value) is int and -MANY < value < MANY):
        return float(value)
    if is_missing(value):
        return np.nan
    if not isinstance(value, (numbers.Real, Decimal, np.bool_)) or isinstance(value, np.timedelta64):
        raise ValueError(
            f"column {name!r} holds numbers, but a value is {value!r} ({type(value).__name__}); "
            f"make it a number or None, or declare schema={{{name!r}: 'categorical'}}"
        )
    try:
        return float(value)
    except OverflowError:
        return np.inf if str(value)[0] != "-" else -np.inf


def as_numbers(values: Iterable[Any], name: Hashable) -> NDArray[np.float64]:
    """Many values of a numeric column, NaN where they are missing."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "biuf":
            return values.astype(np.float64, copy=False)
        values = values.tolist()
    else:
        values = list(values)
    if _PLAIN.issuperset(map(type, values)):
        try:
            return np.array(values, dtype=np.float64)
        except OverflowError:
            pass
    return np.array([as_number(value, name) for value in values], dtype=np.float64)
