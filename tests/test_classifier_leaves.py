"""Leaves that answer by naive Bayes: against a slow twin that counts rows, and on data where they matter."""

import math
import pickle

import numpy as np
import pytest

from test_classifier import SLOW, every_search, small, stream_with_everything

KINDS = ["naive-bayes", "adaptive"]


def slow_distribution(model, history, row):
    """Naive Bayes at the leaf of a row, counted row by row from the window."""
    tree, attributes = model.tree_, model.schema_.attributes
    end = tree.end(row)
    here = [(x, y) for x, y in history if tree.end(x) == end]
    if not tree.nodes[end].is_leaf or not here:
        return dict(zip(tree.classes, tree.distribution(end), strict=True))
    odds = {}
    for label in tree.classes:
        rows = [x for x, y in here if y == label]
        product = len(rows)
        for attribute in attributes:
            code = attribute.code(row.get(attribute.name))
            if code >= 0:
                same = sum(attribute.code(x.get(attribute.name)) == code for x in rows)
                product *= (same + 1) / (len(rows) + len(attribute.categories))
        odds[label] = product
    total = sum(odds.values())
    return {label: value / total for label, value in odds.items()}


@every_search
@pytest.mark.parametrize("window", [200, 10_000])
def test_naive_bayes_agrees_with_its_slow_twin(search, window):
    rows, y = stream_with_everything(500)
    model = small(search, leaf_prediction="naive-bayes", window=window, bins=4, split_cost=0.05)
    for start, stop in ((0, 60), (60, 200), (200, 340), (340, 500)):
        model.learn_many(rows[start:stop], y[start:stop])
        history = list(zip(rows, y, strict=True))[max(0, stop - window) : stop]
        unseen = {"small": 99, "text": "never", "number": None}
        for row in [*rows[:stop:37], unseen]:
            expected = slow_distribution(model, history, row)
            assert model.predict_proba_one(row) == pytest.approx(expected)
            assert model.predict_one(row) == max(expected, key=expected.get)
        table = model.predict_proba(rows[:stop:37])
        one_by_one = [[model.predict_proba_one(row)[label] for label in model.classes_] for row in rows[:stop:37]]
        assert np.allclose(table, one_by_one)
        assert model.predict(rows[:stop:37]).tolist() == [model.predict_one(row) for row in rows[:stop:37]]


def additive(n, seed=0):
    """Ten weak hints of the class: no small tree sees them all, naive Bayes does."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    hints = (random.random((n, 10)) < 0.7) == (y[:, None] == 1)
    return hints.astype(int), y


@every_search
@pytest.mark.parametrize("kind", KINDS)
def test_it_helps_where_it_should(search, kind):
    X, y = additive(1000 if SLOW else 4000)
    fresh, truth = additive(2000, seed=1)
    settings = {"split_cost": 0.02, "batch_size": 100}
    plain = small(search, **settings).learn_many(X, y)
    model = small(search, leaf_prediction=kind, **settings).learn_many(X, y)
    assert model.tree_.nodes == plain.tree_.nodes
    assert model.score(fresh, truth) > plain.score(fresh, truth) + 0.05


def misleading(n, seed=0):
    """Two copies of each of two wrong hints outvote the right one, which the majority at its leaf follows."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    noise = random.random(n) < 0.3
    weak = np.where(noise, 1 - y, y)
    return np.column_stack([y, *[weak] * 8]), y


@every_search
def test_adaptive_leaves_are_no_worse_than_their_majority(search):
    X, y = misleading(1000 if SLOW else 3000)
    model = small(search, leaf_prediction="adaptive", batch_size=100).learn_many(X, y)
    assert model.score(*misleading(1000, seed=1)) == 1.0
    rows, labels = stream_with_everything(700)
    plain, adaptive = (small(search, leaf_prediction=kind) for kind in ("majority", "adaptive"))
    hits = {"plain": 0, "adaptive": 0}
    for row, label in zip(rows, labels, strict=True):
        hits["plain"] += plain.learn_one(row, label).predict_one(row) == label
        hits["adaptive"] += adaptive.learn_one(row, label).predict_one(row) == label
    assert hits["adaptive"] >= hits["plain"] - 20


@every_search
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("window", [0, 150, 10_000])
def test_chunks_do_not_matter_to_leaves(search, kind, window):
    rows, y = stream_with_everything(n := 240 if SLOW else 500)
    models = [small(search, leaf_prediction=kind, window=window, bins=4) for _ in range(3)]
    for row, label in zip(rows, y, strict=True):
        models[0].learn_one(row, label)
    for size, model in zip([500, 33], models[1:], strict=True):
        for start in range(0, n, size):
            model.learn_many(rows[start : start + size], y[start : start + size])
    expected = models[0].predict_proba(rows)
    assert all(np.array_equal(model.predict_proba(rows), expected) for model in models)
    again = pickle.loads(pickle.dumps(models[0]))
    assert np.array_equal(again.predict_proba(rows), expected)
    assert np.array_equal(
        again.learn_many(rows, y).predict_proba(rows), models[0].learn_many(rows, y).predict_proba(rows)
    )


@every_search
@pytest.mark.parametrize("kind", KINDS)
def test_leaves_after_fit(search, kind):
    X, y = additive(500)
    model = small(search, leaf_prediction=kind, max_iter=30).fit(X, y)
    assert model.score(X, y) > 0.85
    distributions = model.predict_proba(X)
    assert np.allclose(distributions.sum(axis=1), 1.0)
    assert all(math.isfinite(share) for share in distributions.ravel())
    model.learn_many(X, y)
    assert model.score(X, y) > 0.85
