"""Models as files: what was saved goes on as if it had never stopped, whatever it holds and wherever it is loaded."""

import copy
import io
import os
import pickle
import random
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from uuid import UUID
from zoneinfo import ZoneInfo

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import tsdt
from tsdt import TSDTClassifier, engine_state
from tsdt.engine import engine_name
from tsdt.files import from_bytes, open_saved, to_bytes

SETTINGS = {
    "branches": {},
    "trees": {"search": "trees", "backup": "clark"},
    "auto": {"split_cost": "auto"},
    "adaptive": {"leaf_prediction": "adaptive", "max_categories": 3},
    "no window": {"search": "trees", "window": 0, "leaf_prediction": "naive-bayes"},
}
if engine_name() == "python":
    del SETTINGS["auto"]  # it takes minutes there


def stream(n, seed=0):
    """Numbers, categories, missing values, a column that shows up late, and whole numbers that outgrow categories."""
    draw, samples = random.Random(seed), []
    for i in range(n):
        x = {"a": draw.randint(0, 1), "b": draw.choice(["u", "v", "w", "x", None]), "n": draw.gauss(0, 1)}
        x["k"] = draw.randint(0, 3 if i < 150 else 40)
        if i > 120:
            x["late"] = draw.choice([True, False])
        samples.append((x, draw.choice("pq") if i % 9 == 0 else "p" if bool(x["a"]) != (x["n"] > 0.3) else "q"))
    return samples


def model_of(name, **more):
    given = {"batch_size": 25, "window": 200, "random_state": 3, "effort": 5.0, **SETTINGS[name], **more}
    return TSDTClassifier(**given)


def learn(model, samples):
    for x, y in samples:
        model.learn_one(x, y)
    return model


def through_pickle(model):
    return pickle.loads(pickle.dumps(model))


def through_file(model):
    return from_bytes(to_bytes(model)).model


def through_joblib(model):
    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    buffer.seek(0)
    return joblib.load(buffer)


WAYS = [through_file, through_pickle, copy.deepcopy, through_joblib]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SETTINGS)
def test_goes_on_as_if_it_had_never_stopped(name, way):
    samples = stream(400)
    whole, parted = model_of(name), model_of(name)
    for start, stop in [(0, 13), (13, 160), (160, 277), (277, 400)]:
        parted = way(learn(parted, samples[start:stop]))
        assert to_bytes(parted) == to_bytes(learn(whole, samples[start:stop]))
    assert parted.tree_ == whole.tree_
    assert parted.certificate_ == whole.certificate_
    assert parted.get_params() == whole.get_params()
    rows = [x for x, _ in samples]
    assert (parted.predict_proba(rows) == whole.predict_proba(rows)).all()
    assert str(parted.schema_) == str(whole.schema_)


@pytest.mark.parametrize("search", ["branches", "trees"])
def test_after_fit(search, tmp_path):
    X = pd.DataFrame([x for x, _ in stream(300)])
    y = [y for _, y in stream(300)]
    model = TSDTClassifier(search=search, max_iter=30, time_limit=None, random_state=0, schema={"b": "categorical"})
    model.fit(X, y).save(tmp_path / "m.tsdt")
    again = tsdt.load(tmp_path / "m.tsdt")
    assert again.tree_ == model.tree_
    assert again.feature_names_in_.tolist() == list(X.columns)
    assert (again.predict(X) == model.predict(X)).all()
    assert to_bytes(again.learn_many(X, y)) == to_bytes(model.learn_many(X, y))


SCRIPT = """
import pickle, sys, tsdt
model, samples = tsdt.load(sys.argv[1]), pickle.load(open(sys.argv[2], "rb"))
for x, y in samples:
    model.learn_one(x, y)
model.save(sys.argv[1])
"""


def test_continued_in_a_new_process(tmp_path):
    name = "adaptive"
    samples, path, rest = stream(500), tmp_path / "m.tsdt", tmp_path / "rest.pickle"
    learn(model_of(name), samples[:210]).save(path)
    rest.write_bytes(pickle.dumps(samples[210:]))
    subprocess.run([sys.executable, "-c", SCRIPT, str(path), str(rest)], check=True)
    assert path.read_bytes() == to_bytes(learn(model_of(name), samples))


def test_before_anything_was_learned(tmp_path):
    model = TSDTClassifier(0.2, schema={"age": "numeric", "size": {"small", "large"}, 3: {"edges": [1, 2]}})
    model.save(tmp_path / "m.tsdt")
    again = tsdt.load(tmp_path / "m.tsdt")
    assert again.get_params() == model.get_params()
    assert again.predict_one({"age": 3}) is None
    assert again.learn_one({"age": 3}, "old").predict_one({}) == "old"


def test_a_schema_from_another_model_and_a_generator_as_seed():
    teacher = learn(model_of("branches"), stream(100))
    pupil = TSDTClassifier(schema=teacher.schema_, effort=2.0, random_state=np.random.RandomState(5))
    again = through_file(pupil)
    assert to_bytes(again) == to_bytes(pupil)
    samples = stream(300, seed=2)
    assert learn(again, samples).tree_ == learn(pupil, samples).tree_
    attributes = TSDTClassifier(schema={a.name: a for a in teacher.tree_.attributes})
    assert through_file(attributes).schema == attributes.schema


# -- values ------------------------------------------------------------------------------------------------------------

VALUES = [
    "text", "", "\ud800", "\0", 0, -1, 10**30, 1.5, -0.0, 1e-308, float("inf"), True, False, b"", b"\xff" * 99,
    (), (1, ("a", None)),
    date(2024, 2, 29), datetime(2024, 5, 1, 12, 30, 0, 5), datetime(2024, 5, 1, tzinfo=UTC), time(1, 2, 3, fold=1),
    datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1), timedelta(days=-3, microseconds=7),
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5, minutes=30))), Decimal("1.10"), Fraction(1, 3), UUID(int=7),
    frozenset({"a"}), np.int64(3), np.float32(0.1), np.str_("np"), np.bool_(True), np.datetime64("2024-05-01T10"),
    pd.Interval(0.5, 1, closed="left"), pd.Interval(pd.Timestamp("2024-05-01"), pd.Timestamp("2024-06-01")),
    pd.Period("2024-05", "M"), pd.Period("2024-05-01 10:00", "h"),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_categories_and_classes_keep_their_types(value):
    model = TSDTClassifier(batch_size=2, random_state=0, schema={"c": "categorical"})
    label = "yes" if isinstance(value, (float, np.floating)) and not value.is_integer() else value
    for i in range(7):
        model.learn_one({"c": value if i % 2 else "other"}, label if i % 2 else "no")
    again = through_file(model)
    for kept, was in [(again.schema_.classes, model.schema_.classes), (again.classes_, model.classes_)]:
        assert list(map(repr, kept)) == list(map(repr, was))
        assert list(map(type, kept)) == list(map(type, was))
    assert repr(again.schema_.attributes) == repr(model.schema_.attributes)
    assert repr(again.predict_one({"c": value})) == repr(model.predict_one({"c": value}))


def test_missing_values_of_every_kind_while_they_wait():
    model = TSDTClassifier(batch_size=10)
    for missing in (None, float("nan"), np.nan, pd.NA, pd.NaT, Decimal("NaN"), np.datetime64("NaT")):
        model.learn_one({"c": missing, "d": 1}, "yes")
    again, rest = through_file(model), [({"c": "x", "d": 2}, "no")] * 5
    assert str(learn(again, rest).schema_) == str(learn(model, rest).schema_)


def test_a_time_of_pandas_is_kept_as_the_same_time():
    model = TSDTClassifier().learn_one({"day": pd.Timestamp("2024-05-01 10:00", tz="UTC")}, "may")
    assert through_file(model)._learner._waiting.rows == [(pd.Timestamp("2024-05-01 10:00", tz="UTC"),)]
    model = TSDTClassifier().learn_one({"span": pd.Timedelta(hours=3)}, "short")
    assert through_file(model)._learner._waiting.rows == [(timedelta(hours=3),)]


class Colour:
    def __repr__(self):
        return "Colour()"


@pytest.mark.parametrize(("value", "said"), [(Colour(), "Colour"), (1j, "complex"), ((1, Colour()), "Colour")], ids=str)
def test_refuses_values_that_would_need_code(value, said, tmp_path):
    model = TSDTClassifier().learn_one({"a": 1}, value)
    with pytest.raises(TypeError, match=rf"{said}.*cannot be saved; text, numbers"):
        model.save(tmp_path / "m.tsdt")
    assert list(tmp_path.iterdir()) == []


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(max_size=99)
scalars = scalars | st.datetimes() | st.dates() | st.times() | st.timedeltas() | st.decimals() | st.fractions()
nested = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)


@given(st.lists(nested, max_size=8))
@settings(max_examples=150, deadline=None)
def test_any_values_as_notes(values):
    model = TSDTClassifier()
    again = from_bytes(to_bytes(model, {"values": values})).notes["values"]
    assert repr(again) == repr(values)


# -- files -------------------------------------------------------------------------------------------------------------


def test_notes(tmp_path):
    path = tmp_path / "m.tsdt"
    model_of("trees").save(path, notes={"rows": 12, "rejects": [1, 2], "from": {"file": "a.csv"}})
    assert open_saved(path).notes == {"rows": 12, "rejects": [1, 2], "from": {"file": "a.csv"}}


def test_a_failure_leaves_the_old_file(tmp_path, monkeypatch):
    path, first = tmp_path / "m.tsdt", learn(model_of("trees"), stream(50))
    first.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        learn(first, stream(60)).save(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.tsdt"]


def test_what_a_crash_leaves_is_overwritten(tmp_path):
    (tmp_path / ".m.tsdt.saving").write_bytes(b"x" * 100_000)
    model_of("trees").save(tmp_path / "m.tsdt")
    assert tsdt.load(tmp_path / "m.tsdt").search == "trees"
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.tsdt"]


def test_links_and_permissions_stay(tmp_path):
    real, link = tmp_path / "real.tsdt", tmp_path / "link.tsdt"
    model_of("trees").save(real)
    real.chmod(0o640)
    link.symlink_to(real)
    model_of("branches").save(link)
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert tsdt.load(real).search == "branches"


def test_many_threads_save_to_one_file(tmp_path):
    path = tmp_path / "m.tsdt"
    models = [learn(model_of("trees"), stream(30 * i)) for i in range(1, 5)]
    joblib.Parallel(4, backend="threading")(joblib.delayed(m.save)(path) for m in models * 25)
    assert path.read_bytes() in [to_bytes(model) for model in models]


def test_folders_and_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no\.tsdt"):
        tsdt.load(tmp_path / "no.tsdt")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        model_of("trees").save(tmp_path / "nowhere" / "m.tsdt")
    with pytest.raises(IsADirectoryError):
        tsdt.load(tmp_path)


def test_pipelines_through_joblib():
    X, y = pd.DataFrame({"c": ["u", "v"] * 50}), [1, 0] * 50
    model = make_pipeline(OrdinalEncoder(), TSDTClassifier(batch_size=10, time_limit=1.0)).fit(X, y)
    assert (through_joblib(model).predict(X) == y).all()


# -- engines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["branches", "trees", "adaptive"])
def test_without_its_engine_a_model_predicts_but_cannot_learn(name, monkeypatch):
    samples = stream(260)
    model = learn(model_of(name), samples)
    content, rows = to_bytes(model), [x for x, _ in samples]
    monkeypatch.setattr(engine_state, "MODULES", {"tsdt.no_such_engine": engine_name()})
    with pytest.warns(RuntimeWarning, match="predicts but cannot learn here"):
        resting = from_bytes(content).model
    assert resting.tree_ == model.tree_
    assert resting.certificate_ == model.certificate_
    assert (resting.predict_proba(rows) == model.predict_proba(rows)).all()
    assert to_bytes(resting) == content  # nothing is lost by saving it there
    with pytest.raises(RuntimeError, match=r"without its engine.*cannot learn; load it where"):
        learn(resting, stream(60))


def test_a_state_of_another_version_of_the_engine():
    model = learn(model_of("branches"), stream(60))
    kept = engine_state.EngineState.of(model._learner.engine)
    with pytest.warns(RuntimeWarning, match="cannot learn here"):
        search = kept._replace(state=b"another" + kept.state).restore()
    assert search.tree() == kept.answer.tree
