"""What an ONNX model of a tree takes: one tensor per attribute that the tree asks about.

Each is of shape (rows, 1): strings where the categories are text; doubles where they are numbers or booleans, and where
the attribute is numeric. Missing is NaN among doubles; among strings it is a text that is no category, "<missing>"
unless that is taken. The model's metadata say so too, under `tsdt.inputs`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tsdt.schema import OTHER, Attribute, is_missing
from tsdt.tables import column_of
from tsdt.views.values import has_half_pair, plain

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree

EXACT = 2**53  # integers below are floats without loss


@dataclass(frozen=True, slots=True)
class ModelInput:
    """An input: its name in the model, its attribute, and the text for missing where it takes strings."""

    name: str
    attribute: Attribute
    missing: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether the input is a tensor of strings."""
        return self.missing is not None

    def described(self) -> dict[str, Any]:
        """What the metadata of the model say of the input."""
        kind = "string" if self.is_text else "double"
        return {"input": self.name, "attribute": str(self.attribute.name), "type": kind, "missing": self.missing}

    def tensor(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values of the attribute as the model takes them; one of another type than the categories is unseen."""
        if self.attribute.is_numeric:
            return self.attribute.numbers(values).reshape(-1, 1)
        if self.missing is None:
            free = next(x for x in count(0.5) if x not in self.attribute.categories)
            return np.array([_double(value, free) for value in values.tolist()], dtype=np.float64).reshape(-1, 1)
        unseen = fresh("<unseen>", {*self.attribute.categories, self.missing})
        tensor = np.empty((len(values), 1), dtype=object)
        for i, value in enumerate(values.tolist()):
            known = isinstance(value, str) and value != self.missing
            tensor[i, 0] = value if known else self.missing if is_missing(value) else unseen
        return tensor


def model_inputs(tree: DecisionTree) -> dict[int, ModelInput]:
    """The inputs of the model of a tree by attribute; without splits it needs one to know how many rows there are.

    >>> from tsdt.views.example import weather
    >>> [(source.name, source.missing) for source in model_inputs(weather()).values()]
    [('outlook', '<missing>'), ('humidity', None)]
    """
    if not tree.attributes:
        raise ValueError("the tree has no attributes, so the model would have no input; an ONNX model needs one")
    used = sorted({node.attribute for node in tree.nodes if not node.is_leaf}) or [0]
    found: dict[int, ModelInput] = {}
    taken = {"label", "probabilities"}
    for i in used:
        attribute = tree.attributes[i]
        name = fresh(_utf8(str(attribute.name)) or f"attribute {i}", taken)
        taken.add(name)
        found[i] = ModelInput(name, attribute, _missing_text(attribute))
    return found


def onnx_feed(tree: DecisionTree, X: Any) -> dict[str, NDArray[Any]]:
    """A table as the inputs of the tree's ONNX model, for `session.run(None, feed)` in onnxruntime.

    >>> from tsdt.views.example import weather
    >>> onnx_feed(weather(), {"outlook": ["rain", None], "humidity": [70, 80]})["outlook"].tolist()
    [['rain'], ['<missing>']]
    """
    sources = model_inputs(tree).items()
    return {source.name: source.tensor(column_of(X, i, tree.attributes)) for i, source in sources}


def fresh(base: str, taken: Collection[Any]) -> str:
    """A text that is not taken.

    >>> fresh("Cast", {"Cast", "Cast_"})
    'Cast__'
    """
    while base in taken:
        base += "_"
    return base


def _missing_text(attribute: Attribute) -> str | None:
    """The text for missing among strings; None where the input takes doubles."""
    if attribute.is_numeric:
        return None
    known = [plain(c) for c in attribute.categories if c is not None and c is not OTHER]
    if all(type(c) is str for c in known):
        return fresh("<missing>", set(map(_utf8, known)))
    if all(type(c) in (bool, float) or (type(c) is int and abs(c) < EXACT) for c in known):
        return None
    raise TypeError(
        f"the categories of {attribute.name!r} make no tensor; text alone does, and so do booleans, floats and "
        f"integers below {EXACT}"
    )


def _double(value: Any, unseen: float) -> float:
    if is_missing(value):
        return np.nan
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return unseen
    return number if number == value else unseen


def _utf8(text: str) -> str:
    if has_half_pair(text):
        raise ValueError(f"{text!r} has half of a surrogate pair, which no ONNX string can have")
    return text
