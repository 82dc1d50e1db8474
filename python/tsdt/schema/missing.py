"""What counts as missing, and the name of the category that takes the overflow of `max_categories`."""

from __future__ import annotations

import enum
from typing import Any


class Other(enum.Enum):
    """The category of all categories beyond `max_categories`.

    >>> print(OTHER)
    other
    """

    OTHER = "other"

    def __str__(self) -> str:
        return self.value

    __repr__ = __str__
    __hash__ = object.__hash__  # it is looked up often, and there is only one


OTHER = Other.OTHER


def is_missing(value: Any) -> bool:
    """Whether a value says that nothing is known: None, NaN of any type, pandas NA and NaT.

    >>> [is_missing(value) for value in (None, float("nan"), 0, "", "nan")]
    [True, True, False, False, False]
    """
    if value is None:
        return True
    try:
        return bool(value != value)  # only NaN and NaT differ from themselves
    except (TypeError, ValueError, ArithmeticError):  # pandas NA will not say; neither will an array or Decimal's sNaN
        return type(value).__name__ in ("NAType", "Decimal")
