"""The schema of a model: all columns ever seen, those that have become attributes, and the classes. It only grows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tsdt.schema.attribute import Attribute
from tsdt.schema.column import Column, Values
from tsdt.schema.declared import declarations
from tsdt.schema.lookup import GrowingLookup
from tsdt.schema.missing import OTHER
from tsdt.schema.table_text import schema_text

MOST_CLASSES = 10_000


class Schema:
    """Names, kinds, categories and classes, and how rows become codes.

    A column becomes an attribute with the first batch in which it holds a value; until then it is missing everywhere.

    >>> schema = Schema()
    >>> schema.add_columns(["colour", "age"])
    >>> _ = schema.decide([["red", "blue", None], [31.5, 40.25, 18.0]])
    >>> schema.encode([["red", "blue", None], [31.5, 40.25, 18.0]], n_rows=3).tolist()
    [[0, 2], [1, 3], [2, 1]]
    >>> print(schema)
    column | kind        | values                | missing | why
    -------+-------------+-----------------------+---------+--------
    colour | categorical | 3: red, blue, missing |   33.3% | text
    age    | numeric     | 3 bins, edges 20, 40  |    0.0% | numbers
    """

    def __init__(self, declared: Any = None, bins: int = 16, max_categories: int = 64) -> None:
        self.bins, self.max_categories = bins, max_categories
        self.declared = declarations(declared)
        self.columns: list[Column] = []
        self.positions: dict[Hashable, int] = {}  # of columns by name
        self.active: list[Column] = []  # the columns that are attributes, in their order
        self._classes = GrowingLookup(max_categories=MOST_CLASSES)
        self._started = False
        self.has_names = False  # whether the columns came with names of their own

    def __str__(self) -> str:
        return schema_text(self.columns)

    __repr__ = __str__

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names of all columns."""
        return tuple(self.positions)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The attributes as they are now, in the order of their codes' columns."""
        return tuple(column.attribute() for column in self.active)

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The classes in the order of their appearance, which is the order of their codes."""
        return self._classes.categories

    @property
    def dormant(self) -> list[int]:
        """The columns that have shown nothing but missing values."""
        return [i for i, column in enumerate(self.columns) if column.kind is None]

    def add_columns(self, names: Sequence[Hashable], by_position: bool = False) -> None:
        """Take new columns in. `by_position`: they come from a bare array, and may be declared by position too.

        >>> schema = Schema()
        >>> schema.add_columns(["colour", "age"])
        >>> schema.names
        ('colour', 'age')
        """
        self.has_names |= not by_position and len(names) > 0
        for name in names:
            column = self.column(name, len(self.columns) if by_position else None)
            self.positions[name] = column.position
            self.columns.append(column)

    def column(self, name: Hashable, position: int | None = None) -> Column:
        """The column of a name; where there is none yet, what it would be. The position is that in a bare array.

        >>> Schema({"age": "numeric"}).column("age").takes_numbers
        True
        """
        if name in self.positions:
            return self.columns[self.positions[name]]
        said = self.declared.get(name)
        if said is None and position is not None:
            said = self.declared.get(position)
        return Column(name, len(self.columns), said)

    def decide(self, values: Sequence[Values]) -> list[int]:
        """Make attributes of the dormant columns that hold a value among these; `values` has one entry per column.

        >>> schema = Schema()
        >>> schema.add_columns(["colour"])
        >>> schema.decide([[None]]), schema.decide([["red"]])
        ([], [0])
        """
        woken = [
            i for i in self.dormant if self.columns[i].decide(values[i], self._started, self.bins, self.max_categories)
        ]
        self.active += [self.columns[i] for i in woken]
        self._started = True
        return woken

    def encode(self, values: Sequence[Values], n_rows: int) -> NDArray[np.uint16]:
        """The codes of rows, given by columns: one row per sample, one column per attribute.

        >>> schema = Schema()
        >>> schema.add_columns(["colour"])
        >>> _ = schema.decide([["red", "blue"]])
        >>> schema.encode([["blue", "red"]], n_rows=2).tolist()
        [[0], [1]]
        """
        codes = np.empty((n_rows, len(self.active)), dtype=np.uint16)
        for k, column in enumerate(self.active):
            codes[:, k] = column.encode(values[column.position])
        return codes

    def add_numbers(self, column: Column, edges: NDArray[np.float64]) -> int:
        """Add a second attribute for a column of categories that were numbers after all; returns its position.

        The first one stays: what was learned of single values holds as before.

        >>> schema = Schema()
        >>> schema.add_columns(["colour"])
        >>> _ = schema.decide([[1, 2]])
        >>> schema.add_numbers(schema.columns[0], np.array([5.0])), schema.ordered
        (1, [False, True])
        """
        column.tentative = False
        column.numbers = Column(column.name, column.position)
        column.numbers.become_numeric(edges)
        self.active.append(column.numbers)
        return len(self.active) - 1

    def encode_classes(self, labels: Values) -> NDArray[np.uint16]:
        """The codes of labels, new classes taken in.

        >>> schema = Schema()
        >>> schema.encode_classes(["no", "yes", "no"]).tolist(), schema.classes
        ([0, 1, 0], ('no', 'yes'))
        """
        codes = self._classes.encode(labels)
        if OTHER in self._classes:
            raise ValueError(
                f"there are more than {MOST_CLASSES} classes, {labels[-1]!r} is one; are the labels numbers?"
            )
        return codes

    @property
    def arities(self) -> list[int]:
        """How many codes each attribute has."""
        return [column.arity for column in self.active]

    @property
    def ordered(self) -> list[bool]:
        """Which attributes are numeric."""
        return [column.kind == "numeric" for column in self.active]
