"""What the seam promises of the search over trees, asked of both engines: chunks, states, growth and refusals."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines import both, noisy_rule, tree_search

ARITIES = [2, 3, 2, 4]
FIXTURE = [HealthCheck.function_scoped_fixture]


def taught(engine, n=1500, **parameters):
    search = tree_search(engine, **{"batch_size": 20, "seed": 3, **parameters})
    search.grow(ARITIES, [False] * 4, 3)
    search.learn(*noisy_rule(ARITIES, 3, n, seed=1))
    return search


def knows(search):
    return search.n_iter, list(search.last_path), list(search.posteriors()), [tuple(node) for node in search.tree()]


@both
@pytest.mark.parametrize("backup", ["fast", "clark"])
def test_chunks_do_not_matter(engine, backup):
    codes, labels = noisy_rule(ARITIES, 3, 800, seed=5)
    ways = [[800], [1] * 800, [37] * 22, [20] * 40, [0, 799, 0, 1]]
    results = []
    for way in ways:
        search = tree_search(engine, backup=backup, batch_size=20)
        search.grow(ARITIES, [False] * 4, 3)
        for stop, size in zip(np.cumsum(way), way, strict=True):
            search.learn(codes[stop - size : stop], labels[stop - size : stop])
        results.append(knows(search))
    assert all(result == results[0] for result in results)


@both
def test_growing_before_or_when_needed_is_the_same(engine):
    codes, labels = noisy_rule([2, 2, 2], 2, 400, seed=2)
    early, late = tree_search(engine, batch_size=20), tree_search(engine, batch_size=20)
    for search in (early, late):
        search.grow([2, 2, 2], [False] * 3, 2)
        search.learn(codes[:210], labels[:210])
        search.grow([2, 3, 2], [False] * 3, 3)
    early.grow([2, 3, 2], [False] * 3, 3)  # once more changes nothing
    for search in (early, late):
        search.learn(codes[210:], labels[210:])
    assert knows(early) == knows(late)


@both
def test_waiting_samples_have_code_0_in_a_new_attribute(engine):
    search = tree_search(engine, batch_size=4, min_samples=1)
    search.grow([2], [False], 2)
    search.learn(np.array([[0], [1], [1]], dtype=np.uint16), np.array([0, 1, 1], dtype=np.uint16))
    search.grow([2, 2], [False, False], 2)
    search.learn(np.array([[1, 1]], dtype=np.uint16), np.array([1], dtype=np.uint16))
    assert search.n_iter == 1
    assert search.tree()[0][5] == [1, 3]


@both
def test_categories_that_come_late_find_their_place(engine):
    search = tree_search(engine, batch_size=20, split_cost=0.001)
    search.grow([2, 2], [False] * 2, 2)
    search.learn(*noisy_rule([2, 2], 2, 1000, seed=0))
    search.grow([3, 2], [False] * 2, 2)
    search.learn(*noisy_rule([3, 2], 2, 4000, seed=1))
    splits = [node for node in search.tree() if node[0] == 0]
    assert any(node[3] == [0, 1, 2] for node in splits)


@both
@pytest.mark.parametrize("backup", ["fast", "clark"])
@pytest.mark.parametrize("policy", ["thompson", "ucb", "epsilon-greedy"])
def test_a_state_goes_on_bit_for_bit(engine, backup, policy):
    search = taught(engine, n=615, backup=backup, policy=policy)
    again = engine.TreeSearch.from_state(search.state())
    assert knows(again) == knows(search)
    assert again.state() == search.state()
    more = noisy_rule([*ARITIES, 2], 3, 300, seed=9)
    for each in (search, again):
        each.grow([*ARITIES, 2], [False] * 5, 3)
        each.learn(*more)
    assert knows(again) == knows(search)


@both
def test_before_any_sample_the_tree_is_a_leaf(engine):
    search = tree_search(engine)
    assert search.tree()[0][0] == -1
    search.grow([2, 2], [False, True], 2)
    search.learn(np.empty((0, 2), dtype=np.uint16), np.empty(0, dtype=np.uint16))
    assert [tuple(node) for node in search.tree()] == [(-1, -1, -1, [], [], [0, 0])]
    assert search.n_iter == 0


@both
def test_without_attributes_there_is_only_a_root(engine):
    search = tree_search(engine, batch_size=5)
    search.grow([], [], 2)
    search.learn(np.empty((10, 0), dtype=np.uint16), np.array([0, 1] * 5, dtype=np.uint16))
    assert search.n_iter == 2
    assert [tuple(node) for node in search.tree()] == [(-1, -1, -1, [], [], [5, 5])]


@both
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"split_cost": -0.1}, "split_cost is -0.1"),
        ({"split_cost": float("nan")}, "split_cost is nan"),
        ({"backup": "slow"}, "backup is .slow.*fast.*clark"),
        ({"policy": "optimistic"}, "policy is .optimistic.*thompson.*ucb.*epsilon-greedy"),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"batch_size": -5}, "batch_size is -5"),
        ({"gamma": 0.0}, "gamma is 0"),
        ({"gamma": 1.5}, "gamma is 1.5"),
        ({"min_samples": -1}, "min_samples is -1"),
    ],
    ids=str,
)
def test_settings_that_mean_nothing(engine, wrong, words):
    with pytest.raises(ValueError, match=re.compile(words, re.IGNORECASE)):
        tree_search(engine, **wrong)


@both
@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_have_64_bits(engine, seed):
    with pytest.raises((ValueError, OverflowError)):
        tree_search(engine, seed=seed)


@both
@pytest.mark.parametrize(
    ("arities", "ordered", "n_classes", "words"),
    [
        ([2, 3], [False] * 2, 3, "2 attributes after 4"),
        ([2, 2, 2, 4], [False] * 4, 3, "attribute 1 has arity 2: it must be from 3"),
        ([2, 3, 2, 4, 0], [False] * 5, 3, "attribute 4 has arity 0"),
        ([2, 3, 2, 70_000], [False] * 4, 3, "attribute 3 has arity 70000"),
        ([2, 3, 2, 4], [False] * 4, 2, "n_classes is 2: it must be from 3"),
        ([2, 3, 2, 4], [False] * 3, 3, "4 arities and 3 values of ordered"),
    ],
)
def test_growth_that_is_refused_changes_nothing(engine, arities, ordered, n_classes, words):
    search = taught(engine, n=100)
    before = knows(search)
    with pytest.raises(ValueError, match=words):
        search.grow(arities, ordered, n_classes)
    assert knows(search) == before


@both
@pytest.mark.parametrize(
    ("codes", "labels", "words"),
    [
        (np.zeros((2, 3), np.uint16), np.zeros(2, np.uint16), r"shape \(n, 4\): got a uint16 array of shape \[2, 3\]"),
        (np.zeros((2, 4), np.int64), np.zeros(2, np.uint16), "codes must be .* got a int64 array"),
        (np.zeros((4, 2), np.uint16).T, np.zeros(2, np.uint16), "codes must be a C-contiguous"),
        (np.zeros(4, np.uint16), np.zeros(1, np.uint16), r"codes must be .* shape \[4\]"),
        (np.zeros((2, 4), np.uint16), np.zeros((2, 1), np.uint16), r"labels must be .*\(n,\)"),
        (np.zeros((2, 4), np.uint16), np.zeros(4, np.uint16)[::2], "labels must be a C-contiguous"),
        (np.zeros((2, 4), np.uint16), np.zeros(3, np.uint16), "codes has 2 rows and labels has 3"),
        ([[0, 0, 0, 0]], [0], "codes must be .* got a <class 'list'>"),
        (np.array([[0] * 4, [0, 3, 0, 0]], np.uint16), np.zeros(2, np.uint16), "code 3 in row 1, column 1"),
        (np.zeros((2, 4), np.uint16), np.array([0, 3], np.uint16), "label 3 in row 1: there are 3 classes"),
    ],
    ids=range(10),
)
def test_samples_that_are_refused_leave_no_trace(engine, codes, labels, words):
    search = taught(engine, n=115)
    before = search.state()
    with pytest.raises(ValueError, match=words):
        search.learn(codes, labels)
    assert search.state() == before


@both
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=FIXTURE)
def test_anything_into_learn_and_grow(engine, data):
    search = tree_search(engine, batch_size=3)
    search.grow([2, 2], [False] * 2, 2)
    values = st.one_of(st.integers(-2, 70_000), st.floats(), st.none(), st.text(max_size=2))
    for _ in range(4):
        try:
            if data.draw(st.booleans()):
                search.grow(
                    data.draw(st.lists(values, max_size=4)), data.draw(st.lists(st.booleans())), data.draw(values)
                )
            else:
                dtype = data.draw(st.sampled_from(["u2", "u1", "i8", "f8", ">u2", "O", "U2", "?"]))
                shape = data.draw(st.lists(st.integers(0, 4), max_size=3))
                labels = np.zeros(data.draw(st.integers(0, 4)), dtype=data.draw(st.sampled_from(["u2", "i4"])))
                search.learn(np.full(shape, data.draw(st.integers(0, 3))).astype(dtype), labels)
        except (ValueError, TypeError, OverflowError):
            pass
    assert search.tree()


@both
@given(data=st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=FIXTURE)
def test_bytes_that_are_no_state(engine, data):
    state = taught(engine, n=150).state()
    kind = data.draw(st.sampled_from(["any", "cut", "longer"]))
    if kind == "any":
        state = data.draw(st.binary(max_size=200))
    elif kind == "cut":
        state = state[: data.draw(st.integers(0, len(state) - 1))]
    else:
        state += data.draw(st.binary(min_size=1, max_size=5))
    with pytest.raises(ValueError, match="state"):
        engine.TreeSearch.from_state(state)


@both
def test_a_changed_byte_is_noticed_or_harmless(engine):
    state = taught(engine, n=150).state()
    for place in range(0, len(state), max(1, len(state) // 150)):
        changed = bytearray(state)
        changed[place] ^= 1 << (place % 8)
        try:
            search = engine.TreeSearch.from_state(bytes(changed))
        except ValueError:
            continue
        assert engine.__name__ == "tsdt.reference", f"byte {place} was changed and nobody noticed"
        assert search.n_iter >= 0
