"""The tree as JSON and back: nothing is lost, and nothing that is wrong is taken."""

from __future__ import annotations

import copy
import datetime
import json
import pathlib
import re

import numpy as np
import pytest
from hypothesis import given, settings
from view_strategies import trees_and_rows

from tsdt.schema import OTHER, Attribute
from tsdt.tree import DecisionTree, Node
from tsdt.views.example import weather


def types(tree):
    values = [*tree.classes, *(c for attribute in tree.attributes for c in attribute.categories)]
    return [type(value) for value in values]


@settings(max_examples=150, deadline=None)
@given(trees_and_rows(classes=("text", "integers", "booleans", "floats", "mixed")))
def test_a_tree_comes_back_as_it_was(case):
    tree, rows = case
    for back in (DecisionTree.from_json(tree.to_json()), DecisionTree.from_dict(tree.to_dict())):
        assert back == tree
        assert types(back) == types(tree)
        assert [back.end(row) for row in rows] == [tree.end(row) for row in rows]


def test_infinity_other_and_halves_of_pairs_come_back():
    attributes = (Attribute("\ud800", categories=(float("inf"), -float("inf"), OTHER, None, "\udfff")),)
    attributes += (Attribute(7, "numeric", edges=(-1.0, float("inf")), position=3),)
    nodes = (Node((1, 1), 1, (1, 2), threshold=float("inf"), missing=-1), Node((1, 0)), Node((0, 1)))
    tree = DecisionTree(attributes, (1, "1"), nodes)
    text = tree.to_json()
    assert json.loads(text, parse_constant=pytest.fail) and DecisionTree.from_json(text) == tree


def test_numpy_values_become_those_they_equal():
    attribute = Attribute("x", categories=(np.int64(3), np.str_("a")))
    tree = DecisionTree((attribute,), (np.bool_(True), np.float64(0.5)), (Node((1, 2)),))
    back = DecisionTree.from_json(tree.to_json())
    assert back == tree and types(back) == [bool, float, int, str]


@pytest.mark.parametrize("value", [datetime.date(2024, 5, 1), ("a", 1), b"x", 1j, float("nan")])
def test_values_without_a_form_are_refused(value):
    tree = DecisionTree((Attribute("x", categories=(value,)),), ("a",), (Node((1,)),))
    with pytest.raises(TypeError, match=r"attributes\[0\].categories\[0\] is .* has no form in the tree format"):
        tree.to_dict()


def changed(*path, to):
    """The weather tree with one place changed; the last of the path may be new."""
    data = copy.deepcopy(weather().to_dict())
    place = data
    for key in path[:-1]:
        place = place[key]
    if to is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return data


WRONG = [
    (("format",), "other", "format is 'other'"),
    (("version",), True, "version is True"),
    (("extra",), 1, "the keys of the tree"),
    (("nodes",), KeyError, "the keys of the tree"),
    (("nodes",), [], "nodes is '0 long'"),
    (("nodes",), {}, "nodes is {}; a list"),
    (("nodes", 0), [], r"nodes\[0\] is \[\]; a mapping"),
    (("nodes", 0, "children"), [1, 4], r"nodes\[0\].codes"),
    (("nodes", 0, "children"), [1, 5, 4], "out of order"),
    (("nodes", 0, "children"), [1, 4, 4], "out of order"),
    (("nodes", 0, "children"), [0, 4, 5], "out of order"),
    (("nodes", 0, "children"), [1, 4, True], r"children\[2\] is True"),
    (("nodes", 0, "codes"), [0, 1, 4], r"nodes\[0\].codes\[2\] is 4; a whole number from 0 to 3"),
    (("nodes", 0, "codes"), [0, 1, 1], "each once"),
    (("nodes", 0, "threshold"), 1.0, "the keys of"),
    (("nodes", 0, "attribute"), 2, r"nodes\[0\].attribute is 2"),
    (("nodes", 1, "attribute"), 0, "the keys of"),
    (("nodes", 0, "attribute"), -1, "a whole number from 0"),
    (("nodes", 0, "counts"), [5], r"nodes\[0\].counts is \[5\]; 2 are right"),
    (("nodes", 0, "counts"), [5, -9], r"counts\[1\] is -9"),
    (("nodes", 0, "counts"), [5, 9.0], r"counts\[1\] is 9.0"),
    (("nodes", 1, "threshold"), "1", "a number is right"),
    (("nodes", 1, "threshold"), float("nan"), "threshold is nan"),
    (("nodes", 1, "threshold"), 10**400, "a float can hold"),
    (("nodes", 1, "missing"), 2, "missing as 0, 1 or None"),
    (("nodes", 1, "missing"), True, "missing as 0, 1 or None"),
    (("nodes", 5, "children"), [], r"the keys of nodes\[5\]"),
    (("classes",), ["no", "no"], "each may be there once"),
    (("classes",), [], "at least one class"),
    (("classes",), "no", "a list is right"),
    (("classes", 0), ["no"], r"classes\[0\]"),
    (("classes", 0), {"special": "nan"}, r"\['other', 'inf', '-inf'\] exist"),
    (("classes", 0), {"special": []}, "exist"),
    (("attributes", 0, "kind"), "text", r"attributes\[0\].kind is 'text'"),
    (("attributes", 0, "categories"), [1, True, 2, 3], "1, 1.0 and True are the same"),
    (("attributes", 0, "edges"), [], r"the keys of attributes\[0\]"),
    (("attributes", 0, "position"), -1, "position is -1"),
    (("attributes", 1), weather().to_dict()["attributes"][0], "the names and kinds of attributes"),
    (("attributes", 1, "edges"), [2, 1], "each must be above"),
    (("attributes", 1), None, "kind is None"),
]


@pytest.mark.parametrize(("path", "to", "says"), WRONG, ids=[f"{path}={to!r}" for path, to, _ in WRONG])
def test_what_is_wrong_is_refused_and_named(path, to, says):
    with pytest.raises(ValueError, match=says):
        DecisionTree.from_dict(changed(*path, to=to))


@pytest.mark.parametrize("text", ["NaN", '{"format": Infinity}', "[]", "", '{"a": 1, "a": 2}', "null"])
def test_text_that_is_no_tree_is_refused(text):
    with pytest.raises(ValueError):
        DecisionTree.from_json(text)


def test_the_example_in_the_documentation_is_the_weather_tree():
    page = pathlib.Path(__file__).parents[2] / "docs" / "tree-format.md"
    example = re.search("```json\n(.*?)```", page.read_text(encoding="utf-8"), re.S).group(1)
    assert json.loads(example) == weather().to_dict()
    assert DecisionTree.from_json(example) == weather()
