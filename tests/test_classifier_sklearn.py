"""The estimator among scikit-learn's tools: its own checks, pipelines, searches over parameters, clones."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

from test_classifier import SEARCHES, small, xor_rows
from tsdt import TSDTClassifier


@parametrize_with_checks([TSDTClassifier(search=search, max_iter=40, time_limit=None) for search in SEARCHES])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def frame(n=300):
    rows, y = xor_rows(n)
    return pd.DataFrame(rows), np.array(y)


def test_clone_has_the_parameters_and_nothing_learned():
    X, y = frame()
    model = small("trees", schema={"a": "numeric"}).fit(X, y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "_learner")


def test_grid_search_over_the_price_of_a_split():
    X, y = frame()
    search = GridSearchCV(small("trees", max_iter=200), {"split_cost": [0.02, 0.6]}, cv=3).fit(X, y)
    assert search.best_params_ == {"split_cost": 0.02}
    assert search.best_score_ == 1.0


def test_cross_validation():
    X, y = frame()
    assert cross_val_score(small("trees", max_iter=200), X, y, cv=3).tolist() == [1.0] * 3


def test_pipelines():
    X, y = frame()
    columns = make_column_transformer(
        (OrdinalEncoder(), ["a", "b"]),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OrdinalEncoder()), ["colour"]),
    )
    model = make_pipeline(columns, small("trees", max_iter=200)).fit(X, y)
    assert model.score(X, y) == 1.0
    binned = make_pipeline(KBinsDiscretizer(3, encode="ordinal"), small("trees")).fit(
        np.random.rand(100, 2), [0, 1] * 50
    )
    assert binned.predict(np.random.rand(5, 2)).shape == (5,)


def test_pandas_output_of_a_transformer():
    X, y = frame()
    columns = make_column_transformer((OrdinalEncoder(), ["a", "b"]), verbose_feature_names_out=False)
    model = make_pipeline(columns, small("trees", max_iter=200)).set_output(transform="pandas").fit(X, y)
    assert model[-1].feature_names_in_.tolist() == ["a", "b"]


def test_no_sample_weights():
    X, y = frame()
    with pytest.raises(TypeError, match="sample_weight"):
        small("trees").fit(X, y, sample_weight=np.ones(len(y)))
