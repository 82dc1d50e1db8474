"""The greedy tree that `fit` begins from: pruned at the price, and planted alike in both engines."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.tree import DecisionTreeClassifier

from branch_problems import compiled, every_engine, needs_compiled, problem, seeds, seen
from tsdt import TSDTClassifier, reference
from tsdt.greedy import GreedyTree, Shape


def value_of(tree, split_cost):
    """Accuracy less the price of the splits, by the counts of the leaves."""
    leaves = [node[5] for node in tree if node[0] < 0]
    right, n = sum(map(max, leaves)), sum(map(sum, leaves))
    return right / n - split_cost * (len(tree) - len(leaves))


def drawn(seed):
    """A problem, its codes and labels, and their greedy tree."""
    made = problem(seed)
    held, settings = made.held, made.settings
    codes, labels = held.samples(made.rng, int(made.rng.integers(1, 60)))
    shape = Shape(held.arities, held.ordered, held.n_classes)
    price = settings["split_cost"]
    return made, codes, labels, GreedyTree(codes, labels, shape, price, settings["min_samples"]).at(price)


@settings(max_examples=60)
@given(seeds)
def test_no_worse_than_a_leaf_and_every_row_is_in_it(seed):
    made, _, labels, tree = drawn(seed)
    whole = tree[0][5]
    assert sum(whole) == len(labels)
    assert value_of(tree, made.settings["split_cost"]) >= max(whole) / sum(whole) - 1e-12


@needs_compiled
@settings(max_examples=60)
@given(seeds)
def test_planted_alike(seed):
    made, codes, labels, tree = drawn(seed)
    both = [made.start(engine) for engine in (reference, compiled)]
    for search in both:
        search.load(codes, labels)
        search.plant(tree)
        search.search(10, np.inf)
    plain, fast = map(seen, both)
    assert plain == fast


@every_engine
@pytest.mark.parametrize("tree", [[], [(0, -1, -1, [0], [0], [1])], [(0, -1, -1, [0], [7], [1])]])
def test_no_tree(engine, tree):
    search = problem(0).start(engine)
    with pytest.raises(ValueError, match="node"):
        search.plant(tree)


def test_a_short_search_of_digits_is_no_worse_than_cart():
    """One second is nothing for 64 attributes and ten classes; CART pruned at the same price reaches 0.53."""
    X, y = load_digits(return_X_y=True)
    model = TSDTClassifier(0.02, time_limit=None, max_iter=30, random_state=0).fit(X, y)
    assert model.certificate_.value > 0.5


@pytest.mark.parametrize(
    ("load", "price"), [(load_wine, 0.01), (load_breast_cancer, 0.005), (load_breast_cancer, 0.01)]
)
def test_no_worse_than_cart_pruned_to_its_best(load, price):
    X, y = load(return_X_y=True)
    model = TSDTClassifier(price, time_limit=None, max_iter=30, random_state=0).fit(X, y)
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
    for alpha in np.unique(np.maximum(path.ccp_alphas, 0.0)):
        cart = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        assert model.certificate_.value >= cart.score(X, y) - price * (cart.get_n_leaves() - 1) - 1e-9
