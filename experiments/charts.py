"""How all pictures look: colours by learner, quiet axes, and SVG files that are the same each time they are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams.update(
    {
        "svg.hashsalt": "tsdt",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.edgecolor": "#666666",
        "axes.grid": True,
        "grid.color": "#e4e4e4",
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "lines.linewidth": 1.6,
        "figure.facecolor": "white",
    }
)
from matplotlib import pyplot as plt  # noqa: E402  after the choice of the backend

COLOURS = {
    "branch search": "#0b5fa5",
    "Fast-TSDT": "#d1495b",
    "Fast-TSDT, 1/100": "#8d1f3a",
    "TSDT": "#edae49",
    "VFDT": "#7a7a7a",
    "EFDT": "#b0a9a0",
    "STreeD": "#2f9c6a",
    "GOSDT": "#7fb069",
    "DL8.5": "#8e6bb5",
    "CART": "#7a7a7a",
}
MARKS = {"branch search": "o", "Fast-TSDT": "s", "Fast-TSDT, 1/100": "P", "TSDT": "D", "VFDT": "v", "EFDT": "^"} | {
    "STreeD": "X",
    "GOSDT": "<",
    "DL8.5": ">",
    "CART": "v",
}
PALETTE = ("#0b5fa5", "#d1495b", "#2f9c6a", "#edae49", "#8e6bb5", "#7a7a7a")


def panels(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """A figure of so many panels, each as large as given in inches, and its axes in two dimensions."""
    return plt.subplots(rows, columns, figsize=(columns * size[0], rows * size[1]), squeeze=False, layout="constrained")


def label(axes: Any, title: str, across: str, up: str) -> None:
    """What a panel shows."""
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def legend_below(figure: Any, axes: Any, columns: int) -> None:
    """One legend for all panels, under them."""
    handles: dict[str, Any] = {}
    for panel in axes.ravel():
        handles |= {name: handle for handle, name in zip(*panel.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=columns)


def band(axes: Any, x: Sequence[float], triples: Sequence[Any], colour: str, name: str, style: str = "-") -> None:
    """A median with its quartiles as a band."""
    low, middle, high = zip(*triples, strict=True)
    axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
    axes.plot(x, middle, style, color=colour, label=name)


def save(figure: Any, path: Path) -> None:
    """Write a picture without the date, so that only new results change it."""
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)
