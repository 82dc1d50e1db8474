"""Both engines search over branches alike: the same samples and the same draws give the same decisions."""

import numpy as np
import pytest
from hypothesis import given, settings

from branch_problems import POLICIES, calls, compiled, do, needs_compiled, problem, seeds, seen
from tsdt import reference

pytestmark = needs_compiled


def start_both(made):
    return [made.start(engine) for engine in (reference, compiled)]


def assert_same(both, what):
    plain, fast = map(seen, both)
    assert plain == fast, what


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seeds)
def test_tables(seed):
    made = problem(seed, min_samples=[1, 2, 2, 4][seed % 4])
    both = start_both(made)
    codes, labels = made.held.samples(made.rng, int(made.rng.integers(1, 60)))
    for search in both:
        search.load(codes, labels)
    for visits in (0, 1, 2, 5, 40):
        assert both[0].search(visits, np.inf) == both[1].search(visits, np.inf)
        assert_same(both, visits)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(seeds)
def test_histories(seed):
    made = problem(seed)
    both = start_both(made)
    for place, call in enumerate(calls(made, 10)):
        both = [do(search, call) for search in both]
        assert_same(both, (place, call))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_longer_stream(policy):
    """Long enough for the compiled engine to forget changes, free rows and count by bits."""
    made = problem(1, policy=policy, window=60, batch_size=25, effort=2.0, split_cost=0.02)
    made.held.grow([3, 4, 2, 5], [False, True, False, True], 3)
    both = start_both(made)
    for piece in range(5):
        codes, labels = made.held.samples(made.rng, 90)
        for search in both:
            search.learn(codes, labels)
        assert_same(both, piece)


def test_a_calm_stream_whose_concept_changes():
    """Effort is halved while the tree stays the same, and is full again when it loses."""
    chosen = {"split_cost": 0.02, "policy": "mixed", "batch_size": 10, "window": 400, "effort": 20.0, "seed": 3}
    both = [engine.BranchSearch(**chosen) for engine in (reference, compiled)]
    rng, visits = np.random.default_rng(5), list[int]()
    for search in both:
        search.grow([2] * 4, [False] * 4, 2)
    for first in (0, 2):  # the label is the XNOR of two attributes, then of the other two
        for _ in range(20):
            codes = rng.integers(0, 2, (200, 4)).astype(np.uint16)
            wrong = rng.random(200) < 0.05
            labels = ((codes[:, first] == codes[:, first + 1]) ^ wrong).astype(np.uint16)
            before = both[0].n_iter
            for search in both:
                search.learn(codes, labels)
            visits.append(both[0].n_iter - before)
            assert_same(both, len(visits))
    assert {node[0] for node in both[0].tree()} == {-1, 2, 3}
    assert visits[19] < visits[20] / 2
