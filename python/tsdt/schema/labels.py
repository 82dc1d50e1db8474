"""Labels on their way in: one per row, none missing, all hashable."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.coded import CodedColumn
from tsdt.schema.missing import is_missing
from tsdt.tables import as_column, objects

_SURE = frozenset({int, bool, str, bytes})  # types that are hashable and never missing


def check_label(label: Any, where: str = "") -> None:
    """Refuse a label that is missing, that cannot be hashed, or that is a measurement and no class.

    >>> check_label(None)
    Traceback (most recent call last):
        ...
    ValueError: the label is None, which is missing; leave the sample out or give its class
    >>> check_label(0.37, " in row 2")
    Traceback (most recent call last):
        ...
    ValueError: Unknown label type: continuous. The label in row 2 is 0.37, a measurement and no class; cut the \
measurements into a few classes, or give each class as text
    """
    if is_missing(label):
        raise ValueError(f"the label{where} is {label!r}, which is missing; leave the sample out or give its class")
    if isinstance(label, (float, np.floating)) and not label.is_integer():
        remedy = "cut the measurements into a few classes, or give each class as text"
        raise ValueError(
            f"Unknown label type: continuous. The label{where} is {label!s}, a measurement and no class; {remedy}"
        )
    try:
        hash(label)
    except TypeError:
        kind = type(label).__name__
        remedy = "give one class, such as text, a number or a bool"
        raise TypeError(f"the label{where} is {label!r} ({kind}); {remedy}") from None


def as_labels(y: Any, n_rows: int) -> NDArray[Any]:
    """The labels of a table with `n_rows` rows as an array.

    >>> as_labels(["yes", "no"], n_rows=2).tolist()
    ['yes', 'no']
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None; give one label per row of X")
    labels = as_column(y, "y")
    if len(labels) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but y has {len(labels)} labels; give one label per row")
    if labels.dtype.kind == "f":
        for i in np.flatnonzero(np.isinf(labels) | (labels != np.floor(labels)))[:1].tolist():
            check_label(labels[i].item(), f" in row {i}")
    if isinstance(labels, CodedColumn):
        if (labels.places < 0).any():
            check_label(None, f" in row {int((labels.places < 0).argmax())}")
    elif labels.dtype.kind == "O" and not _SURE.issuperset(map(type, labels.tolist())):
        for i, label in enumerate(labels.tolist()):
            check_label(label, f" in row {i}")
    return labels


def sorted_labels(labels: Iterable[Hashable]) -> list[Hashable]:
    """Labels in their own order where they have one, otherwise by type and text.

    >>> sorted_labels(["b", "a"]), sorted_labels(["b", 2, 1])
    (['a', 'b'], [1, 2, 'b'])
    """
    try:
        return sorted(labels)  # type: ignore[type-var]
    except TypeError:
        return sorted(labels, key=lambda label: (type(label).__name__, repr(label)))


def label_array(labels: Sequence[Hashable]) -> NDArray[Any]:
    """Labels as an array: of their own type where it is one that arrays have, otherwise of objects.

    >>> label_array(["yes", "no"]).dtype.kind, label_array([(1, 2), (3,)]).dtype.kind
    ('U', 'O')
    """
    plain = len({type(label) for label in labels}) == 1 and isinstance(labels[0], (str, bool, int, float))
    return np.array(labels) if plain else objects(labels)
