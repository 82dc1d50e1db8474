"""The search over branches beside the exhaustive oracle: certificates hold at every moment, proofs are right."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from branch_problems import calls, compiled, do, needs_compiled, nodes, problem, seeds
from exhaustive import Exhaustive
from tsdt.engine import choose_engine, engine_name

ENGINE = choose_engine()
MANY = 10 if engine_name() == "rust" else 1
EXACT = [0.0, 0.001, 0.01, 0.025, 0.05, 0.1, 0.3]


def tree_value(search, made):
    """The value of the tree that is handed out, by sending every sample of the window through it."""
    tree, samples = nodes(search), made.held.window
    reached = [[0] * made.held.n_classes for _ in tree]
    for row, label in samples:
        node = 0
        while True:
            reached[node][label] += 1
            attribute, cut, missing, codes, children, _ = tree[node]
            if attribute < 0:
                break
            code = row[attribute]
            node = children[codes.index(code)] if cut < 0 else children[missing if code == 0 else int(code > cut)]
    assert reached == [node[-1] for node in tree]
    assert all(len(children) != 1 for *_, children, _ in tree)
    inner = [counts for attribute, *_, counts in tree if attribute >= 0]
    assert all(sum(counts) >= made.settings["min_samples"] for counts in inner)
    right = sum(max(counts) for attribute, *_, counts in tree if attribute < 0)
    return Fraction(right, len(samples)) - Fraction(str(made.settings["split_cost"])) * len(inner)


def check(search, made):
    """What must be true at every moment; whether the tree is proven."""
    value, upper, proven = search.certificate()
    rows, labels = zip(*made.held.window, strict=True)
    price = Fraction(str(made.settings["split_cost"]))
    best = Exhaustive(rows, labels, made.held.ordered, price, made.settings["min_samples"]).optimum()
    assert value == 1.0 - float(1 - tree_value(search, made))
    assert value <= as_float(best) <= upper
    assert proven == (value == upper)
    if proven:
        assert value == as_float(best)
    return proven


def as_float(value):
    """As the engines round it."""
    return 1.0 - float(1 - value)


def load(made, n, **more):
    codes, labels = made.held.samples(made.rng, n)
    made.held.load(codes, labels)
    search = made.start(ENGINE, **more)
    search.load(codes, labels)
    return search


@pytest.mark.parametrize("part", range(4))
def test_tables(part):
    """Thousands of small tables: from birth to the proof."""
    for seed in range(part, 300 * MANY, 4):
        made = problem(seed, split_cost=EXACT[seed % len(EXACT)])
        search = load(made, int(made.rng.integers(1, 30)))
        check(search, made)
        for visits in (1, 2, 5):
            search.search(visits, np.inf)
            check(search, made)
        assert search.search(10_000, np.inf)
        assert check(search, made)


@settings(max_examples=20 * MANY, deadline=None, derandomize=True)
@given(seeds)
def test_histories(seed):
    """Samples come, go, grow and get new bins; tables are loaded in between."""
    made = problem(seed, split_cost=EXACT[seed % len(EXACT)])
    search = made.start(ENGINE)
    for call in calls(made, 10):
        search = do(search, call)
        if made.held.window:
            check(search, made)
    if made.held.window:
        assert search.search(10_000, np.inf)
        assert check(search, made)


@pytest.mark.parametrize("window", [0, 1, 12])
def test_streams(window):
    """Sample by sample."""
    for seed in range(4 * MANY):
        made = problem(seed, window=window, batch_size=1, effort=2.0, split_cost=EXACT[seed % len(EXACT)])
        search = made.start(ENGINE)
        for _ in range(20):
            codes, labels = made.held.samples(made.rng, 1)
            made.held.learn(codes, labels)
            search.learn(codes, labels)
            check(search, made)


@pytest.mark.parametrize("price", [1 / 3, 1 / 7, 0.0123456789012345, 2 / 300])
def test_prices_that_are_no_decimals(price):
    """They are rounded to twelve decimals."""
    for seed in range(5 * MANY):
        made = problem(seed, split_cost=price, min_samples=2)
        search = load(made, 25)
        assert search.search(10_000, np.inf)
        rows, labels = zip(*made.held.window, strict=True)
        best = Exhaustive(rows, labels, made.held.ordered, Fraction(round(price * 10**12), 10**12)).optimum()
        assert search.certificate() == (as_float(best), as_float(best), True)


@needs_compiled
@pytest.mark.parametrize("policy", ["mixed", "optimistic", "thompson"])
def test_without_memory(policy):
    """Branches are let go again and again; the certificate stays true."""
    made = problem(3, policy=policy, split_cost=0.002)
    made.held.grow([2] * 8, [False] * 8, 2)
    codes = made.rng.integers(0, 2, (110, 8)).astype(np.uint16)
    labels = ((codes[:, :4].sum(axis=1) + (made.rng.random(110) < 0.1)) % 2).astype(np.uint16)
    made.held.load(codes, labels)
    search = made.start(compiled, max_memory=1)
    search.load(codes, labels)
    plain = made.start(compiled)
    plain.load(codes, labels)
    plain.search(400, np.inf)
    for _ in range(12):
        search.search(400, np.inf)
        check(search, made)
    assert search.looks > 3 * 1024
    assert search.bytes < plain.bytes
