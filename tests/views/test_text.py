"""The drawing in the terminal: its width, its colours, and what it does with awkward names."""

from __future__ import annotations

import io
import re
import sys

import pytest
from view_trees import chain, random_tree

from tsdt.schema import Attribute
from tsdt.tree import DecisionTree, Node
from tsdt.views import words
from tsdt.views.example import weather

TREES = {
    "weather": weather(),
    "one leaf": DecisionTree((), ("yes", "no"), (Node((30, 12)),)),
    "27 leaves": random_tree(27, seed=3, classes=("setosa", "versicolor", "virginica")),
    "60 leaves": random_tree(60, seed=4),
    "many classes": random_tree(30, seed=8, classes=[f"class {i}" for i in range(26)]),
    "long names": random_tree(
        9, names=("number of prior convictions " * 3, "x" * 200), categories=("wide " * 30, "b", "c")
    ),
    "unicode": random_tree(8, names=("年齢", "größe"), categories=("赤", "緑🟢", "", "مرحبا"), classes=("はい", "نعم")),
    "deep": chain(120),
}


@pytest.mark.parametrize("width", [20, 30, 41, 60, 80, 120, 200])
@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_no_line_is_wider_than_asked(tree, width):
    lines = tree.to_text(width=width, color=False).split("\n")
    assert max(map(words.cells, lines)) <= width
    assert sum("\u2500" in line or "├" in line or "└" in line for line in lines) == len(tree.nodes) - 1


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
def test_colour_changes_nothing_but_the_colour(tree):
    coloured = tree.to_text(width=90, color=True)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    plain = tree.to_text(width=90, color=False)
    assert "\x1b[" in coloured and "\x1b[" not in plain
    if len(tree.classes) <= 4:
        assert re.sub("[▓▒░]", "█", bare) == re.sub("[▓▒░]", "█", plain)


def test_every_leaf_shows_share_mix_and_purity():
    last = weather().to_text(width=80, color=False).split("\n")[-1]
    assert last.split() == ["└─", "rain", "·" * 18, "yes", "35.7%", "████▓▓▓▓▓▓", "60.0%"]


def test_columns_are_aligned():
    leaves = [line for line in TREES["27 leaves"].to_text(width=100, color=False).split("\n") if "%" in line][1:]
    assert len({re.search("[█▓▒]", line).start() for line in leaves}) == 1
    assert len({len(line) for line in leaves}) == 1


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("settings", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)],
)
def test_a_terminal_gets_colours_unless_it_asks_not_to(monkeypatch, settings, coloured):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert ("\x1b[" in str(weather())) == coloured


def test_a_file_gets_no_colours_unless_forced(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert "\x1b[" not in str(weather())
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in str(weather())


def test_the_terminal_gives_the_width(monkeypatch):
    monkeypatch.setenv("COLUMNS", "44")
    assert max(map(len, weather().to_text(color=False).split("\n"))) <= 44


def test_a_terminal_with_ascii_only_gets_ascii(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    text = weather().to_text(width=80, color=False)
    assert text.isascii()
    assert "|  +- <= 77.5" in text


def test_control_characters_cannot_break_a_line_or_steer_the_terminal():
    attribute = Attribute("two\nlines\x1b[31m", categories=("\r", "\u202e", "ok"))
    tree = DecisionTree(
        (attribute,), ("a\tb", "c"), (Node((2, 1), 0, (1, 2, 3), (0, 1, 2)), Node((1, 0)), Node((1, 0)), Node((0, 1)))
    )
    text = tree.to_text(width=80, color=False)
    assert len(text.split("\n")) == 3 + len(tree.nodes)
    assert r"two\nlines\x1b[31m" in text and r"\u202e" in text and r"a\tb" in text
    assert "\x1b" not in text and "\r" not in text


def test_a_width_of_nothing_is_refused():
    with pytest.raises(ValueError, match="width is 0"):
        weather().to_text(width=0)
