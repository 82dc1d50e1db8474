"""Values as exports need them: Python's own types, and text that can be encoded."""

from __future__ import annotations

from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A NumPy scalar as the Python value that it equals; anything else as it is.

    >>> plain(np.int64(3)), plain(np.str_("red"))
    (3, 'red')
    """
    return value.item() if isinstance(value, np.generic) else value


def has_half_pair(text: str) -> bool:
    r"""Whether a text has half of a surrogate pair, which cannot be written as UTF-8.

    >>> has_half_pair("\ud800"), has_half_pair("🟢")
    (True, False)
    """
    return any("\ud800" <= c <= "\udfff" for c in text)
