"""The frontier: every point is the exhaustive optimum of its prices, nothing is missing, and what is open is marked."""

import time
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import tsdt
from exhaustive import optimum
from test_classifier import SEARCHES
from tsdt.envelope import Envelope
from tsdt.frontier_search import PricedTable
from tsdt.frontiers import search_frontier
from tsdt.tree import DecisionTree, Node

pytestmark = pytest.mark.skipif("branches" not in SEARCHES, reason="the engine has no search over branches")

COSTS = [Fraction(1, d) for d in (2, 5, 9, 14, 20, 33, 50, 80, 150)]


def small_table(seed, n=40):
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (n, 4))
    y = (X[:, 0] == X[:, 1]) ^ (random.random(n) < 0.2) ^ (X[:, 2] == 2)
    return X, y.astype(int)


def words(X):
    return {f"a{i}": [f"c{v}" for v in column] for i, column in enumerate(X.T)}


@pytest.mark.parametrize("seed", range(4))
def test_every_price_has_its_optimum(seed):
    X, y = small_table(seed)
    found = tsdt.frontier(words(X), y, lowest=1 / 150, random_state=0)
    assert found.complete
    for cost in COSTS:
        point = found.at(float(cost))
        best = optimum(X.tolist(), y.tolist(), [False] * 4, cost)
        assert point.accuracy - float(cost) * point.n_splits == pytest.approx(float(best), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_points_are_corners_of_one_convex_line(seed):
    X, y = small_table(seed)
    found = tsdt.frontier(words(X), y, lowest=1 / 150, random_state=0)
    assert found[0].n_splits == 0 and found[0].highest == 1.0 and found[-1].lowest == pytest.approx(1 / 150)
    for dear, cheap in pairwise(found):
        assert dear.lowest == cheap.highest and dear.n_splits < cheap.n_splits
        value = [point.accuracy - cheap.highest * point.n_splits for point in (dear, cheap)]
        assert value[0] == pytest.approx(value[1])
    for point in found:
        assert point.lowest < point.split_cost < point.highest and point.certificate.proven
        assert point.certificate.value == pytest.approx(point.accuracy - point.split_cost * point.n_splits)
        assert point.accuracy == pytest.approx(np.mean(point.tree.predict(words(X)) == y))


def test_given_prices_give_their_trees_alone_and_share_work():
    X, y = small_table(1)
    costs = [float(cost) for cost in COSTS]
    found = tsdt.frontier(words(X), y, costs, random_state=0)
    assert found.complete and found.n_solves <= len(costs)
    for cost in COSTS:
        best = optimum(X.tolist(), y.tolist(), [False] * 4, cost)
        [point] = [p for p in found if p.lowest <= float(cost) <= p.highest]
        assert point.accuracy - float(cost) * point.n_splits == pytest.approx(float(best), abs=1e-9)
    many = tsdt.frontier(words(X), y, np.linspace(0.3, 0.9, 200), random_state=0)
    assert len(many) == 1 and many.n_solves <= 2


def test_numbers_are_cut_as_fit_cuts_them():
    random = np.random.default_rng(0)
    X = {"size": random.normal(0, 1, 300), "colour": random.choice(["red", "blue"], 300)}
    y = ((X["size"] > 0.123) & (X["colour"] == "red")).astype(int)
    found = tsdt.frontier(X, y, lowest=0.01, random_state=0)
    model = tsdt.TSDTClassifier(split_cost=found[-1].split_cost, random_state=0).fit(X, y)
    assert found.complete
    assert found[-1].accuracy == model.tree_.accuracy == 1.0
    assert found[-1].n_splits == model.tree_.n_splits == 2


def test_what_the_time_does_not_allow_is_marked():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 2, (2000, 16)), random.integers(0, 2, 2000)
    found = tsdt.frontier(X, y, lowest=0.0005, time_limit=0.3, random_state=0)
    assert not found.complete and not found[-1].certificate.proven
    assert found[-1].certificate.upper > found[-1].certificate.value
    assert "Not complete" in str(found) and "gap" in str(found)


def test_the_time_there_is_is_used_where_no_bins_can_become_finer():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 2, (2000, 16)), random.integers(0, 2, 2000)
    start = time.monotonic()
    assert not tsdt.frontier(X, y, lowest=0.0005, time_limit=1.5, random_state=0).complete
    assert time.monotonic() - start > 1.0  # the first of three rounds would have ended at half a second


def test_one_class_is_one_leaf():
    found = tsdt.frontier({"a": ["x", "y"]}, ["yes", "yes"])
    assert len(found) == 1 and found.complete and found[0].accuracy == 1.0
    assert ET.fromstring(found.to_svg()) is not None


@pytest.mark.parametrize("wrong", [[], [2.0], [float("nan")]])
def test_prices_that_are_none(wrong):
    with pytest.raises(ValueError, match="split"):
        tsdt.frontier({"a": [1, 2]}, [0, 1], wrong)


def test_it_shows_itself():
    X, y = small_table(2)
    found = tsdt.frontier(words(X), y, lowest=0.02, random_state=0)
    assert len(str(found).splitlines()) == len(found) + 2
    root = ET.fromstring(found.to_svg("dark", split_cost=0.02))
    circles = [c.attrib["class"] for c in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert circles.count("dot") == len(found) and circles.count("ring") == 1
    with pytest.raises(ValueError, match="theme"):
        found.to_svg("blue")


def test_it_plots():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    X, y = small_table(2)
    found = tsdt.frontier(words(X), y, lowest=0.02, random_state=0)
    axes = found.plot(Figure().subplots())
    assert len(axes.collections[0].get_offsets()) == len(found)
    assert found.plot().get_ylabel() == "accuracy"


def test_bounds_hold_between_prices():
    envelope = Envelope(DecisionTree((), ("a", "b"), (Node((6, 4)),)), lowest=0.0)
    assert envelope.upper(0.0) == 1.0 and envelope.upper(0.2) == pytest.approx(0.8) and envelope.upper(0.7) == 0.6
    envelope.bound(0.1, 0.7)
    assert envelope.upper(0.25) == pytest.approx(0.65)
    assert not envelope.is_tight(0.25) and envelope.is_tight(0.4)
    envelope.forget_bounds()
    assert envelope.upper(0.2) == pytest.approx(0.8)


def test_the_samples_that_a_model_holds():
    X, y = small_table(3, n=200)
    model = tsdt.TSDTClassifier(split_cost=0.02, batch_size=10, window=60, effort=5, random_state=0)
    table = PricedTable.of_window(model.learn_many(words(X), y)._learner)
    assert table is not None
    found = search_frontier(table, None, 0.01, None)
    last = {name: column[-60:] for name, column in words(X).items()}
    expected = tsdt.frontier(last, y[-60:], lowest=0.01, random_state=0)
    assert [p.n_splits for p in found] == [p.n_splits for p in expected]
    assert [p.accuracy for p in found] == pytest.approx([p.accuracy for p in expected])
    assert model.tree_.n_samples == 60
