"""The tree as a Python function that needs nothing: no import, no tsdt."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from tsdt.schema import OTHER
from tsdt.views.values import plain

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree, Node

DEEPEST = 12  # levels of a tree in one function; Python itself allows a hundred levels of indentation

VALUE = """
    def value(name):
        found = row.get(name)
        try:
            missing = found is None or bool(found != found)
        except (TypeError, ValueError, ArithmeticError):
            missing = type(found).__name__ in ("NAType", "Decimal")
        return None if missing else found
"""
NUMBER = """
    def number(found):
        if isinstance(found, (str, bytes)):
            raise ValueError(f"{found!r} is no number")
        try:
            return float(found)
        except OverflowError:
            return float("inf" if found > 0 else "-inf")
"""


def to_python(tree: DecisionTree, name: str = "predict") -> str:
    """The tree as the source of a function; see `DecisionTree.to_python`.

    >>> from tsdt.views.example import weather
    >>> source = to_python(weather())
    >>> exec(source)
    >>> predict({"outlook": "sunny", "humidity": 70})
    'yes'
    >>> print(source[source.index("    x = "):])
        x = value('outlook')
        if x == 'sunny':
            x = value('humidity')
            if x is not None and number(x) <= 77.5:
                return 'yes'
            return 'no'
        if x == 'overcast':
            return 'yes'
        if x == 'rain':
            return 'yes'
        return 'yes'
    """
    if not name.isidentifier() or iskeyword(name):
        raise ValueError(f"name is {name!r}; it must be a name that a Python function can have")
    lines = [f"def {name}(row):", '    """The answer to one row, a dict from names to values."""']
    if tree.n_splits:
        lines += VALUE.split("\n")[:-1]
    if any(not node.is_leaf and tree.attributes[node.attribute].is_numeric for node in tree.nodes):
        lines += NUMBER.split("\n")[:-1]
    apart = _apart(tree)
    for root in apart:
        lines += ["", f"    def node_{root}():", *_body(tree, root, 2, apart)]
    lines += [*([""] if len(lines) > 2 else []), *_body(tree, 0, 1, apart), ""]
    return "\n".join(lines)


def literal(value: Any) -> str:
    """A value as Python source.

    >>> print(literal("it's"), literal(float("inf")), literal(None))
    "it's" float('inf') None
    """
    value = plain(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if type(value) in (str, int, float, bool, type(None)):
        return ascii(value)
    raise TypeError(
        f"{value!r} ({type(value).__name__}) cannot be written without an import; text, numbers, booleans and None can"
    )


def _apart(tree: DecisionTree) -> list[int]:
    """The splits that get a function of their own because they would stand too far to the right."""
    level, apart = [0] * len(tree.nodes), []
    for i, node in enumerate(tree.nodes):
        for position, child in enumerate(node.children):
            inside = node.threshold is None or position == 0  # what follows an `if` that returns is not indented
            level[child] = level[i] + inside
            if inside and level[child] % DEEPEST == 0 and not tree.nodes[child].is_leaf:
                apart.append(child)
    return apart


def _body(tree: DecisionTree, root: int, indent: int, apart: Collection[int]) -> Iterator[str]:
    """The lines that answer below a node, which all end in a return."""
    stack = [(root, indent, "")]
    while stack:
        i, level, line = stack.pop()
        node = tree.nodes[i]
        if not line and i in apart and i != root:
            line = f"return node_{i}()"
        elif not line and node.is_leaf:
            line = f"return {literal(tree.answer(node))}"
        if line:
            yield "    " * level + line
        else:
            stack.extend(reversed(list(_split(tree, node, level))))


def _split(tree: DecisionTree, node: Node, level: int) -> Iterator[tuple[int, int, str]]:
    """A split as lines to write and children to go on with."""
    majority = f"return {literal(tree.answer(node))}"
    yield 0, level, f"x = value({literal(tree.attributes[node.attribute].name)})"
    if node.threshold is None:
        for code, child in zip(node.codes, node.children, strict=True):
            yield 0, level, f"if {_is(tree, node, code)}:"
            yield child, level + 1, ""
        yield 0, level, majority
        return
    if node.missing < 0:
        yield 0, level, "if x is None:"
        yield 0, level + 1, majority
    head = {-1: "", 0: "x is None or ", 1: "x is not None and "}[node.missing]
    yield 0, level, f"if {head}number(x) <= {literal(float(node.threshold))}:"
    yield node.children[0], level + 1, ""
    yield node.children[1], level, ""


def _is(tree: DecisionTree, node: Node, code: int) -> str:
    attribute = tree.attributes[node.attribute]
    categories = attribute.categories
    if categories[code] is None:
        return "x is None"
    if attribute.is_numeric:
        low = f"{literal(float(attribute.edges[code - 2]))} < " if code > 1 else ""
        high = f" <= {literal(float(attribute.edges[code - 1]))}" if code <= len(attribute.edges) else ""
        return f"x is not None and {low}number(x){high}" if low or high else "x is not None"
    if categories[code] is OTHER:
        known = "".join(f"{literal(c)}, " for c in categories if c is not OTHER)
        return f"x is not None and x not in ({known.rstrip()})"
    return f"x == {literal(categories[code])}"
