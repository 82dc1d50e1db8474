"""The estimator among scikit-learn's tools: its own checks, pipelines, searches over parameters, clones."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

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


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_out_of_a_transformer(library):
    X, y = frame()
    columns = make_column_transformer((OrdinalEncoder(), ["a", "b"]), verbose_feature_names_out=False)
    model = make_pipeline(columns, small("trees", max_iter=200)).set_output(transform=library).fit(X, y)
    assert model[-1].feature_names_in_.tolist() == ["a", "b"]
    assert pickle.loads(pickle.dumps(model)).predict(X).tolist() == model.predict(X).tolist()


TOGETHER = {
    "bagging": lambda model: BaggingClassifier(model, n_estimators=2, random_state=0),
    "voting": lambda model: VotingClassifier([("one", model), ("other", clone(model))], voting="soft"),
    "stacking": lambda model: StackingClassifier([("one", model)], cv=2),
    "calibrated": lambda model: CalibratedClassifierCV(model, cv=2),
    "one against the rest": OneVsRestClassifier,
    "in two processes": lambda model: GridSearchCV(model, {"split_cost": [0.02]}, cv=2, n_jobs=2),
}


@pytest.mark.parametrize("kind", TOGETHER)
def test_together_with_others(kind):
    X, y = frame()
    assert TOGETHER[kind](small("trees", max_iter=200)).fit(X, y).score(X, y) > 0.9


def test_metadata_routing():
    X, y = frame()
    with config_context(enable_metadata_routing=True):
        search = GridSearchCV(make_pipeline(small("trees", max_iter=50)), {"tsdtclassifier__split_cost": [0.02]}, cv=2)
        assert search.fit(X, y).best_score_ > 0.5


def test_no_sample_weights():
    X, y = frame()
    for learn in (small("trees").fit, small("trees").partial_fit):
        with pytest.raises(TypeError, match=r"got sample_weight, but there are no weights here.*repeat the rows"):
            learn(X, y, sample_weight=np.ones(len(y)))
        with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
            learn(X, y, weights=np.ones(len(y)))
        assert learn(X, y, sample_weight=None).score(X, y, sample_weight=np.ones(len(y))) > 0
    assert not has_fit_parameter(TSDTClassifier(), "sample_weight")  # so that others do without it or say so
    with pytest.raises(ValueError, match="TSDTClassifier doesn't support sample_weight"):
        AdaBoostClassifier(small("trees")).fit(X[["a", "b"]], y)


def test_features_are_known_however_they_were_learned():
    X, y = frame(40)
    model = small("trees")
    assert not hasattr(model, "n_features_in_") and not hasattr(model, "feature_names_in_")
    one_by_one = small("trees").learn_one(X.iloc[0].to_dict(), y[0])
    for model in (
        one_by_one,
        small("trees").fit(X, y),
        small("trees").learn_many(X, y),
        small("trees").partial_fit(X, y),
    ):
        assert model.n_features_in_ == X.shape[1]
        assert model.feature_names_in_.tolist() == X.columns.tolist()
    one_by_one.learn_one({"late": 1}, y[0])
    assert one_by_one.feature_names_in_.tolist() == [*X.columns, "late"]
    bare = small("trees").fit(np.zeros((20, 3)), [0, 1] * 10)
    assert bare.n_features_in_ == 3 and not hasattr(bare, "feature_names_in_")


def test_names_that_were_not_learned_are_refused_in_words():
    model = small("trees").fit(np.arange(40).reshape(20, 2), [0, 1] * 10)
    with pytest.raises(ValueError, match=r"X has the columns 'p', 'q', but the model was learned from a table without"):
        model.predict(pd.DataFrame({"p": [1], "q": [2]}))
    assert len(model.predict([{"x0": 1}])) == len(model.predict(pd.DataFrame({"x0": [1], "x1": [2]}))) == 1
