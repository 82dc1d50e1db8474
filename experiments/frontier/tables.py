"""The nine tables as the paper cross-validates them, and what its authors published for Fast-TSDT on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import KFold

from experiments.results import Row, read
from tsdt.datasets import PAPER_TABLES, Table, monk1, paper_table
from tsdt.datasets.encodings import Encoding

FOLDS = 5
MONK1: dict[str, Encoding] = {
    "MONK1-original": "original",
    "MONK1-droplast": "drop last",
    "MONK1-dropfirst": "drop first",
}
TABLES = tuple(sorted(PAPER_TABLES, key=[*MONK1, *PAPER_TABLES].index))
PUBLISHED = {
    "MONK1-original": "monk_1_original",
    "MONK1-droplast": "monk_1_last",
    "MONK1-dropfirst": "monk_1_first",
    "MONK2": "monk_2",
    "MONK3": "monk_3",
    "tic-tac-toe": "tic-tac-toe",
    "car-evaluation": "car-evaluation",
    "compas-binary": "compas",
    "fico_binary": "fico",
}
"""What the authors call each table."""


class Fold(NamedTuple):
    """One part of a cross-validation: rows to learn from and rows to test on."""

    train: Table
    test: Table


def whole(name: str) -> Table:
    """All rows that the paper cross-validates. For MONK-1 these are its training and its test rows together: 556."""
    if name not in MONK1:
        return paper_table(name)
    train, test = monk1(MONK1[name])
    return replace(train, name=name, X=np.vstack([train.X, test.X]), y=np.concatenate([train.y, test.y]))


def fold(name: str, k: int) -> Fold:
    """The k-th of the five folds. The training rows come in a random order: as a stream they must not be sorted."""
    table = whole(name)
    parts = list(KFold(FOLDS, shuffle=True, random_state=0).split(table.X))
    train, test = parts[k]
    order = np.random.default_rng(k).permutation(train)
    return Fold(*(replace(table, X=table.X[rows], y=table.y[rows]) for rows in (order, test)))


def published() -> Iterator[Row]:
    """What the authors published, by our names of the tables."""
    names = {theirs: ours for ours, theirs in PUBLISHED.items()}
    for row in read(Path(__file__).parent / "published.csv"):
        yield {**row, "table": names[row["dataset"]]}
