"""CART with cost-complexity pruning: of all trees on its path, the best by our objective on the training rows."""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.peers.task import Answer, Stopwatch, ask


def splits(tree: DecisionTreeClassifier) -> int:
    """How often a binary tree splits."""
    return int(tree.get_n_leaves()) - 1


def learn(X: np.ndarray, y: np.ndarray, split_cost: float, seconds: float) -> Answer:
    """Grow, prune, choose. It needs no limit."""
    watch = Stopwatch()
    alphas = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    trees = [DecisionTreeClassifier(random_state=0, ccp_alpha=max(alpha, 0.0)).fit(X, y) for alpha in set(alphas)]
    best = max(trees, key=lambda tree: tree.score(X, y) - split_cost * splits(tree))
    return Answer(best.predict, splits(best), None, watch.cpu)


if __name__ == "__main__":
    ask(learn)
