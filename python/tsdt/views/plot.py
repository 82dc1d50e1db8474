"""The picture of a tree drawn with matplotlib, on axes given or made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tsdt.views.palette import colours, ink
from tsdt.views.scene import BAR, CARD, GAP, MARGIN, NAME, NOTE, PAD, Card, Key, Ribbon, scene
from tsdt.views.svg import GROUNDS, Theme

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree


def plot(tree: DecisionTree, ax: Any = None, theme: Theme = "light") -> Any:
    """Draw the tree; see `DecisionTree.plot`.

    >>> from matplotlib.figure import Figure
    >>> from tsdt.views.example import weather
    >>> [text.get_text() for text in plot(weather(), Figure().subplots()).texts[:3]]
    ['14 samples · 2 splits · 4 leaves · 85.7% right', 'no', 'yes']
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("tree.plot() needs matplotlib: pip install 'tsdt[plot]'") from error
    if theme not in GROUNDS:
        raise ValueError(f"theme is {theme!r}; a figure does not follow the reader's setting: take 'light' or 'dark'")
    picture = scene(tree)
    if ax is None:
        figure = plt.figure(figsize=(picture.width / 72, picture.height / 72))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set(xlim=(0, picture.width), ylim=(picture.height, 0), xticks=[], yticks=[])
    ax.set_aspect("equal")
    pen = _Pen(ax, min(_points(ax) / (picture.width, picture.height)), theme, len(tree.classes))
    ax.set_facecolor(pen.ground)
    ax.spines[:].set_visible(False)
    pen.write(MARGIN, MARGIN + 12, picture.heading, NAME + 1, pen.text, weight="bold")
    for key in picture.keys:
        pen.key(key)
    for ribbon in picture.ribbons:
        pen.ribbon(ribbon)
    for card in picture.cards:
        pen.card(card)
    return ax


def _points(ax: Any) -> Any:
    """The size of the axes in points."""
    return ax.get_window_extent().size * 72 / ax.figure.dpi


class _Pen:
    """Draws the parts of a scene on axes whose unit is `scale` points."""

    def __init__(self, ax: Any, scale: float, theme: Theme, n_classes: int) -> None:
        self.ax, self.scale, self.colours = ax, scale, colours(n_classes)
        self.ground, self.text, self.quiet, self.face, self.border, self.band = GROUNDS[theme]

    def write(self, x: float, y: float, text: str, size: float, colour: str, **style: Any) -> Any:
        style = {"ha": "left", "va": "baseline", "parse_math": False, "clip_on": True, **style}
        return self.ax.text(x, y, text, fontsize=size * self.scale, color=colour, zorder=4, **style)

    def box(self, x: float, y: float, width: float, height: float, face: str, corner: float = 0, **style: Any) -> None:
        from matplotlib.patches import FancyBboxPatch

        shape = f"round,pad=0,rounding_size={corner}" if corner else "square,pad=0"
        style = {"linewidth": 0, "zorder": 3, **style}
        self.ax.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=shape, facecolor=face, **style))

    def key(self, key: Key) -> None:
        self.box(key.x, key.y - 9, 10, 10, self.colours[key.answer], 2)
        self.write(key.x + 16, key.y, key.text, NAME, self.text)

    def ribbon(self, ribbon: Ribbon) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path
        from matplotlib.patheffects import withStroke

        bend = (ribbon.x0 + ribbon.x1) / 2
        points = [(ribbon.x0, ribbon.y0), (bend, ribbon.y0), (bend, ribbon.y1), (ribbon.x1, ribbon.y1)]
        path = Path([*points, (ribbon.x2, ribbon.y1)], [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO])
        width = ribbon.width * self.scale
        self.ax.add_patch(
            PathPatch(path, facecolor="none", edgecolor=self.band, linewidth=width, capstyle="butt", zorder=2)
        )
        label = self.write(ribbon.x2 - PAD, ribbon.y1 + 4, ribbon.label, NAME, self.text, ha="right")
        if ribbon.width <= NAME:  # a wide ribbon is ground enough
            label.set_path_effects([withStroke(linewidth=6 * self.scale, foreground=self.ground)])

    def card(self, card: Card) -> None:
        leaf = card.answer >= 0
        face = self.colours[card.answer] if leaf else self.face
        name, note = (ink(face),) * 2 if leaf else (self.text, self.quiet)
        line = 0.0 if leaf else self.scale
        self.box(card.x, card.y - CARD / 2, card.width, CARD, face, 5, edgecolor=self.border, linewidth=line)
        self.write(card.x + PAD, card.y + 4, card.name, NAME, name, weight="bold")
        self.write(card.x + card.width - PAD, card.y + 4, card.note, NOTE, note, ha="right")
        for k, start, end in card.mix:
            x, width = card.x + start * card.width, (end - start) * card.width
            self.box(x, card.y + CARD / 2 + GAP, width, BAR, self.colours[k])
