"""Readers of the data sets that no rule defines, from the folder that TSDT_DATA names. Nothing is downloaded."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np

from tsdt.datasets.rules import MONK_WORDS
from tsdt.datasets.table import Table

VARIABLE = "TSDT_DATA"
"""The environment variable that names the folder."""


class DataNotFoundError(FileNotFoundError):
    """A file is not where TSDT_DATA says, or TSDT_DATA says nothing.

    >>> try:
    ...     data_file("no such file.csv")
    ... except DataNotFoundError as error:
    ...     print("TSDT_DATA" in str(error))
    True
    """


def data_file(name: str) -> Path:
    """Where a file of the data folder is.

    >>> data_file("car-evaluation.csv").name
    'car-evaluation.csv'
    """
    folder = os.environ.get(VARIABLE)
    if not folder:
        raise DataNotFoundError(f"{VARIABLE} is not set: set it to the folder that holds {name}")
    path = Path(folder) / name
    if not path.is_file():
        raise DataNotFoundError(f"{VARIABLE} is {folder!r}, but there is no file {name} in it")
    return path


def _semicolons(name: str, file: str) -> Table:
    """A file with a header and one sample per line; the last column is the label."""
    with data_file(file).open(newline="") as lines:
        header, *rows = csv.reader(lines, delimiter=";")
    values = np.array(rows, dtype=np.uint16)
    return Table(name, values[:, :-1], values[:, -1], tuple(header[:-1]))


def _robots(name: str, file: str) -> Table:
    """A file of the MONK problems: label, six values and the robot's name, separated by blanks."""
    values = np.loadtxt(data_file(file), usecols=range(7), dtype=np.uint16)
    words = tuple(dict(enumerate(meanings, start=1)) for meanings in MONK_WORDS.values())
    return Table(name, values[:, 1:], values[:, 0], tuple(MONK_WORDS), words, ("no monk", "monk"))


def car() -> Table:
    """Car evaluation, one-hot: is a car acceptable?

    >>> car()
    Table('car-evaluation': 1728 rows, 15 attributes, 2 classes)
    """
    return _semicolons("car-evaluation", "car-evaluation.csv")


def compas() -> Table:
    """COMPAS in twelve binary attributes: was a person arrested again within two years?

    >>> compas()
    Table('compas-binary': 6907 rows, 12 attributes, 2 classes)
    """
    return _semicolons("compas-binary", "compas-binary.csv")


def fico() -> Table:
    """FICO in seventeen binary attributes: was a loan paid back?

    >>> fico()
    Table('fico_binary': 10459 rows, 17 attributes, 2 classes)
    """
    return _semicolons("fico_binary", "fico_binary.csv")


def monk1_train() -> Table:
    """The 124 training rows of MONK-1.

    >>> monk1_train()
    Table('MONK-1 train': 124 rows, 6 attributes, 2 classes)
    """
    return _robots("MONK-1 train", "monks-1.train")


def monk1_test() -> Table:
    """The 432 test rows of MONK-1: every robot there is.

    >>> monk1_test()
    Table('MONK-1 test': 432 rows, 6 attributes, 2 classes)
    """
    return _robots("MONK-1 test", "monks-1.test")


def monk2_train() -> Table:
    """The 169 training rows of MONK-2, one-hot without the last category of each attribute.

    >>> monk2_train()
    Table('MONK-2 train': 169 rows, 11 attributes, 2 classes)
    """
    return _semicolons("MONK-2 train", "monk2-train.csv")


def monk3_train() -> Table:
    """The 122 training rows of MONK-3, six of them with a wrong label, one-hot without the last categories.

    >>> monk3_train()
    Table('MONK-3 train': 122 rows, 11 attributes, 2 classes)
    """
    return _semicolons("MONK-3 train", "monk3-train.csv")
