"""Bad input: a ValueError, TypeError or NotFittedError with the value and the remedy, and never anything else."""

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from test_classifier import SEARCHES, every_search, small
from tsdt import TSDTClassifier
from tsdt.engine import choose_engine

ALLOWED = (ValueError, TypeError, NotFittedError)

PARAMETERS = [
    ("split_cost", -0.1, ValueError, "split_cost is -0.1; it must be from 0 to 1"),
    ("split_cost", 1.5, ValueError, "split_cost is 1.5"),
    ("split_cost", math.nan, ValueError, "split_cost is nan"),
    ("split_cost", "cheap", ValueError, "split_cost is 'cheap'; it must be a number from 0 to 1, or 'auto'"),
    ("split_cost", True, TypeError, "split_cost is True"),
    ("search", "forest", ValueError, "search is 'forest'; it can be 'branches', 'trees'"),
    ("search", None, ValueError, "search is None"),
    ("backup", "slow", ValueError, "backup is 'slow'; it can be 'fast', 'clark'"),
    ("policy", "best", ValueError, "policy is 'best'; it can be 'auto', 'thompson'"),
    ("batch_size", 0, ValueError, "batch_size is 0; it must be at least 1"),
    ("batch_size", 10.0, TypeError, "batch_size is 10.0"),
    ("gamma", -1, ValueError, "gamma is -1"),
    ("window", -1, ValueError, "window is -1; it must be at least 0"),
    ("leaf_prediction", "mode", ValueError, "leaf_prediction is 'mode'"),
    ("bins", 1, ValueError, "bins is 1; it must be from 2"),
    ("max_categories", 0, ValueError, "max_categories is 0"),
    ("max_iter", 0, ValueError, "max_iter is 0"),
    ("time_limit", -1, ValueError, "time_limit is -1"),
    ("min_samples", 0, ValueError, "min_samples is 0"),
    ("effort", -1, ValueError, "effort is -1"),
    ("max_memory", "lots", ValueError, "max_memory is 'lots'; say a number of bytes"),
    ("max_memory", 12, ValueError, "max_memory is 12"),
    ("max_memory", None, TypeError, "max_memory is None"),
    ("schema", "numeric", TypeError, "schema is 'numeric'"),
    ("schema", {"a": "numerical"}, ValueError, r"schema\['a'\] is 'numerical'"),
    ("random_state", "seed", ValueError, "seed"),
    ("random_state", -1, ValueError, "-1|[Ss]eed"),
]


@pytest.mark.parametrize(("name", "value", "error", "words"), PARAMETERS)
def test_parameters(name, value, error, words):
    for learn in (
        lambda model: model.fit([{"a": 1}], [0]),
        lambda model: model.learn_one({"a": 1}, 0),
        lambda model: model.partial_fit([{"a": 1}], [0]),
    ):
        with pytest.raises(error, match=words):
            learn(TSDTClassifier(**{"search": "trees", name: value}))


def test_optimism_needs_bounds():
    with pytest.raises(ValueError, match="which needs the bounds of search='branches'"):
        TSDTClassifier(search="trees", policy="optimistic").fit([{"a": 1}], [0])


TABLES = [
    ([], [], "0 sample"),
    (np.empty((0, 3)), [], "0 sample"),
    (np.empty((3, 0)), [0, 1, 0], "0 feature"),
    ([[1], [2]], [0], "X has 2 rows, but y has 1 labels"),
    ([[1], [2]], [0, None], "the label in row 1 is None, which is missing"),
    ([[1], [2]], np.array([0.0, np.nan]), "the label in row 1 is nan, which is missing"),
    ([[1], [2]], [0, [1]], "the label in row 1 is .1. .list."),
    ([[1], [2]], None, "requires y to be passed, but the target y is None"),
    ([[1], [2]], "no", "column 'y' is 'no'"),
    ([[1], [2]], np.array([0.5, 1.5]), "Unknown label type: continuous"),
    ([[1], [2]], [1.0, 0.37], "The label in row 1 is 0.37, a measurement and no class; cut"),
    ([[1], [2]], pd.Series(["a", None]), "the label in row 1 is None, which is missing"),
    ([[1], [2]], np.zeros((2, 2)), r"shape \(2, 2\)"),
    ([[[1]], [[2]]], [0, 1], r"column 'x0' holds \[1\] \(list\), which cannot be a category"),
    ({"a": [{}, {}]}, [0, 1], r"column 'a' holds \{\} \(dict\)"),
    ([[1j], [2]], [0, 1], "Complex data not supported"),
    ("table", [0], "no table"),
    (None, [0], "None"),
]


@every_search
@pytest.mark.parametrize(("X", "y", "words"), TABLES)
def test_tables(search, X, y, words):
    with pytest.raises((ValueError, TypeError), match=words):
        small(search).fit(X, y)


@every_search
def test_a_bad_table_leaves_a_stream_as_it_was(search):
    X, y = {"n": list(np.linspace(0, 1, 50)), "c": ["a", "b"] * 25}, [0, 1] * 25
    model = small(search).learn_many(X, y)
    before = model.tree_.nodes, str(model.schema_), model.n_iter_
    text = [0.5] * 49 + ["text"]
    for bad, words in [
        ({**X, "n": text}, "column 'n' holds numbers, but a value is 'text'"),
        ({**X, "new": text}, "column 'new' holds numbers, but a value is 'text'"),
        ({"n": X["n"]}, "X lacks 'c'"),
        ({**X, "c": [[1]] * 50}, "cannot be a category"),
    ]:
        with pytest.raises(ValueError, match=words):
            model.learn_many(bad, y)
    with pytest.raises(ValueError, match="missing"):
        model.learn_many(X, [None] * 50)
    assert (model.tree_.nodes, str(model.schema_), model.n_iter_) == before
    assert model.learn_many(X, y).n_iter_ > before[2]


@every_search
def test_a_bad_sample_is_refused_when_it_comes(search):
    model = small(search)
    for i in range(50):
        model.learn_one({"n": i / 7, "c": "a"}, i % 2)
    for x, y, error, words in [
        ({"n": "text", "c": "a"}, 0, ValueError, "column 'n' holds numbers, but a value is 'text'"),
        ({"n": 1.0, "c": ["a"]}, 0, ValueError, "column 'c' holds .'a'. .list."),
        ({"n": 1.0, "c": 2j}, 0, ValueError, "Complex data not supported"),
        ({"n": 1.0, "c": "a"}, None, ValueError, "the label is None, which is missing"),
        ({"n": 1.0, "c": "a"}, math.nan, ValueError, "the label is nan"),
        ({"n": 1.0, "c": "a"}, [1], TypeError, "the label is .1. .list."),
        ([1.0, "a"], 0, TypeError, "give a dict from attribute names to values"),
        (None, 0, TypeError, "a sample is None"),
    ]:
        with pytest.raises(error, match=words):
            model.learn_one(x, y)
    for i in range(50):
        model.learn_one({"n": i / 7, "c": "a"}, i % 2)
    assert model.schema_.names == ("n", "c")


def test_a_declared_number_is_a_number_from_the_first_row():
    model = small("trees", schema={"n": "numeric"})
    with pytest.raises(ValueError, match="column 'n' holds numbers"):
        model.learn_one({"n": "text"}, 0)
    with pytest.raises(ValueError, match="column 'n' holds numbers"):
        model.fit({"n": ["text"]}, [0])


def test_a_declaration_of_a_column_that_is_not_there():
    with pytest.raises(ValueError, match="schema names 'agee', which X lacks; its columns are 'age'"):
        small("trees", schema={"agee": "numeric"}).fit({"age": [1, 2]}, [0, 1])
    small("trees", schema={1: "numeric", "x0": ["a"]}).fit([["a", 1], ["b", 2]], [0, 1])
    with pytest.raises(ValueError, match="schema names 2"):
        small("trees", schema={2: "numeric"}).fit([["a", 1], ["b", 2]], [0, 1])


@every_search
def test_predictions(search):
    model = small(search).fit({"a": [1.5, 2.5] * 20, "b": ["x", "y"] * 20}, [0, 1] * 20)
    for X in (np.zeros((2, 3)), {"c": [1]}, [1, 2], "text", None, 5):
        with pytest.raises((ValueError, TypeError)):
            model.predict(X)
    assert model.predict({"a": [], "b": []}).shape == (0,)
    assert model.predict([]).shape == (0,)


@every_search
def test_empty_batches_teach_nothing(search):
    model = small(search).learn_many({"a": []}, [])
    assert model.predict_one({"a": 1}) is None
    model.learn_many({"a": [1, 2] * 20}, [0, 1] * 20).learn_many({"a": []}, [])
    assert model.predict_one({"a": 1}) in (0, 1)


def test_engines_that_do_not_exist(monkeypatch):
    monkeypatch.setenv("TSDT_ENGINE", "fortran")
    with pytest.raises(ImportError, match="TSDT_ENGINE is 'fortran'; it can be 'rust'"):
        choose_engine()
    monkeypatch.setenv("TSDT_ENGINE", "rust")
    monkeypatch.setitem(__import__("sys").modules, "tsdt._engine", None)
    with pytest.raises(ImportError, match="build it with"):
        choose_engine()


# -- anything at all --------------------------------------------------------------------------------------------------

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 3),
    st.floats(),
    st.text(max_size=3),
    st.binary(max_size=2),
    st.sampled_from(
        [pd.NA, pd.NaT, Decimal("nan"), Decimal("1.5"), 10**400, np.float32(0.1), np.int8(3), np.str_("s")]
    ),
    st.just(1j),
)
values = st.recursive(scalars, lambda inner: st.one_of(st.lists(inner, max_size=2), st.tuples(inner)), max_leaves=3)
names = st.one_of(st.sampled_from("abc"), st.integers(0, 3), st.none(), st.tuples(st.integers(0, 1)))
samples = st.one_of(st.dictionaries(names, values, max_size=4), values)
tables = st.one_of(
    st.lists(st.dictionaries(st.sampled_from("abc"), values, max_size=3), max_size=8),
    st.dictionaries(names, st.lists(values, max_size=6), max_size=3),
    st.lists(st.lists(values, max_size=3), max_size=6),
    values,
)
labels = st.one_of(st.lists(st.one_of(st.integers(0, 2), values), max_size=8), values)


@pytest.mark.parametrize("search", SEARCHES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_nothing_but_clear_errors(search, data):
    model = small(search, batch_size=3, max_iter=5, time_limit=0.05, max_categories=3)
    for _ in range(data.draw(st.integers(1, 6))):
        verb = data.draw(st.sampled_from(["learn_one", "learn_many", "fit", "partial_fit", "predict", "predict_one"]))
        try:
            if verb == "learn_one":
                model.learn_one(data.draw(samples), data.draw(values))
            elif verb == "predict_one":
                model.predict_proba_one(data.draw(samples))
                model.predict_one(data.draw(samples))
            elif verb == "predict":
                X = data.draw(tables)
                model.predict(X)
                model.predict_proba(X)
            else:
                getattr(model, verb)(data.draw(tables), data.draw(labels))
        except ALLOWED as error:
            assert str(error)
    for i in range(7):
        model.learn_one({"fresh": i % 2}, i % 2)
    assert model.predict_one({"fresh": 1}) in model.classes_.tolist()
    str(model.schema_)
