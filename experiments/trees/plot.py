"""The trees of the appendix, drawn, and their sizes and accuracies beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.experiment import Plot, plot_command
from experiments.pages import markdown
from experiments.results import Row
from experiments.trees.run import EXPERIMENT, TRAINING
from tsdt.tree import DecisionTree


class Caption(NamedTuple):
    """What the paper says below one of its trees; a dash where it says nothing."""

    leaves: str
    train: str
    test: str


PAPER = {
    "MONK1-original": Caption("27", "100%", "100%"),
    "MONK1-droplast": Caption("8", "100%", "100%"),
    "MONK1-dropfirst": Caption("19", "100%", "100%"),
    TRAINING: Caption("-", "-", "-"),
    "MONK2": Caption("17", "89.6%", "73.5%"),
    "MONK3": Caption("-", "93.8%", "92%"),
    "tic-tac-toe": Caption("-", "79.8%", "81.8%"),
    "car-evaluation": Caption("-", "89.9%", "90.8%"),
    "compas-binary": Caption("-", "66.4%", "66%"),
    "fico_binary": Caption("-", "69.4%", "71.8%"),
}
FILES = {"branch search": "optimal", "Fast-TSDT": "fast-tsdt"}


def draw(rows: Sequence[Row], folder: Path) -> None:
    """A picture of each tree, from the tree that the results keep."""
    for row in rows:
        tree = DecisionTree.from_json(row["tree"])
        name = row["table"].replace(", ", "-").replace(" ", "-").replace("_", "-")
        (folder / f"{name}-{FILES[row['learner']]}.svg").write_text(tree.to_svg(), encoding="utf-8")


def tables(rows: Sequence[Row]) -> Mapping[str, str]:
    """The paper's trees beside ours."""
    lines = []
    for table, paper in PAPER.items():
        found = {row["learner"]: row for row in rows if row["table"] == table}
        cells = [f"{table}, {row_cost(found):g}" if found else table, paper.leaves, f"{paper.train} / {paper.test}"]
        for learner in ("Fast-TSDT", "branch search"):
            row = found.get(learner)
            cells += [str(row["leaves"]), f"{row['train']:.1%} / {row['test']:.1%}"] if row else ["-", "-"]
        best = found.get("branch search")
        lines.append([*cells, "yes" if best and best["proven"] else "no"])
    head = ["table, split cost", "paper: leaves", "train / test", "Fast-TSDT: leaves", "train / test"]
    return {"trees": markdown([*head, "optimum: leaves", "train / test", "proven"], lines)}


def row_cost(found: Mapping[str, Row]) -> float:
    """The price of a split on a table."""
    return float(next(iter(found.values()))["split_cost"])


PLOT = Plot(EXPERIMENT, draw, tables)

if __name__ == "__main__":
    plot_command(PLOT, __doc__)
