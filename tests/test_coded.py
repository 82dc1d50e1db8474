"""Columns of text from frames come as codes; what is learned and predicted is the same as from plain lists."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tsdt import TSDTClassifier
from tsdt.coded import CodedColumn
from tsdt.files import to_bytes
from tsdt.schema.lookup import GrowingLookup, Lookup
from tsdt.tables import as_column, as_table

text = st.lists(st.none() | st.sampled_from(["red", "blue", "green", "", "nan", "grün"]), min_size=1, max_size=40)


@given(text, st.integers(1, 7), st.integers(0, 12))
def test_the_codes_are_those_of_the_values(values, max_categories, cut):
    distinct = sorted({value for value in values if value is not None}, reverse=True)
    places = np.array([-1 if value is None else distinct.index(value) for value in values], dtype=np.int32)
    column, slow, fast = CodedColumn(places, distinct), *(GrowingLookup([], max_categories) for _ in range(2))
    for part in (slice(0, cut), slice(cut, None), slice(None)):
        assert fast.encode(column[part]).tolist() == slow.encode(values[part]).tolist()
    assert fast == slow
    frozen = Lookup(["red", None])
    assert frozen.encode(column).tolist() == frozen.encode(values).tolist()
    assert column.tolist() == values == list(column) == np.asarray(column).tolist()
    assert [column[i] for i in range(len(values))] == values


def arrow(values):
    pa = pytest.importorskip("pyarrow")
    return pa.chunked_array([values[:3], values[3:]], type=pa.string())


SERIES = {
    "polars": pl.Series,
    "polars categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "polars enum": lambda values: pl.Series(values, dtype=pl.Enum(["c", "b", "a"])),
    "pandas": pd.Series,
    "pandas object": lambda values: pd.Series(values, dtype=object),
    "pandas string": lambda values: pd.Series(values, dtype="string"),
    "pandas categorical": lambda values: pd.Series(values, dtype="category"),
    "pyarrow": arrow,
    "pyarrow dictionary": lambda values: arrow(values).dictionary_encode(),
}


@pytest.mark.parametrize("kind", SERIES)
def test_series_of_every_library(kind):
    values = ["b", "a", None, "b", "c", None, "a"]
    column = as_column(SERIES[kind](values), "c")
    assert isinstance(column, CodedColumn)
    assert column.tolist() == values
    assert column[2:5].tolist() == values[2:5]
    nothing = as_column(SERIES[kind]([None, None]), "c")
    assert len(nothing) == 2
    assert [None if value != value else value for value in nothing.tolist()] == [None, None]


def test_booleans_with_missing_values():
    values = [True, None, False]
    assert as_column(pl.Series(values), "c").tolist() == values
    pa = pytest.importorskip("pyarrow")
    assert as_column(pa.chunked_array([values]), "c").tolist() == values


def test_categories_that_are_numbers():
    column = as_column(pd.Series([3, 1, None, 3], dtype="category"), "c")
    assert column.tolist() == [3, 1, None, 3]


def rows(n, seed=0):
    draw = np.random.default_rng(seed)
    return [
        {
            "few": str(draw.choice(["u", "v", "w"])) if draw.random() < 0.9 else None,
            "many": f"id {draw.integers(200)}" if draw.random() < 0.9 else None,
            "late": None if i < n // 2 else str(draw.choice(["x", "y"])),
            "flag": bool(draw.integers(2)) if draw.random() < 0.9 else None,
            "n": float(draw.normal()) if draw.random() < 0.9 else None,
        }
        for i in range(n)
    ]


def as_arrow(samples):
    pa = pytest.importorskip("pyarrow")
    return pa.Table.from_pylist(samples)


FRAMES = {
    "polars": lambda samples: pl.DataFrame(samples, infer_schema_length=None),
    "pandas": pd.DataFrame,
    "pandas categories": lambda samples: pd.DataFrame(samples).astype({"few": "category", "many": "category"}),
    "pyarrow": as_arrow,
}


@pytest.mark.parametrize("kind", FRAMES)
def test_the_model_is_the_same_from_every_library(kind):
    samples = rows(300)
    y = ["p" if row["few"] == "u" or row["flag"] else "q" for row in samples]
    labels = pl.Series(y) if kind == "polars" else y
    settings = {"batch_size": 25, "random_state": 0, "effort": 5.0, "max_categories": 50}
    plain, framed = TSDTClassifier(**settings), TSDTClassifier(**settings)
    frame = as_table(FRAMES[kind](samples))
    for start, stop in [(0, 110), (110, 300)]:
        part = FRAMES[kind](samples[start:stop])
        plain.learn_many(samples[start:stop], y[start:stop])
        framed.learn_many(part, labels[start:stop])
    assert to_bytes(framed) == to_bytes(plain)
    assert (framed.predict(frame) == plain.predict(samples)).all()
    assert (framed.predict_proba(frame) == plain.predict_proba(samples)).all()


@given(text)
@settings(max_examples=30, deadline=None)
def test_labels_must_not_be_missing(values):
    model = TSDTClassifier()
    if None in values:
        with pytest.raises(ValueError, match=f"label in row {values.index(None)} is None"):
            model.learn_many({"a": [1] * len(values)}, pl.Series(values, dtype=pl.String))
    else:
        model.learn_many({"a": [1] * len(values)}, pl.Series(values))
        assert model.classes_.tolist() == sorted(set(values))


def test_text_in_a_column_of_numbers_is_refused_as_before():
    model = TSDTClassifier(schema={"age": "numeric"})
    with pytest.raises(ValueError, match="column 'age' holds numbers, but a value is 'old'"):
        model.learn_many(pl.DataFrame({"age": ["old", None]}), [1, 2])
