"""The tree in the terminal: box characters at the left, aligned columns about each leaf at the right."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tsdt.views import words
from tsdt.views.palette import colours, terminal_code

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree, Node

BAR = 10
SHADES = "█▓▒░"  # tell up to four classes apart where there is no colour
PLAIN = str.maketrans("├└│─█▓▒░…·→⋯", "+`|-#=+.~.>~")  # for a terminal that has only ASCII


@dataclass(frozen=True, slots=True)
class _Columns:
    """The width of each column in cells, 0 for one that has no room.

    `step` is the indent of one level, `levels` how many levels of box characters a line has room for.
    """

    left: int
    answer: int
    share: int
    bar: int
    purity: int
    step: int
    levels: int


def to_text(tree: DecisionTree, width: int | None = None, color: bool | None = None) -> str:
    """Draw the tree with box characters; see `DecisionTree.to_text`.

    >>> from tsdt.views.example import weather
    >>> print(to_text(weather(), width=72, color=False))
    14 samples · 2 splits · 4 leaves · 85.7% right
    █ no  ▓ yes
    <BLANKLINE>
    outlook                    answer   share              purity
    ├─ sunny → humidity
    │  ├─ ≤ 77.5 ············· yes      14.3%  ▓▓▓▓▓▓▓▓▓▓    100%
    │  └─ > 77.5 or missing    no       21.4%  ██████████    100%
    ├─ overcast ·············· yes      28.6%  ▓▓▓▓▓▓▓▓▓▓    100%
    └─ rain ·················· yes      35.7%  ████▓▓▓▓▓▓   60.0%
    """
    room = shutil.get_terminal_size().columns if width is None else width
    if room < 1:
        raise ValueError(f"width is {width!r}; it must be a positive number of characters")
    ascii_only = not _can_write("├└│─█▓▒░…·→⋯≤")
    brush = _Brush(tree, _wants_colour() if color is None else color)
    lefts = _lefts(tree, ascii_only)
    columns = _fit(tree, lefts, room)
    lines = [words.shorten(words.summary(tree), room), *_legend(tree, brush, room), ""]
    lines += [_line(tree, i, *left, columns, brush) for i, left in enumerate(lefts)]
    text = "\n".join(line.rstrip() for line in lines)
    return text.translate(PLAIN) if ascii_only else text


class _Brush:
    """Colours where they are wanted, shades where they are not."""

    def __init__(self, tree: DecisionTree, colour: bool) -> None:
        self.codes = [terminal_code(c) for c in colours(len(tree.classes))] if colour else []
        self.shaded = len(tree.classes) <= len(SHADES)

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.codes and text else text

    def answer(self, text: str, k: int) -> str:
        return self.paint(text, f"1;38;5;{self.codes[k]}") if self.codes else text

    def block(self, k: int, n: int, majority: int) -> str:
        """A piece of a bar. With many classes and no colour, only the majority stands out."""
        if self.codes:
            return self.paint("█" * n, f"38;5;{self.codes[k]}")
        return (SHADES[k] if self.shaded else "█" if k == majority else "░") * n


def _can_write(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _wants_colour() -> bool:
    """Whether the terminal shows colours and its owner wants them: see no-color.org and force-color.org."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and bool(getattr(sys.stdout, "isatty", lambda: False)())


def _lefts(tree: DecisionTree, ascii_only: bool) -> list[tuple[str, str]]:
    """For each node its guides, one character per level, and what stands behind them."""
    lefts = [("", "always" if tree.nodes[0].is_leaf else "")] * len(tree.nodes)
    for i, node in enumerate(tree.nodes):
        guides, label = lefts[i]
        if not node.is_leaf:
            name = words.name(tree, node)
            lefts[i] = guides, f"{label} → {name}" if label else name
        above = guides[:-1] + {"├": "│", "└": " "}.get(guides[-1:], "")
        for position, child in enumerate(node.children):
            label = words.edge(tree, node, position)
            label = label.replace("≤", "<=") if ascii_only else label
            lefts[child] = above + ("└" if child == node.children[-1] else "├"), label
    return lefts


def _fit(tree: DecisionTree, lefts: list[tuple[str, str]], room: int) -> _Columns:
    """Give the columns their widths; the least needed ones go first where the room is small."""
    longest = max((words.cells(words.answer(tree, tree.nodes[i])) for i in tree.leaves), default=0)
    answer = min(max(longest, len("answer")), max(4, room // 5))
    for share, bar, purity in ((6, BAR, 6), (6, 0, 6), (0, 0, 6), (0, 0, 0)):
        left = room - answer - sum(width + 2 for width in (share, bar, purity) if width) - 2
        if left >= max(12, room * 2 // 5):
            break
    for step in (3, 2, 1):
        need = max(step * len(guides) + words.cells(label) for guides, label in lefts)
        if need <= left or step * tree.depth <= left // 2:
            break
    levels = tree.depth if need <= left else max(3, left * 2 // 3 // step)
    return _Columns(max(1, min(left, need + 3)), answer, share, bar, purity, step, levels)


def _legend(tree: DecisionTree, brush: _Brush, room: int) -> list[str]:
    """The classes and their colours or shades, as far as they fit in two lines."""
    if not brush.codes and not brush.shaded:
        return []
    lines, used = [""], 0
    for k, label in enumerate(tree.classes):
        name = words.shorten(words.value(label), max(1, min(24, room - 2)))
        if used and used + words.cells(name) + 2 > room:
            if len(lines) == 2:
                break
            lines, used = [*lines, ""], 0
        lines[-1] += f"{brush.block(k, 1, k)} {name}  "
        used += words.cells(name) + 4
    return lines


def _line(tree: DecisionTree, i: int, guides: str, label: str, columns: _Columns, brush: _Brush) -> str:
    node, stem = tree.nodes[i], _stem(guides, columns)
    label = words.shorten(label, columns.left - len(stem))
    gap = columns.left - len(stem) - words.cells(label)
    left = brush.paint(stem, "2") + (label if node.is_leaf else brush.paint(label, "1"))
    if not node.is_leaf:
        return left + " " * gap + brush.paint(_titles(columns), "2") if i == 0 else left
    leader = " " + "·" * (gap - 1) if gap > 3 and label else " " * gap
    return left + brush.paint(leader, "2") + _about(tree, i, columns, brush)


def _stem(guides: str, columns: _Columns) -> str:
    """Box characters in front of a line; far down a deep tree only the last levels, after how many are left out."""
    fill = {"├": "─", "└": "─"}
    pieces = [g + fill.get(g, " ") * (columns.step - 2) + " " * (columns.step > 1) for g in guides]
    if len(pieces) <= columns.levels:
        return "".join(pieces)
    kept = columns.levels - 2
    return f"⋯{len(pieces) - kept} " + "".join(pieces[-kept:])


def _titles(columns: _Columns) -> str:
    text = f" {words.shorten('answer', columns.answer):<{columns.answer}}"
    text += f"  {'share':>{columns.share}}" if columns.share else ""
    text += " " * (columns.bar + 2) if columns.bar else ""
    return text + (f"  {'purity':>{columns.purity}}" if columns.purity else "")


def _about(tree: DecisionTree, i: int, columns: _Columns, brush: _Brush) -> str:
    """The columns of a leaf: its answer, share of the samples, class mix and purity."""
    node = tree.nodes[i]
    name = words.shorten(words.answer(tree, node), columns.answer)
    text = " " + brush.answer(name, node.label) + " " * (columns.answer - words.cells(name))
    if columns.share:
        text += f"  {words.percent(tree.shares[i], 1):>{columns.share}}"
    if columns.bar:
        text += "  " + "".join(brush.block(k, n, node.label) for k, n in enumerate(_blocks(node)) if n)
    if columns.purity:
        text += f"  {words.percent(max(node.counts, default=0), node.n_samples):>{columns.purity}}"
    return text


def _blocks(node: Node) -> list[int]:
    """The class mix in whole cells: rounded down, what is left over to the largest remainders."""
    total = node.n_samples or 1
    blocks = [n * BAR // total for n in node.counts]
    order = sorted(range(len(blocks)), key=lambda k: -(node.counts[k] * BAR % total))
    for k in order[: BAR - sum(blocks)]:
        blocks[k] += 1
    return blocks
