"""The CASE expression, run in real databases, answers as the tree does."""

from __future__ import annotations

import datetime
import sqlite3

import pytest
from hypothesis import given, settings
from view_strategies import AWKWARD, kind_of, trees_and_rows
from view_trees import chain, random_tree

from tsdt.schema import OTHER, Attribute
from tsdt.tree import DecisionTree, Node
from tsdt.views.example import weather

TYPES = {"text": "VARCHAR", "integers": "BIGINT", "booleans": "BOOLEAN", "floats": "DOUBLE", "numbers": "DOUBLE"}


def in_database(connection, tree, rows, dialect, quote, types=None):
    """The answers of the expression to the rows, as the columns of a table."""
    kinds = {attribute.name: kind_of(attribute) for attribute in tree.attributes}  # a twin's numbers come last
    quoted = {name: quote + str(name).replace(quote, quote * 2) + quote for name in kinds}
    columns = [f"{quoted[name]} {types[kind] if types else ''}" for name, kind in kinds.items()]
    connection.execute("DROP TABLE IF EXISTS t")
    connection.execute(f"CREATE TABLE t (place INTEGER, {', '.join(columns)})")
    marks = ", ".join("?" * (1 + len(columns)))
    data = [(i, *(row[name] for name in kinds)) for i, row in enumerate(rows)]
    connection.executemany(f"INSERT INTO t VALUES ({marks})", data)
    query = f"SELECT {tree.to_sql(dialect)} FROM t ORDER BY place"
    return [answer for (answer,) in connection.execute(query).fetchall()]


def storable(rows):
    return [row for row in rows if all(type(v) is not int or -(2**63) <= v < 2**63 for v in row.values())]


def has_wide_integers(tree):
    return any(type(c) is int and c >= 2**63 for attribute in tree.attributes for c in attribute.categories)


@settings(max_examples=150, deadline=None)
@given(
    trees_and_rows(
        names=[name for name in AWKWARD if name != "place"], classes=("text", "integers", "booleans", "mixed")
    )
)
def test_sqlite_answers_as_the_tree_does(case):
    tree, rows = case
    if has_wide_integers(tree) or 10**30 in tree.classes:
        return
    rows = storable(rows)
    connection = sqlite3.connect(":memory:")
    answers = in_database(connection, tree, rows, "sqlite", "`")
    assert answers == (tree.predict(rows).tolist() if rows else [])
    connection.close()


@pytest.fixture(scope="module")
def duck():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    connection = duckdb.connect(":memory:")
    connection.execute("SET threads = 1")
    yield connection
    connection.close()


@pytest.mark.parametrize("dialect", ["duckdb", "postgresql"])
def test_duckdb_answers_as_the_tree_does(duck, dialect):
    names = [name for name in AWKWARD if name]

    @settings(max_examples=60, deadline=None)
    @given(
        trees_and_rows(kinds=tuple(TYPES), names=names, classes=("text", "integers", "booleans", "floats"), n_rows=20)
    )
    def answers_as_the_tree(case):
        tree, rows = case
        assert in_database(duck, tree, rows, dialect, '"', TYPES) == tree.predict(rows).tolist()

    answers_as_the_tree()


@pytest.mark.parametrize("tree", [chain(900), random_tree(1500, seed=5)], ids=["deep", "wide"])
def test_large_trees_are_within_the_limits_of_sqlite(tree):
    rows = [{a.name: x if a.is_numeric else "red" for a in tree.attributes} for x in (-1, 0.5, 37.2, 898.5, 1e9)]
    assert in_database(sqlite3.connect(":memory:"), tree, rows, "sqlite", "`") == tree.predict(rows).tolist()


def test_a_column_that_the_table_lacks_is_an_error_in_sqlite():
    with pytest.raises(sqlite3.OperationalError, match="no such column: outlook"):
        sqlite3.connect(":memory:").execute(f"SELECT {weather().to_sql()} FROM (SELECT 1 AS humidity)")


def test_a_tree_without_splits_is_a_literal():
    tree = DecisionTree((), ("it's", "no"), (Node((30, 12)),))
    assert tree.to_sql() == "'it''s'"


def one_split(attribute, classes=("a", "b")):
    return DecisionTree((attribute,), classes, (Node((1, 2), 0, (1,), (0,)), Node((2, 1))))


REFUSED = [
    (Attribute("x", categories=("a", 1)), "postgresql", TypeError, r"are of the types \['number', 'str'\]"),
    (Attribute("x", categories=(True, 2)), "duckdb", TypeError, r"are of the types \['bool', 'number'\]"),
    (Attribute("", categories=("a",)), "duckdb", ValueError, "name is empty"),
    (Attribute("a\x00", categories=("a",)), "sqlite", ValueError, "no SQL text can have"),
    (Attribute("x", categories=("\ud800",)), "sqlite", ValueError, "no SQL text can have"),
    (Attribute("x", categories=(2**63,)), "sqlite", ValueError, "does not fit in 64 bits"),
    (Attribute("x", categories=(datetime.date(2024, 5, 1),)), "sqlite", TypeError, "has no literal in SQL"),
    (Attribute(("a", 1), categories=("a",)), "sqlite", TypeError, "has no name that a column can have"),
    (Attribute("x", categories=("a",)), "oracle", ValueError, "dialect is 'oracle'"),
]


@pytest.mark.parametrize(("attribute", "dialect", "error", "says"), REFUSED, ids=[says for *_, says in REFUSED])
def test_what_a_database_cannot_hold_is_refused(attribute, dialect, error, says):
    with pytest.raises(error, match=says):
        one_split(attribute).to_sql(dialect)


def test_classes_of_two_types_are_refused_where_columns_have_one():
    tree = one_split(Attribute("x", categories=("a",)), classes=("a", 1))
    with pytest.raises(TypeError, match="the classes are of the types"):
        tree.to_sql("postgresql")
    assert "ELSE 1" in tree.to_sql("sqlite")


def test_names_that_differ_in_case_alone_are_refused_where_they_are_one_column():
    attributes = (Attribute("x", categories=("a",)), Attribute("X", categories=("a",)))
    tree = DecisionTree(attributes, ("a",), (Node((1,), 0, (1,), (0,)), Node((1,), 1, (2,), (0,)), Node((1,))))
    for dialect in ("sqlite", "duckdb"):
        with pytest.raises(ValueError, match="would not be different columns"):
            tree.to_sql(dialect)
    assert '"X"' in tree.to_sql("postgresql")


def test_only_what_is_asked_about_must_be_writable():
    attributes = (Attribute("x", categories=("a", OTHER)), Attribute("\x00", categories=(1, "mixed")))
    tree = DecisionTree(attributes, ("a", "b"), (Node((1, 2), 0, (1,), (1,)), Node((2, 1))))
    assert tree.to_sql("duckdb") == "CASE\n  WHEN \"x\" NOT IN ('a') THEN 'a'\n  ELSE 'b'\nEND"
