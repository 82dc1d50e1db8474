"""What the text of a column stands for: numbers, or text. Decided once, by the first rows or by the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tsdt.tables import objects

MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"})
"""What stands for a missing value in text."""

FIRST = 1000
"""Rows by which the columns of text files are judged."""

FEW = 0.1
"""A column with fewer values that are no numbers, as a share, may have been meant to be numbers."""

NUMBER, TEXT = "number", "text"


@dataclass
class Kinds:
    """The kind of each column that is known, by name, and words that stand for other values than text (True, 3)."""

    of: dict[str, str] = field(default_factory=dict)
    words: dict[str, dict[str, Any]] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)  # columns that are text for the sake of a few, such as this one

    def learn(self, names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Decide the columns that are not known yet by some rows: numbers, where nothing is anything else."""
        columns = list(zip(*rows, strict=True)) or [()] * len(names)
        for name, column in zip(names, columns, strict=True):
            if name not in self.of:
                present = [value for value in column if value not in MISSING]
                others = [value for value in present if not is_number(value)]
                self.of[name] = NUMBER if present and not others else TEXT
                if 0 < len(others) < FEW * len(present):
                    self.odd[name] = others[0]

    @classmethod
    def of_model(cls, model: Any, noted: Mapping[str, Any] | None = None) -> Kinds:
        """The kinds that a model has learned from, and those that were noted beside it."""
        kinds = cls(dict(noted or {}))
        for column in model.schema_.columns if model.__sklearn_is_fitted__() else ():
            if column.kind == "numeric" or column.numbers is not None:
                kinds.of[str(column.name)] = NUMBER
            elif column.kind is not None:
                kinds._of_categories(str(column.name), [c for c in column.lookup if c is not None])
        return kinds

    def _of_categories(self, name: str, categories: Sequence[Any]) -> None:
        if all(isinstance(c, (int, float)) and not isinstance(c, bool) for c in categories):
            self.of[name] = NUMBER
            return
        self.of[name] = TEXT
        self.words[name] = {str(c): c for c in categories if not isinstance(c, str)}


def is_number(text: str) -> bool:
    """Whether a text is a number as people write it in files.

    >>> [is_number(text) for text in ("3", "-2.5e3", "1_000", "0x1F", "red")]
    [True, True, False, False, False]
    """
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def as_classes(labels: Any, classes: Mapping[str, Any]) -> Any:
    """Text as the classes of a model, which are given by the text they are written as, where these are not text."""
    if all(isinstance(value, str) for value in classes.values()):
        return labels
    listed = labels.tolist()
    meant = {text: as_class(text, classes) if isinstance(text, str) else text for text in set(listed)}
    return objects([meant[text] for text in listed])


def as_class(text: str, classes: Mapping[str, Any]) -> Any:
    """The class that a text means: one that is known by that text, a whole number where all classes are, or the text.

    >>> as_class("1", {"0": 0}), as_class("1", {"0": "0"}), as_class("1", {})
    (1, '1', '1')
    """
    if text in classes:
        return classes[text]
    numbers = bool(classes) and all(type(c) is int for c in classes.values())
    return int(text) if numbers and text.lstrip("-").isdecimal() else text
