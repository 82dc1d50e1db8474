"""How names, values and numbers are worded for people. What programs read is quoted by the view that writes it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from tsdt.schema import OTHER, is_missing

if TYPE_CHECKING:
    from tsdt.schema import Attribute
    from tsdt.tree import DecisionTree, Node

_JOINERS = "\u200c\u200d"  # they shape letters and emoji: the only invisible characters that stay as they are


def printable(text: str) -> str:
    r"""The text on one line: characters that break lines, hide or cannot be written stand as escapes.

    >>> print(printable("two\nlines"))
    two\nlines
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else c.encode("unicode_escape").decode() for c in text)


def number(x: float) -> str:
    """A number with the seven digits that people read.

    >>> number(37.5), number(0.1 + 0.2), number(1234567.0)
    ('37.5', '0.3', '1234567')
    """
    text = f"{x:.7g}"
    return f"{x:.0f}" if "e" in text and 1 <= abs(x) < 1e15 else text


def value(x: Any) -> str:
    """A value of an attribute or a class. Text that would be invisible or read as missing is quoted.

    >>> value("red"), value(2.50), value(None), value(OTHER), value("")
    ('red', '2.5', 'missing', 'any other', '""')
    """
    if isinstance(x, str):
        text = printable(x)
        return text if x == x.strip() and x not in ("", "missing") else f'"{text}"'
    if is_missing(x):
        return "missing"
    if x is OTHER:
        return "any other"
    return number(x) if isinstance(x, float) else printable(str(x))


def name(tree: DecisionTree, node: Node) -> str:
    """The name of the attribute that a node splits on."""
    return value(tree.attributes[node.attribute].name)


def answer(tree: DecisionTree, node: Node) -> str:
    """The class that a node answers with."""
    return answer_text(tree.answer(node))


def answer_text(label: Any) -> str:
    """A class as an answer; None stands for none, before any class was seen.

    >>> answer_text("red"), answer_text(None)
    ('red', 'nothing yet')
    """
    return "nothing yet" if label is None else value(label)


def edge(tree: DecisionTree, node: Node, position: int) -> str:
    """What leads from a split to its child at this position.

    >>> from tsdt.views.example import weather
    >>> tree = weather()
    >>> edge(tree, tree.nodes[0], 0), edge(tree, tree.nodes[1], 1)
    ('sunny', '> 77.5 or missing')
    """
    attribute = tree.attributes[node.attribute]
    if node.threshold is None:
        code = node.codes[position]
        return bin_of(attribute, code) if attribute.is_numeric and code else value(attribute.categories[code])
    sign = "≤" if position == 0 else ">"
    return f"{sign} {number(node.threshold)}" + (" or missing" if node.missing == position else "")


def bin_of(attribute: Attribute, code: int) -> str:
    """A bin of a numeric attribute.

    >>> from tsdt.schema import Attribute
    >>> [bin_of(Attribute("age", "numeric", edges=(18.0, 65.0)), code) for code in (1, 2, 3)]
    ['≤ 18', '18 to 65', '> 65']
    """
    edges = [number(edge) for edge in attribute.edges]
    if not edges:
        return "any number"
    if code == 1:
        return f"≤ {edges[0]}"
    return f"> {edges[-1]}" if code > len(edges) else f"{edges[code - 2]} to {edges[code - 1]}"


def percent(part: float, whole: float) -> str:
    """A share in percent, never rounded up to all or down to nothing.

    >>> percent(1, 3), percent(3, 3), percent(9999, 10000), percent(1, 100000)
    ('33.3%', '100%', '99.9%', '<0.1%')
    """
    share = round(100 * part / whole, 9) if whole else 0.0  # a sum of shares may miss the whole by a hair
    if share in (0, 100):
        return f"{share:.0f}%"
    return "<0.1%" if share < 0.1 else f"{min(share, 99.9):.1f}%"


def count(n: int, noun: str) -> str:
    """A number of things.

    >>> count(1, "leaf"), count(1200, "sample")
    ('1 leaf', '1,200 samples')
    """
    plural = "leaves" if noun == "leaf" else noun + "s"
    return f"{n:,} {noun if n == 1 else plural}"


def part(n: int, whole: int) -> str:
    """Some of a number of things.

    >>> part(3, 5), part(4, 4)
    ('3 of 5', 'all 4')
    """
    return f"all {n:,}" if n == whole else f"{n:,} of {whole:,}"


def correct(node: Node) -> str:
    """How many of a node's samples are of its majority class."""
    return part(max(node.counts, default=0), node.n_samples)


def summary(tree: DecisionTree) -> str:
    """One line about the whole tree.

    >>> from tsdt.views.example import weather
    >>> summary(weather())
    '14 samples · 2 splits · 4 leaves · 85.7% right'
    """
    sizes = [count(tree.n_samples, "sample"), count(tree.n_splits, "split"), count(tree.n_leaves, "leaf")]
    return " · ".join([*sizes, f"{percent(tree.accuracy, 1)} right"])


def cells(text: str) -> int:
    """How many cells of a terminal the text takes: two for wide characters, none for combining marks.

    >>> cells("naïve"), cells("木")
    (5, 2)
    """
    if text.isascii():
        return len(text)
    return sum(_cells(c) for c in text)


def _cells(c: str) -> int:
    if unicodedata.combining(c) or c in _JOINERS or unicodedata.category(c) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def shorten(text: str, room: int) -> str:
    """The text in at most `room` cells, with an ellipsis where it was cut.

    >>> shorten("number of prior convictions", 12)
    'number of p…'
    """
    if cells(text) <= room:
        return text
    taken, kept = 1, []
    for c in text:
        taken += _cells(c)
        if taken > room:
            break
        kept.append(c)
    return "".join(kept).rstrip() + "…" if room > 0 else ""
