"""Theorem 1: posterior means go to the true values, variances to zero, and the policy to the optimal action."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from experiments.experiment import Experiment, Size, Task, run_command
from experiments.results import Row
from experiments.theorem1.world import ARITIES, SPLIT_COST, optimal_actions, samples, value
from tsdt.reference.belief import Normal
from tsdt.reference.trees import SearchNode, TreeSearch

BATCH = 10
LOOKS = 25


def tasks(size: Size) -> Iterator[Task]:
    """Runs of both backups, each with a seed of its own."""
    runs, iterations = {"tiny": (1, 50), "short": (6, 10_000), "full": (20, 200_000)}[size]
    for backup in ("fast", "clark"):
        for seed in range(runs):
            yield {"backup": backup, "seed": seed, "iterations": iterations}


def measure(task: Task) -> Iterator[Row]:
    """One search, and at some moments every state of it beside the truth."""
    search = TreeSearch(SPLIT_COST, task["backup"], batch_size=BATCH, seed=task["seed"])
    search.grow(ARITIES, [False, False], 2)
    X, y = samples(BATCH * task["iterations"], task["seed"])
    moments = np.unique(np.geomspace(10, task["iterations"], LOOKS).astype(int)).tolist()
    for last, now in zip([0, *moments], moments, strict=False):
        search.learn(X[last * BATCH : now * BATCH], y[last * BATCH : now * BATCH])
        yield {"iteration": now, **look(search)}


def look(search: TreeSearch) -> Row:
    """The root beside its true value, and of all states the worst error, deviation and share of the policy."""
    states = search.search_nodes
    errors = [abs(state.posterior[0] - value(search, state)) for state in states]
    shares = [optimal_share(search, state) for state in states if state.children]
    return {
        "states": len(states),
        "root_value": round(value(search, search.state_root), 6),
        "root_mean": round(search.state_root.posterior[0], 6),
        "root_deviation": round(math.sqrt(search.state_root.posterior[1]), 6),
        "root_optimal": round(shares[0], 5) if shares else None,
        "worst_error": round(max(errors), 6),
        "worst_deviation": round(math.sqrt(max(state.posterior[1] for state in states)), 6),
        "least_optimal": round(min(shares), 5) if shares else None,
    }


def optimal_share(search: TreeSearch, state: SearchNode) -> float:
    """How likely the policy takes an optimal action in a state."""
    chances = highest(search._values(state, search._weigh(state.splits)))
    return sum(chances[i] for i in optimal_actions(search, state))


def highest(posteriors: Sequence[Normal], points: int = 2001) -> list[float]:
    """How likely each of some Normal values is the highest: Thompson sampling's policy, by numerical integration."""
    means = np.array([mean for mean, _ in posteriors])
    deviations = np.sqrt(np.maximum([variance for _, variance in posteriors], 1e-18))
    grid = np.unique(
        np.concatenate([m + s * np.linspace(-6, 6, points) for m, s in zip(means, deviations, strict=True)])
    )
    z = (grid[:, None] - means) / deviations
    below = 0.5 * np.vectorize(math.erfc)(-z / math.sqrt(2))
    density = np.exp(-0.5 * z * z) / deviations / math.sqrt(2 * math.pi)
    others = [np.prod(np.delete(below, k, axis=1), axis=1) for k in range(len(means))]
    return [float(np.trapezoid(density[:, k] * others[k], grid)) for k in range(len(means))]


EXPERIMENT = Experiment(Path(__file__).parent, ("backup", "seed", "iterations"), tasks, measure, ("numpy",))

if __name__ == "__main__":
    run_command(EXPERIMENT, __doc__)
