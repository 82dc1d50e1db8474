"""Pictures and tables of what goes beyond the paper: policies, both searches, windows and drift."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.beyond.run import CELLS, CONCEPTS, EVERY, EXPERIMENT, NOISE, POLICIES, RUNNING, WINDOWS
from experiments.charts import PALETTE, label, legend_below, panels, save
from experiments.experiment import Plot, plot_command
from experiments.pages import markdown
from experiments.results import Row

LEARNERS = [f"{search}, {policy}" for search, policies in POLICIES.items() for policy in policies]
POLICY_COLOURS = dict(zip(POLICIES["branches"], PALETTE, strict=False))
STYLES = {"branches": "-", "trees": "--"}
FORGETTING = [*(f"window {window}" for window in WINDOWS), RUNNING, "River HAT"]
SMOOTH = 4
"""Steps that one point of the drift averages over."""


def runs(rows: Sequence[Row], what: str, learner: str) -> list[list[Row]]:
    """The runs of a learner, each in the order of its samples."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        if (row["what"], row["learner"]) == (what, learner):
            found.setdefault(row["seed"], []).append(row)
    return list(found.values())


def course(found: list[list[Row]], column: str) -> list[float]:
    """The median of a column over the runs, moment by moment."""
    return [statistics.median(row[column] for row in moment) for moment in zip(*found, strict=True)]


def best(rows: Sequence[Row], table: str) -> float:
    """The best value that any run has found on a table."""
    return max(row["value"] for row in rows if row["what"] == table)


def draw(rows: Sequence[Row], folder: Path) -> None:
    """One picture of the searches and one of the drift."""
    draw_searches(rows, folder / "policies.svg")
    draw_drift(rows, folder / "drift.svg")


def draw_searches(rows: Sequence[Row], path: Path) -> None:
    """A column for each table: value against samples and against seconds, and the gap against seconds."""
    tables = [table for table in CELLS if any(row["what"] == table for row in rows)]
    figure, axes = panels(3, len(tables), (2.9, 2.3))
    for column, table in enumerate(tables):
        top = best(rows, table)
        for learner in LEARNERS:
            found, (search, policy) = runs(rows, table, learner), learner.split(", ")
            if not found:
                continue
            look: dict[str, Any] = {"color": POLICY_COLOURS[policy], "linestyle": STYLES[search], "linewidth": 1.2}
            seen, seconds = course(found, "seen"), course(found, "seconds")
            missing = [max(top - value, 0.0) for value in course(found, "value")]
            axes[0][column].plot(seen, missing, label=learner, **look)
            axes[1][column].plot(seconds, missing, **look)
            if search == "branches":
                axes[2][column].plot(seconds, course(found, "gap"), **look)
        for row, (across, up) in enumerate(
            (("samples", "value missing"), ("CPU seconds", "value missing"), ("CPU seconds", "gap"))
        ):
            axes[row][column].set_xscale("log")
            label(
                axes[row][column], f"{table}, {CELLS[table]:g}" if row == 0 else "", across, up if column == 0 else ""
            )
    legend_below(figure, axes, 4)
    save(figure, path)


def draw_drift(rows: Sequence[Row], path: Path) -> None:
    """Accuracy before learning over the stream: windows of the search over branches, and the others beside one."""
    figure, axes = panels(1, 2, (5.2, 3.0))
    sides = ([name for name in FORGETTING if name.startswith("window")], ["window 2000", RUNNING, "River HAT"])
    for panel, names, title in zip(axes[0], sides, ("Windows", "Beside others"), strict=True):
        for name, colour in zip(names, PALETTE, strict=False):
            found = runs(rows, "drift", name)
            if not found:
                continue
            accuracy = course(found, "accuracy")
            points = [statistics.mean(accuracy[i : i + SMOOTH]) for i in range(0, len(accuracy), SMOOTH)]
            seen = course(found, "seen")[SMOOTH - 1 :: SMOOTH]
            panel.plot(seen, points[: len(seen)], color=colour, linewidth=1.3, label=words(name))
        panel.axhline(1 - NOISE, color="#333333", linewidth=0.8, linestyle=":")
        for change in range(EVERY, EVERY * CONCEPTS, EVERY):
            panel.axvline(change, color="#bbbbbb", linewidth=0.8)
        panel.set_ylim(0.25, 1.0)
        if panel.get_legend_handles_labels()[0]:
            panel.legend(fontsize=7, loc="lower left", ncols=2)
        label(panel, title, "samples", "accuracy before learning")
    save(figure, path)


def words(name: str) -> str:
    """A learner of the drift as the pictures call it."""
    named = {"window 0": "no window: all samples count", RUNNING: "search over trees"}
    return named.get(name, name)


def tables(rows: Sequence[Row]) -> Mapping[str, str]:
    """Who is how far at the end, and how soon; and what is left of the accuracy when the concept changes."""
    return {"beyond-policies": policy_table(rows), "beyond-drift": drift_table(rows)}


def policy_table(rows: Sequence[Row]) -> str:
    """For each learner and table: what is missing of the best value at the end, and the samples until nothing is."""
    lines = []
    present = [table for table in CELLS if any(row["what"] == table for row in rows)]
    for learner in LEARNERS:
        cells = []
        for table in present:
            found, top = runs(rows, table, learner), best(rows, table)
            if not found:
                cells.append("-")
                continue
            missing = statistics.median(top - run[-1]["value"] for run in found)
            reached = [next((row["seen"] for row in run if row["value"] >= top - 1e-6), None) for run in found]
            soon = sorted(moment for moment in reached if moment is not None)
            cells.append(
                f"{missing:.4f}; {len(soon)} of {len(found)}" + (f", {soon[len(soon) // 2]:,}" if soon else "")
            )
        lines.append([learner, *cells])
    return markdown(["search, policy", *(f"{table}, {CELLS[table]:g}" for table in present)], lines)


def drift_table(rows: Sequence[Row]) -> str:
    """The accuracy over the first and the last part of the later concepts, and over the whole stream."""
    lines = []
    for name in FORGETTING:
        found = runs(rows, "drift", name)
        if not found:
            continue
        seen, accuracy = course(found, "seen"), course(found, "accuracy")
        parts: dict[str, list[float]] = {"first": [], "last": [], "all": []}
        for moment, right in zip(seen, accuracy, strict=True):
            place = (moment - 1) % EVERY
            parts["all"].append(right)
            if moment > EVERY and (place < 2_000 or place >= 8_000):
                parts["first" if place < 2_000 else "last"].append(right)
        lines.append([words(name), *(f"{statistics.mean(part):.1%}" if part else "-" for part in parts.values())])
    return markdown(["learner", "first 2,000 of a new concept", "last 2,000", "whole stream"], lines)


PLOT = Plot(EXPERIMENT, draw, tables)

if __name__ == "__main__":
    plot_command(PLOT, __doc__)
