"""What the search over trees finds: the paper's experiments, as large as a test can afford."""

from __future__ import annotations

import numpy as np
import pytest

from engines import both, compiled, needs_compiled, tree_search
from tsdt import TSDTClassifier
from tsdt.datasets import monk1, xnor
from tsdt.engine import engine_name


def splits(search):
    """The attributes that the tree splits, one for each split."""
    return [node[0] for node in search.tree() if node[0] >= 0]


def xnor_run(engine, q, iterations, backup, seed):
    search = tree_search(engine, split_cost=0.05, backup=backup, seed=seed)
    search.grow([2] * q, [False] * q, 2)
    X, y = next(iter(xnor(q=q, seed=seed).chunks(100 * iterations)))
    search.learn(np.ascontiguousarray(X, dtype=np.uint16), np.asarray(y, dtype=np.uint16))
    return search


@both
@pytest.mark.parametrize("backup", ["fast", "clark"])
def test_xnor_of_five(engine, backup):
    found = splits(xnor_run(engine, 5, 100, backup, seed=0))
    assert len(found) == 3
    assert {*found} == {0, 1}


@needs_compiled
@pytest.mark.parametrize("q", [20, 100])
@pytest.mark.parametrize("backup", ["fast", "clark"])
def test_xnor_of_many(q, backup):
    runs = [splits(xnor_run(compiled, q, 400, backup, seed)) for seed in range(5)]
    assert all(len(found) == 3 and {*found} == {0, 1} for found in runs)


def monk_objectives(encoding: str, split_cost: float, iterations: int, seeds: int) -> list[float]:
    """The training rows, cycled: accuracy on them less the price of the splits, a run for each seed."""
    train, test = monk1(encoding)
    objectives = []
    for seed in range(seeds):
        model = TSDTClassifier(search="trees", split_cost=split_cost, max_iter=iterations, random_state=seed)
        model.fit(train.X, train.y)
        objectives.append(model.score(train.X, train.y) - split_cost * model.tree_.n_splits)
        if model.tree_.n_splits == OPTIMUM.get(encoding):
            assert model.score(test.X, test.y) == 1.0
    return objectives


OPTIMUM = {"original": 10, "drop last": 7}
"""How many splits the tree needs that is right on all robots."""
fast_enough = pytest.mark.skipif(engine_name() == "python", reason="the engine in plain Python takes minutes for this")


@fast_enough
@pytest.mark.needs_data
def test_monk_1_original():
    objectives = monk_objectives("original", 0.01, 1000, 10)
    assert min(objectives) >= 0.89 - 1e-9
    assert sum(objective > 0.9 - 1e-9 for objective in objectives) >= 6  # .9 is the optimum


@fast_enough
@pytest.mark.needs_data
def test_monk_1_drop_last():
    assert monk_objectives("drop last", 0.01, 1000, 10) == pytest.approx([0.93] * 10)


@fast_enough
@pytest.mark.needs_data
def test_monk_1_drop_first():
    objectives = monk_objectives("drop first", 0.0025, 10_000, 3)
    assert min(objectives) >= 0.945 - 1e-9
