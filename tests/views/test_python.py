"""The Python function answers as the tree does."""

from __future__ import annotations

import ast
import datetime
import decimal

import pytest
from hypothesis import given, settings
from view_strategies import trees_and_rows
from view_trees import chain, random_tree

from tsdt.schema import Attribute
from tsdt.tree import DecisionTree, Node
from tsdt.views.example import weather


def function_of(tree, name="predict"):
    source = tree.to_python(name)
    assert source.isascii()
    assert not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(ast.parse(source)))
    names = {}
    exec(source, names)
    return names[name]


@settings(max_examples=150, deadline=None)
@given(trees_and_rows(classes=("text", "integers", "booleans", "floats", "mixed")))
def test_the_function_answers_as_the_tree_does(case):
    tree, rows = case
    predict = function_of(tree)
    answers = [predict(row) for row in rows]
    assert answers == tree.predict(rows).tolist()
    assert {type(answer) for answer in answers} <= {type(label) for label in tree.classes}


@pytest.mark.parametrize("tree", [chain(300), random_tree(200, seed=5)], ids=["deep", "wide"])
def test_deep_trees_compile(tree):
    predict = function_of(tree)
    for x in (-1, 0.5, 150, 298.5, 400, None):
        row = {attribute.name: x if attribute.is_numeric else "red" for attribute in tree.attributes}
        assert predict(row) == tree.classes[tree.nodes[tree.end(row)].label]


def test_a_deep_tree_of_categories_compiles():
    nodes = [node for i in range(250) for node in (Node((1, i), 0, (2 * i + 1, 2 * i + 2), (0, 1)), Node((0, 1)))]
    tree = DecisionTree((Attribute("x", categories=(1, 2)),), ("a", "b"), (*nodes, Node((1, 0))))
    assert [function_of(tree)({"x": x}) for x in (1, 2, 3)] == ["b", "a", "a"]


def test_every_way_to_say_missing_is_understood():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    predict, tree = function_of(weather()), weather()
    for value in (None, float("nan"), pandas.NA, pandas.NaT, decimal.Decimal("nan"), decimal.Decimal("sNaN")):
        for row in ({"outlook": value, "humidity": 70}, {"outlook": "sunny", "humidity": value}):
            assert predict(row) == tree.classes[tree.nodes[tree.end(row)].label]


def test_text_is_no_number():
    with pytest.raises(ValueError, match="'70' is no number"):
        function_of(weather())({"outlook": "sunny", "humidity": "70"})


def test_integers_beyond_floats_are_numbers():
    assert function_of(weather())({"outlook": "sunny", "humidity": 10**400}) == "no"
    assert function_of(weather())({"outlook": "sunny", "humidity": -(10**400)}) == "yes"


def test_a_date_cannot_be_written():
    attribute = Attribute("day", categories=(datetime.date(2024, 5, 1),))
    tree = DecisionTree((attribute,), ("a",), (Node((1,), 0, (1,), (0,)), Node((1,))))
    with pytest.raises(TypeError, match="cannot be written without an import"):
        tree.to_python()


def test_the_function_has_the_name_it_is_given():
    assert function_of(weather(), "play_tennis")({"outlook": "overcast"}) == "yes"
    for name in ("not a name", "class", ""):
        with pytest.raises(ValueError, match=f"name is '{name}'"):
            weather().to_python(name)
