"""The learners of the comparison: ours in this process, the peers in environments of their own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.peers.environments import REQUIREMENTS, interpreter
from benchmarks.running import RunError, figures
from experiments.experiment import Task
from experiments.frontier.tables import Fold, published
from experiments.results import Row
from tsdt import TSDTClassifier

BATCH = 100
GAMMA = 0.75
CHUNK = 50
"""Batches between two looks at the clock; one that would end too late is not begun."""
SHARE = 0.01
"""The share of the published seconds that Fast-TSDT gets where it is given time instead of iterations."""
PATH = 40
SHORT_RUNS = ("MONK1-original", "MONK1-droplast")


def iterations(table: str) -> int:
    """The iterations with which the authors ran their searches: the paper's M, and twice that for tic-tac-toe."""
    return 1_000 if table in SHORT_RUNS else 20_000 if table == "tic-tac-toe" else 10_000


Peer = Callable[[Fold, Task, Sequence[float]], Iterable[Row]]
"""A learner on a fold at each of its parameters: prices of a split, or depths. A row for each."""


def ours(learn: Callable[[Fold, Task, float], Row]) -> Peer:
    """One of our learners: every price in turn, in this process."""
    return lambda fold, task, costs: ({"parameter": cost, **learn(fold, task, cost)} for cost in costs)


def branches(fold: Fold, task: Task, cost: float) -> Row:
    """Our search over branches, until it has its proof or has spent its limit, in CPU seconds."""
    start, limit = time.process_time(), task["limit"]
    model = TSDTClassifier(cost, time_limit=limit, random_state=task["seed"])
    model.fit(fold.train.X, fold.train.y)
    while not model.certificate_.proven and (left := start + limit - time.process_time()) > 0:
        model.improve(left)
    return {**_judged(model, fold, start), "proven": model.certificate_.proven}


def tsdt(fold: Fold, task: Task, cost: float) -> Row:
    """TSDT as the paper runs it: it takes long, so it has a limit."""
    most, limit = iterations(task["table"]), task["limit"]
    return _over_trees(fold, task, cost, "clark", lambda done, seconds: done < most and seconds < limit)


def fast_tsdt(fold: Fold, task: Task, cost: float) -> Row:
    """Fast-TSDT as the paper runs it."""
    return _over_trees(fold, task, cost, "fast", lambda done, seconds: done < iterations(task["table"]))


def hundredth(fold: Fold, task: Task, cost: float) -> Row:
    """Fast-TSDT for a hundredth of the seconds that the authors' own took in this cell."""
    cells = {(row["table"], row["split_cost"]): row["seconds_mean"] for row in published()}
    limit = SHARE * cells[task["table"], cost]
    return _over_trees(fold, task, cost, "fast", lambda done, seconds: seconds * (done + CHUNK) <= limit * done)


def _over_trees(fold: Fold, task: Task, cost: float, backup: str, more: Callable[[int, float], bool]) -> Row:
    """A search with the paper's batches and exponent, as long as there is `more` by its iterations and CPU seconds."""
    fixed: dict[str, Any] = {"batch_size": BATCH, "gamma": GAMMA, "random_state": task["seed"]}
    model = TSDTClassifier(cost, search="trees", backup=backup, **fixed)
    start, seconds = time.process_time(), 0.0
    for done, (X, y) in enumerate(fold.train.cycle().chunks(CHUNK * BATCH)):
        if not more(CHUNK * done, seconds):
            break
        model.learn_many(X, y)
        seconds = time.process_time() - start
    return {**_judged(model, fold, start), "iterations": model.n_iter_}


def _judged(model: TSDTClassifier, fold: Fold, start: float) -> Row:
    tree, seconds = model.tree_, time.process_time() - start
    right = [float((model.predict(table.X) == table.y).mean()) for table in fold]
    return {"splits": tree.n_splits, "leaves": tree.n_leaves, "train": right[0], "test": right[1], "seconds": seconds}


def cart(fold: Fold, task: Task, costs: Sequence[float]) -> Iterator[Row]:
    """CART with cost-complexity pruning: of the trees on its path, the best by our objective on the training rows.

    A path can have thousands of trees: `PATH` of them are grown at its small end, and as many evenly along it.
    """
    X, y = fold.train.X, fold.train.y
    start = time.process_time()
    alphas = np.unique(DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas.clip(0.0))
    along = np.linspace(0, len(alphas) - 1, PATH).round().astype(int)
    chosen = alphas[np.unique([*along, *range(max(len(alphas) - PATH, 0), len(alphas))])]
    trees = [DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y) for alpha in chosen]
    leaves, train = [int(tree.get_n_leaves()) for tree in trees], [float(tree.score(X, y)) for tree in trees]
    seconds = time.process_time() - start
    for cost in costs:
        values = [right - cost * (n - 1) for right, n in zip(train, leaves, strict=True)]
        k = values.index(max(values))
        row = {"splits": leaves[k] - 1, "leaves": leaves[k], "train": train[k], "seconds": seconds}
        yield {"parameter": cost, **row, "test": float(trees[k].score(fold.test.X, fold.test.y))}


def peer(module: str, environment: str) -> Peer:
    """A peer: all its parameters in one process of its own, because starting one may take longer than a tree."""
    return lambda fold, task, parameters: _asked(module, environment, fold, task["limit"], parameters)


def _asked(module: str, environment: str, fold: Fold, limit: float, parameters: Sequence[float]) -> Iterator[Row]:
    python, solver = interpreter(environment), " ".join(REQUIREMENTS[environment])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fold.npz"
        np.savez(file, X=fold.train.X, y=fold.train.y, X_test=fold.test.X, y_test=fold.test.y)
        arguments = (module, file, limit, *parameters)
        try:
            rows = figures("experiments.frontier.asking", *arguments, interpreter=python)["rows"]
        except RunError as error:
            rows = [{"parameter": parameter, "failed": str(error)[:200]} for parameter in parameters]
    return ({**row, "solver": solver} for row in rows)


LEARNERS: dict[str, Peer] = {
    "branch search": ours(branches),
    "CART": cart,
    "Fast-TSDT": ours(fast_tsdt),
    "Fast-TSDT, 1/100": ours(hundredth),
    "TSDT": ours(tsdt),
    "STreeD": peer("benchmarks.peers.streed", "pystreed"),
    "GOSDT": peer("benchmarks.peers.gosdt", "gosdt"),
    "DL8.5": peer("experiments.frontier.dl85", "pydl8.5"),
}
BINARY = ("STreeD", "GOSDT", "DL8.5")
"""Those that know only binary attributes: they have no part in MONK-1 as it is."""
