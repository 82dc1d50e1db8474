"""The SVG picture and the matplotlib plot: valid, nothing overlaps, no text is cut, quick to make."""

from __future__ import annotations

import re
import sys
import time
import xml.etree.ElementTree as ET

import pytest
from view_trees import chain, random_tree

from tsdt.schema import Attribute
from tsdt.tree import DecisionTree, Node
from tsdt.views.example import weather
from tsdt.views.palette import colours, ink, luminance
from tsdt.views.scene import BAR, CARD, FULL_TRAFFIC, GAP, MARGIN, NAME, NOTE, PAD, scene, text_width

TREES = {
    "one leaf": DecisionTree((), ("yes", "no"), (Node((30, 12)),)),
    "weather": weather(),
    "27 leaves": random_tree(27, seed=3, classes=("setosa", "versicolor", "virginica")),
    "60 leaves": random_tree(60, seed=4, classes=("low", "medium", "high")),
    "200 leaves": random_tree(200, seed=5, classes="ABCDEF"),
    "many classes": random_tree(30, seed=8, classes=[f"class {i}" for i in range(26)]),
    "long names": random_tree(9, names=("prior convictions " * 5, "M" * 99), categories=("W" * 60, "b", "c")),
    "unicode": random_tree(
        8, names=("年齢", '<b>&"q"\'</b>'), categories=("赤", "緑🟢", "", "\x00\ud800"), classes=("ja", "ﬁ")
    ),
    "deep": chain(60),
}
each_tree = pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
SVG = "{http://www.w3.org/2000/svg}"


@each_tree
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_the_picture_is_valid_and_says_everything(tree, theme):
    text = tree.to_svg(theme)
    root = ET.fromstring(text.encode())
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert len(titles) == 1 + len(tree.nodes) + (len(tree.nodes) - 1)
    assert len(root.findall(f".//{SVG}path")) == len(tree.nodes) - 1
    assert ("prefers-color-scheme" in text) == (theme == "auto")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


@each_tree
def test_nothing_overlaps_and_nothing_leaves_the_picture(tree):
    picture = scene(tree)
    boxes = sorted((c.x, c.y - CARD / 2, c.x + c.width, c.y + CARD / 2 + GAP + BAR) for c in picture.cards)
    boxes += [
        (r.x2 - PAD - text_width(r.label, NAME), r.y1 - NAME, r.x2 - PAD, r.y1 + 4) for r in picture.ribbons if r.label
    ]
    boxes += [(k.x, k.y - 9, k.x + 16 + text_width(k.text, NAME), k.y + 3) for k in picture.keys]
    for left, top, right, bottom in boxes:
        assert min(left, top) >= MARGIN - 0.1
        assert right <= picture.width - MARGIN + 0.1 and bottom <= picture.height - MARGIN + 0.1
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] + 0.1 or b[2] <= a[0] + 0.1 or a[3] <= b[1] + 0.1 or b[3] <= a[1] + 0.1


@each_tree
def test_texts_fit_their_cards_and_labels_their_ribbons(tree):
    picture = scene(tree)
    for card in picture.cards:
        assert text_width(card.name, NAME, bold=True) + text_width(card.note, NOTE) + 3 * PAD <= card.width + 0.1
        assert abs(sum(b - a for _, a, b in card.mix) - 1) < 1e-9
    for ribbon in picture.ribbons:
        assert ribbon.x0 < ribbon.x1 <= ribbon.x2 - PAD - text_width(ribbon.label, NAME) + 0.1


def test_ribbons_are_as_wide_as_their_traffic():
    widths = [ribbon.width / FULL_TRAFFIC for ribbon in scene(weather()).ribbons]
    assert widths == pytest.approx([5 / 14, 4 / 14, 5 / 14, 2 / 14, 3 / 14])


def test_two_hundred_leaves_take_less_than_a_tenth_of_a_second():
    tree, times = TREES["200 leaves"], []
    for _ in range(5):
        start = time.perf_counter()
        tree.to_svg()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.1


def test_styles_hold_in_their_own_picture_only():
    style = re.search("<style>(.*?)</style>", weather().to_svg(), re.S).group(1)
    mark = re.search('id="(.*?)"', weather().to_svg()).group(1)
    selectors = [line for line in style.split("\n") if "{" in line and not line.startswith("@media")]
    assert selectors and all(line.startswith(f"#{mark} ") for line in selectors)
    assert mark not in weather().to_svg("dark")


def test_a_notebook_shows_the_picture():
    assert "<svg" in weather()._repr_html_()


def test_long_names_are_whole_in_the_hover_text():
    text = TREES["long names"].to_svg()
    assert "M" * 99 not in re.sub("<title>.*?</title>", "", text, flags=re.S)
    assert "M" * 99 in text and "W" * 60 in text


def test_an_unknown_theme_is_refused():
    with pytest.raises(ValueError, match="theme is 'sepia'"):
        weather().to_svg("sepia")


@pytest.mark.parametrize("n", [1, 2, 7, 8, 26, 100])
def test_classes_have_colours_of_their_own_and_text_on_them_is_legible(n):
    chosen = colours(n)
    assert len(set(chosen)) == n
    for colour in chosen:
        one, other = sorted((luminance(colour), luminance(ink(colour))))
        assert (other + 0.05) / (one + 0.05) >= 4.5


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed (tsdt[plot])")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.mark.parametrize("name", ["one leaf", "weather", "27 leaves", "long names"])
def test_the_plot_cuts_no_text(pyplot, name):
    ax = TREES[name].plot()
    ax.figure.canvas.draw()
    extents = [text.get_window_extent() for text in ax.texts if text.get_text()]
    frame = ax.get_window_extent()
    for i, a in enumerate(extents):
        assert frame.x0 <= a.x0 and a.x1 <= frame.x1 and frame.y0 <= a.y0 and a.y1 <= frame.y1
        assert not any(a.overlaps(b) for b in extents[i + 1 :])


def test_the_plot_uses_the_axes_it_is_given(pyplot):
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3))
    assert weather().plot(axes[1]) is axes[1]
    assert not list(axes[0].texts) and len(axes[1].patches) > 10
    assert pyplot.get_fignums() == [figure.number]


def test_dollars_are_no_formula(pyplot):
    attribute = Attribute("price in $ or $_{", categories=("$1$", "$"))
    tree = DecisionTree((attribute,), ("a", "b"), (Node((1, 1), 0, (1, 2), (0, 1)), Node((1, 0)), Node((0, 1))))
    tree.plot(theme="dark").figure.canvas.draw()


def test_the_plot_says_which_themes_it_has(pyplot):
    with pytest.raises(ValueError, match="theme is 'auto'"):
        weather().plot(theme="auto")


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install 'tsdt\[plot\]'"):
        weather().plot()
