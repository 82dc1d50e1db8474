"""`split_cost="auto"`: the price is chosen from the samples, the choice can be read, chunks do not matter."""

import pickle

import numpy as np
import pytest

import tsdt.priced_engine
from test_classifier import SEARCHES, SLOW, answers
from tsdt import TSDTClassifier
from tsdt.prices import PRICES

pytestmark = pytest.mark.skipif("branches" not in SEARCHES, reason="the engine has no search over branches")


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    monkeypatch.setattr(tsdt.priced_engine, "LOOKS", 5 if SLOW else 50)


def auto(**settings):
    return TSDTClassifier(**{"split_cost": "auto", "batch_size": 50, "effort": 5, "random_state": 0, **settings})


def noisy_rows(n, noise, seed=0):
    """The class is one of two conditions, wrong at times, among columns that say nothing."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (n, 6))
    y = (X[:, 0] == 1) | (X[:, 1] == 2)
    return X, (y ^ (random.random(n) < noise)).astype(int)


def test_a_table():
    X, y = noisy_rows(600, 0.1)
    model = auto(time_limit=5.0).fit(X, y)
    assert model.split_cost_ in PRICES
    assert {a.name for a in model.schema_.attributes if model.feature_importances_[a.position] > 0} == {"x0", "x1"}
    assert model.score(*noisy_rows(1000, 0.0, seed=1)) == 1.0
    assert f"split_cost {model.split_cost_:g}: the dearest" in str(model.split_cost_choice_)
    assert "chosen" in str(model.split_cost_choice_)
    assert model.certificate_.value == pytest.approx(
        model.score(X, y) - model.split_cost_ * model.tree_.n_splits, abs=1e-9
    )


def test_pure_noise_is_left_alone():
    X, _ = noisy_rows(600, 0.0)
    model = auto(time_limit=5.0).fit(X, np.random.default_rng(5).integers(0, 2, 600))
    assert model.tree_.n_splits == 0


def test_a_stream_whatever_its_chunks():
    X, y = noisy_rows(n := 1100 if SLOW else 3000, 0.1)
    models = [auto() for _ in range(3)]
    for model, size in zip(models, (50, 770, 3000), strict=True):
        for start in range(0, n, size):
            model.learn_many(X[start : start + size], y[start : start + size])
    assert answers(models[0], X) == answers(models[1], X) == answers(models[2], X)
    assert models[0].split_cost_choice_ is not None
    assert models[0].split_cost_ in PRICES
    assert models[0].score(*noisy_rows(1000, 0.0, seed=1)) == 1.0
    again = pickle.loads(pickle.dumps(models[0]))
    assert answers(again.learn_many(X, y), X) == answers(models[1].learn_many(X, y), X)


def test_iterations_go_on_counting_when_the_price_changes():
    X, y = noisy_rows(n := 1100 if SLOW else 3000, 0.02)
    model, before = auto(), 0
    prices = set()
    for start in range(0, n, 50):
        model.learn_many(X[start : start + 50], y[start : start + 50])
        assert model.n_iter_ >= before
        before = model.n_iter_
        prices.add(model.split_cost_)
    assert len(prices) > 1


def test_a_price_that_is_given_is_not_chosen():
    X, y = noisy_rows(200, 0.1)
    model = auto(split_cost=0.07).fit(X, y)
    assert model.split_cost_ == 0.07
    assert model.split_cost_choice_ is None


def test_before_the_first_choice():
    X, y = noisy_rows(120, 0.1)
    model = auto().learn_many(X, y)
    assert model.split_cost_ == 0.01
    assert model.split_cost_choice_ is None
