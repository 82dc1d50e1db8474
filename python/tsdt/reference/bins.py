"""From numbers to the codes of their bins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def bin_codes(numbers: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.uint16]:
    """The bin of each number, counted from 1; 0 for NaN."""
    codes = np.searchsorted(edges, numbers, side="left").astype(np.uint16) + np.uint16(1)
    codes[np.isnan(numbers)] = 0
    return codes
