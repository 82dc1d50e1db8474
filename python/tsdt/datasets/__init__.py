"""Data sets: tables and streams that a rule defines, and readers for those in the folder that TSDT_DATA names."""

from tsdt.datasets.encodings import PAPER_TABLES, monk1, one_hot, paper_table
from tsdt.datasets.files import (
    DataNotFoundError,
    car,
    compas,
    data_file,
    fico,
    monk1_test,
    monk1_train,
    monk2_train,
    monk3_train,
)
from tsdt.datasets.rules import balance_scale, monk, monk_label, tic_tac_toe
from tsdt.datasets.streams import drifting_xnor, parity, random_tree, xnor
from tsdt.datasets.table import Stream, Table

__all__ = [
    "PAPER_TABLES",
    "DataNotFoundError",
    "Stream",
    "Table",
    "balance_scale",
    "car",
    "compas",
    "data_file",
    "drifting_xnor",
    "fico",
    "monk",
    "monk1",
    "monk1_test",
    "monk1_train",
    "monk2_train",
    "monk3_train",
    "monk_label",
    "one_hot",
    "paper_table",
    "parity",
    "random_tree",
    "tic_tac_toe",
    "xnor",
]
