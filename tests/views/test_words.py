"""Rules and explanations say what the tree does."""

from __future__ import annotations

import math

from hypothesis import given, settings
from view_strategies import trees_and_rows
from view_trees import chain

from tsdt.schema import OTHER, Attribute
from tsdt.tree import DecisionTree, Node
from tsdt.views.conditions import Category, branches, jointly_possible
from tsdt.views.example import weather


class Unseen:
    """A value that equals nothing else."""


def fitting(conditions):
    """A value for which the conditions on a column hold."""
    found = []
    for condition in conditions:
        if isinstance(condition, Category):
            wanted = condition.attribute.categories[condition.code]
            found += [wanted] if wanted is not OTHER else [] if len(conditions) > 1 else [Unseen()]
        else:
            numbers = [x for x in (condition.low, condition.high) if x is not None]
            found += [*(math.nextafter(x, math.inf) for x in numbers), *numbers, None]
            found += [math.nextafter(x, -math.inf) for x in numbers]
            found += [math.nextafter(math.nextafter(x, math.inf), math.inf) for x in numbers]
    return next(value for value in found if all(condition.holds(value) for condition in conditions))


@settings(max_examples=200, deadline=None)
@given(trees_and_rows())
def test_the_rule_of_the_leaf_holds_for_a_row_and_no_other_rule_does(case):
    tree, rows = case
    rules = tree.rules()
    assert sorted(rule.leaf for rule in rules) == list(tree.leaves)
    assert [rule.share for rule in rules] == sorted((rule.share for rule in rules), reverse=True)
    for row in rows:
        end = tree.end(row)
        holding = [r.leaf for r in rules if all(c.holds(row[c.attribute.name]) for c in r.conditions)]
        assert holding == ([end] if tree.nodes[end].is_leaf else [])


@settings(max_examples=200, deadline=None)
@given(trees_and_rows(n_rows=8))
def test_what_would_have_to_change_does_change_the_answer_and_nothing_less_does(case):
    tree, rows = case
    asked = branches(tree)
    for row in rows:
        explanation = tree.explain(row)
        assert explanation.node == tree.end(row)
        assert [reason.node for reason in explanation.reasons] == [step.node for step in tree.path(row)]
        for alternative in explanation.alternatives:
            changed = row | {change.attribute: fitting(change.conditions) for change in alternative.changes}
            assert tree.end(changed) == alternative.leaf
            assert tree.classes[tree.nodes[alternative.leaf].label] == alternative.answer != explanation.answer
            for leaf in tree.leaves:
                conditions = asked[leaf].values()
                names = {c.attribute.name for c in conditions if not c.holds(row[c.attribute.name])}
                by_name = [[c for c in conditions if c.attribute.name == name] for name in names]
                if tree.classes[tree.nodes[leaf].label] == alternative.answer and all(map(jointly_possible, by_name)):
                    assert len(names) >= len(alternative.changes)
        answers = [alternative.answer for alternative in explanation.alternatives]
        assert len(set(answers)) == len(answers)
        assert str(explanation) and str(tree.rules())


def test_conditions_on_one_number_are_merged():
    age = Attribute("age", "numeric")
    nodes = (
        Node((3, 3), 0, (1, 6), threshold=52.0, missing=0),
        Node((2, 3), 0, (2, 3), threshold=37.5, missing=1),
        Node((1, 0)),
        Node((1, 3), 0, (4, 5), threshold=60.0, missing=1),
        Node((0, 3)),
        Node((1, 0)),
        Node((1, 0)),
    )
    rules = DecisionTree((age,), ("young", "old"), nodes).rules()
    assert [str(rule.conditions[0]) for rule in sorted(rules, key=lambda rule: rule.leaf)] == [
        "age <= 37.5",
        "37.5 < age <= 52",
        "age is missing",
        "age > 52",
    ]


def test_a_rule_is_one_line_whatever_the_names():
    attribute = Attribute("two\nlines", categories=("\r", "", " pad ", None))
    leaves = (Node((1, 0)), Node((0, 1)), Node((1, 0)), Node((0, 1)))
    tree = DecisionTree((attribute,), ("a\tb", "missing"), (Node((2, 2), 0, (1, 2, 3, 4), (0, 1, 2, 3)), *leaves))
    assert str(tree.rules()).split("\n") == [
        'If two\\nlines is "\\r", then a\\tb (25.0% of all samples; right for all 1).',
        'If two\\nlines is "", then "missing" (25.0% of all samples; right for all 1).',
        'If two\\nlines is " pad ", then a\\tb (25.0% of all samples; right for all 1).',
        'If two\\nlines is missing, then "missing" (25.0% of all samples; right for all 1).',
    ]


def test_rules_are_a_sequence():
    rules = weather().rules()
    assert len(rules) == 4 and rules[0].answer == "yes" and len(rules[1:]) == 3
    assert str(rules[:1]) == "If outlook is rain, then yes (35.7% of all samples; right for 3 of 5)."


def test_a_tree_without_splits_says_so():
    tree = DecisionTree((), ("yes", "no"), (Node((30, 12)),))
    assert str(tree.rules()) == "Always yes (100% of all samples; right for 30 of 42)."
    assert str(tree.explain({})) == "always yes"


def test_a_value_that_was_never_seen_is_explained():
    text = str(weather().explain({"outlook": "fog"}))
    assert "outlook is fog, never seen here" in text
    assert "the majority of the 14 samples here decides" in text
    assert "no, if outlook is sunny instead of fog" in text


def test_a_missing_number_is_explained():
    text = str(weather().explain({"outlook": "sunny"}))
    assert "humidity is missing, which goes with > 77.5" in text
    assert "yes, if outlook is rain instead of sunny" in text  # as near as humidity <= 77.5, and more samples


def test_a_category_beyond_the_limit_is_explained():
    colour = Attribute("colour", categories=("red", OTHER))
    tree = DecisionTree((colour,), ("a", "b"), (Node((2, 1), 0, (1, 2), (0, 1)), Node((2, 0)), Node((0, 1))))
    assert "colour is mauve, which counts as any other" in str(tree.explain({"colour": "mauve"}))
    assert "b, if colour is any other instead of red" in str(tree.explain({"colour": "red"}))


def test_a_number_split_into_its_bins_is_put_in_words():
    age = Attribute("age", "numeric", edges=(18.0, 65.0))
    nodes = (Node((2, 2), 0, (1, 2, 3, 4), (0, 1, 2, 3)), Node((0, 1)), Node((1, 0)), Node((0, 1)), Node((1, 0)))
    tree = DecisionTree((age,), ("a", "b"), nodes)
    conditions = [str(rule.conditions[0]) for rule in tree.rules()]
    assert conditions == ["age is missing", "age <= 18", "18 < age <= 65", "age > 65"]
    assert "18 to 65" in tree.to_text(color=False) and "≤ 18" in tree.to_svg()
    assert "age is 30, 18 to 65 " in str(tree.explain({"age": 30}))
    assert "age is 3, <= 18 " in str(tree.explain({"age": 3}))
    assert "a, if age <= 18 instead of missing" in str(tree.explain({}))


def test_shares_follow_the_chain_rule_where_children_have_counted_less():
    colour = Attribute("colour", categories=("red", "blue"))
    nodes = (Node((600, 400), 0, (1, 2), (0, 1)), Node((30, 0)), Node((0, 10)))
    rules = DecisionTree((colour,), ("a", "b"), nodes).rules()
    assert [rule.share for rule in rules] == [0.75, 0.25]
    assert str(rules[0]) == "If colour is red, then a (75.0% of all samples; right for all 30)."


def test_a_deep_tree_has_rules():
    assert str(chain(2000).rules()[0]).startswith("If depth > 1999")


def test_a_tree_before_any_class_was_seen_shows_itself():
    tree = DecisionTree((), (), (Node(()),))
    assert str(tree.rules()) == "Always nothing yet (no samples)."
    assert str(tree.explain({})) == "always nothing yet"
    assert "nothing yet" in tree.to_text(color=True) and "nothing yet" in tree.to_svg()
    assert "nothing yet" in tree.to_dot() and "nothing yet" in tree.to_mermaid()
    assert "return None" in tree.to_python() and tree.to_sql() == "NULL"
    assert tree.to_sklearn().value.size == 0 and tree.to_dict()["classes"] == []
