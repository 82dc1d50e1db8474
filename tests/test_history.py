"""The history of a model: it moves one way, stays small, and costs the learning nothing of its result."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from test_classifier import SEARCHES
from tsdt import Certificate, TSDTClassifier
from tsdt.datasets import tic_tac_toe
from tsdt.history import MOST, History

branches = pytest.mark.skipif("branches" not in SEARCHES, reason="the engine has no search over branches")


@branches
def test_a_fit_shows_the_gap_closing():
    table = tic_tac_toe().in_words()
    model = TSDTClassifier(split_cost=0.02, random_state=0).fit(table.columns, table.y)
    history = model.history_
    assert len(history) >= 3 and len(history) <= MOST
    assert all(a.value <= b.value + 1e-9 and a.upper >= b.upper - 1e-9 for a, b in pairwise(history))
    assert all(a.seconds <= b.seconds and a.n_iter < b.n_iter for a, b in pairwise(history))
    assert (history[-1].value, history[-1].upper) == (model.certificate_.value, model.certificate_.upper)
    assert history[-1].n_seen == 958


@pytest.mark.parametrize("search", SEARCHES)
def test_a_stream_is_followed(search):
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (3000, 4))
    model = TSDTClassifier(search=search, effort=5, random_state=0).learn_many(X, X[:, 0] != X[:, 1])
    seen = [moment.n_seen for moment in model.history_]
    assert seen[0] == 3000 or seen == sorted(seen)
    assert len(pickle.loads(pickle.dumps(model)).history_) == len(model.history_)


def test_it_stays_small():
    history = History()
    for n in range(1, 3 * MOST):
        history.note(n, n, lambda: Certificate(0.5, 1.0, False), last=True)
    assert len(history) <= MOST and history[0].n_seen == 1 and history[-1].n_seen == 3 * MOST - 1
