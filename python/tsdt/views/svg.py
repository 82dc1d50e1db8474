"""The picture of a tree as SVG text: no dependency, light and dark, every word escaped."""

from __future__ import annotations

import zlib
from html import escape
from typing import TYPE_CHECKING, Literal

from tsdt.views.palette import colours, ink
from tsdt.views.scene import BAR, CARD, GAP, MARGIN, NAME, NOTE, PAD, Card, Key, Ribbon, Scene, scene

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree

Theme = Literal["auto", "light", "dark"]

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'Noto Sans',sans-serif"
GROUNDS = {  # ground, text, quiet text, card, border, ribbon
    "light": ("#ffffff", "#1b1f24", "#59636e", "#f6f8fa", "#b6bfc9", "#c9d1da"),
    "dark": ("#0d1117", "#e6edf3", "#9aa4b0", "#161b22", "#4a535e", "#3a434e"),
}


def to_svg(tree: DecisionTree, theme: Theme = "auto") -> str:
    """The tree as one self-contained SVG picture; see `DecisionTree.to_svg`.

    >>> from tsdt.views.example import weather
    >>> to_svg(weather()).count("<path")
    5
    """
    if theme not in ("auto", "light", "dark"):
        raise ValueError(f"theme is {theme!r}; it must be 'auto', 'light' or 'dark'")
    picture = scene(tree)
    parts = [_box("ground", 0, 0, picture.width, picture.height, 8)]
    parts.append(_text(MARGIN, MARGIN + 12, "heading", picture.heading))
    parts.extend(map(_key, picture.keys))
    parts.extend(map(_ribbon, picture.ribbons))
    parts.extend(map(_label, picture.ribbons))
    parts.extend(map(_card, picture.cards))
    return _frame(picture, "\n".join(parts), len(tree.classes), theme)


def _frame(picture: Scene, body: str, n_classes: int, theme: Theme) -> str:
    mark = f"tsdt-{zlib.crc32((theme + body).encode('utf-8', 'replace')):08x}"
    width, height = _n(picture.width), _n(picture.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{mark}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}">\n'
        f"<title>Decision tree: {escape(picture.heading)}</title>\n"
        f"<style>\n{_style(mark, n_classes, theme)}\n</style>\n{body}\n</svg>\n"
    )


def _style(mark: str, n_classes: int, theme: Theme) -> str:
    """Rules that hold in this picture only: a notebook shows many on one page."""
    rules = [
        f".heading{{font-size:{_n(NAME + 1)}px;font-weight:600}}",
        f".name{{font-size:{_n(NAME)}px;font-weight:600}}",
        f".label{{font-size:{_n(NAME)}px;text-anchor:end}}",
        ".halo{paint-order:stroke;stroke-width:8px;stroke-linejoin:round}",
        f".key{{font-size:{_n(NAME)}px}}",
        f".note{{font-size:{_n(NOTE)}px;text-anchor:end}}",
        ".ribbon{fill:none}",
    ]
    rules += [f".c{k}{{fill:{c}}} .i{k}{{fill:{ink(c)}}}" for k, c in enumerate(colours(n_classes))]
    rules += _ground("dark" if theme == "dark" else "light")
    style = "\n".join(f"#{mark} {rule}".replace("} .", f"}} #{mark} .") for rule in rules)
    if theme == "auto":
        dark = "\n".join(f"#{mark} {rule}" for rule in _ground("dark"))
        style += f"\n@media (prefers-color-scheme:dark){{\n{dark}\n}}"
    return style


def _ground(theme: str) -> list[str]:
    ground, text, quiet, card, border, ribbon = GROUNDS[theme]
    return [
        f".ground{{fill:{ground}}}",
        f".text{{fill:{text}}}",
        f".quiet{{fill:{quiet}}}",
        f".label{{fill:{text}}}",
        f".halo{{stroke:{ground}}}",
        f".card{{fill:{card};stroke:{border}}}",
        f".ribbon{{stroke:{ribbon}}}",
    ]


def _n(x: float) -> str:
    return f"{x:.1f}".removesuffix(".0")


def _box(kind: str, x: float, y: float, width: float, height: float, corner: float = 0) -> str:
    rounded = f' rx="{_n(corner)}"' if corner else ""
    return f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"{rounded}/>'


def _text(x: float, y: float, kind: str, text: str, colour: str = "text") -> str:
    return f'<text class="{kind} {colour}" x="{_n(x)}" y="{_n(y)}">{escape(text)}</text>'


def _key(key: Key) -> str:
    return _box(f"c{key.answer}", key.x, key.y - 9, 10, 10, 2) + _text(key.x + 16, key.y, "key", key.text)


def _ribbon(ribbon: Ribbon) -> str:
    bend = (ribbon.x0 + ribbon.x1) / 2
    points = f"M{_n(ribbon.x0)} {_n(ribbon.y0)}C{_n(bend)} {_n(ribbon.y0)} {_n(bend)} {_n(ribbon.y1)} "
    points += f"{_n(ribbon.x1)} {_n(ribbon.y1)}H{_n(ribbon.x2)}"
    title = f"<title>{escape(ribbon.title)}</title>"
    return f'<path class="ribbon" d="{points}" stroke-width="{_n(ribbon.width)}">{title}</path>'


def _label(ribbon: Ribbon) -> str:
    halo = "" if ribbon.width > NAME else " halo"  # a wide ribbon is ground enough
    return f'<text class="label{halo}" x="{_n(ribbon.x2 - PAD)}" y="{_n(ribbon.y1 + 4)}">{escape(ribbon.label)}</text>'


def _card(card: Card) -> str:
    leaf = card.answer >= 0
    ink_name, ink_note = (f"i{card.answer}",) * 2 if leaf else ("text", "quiet")
    box = _box(f"c{card.answer}" if leaf else "card", card.x, card.y - CARD / 2, card.width, CARD, 5)
    texts = _text(card.x + PAD, card.y + 4, "name", card.name, ink_name)
    texts += _text(card.x + card.width - PAD, card.y + 4, "note", card.note, ink_note)
    top = card.y + CARD / 2 + GAP
    bar = "".join(_box(f"c{k}", card.x + a * card.width, top, (b - a) * card.width, BAR) for k, a, b in card.mix)
    return f"<g><title>{escape(card.title)}</title>{box}{texts}{bar}</g>"
