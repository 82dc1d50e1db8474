"""Batches from anything: every source of the same rows gives the same model, in bounded memory."""

import gzip
import io
import json
import random
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tsdt
import tsdt.river
from tsdt import TSDTClassifier, frames
from tsdt.files import to_bytes
from tsdt.readers import SAMPLES, read_batches

NAMES = ["size", "colour", "weight", "class"]


def table(n=400, seed=0):
    draw = random.Random(seed)
    rows = []
    for _ in range(n):
        size, colour = draw.randint(0, 50), draw.choice(["red", "green", "dark, blue", None])
        weight = None if draw.random() < 0.1 else round(draw.gauss(0, 1), 3)
        rows.append([size, colour, weight, "yes" if size > 20 and colour != "red" else "no"])
    return rows


def dicts(rows):
    return [dict(zip(NAMES, row, strict=True)) for row in rows]


def samples(rows):
    return [({name: x[name] for name in NAMES[:-1]}, x["class"]) for x in dicts(rows)]


def frame(rows):
    return pl.DataFrame(rows, schema=NAMES, orient="row")


def small(**settings):
    return TSDTClassifier(batch_size=20, random_state=0, effort=2.0, **settings)


def relation(rows):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().from_df(pd.DataFrame(rows, columns=NAMES))


def arrow(rows):
    pa = pytest.importorskip("pyarrow")
    return pa.Table.from_pylist(dicts(rows))


IN_MEMORY = {
    "dict of columns": lambda rows: dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True)),
    "list of dicts": dicts,
    "generator of dicts": lambda rows: (x for x in dicts(rows)),
    "samples": samples,
    "generator of samples": lambda rows: (sample for sample in samples(rows)),
    "pandas": lambda rows: pd.DataFrame(rows, columns=NAMES),
    "polars": frame,
    "polars lazy": lambda rows: frame(rows).lazy(),
    "pyarrow": arrow,
    "pyarrow batches": lambda rows: arrow(rows).to_reader(max_chunksize=37),
    "duckdb": relation,
    "frames one by one": lambda rows: (frame(rows[i : i + 90]) for i in range(0, len(rows), 90)),
    "(frame, labels) one by one": lambda rows: (
        (part.drop("class"), part["class"]) for part in (frame(rows[:150]), frame(rows[150:]))
    ),
}


@pytest.mark.parametrize("batch_rows", [7, 1000])
@pytest.mark.parametrize("kind", IN_MEMORY)
def test_every_source_gives_the_same_model(kind, batch_rows):
    rows = table()
    expected = to_bytes(small().learn_many([x for x, _ in samples(rows)], [y for _, y in samples(rows)]))
    model = small()
    for X, y in read_batches(IN_MEMORY[kind](rows), "class", batch_rows=batch_rows):
        if "frame" not in kind:
            assert len(y) <= batch_rows
        model.learn_many(X, y)
    assert to_bytes(model) == expected
    assert to_bytes(small().learn_from(IN_MEMORY[kind](rows), "class")) == expected


def write_csv(path, rows, delimiter=","):
    text = frame(rows).write_csv(separator=delimiter)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def write_jsonl(path, rows):
    text = "".join(json.dumps(row) + "\n" for row in dicts(rows))
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


WRITERS = {
    "rows.csv": write_csv,
    "rows.csv.gz": write_csv,
    "rows.tsv": lambda path, rows: write_csv(path, rows, "\t"),
    "semicolons.csv": lambda path, rows: write_csv(path, rows, ";"),
    "rows.jsonl": write_jsonl,
    "rows.ndjson.gz": write_jsonl,
    "rows.parquet": lambda path, rows: frame(rows).write_parquet(path, row_group_size=150),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("as_text", [str, lambda path: path], ids=["text", "path"])
def test_files(name, as_text, tmp_path):
    rows, path = table(), tmp_path / name
    WRITERS[name](path, rows)
    model, expected = small().learn_from(as_text(path), "class"), small().learn_from(samples(rows))
    assert model.tree_.to_text() == expected.tree_.to_text()
    assert model.tree_.n_splits >= 2
    found = [model.predict(X) for X, _ in read_batches(path, batch_rows=64, like=model)]
    assert max(map(len, found)) <= 64
    assert np.concatenate(found).tolist() == expected.predict([x for x, _ in samples(rows)]).tolist()


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    rows, path = table(), tmp_path / "rows.parquet"
    frame(rows).write_parquet(path, row_group_size=150)
    expected = to_bytes(small().learn_from(path, "class"))
    monkeypatch.setattr(frames.importlib.util, "find_spec", lambda name: None if name == "pyarrow" else name)
    assert to_bytes(small().learn_from(path, "class")) == expected
    monkeypatch.setattr(frames.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"rows\.parquet is a Parquet file, which needs pyarrow or polars"):
        small().learn_from(path, "class")


def test_a_long_file_takes_no_more_memory_than_a_short_one(tmp_path):
    pa = pytest.importorskip("pyarrow")
    draw, path = np.random.default_rng(0), tmp_path / "long.parquet"
    long = pl.DataFrame({f"n{i}": draw.normal(size=120_000) for i in range(6)})
    long.with_columns(pl.lit("x").alias("class")).write_parquet(path, row_group_size=4000)
    held = [pa.total_allocated_bytes() for _ in read_batches(path, "class", batch_rows=4000)]
    assert len(held) == 30
    assert max(held) < 1.5 * max(held[:3])


def test_standard_input(tmp_path):
    rows, path = table(), tmp_path / "m.tsdt"
    script = f"import tsdt; tsdt.TSDTClassifier(effort=5.0).learn_from('-', 'class').save({str(path)!r})"
    subprocess.run([sys.executable, "-c", script], input=frame(rows).write_csv().encode(), check=True)
    assert tsdt.load(path).predict_one({"size": 30, "colour": "green"}) == "yes"


def test_arrays():
    rows = np.random.default_rng(0).normal(size=(300, 3)).round(2)
    rows[:, 2] = rows[:, 0] > 0
    by_place = small().learn_from(rows, 2)
    assert to_bytes(by_place) == to_bytes(small().learn_many(rows[:, :2], rows[:, 2]))
    assert to_bytes(small().learn_from(rows, -1)) == to_bytes(by_place)
    assert [len(X) for X, _ in read_batches(rows, batch_rows=128)] == [128, 128, 44]
    lists = [[*row[:2], str(row[2])] for row in rows.tolist()]
    assert small().learn_from(lists, 2).tree_.n_splits == by_place.tree_.n_splits
    records = np.array([(1, "a"), (2, "b")], dtype=[("n", "i8"), ("class", "U1")])
    assert small().learn_from(records, "class").classes_.tolist() == ["a", "b"]


def test_river_streams():
    datasets = pytest.importorskip("river.datasets")
    model = small().learn_from(datasets.Phishing())
    assert model.tree_.n_samples > 1000


def test_samples_do_not_wait_for_a_whole_batch():
    def endless():
        i = 0
        while True:
            i += 1
            yield {"a": i % 2}, i % 2

    batch = next(read_batches(endless()))
    assert len(batch.y) == SAMPLES


def test_goes_on_with_the_kinds_and_classes_that_the_model_knows(tmp_path):
    path = tmp_path / "more.csv"
    path.write_text("code,flag,class\n7,True,1\n8,False,0\n")
    model = small(schema={"code": "categorical"})
    model.learn_many({"code": ["7", "8"] * 20, "flag": [True, False] * 20}, [1, 0] * 20)
    model.learn_from(path, "class")
    assert model.classes_.tolist() == [0, 1]
    [(X, y)] = read_batches(path, "class", like=model)
    assert list(X["code"]) == ["7", "8"]
    assert list(X["flag"]) == [True, False]
    assert model.predict(X).tolist() == list(y) == [1, 0]


# -- what is wrong -----------------------------------------------------------------------------------------------------


def test_bad_rows(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,class\n1,yes\n2,no\nx,yes\n3\n4,\n5,no\n")
    with pytest.raises(ValueError, match=r"rows\.csv, line \d: .*; mend the row, or give on_bad"):
        list(read_batches(path, "class"))
    bad = []
    model = small(schema={"a": "numeric"})
    path.write_text("a,class\n" + "1,yes\n2,no\n" * 600 + "x,yes\n3\n4,\n5,no\n")
    model.learn_from(path, "class", on_bad=bad.append)
    assert [row.line for row in bad] == [1202, 1203, 1204]
    assert model._learner.n_seen == 1201


def test_advice_fits_python(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a b,class\n" + "1,yes\n2,no\n" * 600 + "x,yes\n")
    with pytest.raises(ValueError, match=r"a number so far \(schema=\{'a b': 'categorical'\} makes it text\); mend"):
        small().learn_from(path, "class")
    assert small(schema={"a b": "categorical"}).learn_from(path, "class").n_features_in_ == 1
    lines = tmp_path / "rows.jsonl"
    lines.write_text('{"a b": 1, "class": "yes"}\n' * 600 + '{"a b": "x", "class": "no"}\n')
    with pytest.raises(ValueError, match=r"a number so far \(schema=\{'a b': 'categorical'\} makes it text\); mend"):
        small().learn_from(lines, "class")


@pytest.mark.parametrize("said", ["categorical", ["01067", "99999"]])
def test_what_is_declared_as_categories_is_read_as_text(said, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("postcode,class\n" + "01067,east\n99999,none\n" * 100)
    model = small(schema={"postcode": said}).learn_from(path, "class")
    assert [model.predict_one({"postcode": code}) for code in ("01067", "99999")] == ["east", "none"]
    [(X, _)] = read_batches(path, "class", like=tsdt.river.TSDTClassifier(schema={"postcode": said}))
    assert X["postcode"][0] == "01067"


def test_labels_that_are_missing_in_parquet(tmp_path):
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"a": [1, 2, 3, 4], "class": ["x", None, "y", None]}).write_parquet(path)
    with pytest.raises(ValueError, match=r"rows\.parquet, line 2: class is missing, which is the target"):
        list(read_batches(path, "class"))
    bad = []
    [(X, y)] = read_batches(path, "class", on_bad=bad.append)
    assert [row.line for row in bad] == [2, 4]
    assert small().learn_many(X, y).classes_.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("source", "options", "error", "said"),
    [
        (3, {}, TypeError, r"source is 3 \(int\), which has no rows to read; give a path"),
        (io.StringIO("a,b"), {}, TypeError, "give its path"),
        (b"a,b", {}, TypeError, "no rows"),
        ([1, 2], {}, TypeError, r"source gives 1 \(int\)"),
        ({"a": [1]}, {"target": "b"}, ValueError, "target is 'b', but the columns are 'a'"),
        (pl.DataFrame({"a": [1]}), {"target": "b"}, ValueError, "target is 'b', but the columns are 'a'"),
        (np.zeros((2, 2)), {"target": 2}, ValueError, r"target is 2; of an array of shape \(2, 2\)"),
        (np.zeros((2, 2)), {"target": "class"}, ValueError, r"target is 'class'; of an array of shape \(2, 2\)"),
        ({"a": [1]}, {"batch_rows": 0}, ValueError, "batch_rows is 0"),
        ("none.csv", {}, FileNotFoundError, "none.csv"),
        ("none.csv", {"format": "excel"}, ValueError, "format is 'excel'; it can be 'csv'"),
    ],
    ids=str,
)
def test_refuses_in_words(source, options, error, said):
    with pytest.raises(error, match=said):
        list(read_batches(source, **options))


def test_refuses_files_in_words(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="target is 'class', but the columns are 'a', 'b'"):
        small().learn_from(path, "class")
    with pytest.raises(ValueError, match="the source has no labels"):
        small().learn_from(path)
    path.write_text("")
    with pytest.raises(ValueError, match=r"rows\.csv: the input is empty"):
        small().learn_from(path, "class")
    with pytest.raises(ValueError, match="folder"):
        small().learn_from(tmp_path, "class")


def test_refuses_what_is_no_parquet_in_words(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"a": [1, 2]}).write_parquet(path)
    for content in (b"a,class\n1,2\n", b"", path.read_bytes()[:-20]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"rows\.parquet is no whole Parquet file .*; copy it again, or say its"):
            small().learn_from(path, "class")


def test_readers_of_other_libraries(tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    rows = table()
    frame(rows).write_parquet(tmp_path / "rows.parquet")
    expected = to_bytes(small().learn_from(frame(rows), "class"))
    assert to_bytes(small().learn_from(dataset.dataset(tmp_path / "rows.parquet"), "class")) == expected
    frame(rows).write_csv(tmp_path / "rows.csv")
    with pd.read_csv(tmp_path / "rows.csv", chunksize=50) as chunks:
        assert small().learn_from(chunks, "class").predict_one({"size": 30, "colour": "green"}) == "yes"


@pytest.mark.parametrize("row", [list, tuple, np.array])
def test_samples_without_names(row):
    model = TSDTClassifier(0.01, random_state=0).learn_from((row([i % 2, i % 3]), i % 2) for i in range(250))
    assert model.predict([[0, 1], [1, 1]]).tolist() == [0, 1]


def test_labels_are_no_target():
    with pytest.raises(TypeError, match="go to learn_many"):
        TSDTClassifier().learn_from({"a": [1, 2]}, np.array([0, 1]))
