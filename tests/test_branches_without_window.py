"""Without a window all samples count, as the counts of distinct rows: values stay exact, and nothing is forgotten."""

from fractions import Fraction

import numpy as np

from exhaustive import optimum
from tsdt import TSDTClassifier
from tsdt.datasets import monk


def test_every_sample_counts():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (60, 3))
    y = (X[:, 0] == X[:, 1]).astype(int)
    model = TSDTClassifier(split_cost=0.05, window=0, batch_size=10, effort=1000.0, random_state=0)
    model.learn_many(X[:35], y[:35])
    model.learn_many(X[35:], y[35:])
    assert model.certificate_.proven
    assert model.certificate_.value == float(optimum(X.tolist(), y.tolist(), [False] * 3, Fraction("0.05")))
    assert model.tree_.n_samples == 60


def test_a_table_is_proven_as_with_a_window():
    table = monk(1)
    with_window = TSDTClassifier(split_cost=0.01, random_state=0).fit(table.X, table.y)
    without = TSDTClassifier(split_cost=0.01, window=0, random_state=0).fit(table.X, table.y)
    assert without.certificate_ == with_window.certificate_
    assert without.certificate_.proven
