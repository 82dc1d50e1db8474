"""What the results of the frontier say: ours beside every peer, beside other exact optima, and beside the published."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.exact.optima import SPLIT_COSTS
from experiments.frontier.tables import TABLES, published
from experiments.intervals import standard_error
from experiments.pages import markdown
from experiments.results import Row

OURS = "branch search"
PEERS = ("STreeD", "GOSDT", "DL8.5", "CART", "Fast-TSDT", "Fast-TSDT, 1/100", "TSDT")
VERDICTS = ("better", "same", "optimal", "worse")
SAME = 1e-5
"""Two objectives are one when they differ by less: accuracies are kept to six digits."""


def objective(row: Row, cost: float) -> float:
    """The objective on the training rows."""
    return float(row["train"]) - cost * int(row["splits"])


class Cell(NamedTuple):
    """A table, a price of a split and a fold."""

    table: str
    cost: float
    fold: int


class Duel(NamedTuple):
    """Ours and the best that one peer has in a cell."""

    cell: Cell
    peer: str
    ours: float
    theirs: float


def learned(rows: Sequence[Row]) -> list[Row]:
    """The rows in which a tree was found."""
    return [row for row in rows if row.get("failed") is None]


def duels(rows: Sequence[Row]) -> Iterator[Duel]:
    """Every peer beside ours in every cell. Of DL8.5, which knows no price, the best of all depths."""
    rows = learned(rows)
    for row in rows:
        if row["learner"] != OURS:
            continue
        cell = Cell(row["table"], row["parameter"], row["fold"])
        beside = [other for other in rows if (other["table"], other["fold"]) == (cell.table, cell.fold)]
        for peer in PEERS:
            at = [r for r in beside if r["learner"] == peer and (peer == "DL8.5" or r["parameter"] == cell.cost)]
            if at:
                yield Duel(cell, peer, objective(row, cell.cost), max(objective(r, cell.cost) for r in at))


def on_the_frontier(rows: Sequence[Row]) -> str:
    """How often ours is on or above a peer, and every case in which it is not."""
    found = list(duels(rows))
    below = [duel for duel in found if duel.ours < duel.theirs - SAME]
    lines = []
    for peer in PEERS:
        mine = [duel for duel in found if duel.peer == peer]
        if mine:
            above, same = sum(d.ours > d.theirs + SAME for d in mine), sum(abs(d.ours - d.theirs) <= SAME for d in mine)
            lines.append([peer, len(mine), above, same, len(mine) - above - same])
    table = markdown(["peer", "cells", "ours above", "equal", "ours below"], lines)
    named = [
        f"- {d.cell.table} at {d.cell.cost:g}, fold {d.cell.fold}: {d.ours:.6f}, {d.peer} has {d.theirs:.6f}"
        for d in below
    ]
    return table + ("\n\nBelow:\n\n" + "\n".join(named) if named else "\n\nBelow: nowhere.")


def mean_of(rows: Sequence[Row], table: str, cost: float, learner: str, column: str) -> float | None:
    """The mean of a column over the folds; None where there is none."""
    found = [r[column] for r in learned(rows) if (r["table"], r["parameter"], r["learner"]) == (table, cost, learner)]
    return statistics.mean(found) if found else None


def objectives(rows: Sequence[Row]) -> str:
    """The mean objective of ours and of the best peer, for each table and price."""
    found, lines = list(duels(rows)), []
    for table in TABLES:
        cells = []
        for cost in SPLIT_COSTS:
            at = [duel for duel in found if duel.cell[:2] == (table, cost)]
            others = {p: statistics.mean(d.theirs for d in at if d.peer == p) for p in {d.peer for d in at}}
            if not others:
                cells.append("-")
                continue
            best = max(PEERS, key=lambda peer: others.get(peer, -1.0))
            ours = statistics.mean(duel.ours for duel in at)
            cells.append(f"{ours:.4f}, {best} {others[best]:.4f}")
        lines.append([table, *cells])
    return markdown(["ours, best peer", *(f"split cost {cost:g}" for cost in SPLIT_COSTS)], lines)


def tests(rows: Sequence[Row]) -> str:
    """The test accuracy of our optimum beside that of other optima of the same folds, proven by STreeD or GOSDT."""
    rows, lines = learned(rows), []
    for table in TABLES:
        cells = []
        for cost in SPLIT_COSTS:
            at = [row for row in rows if (row["table"], row["parameter"]) == (table, cost)]
            ours = {row["fold"]: row["test"] for row in at if row["learner"] == OURS and row["proven"]}
            exact: dict[int, list[float]] = {}
            for row in at:
                if row["learner"] in ("STreeD", "GOSDT") and row["proven"] and row["fold"] in ours:
                    exact.setdefault(row["fold"], []).append(row["test"])
            cells.append(_compared(ours, {fold: statistics.mean(found) for fold, found in exact.items()}))
        lines.append([table, *cells])
    return markdown(["ours, other optima", *(f"split cost {cost:g}" for cost in SPLIT_COSTS)], lines)


def _compared(ours: dict[int, float], theirs: dict[int, float]) -> str:
    """Means over the folds that both have proven, and the difference with its standard error where there is one."""
    if not theirs:
        return f"{statistics.mean(ours.values()):.3f}, -" if ours else "-"
    pairs = [(ours[fold], theirs[fold]) for fold in theirs]
    means = [statistics.mean(side) for side in zip(*pairs, strict=True)]
    differences = [mine - other for mine, other in pairs]
    if not any(differences):
        return f"{means[0]:.3f}, the same"
    return f"{means[0]:.3f}, {means[1]:.3f} ({means[0] - means[1]:+.3f} ± {standard_error(differences):.3f})"


class Published(NamedTuple):
    """Fast-TSDT in one cell: what the authors published, and ours in a hundredth of their time."""

    table: str
    cost: float
    theirs: float
    ours: float
    noise: float
    optimal: bool
    seconds: tuple[float, float]
    leaves: tuple[float, float]
    test: tuple[float, float]

    @property
    def verdict(self) -> str:
        """Whether ours is better, the same within a standard error of its mean over the folds, or worse.

        Optimal: it is below theirs, but the proven optimum of each fold. Theirs were other folds.
        """
        difference = self.ours - self.theirs
        if abs(difference) <= max(self.noise, SAME):
            return "same"
        return "better" if difference > 0 else "optimal" if self.optimal else "worse"


def all_optimal(rows: Sequence[Row], mine: Sequence[Row], cost: float) -> bool:
    """Whether in every fold ours has the objective that is proven to be the highest."""
    proven = {(r["table"], r["fold"]): objective(r, cost) for r in rows if r["parameter"] == cost and r.get("proven")}
    return all(objective(r, cost) >= proven.get((r["table"], r["fold"]), math.inf) - SAME for r in mine)


def beside_published(rows: Sequence[Row], learner: str) -> list[Published]:
    """Every cell. Leaves less one stand for splits, which were not published: that is so but for MONK-1 original."""
    found, rows = [], learned(rows)
    for row in published():
        key = (row["table"], row["split_cost"], learner)
        mine = [r for r in rows if (r["table"], r["parameter"], r["learner"]) == key]
        if not mine:
            continue
        leaves = statistics.mean(int(n) for n in str(row["leaves_per_fold"]).split())
        values = [r["train"] - row["split_cost"] * (r["leaves"] - 1) for r in mine]
        found.append(
            Published(
                row["table"],
                row["split_cost"],
                row["train_mean"] - row["split_cost"] * (leaves - 1),
                statistics.mean(values),
                standard_error(values),
                all_optimal(rows, mine, row["split_cost"]),
                (row["seconds_mean"], statistics.mean(r["seconds"] for r in mine)),
                (leaves, statistics.mean(r["leaves"] for r in mine)),
                (row["test_mean"], statistics.mean(r["test"] for r in mine)),
            )
        )
    return found


def published_table(rows: Sequence[Row], learner: str) -> str:
    """The published figures beside ours, cell by cell, and the count of verdicts."""
    cells = beside_published(rows, learner)
    lines = [
        [
            f"{cell.table}, {cell.cost:g}",
            *(f"{theirs:.{digits}f} / {ours:.{digits}f}" for theirs, ours, digits in _pairs(cell)),
            f"{cell.seconds[0] / cell.seconds[1]:.0f}",
            cell.verdict,
        ]
        for cell in cells
    ]
    counts = [f"{sum(cell.verdict == word for cell in cells)} {word}" for word in VERDICTS]
    head = ["published / ours", "objective", "leaves", "test accuracy", "seconds", "times faster", "objective is"]
    return f"{markdown(head, lines)}\n\nOf {len(cells)} cells: {', '.join(counts)}."


def _pairs(cell: Published) -> list[tuple[float, float, int]]:
    return [(cell.theirs, cell.ours, 4), (*cell.leaves, 1), (*cell.test, 3), (*cell.seconds, 2)]


def failures(rows: Sequence[Row]) -> str:
    """What each peer could not do: no tree, or no proof within its limit."""
    lines = []
    for learner in dict.fromkeys(row["learner"] for row in rows):
        mine = [row for row in rows if row["learner"] == learner]
        asked = [row for row in mine if row.get("proven") is not None]
        proofs = f"{sum(bool(row['proven']) for row in asked)} of {len(asked)}" if asked else "-"
        seconds = [row["seconds"] for row in learned(mine)]
        overfit = statistics.mean(row["train"] - row["test"] for row in learned(mine))
        cells = [
            len(mine),
            len(mine) - len(seconds),
            proofs,
            f"{statistics.median(seconds):.3f}",
            f"{max(seconds):.2f}",
        ]
        lines.append([learner, *cells, f"{overfit:.3f}"])
    head = ["learner", "trees", "failed", "proven", "CPU seconds, median", "most", "train less test accuracy, mean"]
    return markdown(head, lines)


def best_tests(rows: Sequence[Row], learners: Sequence[str]) -> str:
    """For each table and learner: the best median test accuracy over its prices or depths, and the leaves there."""
    rows, lines = learned(rows), []
    for table in TABLES:
        cells = []
        for learner in learners:
            mine = [row for row in rows if (row["table"], row["learner"]) == (table, learner)]
            trees = [[row for row in mine if row["parameter"] == given] for given in {row["parameter"] for row in mine}]
            medians = [tuple(statistics.median(r[name] for r in tree) for name in ("test", "leaves")) for tree in trees]
            best = max(medians, key=lambda pair: (pair[0], -pair[1]), default=None)
            cells.append(f"{best[0]:.3f} ({best[1]:g})" if best else "-")
        lines.append([table, *cells])
    return markdown(["best test accuracy (leaves)", *learners], lines)
