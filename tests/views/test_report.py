"""The report as text: whole, self-contained, honest about what it does not know, and safe with any words."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from view_trees import random_tree

from tsdt import TSDTClassifier
from tsdt.certificate import Certificate
from tsdt.datasets import monk
from tsdt.engine import choose_engine
from tsdt.tree import DecisionTree, Node
from tsdt.views.report import page
from tsdt.views.report.certificate_words import certificate_words, verdict
from tsdt.views.report.content import confusion_of
from tsdt.views.report.example import report_content

SECTIONS = ["tree", "rules", "certificate", "learning", "frontier", "confusion", "importance", "schema"]
VOID = {"meta", "link", "br", "img", "input"}
branches = pytest.mark.skipif(not hasattr(choose_engine(), "BranchSearch"), reason="no search over branches")


class Outline(HTMLParser):
    """Checks that elements are closed in order, and notes what is there."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.ids, self.sources = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        self.sources += [value for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def checked(content) -> str:
    text = page(content)
    outline = Outline(text)
    assert [name for name in outline.ids if name in SECTIONS] == SECTIONS
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.sources == ["data:,"]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    return text


def chart_of(text: str, name: str) -> str:
    return re.search(rf'<section id="{name}".*?<figure>(.*?)</section>', text, re.DOTALL)[1]


def about(tree, **changes):
    shares = [(str(attribute.name), 0.5) for attribute in tree.attributes]
    return replace(report_content(), tree=tree, importances=shares, confusion=confusion_of(tree), **changes)


@branches
def test_a_learned_model(tmp_path):
    table = monk(1).in_words()
    model = TSDTClassifier(split_cost=0.01, random_state=0).fit(table.columns, table.y)
    path = tmp_path / "report.html"
    model.report(path, table.columns, table.y, title="Monks & robots")
    text = path.read_text(encoding="utf-8")
    Outline(text)
    assert "<title>Monks &amp; robots</title>" in text
    assert "Proven optimal" in text and "No optimal tree is missing" in text and "432 rows given" in text
    assert text.count("<li>If ") == 27
    model.report(path)
    held = path.read_text(encoding="utf-8")
    assert "samples that the tree was made from" in held
    assert chart_of(held, "frontier") == chart_of(text, "frontier")
    with pytest.raises(ValueError, match="X and y together"):
        model.report(path, table.columns)


def test_a_stream_of_the_search_over_trees(tmp_path):
    X = np.random.default_rng(0).integers(0, 2, (400, 3))
    model = TSDTClassifier(search="trees", batch_size=50, random_state=0).learn_many(X, X[:, 0] != X[:, 1])
    model.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "It proves no bound" in text and "report(path, X, y)" in text


@pytest.mark.parametrize(
    "tree",
    [
        DecisionTree((), ("yes",), (Node((3,)),)),
        DecisionTree((), (), (Node(()),)),
        random_tree(60, classes=[f"class {i}" for i in range(40)]),
        random_tree(8, names=("<script>alert(1)</script>", "\"quoted\" & 'so'"), classes=("</style>", "\x00\ud800")),
    ],
    ids=["one class", "no class", "many classes", "hostile"],
)
def test_any_tree(tree):
    text = checked(about(tree))
    assert "<script>alert" not in text and text.count("</style>") == text.count("<style>")
    text.encode("utf-8")


def test_the_certificate_is_honest():
    content = report_content()
    open_end = replace(content, certificate=Certificate(0.8, 0.85, False))
    assert verdict(open_end) == "Within 5.00 points of the optimum"
    assert "no tree has a value above 0.8500" in certificate_words(open_end)[1]
    unbounded = replace(open_end, bounded=False)
    assert verdict(unbounded) == "Best tree found" and "no bound" in certificate_words(unbounded)[1]
    assert "a proof" in certificate_words(content)[1]


def test_classes_that_were_never_learned_are_counted(tmp_path):
    X = {"a": ["x", "y"] * 30}
    model = TSDTClassifier(search="trees", batch_size=10, random_state=0).fit(X, [0, 1] * 30)
    from tsdt.reporting import _confusion_on

    assert _confusion_on(model, {"a": ["x", "y"]}, [0, 7]).counts.sum() == 2
