"""The picture and the table of Weights Degeneracy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.charts import band, label, panels, save
from experiments.degeneracy.run import EXPERIMENT
from experiments.experiment import Plot, plot_command
from experiments.intervals import quartiles
from experiments.pages import markdown
from experiments.results import Row

ESTIMATORS = {"average": ("empirical average", "#d1495b"), "chain": ("chain rule", "#0b5fa5")}
NAMES = {"fast": "Fast-TSDT", "clark": "TSDT"}


def course(rows: Sequence[Row], backup: str, column: str) -> tuple[list[int], list[Any]]:
    """The quartiles of a column over the runs, at each moment at which all runs have it."""
    found: dict[int, list[float]] = {}
    for row in rows:
        if row["backup"] == backup and row.get(column) is not None:
            found.setdefault(row["iteration"], []).append(row[column])
    most = max(map(len, found.values()))
    moments = sorted(moment for moment, values in found.items() if len(values) == most)
    return moments, [quartiles(found[moment]) for moment in moments]


def draw(rows: Sequence[Row], folder: Path) -> None:
    """The estimates of the tree of the paper's figure, and the mean error over all trees that were tried."""
    figure, axes = panels(1, 3, (3.5, 2.9))
    for panel, backup in zip(axes[0], NAMES, strict=False):
        for name, (words, colour) in ESTIMATORS.items():
            for leaf, style, where in (("a", "-", "p(a)"), ("c", "--", "p(c), p(d)")):
                band(panel, *course(rows, backup, f"{name}_{leaf}"), colour, f"{where}, {words}", style)
        panel.axhline(0.5, color="#333333", linewidth=0.8, linestyle=":")
        panel.axhline(0.25, color="#333333", linewidth=0.8, linestyle=":", label="the truth")
        panel.set_xscale("log")
        panel.set_ylim(0.1, 1.0)
        label(panel, f"{NAMES[backup]}: the paper's tree", "iterations", "estimated probability")
    axes[0][0].legend(fontsize=7, loc="upper right", ncols=1)
    panel = axes[0][2]
    for backup, style in (("fast", "-"), ("clark", "--")):
        for name, (words, colour) in ESTIMATORS.items():
            band(panel, *course(rows, backup, f"{name}_error"), colour, f"{words}, {NAMES[backup]}", style)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.legend(fontsize=7)
    label(panel, "All trees that were tried", "iterations", "mean greatest error of p(l)")
    save(figure, folder / "degeneracy.svg")


def tables(rows: Sequence[Row]) -> Mapping[str, str]:
    """Both estimators at the beginning, in the middle and at the end."""
    lines = []
    for backup, title in NAMES.items():
        moments, _ = course(rows, backup, "chain_a")
        for moment in (moments[0], moments[len(moments) // 2], moments[-1]):
            cells: list[Any] = [title, f"{moment:,}"]
            for column in ("average_a", "chain_a", "average_error", "chain_error"):
                at, triples = course(rows, backup, column)
                cells.append(f"{triples[at.index(moment)].median:.3f}")
            lines.append(cells)
    head = ["search", "iterations", "p(a) = 0.5, average", "chain rule", "error over all trees, average", "chain rule"]
    return {"degeneracy": markdown(head, lines)}


PLOT = Plot(EXPERIMENT, draw, tables)

if __name__ == "__main__":
    plot_command(PLOT, __doc__)
