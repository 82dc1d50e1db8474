"""The picture of a tree as plain geometry, from left to right. `svg` and `plot` draw it; no colour is chosen here.

Every node is a card: its name, how many samples reach it and, below, their class mix as a bar. Ribbons as wide as
their traffic join the cards. A level is a column as wide as its widest card; the tidy layout says where in the column
a card goes.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from tsdt.views import words
from tsdt.views.layout import tidy

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree, Node

NAME, NOTE = 12.0, 10.0  # sizes of text
CARD, GAP, BAR, ROW = 24.0, 2.0, 5.0, 41.0  # heights of a card, of the mix below it, and from card to card
PAD, SPACE, CURVE, MARGIN = 9.0, 12.0, 52.0, 16.0
WIDEST_TEXT, LEAST_WIDTH = 170.0, 360.0
FULL_TRAFFIC, LEAST_TRAFFIC = 22.0, 1.5  # width of a ribbon that carries every sample, and of one that carries few

# Widths of characters in tenths of the size, as DejaVu Sans has them: the widest of the usual fonts, so text fits.
_WIDTHS = {c: w for w, cs in {3: " ',./:;IJ\\ijl|", 4: "!()-[]frt", 5: '"*?_`csz', 7: "ABCKNRUVXZ",
                              8: "#&+<=>DGHOQ^w~≤", 9: "M", 10: "%@Wm…"}.items() for c in cs}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """A node: left edge, middle, width, texts, the class it answers (-1 for a split) and its mix (class, from, to)."""

    x: float
    y: float
    width: float
    name: str
    note: str
    title: str
    answer: int
    mix: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Ribbon:
    """An edge: a curve from (x0, y0) to (x1, y1), then straight to x2 with the label on it."""

    x0: float
    y0: float
    x1: float
    y1: float
    x2: float
    width: float
    label: str
    title: str


@dataclass(frozen=True, slots=True)
class Key:
    """A class in the legend."""

    x: float
    y: float
    answer: int
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is drawn."""

    width: float
    height: float
    heading: str
    keys: tuple[Key, ...]
    ribbons: tuple[Ribbon, ...]
    cards: tuple[Card, ...]


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is, rather too wide than too narrow.

    >>> text_width("mill", 10)
    19.0
    """
    tenths = sum(_WIDTHS.get(c, 6) if c.isascii() or c in "≤…" else _tenths(c) for c in text)
    return tenths * size / 10 * (1.12 if bold else 1.0)


def _tenths(c: str) -> float:
    wide = unicodedata.east_asian_width(c)
    return 0 if unicodedata.combining(c) else 13 if c >= "\U0001f000" else 10.5 if wide in "WF" else 7.5


def fit(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text cut to a width, with an ellipsis where it was cut.

    >>> fit("number of prior convictions", 60, 10)
    'number o…'
    """
    if text_width(text, size, bold) <= room:
        return text
    while text and text_width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def scene(tree: DecisionTree) -> Scene:
    """Place the cards, ribbons and legend of a tree.

    >>> from tsdt.views.example import weather
    >>> [(card.name, card.note) for card in scene(weather()).cards[:3]]
    [('outlook', '14'), ('humidity', '5'), ('yes', 'all 2')]
    """
    depths = [depth for _, depth in tree.walk()]
    labels = _labels(tree)
    names = [_name(tree, node) for node in tree.nodes]
    notes = [words.correct(node) if node.is_leaf else f"{node.n_samples:,}" for node in tree.nodes]
    starts, widths = _columns(depths, labels, names, notes)
    width = max(LEAST_WIDTH, starts[-1] + widths[-1] + MARGIN)
    keys, top = _legend(tree, width)
    middles = [top + CARD / 2 + ROW * place for place in tidy([node.children for node in tree.nodes])]
    cards = tuple(
        Card(starts[d], y, widths[d], names[i], notes[i], _title(tree, i), _answer(tree, i), _mix(tree.nodes[i]))
        for i, (d, y) in enumerate(zip(depths, middles, strict=True))
    )
    height = max(middles) + CARD / 2 + GAP + BAR + MARGIN
    return Scene(width, height, words.summary(tree), keys, tuple(_ribbons(tree, cards, labels)), cards)


def _labels(tree: DecisionTree) -> list[str]:
    labels = [""] * len(tree.nodes)
    for node in tree.nodes:
        for position, child in enumerate(node.children):
            labels[child] = words.edge(tree, node, position)
    return labels


def _name(tree: DecisionTree, node: Node) -> str:
    text = words.answer(tree, node) if node.is_leaf else words.name(tree, node)
    return fit(text, WIDEST_TEXT, NAME, bold=True)


def _answer(tree: DecisionTree, i: int) -> int:
    return tree.nodes[i].label if tree.nodes[i].is_leaf and tree.classes else -1


def _title(tree: DecisionTree, i: int) -> str:
    node = tree.nodes[i]
    mix = (
        f"{words.value(tree.classes[k])}: {n:,} ({words.percent(n, node.n_samples)})"
        for k, n in enumerate(node.counts)
        if n
    )
    head = words.answer(tree, node) if node.is_leaf else words.name(tree, node)
    share = f"{words.count(node.n_samples, 'sample')}, {words.percent(tree.shares[i], 1)} of all"
    return "\n".join([head, share, *mix])


def _mix(node: Node) -> tuple[tuple[int, float, float], ...]:
    total = node.n_samples or 1
    ends = [0.0, *accumulate(n / total for n in node.counts)]
    return tuple((k, a, b) for k, (a, b) in enumerate(pairwise(ends)) if b > a)


def _columns(
    depths: list[int], labels: list[str], names: list[str], notes: list[str]
) -> tuple[list[float], list[float]]:
    """For each level, where its cards start and how wide they are."""
    levels = max(depths) + 1
    widths, rooms = [0.0] * levels, [0.0] * levels
    for depth, label, name, note in zip(depths, labels, names, notes, strict=True):
        card = 2 * PAD + SPACE + text_width(name, NAME, bold=True) + text_width(note, NOTE)
        widths[depth] = max(widths[depth], card)
        rooms[depth] = max(rooms[depth], min(WIDEST_TEXT, text_width(label, NAME)))
    starts = [MARGIN]
    for depth in range(1, levels):
        starts.append(starts[-1] + widths[depth - 1] + CURVE + rooms[depth] + 2 * PAD)
    return starts, widths


def _legend(tree: DecisionTree, width: float) -> tuple[tuple[Key, ...], float]:
    """The classes under the heading, in lines as wide as the picture, and where the tree starts below them."""
    x, y, keys = MARGIN, MARGIN + 30.0, []
    for k, label in enumerate(tree.classes):
        text = fit(words.value(label), WIDEST_TEXT, NAME)
        room = 16.0 + text_width(text, NAME) + 14.0
        if x > MARGIN and x + room > width - MARGIN:
            x, y = MARGIN, y + 18.0
        keys.append(Key(x, y, k, text))
        x += room
    return tuple(keys), y + 22.0


def _ribbons(tree: DecisionTree, cards: tuple[Card, ...], labels: list[str]) -> list[Ribbon]:
    ribbons = []
    for node, card in zip(tree.nodes, cards, strict=True):
        traffic = [FULL_TRAFFIC * float(tree.shares[child]) for child in node.children]
        start = card.y - sum(traffic) / 2
        for child, share in zip(node.children, traffic, strict=True):
            to, label = cards[child], labels[child]
            x1 = card.x + card.width + CURVE
            title = f"{label}: {words.percent(tree.shares[child], 1)} of all"
            text = fit(label, WIDEST_TEXT, NAME)
            width = max(share, LEAST_TRAFFIC)
            ribbons.append(Ribbon(card.x + card.width, start + share / 2, x1, to.y, to.x, width, text, title))
            start += share
    return ribbons
