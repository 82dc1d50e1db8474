"""Learns the trees of the gallery and draws them: `make gallery` writes docs/gallery.md and docs/pictures/."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tsdt import TSDTClassifier, frontier
from tsdt.datasets import DataNotFoundError, compas, monk, tic_tac_toe

HERE = Path(__file__).parent

INTRODUCTION = """\
# Gallery

Trees that were learned, and the pictures that `tree.to_svg()` made of them. A card is a node: what it asks, or what it
answers in the colour of that class, and below it the mix of classes among its samples. A ribbon is as wide as the share
of samples that takes it. `make gallery` makes this page; compas needs the data folder that `TSDT_DATA` names, the other
tables come with the package or with scikit-learn.
"""

FRONTIER = """\
## Choosing the split cost

`tsdt.frontier(X, y)` finds the best tree for every price of a split, here for compas. The ring is the tree above. A
price at which accuracy stops rising is a good one. `model.report("report.html", X, y)` shows this chart with the tree.
"""


class Exhibit(NamedTuple):
    """A picture: its file, its heading, what the table is about, the price of a split, and how to get the table."""

    name: str
    heading: str
    about: str
    split_cost: float
    table: Callable[[], tuple[Any, Any]]


def robots() -> tuple[Any, Any]:
    """MONK-1: all 432 robots."""
    table = monk(1).in_words()
    return table.columns, table.y


def end_games() -> tuple[Any, Any]:
    """Tic-tac-toe: all 958 boards at the end of a game."""
    table = tic_tac_toe().in_words()
    return table.columns, table.y


def arrests() -> tuple[Any, Any]:
    """Compas, its bits as words."""
    table = compas()
    columns = {name: np.where(column == 1, "yes", "no") for name, column in table.columns.items()}
    return columns, np.where(table.y == 1, "arrested again", "not arrested")


def wines() -> tuple[Any, Any]:
    """Wine: thirteen numbers about 178 wines."""
    from sklearn.datasets import load_wine

    wine = load_wine()
    X = {name.replace("_", " "): column for name, column in zip(wine.feature_names, wine.data.T, strict=True)}
    return X, [f"cultivar {k + 1}" for k in wine.target]


EXHIBITS = (
    Exhibit(
        "monk-1",
        "MONK-1",
        "A robot is a monk if its head and its body have the same shape, or if its jacket is red. Neither shape says "
        "anything by itself: only a search that looks two splits ahead finds that they matter.",
        0.01,
        robots,
    ),
    Exhibit("tic-tac-toe", "Tic-tac-toe", "Boards at the end of a game: did x, who began, win?", 0.005, end_games),
    Exhibit("compas", "Compas", "Was a person arrested again within two years?", 0.0025, arrests),
    Exhibit("wine", "Wine: numbers", "Which of three cultivars a wine was made from, by its chemistry.", 0.01, wines),
)


def shown(exhibit: Exhibit) -> str:
    """Learn an exhibit, write its picture, and give its part of the page."""
    X, y = exhibit.table()
    model = TSDTClassifier(split_cost=exhibit.split_cost, random_state=0).fit(X, y)
    tree = model.tree_
    path = HERE / "pictures" / f"{exhibit.name}.svg"
    path.write_text(tree.to_svg(), encoding="utf-8")
    facts = f"{tree.n_splits} splits, {tree.n_leaves} leaves, {tree.accuracy:.1%} right at a split cost of "
    facts += f"{exhibit.split_cost:g}: {model.certificate_}."
    print(f"{exhibit.heading}: {facts}")
    return f"## {exhibit.heading}\n\n{exhibit.about}\n\n![{exhibit.heading}](pictures/{path.name})\n\n{facts}\n"


def chosen() -> str:
    """The frontier of compas, its picture, and its part of the page."""
    found = frontier(*arrests())
    path = HERE / "pictures" / "compas-frontier.svg"
    path.write_text(found.to_svg(split_cost=0.0025), encoding="utf-8")
    print(found)
    return f"{FRONTIER}\n![Accuracy against leaves](pictures/{path.name})\n\n```\n{found}\n```\n"


def main() -> None:
    """Make the whole gallery, or say what is missing for it."""
    (HERE / "pictures").mkdir(exist_ok=True)
    try:
        parts = [*(shown(exhibit) for exhibit in EXHIBITS), chosen()]
    except DataNotFoundError as error:
        raise SystemExit(f"The gallery is left as it was from here on: {error}.") from None
    (HERE / "gallery.md").write_text("\n".join([INTRODUCTION, *parts]), encoding="utf-8")


if __name__ == "__main__":
    main()
