"""The tree as a Mermaid flowchart, which many Markdown pages draw by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsdt.views import words
from tsdt.views.palette import colours, ink

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree


def to_mermaid(tree: DecisionTree) -> str:
    r"""The tree as a Mermaid flowchart; see `DecisionTree.to_mermaid`.

    >>> from tsdt.views.example import weather
    >>> print("\n".join(to_mermaid(weather()).splitlines()[:4]))
    flowchart LR
      n0["outlook<br>14 samples"]
      n1["humidity<br>5 samples"]
      n2(["yes<br>all 2"]):::c1
    """
    lines = ["flowchart LR"]
    for i, node in enumerate(tree.nodes):
        if node.is_leaf:
            name = quoted(words.answer(tree, node))
            lines.append(f'  n{i}(["{name}<br>{words.correct(node)}"]):::c{node.label}')
        else:
            lines.append(f'  n{i}["{quoted(words.name(tree, node))}<br>{words.count(node.n_samples, "sample")}"]')
    for i, node in enumerate(tree.nodes):
        for position, child in enumerate(node.children):
            lines.append(f'  n{i} -- "{quoted(words.edge(tree, node, position))}" --- n{child}')
    for k in sorted({tree.nodes[leaf].label for leaf in tree.leaves}):
        colour = colours(max(1, len(tree.classes)))[k]
        lines.append(f"  classDef c{k} fill:{colour},color:{ink(colour)},stroke:none")
    return "\n".join([*lines, ""])


def quoted(text: str) -> str:
    """Text between the quotes of a label: every character that Mermaid, Markdown or HTML reads becomes its number.

    >>> quoted('say "no"')
    'say #34;no#34;'
    """
    return "".join(c if c.isalnum() or c in " .," or not c.isascii() else f"#{ord(c)};" for c in text)
