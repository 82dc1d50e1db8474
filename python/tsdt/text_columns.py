"""What the text of a file stands for when it is read for a model. How files are opened and cut is not known here."""

from __future__ import annotations

from typing import Any

from tsdt.schema.declared import declarations
from tsdt.schema.numbers import is_number


def kinds_for(model: Any) -> Any:
    """How columns of text are read: as a model has learned them, or was told of them; the others show it themselves.

    >>> from tsdt import TSDTClassifier
    >>> kinds_for(TSDTClassifier(schema={"postcode": "categorical", "age": "numeric", "rooms": [1, 2, 3]})).of
    {'postcode': 'text', 'age': 'number', 'rooms': 'number'}
    """
    from tsdt.cli.input.kinds import NUMBER, TEXT, Kinds

    if model is None:
        return Kinds()
    kinds = Kinds.of_model(model)
    for name, said in declarations(model.schema).items():
        numbers = said.kind == "numeric" or (said.categories and all(map(is_number, said.categories)))
        kinds.of.setdefault(str(name), NUMBER if numbers else TEXT)
    return kinds


def as_classes(labels: Any, model: Any) -> Any:
    """Text as the classes of a model."""
    from tsdt.cli.input.kinds import as_classes

    learned = model is not None and model.__sklearn_is_fitted__()
    return as_classes(labels, {str(value): value for value in model.classes_.tolist()} if learned else {})
