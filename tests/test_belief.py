"""Counts, belief and draws of the reference against slow twins, exact formulas and simulation."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsdt.reference.belief import (
    best_mean,
    beta_normal,
    cautious_mean,
    clark,
    clark_maximum,
    full,
    never,
    node_posterior,
    simulated,
    widen,
)
from tsdt.reference.counts import RunningCounts
from tsdt.reference.random import Random, natural_log, normal_quantile
from tsdt.reference.trees import SearchNode, TreeSearch

samples = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2)), max_size=60)
normals = st.tuples(st.floats(-1, 2), st.floats(0, 1))

# -- counts ------------------------------------------------------------------------------------------------------------


def predicted(labels: list[int], n_classes: int) -> int:
    """How many labels the majority of those before them predicts, each majority counted afresh."""
    hits = 0
    for i in range(1, len(labels)):
        before = [labels[:i].count(k) for k in range(n_classes)]
        hits += before.index(max(before)) == labels[i]
    return hits


@given(samples)
def test_prequential_hits(samples):
    counts = RunningCounts([3, 2], 3)
    for *x, y in samples:
        counts.add(x, y)
    labels = [sample[-1] for sample in samples]
    assert (counts.n, counts.hits) == (len(labels), predicted(labels, 3))
    for i, arity in enumerate([3, 2]):
        for j in range(arity):
            there = [sample[-1] for sample in samples if sample[i] == j]
            assert counts.table[i][j] == [there.count(k) for k in range(3)]
            assert counts.table_hits[i][j] == predicted(there, 3)


@given(samples, st.integers(0, 60))
def test_counts_grow_as_if_the_schema_had_been_larger(samples, when):
    grown, large = RunningCounts([3], 2), RunningCounts([4, 3], 3)
    early, late = samples[:when], samples[when:]
    for a, _, y in early:
        grown.add([a], y % 2)
        large.add([a, 0], y % 2)
    grown.grow([4, 3], 3)
    for a, b, y in late:
        grown.add([a, b], y)
        large.add([a, b], y)
    assert vars(grown) == vars(large)


# -- posteriors --------------------------------------------------------------------------------------------------------


@given(st.integers(0, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_moments_of_the_beta_exactly(case):
    scored, hits = case
    a, b = Fraction(1 + hits), Fraction(1 + scored - hits)
    mean, variance = beta_normal(scored, hits)
    assert mean == pytest.approx(float(a / (a + b)), rel=1e-14)
    assert variance == pytest.approx(float(a * b / ((a + b) ** 2 * (a + b + 1))), rel=1e-14)


@pytest.mark.parametrize(("scored", "hits"), [(0, 0), (1, 1), (7, 2), (40, 33)])
def test_moments_of_the_beta_by_integration(scored, hits):
    x = (np.arange(200_000) + 0.5) / 200_000
    density = x**hits * (1 - x) ** (scored - hits)
    density /= density.sum()
    mean = (x * density).sum()
    assert beta_normal(scored, hits) == pytest.approx((mean, ((x - mean) ** 2 * density).sum()), rel=1e-6)


def test_the_first_sample_scores_nothing():
    assert node_posterior(0, 0) == node_posterior(1, 0) == beta_normal(0, 0) == (0.5, 1 / 12)
    assert node_posterior(2, 1) == beta_normal(1, 1)


@given(st.integers(0, 500).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, max(n - 1, 0)))), st.floats(0, 1000))
def test_a_variance_counts_no_more_samples_than_were_tested(case, tested):
    n, hits = case
    mean, variance = node_posterior(n, hits, tested)
    assert mean == node_posterior(n, hits)[0]
    scored = min(max(n - 1, 0), tested)
    assert variance == pytest.approx(mean * (1 - mean) / (scored + 3))


def test_a_tree_is_as_certain_as_it_was_put_to_the_test():
    assert simulated(400)(10_000, 0.25) == 100
    assert never(10_000, 0.25) == 100
    assert full(10_000, 0.25) == math.inf


def test_a_cautious_mean_is_below_the_mean_and_comes_closer_with_samples():
    doubts = [node_posterior(n, n // 2)[0] - cautious_mean(n, n // 2) for n in (0, 10, 1000, 100_000)]
    assert doubts == sorted(doubts, reverse=True)
    assert 0.0 < doubts[-1] < 0.01


def test_the_exponent_widens():
    assert widen(1e-4, 0.75) == pytest.approx(1e-3)
    assert widen(1e-4, 1.0) == 1e-4


# -- maxima ------------------------------------------------------------------------------------------------------------


@given(normals, normals)
def test_clark_against_integration(first, second):
    (m1, v1), (m2, v2) = first, second
    s1, s2 = math.sqrt(v1) + 1e-3, math.sqrt(v2) + 1e-3
    x = np.linspace(min(m1 - 9 * s1, m2 - 9 * s2), max(m1 + 9 * s1, m2 + 9 * s2), 20_001)
    below = [0.5 * (1 + np.vectorize(math.erf)((x - m) / (s * math.sqrt(2)))) for m, s in ((m1, s1), (m2, s2))]
    share = np.diff(below[0] * below[1])
    middle = (x[1:] + x[:-1]) / 2
    mean = (middle * share).sum()
    result = clark((m1, s1 * s1), (m2, s2 * s2))
    assert result == pytest.approx((mean, ((middle - mean) ** 2 * share).sum()), abs=2e-4)


@given(normals, normals)
def test_the_maximum_is_no_less_than_either(first, second):
    mean, variance = clark(first, second)
    assert mean >= max(first[0], second[0]) - 1e-12
    assert 0 <= variance <= max(first[1], second[1]) + 1e-12


def test_clark_needs_the_root():
    children = [(0.5, 0.05**2)] * 20
    draws = np.random.default_rng(0).normal(0.5, 0.05, (100_000, 20)).max(axis=1)
    mean, variance = clark_maximum(children)
    assert mean == pytest.approx(0.593, abs=0.002)
    assert mean == pytest.approx(draws.mean(), abs=0.002)
    assert math.sqrt(variance) == pytest.approx(draws.std(), abs=0.003)
    assert mean > 0.508 + 0.05  # what the formula gives as it is printed


@given(st.lists(normals, min_size=1, max_size=8))
def test_the_fast_backup_takes_the_first_of_the_best(values):
    best = best_mean(values)
    assert best[0] == max(mean for mean, _ in values)
    assert best == next(value for value in values if value[0] == best[0])


def test_maxima_of_certain_values():
    assert clark((0.3, 0.0), (0.7, 0.0)) == (0.7, 0.0)
    assert clark_maximum([(0.4, 0.1)]) == (0.4, 0.1)


# -- the chain rule ----------------------------------------------------------------------------------------------------


def split(search: TreeSearch, splits: dict, node, attribute: int) -> dict:
    """The splits of a tree with one more."""
    search._children(node, attribute)
    return {**splits, node: attribute}


def test_weights_degenerate_in_averages_and_not_in_the_product():
    """Section 4.4: a leaf that many trees share has seen more samples than its siblings' children."""
    search = TreeSearch(0.01)
    search.grow([2, 2], [False, False], 2)
    rng = np.random.default_rng(0)
    small = split(search, {}, search.root, 0)
    left, right = search.root.children[0]
    large = split(search, small, right, 1)
    for splits, times in ((small, 50), (large, 5)):
        batch = [(x.tolist(), int(x[0] ^ x[1])) for x in rng.integers(0, 2, (100 * times, 2))]
        search._simulate(splits, batch)
    leaves = list(SearchNode(large, (0.5, 0.1)).leaves(search.root))
    assert leaves == [left, *right.children[1]]
    average = [leaf.counts.n / sum(other.counts.n for other in leaves) for leaf in leaves]
    assert average[0] > 0.9  # the truth is .5
    weighed = search._weigh(large)
    product = [weighed[leaf].p for leaf in leaves]
    assert product == pytest.approx([0.5, 0.25, 0.25], abs=0.03)
    assert sum(product) == pytest.approx(1.0)


# -- draws -------------------------------------------------------------------------------------------------------------


def test_the_generator_is_splitmix64():
    random = Random(1234567)
    assert [random.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.floats(1e-300, 1e300))
def test_the_logarithm(x):
    assert natural_log(x) == pytest.approx(math.log(x), rel=1e-14, abs=1e-15)


@given(st.floats(2.0**-53, 1 - 2.0**-53))
def test_the_quantile(p):
    assert normal_quantile(p) == pytest.approx(statistics.NormalDist().inv_cdf(p), rel=1e-12, abs=1e-12)


def test_no_draw_is_0_or_1():
    class Extreme(Random):
        def bits(self) -> int:
            return self.state

    assert 0.0 < Extreme(0).uniform() < Extreme(2**64 - 1).uniform() < 1.0
    assert Extreme(2**64 - 1).below(7) == 6
    assert math.isfinite(Extreme(0).normal())
    assert Extreme(0).normal() == -Extreme(2**64 - 1).normal()


def test_draws_are_normal():
    random = Random(0)
    draws = [random.normal() for _ in range(20_000)]
    assert statistics.fmean(draws) == pytest.approx(0.0, abs=0.03)
    assert statistics.pstdev(draws) == pytest.approx(1.0, abs=0.02)
