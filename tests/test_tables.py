"""Tables: anything with rows and columns gives the same columns."""

import datetime
import warnings
from pathlib import Path

import narwhals.stable.v1 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from tsdt import TSDTClassifier
from tsdt.schema import Attribute
from tsdt.tables import as_table, column_of, n_rows

COLUMNS = {"a": [1, 2, 3], "b": ["x", "y", None], "c": [0.5, None, 1.5]}

FORMS = {
    "dict of lists": lambda: COLUMNS,
    "dict of arrays": lambda: {name: np.array(values, dtype=object) for name, values in COLUMNS.items()},
    "dict of series": lambda: {name: pd.Series(values) for name, values in COLUMNS.items()},
    "list of dicts": lambda: [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)],
    "tuple of dicts": lambda: tuple(
        dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)
    ),
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas with nullable types": lambda: pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas with categories": lambda: pd.DataFrame(COLUMNS).astype({"b": "category"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars, lazy": lambda: pl.LazyFrame(COLUMNS),
    "narwhals": lambda: nw.from_native(pl.DataFrame(COLUMNS)),
    "structured array": lambda: np.array(
        list(zip(*COLUMNS.values(), strict=True)), dtype=[("a", int), ("b", object), ("c", float)]
    ),
}


def listed(values):
    return [None if value is None or value is pd.NA or value != value else value for value in values.tolist()]


@pytest.mark.parametrize("form", FORMS)
def test_forms(form):
    table = as_table(FORMS[form]())
    assert table.n_rows == 3
    assert table.n_columns == 3
    assert table.names == ("a", "b", "c")
    for i, (name, values) in enumerate(COLUMNS.items()):
        assert listed(table.named(name)) == values
        assert listed(table.at(i)) == values
    assert as_table(table) is table


def test_rows_with_different_keys():
    table = as_table([{"a": 1}, {"b": 2}, {}])
    assert table.names == ("a", "b")
    assert table.named("b").tolist() == [None, 2, None]
    assert table.named("never").tolist() == [None, None, None]


@pytest.mark.parametrize("form", [lambda x: x, lambda x: x.tolist(), lambda x: [tuple(row) for row in x], list])
def test_bare_arrays(form):
    table = as_table(form(np.arange(6).reshape(3, 2)))
    assert table.names is None
    assert table.n_rows == 3
    assert table.at(1).tolist() == [1, 3, 5]


def test_lists_of_lists_keep_their_types():
    table = as_table([[1, "a"], [2, None]])
    assert table.at(0).tolist() == [1, 2]
    assert table.at(1).tolist() == ["a", None]


def test_dates():
    expected = [datetime.datetime(2024, 5, 1), None]
    for values in (pd.to_datetime(["2024-05-01", None]), np.array(["2024-05-01", "NaT"], dtype="datetime64[s]")):
        assert as_table({"d": values}).named("d").tolist() == expected


def test_whole_number_names_of_pandas():
    table = as_table(pd.DataFrame(np.arange(4).reshape(2, 2)))
    assert table.names == (0, 1)
    assert table.named(1).tolist() == [1, 3]


def test_columns_by_name_and_by_position():
    attributes = [Attribute("late", position=1), Attribute("early", position=0)]
    frame = pd.DataFrame({"early": [1, 2], "late": [3, 4]})
    assert column_of(frame, 0, attributes).tolist() == [3, 4]
    assert column_of(frame[["late", "early"]], 0, attributes).tolist() == [3, 4]
    assert column_of(frame.to_numpy(), 0, attributes).tolist() == [3, 4]
    assert n_rows(frame) == 2
    with pytest.raises(ValueError, match=r"X lacks the column 'late'.*'early'"):
        column_of(frame[["early"]], 0, attributes)
    with pytest.raises(ValueError, match="X has 1 features, but the tree asks for column 1"):
        column_of(frame[["early"]].to_numpy(), 0, attributes)
    assert column_of([{"early": 1}], 0, attributes).tolist() == [None]


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [
        (np.arange(3), ValueError, "Reshape your data"),
        (np.zeros((2, 2, 2)), ValueError, "got 3D array"),
        (np.array(5), ValueError, "got 0D array"),
        ([1, 2, 3], ValueError, "got 1D array"),
        ([[1, 2], [3]], ValueError, "different lengths"),
        ([{"a": 1}, [2]], ValueError, "different lengths"),
        ({"a": [1, 2], "b": [1]}, ValueError, "different lengths: {'a': 2, 'b': 1}"),
        ({"a": "text"}, TypeError, "column 'a' is 'text'"),
        ({"a": np.zeros((2, 2))}, ValueError, r"column 'a' has shape \(2, 2\)"),
        ({"a": 5}, TypeError, "one value per row"),
        ("table.csv", TypeError, r"which is no table; a file is learned by model\.learn_from\(path, target=\.\.\.\)"),
        (Path("table.csv"), TypeError, r"model\.learn_from\(path"),
        (5, TypeError, "which is no table"),
        (None, TypeError, "None"),
        (np.array([[1j]]), ValueError, "Complex data not supported"),
        (sparse.csr_array(np.eye(2)), TypeError, "toarray"),
        (sparse.dok_matrix(np.eye(2)), TypeError, "toarray"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "a"),
        (["text", "text"], ValueError, "got 1D array"),
    ],
)
def test_what_is_no_table(X, error, words):
    with pytest.raises(error, match=words):
        table = as_table(X)
        table.at(0)


def test_masked_values_are_missing() -> None:
    masked = np.ma.masked_array([[1.5], [999.0]] * 20, mask=[[False], [True]] * 20)
    model = TSDTClassifier(0.01, random_state=0).fit(masked, [0, 1] * 20)
    assert model.score(masked, [0, 1] * 20) == 1.0


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_moments_are_the_same_in_frames_and_in_dicts(zone: str | None) -> None:
    frame = pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2020-06-01"] * 20).tz_localize(zone)})
    model = TSDTClassifier(0.01, random_state=0).fit(frame, [0, 1] * 20)
    rows = frame.to_dict("records")[:2]
    assert model.predict(frame)[:2].tolist() == [model.predict_one(row) for row in rows] == [0, 1]


def test_days_are_the_same_in_frames_and_in_dicts() -> None:
    frame = pl.DataFrame({"day": [datetime.date(2020, 1, 1), datetime.date(2020, 6, 1), None] * 20})
    model = TSDTClassifier(0.01, random_state=0).fit(frame, [0, 1, 2] * 20)
    assert model.predict(frame)[:3].tolist() == [model.predict_one(row) for row in frame.to_dicts()[:3]] == [0, 1, 2]


@pytest.mark.parametrize("unit", ["D", "h", "s", "us", "ns"])
def test_moments_of_numpy_are_the_same_in_dicts_and_in_columns(unit: str) -> None:
    moments = np.array(["2020-01-01", "2020-06-01"], dtype=f"datetime64[{unit}]")
    model = TSDTClassifier(0.01, random_state=0).fit({"when": np.tile(moments, 20)}, [0, 1] * 20)
    assert [model.predict_one({"when": moment}) for moment in moments] == [0, 1]
    spans = moments - moments[0]
    model = TSDTClassifier(0.01, batch_size=10, random_state=0)
    for i in range(40):
        model.learn_one({"span": spans[i % 2]}, i % 2)
    assert model.predict({"span": spans}).tolist() == [0, 1]


def test_many_dates_are_warned_of() -> None:
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(days=i) for i in range(100)]
    with pytest.warns(UserWarning, match=r"column 'day' holds 100 dates or times, which are categories.* the month"):
        model = TSDTClassifier(max_iter=1).fit({"day": days}, [0, 1] * 50)
    assert "date, not cut" in str(model.schema_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TSDTClassifier(max_iter=1).fit({"day": days[:50]}, [0, 1] * 25)


@pytest.mark.parametrize("column", [[{"x": 1}] * 2, [[1, 2]] * 2, pl.Series([[1, 2]] * 2, dtype=pl.Array(pl.Int8, 2))])
@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_nested_columns_are_refused_in_words(column: object, library: str) -> None:
    frame = pl.DataFrame({"parts": column})
    with pytest.raises(ValueError, match=r"column 'parts' holds values of type \w+.*a column of each of their parts"):
        TSDTClassifier().fit(frame if library == "polars" else frame.to_arrow(), [0, 1])


def test_the_widest_whole_numbers() -> None:
    frame = pl.DataFrame({"n": pl.Series([2**100, 2] * 20, dtype=pl.Int128)})
    assert TSDTClassifier(0.01, random_state=0).fit(frame, [0, 1] * 20).score(frame, [0, 1] * 20) == 1.0


def test_whole_labels_of_pandas_stay_whole() -> None:
    model = TSDTClassifier(0.01, random_state=0).fit([[0], [1]] * 20, pd.Series([0, 1] * 20, dtype="Int64"))
    assert model.classes_.dtype.kind == "i"
