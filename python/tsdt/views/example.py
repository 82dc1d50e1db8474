"""A small tree for the examples of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree


def weather() -> DecisionTree:
    """Whether to play tennis: the fourteen days of Quinlan (1986), with humidity in percent and one split too few.

    >>> weather().n_leaves
    4
    """
    from tsdt.schema import Attribute
    from tsdt.tree import DecisionTree, Node

    outlook = Attribute("outlook", categories=("sunny", "overcast", "rain", None))
    humidity = Attribute("humidity", kind="numeric", edges=(72.5, 77.5), position=1)
    nodes = (
        Node((5, 9), 0, (1, 4, 5), (0, 1, 2)),
        Node((3, 2), 1, (2, 3), threshold=77.5, missing=1),
        Node((0, 2)),
        Node((3, 0)),
        Node((0, 4)),
        Node((2, 3)),
    )
    return DecisionTree((outlook, humidity), ("no", "yes"), nodes)
