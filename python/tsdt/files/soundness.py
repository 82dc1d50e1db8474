"""Whether what a file held is a model: the types of all fields, and what must agree with what.

Content with a checksum that fits can still be of another hand. What passes here can be used, and what does not is
refused when it is loaded. The states of engines are checked by the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import accumulate
from math import inf
from typing import Any, get_args

import numpy as np

from tsdt.checkpoints import Checkpoints
from tsdt.engine import Search
from tsdt.feed import Feed
from tsdt.held_codes import HeldCodes
from tsdt.leaf_models import LeafModels
from tsdt.learner import Learner
from tsdt.parameters import Parameters, check_parameters
from tsdt.prices import PriceChoice, Trial
from tsdt.schema import Schema
from tsdt.schema.alignment import check_row
from tsdt.schema.attribute import Kind
from tsdt.schema.column import Column
from tsdt.schema.declared import Declared
from tsdt.schema.held import HeldNumbers
from tsdt.schema.labels import check_label
from tsdt.schema.lookup import GrowingLookup
from tsdt.schema.missing import OTHER
from tsdt.schema.revision import Revisions
from tsdt.waiting import WaitingRows

FIELDS: dict[type, dict[str, Any]] = {
    Learner: {"parameters": Parameters, "schema": Schema, "n_seen": int, "_waiting": WaitingRows, "_feed": Feed},
    Parameters: {"auto_price": bool},
    Schema: {
        "bins": int,
        "max_categories": int,
        "declared": dict,
        "columns": list,
        "positions": dict,
        "active": list,
        "_classes": GrowingLookup,
        "_started": bool,
        "has_names": bool,
    },
    Column: {
        "position": int,
        "declared": Declared | None,
        "kind": str | None,
        "why": str,
        "lookup": GrowingLookup,
        "edges": np.ndarray,
        "numbers": Column | None,
        "tentative": bool,
        "n_seen": int,
        "n_missing": int,
    },
    Declared: {"kind": str, "categories": tuple | None, "edges": tuple | None},
    GrowingLookup: {"max_categories": int},
    WaitingRows: {"schema": Schema, "rows": list, "labels": list},
    Feed: {
        "schema": Schema,
        "parameters": Parameters,
        "seed": int,
        "split_cost": float,
        "choice": PriceChoice | None,
        "grown": tuple,
        "held": HeldCodes | None,
        "leaf_models": LeafModels | None,
        "revisions": Revisions | None,
        "price_checkpoints": Checkpoints | None,
        "watch": Checkpoints,
        "_iterations_before": int,
    },
    PriceChoice: {"split_cost": float, "trials": tuple, "n_held_out": int},
    HeldCodes: {"capacity": int, "_codes": np.ndarray, "_classes": np.ndarray, "_start": int, "_stop": int},
    LeafModels: {
        "adaptive": bool,
        "held": HeldCodes,
        "nodes": list,
        "arities": list,
        "starts": list,
        "by_class": np.ndarray,
        "tables": np.ndarray,
        "hits": np.ndarray,
    },
    Revisions: {"schema": Schema, "held": HeldNumbers, "checkpoints": Checkpoints},
    HeldNumbers: {"capacity": int, "count": int, "_size": int, "_rings": dict},
    Checkpoints: {"batch_size": int, "window": int, "count": int, "next": int, "patience": int},
}
"""What stands in each field; whole numbers are never negative."""


def check_learner(learner: Any) -> None:
    """Refuse a learner that could not have been saved."""
    _check(learner, Learner, "the learner", {}, learner)
    tree = learner.engine.tree()
    if learner.feed.grown[2]:
        check_nodes(tree, *learner.feed.sizes)
    learner.tree()


def _check(value: Any, kind: Any, name: str, seen: dict[int, Any], learner: Learner) -> None:
    """A value, its fields, theirs, and so on."""
    if type(value) not in (get_args(kind) or (kind,)):
        raise TypeError(f"{name} is a {type(value).__name__}")
    if type(value) is int and not 0 <= value < 2**63:
        raise ValueError(f"{name} is {value}")
    if type(value) in FIELDS and id(value) not in seen:
        seen[id(value)] = value
        for field, expected in FIELDS[type(value)].items():
            _check(getattr(value, field), expected, f"{field} of {name}", seen, learner)
        for column in value.columns if isinstance(value, Schema) else ():
            _check(column, Column, "a column", seen, learner)
        rule = RULES.get(type(value))
        if rule:
            rule(value, learner)


def ensure(holds: Any, what: str) -> None:
    """What must be true of a model."""
    if not holds:
        raise ValueError(what)


def ensure_plain(*values: Any) -> None:
    """Names, categories, labels and values are never parts of a model."""
    for value in values:
        ensure(type(value) not in FIELDS, f"a {type(value).__name__} stands where a value should")
        if isinstance(value, (tuple, frozenset)):
            ensure_plain(*value)


def _parameters(parameters: Parameters, _: Learner) -> None:
    given = {field.name: getattr(parameters, field.name) for field in fields(parameters)}
    again = check_parameters(given)
    same = {field.name: getattr(again, field.name) for field in fields(again)}
    ensure({**same, "auto_price": parameters.auto_price} == given, "the parameters are not those of a model")


def _schema(schema: Schema, learner: Learner) -> None:
    names = [column.name for column in schema.columns]
    ensure(schema is learner.schema, "there are two schemas")
    ensure_plain(*names)
    ensure(OTHER not in schema._classes and None not in schema._classes, "a class is missing")
    ensure(schema.positions == {name: i for i, name in enumerate(names)}, "the positions are not those of the columns")
    ensure([column.position for column in schema.columns] == list(range(len(names))), "the columns are out of order")
    ensure(all(type(said) is Declared for said in schema.declared.values()), "a declaration is none")
    decided = [column for column in schema.columns if column.kind is not None]
    attributes = [*map(id, decided), *(id(column.numbers) for column in decided if column.numbers)]
    ensure(sorted(map(id, schema.active)) == sorted(attributes), "the attributes are not the columns")


def _column(column: Column, learner: Learner) -> None:
    ensure(column.kind in (None, *get_args(Kind)), f"a column is {column.kind!r}")
    edges = column.edges
    ensure(edges.dtype == np.float64 and edges.ndim == 1 and len(edges) < 2**16 - 2, "edges are no numbers")
    ensure(np.isfinite(edges).all() and (np.diff(edges) > 0).all(), "edges are out of order")
    ensure(column.kind != "categorical" or column.lookup, "a column has no categories")
    if column.numbers:
        ensure(column.numbers.kind == "numeric" and column.numbers.name == column.name, "numbers of another column")
        ensure(column.numbers.position == column.position, "numbers elsewhere")
        ensure(column.numbers.numbers is None and column.numbers not in learner.schema.columns, "numbers of numbers")


def _declared(declared: Declared, _: Learner) -> None:
    ensure(declared.kind in get_args(Kind), f"a declaration is {declared.kind!r}")
    ensure(all(type(edge) is float and abs(edge) < inf for edge in declared.edges or ()), "declared edges")
    ensure(list(declared.edges or ()) == sorted(set(declared.edges or ())), "declared edges are out of order")
    ensure_plain(declared.categories)
    ensure(len({*(declared.categories or ())}) == len(declared.categories or ()), "declared categories")


def _lookup(lookup: GrowingLookup, _: Learner) -> None:
    ensure_plain(*lookup)
    ensure([*lookup.values()] == [*range(len(lookup))] and len(lookup) < 2**16 - 1, "categories are there twice")


def _waiting(waiting: WaitingRows, learner: Learner) -> None:
    ensure(len(waiting.rows) == len(waiting.labels), "rows and labels differ")
    ensure(len(waiting.rows) < learner.parameters.batch_size, "a whole batch waits")
    for row, label in zip(waiting.rows, waiting.labels, strict=True):
        ensure(type(row) is tuple, "a row is none")
        check_row(learner.schema, row, ())
        check_label(label)
        ensure_plain(*row, label)


def _feed(feed: Feed, learner: Learner) -> None:
    arities, ordered, n_classes = feed.grown
    ensure(feed.parameters is learner.parameters and 0.0 <= feed.split_cost <= 1.0, "the price is none")
    ensure(all(type(n) is int for n in (*arities, n_classes)) and type(arities) is list, "no sizes")
    if feed.engine.n_iter or n_classes:
        ensure(ordered == learner.schema.ordered and len(arities) == len(ordered), "attributes and sizes differ")
        ensure(all(a <= b for a, b in zip(arities, learner.schema.arities, strict=True)), "attributes have grown")
    ensure(0 <= n_classes <= len(learner.schema.classes), "there are other classes")
    ensure(isinstance(feed.engine, Search), "there is no engine")
    ensure(feed.held or not feed.price_checkpoints, "prices have no samples")
    ensure(feed.leaf_models is None or feed.leaf_models.held is feed.held, "leaves have other samples")


def _choice(choice: PriceChoice, _: Learner) -> None:
    ensure(all(type(trial) is Trial for trial in choice.trials), "a trial is none")
    ensure(
        all(isinstance(number, (int, float)) for trial in choice.trials for number in trial), "a trial has no numbers"
    )


def _held_codes(held: HeldCodes, learner: Learner) -> None:
    arities, n_classes = learner.feed.sizes
    ensure(held._codes.dtype == held._classes.dtype == np.uint16, "codes have another type")
    ensure(held._codes.ndim == 2 and held._classes.shape == held._codes.shape[:1], "codes have another shape")
    ensure(held._start == 0 and held._stop == len(held._codes), "codes are elsewhere")
    ensure(held._codes.shape[1] <= len(arities) and (held._classes < n_classes).all(), "codes of other attributes")
    ensure((held._codes < np.array(arities[: held._codes.shape[1]])).all(), "codes that no attribute has")


def _leaf_models(models: LeafModels, learner: Learner) -> None:
    arities, n_classes = learner.feed.sizes
    n = len(models.nodes)
    ensure(n == 0 or models._is_of(learner.engine.tree(), (arities, n_classes)), "leaves of another tree")
    if n:
        check_nodes(models.nodes, arities, 0)
        ensure(models.starts == [*accumulate((a + 1 for a in arities), initial=0)], "tables begin elsewhere")
        ensure(models.tables.shape == (n, models.starts[-1], n_classes), "tables of other codes")
    ensure(
        models.by_class.shape == (n, n_classes if n else 0) and models.hits.shape == (n, 2), "counts of other leaves"
    )
    for counts in (models.by_class, models.tables, models.hits):
        ensure(counts.dtype == np.float64 and np.isfinite(counts).all() and (counts >= 0).all(), "counts are no counts")


def _numbers(held: HeldNumbers, learner: Learner) -> None:
    ensure(held._size <= held.capacity, "more numbers than the window has")
    for place, ring in held._rings.items():
        ensure(type(place) is int and 0 <= place < len(learner.schema.columns), "numbers of no column")
        ensure(type(ring) is np.ndarray and ring.dtype == np.float64 and ring.shape == (held._size,), "odd numbers")


def _checkpoints(checkpoints: Checkpoints, learner: Learner) -> None:
    m = learner.parameters.batch_size
    ensure(checkpoints.batch_size == m and checkpoints.left() > 0 and checkpoints.left() % m == 0, "no checkpoint")
    ensure(checkpoints.patience > 0 and checkpoints.window > 0, "no patience")


RULES: dict[type, Callable[[Any, Learner], None]] = {
    Parameters: _parameters,
    Schema: _schema,
    Column: _column,
    Declared: _declared,
    GrowingLookup: _lookup,
    WaitingRows: _waiting,
    Feed: _feed,
    PriceChoice: _choice,
    HeldCodes: _held_codes,
    LeafModels: _leaf_models,
    HeldNumbers: _numbers,
    Checkpoints: _checkpoints,
}


def check_nodes(tree: Sequence[Any], arities: Sequence[int], n_classes: int) -> None:
    """Refuse nodes that are no tree over attributes with so many codes."""
    ensure(len(tree) > 0, "a tree has no nodes")
    children = [child for node in tree for child in node[4]]
    ensure(sorted(children) == [*range(1, len(tree))], "the nodes are no tree")
    for i, (attribute, cut, missing, codes, kids, counts) in enumerate(tree):
        whole = [attribute, cut, missing, *codes, *kids, *counts]
        ensure(all(type(number) is int for number in whole), "a node has no whole numbers")
        ensure(len(counts) == n_classes and min(counts, default=0) >= 0, "a node has other counts")
        ensure(all(child > i for child in kids), "a child stands before its parent")
        if not kids:
            ensure(attribute == -1, "a leaf asks")
            continue
        ensure(0 <= attribute < len(arities), "a node asks for no attribute")
        if cut < 0:
            ensure(len(codes) == len(kids) == len({*codes}), "a split has other codes")
            ensure(all(0 <= code < arities[attribute] for code in codes), "a split has no such code")
        else:
            ensure(len(kids) == 2 and not len(codes) and missing in (-1, 0, 1), "a cut has other children")
            ensure(cut < arities[attribute], "a cut is beyond all numbers")
