"""Weights Degeneracy (Section 4.4, Figure 3): two estimates of p(l), while the search over trees goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from experiments.experiment import Experiment, Size, Task, run_command
from experiments.results import Row
from tsdt.reference.decision import Conditions, DecisionNode
from tsdt.reference.trees import SearchNode, Splits, TreeSearch

Q, BATCH, SPLIT_COST = 3, 20, 0.02
LOOKS = 40
"""Moments at which the estimates are read, evenly apart on a logarithmic scale."""

Estimator = Callable[[TreeSearch, SearchNode], list[float]]
"""From a tree to how likely each of its leaves is."""


class AsPrinted(TreeSearch):
    """Counts as the paper does: samples pass through the selected tree alone, and nodes belong to one order of splits.

    Ours (decision 11) grows the tree on and shares nodes between orders, which makes the drift smaller.
    """

    def _played_out(self, state: SearchNode) -> Splits:
        return state.splits

    def _conditions_below(self, node: DecisionNode, attribute: int, code: int) -> Conditions:
        return (*node.conditions, (attribute, code))


def tasks(size: Size) -> Iterator[Task]:
    """Runs of both backups, each with a seed of its own."""
    runs, iterations = {"tiny": (1, 150), "short": (10, 2_000), "full": (50, 10_000)}[size]
    for backup in ("fast", "clark"):
        for seed in range(runs):
            yield {"backup": backup, "seed": seed, "iterations": iterations}


def samples(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three fair bits. The label is wrong in one case of ten; without that, it is X2 where X1 is 1, and 0 elsewhere.

    The best tree is the one of the paper's figure: it splits on X1, then one side on X2. Its leaves are a half, a
    quarter and a quarter of all samples, and so is every leaf of every tree: 2 to the power of minus its depth.
    """
    draw = np.random.default_rng(seed)
    X = draw.integers(0, 2, (n, Q)).astype(np.uint16)
    y = (X[:, 0] & X[:, 1]) ^ (draw.random(n) < 0.1)
    return X, y.astype(np.uint16)


def measure(task: Task) -> Iterator[Row]:
    """One search, and what both estimators say of the paper's tree and of all trees that were simulated."""
    search = AsPrinted(SPLIT_COST, task["backup"], batch_size=BATCH, seed=task["seed"])
    search.grow([2] * Q, [False] * Q, 2)
    X, y = samples(BATCH * task["iterations"], task["seed"])
    moments = np.unique(np.geomspace(10, task["iterations"], LOOKS).astype(int)).tolist()
    for last, now in zip([0, *moments], moments, strict=False):
        search.learn(X[last * BATCH : now * BATCH], y[last * BATCH : now * BATCH])
        yield {"iteration": now, **estimates(search)}


def estimates(search: TreeSearch) -> Row:
    """Of the tree of the figure, p(a) and p(c) by both estimators; of all trees, the mean of their greatest errors."""
    row: Row = {}
    tree = paper_tree(search)
    for name, estimate in (("average", average), ("chain", chain)):
        errors = [worst(estimate, search, state) for state in tried(search)]
        row[f"{name}_error"] = round(float(np.mean(errors)), 5)
        if tree:
            a, c, d = estimate(search, tree)
            row |= {f"{name}_a": round(a, 5), f"{name}_c": round((c + d) / 2, 5)}
    return row


def average(search: TreeSearch, tree: SearchNode) -> list[float]:
    """The empirical average: the share of a leaf in the samples that the leaves of a tree have seen."""
    seen = [leaf.counts.n for leaf in tree.leaves(search.root)]
    return [n / sum(seen) if sum(seen) else 0.0 for n in seen]


def chain(search: TreeSearch, tree: SearchNode) -> list[float]:
    """The chain rule: the product of the shares on the way to a leaf."""
    weighed = search._weigh(tree.splits)
    return [weighed[leaf].p for leaf in tree.leaves(search.root)]


def worst(estimate: Estimator, search: TreeSearch, tree: SearchNode) -> float:
    """The greatest error among the leaves of a tree."""
    pairs = zip(estimate(search, tree), tree.leaves(search.root), strict=True)
    return max(abs(p - 0.5 ** len(leaf.conditions)) for p, leaf in pairs)


def tried(search: TreeSearch) -> list[SearchNode]:
    """Every tree that was simulated and has more than one leaf."""
    return [state for state in search.search_nodes if state.simulated and state.splits]


def paper_tree(search: TreeSearch) -> SearchNode | None:
    """The tree that splits on X1, then the side where it is 1 on X2; None before its nodes were made."""
    root = search.root
    if 0 not in root.children or 1 not in root.children[0][1].children:
        return None
    return SearchNode({root: 0, root.children[0][1]: 1}, search.state_root.posterior)


EXPERIMENT = Experiment(Path(__file__).parent, ("backup", "seed", "iterations"), tasks, measure, ("numpy",))

if __name__ == "__main__":
    run_command(EXPERIMENT, __doc__)
