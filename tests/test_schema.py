"""The schema: kinds, codes, edges, what it prints, and how it grows."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tsdt.schema import OTHER, Attribute, Schema, is_missing
from tsdt.schema.declared import declarations
from tsdt.schema.edges import bin_codes, quantile_cuts, quantile_edges, shortest_between
from tsdt.schema.held import HeldNumbers
from tsdt.schema.kinds import FEW, recognise
from tsdt.schema.lookup import GrowingLookup, Lookup
from tsdt.schema.revision import has_outgrown_categories, needs_new_edges
from tsdt.tables import objects

NAN = float("nan")


def settled(columns: dict, **settings) -> Schema:
    schema = Schema(**settings)
    schema.add_columns(list(columns))
    schema.decide(list(columns.values()))
    return schema


# -- missing values and kinds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", [None, NAN, np.nan, np.float32("nan"), pd.NA, pd.NaT, Decimal("nan"), Decimal("snan")]
)
def test_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, "", False, "nan", "None", (), np.inf, [1, 2], np.array([1, 2])])
def test_not_missing(value):
    assert not is_missing(value)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.5, 2.5], "numeric"),
        (range(FEW + 1), "numeric"),
        (range(FEW), "categorical"),
        ([1.0, 2.0, None], "categorical"),
        ([True, False], "categorical"),
        (["1", "2"], "categorical"),
        ([1.5, "2"], "categorical"),
        ([True, 2.5], "categorical"),
        ([np.inf, 1.0], "numeric"),
        ([10**400, 1], "numeric"),
        ([Fraction(1, 3)], "numeric"),
        ([Decimal("0.1")], "numeric"),
        ([(1, 2), (3, 4)], "categorical"),
        ([pd.Timestamp("2024-05-01")], "categorical"),
    ],
)
def test_kinds(values, kind):
    values = list(values)
    assert recognise(values).kind == kind
    assert recognise(objects(values)).kind == kind


@pytest.mark.parametrize("values", [[], [None, NAN], np.array([NAN, NAN]), np.array([], dtype=bool)])
def test_no_kind_without_a_value(values):
    assert recognise(values) is None


@given(st.lists(st.sampled_from([0, 1, 2.0, 3.5, 7, NAN, 100, -3]), min_size=1, max_size=40))
def test_kinds_are_the_same_for_lists_and_arrays(values):
    assert recognise(values) == recognise(np.array(values, dtype=float)) == recognise(objects(values))


def test_complex_numbers_are_refused():
    with pytest.raises(ValueError, match="Complex data not supported"):
        recognise([1j])


# -- codes ------------------------------------------------------------------------------------------------------------


def test_codes_come_in_the_order_of_appearance():
    lookup = GrowingLookup()
    assert lookup.encode(np.array([7, 3, 7, 5])).tolist() == [0, 1, 0, 2]
    assert lookup.encode(["a", None, NAN, 3.0, True]).tolist() == [3, 4, 4, 1, 5]
    assert lookup.encode(np.array([True, False])).tolist() == [5, 6]
    assert lookup.categories == (7, 3, 5, "a", None, True, False)


mixed = st.one_of(
    st.integers(-5, 5), st.integers(-(2**40), 2**40), st.floats(allow_nan=True), st.sampled_from([0.0, 1.0, 2.5, NAN])
)


@given(st.lists(st.lists(mixed, max_size=12), max_size=5))
def test_arrays_and_lists_get_the_same_codes(chunks):
    one_by_one, by_array = GrowingLookup(), GrowingLookup()
    for chunk in chunks:
        expected = [one_by_one[float(value)] for value in chunk]
        assert by_array.encode(np.array(chunk, dtype=float)).tolist() == expected
    assert len(one_by_one) == len(by_array)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8, np.uint64, np.bool_, object, "U5"])
def test_every_dtype(dtype):
    values = np.array([1, 0, 1, 1, 0]).astype(dtype)
    assert GrowingLookup().encode(values).tolist() == [0, 1, 0, 0, 1]


def test_wide_and_negative_integers():
    values = np.array([2**60, -(2**60), 2**60, -3, 5])
    assert GrowingLookup().encode(values).tolist() == [0, 1, 0, 2, 3]
    lookup = GrowingLookup()
    assert lookup.encode(np.array([-3, 70_000 - 5, -3])).tolist() == [0, 1, 0]
    assert lookup.encode(np.array([2, 65_000, -3])).tolist() == [2, 3, 0]


def test_the_other_category():
    lookup = GrowingLookup(max_categories=2)
    assert lookup.encode(["a", "b", "c", "a", None, "d"]).tolist() == [0, 1, 2, 0, 3, 2]
    assert lookup.categories == ("a", "b", OTHER, None)
    frozen = Lookup(lookup.categories)
    assert frozen.encode(["zzz", "a", None]).tolist() == [2, 0, 3]


def test_most_frequent_categories_are_kept():
    values = ["rare1", "often", "rare2", "often", "half", "half", "rare3"]
    schema = settled({"c": values}, max_categories=2)
    assert schema.attributes[0].categories == ("often", "half")
    assert schema.encode([values], len(values))[:, 0].tolist() == [2, 0, 2, 0, 1, 1, 2]
    assert schema.attributes[0].categories == ("often", "half", OTHER)


def test_attribute_reads_single_values_and_arrays_alike():
    attribute = Attribute("c", categories=("a", 1, None))
    values = ["a", 1.0, True, None, NAN, "zzz", 7]
    codes = [attribute.code(value) for value in values]
    assert codes == [0, 1, 1, 2, 2, -1, -1]
    assert attribute.encode(objects(values)).tolist() == [3 if code < 0 else code for code in codes]
    assert attribute.code([1]) == -1
    assert attribute.encode(objects([[1], "a"])).tolist() == [3, 0]


def test_numeric_attribute():
    attribute = Attribute("n", "numeric", edges=(1.0, 2.5))
    values = [0, 1, 1.5, 2.5, 3, None, np.inf, -np.inf]
    assert [attribute.code(value) for value in values] == [1, 1, 2, 2, 3, 0, 3, 1]
    assert attribute.encode(objects(values)).tolist() == [1, 1, 2, 2, 3, 0, 3, 1]
    assert attribute.categories == (None, "<= 1", "1 to 2.5", "> 2.5")
    assert attribute.encode(objects([10**400, -(10**400)])).tolist() == [3, 1]
    with pytest.raises(ValueError, match="column 'n' holds numbers, but a value is 'x'"):
        attribute.code("x")
    with pytest.raises(ValueError, match=r"column 'n' holds numbers, but a value is '1.5'"):
        attribute.numbers(objects(["1.5"]))


# -- edges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "shortest"),
    [
        (37, 38, 37.5),
        (0, 1, 0.5),
        (36, 39, 37),
        (0.1234, 0.1281, 0.126),
        (120_000, 180_000, 150_000),
        (1, 20, 10),
        (-3, 5, 0),
        (-1e-5, 1e9, 0),
        (1e300, 1.5e300, 1.2e300),
        (5.0, np.inf, 5.0),
        (0.0, 5e-324, 0.0),
    ],
)
def test_shortest_number(low, high, shortest):
    assert shortest_between(low, high) == pytest.approx(shortest, rel=1e-12)


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_shortest_number_separates(a, b):
    low, high = min(a, b), max(a, b)
    if low < high:
        assert low <= shortest_between(low, high) < high


@given(st.lists(st.integers(1, 50), min_size=1, max_size=60), st.integers(2, 20))
def test_cuts_are_in_order_and_no_more_than_asked_for(counts, bins):
    cuts = quantile_cuts(np.array(counts), bins)
    assert cuts == sorted(set(cuts))
    assert len(cuts) < bins
    assert all(0 <= cut < len(counts) - 1 for cut in cuts)


def test_bins_have_equal_mass():
    numbers = np.random.default_rng(0).normal(size=100_000)
    edges = quantile_edges(numbers, 16)
    shares = np.bincount(bin_codes(numbers, edges))[1:] / len(numbers)
    assert len(shares) == 16
    assert abs(shares - 1 / 16).max() < 0.001


def test_a_heavy_value_gets_its_own_bin():
    numbers = np.concatenate([np.zeros(900), np.arange(1.0, 101.0)])
    shares = np.bincount(bin_codes(numbers, quantile_edges(numbers, 6)))[1:]
    assert shares.tolist() == [900, 20, 20, 20, 20, 20]


@given(st.lists(st.floats(allow_nan=True), max_size=30), st.lists(st.floats(-10, 10), max_size=20, unique=True))
def test_bin_codes_agree_with_single_codes(numbers, edges):
    attribute = Attribute("n", "numeric", edges=tuple(sorted(edges)))
    expected = [attribute.code(number) for number in numbers]
    assert bin_codes(np.array(numbers, dtype=float), np.array(sorted(edges))).tolist() == expected
    assert attribute.encode(np.array(numbers, dtype=float)).tolist() == expected


def test_many_edges():
    numbers = np.arange(1000.0)
    assert bin_codes(numbers, numbers[:-1]).tolist() == list(range(1, 1001))


# -- the schema -------------------------------------------------------------------------------------------------------


def test_late_columns_have_missing_as_code_zero():
    schema = settled({"a": ["x", "y"], "b": [None, None]})
    assert [a.name for a in schema.attributes] == ["a"]
    schema.decide([["x", "y"], ["new", None]])
    assert schema.attributes[1].categories == (None,)
    assert schema.encode([["x", "y"], ["new", None]], 2).tolist() == [[0, 1], [1, 0]]


def test_declared_kinds_win():
    columns = {"n": [1, 2, 1], "c": [1.5, 2.5, 3.5], "l": ["a", "b", "z"], "e": [1.0, 20.0, 70.0]}
    declared = {"n": "numeric", "c": "categorical", "l": ["b", "a"], "e": {"edges": [65, 18]}}
    schema = settled(columns, declared=declared)
    assert [a.kind for a in schema.attributes] == ["numeric", "categorical", "categorical", "numeric"]
    assert schema.encode(list(columns.values()), 3)[:, 2].tolist() == [1, 0, 2]
    assert schema.attributes[2].categories == ("b", "a", OTHER)
    assert schema.attributes[3].edges == (18.0, 65.0)
    assert "declared" in str(schema)


def test_a_schema_can_be_handed_on():
    columns = {"n": [1.5, 2.5, 3.5], "c": ["a", "b", None]}
    first = settled(columns)
    first.encode(list(columns.values()), 3)
    again = settled({"c": ["b", "zzz"], "n": [100.5, 200.5]}, declared=first)
    assert {a.name: a.edges for a in again.attributes}["n"] == first.attributes[0].edges
    assert {a.name: a.categories for a in again.attributes}["c"][:3] == ("a", "b", None)


@pytest.mark.parametrize(
    "said", ["number", 3, {"bins": 4}, {"edges": ["a"]}, {"edges": 5}, [[1], [2]], {"edges": [NAN]}]
)
def test_bad_declarations(said):
    with pytest.raises(ValueError, match=r"schema\['age'\]"):
        declarations({"age": said})


def test_a_schema_that_is_none():
    with pytest.raises(TypeError, match="give the schema_ of a model or a mapping"):
        declarations("numeric")


def test_the_printed_table_of_a_wide_schema():
    columns = {"n": np.linspace(0, 1, 100), "c": [f"category {i % 30}" for i in range(100)], "empty": [None] * 100}
    schema = settled(columns)
    schema.encode(list(columns.values()), 100)
    lines = str(schema).splitlines()
    assert lines[0].split() == ["column", "|", "kind", "|", "values", "|", "missing", "|", "why"]
    assert "16 bins, edges" in lines[2]
    assert lines[3].startswith("c      | categorical | 30: category 0, ")
    assert "undecided" in lines[4]
    assert max(map(len, lines)) < 160


# -- numbers that move ------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.lists(st.integers(0, 25), max_size=20), st.integers(1, 30))
def test_the_ring_holds_the_last_samples(sizes, capacity):
    held, everything = HeldNumbers(capacity), np.empty(0)
    held.track(0)
    for size in sizes:
        part = len(everything) + np.arange(float(size))
        everything = np.concatenate([everything, part])
        held.add({0: part}, size)
    n = min(capacity, len(everything))
    assert held.last(0, n).tolist() == everything[len(everything) - n :].tolist()


def test_edges_are_kept_while_they_are_good_and_replaced_when_worn():
    numbers = np.random.default_rng(0).normal(size=5000)
    schema = settled({"n": numbers[:1000]})
    assert not needs_new_edges(schema.columns[0], numbers, 16)
    assert needs_new_edges(schema.columns[0], numbers + 1.0, 16)


def test_a_bin_of_one_value_cannot_wear_out():
    numbers = np.concatenate([np.zeros(900), np.linspace(1, 2, 100)])
    assert not needs_new_edges(settled({"n": numbers}).columns[0], numbers, 16)


def test_categories_that_were_numbers_after_all():
    schema = settled({"n": [1, 2, 3]})
    column = schema.columns[0]
    column.encode([1, 2, 3, None])
    assert not has_outgrown_categories(column)
    column.encode([2.5])
    assert has_outgrown_categories(column)
