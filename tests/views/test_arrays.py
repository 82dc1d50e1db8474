"""The arrays, walked as scikit-learn walks its own, answer as the tree does; so does the ONNX model in onnxruntime."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from view_strategies import AWKWARD, trees_and_rows
from view_trees import chain, random_tree

from tsdt.schema import OTHER, Attribute
from tsdt.tree import DecisionTree, Node
from tsdt.views.example import weather
from tsdt.views.onnx_inputs import model_inputs, onnx_feed


def walk(arrays, x):
    """Where a row of the encoded matrix ends."""
    i = 0
    while arrays.children_left[i] != -1:
        number = x[arrays.feature[i]]
        left = arrays.missing_go_to_left[i] if np.isnan(number) else number <= arrays.threshold[i]
        i = arrays.children_left[i] if left else arrays.children_right[i]
    return i


@settings(max_examples=120, deadline=None)
@given(trees_and_rows(classes=("text", "integers", "mixed")))
def test_the_arrays_answer_as_the_tree_does(case):
    tree, rows = case
    arrays = tree.to_sklearn()
    ends = [walk(arrays, x) for x in arrays.encode(rows)]
    assert [arrays.classes[arrays.value[i, 0].argmax()] for i in ends] == tree.predict(rows).tolist()
    assert np.array_equal(arrays.value[ends, 0], tree.predict_proba(rows))


@settings(max_examples=50, deadline=None)
@given(trees_and_rows(n_rows=1))
def test_the_arrays_are_in_the_order_and_form_of_scikit_learn(case):
    arrays = case[0].to_sklearn()
    leaf = arrays.children_left == -1
    assert np.array_equal(arrays.children_right == -1, leaf)
    assert (arrays.feature[leaf] == -2).all() and (arrays.threshold[leaf] == -2).all()
    inner = np.flatnonzero(~leaf)
    assert np.array_equal(arrays.children_left[inner], inner + 1)
    children = np.concatenate([arrays.children_left[inner], arrays.children_right[inner]])
    assert sorted(children) == list(range(1, arrays.node_count))
    assert arrays.value.shape == (arrays.node_count, 1, len(arrays.classes))
    assert np.allclose(arrays.value.sum(axis=2), 1)
    assert arrays.columns == tuple(dict.fromkeys(arrays.columns))


def test_samples_add_up_where_the_tree_has_seen_them_all():
    arrays = random_tree(60, seed=1).to_sklearn()
    inner = np.flatnonzero(arrays.children_left != -1)
    below = arrays.n_node_samples[arrays.children_left[inner]] + arrays.n_node_samples[arrays.children_right[inner]]
    assert np.array_equal(arrays.n_node_samples[inner], below)


def test_scikit_learn_itself_walks_the_arrays():
    from sklearn.tree._tree import Tree

    arrays = weather().to_sklearn()
    nodes = np.zeros(arrays.node_count, dtype=Tree(1, np.array([2]), 1).__getstate__()["nodes"].dtype)
    names = {"left_child": "children_left", "right_child": "children_right"}
    for field in nodes.dtype.names:
        if field == "weighted_n_node_samples":
            nodes[field] = arrays.n_node_samples
        else:
            nodes[field] = getattr(arrays, names.get(field, field))
    theirs = Tree(len(arrays.columns), np.array([2], dtype=np.intp), 1)
    state = {"max_depth": 4, "node_count": len(nodes), "nodes": nodes, "values": arrays.value}
    theirs.__setstate__(state)
    X = {"outlook": ["sunny", "sunny", "sunny", "rain", "fog"], "humidity": [70, 80, None, None, 1]}
    answers = theirs.predict(arrays.encode(X).astype(np.float32)).argmax(axis=1)
    assert [arrays.classes[k] for k in answers] == weather().predict(X).tolist()


@pytest.fixture(scope="module")
def session_of():
    onnx = pytest.importorskip("onnx", reason="onnx is not installed (tsdt[onnx])")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1

    def start(tree):
        model = tree.to_onnx()
        onnx.checker.check_model(model, full_check=True)
        return runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

    return start


TENSORS = ("text", "integers", "booleans", "floats", "numbers")


def test_the_onnx_model_answers_as_the_tree_does(session_of):
    @settings(max_examples=100, deadline=None)
    @given(trees_and_rows(kinds=TENSORS, classes=("text", "integers", "booleans", "floats"), names=AWKWARD, n_rows=20))
    def answers_as_the_tree(case):
        tree, rows = case
        labels, shares = session_of(tree).run(None, onnx_feed(tree, rows))
        assert labels.tolist() == tree.predict(rows).tolist()
        assert np.array_equal(shares, tree.predict_proba(rows))

    answers_as_the_tree()


@pytest.mark.parametrize("tree", [chain(500), random_tree(300, seed=5, classes="ABC")], ids=["deep", "wide"])
def test_large_trees_run_in_onnx(session_of, tree):
    rng = np.random.default_rng(0)
    colours = ["red", "green", "blue", "yellow", "mauve", None]
    X = {a.name: rng.uniform(-1, 501, 500) if a.is_numeric else rng.choice(colours, 500) for a in tree.attributes}
    assert session_of(tree).run(["label"], onnx_feed(tree, X))[0].tolist() == tree.predict(X).tolist()


def test_the_model_says_what_its_inputs_are(session_of):
    metadata = session_of(weather()).get_modelmeta().custom_metadata_map
    assert json.loads(metadata["tsdt.inputs"]) == [
        {"input": "outlook", "attribute": "outlook", "type": "string", "missing": "<missing>"},
        {"input": "humidity", "attribute": "humidity", "type": "double", "missing": None},
    ]


def test_values_of_another_type_than_the_categories_are_unseen(session_of):
    attributes = (
        Attribute("text", categories=("1", "<missing>", None)),
        Attribute("number", categories=(1, 0.5, OTHER)),
    )
    nodes = (
        Node((1, 5, 1), 0, (1, 5), (0, 2)),
        Node((5, 1, 1), 1, (2, 3, 4), (0, 1, 2)),
        *(Node((1, 0, 0)), Node((0, 0, 1)), Node((0, 1, 0)), Node((1, 0, 0))),
    )
    tree = DecisionTree(attributes, ("a", "b", "c"), nodes)
    X = {
        "text": ["1", 1, "<missing>", None, "1", "1", "1", "<unseen>", "1", "<missing>_"],
        "number": [1, 1, 1, 1, "1", True, 10**400, 1, 10**30, 1],
    }
    assert session_of(tree).run(["label"], onnx_feed(tree, X))[0].tolist() == tree.predict(X).tolist()
    assert model_inputs(tree)[0].missing == "<missing>_"


def test_what_makes_no_tensor_is_refused():
    pytest.importorskip("onnx", reason="onnx is not installed (tsdt[onnx])")
    nodes = (Node((1, 2), 0, (1,), (0,)), Node((2, 1)))
    for categories in (("a", 1), (2**53,), ((1, 2),)):
        with pytest.raises(TypeError, match="the categories of 'x' make no tensor"):
            DecisionTree((Attribute("x", categories=categories),), ("a", "b"), nodes).to_onnx()
    with pytest.raises(TypeError, match=r"the classes .* make no tensor"):
        DecisionTree((Attribute("x", categories=("a",)),), ("a", 1), nodes).to_onnx()
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        DecisionTree((Attribute("x", categories=("\ud800",)),), ("a", "b"), nodes).to_onnx()
    with pytest.raises(ValueError, match="an ONNX model needs one"):
        DecisionTree((), ("a", "b"), (Node((1, 2)),)).to_onnx()


def test_without_onnx_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'tsdt\[onnx\]'"):
        weather().to_onnx()
