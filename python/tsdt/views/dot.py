"""The tree in the language of Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsdt.views import words
from tsdt.views.palette import colours, ink

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree, Node


def to_dot(tree: DecisionTree) -> str:
    r"""The tree as a Graphviz digraph; see `DecisionTree.to_dot`.

    >>> from tsdt.views.example import weather
    >>> print("\n".join(to_dot(weather()).splitlines()[4:7]))
      0 [label="outlook\n14 samples"];
      1 [label="humidity\n5 samples"];
      2 [label="yes\nall 2", fillcolor="#E69F00", fontcolor="#000000"];
    """
    lines = [
        "digraph tree {",
        '  rankdir="LR";',
        '  node [shape="box", style="rounded,filled", fillcolor="#f6f8fa", fontname="Helvetica"];',
        '  edge [arrowhead="none", color="#9aa4b0", fontname="Helvetica"];',
    ]
    palette = colours(max(1, len(tree.classes)))
    lines += [f"  {i} [{_node(tree, node, palette)}];" for i, node in enumerate(tree.nodes)]
    for i, node in enumerate(tree.nodes):
        for position, child in enumerate(node.children):
            width = 1 + 9 * tree.shares[child]
            label = quoted(words.edge(tree, node, position))
            lines.append(f'  {i} -> {child} [label="{label}", penwidth="{width:.2f}"];')
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    r"""Text between the quotes of a label, where a backslash and a quote mean something.

    >>> print(quoted('say "\\N"'))
    say \"\\N\"
    """
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _node(tree: DecisionTree, node: Node, palette: list[str]) -> str:
    if not node.is_leaf:
        return f'label="{quoted(words.name(tree, node))}\\n{words.count(node.n_samples, "sample")}"'
    colour = palette[node.label]
    label = f"{quoted(words.answer(tree, node))}\\n{words.correct(node)}"
    return f'label="{label}", fillcolor="{colour}", fontcolor="{ink(colour)}"'
