"""A small chart as SVG text: two axes, lines and dots. What the numbers mean is not known here."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from html import escape
from typing import Literal, NamedTuple

from tsdt.views.scene import text_width
from tsdt.views.svg import FONT, GROUNDS, Theme

WIDTH, HEIGHT = 360.0, 240.0
LEFT, RIGHT, TOP, BOTTOM = 76.0, 20.0, 16.0, 48.0
TEXT = 12.5
COLOURS = {"light": ("#0072B2", "#B25300"), "dark": ("#56B4E9", "#E69F00")}


class Axis(NamedTuple):
    """A range, where its ticks are and what they say, and what it measures."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    label: str
    log: bool = False

    def place(self, value: float) -> float:
        """Where a value is, from 0 to 1."""
        low, high, at = (math.log(v) for v in (self.low, self.high, value)) if self.log else (*self[:2], value)
        return (at - low) / (high - low)


class Curve(NamedTuple):
    """A line through points; `kind` 0 is the main one, 1 is dashed and in another colour."""

    points: Sequence[tuple[float, float]]
    kind: Literal[0, 1] = 0


class Dot(NamedTuple):
    """A point to look at, with what is said of it; hollow where it is not certain, ringed where it is meant."""

    x: float
    y: float
    title: str
    hollow: bool = False
    ringed: bool = False


def percent_axis(values: Sequence[float], label: str) -> Axis:
    """An axis for shares that has room for them.

    >>> percent_axis([0.52, 0.75], "accuracy").ticks
    ((0.5, '50%'), (0.55, '55%'), (0.6, '60%'), (0.65, '65%'), (0.7, '70%'), (0.75, '75%'))
    """
    high = max(values)
    low = min(*values, high - 0.01)
    step = next(s for s in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / s <= 5 or s == 0.5)
    first = math.floor(low / step + 1e-9)
    last = max(first + 1, math.ceil(high / step - 1e-9))
    digits = 1 if step < 0.01 else 0
    ticks = tuple((round(k * step, 9), f"{k * step:.{digits}%}") for k in range(first, last + 1))
    return Axis(ticks[0][0], ticks[-1][0], ticks, label)


def log_axis(low: float, high: float, label: str) -> Axis:
    """A logarithmic axis with round ticks.

    >>> [text for _, text in log_axis(1, 27, "leaves").ticks]
    ['1', '2', '5', '10', '20']
    """
    high = max(high, 2 * low)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 200 else (1,)
    marks = [s * 10.0**d for d in decades for s in steps]
    ticks = tuple((m, short_number(m)) for m in marks if low * (1 - 1e-9) <= m <= high * (1 + 1e-9))
    return Axis(low, high, ticks, label, log=True)


def short_number(x: float) -> str:
    """A round number in few characters.

    >>> short_number(5), short_number(2000), short_number(50_000), short_number(1e9)
    ('5', '2,000', '50k', '1,000M')
    """
    unit, scale = ("M", 1e6) if x >= 1e6 else ("k", 1e3) if x >= 1e4 else ("", 1)
    return f"{x / scale:,.15g}{unit}"


def chart(x: Axis, y: Axis, curves: Sequence[Curve], dots: Sequence[Dot], title: str, theme: Theme = "auto") -> str:
    """The chart as one self-contained SVG picture.

    >>> picture = chart(log_axis(1, 10, "leaves"), percent_axis([0, 1], "right"), [], [Dot(1, 0.5, "here")], "Growth")
    >>> picture.count("<circle")
    1
    """
    if theme not in ("auto", "light", "dark"):
        raise ValueError(f"theme is {theme!r}; it must be 'auto', 'light' or 'dark'")
    parts = [f'<rect class="ground" width="{WIDTH:g}" height="{HEIGHT:g}" rx="8"/>']
    parts += [_tick_y(y, value, text) for value, text in y.ticks]
    parts += _ticks_x(x)
    parts += [_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "quiet", x.label, "middle")]
    parts += [_text(16, (TOP + HEIGHT - BOTTOM) / 2, "quiet", y.label, "middle", turned=True)]
    parts += [_curve(x, y, curve) for curve in curves]
    parts += [_dot(x, y, dot) for dot in dots]
    body = "\n".join(parts)
    mark = f"tsdt-{zlib.crc32((theme + title + body).encode('utf-8', 'replace')):08x}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{mark}" width="{WIDTH:g}" height="{HEIGHT:g}" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" font-family="{FONT}">\n<title>{escape(title)}</title>\n'
        f"<style>\n{_style(mark, theme)}\n</style>\n{body}\n</svg>\n"
    )


def _style(mark: str, theme: Theme) -> str:
    style = "\n".join(f"#{mark} {rule}" for rule in [f"text{{font-size:{TEXT:g}px}}", *_rules(theme)])
    if theme == "auto":
        dark = "\n".join(f"#{mark} {rule}" for rule in _rules("dark"))
        style += f"\n@media (prefers-color-scheme:dark){{\n{dark}\n}}"
    return style


def _rules(theme: str) -> list[str]:
    name = "dark" if theme == "dark" else "light"
    ground, text, quiet, _, border, _ = GROUNDS[name]
    main, other = COLOURS[name]
    return [
        f".ground{{fill:{ground}}}",
        f".text{{fill:{text}}}",
        f".quiet{{fill:{quiet}}}",
        f".grid{{stroke:{border};stroke-opacity:.5}}",
        f".k0{{fill:none;stroke:{main};stroke-width:2}}",
        f".k1{{fill:none;stroke:{other};stroke-width:2;stroke-dasharray:5 3}}",
        f".dot{{fill:{main};stroke:{ground};stroke-width:1.5}}",
        f".hollow{{fill:{ground};stroke:{main};stroke-width:2}}",
        f".ring{{fill:none;stroke:{other};stroke-width:2.5}}",
    ]


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _at(x: Axis, y: Axis, point: tuple[float, float]) -> tuple[float, float]:
    across = LEFT + x.place(point[0]) * (WIDTH - LEFT - RIGHT)
    return across, HEIGHT - BOTTOM - y.place(point[1]) * (HEIGHT - TOP - BOTTOM)


def _text(x: float, y: float, kind: str, text: str, anchor: str, turned: bool = False) -> str:
    turn = f' transform="rotate(-90 {_n(x)} {_n(y)})"' if turned else ""
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"{turn}>{escape(text)}</text>'


def _tick_y(axis: Axis, value: float, text: str) -> str:
    y = HEIGHT - BOTTOM - axis.place(value) * (HEIGHT - TOP - BOTTOM)
    line = f'<path class="grid" d="M{LEFT:g} {_n(y)}H{WIDTH - RIGHT:g}"/>'
    return line + _text(LEFT - 6, y + 4, "text", text, "end")


def _ticks_x(axis: Axis) -> list[str]:
    """The ticks below: as many as have room, and no text leaves the picture."""
    ticks, right = list[str](), 0.0
    for value, text in axis.ticks:
        x, half = LEFT + axis.place(value) * (WIDTH - LEFT - RIGHT), text_width(text, TEXT) / 2
        at = min(x, WIDTH - 4 - half)
        if at - half > right + 6:
            right = at + half
            ticks.append(f'<path class="grid" d="M{_n(x)} {HEIGHT - BOTTOM:g}v5"/>')
            ticks.append(_text(at, HEIGHT - BOTTOM + 18, "text", text, "middle"))
    return ticks


def _curve(x: Axis, y: Axis, curve: Curve) -> str:
    places = ("{} {}".format(*map(_n, _at(x, y, point))) for point in curve.points)
    return f'<path class="k{curve.kind}" d="M{"L".join(places)}"/>'


def _dot(x: Axis, y: Axis, dot: Dot) -> str:
    cx, cy = map(_n, _at(x, y, (dot.x, dot.y)))
    ring = f'<circle class="ring" cx="{cx}" cy="{cy}" r="9"/>' if dot.ringed else ""
    kind = "hollow" if dot.hollow else "dot"
    return f'<g><title>{escape(dot.title)}</title>{ring}<circle class="{kind}" cx="{cx}" cy="{cy}" r="5"/></g>'
