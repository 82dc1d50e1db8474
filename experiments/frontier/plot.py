"""Figures 5, 7 and 8 again: test accuracy, training accuracy and time against leaves, with quartiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.charts import COLOURS, MARKS, label, legend_below, panels, save
from experiments.experiment import Plot, plot_command
from experiments.frontier.claims import (
    best_tests,
    failures,
    learned,
    objectives,
    on_the_frontier,
    published_table,
    tests,
)
from experiments.frontier.learners import LEARNERS
from experiments.frontier.run import EXPERIMENT
from experiments.frontier.tables import TABLES
from experiments.intervals import Quartiles, quartiles
from experiments.results import Row

FIGURES = {"test": "test accuracy", "train": "training accuracy", "seconds": "CPU seconds"}
FRONT = ("branch search", "Fast-TSDT, 1/100")
"""Drawn above the others."""


def points(rows: Sequence[Row], table: str, learner: str, column: str) -> list[tuple[Quartiles, Quartiles]]:
    """For each price or depth: the quartiles over the folds of the leaves and of a column, small trees first."""
    found: dict[float, list[Row]] = {}
    for row in rows:
        if row["table"] == table and row["learner"] == learner:
            found.setdefault(row["parameter"], []).append(row)
    pairs = [tuple(quartiles([r[name] for r in runs]) for name in ("leaves", column)) for runs in found.values()]
    return sorted(pairs, key=lambda pair: pair[0].median)  # type: ignore[arg-type]


def whiskers(triples: Sequence[Quartiles]) -> list[list[float]]:
    """How far the quartiles are from the medians, below and above."""
    return [[q.median - q.low for q in triples], [q.high - q.median for q in triples]]


def draw_learner(panel: Any, rows: Sequence[Row], table: str, learner: str, column: str) -> None:
    """The frontier of one learner on one table."""
    found = points(rows, table, learner, column)
    if not found:
        return
    across, up = [list(side) for side in zip(*found, strict=True)]
    front = learner in FRONT
    panel.errorbar(
        [q.median for q in across],
        [q.median for q in up],
        whiskers(up),
        whiskers(across),
        color=COLOURS[learner],
        marker=MARKS[learner],
        markersize=5 if front else 4,
        linewidth=1.6 if front else 0.9,
        elinewidth=0.6,
        alpha=1.0 if front else 0.8,
        zorder=3 if front else 2,
        label=learner,
    )


def draw(rows: Sequence[Row], folder: Path) -> None:
    """Nine panels for each figure, one for each table."""
    rows = learned(rows)
    for column, words in FIGURES.items():
        figure, axes = panels(3, 3, (3.4, 2.6))
        for panel, table in zip(axes.ravel(), TABLES, strict=True):
            for learner in LEARNERS:
                draw_learner(panel, rows, table, learner, column)
            panel.set_xscale("log", base=2)
            panel.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
            if column == "seconds":
                panel.set_yscale("log")
            label(panel, table, "leaves", words)
        legend_below(figure, axes, 4)
        save(figure, folder / f"{column}.svg")


def tables(rows: Sequence[Row]) -> Mapping[str, str]:
    """What the results say, in tables."""
    return {
        "frontier-duels": on_the_frontier(rows),
        "frontier-objectives": objectives(rows),
        "frontier-tests": tests(rows),
        "frontier-published": published_table(rows, "Fast-TSDT, 1/100"),
        "frontier-paper-settings": published_table(rows, "Fast-TSDT"),
        "frontier-runs": failures(rows),
        "frontier-best": best_tests(rows, [name for name in LEARNERS if any(row["learner"] == name for row in rows)]),
    }


PLOT = Plot(EXPERIMENT, draw, tables)

if __name__ == "__main__":
    plot_command(PLOT, __doc__)
