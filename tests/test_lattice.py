"""All boxes at once: the same optimum as the oracle's, and both engines turn to it at the same moment."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from branch_problems import compiled, needs_compiled, problem, seeds, seen
from exhaustive import optimum
from tsdt import reference
from tsdt.reference import lattice as lattice_module
from tsdt.reference.bounds import Prices
from tsdt.reference.lattice import Lattice, units


@settings(max_examples=150)
@given(seeds)
def test_every_box_is_solved(seed):
    made = problem(seed)
    held = made.held
    codes, labels = held.samples(made.rng, int(made.rng.integers(1, 50)))
    samples = [(tuple(row), label) for row, label in zip(codes.tolist(), labels.tolist(), strict=True)]
    prices = Prices(0.01, 100)
    prices.of_window(len(samples))
    least = made.settings["min_samples"]
    solved = Lattice(held.arities, held.n_classes, least, prices, samples)
    while not solved.step():
        pass
    wanted = optimum(codes.tolist(), labels.tolist(), [False] * len(held.arities), Fraction(1, 100), least)
    error, _ = units(prices)
    assert 1 - Fraction(solved.losses[-1], error * len(samples)) == wanted


def test_many_steps_are_one(monkeypatch):
    made = problem(3)
    made.held.arities = [2, 3, 2, 3]
    codes, labels = made.held.samples(made.rng, 40)
    samples = [(tuple(row), label) for row, label in zip(codes.tolist(), labels.tolist(), strict=True)]
    prices = Prices(0.01, 100)
    prices.of_window(len(samples))
    losses = []
    for step in (1 << 15, 20, 1):
        monkeypatch.setattr(lattice_module, "STEP", step)
        solved = Lattice(made.held.arities, made.held.n_classes, 2, prices, samples)
        while not solved.step():
            pass
        losses.append(solved.losses.tolist())
    assert losses[0] == losses[1] == losses[2]


def hard_table(seed):
    """Labels that say nothing, at a price of next to nothing: the search alone would take long."""
    made = problem(seed, split_cost=0.001, policy="mixed", window=500, min_samples=2)
    made.held.arities, made.held.ordered, made.held.n_classes = [2, 3, 2, 2, 2, 3, 2, 2], [False] * 8, 2
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, arity, 250) for arity in made.held.arities], axis=1).astype(np.uint16)
    return made, codes, rng.integers(0, 2, 250).astype(np.uint16)


@needs_compiled
@pytest.mark.parametrize("seed", range(6))
def test_a_hard_table_is_proven(seed):
    made, codes, labels = hard_table(seed)
    search = made.start(compiled)
    search.load(codes, labels)
    assert search.search(100_000, np.inf)
    value, upper, proven = search.certificate()
    wanted = optimum(codes.tolist(), labels.tolist(), made.held.ordered, Fraction(1, 1000))
    assert proven and value == upper == pytest.approx(float(wanted), abs=1e-12)
    search.learn(codes[:20], 1 - labels[:20])
    value, upper, _ = search.certificate()
    assert value <= upper


@needs_compiled
def test_engines_turn_to_it_alike():
    made, codes, labels = hard_table(5)
    both = [made.start(engine) for engine in (reference, compiled)]
    for search in both:
        search.load(codes, labels)
    for visits in (20, 60, 100_000):
        assert both[0].search(visits, np.inf) == both[1].search(visits, np.inf)
        plain, fast = map(seen, both)
        assert plain == fast, visits
    assert both[0].search(0, np.inf)
