"""Theorem 2: how often a child of a state has had few visits, beside the bound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.special import erfcinv

from experiments.experiment import Experiment, Size, Task, run_command
from experiments.results import Row
from tsdt.reference.trees import TreeSearch

LOOKS = 30
BANDITS = {
    "2 children, 1 leaf": (2, 1, 1),
    "5 children, 1 leaf": (5, 1, 1),
    "5 children, 4 leaves": (5, 4, 1),
    "20 children, 1 leaf": (20, 1, 1),
    "5 children, 1 leaf, m=10": (5, 1, 10),
}
"""States whose children are all finished trees: how many, how many leaves each has, and samples a visit."""
BEST, OTHERS = 0.95, 0.5
"""The accuracy of one child and of all others: the others are as bad as can be, so that they are seldom visited."""
SEARCH = "TSDT itself, 2 children"
"""The real search on one binary attribute: stop, or split and stop."""


def tasks(size: Size) -> Iterator[Task]:
    """Each kind of state, with many runs of it at once; of the real search fewer, one after the other."""
    runs, visits, real = {"tiny": (50, 100, 2), "short": (2_000, 10_000, 60), "full": (20_000, 100_000, 500)}[size]
    for state in BANDITS:
        yield {"state": state, "runs": runs, "visits": visits, "seed": 0}
    yield {"state": SEARCH, "runs": real, "visits": min(visits, 3_000), "seed": 0}


def measure(task: Task) -> Iterator[Row]:
    """At some moments: in how many runs one bad child was at or below the number of visits in the bound."""
    moments = np.unique(np.geomspace(2, task["visits"], LOOKS).astype(int)).tolist()
    if task["state"] == SEARCH:
        w, leaves, m = 2, 2, 1
        counts = [searched(task["visits"], moments, seed) for seed in range(task["runs"])]
        visits = np.array(counts).T  # of the child that splits: it has two leaves
    else:
        w, leaves, m = BANDITS[task["state"]]
        visits = thompson(task, moments)
    for t, now in zip(moments, visits, strict=True):
        row: Row = {"t": t}
        for form, threshold in (("printed", printed), ("lemma", by_the_lemma)):
            few = threshold(t, w, leaves)
            row[f"few_{form}"] = int((now * m <= few).sum())
            row |= {f"threshold_{form}": round(few, 4), f"bound_{form}": round(bound(t, few / (m * width(w))), 6)}
        yield row


def width(w: int) -> float:
    """M_w of the theorem."""
    return 1.0 + math.sqrt(2.0 / math.sqrt(3.0)) * float(erfcinv(1.0 / (w - 1)))


def printed(t: int, w: int, leaves: int) -> float:
    """How many samples are few after t visits, as the theorem is printed."""
    return math.log(t) / (4.0 * leaves * width(w))


def by_the_lemma(t: int, w: int, leaves: int) -> float:
    """The same as the lemma on variances supports it: it has a square root there that the proof leaves out.

    The lemma says that at most sqrt(C / |leaves|) / 2 samples leave a variance of at least 1 / C; the proof then uses
    C / (2 |leaves|) samples. C is half of log t in both.
    """
    return 0.5 * math.sqrt(0.5 * math.log(t) / leaves) / width(w)


def bound(t: int, visits: float) -> float:
    """How often so few visits may happen at most: the right side of the theorem; 1 where it says nothing."""
    phi = math.sqrt(math.log(t) / 4.0) + math.sqrt(math.log(t) / 4.0 + 2.0)
    inner = t**0.75 / (math.sqrt(math.pi) * phi) - visits
    return math.exp(-2.0 / t * inner**2) if inner > 0.0 else 1.0


def thompson(task: Task, moments: list[int]) -> np.ndarray:
    """Many runs at once of Thompson sampling among finished trees: the visits of the last child, a bad one."""
    (w, leaves, m), runs = BANDITS[task["state"]], task["runs"]
    draw, every = np.random.default_rng(task["seed"]), np.arange(runs)
    seen, hits, visits = np.zeros((runs, w, leaves)), np.zeros((runs, w, leaves)), np.zeros((runs, w))
    accuracy, found = np.array([BEST] + [OTHERS] * (w - 1)), []
    for t in range(1, moments[-1] + 1):
        alpha, beta = 1.0 + hits, 1.0 + seen - hits
        total = alpha + beta
        mean = (alpha / total).mean(axis=2)
        variance = (alpha * beta / total**2 / (1.0 + total)).sum(axis=2) / leaves**2
        chosen = (mean + np.sqrt(variance) * draw.standard_normal((runs, w))).argmax(axis=1)
        visits[every, chosen] += 1
        n = draw.multinomial(m, [1.0 / leaves] * leaves, runs)
        seen[every, chosen] += n
        hits[every, chosen] += draw.binomial(n, accuracy[chosen][:, None])
        if t in moments:
            found.append(visits[:, -1].copy())
    return np.array(found)


def searched(iterations: int, moments: list[int], seed: int) -> list[int]:
    """The real search on a bit that says nothing: how often it took the split, at each moment."""
    search = TreeSearch(0.2, "fast", batch_size=1, gamma=1.0, seed=seed)
    search.grow([2], [False], 2)
    draw = np.random.default_rng(seed)
    X = draw.integers(0, 2, (4 * iterations + 100, 1)).astype(np.uint16)
    y = (draw.random(len(X)) < 0.1).astype(np.uint16)
    found, taken, t = [], 0, 0
    for i in range(len(X)):
        search.learn(X[i : i + 1], y[i : i + 1])
        if not search.last_path:  # the state is not open yet: there was no choice
            continue
        t, taken = t + 1, taken + (search.last_path[0] != 0)
        if t in moments:
            found.append(taken)
        if t == moments[-1]:
            break
    return found


EXPERIMENT = Experiment(Path(__file__).parent, ("state", "runs", "visits", "seed"), tasks, measure, ("numpy", "scipy"))

if __name__ == "__main__":
    run_command(EXPERIMENT, __doc__)
