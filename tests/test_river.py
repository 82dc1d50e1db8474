"""The classifier among River's tools: its own checks, pipelines, evaluation, selection, ensembles, words for trees."""

import builtins
import itertools
import pickle
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from river import (
    bandit,
    checks,
    compose,
    datasets,
    drift,
    ensemble,
    evaluate,
    imblearn,
    metrics,
    model_selection,
    multiclass,
    preprocessing,
    stream,
    utils,
)

import tsdt
from tsdt import ModelFileError
from tsdt.engine import engine_name
from tsdt.files import from_bytes, to_bytes
from tsdt.river import TSDTClassifier

PRICE = 0.01 if engine_name() == "python" else "auto"  # choosing it takes the plain engine too long for so many checks
CHECKED = [
    TSDTClassifier(PRICE, batch_size=20, effort=10.0),
    TSDTClassifier(search="trees", batch_size=20),
    TSDTClassifier(PRICE, leaf_prediction="adaptive", batch_size=20, effort=10.0),
]


def every_check():
    for model in CHECKED:
        for place, check in enumerate(checks.yield_checks(model)):
            name = f"{model.search}-{model.leaf_prediction}-{check.__name__}-{place}"
            yield pytest.param(model, check, id=name)


@pytest.mark.parametrize(("model", "check"), list(every_check()))
def test_rivers_own_checks(model, check):
    assert not model._unit_test_skips()
    check(model.clone())


def test_rivers_own_checks_with_the_default_parameters():
    checks.check_estimator(TSDTClassifier(effort=1.0))


def small(**settings):
    return TSDTClassifier(**{"split_cost": PRICE, "batch_size": 25, "seed": 1, "effort": 20.0, **settings})


def phishing(n=None):
    return list(itertools.islice(datasets.Phishing(), n))


def learned(n=500, **settings):
    model = small(**settings)
    for x, y in phishing(n):
        model.learn_one(x, y)
    return model


# -- in River's company ------------------------------------------------------------------------------------------------


def test_progressive_validation():
    score = evaluate.progressive_val_score(datasets.Phishing(), small(), metrics.Accuracy())
    assert score.get() > 0.85


def test_pipelines():
    model = (compose.SelectType(int, float) | preprocessing.StandardScaler()) + compose.SelectType(bool) | small()
    score = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    assert score.get() > 0.8
    x, _ = phishing(1)[0]
    assert "because" in model.debug_one(x)
    assert isinstance(model["TSDTClassifier"].height, int)


TOGETHER = {
    "bagging": lambda: ensemble.BaggingClassifier(small(), n_models=3, seed=1),
    "ADWIN bagging": lambda: ensemble.ADWINBaggingClassifier(small(), n_models=2, seed=1),
    "leveraging bagging": lambda: ensemble.LeveragingBaggingClassifier(small(), n_models=2, seed=1),
    "AdaBoost": lambda: ensemble.AdaBoostClassifier(small(), n_models=2, seed=1),
    "ADWIN boosting": lambda: ensemble.ADWINBoostingClassifier(small(), n_models=2, seed=1),
    "random patches": lambda: ensemble.SRPClassifier(small(), n_models=2, seed=1),
    "voting": lambda: ensemble.VotingClassifier([small(), small(split_cost=0.05)]),
    "stacking": lambda: ensemble.StackingClassifier([small(), small(split_cost=0.05)], meta_classifier=small()),
    "retraining after drift": lambda: drift.DriftRetrainingClassifier(small(), drift_detector=drift.binary.DDM()),
    "bandit": lambda: model_selection.BanditClassifier(
        [small(), small(split_cost=0.3)], metric=metrics.Accuracy(), policy=bandit.EpsilonGreedy(0.1, seed=1)
    ),
    "hard sampling": lambda: imblearn.HardSamplingClassifier(small(), size=30, p=0.1, seed=1),
    "one against the rest": lambda: multiclass.OneVsRestClassifier(small()),
}


@pytest.mark.parametrize("kind", TOGETHER)
def test_together_with_others(kind):
    score = evaluate.progressive_val_score(datasets.Phishing().take(300), TOGETHER[kind](), metrics.Accuracy())
    assert score.get() > 0.7


def test_model_selection():
    models = utils.expand_param_grid(small(), {"split_cost": [0.5, 0.01]})
    halving = model_selection.SuccessiveHalvingClassifier(models, metric=metrics.Accuracy(), budget=800, eta=2)
    for x, y in phishing():
        halving.predict_one(x)
        halving.learn_one(x, y)
    assert halving.best_model.split_cost == 0.01


def test_clone_has_the_parameters_and_nothing_learned():
    model = learned(100, split_cost=0.03, schema={"empty_server_form_handler": "categorical"})
    copy = model.clone()
    assert copy._get_params() == model._get_params()
    assert copy.n_nodes == 0
    assert model.clone({"split_cost": 0.2}).split_cost == 0.2
    with pytest.raises(ValueError, match="not a mutable attribute"):
        model.mutate({"split_cost": 0.1})


# -- samples -----------------------------------------------------------------------------------------------------------


def test_predicts_from_the_first_sample():
    model = small()
    assert model.predict_one({"a": 1}) is None
    assert model.predict_proba_one({"a": 1}) == {}
    model.learn_one({"a": 1}, "yes")
    assert model.predict_one({"a": 2}) == "yes"
    assert model.predict_proba_one({}) == {"yes": 1.0}


def test_every_class_seen_has_a_probability():
    model = learned(100)
    model.learn_one({}, "new")
    found = model.predict_proba_one({})
    assert set(found) == {True, False, "new"}
    assert found["new"] == 0.0


def test_features_come_and_go():
    model = small()
    for i in range(600):
        x = {"a": i % 2} if i < 200 else {"b": i // 2 % 2} if i < 400 else {"c": i % 3, "a": i % 2}
        model.learn_one(x, x.get("a", x.get("b")))
    assert model.predict_one({"a": 1}) == 1
    assert model.predict_one({}) in (0, 1)


def frames():
    X = pd.DataFrame([x for x, _ in phishing()])
    y = pd.Series([y for _, y in phishing()])
    return X, y


def test_many_is_one_by_one_only_faster():
    X, y = frames()
    one, many = learned(None), small()
    for part in np.array_split(np.arange(len(X)), 5):
        many.learn_many(X.iloc[part], y.iloc[part])
    assert to_bytes(many) == to_bytes(one)
    rows = X.to_dict("records")
    assert many.predict_many(X).tolist() == [one.predict_one(x) for x in rows]
    shares = many.predict_proba_many(X)
    assert shares.columns.tolist() == [False, True]
    assert shares.to_dict("records") == [dict(sorted(one.predict_proba_one(x).items())) for x in rows]


def test_frames_keep_their_index_and_may_lack_columns():
    X, y = frames()
    model = small()
    model.learn_many(X.iloc[:300], y.iloc[:300])
    model.learn_many(X.iloc[300:400, :3], y.iloc[300:400])
    model.learn_many(X.iloc[400:500].assign(new="x"), y.iloc[400:500])
    shown = X.iloc[500:503, 2:]
    assert model.predict_many(shown).index.tolist() == [500, 501, 502]
    assert model.predict_proba_many(shown).index.tolist() == [500, 501, 502]
    assert model.predict_many(pl.from_dicts(shown.to_dict("records"))).tolist() == model.predict_many(shown).tolist()
    assert model.predict_many(X.iloc[:0]).empty


def test_frames_before_anything_was_learned():
    X, y = frames()
    assert small().predict_many(X.iloc[:2]).tolist() == [None, None]
    assert small().predict_proba_many(X.iloc[:2]).shape == (2, 0)
    nothing = small()
    nothing.learn_many(X.iloc[:0], y.iloc[:0])
    assert nothing.n_nodes == 0


def test_names_are_needed():
    with pytest.raises(TypeError, match="X has no names; give a frame"):
        small().learn_many(np.zeros((2, 2)), [1, 2])


def test_mini_batches_in_pipelines():
    model = preprocessing.StandardScaler() | small()
    X, y = frames()
    for part in np.array_split(np.arange(len(X)), 10):
        model.learn_many(X.iloc[part].astype(float), y.iloc[part])
    assert (model.predict_many(X.astype(float)) == y).mean() > 0.8


def test_streams_of_other_kinds():
    X, y = frames()
    model = small()
    for x, label in stream.iter_frame(X, y):
        model.learn_one(x, label)
    assert model.n_leaves > 1


# -- the tree ----------------------------------------------------------------------------------------------------------


def test_nothing_learned_has_no_tree():
    model = small()
    assert (model.n_nodes, model.n_branches, model.n_leaves, model.height) == (0, 0, 0, 0)
    assert model.tree is model.certificate is model.to_dataframe() is model.debug_one({}) is model.draw() is None
    assert model.summary == {"n_nodes": 0, "n_branches": 0, "n_leaves": 0, "height": 0, "total_observed_weight": 0}


def test_the_tree_in_rivers_words():
    model = learned()
    assert model.n_nodes == model.n_branches + model.n_leaves == len(model.tree.nodes)
    assert model.height == model.tree.depth + 1
    summary = model.summary
    assert summary["total_observed_weight"] == 500
    assert summary["value"] == model.certificate.value
    assert set(summary) >= {"n_nodes", "n_branches", "n_leaves", "height", "gap", "proven"}


def test_a_frame_of_nodes():
    model = learned()
    frame = model.to_dataframe()
    assert len(frame) == model.n_nodes
    assert frame["is_leaf"].sum() == model.n_leaves
    assert pd.isna(frame["parent"].iloc[0])
    assert frame["depth"].max() == model.height - 1
    assert frame["path"].iloc[0] == ""
    leaf = frame[frame["is_leaf"]].iloc[0]
    assert leaf["path"]
    assert max(leaf["stats"], key=leaf["stats"].get) == leaf["prediction"]


def test_a_path_in_words():
    model, (x, _) = learned(), phishing(1)[0]
    text = model.debug_one(x)
    assert text.startswith(str(model.predict_one(x)))
    assert [name for name in x if name in text]


def test_a_picture(tmp_path):
    model = learned()
    drawing = model.draw()
    assert drawing._repr_svg_().startswith("<svg")
    assert drawing.source.startswith("digraph")
    assert str(drawing) == str(model.tree)
    drawing.save(str(tmp_path / "tree.svg"))
    drawing.save(str(tmp_path / "tree.dot"))
    assert (tmp_path / "tree.svg").read_text() == drawing._repr_svg_()
    assert (tmp_path / "tree.dot").read_text() == drawing.source
    assert model.draw(max_depth=0).tree.n_splits == 0
    cut = model.draw(max_depth=1).tree
    assert cut.depth == 1
    assert cut.nodes[0].counts == model.tree.nodes[0].counts
    assert model.draw(max_depth=99).tree == model.tree


# -- files -------------------------------------------------------------------------------------------------------------


def test_saved_and_continued(tmp_path):
    samples, path = phishing(), tmp_path / "m.tsdt"
    whole = learned(None)
    learned(333).save(path)
    again = tsdt.load(path)
    assert isinstance(again, TSDTClassifier)
    pickled = pickle.loads(pickle.dumps(learned(333)))
    for x, y in samples[333:]:
        again.learn_one(dict(reversed(x.items())), y)
        pickled.learn_one(x, y)
    assert to_bytes(again) == to_bytes(pickled) == to_bytes(whole)
    assert from_bytes(to_bytes(small())).model._get_params() == small()._get_params()


def test_without_river(tmp_path, monkeypatch):
    path = tmp_path / "m.tsdt"
    learned(30).save(path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "river" or name.startswith("tsdt.river")]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def absent(name, *rest, **more):
        if name.partition(".")[0] == "river":
            raise ImportError("No module named 'river'")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ModelFileError, match=r"m\.tsdt cannot be loaded here: .*pip install 'tsdt\[river\]'"):
        tsdt.load(path)
