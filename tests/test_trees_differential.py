"""Both engines, the same samples, the same draws: every selection, every posterior and every tree must agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import compiled, needs_compiled, tree_search
from tsdt import reference

pytestmark = needs_compiled

parameters = st.fixed_dictionaries(
    {
        "backup": st.sampled_from(["fast", "clark"]),
        "policy": st.sampled_from(["thompson", "ucb", "epsilon-greedy"]),
        "split_cost": st.sampled_from([0.0, 0.01, 0.05, 0.3]),
        "batch_size": st.integers(1, 25),
        "gamma": st.sampled_from([0.5, 0.75, 1.0]),
        "min_samples": st.integers(0, 4),
        "seed": st.integers(0, 2**64 - 1),
    }
)


@dataclass
class Problem:
    """A stream whose schema grows: the class follows from the first two values, with noise."""

    arities: list[int]
    n_classes: int
    rng: np.random.Generator
    noise: float
    rule: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.rule = self.rng.integers(0, 4, (5, 5))

    def samples(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        codes = np.array([[self.rng.integers(k) for k in self.arities] for _ in range(n)]).reshape(n, -1)
        labels = self.rule[codes[:, 0], codes[:, -1]] % self.n_classes
        noisy = self.rng.random(n) < self.noise
        labels = np.where(noisy, self.rng.integers(0, self.n_classes, n), labels)
        return codes.astype(np.uint16), labels.astype(np.uint16)

    def grow(self) -> None:
        what = self.rng.integers(3)
        if what == 0 and self.n_classes < 4:
            self.n_classes += 1
        elif what == 1 and len(self.arities) < 5:
            self.arities.append(int(self.rng.integers(1, 4)))
        else:
            i = self.rng.integers(len(self.arities))
            self.arities[i] = min(5, self.arities[i] + 1)


problems = st.builds(
    lambda arities, n_classes, seed, noise: Problem(arities, n_classes, np.random.default_rng(seed), noise),
    st.lists(st.integers(2, 5), min_size=1, max_size=4),
    st.integers(2, 4),
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.1, 1.0]),
)


def same(one: Any, other: Any) -> None:
    assert one.n_iter == other.n_iter
    assert list(one.last_path) == list(other.last_path)
    np.testing.assert_allclose(one.posteriors(), other.posteriors(), rtol=0, atol=1e-9)


@given(parameters, problems, st.lists(st.integers(0, 9), min_size=5, max_size=40))
@settings(max_examples=150, deadline=None)
def test_every_selection_every_posterior_and_the_tree(parameters, problem, steps):
    searches = [tree_search(engine, **parameters) for engine in (compiled, reference)]
    for search in searches:
        search.grow(problem.arities, [False] * len(problem.arities), problem.n_classes)
    for step in steps:
        if step == 0:
            problem.grow()
            for search in searches:
                search.grow(problem.arities, [False] * len(problem.arities), problem.n_classes)
        codes, labels = problem.samples(1 + step * parameters["batch_size"] // 9)  # one iteration at the most, or two
        for search in searches:
            search.learn(codes, labels)
        same(*searches)
    assert searches[0].tree() == [tuple(node) for node in searches[1].tree()]


@given(parameters, problems)
@settings(max_examples=15, deadline=None)
def test_a_longer_run(parameters, problem):
    searches = [tree_search(engine, **{**parameters, "batch_size": 30}) for engine in (compiled, reference)]
    codes, labels = problem.samples(3000)
    for search in searches:
        search.grow(problem.arities, [False] * len(problem.arities), problem.n_classes)
        search.learn(codes, labels)
    same(*searches)
    assert searches[0].tree() == [tuple(node) for node in searches[1].tree()]
