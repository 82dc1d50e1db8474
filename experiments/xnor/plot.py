"""Figure 4 again: how often each learner ends with the perfect tree, and its time, over the number of attributes."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.charts import COLOURS, MARKS, label, legend_below, panels, save
from experiments.experiment import Plot, plot_command
from experiments.intervals import wilson
from experiments.pages import markdown
from experiments.results import Row
from experiments.xnor.run import EXPERIMENT, OURS, QS, RIVER

LEARNERS = (*OURS, *RIVER)


def runs_of(rows: Sequence[Row], learner: str, q: int) -> list[Row]:
    """The runs of a learner on so many attributes."""
    return [row for row in rows if row["learner"] == learner and row["q"] == q]


def draw(rows: Sequence[Row], folder: Path) -> None:
    """Left the frequency with its interval, right the mean CPU seconds, as in the paper."""
    figure, axes = panels(1, 2, (4.6, 3.4))
    for place, learner in enumerate(LEARNERS):
        shift = 1.0 + 0.035 * (place - 2)  # side by side, so that intervals do not hide each other
        runs = {q: found for q in QS if (found := runs_of(rows, learner, q))}
        hits = [sum(row["perfect"] for row in found) for found in runs.values()]
        shares = [k / len(found) for k, found in zip(hits, runs.values(), strict=True)]
        ends = [wilson(k, len(found)) for k, found in zip(hits, runs.values(), strict=True)]
        errors = [[max(s - low, 0) for s, (low, _) in zip(shares, ends, strict=True)]]
        errors.append([max(high - s, 0) for s, (_, high) in zip(shares, ends, strict=True)])
        look = {"color": COLOURS[learner], "marker": MARKS[learner], "label": learner, "markersize": 5}
        axes[0][0].errorbar([q * shift for q in runs], shares, errors, elinewidth=0.8, capsize=2, **look)
        axes[0][1].plot(list(runs), [statistics.mean(r["seconds"] for r in found) for found in runs.values()], **look)
    for panel in axes[0]:
        panel.set_xscale("log")
        panel.set_xticks(QS, [str(q) for q in QS])
        panel.minorticks_off()
    axes[0][0].set_ylim(-0.03, 1.05)
    axes[0][1].set_yscale("log")
    label(axes[0][0], "Perfect convergence", "attributes q", "share of runs, with 95% intervals")
    label(axes[0][1], "Time for 40,000 samples", "attributes q", "mean CPU seconds")
    legend_below(figure, axes, 5)
    save(figure, folder / "xnor.svg")


def tables(rows: Sequence[Row]) -> Mapping[str, str]:
    """Runs that ended perfectly, with Wilson's interval, and mean CPU seconds."""
    perfect, seconds = [], []
    for learner in LEARNERS:
        runs = [runs_of(rows, learner, q) for q in QS]
        perfect.append([learner, *(_share(found) for found in runs)])
        means = [statistics.mean(row["seconds"] for row in found) if found else None for found in runs]
        seconds.append([learner, *("-" if mean is None else f"{mean:.2f}" for mean in means)])
    head = [f"q = {q}" for q in QS]
    return {
        "xnor-perfect": markdown(["perfect trees", *head], perfect),
        "xnor-seconds": markdown(["CPU seconds", *head], seconds),
    }


def _share(runs: Sequence[Row]) -> str:
    if not runs:
        return "-"
    hits = sum(row["perfect"] for row in runs)
    low, high = wilson(hits, len(runs))
    return f"{hits} of {len(runs)} ({low:.0%} to {high:.0%})"


PLOT = Plot(EXPERIMENT, draw, tables)

if __name__ == "__main__":
    plot_command(PLOT, __doc__)
