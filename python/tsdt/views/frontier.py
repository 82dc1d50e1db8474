"""The frontier of accuracy against size: as a table in the terminal, and as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tsdt.views import words
from tsdt.views.chart import Curve, Dot, chart, log_axis, percent_axis

if TYPE_CHECKING:
    from tsdt.frontiers import Frontier, FrontierPoint
    from tsdt.views.svg import Theme

HEADER = ("splits", "leaves", "accuracy", "best at split costs", "certificate")


class FrontierViews:
    """What a frontier can be turned into."""

    def __str__(self) -> str:
        return to_text(cast("Frontier", self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.to_svg()

    def to_svg(self, theme: Theme = "auto", split_cost: float | None = None) -> str:
        """Accuracy against leaves as a self-contained SVG picture; the tree for `split_cost` gets a ring.

        >>> from tsdt import frontier
        >>> found = frontier({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> found.to_svg(split_cost=0.01)[:4]
        '<svg'
        """
        return to_svg(cast("Frontier", self), theme, split_cost)

    def plot(self, ax: Any = None) -> Any:
        """Draw accuracy against leaves with matplotlib (`tsdt[plot]`), on axes given or made; returns the axes.

        >>> from matplotlib.figure import Figure
        >>> from tsdt import frontier
        >>> found = frontier({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> found.plot(Figure().subplots()).get_xlabel()
        'leaves'
        """
        return plot(cast("Frontier", self), ax)


def prices(point: FrontierPoint) -> str:
    """The prices at which a tree is the best."""
    low, high = f"{point.lowest:.4g}", f"{point.highest:.4g}"
    return low if low == high else f"{low} to {high}"


def standing(point: FrontierPoint) -> str:
    """What is known of a tree, in a word or two."""
    return "optimal" if point.certificate.proven else f"gap {point.certificate.gap:.4f}"


def to_text(frontier: Frontier) -> str:
    """The frontier as a table, the smallest tree first."""
    rows = [HEADER]
    for point in frontier:
        sizes = f"{point.n_splits:,}", f"{point.n_leaves:,}", words.percent(point.accuracy, 1)
        rows.append((*sizes, prices(point), standing(point)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([*lines, remark(frontier)])


def remark(frontier: Frontier) -> str:
    """Whether anything can be missing."""
    if frontier.complete:
        return "No optimal tree is missing: each is proven, and so are the prices between."
    return "Not complete: there was not the time to prove everything. Trees with a gap may not be the best."


def to_svg(frontier: Frontier, theme: Theme = "auto", split_cost: float | None = None) -> str:
    """The chart of a frontier; see `Frontier.to_svg`."""
    x = log_axis(1, max(point.n_leaves for point in frontier), "leaves")
    y = percent_axis([point.accuracy for point in frontier], "accuracy")
    meant = None if split_cost is None else frontier.at(split_cost)
    dots = [
        Dot(point.n_leaves, point.accuracy, _title(point), not point.certificate.proven, point is meant)
        for point in frontier
    ]
    curve = Curve([(point.n_leaves, point.accuracy) for point in frontier])
    return chart(x, y, [curve], dots, "Accuracy against leaves", theme)


def _title(point: FrontierPoint) -> str:
    size = f"{words.count(point.n_splits, 'split')}, {words.count(point.n_leaves, 'leaf')}"
    return f"{words.percent(point.accuracy, 1)} right\n{size}\nsplit cost {prices(point)}\n{standing(point)}"


def plot(frontier: Frontier, ax: Any = None) -> Any:
    """The chart of a frontier with matplotlib; see `Frontier.plot`."""
    try:
        import matplotlib.pyplot as plt
        from matplotlib.ticker import PercentFormatter, ScalarFormatter
    except ImportError as error:
        raise ImportError("frontier.plot() needs matplotlib: pip install 'tsdt[plot]'") from error
    if ax is None:
        ax = plt.figure(figsize=(6, 4), layout="constrained").subplots()
    leaves, shares = [point.n_leaves for point in frontier], [point.accuracy for point in frontier]
    ax.plot(leaves, shares, color="#0072B2", zorder=1)
    faces = ["#0072B2" if point.certificate.proven else "white" for point in frontier]
    ax.scatter(leaves, shares, c=faces, edgecolors="#0072B2", zorder=2)
    ax.set(xscale="log", xlabel="leaves", ylabel="accuracy")
    ax.xaxis.set_major_formatter(ScalarFormatter())
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    return ax
