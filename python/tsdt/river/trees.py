"""What River's users ask of a tree beyond its own views: a frame of its nodes, and a picture cut at some depth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from tsdt.tree import DecisionTree
from tsdt.views.conditions import branches


def node_table(tree: DecisionTree, pandas: Any) -> Any:
    """A frame with one row per node, in preorder: parent, depth, what leads there, what it asks, what it answers."""
    parents = {child: i for i, node in enumerate(tree.nodes) for child in node.children}
    depths = dict(tree.walk())
    records = [
        {
            "parent": parents.get(i, pandas.NA),
            "is_leaf": node.is_leaf,
            "depth": depths[i],
            "path": " and ".join(map(str, asked.values())),
            "feature": None if node.is_leaf else tree.attributes[node.attribute].name,
            "threshold": node.threshold,
            "prediction": tree.classes[node.label],
            "samples": node.n_samples,
            "stats": dict(zip(tree.classes, node.counts, strict=True)),
        }
        for i, (node, asked) in enumerate(zip(tree.nodes, branches(tree), strict=True))
    ]
    return pandas.DataFrame(records).rename_axis("node")


def pruned(tree: DecisionTree, max_depth: int | None) -> DecisionTree:
    """The tree with all that is deeper than so many splits cut off."""
    if max_depth is None:
        return tree
    kept = [(i, depth) for i, depth in tree.walk() if depth <= max_depth]
    places = {i: place for place, (i, _) in enumerate(kept)}
    nodes = [
        replace(tree.nodes[i], attribute=-1, children=(), codes=(), threshold=None, missing=-1)
        if depth == max_depth
        else replace(tree.nodes[i], children=tuple(places[child] for child in tree.nodes[i].children))
        for i, depth in kept
    ]
    return replace(tree, nodes=tuple(nodes))


@dataclass(frozen=True)
class Drawing:
    """A picture of a tree: notebooks show it, `source` is the same for Graphviz, `str` is the same for a terminal."""

    tree: DecisionTree

    @property
    def source(self) -> str:
        """The tree in the language of Graphviz."""
        return self.tree.to_dot()

    def _repr_svg_(self) -> str:
        return self.tree.to_svg()

    def __str__(self) -> str:
        return self.tree.to_text()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture into a file: SVG, or the language of Graphviz where the name ends in .dot or .gv."""
        ending = Path(path).suffix.lower()
        if ending not in ("", ".svg", ".dot", ".gv"):
            raise ValueError(f"{path} ends in {ending}, which is not written; give a name with .svg, .dot or .gv")
        text = self.source if ending in (".dot", ".gv") else self._repr_svg_()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
