"""What changed between two trees, in words, from the root down."""

from __future__ import annotations

from tsdt.tree import DecisionTree, Node
from tsdt.views import words


def differences(old: DecisionTree, new: DecisionTree) -> list[str]:
    """One sentence for each place where the trees part; empty when both ask and answer the same.

    >>> from tsdt.views.example import weather
    >>> from tsdt.tree import DecisionTree, Node
    >>> leaf = DecisionTree((), ("no", "yes"), (Node((5, 9)),))
    >>> differences(leaf, weather()), differences(weather(), weather())
    (['at the root it now asks outlook, instead of answering yes'], [])
    """
    found, waiting = list[str](), [(0, 0, "")]
    while waiting:
        i, j, where = waiting.pop(0)
        a, b = old.nodes[i], new.nodes[j]
        here = f"where {where}" if where else "at the root"
        if a.is_leaf and b.is_leaf:
            if _answer(old, a) != _answer(new, b):
                found.append(f"{here} it now answers {_answer(new, b)}, instead of {_answer(old, a)}")
        elif _question(old, a) != _question(new, b):
            found.append(f"{here} it {_turn(old, a, new, b)}")
        else:
            waiting += _below(old, a, new, b, where, found)
    return found


def _turn(old: DecisionTree, a: Node, new: DecisionTree, b: Node) -> str:
    if b.is_leaf:
        return f"now answers {_answer(new, b)}, instead of asking {_question(old, a)}"
    if a.is_leaf:
        return f"now asks {_question(new, b)}, instead of answering {_answer(old, a)}"
    return f"now asks {_question(new, b)}, instead of {_question(old, a)}"


def _below(
    old: DecisionTree, a: Node, new: DecisionTree, b: Node, where: str, found: list[str]
) -> list[tuple[int, int, str]]:
    """The pairs of children that belong together; a category that only one tree has is told of."""
    before = {words.edge(old, a, k): child for k, child in enumerate(a.children)}
    after = {words.edge(new, b, k): child for k, child in enumerate(b.children)}
    if b.threshold is not None:  # "or missing" may come or go
        before, after = dict(enumerate_edges(old, a)), dict(enumerate_edges(new, b))
    name, pairs = words.name(new, b), list[tuple[int, int, str]]()
    for edge in dict.fromkeys([*before, *after]):
        path = f"{where} and {_condition(name, edge)}" if where else _condition(name, edge)
        if edge in before and edge in after:
            pairs.append((before[edge], after[edge], path))
        elif edge in after:
            found.append(f"where {path} it now has a way of its own")
        else:
            found.append(f"where {path} it no longer has a way of its own")
    return pairs


def enumerate_edges(tree: DecisionTree, node: Node) -> list[tuple[str, int]]:
    """The two ways of a threshold, by sign."""
    threshold = words.number(node.threshold) if node.threshold is not None else ""
    return [(f"{sign} {threshold}", child) for sign, child in zip("≤>", node.children, strict=True)]


def _condition(name: str, edge: str) -> str:
    return f"{name} {edge}" if edge[:1] in "≤>" else f"{name} is {edge}"


def _question(tree: DecisionTree, node: Node) -> str:
    if node.is_leaf:
        return ""
    name = words.name(tree, node)
    return name if node.threshold is None else f"{name} > {words.number(node.threshold)}"


def _answer(tree: DecisionTree, node: Node) -> str:
    return words.value(tree.classes[node.label]) if tree.classes else "nothing"
