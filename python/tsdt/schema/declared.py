"""What the user says of columns, which wins over what they hold."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tsdt.schema.attribute import Attribute, Kind
from tsdt.schema.missing import OTHER, is_missing
from tsdt.schema.numbers import is_number

REMEDY = "say 'numeric', 'categorical', a list of categories, or {'edges': [...]}"


@dataclass(frozen=True, slots=True)
class Declared:
    """The declared kind of a column, with its categories or edges where they are given too."""

    kind: Kind
    categories: tuple[Hashable, ...] | None = None
    edges: tuple[float, ...] | None = None


def declare(name: Hashable, said: Any) -> Declared:
    """What was said of one column.

    >>> declare("age", "numeric").kind
    'numeric'
    >>> declare("size", ["small", "large"]).categories
    ('small', 'large')
    >>> declare("age", {"edges": [18, 65]}).edges
    (18.0, 65.0)
    """
    if isinstance(said, Declared):
        return said
    if isinstance(said, Attribute):
        numeric = said.is_numeric
        return Declared(said.kind, None if numeric else said.categories, said.edges if numeric else None)
    if isinstance(said, str):
        if said in ("numeric", "categorical"):
            return Declared(cast(Kind, said))
    elif isinstance(said, Mapping):
        if set(said) == {"edges"}:
            return Declared("numeric", edges=_edges(name, said["edges"]))
    elif isinstance(said, (list, tuple, set, frozenset)):
        return Declared("categorical", categories=_categories(name, said))
    raise ValueError(f"schema[{name!r}] is {said!r}; {REMEDY}")


def _edges(name: Hashable, edges: Any) -> tuple[float, ...]:
    try:
        given = list(edges)
    except TypeError:
        given = [None]
    if not all(is_number(edge) and math.isfinite(edge) for edge in given):
        raise ValueError(f"schema[{name!r}] has edges {edges!r}; a list of finite numbers is right")
    if len(given) > 60_000:
        raise ValueError(f"schema[{name!r}] has {len(given)} edges; at most 60,000 are possible")
    return tuple(sorted({float(edge) for edge in given}))


def _categories(name: Hashable, categories: Any) -> tuple[Hashable, ...]:
    try:
        ordered = sorted(categories, key=repr) if isinstance(categories, (set, frozenset)) else categories
        distinct = tuple(dict.fromkeys(None if is_missing(c) else c for c in ordered if c is not OTHER))
    except TypeError as error:
        raise ValueError(f"schema[{name!r}] is {categories!r}: {error}; give categories that can be hashed") from error
    if len(distinct) > 60_000:
        raise ValueError(f"schema[{name!r}] has {len(distinct)} categories; at most 60,000 are possible")
    return distinct


def declarations(schema: Any) -> dict[Hashable, Declared]:
    """What the `schema` parameter says, column by column.

    >>> declarations({"age": "numeric"})
    {'age': Declared(kind='numeric', categories=None, edges=None)}
    """
    if schema is None:
        return {}
    attributes = getattr(schema, "attributes", None)
    if attributes is not None:
        return {attribute.name: declare(attribute.name, attribute) for attribute in attributes}
    if isinstance(schema, Mapping):
        return {name: declare(name, said) for name, said in schema.items()}
    raise TypeError(
        f"schema is {schema!r}; give the schema_ of a model or a mapping from column names to kinds: {REMEDY}"
    )
