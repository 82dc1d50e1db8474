"""The estimator: tables and streams give answers, and how samples are cut into calls does not matter."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import tsdt
from tsdt import TSDTClassifier
from tsdt.engine import choose_engine, engine_name

SEARCHES = ["trees", *(["branches"] if hasattr(choose_engine(), "BranchSearch") else [])]

SLOW = engine_name() == "python"  # then fewer and smaller examples have to do

every_search = pytest.mark.parametrize("search", SEARCHES)


def xor_rows(n, seed=0):
    random = np.random.default_rng(seed)
    a, b, c = random.integers(0, 2, (3, n)).tolist()
    colours = ["red", "green", None]
    rows = [
        {"a": x, "b": y, "colour": colours[z + (i % 7 == 0)]} for i, (x, y, z) in enumerate(zip(a, b, c, strict=True))
    ]
    return rows, ["same" if x == y else "different" for x, y in zip(a, b, strict=True)]


def small(search, **settings):
    defaults = {"split_cost": 0.02, "batch_size": 20, "random_state": 0, "time_limit": 20.0}
    if search == "branches":
        defaults |= {"effort": 5, "max_iter": 100}  # enough for small tables, and bearable with the engine in Python
    return TSDTClassifier(**{**defaults, "search": search, **settings})


# -- tables -----------------------------------------------------------------------------------------------------------


@every_search
def test_fit(search):
    rows, y = xor_rows(400)
    model = small(search, max_iter=300).fit(rows, y)
    assert model.score(rows, y) == 1.0
    assert model.tree_.n_splits == 3
    assert model.classes_.tolist() == ["different", "same"]
    assert model.n_features_in_ == 3
    assert model.feature_names_in_.tolist() == ["a", "b", "colour"]
    assert model.feature_importances_[2] == 0.0
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.certificate_.value == pytest.approx(1.0 - 3 * 0.02)
    assert model.certificate_.upper >= model.certificate_.value


@every_search
def test_every_kind_of_table_gives_the_same_model(search):
    rows, y = xor_rows(200)
    frame = pd.DataFrame(rows)
    models = [
        small(search, max_iter=100).fit(X, labels)
        for X, labels in [
            (rows, y),
            (frame, pd.Series(y)),
            (pl.DataFrame(rows), pl.Series(y)),
            (frame.to_dict("list"), np.array(y)),
            (frame[["a", "b", "colour"]].convert_dtypes(), y),
        ]
    ]
    for model in models[1:]:
        assert str(model.tree_) == str(models[0].tree_)
        assert model.tree_.nodes == models[0].tree_.nodes


@every_search
def test_columns_are_matched_by_name(search):
    rows, y = xor_rows(200)
    frame = pd.DataFrame(rows)
    model = small(search).fit(frame, y)
    expected = model.predict(frame).tolist()
    assert model.predict(frame[["colour", "b", "a"]]).tolist() == expected
    assert model.predict(frame.assign(more=1)).tolist() == expected
    assert model.predict(rows).tolist() == expected
    assert model.predict(frame.to_numpy()).tolist() == expected
    with pytest.raises(ValueError, match=r"X lacks the column '[ab]'"):
        model.predict(frame[["colour"]])


@every_search
def test_numbers(search):
    random = np.random.default_rng(0)
    X = random.normal(size=(1000, 3))
    y = X[:, 1] > 0.3
    model = small(search, max_iter=100).fit(X, y)
    assert model.score(X, y) > 0.95
    assert [a.kind for a in model.schema_.attributes] == ["numeric"] * 3
    X[:50, 1] = np.nan
    model = small(search, max_iter=100).fit(X, y)
    assert model.schema_.columns[1].n_missing == 50
    assert model.score(X, y) > 0.9
    assert model.predict([[0.0, None, 0.0]]).shape == (1,)


@every_search
def test_a_category_that_was_never_seen_answers_with_its_node(search):
    X = {"a": ["x"] * 30 + ["y"] * 10}
    model = small(search, split_cost=0.0).fit(X, [0] * 30 + [1] * 10)
    assert model.tree_.n_splits == 1
    root = np.array(model.tree_.nodes[0].counts) / model.tree_.n_samples
    assert model.predict_proba({"a": ["zzz", "y"]}).tolist() == [root.tolist(), [0.0, 1.0]]
    assert model.predict({"a": ["zzz"]}).tolist() == [0]
    assert model.predict_proba_one({"a": "zzz"}) == pytest.approx(dict(enumerate(root)))
    assert model.predict_one({}) == 0


@every_search
def test_one_row_and_tables_agree(search):
    rows, y = xor_rows(300)
    model = small(search).fit(rows, y)
    assert [model.predict_one(row) for row in rows] == model.predict(rows).tolist()
    by_row = [[model.predict_proba_one(row)[label] for label in model.classes_] for row in rows]
    assert by_row == model.predict_proba(rows).tolist()


@every_search
def test_labels_of_any_type(search):
    X = {"a": [0, 1] * 50}
    for labels in [(1, 0), (True, False), (1.0, 2.0), ("a", "b"), ((1, 2), (3, 4)), (1, "mixed")]:
        y = list(labels) * 50
        model = small(search).fit(X, y)
        assert model.predict_one({"a": 0}) == labels[0]
        assert model.predict(X).tolist() == y
        assert sorted(map(repr, model.classes_.tolist())) == sorted(map(repr, labels))


@every_search
def test_one_class_and_one_column_without_values(search):
    model = small(search).fit({"a": [None] * 10, "b": [1] * 10}, ["only"] * 10)
    assert model.predict({"a": [None, 2], "b": [1, 7]}).tolist() == ["only", "only"]
    assert model.predict_proba({"a": [None], "b": [1]}).tolist() == [[1.0]]
    nothing = small(search).fit({"a": [None] * 10}, [0, 1] * 5)
    assert nothing.tree_.n_leaves == 1
    assert nothing.predict_proba_one({"a": 3}) == {0: 0.5, 1: 0.5}


# -- streams ----------------------------------------------------------------------------------------------------------


@every_search
def test_before_any_sample(search):
    model = small(search)
    assert model.predict_one({"a": 1}) is None
    assert model.predict_proba_one({"a": 1}) == {}
    for attribute in ("tree_", "certificate_", "classes_", "n_iter_", "schema_", "feature_importances_"):
        with pytest.raises(NotFittedError, match="has learned nothing yet"):
            getattr(model, attribute)
    with pytest.raises(NotFittedError):
        model.predict([[1]])


@every_search
def test_before_the_first_complete_batch(search):
    model = small(search)
    for label in ("b", "a", "b"):
        model.learn_one({"x": 1}, label)
    assert model.predict_one({"x": 5}) == "b"
    assert model.predict_proba_one({}) == pytest.approx({"b": 2 / 3, "a": 1 / 3})
    assert model.predict({"x": [1]}).tolist() == ["b"]
    assert model.predict_proba({"x": [1]}).tolist() == [pytest.approx([1 / 3, 2 / 3])]
    assert model.n_iter_ == 0
    assert model.certificate_.value == pytest.approx(2 / 3)


@every_search
def test_stream(search):
    rows, y = xor_rows(3000)
    model = small(search)
    for row, label in zip(rows, y, strict=True):
        model.learn_one(row, label)
    assert model.n_iter_ > 0
    assert model.score(rows, y) == 1.0
    assert model.tree_.n_splits == 3


def stream_with_everything(n=700, seed=3):
    """Classes, categories and columns that come late, missing values, numbers, numbers that look like categories."""
    random = np.random.default_rng(seed)
    rows, y = [], []
    for i in range(n):
        row = {
            "small": int(random.integers(0, 3)),
            "text": f"t{random.integers(0, 3 + i // 200)}",
            "number": float(np.round(random.normal(i / 300), 2)),
            "gappy": None if random.random() < 0.4 else float(random.random()),
            "few, then many": int(random.integers(0, 4 if i < 150 else 40)),
        }
        if i > 333:
            row["late"] = bool(random.integers(0, 2))
        if i % 11 == 0:
            del row["text"]
        rows.append(row)
        y.append("late" if i > 450 and row["small"] == 2 else ("yes" if row["number"] > 0.5 else "no"))
    return rows, y


def answers(model, rows):
    return (
        str(model.tree_),
        model.tree_.nodes,
        model.predict_proba(rows[:100]).tolist(),
        model.n_iter_,
        str(model.schema_),
    )


@every_search
@settings(max_examples=4 if SLOW else 12, deadline=None)
@given(data=st.data())
def test_chunks_do_not_matter(search, data):
    rows, y = stream_with_everything()
    expected = small(search, bins=5, max_categories=5)
    for row, label in zip(rows, y, strict=True):
        expected.learn_one(row, label)
    model, start = small(search, bins=5, max_categories=5), 0
    while start < len(rows):
        verb = data.draw(st.sampled_from(["learn_one", "learn_many", "partial_fit"]))
        if verb == "learn_one":
            for _ in range(min(data.draw(st.integers(1, 30)), len(rows) - start)):
                model.learn_one(rows[start], y[start])
                start += 1
        else:
            stop = start + data.draw(st.integers(1, 300))
            getattr(model, verb)(rows[start:stop], y[start:stop])
            start = stop
    assert answers(model, rows) == answers(expected, rows)


@every_search
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, lambda rows: pd.DataFrame(rows).to_numpy()])
@pytest.mark.parametrize("size", [7, 20, 64, 1000])
def test_chunks_of_frames_do_not_matter(search, make, size):
    random = np.random.default_rng(0)
    rows = [
        {"a": float(random.normal()), "b": int(random.integers(0, 5)), "c": float(random.integers(0, 3)), "d": i * 1.5}
        for i in range(1000)
    ]
    y = [int(row["a"] > 0) + int(row["b"] == 2) for row in rows]
    expected, model = small(search, bins=4), small(search, bins=4)
    for row, label in zip(rows, y, strict=True):
        expected.learn_one(row, label)
    table = make(rows)
    for start in range(0, 1000, size):
        model.learn_many(table[start : start + size], y[start : start + size])
    assert model.tree_.nodes == expected.tree_.nodes
    assert [a.edges for a in model.schema_.attributes] == [a.edges for a in expected.schema_.attributes]


@every_search
def test_what_comes_late_is_taken_in(search):
    rows, y = stream_with_everything()
    model = small(search, max_categories=4)
    for row, label in zip(rows, y, strict=True):
        model.learn_one(row, label)
    assert model.classes_.tolist() == ["late", "no", "yes"]
    late = model.schema_.attributes[[a.name for a in model.schema_.attributes].index("late")]
    assert late.categories[0] is None
    text = model.schema_.attributes[[a.name for a in model.schema_.attributes].index("text")]
    assert str(text.categories[-1]) == "other"
    assert model.predict_proba(rows).shape == (len(rows), 3)


@every_search
def test_declared_classes(search):
    model = small(search).partial_fit([{"a": 1}], ["b"], classes=["a", "b", "c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict_proba([{"a": 1}]).tolist() == [[0.0, 1.0, 0.0]]


@every_search
def test_fit_forgets_and_partial_fit_goes_on(search):
    rows, y = xor_rows(200)
    model = small(search).fit(rows, y).fit({"z": [1, 2]}, [0, 1])
    assert model.schema_.names == ("z",)
    model.partial_fit({"z": [1, 2] * 30}, [0, 2] * 30)
    assert model.classes_.tolist() == [0, 1, 2]


@every_search
def test_pickle_goes_on_as_if_nothing_had_happened(search):
    rows, y = stream_with_everything()
    model = small(search).learn_many(rows[:410], y[:410])
    again = pickle.loads(pickle.dumps(model))
    assert answers(again, rows) == answers(model, rows)
    for one in (model, again):
        one.learn_many(rows[410:], y[410:])
    assert answers(again, rows) == answers(model, rows)


@every_search
def test_a_run_is_a_function_of_its_seed(search):
    rows, y = stream_with_everything()
    first, second = (small(search, random_state=7).learn_many(rows, y) for _ in range(2))
    assert answers(first, rows) == answers(second, rows)


# -- limits -----------------------------------------------------------------------------------------------------------


@every_search
def test_time_limit(search):
    rows, y = stream_with_everything()
    model = small(search, time_limit=0.0).fit(rows, y)
    assert model.predict(rows).shape == (len(rows),)


def test_iterations_of_the_search_over_trees():
    rows, y = xor_rows(50)
    assert small("trees", max_iter=7).fit(rows, y).n_iter_ == 7
    assert small("trees").fit(rows, y).n_iter_ == 1000


@every_search
def test_interruption_keeps_the_best_tree(search, monkeypatch):
    import tsdt.fitting

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(tsdt.fitting, "cycle" if search == "trees" else "search_on", interrupted)
    rows, y = xor_rows(100)
    with pytest.warns(RuntimeWarning, match="interrupted"):
        model = small(search).fit(rows, y)
    assert model.tree_.n_leaves >= 1


def test_improving_needs_the_search_over_branches():
    rows, y = xor_rows(100)
    with pytest.raises(TypeError, match="use search='branches'"):
        small("trees").fit(rows, y).improve(seconds=0.1)


def test_importing_is_quick():
    code = "import sys, tsdt; print(sorted({'numpy', 'sklearn', 'narwhals', 'tsdt._engine'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
    assert set(tsdt.__all__) <= set(dir(tsdt))
    with pytest.raises(AttributeError, match="no attribute 'Forest'"):
        tsdt.Forest  # noqa: B018


def test_no_warnings():
    rows, y = stream_with_everything()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = small("trees").learn_many(rows, y)
        model.predict(rows)
