"""The picture and the table of Theorem 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.charts import COLOURS, band, label, legend_below, panels, save
from experiments.experiment import Plot, plot_command
from experiments.intervals import quartiles
from experiments.pages import markdown
from experiments.results import Row
from experiments.theorem1.run import EXPERIMENT

NAMES = {"fast": "Fast-TSDT", "clark": "TSDT"}
PANELS = (
    ("root_mean", "Mean of the root", "posterior mean"),
    ("worst_error", "Worst mean of all states", "greatest error"),
    ("root_deviation", "Deviation of the root", "standard deviation"),
    ("worst_deviation", "Largest deviation of all states", "standard deviation"),
    ("root_optimal", "Policy at the root", "share of the optimal action"),
    ("least_optimal", "Worst policy of all states", "share of optimal actions"),
)


def course(rows: Sequence[Row], backup: str, column: str) -> tuple[list[int], list[Any]]:
    """The quartiles of a column over the runs, at each moment at which there are any."""
    found: dict[int, list[float]] = {}
    for row in rows:
        if row["backup"] == backup and row[column] is not None:
            found.setdefault(row["iteration"], []).append(row[column])
    moments = sorted(found)
    return moments, [quartiles(found[moment]) for moment in moments]


def draw(rows: Sequence[Row], folder: Path) -> None:
    """What the theorem speaks of, at the root and at the worst of all states, over iterations."""
    figure, axes = panels(3, 2, (4.2, 2.2))
    for panel, (column, title, up) in zip(axes.ravel(), PANELS, strict=True):
        for backup, name in NAMES.items():
            band(panel, *course(rows, backup, column), COLOURS[name], name)
        panel.set_xscale("log")
        if column == "root_mean":
            panel.axhline(rows[0]["root_value"], color="#333333", linewidth=0.8, linestyle=":", label="the true value")
        if "optimal" in column:
            panel.set_ylim(0, 1.03)
        elif column != "root_mean":
            panel.set_yscale("log")
            panel.yaxis.set_minor_formatter("")
        label(panel, title, "iterations", up)
    legend_below(figure, axes, 3)
    save(figure, folder / "theorem1.svg")


def tables(rows: Sequence[Row]) -> Mapping[str, str]:
    """The first, middle and last moments, as medians over the runs."""
    lines = []
    for backup, name in NAMES.items():
        moments, _ = course(rows, backup, "worst_error")
        for moment in (moments[0], moments[len(moments) // 2], moments[-1]):
            cells: list[Any] = [name, f"{moment:,}"]
            for column, _, _ in PANELS:
                at, triples = course(rows, backup, column)
                cells.append(f"{triples[at.index(moment)].median:.4f}" if moment in at else "-")
            lines.append(cells)
    head = ["search", "iterations", "mean of the root", "worst error", "deviation of the root", "largest deviation"]
    return {"theorem1": markdown([*head, "policy at the root", "worst policy"], lines)}


PLOT = Plot(EXPERIMENT, draw, tables)

if __name__ == "__main__":
    plot_command(PLOT, __doc__)
