"""How often the search over trees finds what there is to find: the paper's experiments, one run for each seed.

    python -m benchmarks.trees [xnor] [monk] [--backup fast clark] [--seeds 10]

Without a part, all of them. Seeds are counted from 0; 20 of XNOR and 10 of MONK-1 say enough. Speed, memory and
where the time goes are in the table of `make bench`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tsdt import TSDTClassifier
from tsdt.datasets import monk1, xnor


class Monk(NamedTuple):
    """MONK-1 in one encoding: the price of a split, the iterations, and the objectives worth counting."""

    encoding: str
    split_cost: float
    iterations: int
    good: float
    optimum: float


MONKS = (
    Monk("original", 0.01, 1000, 0.89, 0.9),
    Monk("drop last", 0.01, 1000, 0.93, 0.93),
    Monk("drop first", 0.0025, 10_000, 0.945, 0.9575),
)
ROUNDING = 1e-9


def is_perfect(model: TSDTClassifier) -> bool:
    """Whether the tree has three splits, on X1 and X2 only."""
    splits = [node.attribute for node in model.tree_.nodes if not node.is_leaf]
    return len(splits) == 3 and {*splits} == {0, 1}


def xnor_part(backup: str, seeds: int) -> None:
    """The synthetic experiment: 400 iterations of 100 samples among q attributes."""
    for q in (5, 10, 20, 50, 100):
        perfect, spent = 0, 0.0
        for seed in range(seeds):
            X, y = next(iter(xnor(q, seed=seed).chunks(40_000)))
            model = TSDTClassifier(search="trees", backup=backup, split_cost=0.05, random_state=seed)
            start = time.process_time()
            perfect += is_perfect(model.learn_many(X, y))
            spent += (time.process_time() - start) / seeds
        print(f"XNOR q={q:<4} {backup:<6} perfect {perfect:>3} of {seeds}   {spent:.3f} CPU s a run", flush=True)


def monk_part(backup: str, seeds: int) -> None:
    """The 124 training rows of MONK-1, cycled."""
    for monk in MONKS:
        start = time.process_time()
        found = [objective(monk, backup, seed) for seed in range(seeds)]
        spent = (time.process_time() - start) / seeds
        good, best = (sum(x >= least - ROUNDING for x in found) for least in (monk.good, monk.optimum))
        each = ", ".join(f"{times} x {value:.4f}" for value, times in sorted(Counter(found).items(), reverse=True))
        print(
            f"MONK-1 {monk.encoding:<11} {backup:<6} at least {monk.good}: {good} of {seeds}, optimum: {best}", end=""
        )
        print(f"   {spent:.2f} CPU s a run   {each}", flush=True)


def objective(monk: Monk, backup: str, seed: int) -> float:
    """Accuracy on the training rows less the price of the splits."""
    train, _ = monk1(monk.encoding)
    parameters = {"split_cost": monk.split_cost, "max_iter": monk.iterations, "time_limit": None}
    model = TSDTClassifier(search="trees", backup=backup, random_state=seed, **parameters)
    accuracy = model.fit(train.X, train.y).score(train.X, train.y)
    return round(accuracy - monk.split_cost * model.tree_.n_splits, 4)


PARTS = {"xnor": (xnor_part, 20), "monk": (monk_part, 10)}
"""The parts, with the number of seeds that the project promises."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help="xnor or monk")
    parser.add_argument("--backup", nargs="*", default=["fast", "clark"], choices=["fast", "clark"])
    parser.add_argument("--seeds", type=int)
    chosen = parser.parse_args(arguments)
    for part in chosen.parts or PARTS:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}: choose from {', '.join(PARTS)}")
        run, seeds = PARTS[part]
        for backup in chosen.backup:
            run(backup, chosen.seeds or seeds)


if __name__ == "__main__":
    main()
