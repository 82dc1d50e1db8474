"""The picture and the table of Theorem 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.charts import PALETTE, label, legend_below, panels, save
from experiments.experiment import Plot, plot_command
from experiments.intervals import wilson
from experiments.pages import markdown
from experiments.results import Row
from experiments.theorem2.run import EXPERIMENT


def by_state(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each kind of state, over t."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["state"], []).append(row)
    return found


FORMS = {"printed": "as printed", "lemma": "as its lemma supports it"}
"""The two readings of how many visits are few."""
STYLES = {"printed": "-", "lemma": (0, (3, 2))}
"""Where the two are one, both can be seen."""


def above(row: Row, form: str) -> bool:
    """Whether even the lower end of the interval of the measured share is above the bound."""
    return wilson(row[f"few_{form}"], row["runs"])[0] > row[f"bound_{form}"]


def draw(rows: Sequence[Row], folder: Path) -> None:
    """A panel for each kind of state: the bound, and the measured share with its interval."""
    states = by_state(rows)
    figure, axes = panels(2, 3, (3.3, 2.3))
    for panel, (name, course) in zip(axes.ravel(), states.items(), strict=False):
        t = [row["t"] for row in course]
        panel.plot(t, [row["bound_printed"] for row in course], color="#333333", linestyle="--", label="bound")
        for (form, words), colour in zip(FORMS.items(), PALETTE, strict=False):
            ends = [wilson(row[f"few_{form}"], row["runs"]) for row in course]
            panel.fill_between(t, *zip(*ends, strict=True), color=colour, alpha=0.2, linewidth=0)
            panel.plot(
                t,
                [row[f"few_{form}"] / row["runs"] for row in course],
                color=colour,
                label=words,
                linestyle=STYLES[form],
            )
        panel.set_xscale("log")
        panel.set_ylim(-0.02, 1.02)
        label(panel, name, "visits t", "share with few visits")
    legend_below(figure, axes, 3)
    for panel in axes.ravel()[len(states) :]:
        panel.axis("off")
    save(figure, folder / "theorem2.svg")


def tables(rows: Sequence[Row]) -> Mapping[str, str]:
    """For each kind of state: where the bound holds, and how far below it the share is."""
    lines = []
    for name, course in by_state(rows).items():
        cells = [name, f"{course[0]['runs']:,}"]
        for form in FORMS:
            row = min(course, key=lambda row: abs(row["t"] - 1000))
            cells.append(f"{row[f'few_{form}'] / row['runs']:.3f} under {row[f'bound_{form}']:.3f}")
            cells.append(spans([above(row, form) for row in course], [row["t"] for row in course]))
        lines.append(cells)
    head = ["state", "runs"]
    for words in FORMS.values():
        head += [f"{words}: t near 1,000", "above the bound at t"]
    return {"theorem2": markdown(head, lines)}


def spans(flags: Sequence[bool], t: Sequence[int]) -> str:
    """The moments that are flagged, as from-to."""
    found: list[list[int]] = []
    for before, flag, moment in zip([False, *flags], flags, t, strict=False):
        if flag and before:
            found[-1][1:] = [moment]
        elif flag:
            found.append([moment])
    return ", ".join(" to ".join(f"{end:,}" for end in span) for span in found) or "nowhere"


PLOT = Plot(EXPERIMENT, draw, tables)

if __name__ == "__main__":
    plot_command(PLOT, __doc__)
