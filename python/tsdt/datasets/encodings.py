"""Encodings: the same samples in other attributes, and the nine encoded tables of the paper's experiments by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from tsdt.datasets import files
from tsdt.datasets.rules import tic_tac_toe
from tsdt.datasets.table import Table

Encoding = Literal["original", "drop first", "drop last"]


def one_hot(table: Table, drop: Literal["first", "last"]) -> Table:
    """One binary attribute per category, but for the first or last category of each attribute.

    >>> table = Table("one", np.array([[1], [2], [3]]), np.array([0, 1, 1]), ("a",))
    >>> one_hot(table, drop="last").X.tolist()
    [[1, 0], [0, 1], [0, 0]]
    >>> one_hot(table, drop="first").names
    ('a=2', 'a=3')
    """
    kept = {"first": slice(1, None), "last": slice(-1)}.get(drop)
    if kept is None:
        raise ValueError(f"drop is {drop!r}, it must be 'first' or 'last'")
    names, columns = [], []
    for i, name in enumerate(table.names):
        for value in np.unique(table.X[:, i])[kept]:
            names.append(f"{name}={table.words[i][int(value)] if table.words else value}")
            columns.append(table.X[:, i] == value)
    words = ({0: "no", 1: "yes"},) * len(names)
    return replace(table, X=np.array(columns, dtype=np.uint16).T, names=tuple(names), words=words)


def monk1(encoding: Encoding = "original") -> tuple[Table, Table]:
    """The 124 training and 432 test rows of MONK-1 as the paper encodes them: the last attribute comes first.

    >>> [table.X.shape for table in monk1("original")]
    [(124, 6), (432, 6)]
    >>> [table.X.shape for table in monk1("drop last")]
    [(124, 11), (432, 11)]
    """
    train, test = files.monk1_train().reversed_columns(), files.monk1_test().reversed_columns()
    match encoding:
        case "original":
            return train, test
        case "drop first":
            return one_hot(train, "first"), one_hot(test, "first")
        case "drop last":
            return one_hot(train, "last"), one_hot(test, "last")
    raise ValueError(f"encoding is {encoding!r}, it must be 'original', 'drop first' or 'drop last'")


_PAPER: dict[str, Callable[[], Table]] = {
    "MONK1-original": lambda: monk1("original")[0],
    "MONK1-dropfirst": lambda: monk1("drop first")[0],
    "MONK1-droplast": lambda: monk1("drop last")[0],
    "MONK2": files.monk2_train,
    "MONK3": files.monk3_train,
    "tic-tac-toe": lambda: one_hot(tic_tac_toe(), "first"),
    "car-evaluation": files.car,
    "compas-binary": files.compas,
    "fico_binary": files.fico,
}

PAPER_TABLES = tuple(_PAPER)
"""The names of the nine encoded tables."""


def paper_table(name: str) -> Table:
    """One of the nine encoded tables on which the optimum of the objective is known.

    >>> paper_table("tic-tac-toe")
    Table('tic-tac-toe': 958 rows, 18 attributes, 2 classes)
    """
    if name not in _PAPER:
        raise ValueError(f"there is no table {name!r}, the names are {', '.join(PAPER_TABLES)}")
    return replace(_PAPER[name](), name=name)
