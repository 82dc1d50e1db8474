"""Tables of numbers beside CART: the objective at the same price and size, and accuracy on rows held out.

    python -m benchmarks.numeric

CART is scikit-learn's tree with cost-complexity pruning; of its pruned trees (three seeds) the one with the highest
objective counts. *noise* is one standard error of the difference over ten folds.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from benchmarks.report import Column, Report
from tsdt import TSDTClassifier

TABLES = {"wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}
PRICES = (0.05, 0.02, 0.01, 0.005, 0.002)
SECONDS = 5.0
COLUMNS = (
    Column("table", "table", width=13),
    Column("price", "cost", "g"),
    Column("value", "value", ".4f"),
    Column("leaves", "leaves"),
    Column("upper", "bound", ".4f"),
    Column("cart", "CART's value", ".4f"),
    Column("cart_leaves", "leaves"),
    Column("cart_same", "at our leaves", ".4f"),
    Column("seconds", "CPU s", ".2f"),
    Column("test", "10-fold", ".4f"),
    Column("cart_test", "CART", ".4f"),
    Column("noise", "noise", ".4f"),
)

Floats = NDArray[np.float64]


def pruned_trees(X: Floats, y: Any, seeds: int = 3) -> list[DecisionTreeClassifier]:
    """All trees along CART's pruning paths."""
    trees = []
    for seed in range(seeds):
        path = DecisionTreeClassifier(random_state=seed).cost_complexity_pruning_path(X, y)
        for alpha in np.unique(np.maximum(path.ccp_alphas, 0.0)):
            trees.append(DecisionTreeClassifier(random_state=seed, ccp_alpha=alpha).fit(X, y))
    return trees


def objective(tree: DecisionTreeClassifier, X: Floats, y: Any, price: float) -> float:
    """Accuracy less the price of the splits."""
    return float(tree.score(X, y)) - price * (tree.get_n_leaves() - 1)


def ours(X: Floats, y: Any, price: float) -> TSDTClassifier:
    """Our tree at a price."""
    return TSDTClassifier(price, time_limit=SECONDS, random_state=0).fit(X, y)


def folds_of(X: Floats, y: Any, price: float) -> tuple[Floats, Floats]:
    """Accuracy on each of ten folds that were held out: ours, and CART's, pruned where its objective is highest."""
    scores: tuple[list[float], list[float]] = ([], [])
    for rows, others in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
        best = max(pruned_trees(X[rows], y[rows], 1), key=lambda tree: objective(tree, X[rows], y[rows], price))
        scores[0].append(float(ours(X[rows], y[rows], price).score(X[others], y[others])))
        scores[1].append(float(best.score(X[others], y[others])))
    return np.array(scores[0]), np.array(scores[1])


def measure(name: str, price: float, trees: list[DecisionTreeClassifier], X: Floats, y: Any) -> dict[str, Any]:
    """One table at one price."""
    begin = time.process_time()
    model = ours(X, y, price)
    seconds, leaves = time.process_time() - begin, model.tree_.n_leaves
    best = max(trees, key=lambda tree: objective(tree, X, y, price))
    same = [tree for tree in trees if tree.get_n_leaves() <= leaves]
    test, cart_test = folds_of(X, y, price)
    return {
        "table": name,
        "price": price,
        "value": model.certificate_.value,
        "leaves": leaves,
        "upper": model.certificate_.upper,
        "cart": objective(best, X, y, price),
        "cart_leaves": best.get_n_leaves(),
        "cart_same": max(float(tree.score(X, y)) for tree in same) - price * (leaves - 1),
        "seconds": seconds,
        "test": test.mean(),
        "cart_test": cart_test.mean(),
        "noise": (test - cart_test).std(ddof=1) / len(test) ** 0.5,
    }


def main() -> None:
    """Print the table, and where ours is behind."""
    report = Report("numeric", COLUMNS)
    for name, load in TABLES.items():
        X, y = load(return_X_y=True)
        trees = pruned_trees(X, y)
        for price in PRICES:
            report.add(measure(name, price, trees, X, y))
    behind = [row for row in report.rows if row["value"] < max(row["cart"], row["cart_same"]) - 1e-9]
    worse = [row for row in report.rows if row["test"] < row["cart_test"] - 2 * row["noise"]]
    print(f"\nBelow CART in the objective: {len(behind)} of {len(report.rows)}. ", end="")
    print(f"Worse on rows held out by more than two standard errors: {len(worse)} of {len(report.rows)}.")


if __name__ == "__main__":
    main()
