"""The tree as plain data and back: the format is described in docs/tree-format.md. Reading trusts nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from tsdt.schema import OTHER, Attribute
from tsdt.views.values import plain

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree, Node

FORMAT, VERSION = "tsdt-tree", 1
SPECIAL = {"other": OTHER, "inf": math.inf, "-inf": -math.inf}


def to_dict(tree: DecisionTree) -> dict[str, Any]:
    """The tree as dicts, lists, text, numbers, booleans and None; see `DecisionTree.to_dict`.

    >>> from tsdt.views.example import weather
    >>> to_dict(weather())["nodes"][1]
    {'counts': [3, 2], 'attribute': 1, 'children': [2, 3], 'threshold': 77.5, 'missing': 1}
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "attributes": [_attribute_out(attribute, f"attributes[{i}]") for i, attribute in enumerate(tree.attributes)],
        "classes": [_value_out(label, f"classes[{k}]") for k, label in enumerate(tree.classes)],
        "nodes": [_node_out(node) for node in tree.nodes],
    }


def to_json(tree: DecisionTree, indent: int | None = None) -> str:
    """The tree as JSON text; see `DecisionTree.to_json`.

    >>> from tsdt.views.example import weather
    >>> from_json(to_json(weather())) == weather()
    True
    """
    return json.dumps(to_dict(tree), indent=indent, allow_nan=False)


def from_dict(data: Any) -> DecisionTree:
    """The tree that `to_dict` wrote; anything else is refused.

    >>> from tsdt.views.example import weather
    >>> from_dict(to_dict(weather())) == weather()
    True
    >>> from_dict({"format": "tsdt-tree", "version": 2, "attributes": [], "classes": [], "nodes": []})
    Traceback (most recent call last):
        ...
    ValueError: version is 2; 1 is the only one that can be read here
    """
    from tsdt.tree import DecisionTree

    _keys(data, "the tree", ("format", "version", "attributes", "classes", "nodes"))
    if data["format"] != FORMAT:
        _refuse("format", data["format"], f"a tree says {FORMAT!r}")
    if type(data["version"]) is not int or data["version"] != VERSION:
        _refuse("version", data["version"], f"{VERSION} is the only one that can be read here")
    attributes = _list(data["attributes"], "attributes", _attribute_in)
    _distinct([(attribute.name, attribute.kind) for attribute in attributes], "the names and kinds of attributes")
    classes = _list(data["classes"], "classes", _value_in)
    _distinct(classes, "classes")
    if not classes:
        _refuse("classes", [], "at least one class is needed")
    nodes = _list(data["nodes"], "nodes", lambda node, where: _node_in(node, where, attributes, len(classes)))
    _check_preorder(nodes)
    return DecisionTree(tuple(attributes), tuple(classes), tuple(nodes))


def from_json(text: str | bytes) -> DecisionTree:
    """The tree that `to_json` wrote; anything else is refused.

    >>> from_json('{"format": "tsdt-tree", "format": "tsdt-tree"}')
    Traceback (most recent call last):
        ...
    ValueError: the key 'format' is there twice; each may be there once
    """
    return from_dict(json.loads(text, object_pairs_hook=_object, parse_constant=_constant))


def _attribute_out(attribute: Attribute, where: str) -> dict[str, Any]:
    data = {"name": _value_out(attribute.name, f"{where}.name"), "kind": attribute.kind}
    if attribute.is_numeric:
        data["edges"] = [_value_out(float(edge), f"{where}.edges") for edge in attribute.edges]
    else:
        data["categories"] = [_value_out(c, f"{where}.categories[{j}]") for j, c in enumerate(attribute.categories)]
    return data | {"position": attribute.position}


def _node_out(node: Node) -> dict[str, Any]:
    data: dict[str, Any] = {"counts": [int(n) for n in node.counts]}
    if node.is_leaf:
        return data
    data |= {"attribute": node.attribute, "children": list(node.children)}
    if node.threshold is None:
        return data | {"codes": [int(code) for code in node.codes]}
    threshold = _value_out(float(node.threshold), "threshold")
    return data | {"threshold": threshold, "missing": node.missing if node.missing >= 0 else None}


def _value_out(value: Any, where: str) -> Any:
    """A name, category, class or number as JSON has it."""
    value = plain(value)
    for name, special in SPECIAL.items():
        if value is special or (isinstance(value, float) and value == special):
            return {"special": name}
    if value is None or type(value) in (str, int, bool) or (type(value) is float and math.isfinite(value)):
        return value
    raise TypeError(
        f"{where} is {value!r} ({type(value).__name__}), which has no form in the tree format; "
        "text, integers, finite or infinite floats, booleans and None have one"
    )


def _refuse(where: str, value: Any, right: str) -> NoReturn:
    shown = repr(value)
    raise ValueError(f"{where} is {shown[:80] + '...' if len(shown) > 80 else shown}; {right}")


def _keys(data: Any, where: str, wanted: Sequence[str]) -> None:
    if not isinstance(data, Mapping):
        _refuse(where, data, "a mapping is right")
    if set(data) != set(wanted):
        _refuse(f"the keys of {where}", sorted(map(str, data)), f"{sorted(wanted)} are right")


def _list(data: Any, where: str, read: Callable[[Any, str], Any]) -> list[Any]:
    if not isinstance(data, (list, tuple)):
        _refuse(where, data, "a list is right")
    return [read(item, f"{where}[{i}]") for i, item in enumerate(data)]


def _distinct(values: Sequence[Any], where: str) -> None:
    if len(set(values)) < len(values):
        _refuse(where, values, "each may be there once (1, 1.0 and True are the same)")


def _value_in(data: Any, where: str) -> Any:
    if isinstance(data, Mapping):
        _keys(data, where, ("special",))
        name = data["special"]
        return (
            SPECIAL[name] if isinstance(name, str) and name in SPECIAL else _refuse(where, data, f"{[*SPECIAL]} exist")
        )
    if data is None or type(data) in (str, int, bool) or (type(data) is float and math.isfinite(data)):
        return data
    return _refuse(where, data, "text, a number, a boolean or None is right")


def _float(data: Any, where: str) -> float:
    value = _value_in(data, where)
    if type(value) not in (int, float):
        _refuse(where, data, "a number is right")
    try:
        return float(value)
    except OverflowError:
        _refuse(where, data, "a number that a float can hold is right")


def _whole(data: Any, where: str, below: int | None = None) -> int:
    if type(data) is not int or data < 0 or (below is not None and data >= below):
        _refuse(
            where, data, "a whole number from 0" + (f" to {below - 1} is right" if below is not None else " is right")
        )
    return data


def _attribute_in(data: Any, where: str) -> Attribute:
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if kind not in ("categorical", "numeric"):
        _refuse(f"{where}.kind", kind, "'categorical' or 'numeric' is right")
    numeric = kind == "numeric"
    _keys(data, where, ("name", "kind", "edges" if numeric else "categories", "position"))
    name, position = _value_in(data["name"], f"{where}.name"), _whole(data["position"], f"{where}.position")
    if not numeric:
        categories = _list(data["categories"], f"{where}.categories", _value_in)
        _distinct(categories, f"{where}.categories")
        return Attribute(name, "categorical", tuple(categories), position=position)
    edges = _list(data["edges"], f"{where}.edges", _float)
    if any(a >= b for a, b in pairwise(edges)):
        _refuse(f"{where}.edges", edges, "each must be above the one before")
    return Attribute(name, "numeric", edges=tuple(edges), position=position)


def _node_in(data: Any, where: str, attributes: Sequence[Attribute], n_classes: int) -> Node:
    from tsdt.tree import Node

    if not isinstance(data, Mapping) or "attribute" not in data:
        _keys(data, where, ("counts",))
        return Node(_counts(data, where, n_classes))
    place = _whole(data["attribute"], f"{where}.attribute", len(attributes))
    attribute = attributes[place]
    numeric = attribute.is_numeric and "threshold" in data  # a numeric attribute can be split into its bins, too
    _keys(data, where, ("counts", "attribute", "children", *(("threshold", "missing") if numeric else ("codes",))))
    counts = _counts(data, where, n_classes)
    children = tuple(_list(data["children"], f"{where}.children", _whole))
    if not numeric:
        codes = _list(data["codes"], f"{where}.codes", lambda c, at: _whole(c, at, len(attribute.categories)))
        if len(set(codes)) < len(codes) or not codes or len(codes) != len(children):
            _refuse(f"{where}.codes", codes, "one code per child, each once, and at least one child are right")
        return Node(counts, place, children, tuple(codes))
    if len(children) != 2 or data["missing"] not in (None, 0, 1) or isinstance(data["missing"], (bool, float)):
        _refuse(where, dict(data), "two children and missing as 0, 1 or None are right")
    missing = -1 if data["missing"] is None else data["missing"]
    return Node(counts, place, children, threshold=_float(data["threshold"], f"{where}.threshold"), missing=missing)


def _counts(data: Mapping[str, Any], where: str, n_classes: int) -> tuple[int, ...]:
    counts = _list(data["counts"], f"{where}.counts", _whole)
    return tuple(counts) if len(counts) == n_classes else _refuse(f"{where}.counts", counts, f"{n_classes} are right")


def _check_preorder(nodes: Sequence[Node]) -> None:
    """Each node is where a walk from the root meets it, so each is met once."""
    due = [0]
    for i, node in enumerate(nodes):
        if not due or due.pop() != i:
            _refuse("nodes", f"out of order at {i}", "the order in which a walk from the root meets them is right")
        due.extend(reversed(node.children))
    if due:
        _refuse("nodes", f"{len(nodes)} long", f"node {due[-1]} is somebody's child and must be there")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise ValueError(f"the key {key!r} is there twice; each may be there once")
        seen[key] = value
    return seen


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON; infinity is {{'special': 'inf'}}")
