"""Tables and streams: what a data set gives to a learner. Where the samples come from is not known here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from tsdt.datasets.draws import Draws

Rows = tuple[np.ndarray, np.ndarray]
"""Attribute values, one row per sample, and the labels."""


def _pairs(names: Sequence[str], rows: Rows) -> Iterator[tuple[dict[str, Any], Any]]:
    for values, label in zip(rows[0].tolist(), rows[1].tolist(), strict=True):
        yield dict(zip(names, values, strict=True)), label


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Finitely many samples that never change: `X` has their category values, `y` their labels.

    `words` says, for each attribute, what its values mean, and `classes` what the labels mean, where that is known.

    >>> table = Table("and", np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1]), ("a", "b"))
    >>> table
    Table('and': 4 rows, 2 attributes, 2 classes)
    >>> next(table.stream())
    ({'a': 0, 'b': 0}, 0)
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]
    words: tuple[Mapping[int, str], ...] = ()
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the arrays, after checking that they fit together."""
        if self.X.shape != (len(self.y), len(self.names)):
            wanted = f"({len(self.y)}, {len(self.names)}) for {len(self.y)} labels and {len(self.names)} names"
            raise ValueError(f"X of table {self.name!r} has shape {self.X.shape}, it must have {wanted}")
        object.__setattr__(self, "X", _frozen(self.X))
        object.__setattr__(self, "y", _frozen(self.y))

    def __len__(self) -> int:
        """How many samples there are."""
        return len(self.y)

    def __repr__(self) -> str:
        """The name and the size."""
        size = f"{len(self)} rows, {len(self.names)} attributes, {len(np.unique(self.y))} classes"
        return f"Table({self.name!r}: {size})"

    @property
    def majority(self) -> float:
        """The share of the most frequent class: the accuracy of a tree without splits.

        >>> Table("and", np.array([[0], [1], [1], [1]]), np.array([0, 0, 0, 1]), ("a",)).majority
        0.75
        """
        return float(np.unique(self.y, return_counts=True)[1].max() / len(self))

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """The columns of `X` by name, as estimators take them where names matter.

        >>> Table("one", np.array([[3, 5]]), np.array([0]), ("a", "b")).columns["b"].tolist()
        [5]
        """
        return {name: self.X[:, i] for i, name in enumerate(self.names)}

    def stream(self) -> Iterator[tuple[dict[str, Any], Any]]:
        """Every sample once, in order, as a dict and its label.

        >>> table = Table("two", np.array([[3], [5]]), np.array([0, 1]), ("a",))
        >>> next(table.stream())
        ({'a': 3}, 0)
        """
        return _pairs(self.names, (self.X, self.y))

    def cycle(self) -> Stream:
        """The samples in order, again and again.

        >>> table = Table("two", np.array([[3], [5]]), np.array([0, 1]), ("a",))
        >>> table.cycle().take(5).X.ravel().tolist()
        [3, 5, 3, 5, 3]
        """

        def rows(start: int, stop: int) -> Rows:
            chosen = np.arange(start, stop) % len(self)
            return self.X[chosen], self.y[chosen]

        return Stream(f"{self.name}, cycled", self.names, rows)

    def samples(self, seed: int = 0) -> Stream:
        """Samples drawn with replacement, each row as likely as any other.

        >>> table = Table("two", np.array([[3], [5]]), np.array([0, 1]), ("a",))
        >>> table.samples(seed=1).take(8).X.ravel().tolist()
        [5, 5, 3, 3, 3, 3, 5, 5]
        """
        draws = Draws(seed)

        def rows(start: int, stop: int) -> Rows:
            chosen = draws.below(len(self), start, stop)
            return self.X[chosen], self.y[chosen]

        return Stream(f"{self.name}, sampled", self.names, rows)

    def take(self, rows: Any) -> Table:
        """The table of some rows: positions, a mask or a slice.

        >>> Table("two", np.array([[3], [5]]), np.array([0, 1]), ("a",)).take(slice(1)).X.tolist()
        [[3]]
        """
        return replace(self, X=self.X[rows], y=self.y[rows])

    def split(self, test: float = 0.25, seed: int = 0) -> tuple[Table, Table]:
        """Training and test table: a share of the rows, drawn at random, is kept for the test.

        >>> table = Table("eight", np.arange(8).reshape(8, 1), np.arange(8) % 2, ("a",))
        >>> [len(part) for part in table.split(test=0.25)]
        [6, 2]
        """
        if not 0.0 < test < 1.0:
            raise ValueError(f"test is {test}, it must be a share between 0 and 1")
        order = Draws(seed).shuffled(len(self))
        kept = round(test * len(self))
        return self.take(np.sort(order[kept:])), self.take(np.sort(order[:kept]))

    def reversed_columns(self) -> Table:
        """The same samples with the last attribute first.

        >>> Table("one", np.array([[3, 5]]), np.array([0]), ("a", "b")).reversed_columns().names
        ('b', 'a')
        """
        return replace(self, X=self.X[:, ::-1], names=self.names[::-1], words=self.words[::-1])

    def in_words(self) -> Table:
        """The same samples with words for values and labels, where the table has them.

        >>> table = Table("one", np.array([[1]]), np.array([0]), ("colour",), ({1: "red"},), ("no", "yes"))
        >>> next(table.in_words().stream())
        ({'colour': 'red'}, 'no')
        """
        X, y = self.X, self.y
        if self.words:
            columns = [[meaning[v] for v in X[:, i].tolist()] for i, meaning in enumerate(self.words)]
            X = np.array(columns, dtype=str).T
        if self.classes:
            y = np.array(self.classes)[y]
        return replace(self, X=X, y=y, words=(), classes=())


@dataclass(frozen=True, eq=False, repr=False)
class Stream:
    """Endlessly many samples. Sample i is a function of i alone, so it does not matter how they are cut into chunks.

    `rows(start, stop)` gives the samples from `start` up to `stop`, which is not among them.

    Example:
        >>> from tsdt.datasets import xnor
        >>> X, y = xnor(q=5, seed=0).rows(100, 102)
        >>> X.shape, y.shape
        ((2, 5), (2,))
    """

    name: str
    names: tuple[str, ...]
    rows: Callable[[int, int], Rows]

    def __repr__(self) -> str:
        """The name and the number of attributes."""
        return f"Stream({self.name!r}: {len(self.names)} attributes)"

    def __iter__(self) -> Iterator[tuple[dict[str, Any], Any]]:
        """One sample after the other, as a dict and its label."""
        for chunk in self.chunks(1000):
            yield from _pairs(self.names, chunk)

    def chunks(self, size: int = 100) -> Iterator[Rows]:
        """Chunks of `size` samples, one after the other, as arrays.

        >>> table = Table("two", np.array([[3], [5]]), np.array([0, 1]), ("a",))
        >>> X, y = next(table.cycle().chunks(4))
        >>> y.tolist()
        [0, 1, 0, 1]
        """
        if size < 1:
            raise ValueError(f"size is {size}, a chunk must have at least one sample")
        for start in count(0, size):
            yield self.rows(start, start + size)

    def take(self, n: int, start: int = 0) -> Table:
        """The table of `n` samples from `start` on.

        >>> from tsdt.datasets import xnor
        >>> xnor(q=2).take(3)
        Table('...': 3 rows, 2 attributes, 2 classes)
        """
        X, y = self.rows(start, start + n)
        return Table(self.name, X, y, self.names)
