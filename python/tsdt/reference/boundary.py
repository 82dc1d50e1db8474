"""The boundary: what an engine refuses, in words that name the value, where it was and what would have been right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

MAX_CODES = 1 << 16
"""Codes and labels are sixteen bits wide, so no attribute has more categories and no problem more classes."""


def ensure(right: bool, words: str) -> None:
    """Refuse unless `right`."""
    if not right:
        raise ValueError(words)


def check_growth(old: tuple[Sequence[int], int], new: tuple[Sequence[int], int]) -> None:
    """Attributes, categories and classes may be added, never taken away."""
    (before, classes_before), (arities, n_classes) = old, new
    n, n_before = len(arities), len(before)
    ensure(n >= n_before, f"{n} attributes after {n_before}: they may be added, never taken away")
    for i, arity in enumerate(arities):
        least = before[i] if i < n_before else 1
        ensure(least <= arity <= MAX_CODES, f"attribute {i} has arity {arity}: it must be from {least} to {MAX_CODES}")
    right = classes_before <= n_classes <= MAX_CODES
    ensure(right, f"n_classes is {n_classes}: it must be from {classes_before} to {MAX_CODES}")


def check_samples(codes: Any, labels: Any, arities: Sequence[int], n_classes: int) -> None:
    """Two arrays that belong together; every code below its arity, every label below the number of classes."""
    check_array("codes", codes, len(arities))
    check_array("labels", labels, None)
    rows, n = len(codes), len(labels)
    ensure(rows == n, f"codes has {rows} rows and labels has {n}: each row needs one label")
    for i, arity in enumerate(arities):
        for row in np.flatnonzero(codes[:, i] >= arity)[:1]:
            raise ValueError(
                f"code {codes[row, i]} in row {row}, column {i}: "
                f"attribute {i} has the codes 0 to {arity - 1} (call grow first)"
            )
    for row in np.flatnonzero(labels >= n_classes)[:1]:
        raise ValueError(f"label {labels[row]} in row {row}: there are {n_classes} classes (call grow first)")


def check_array(name: str, array: Any, columns: int | None) -> None:
    """An array of codes in C order: a table of so many columns or, without columns, a list."""
    right = isinstance(array, np.ndarray) and array.dtype == np.uint16 and array.flags.c_contiguous
    if right and (array.ndim == 1 if columns is None else array.ndim == 2 and array.shape[1] == columns):
        return
    wanted = "(n,)" if columns is None else f"(n, {columns})"
    is_array = isinstance(array, np.ndarray)
    got = f"a {array.dtype} array of shape {list(array.shape)}" if is_array else f"a {type(array)}"
    raise ValueError(f"{name} must be a C-contiguous uint16 array of shape {wanted}: got {got}")
