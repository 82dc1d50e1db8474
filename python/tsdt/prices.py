"""The price of a split, chosen from the samples: trees are found on one part of them and judged on another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsdt.engine import Codes, NodeTuple, WindowSearch
from tsdt.leaf_models import ends_of

PRICES = (0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001)
VISITS = 2000
FOLDS = 3
JUDGES = 20_000
"""Of a longer window only so many of the last samples are asked."""

MakeSearch = Callable[[float], WindowSearch]
"""A new search at a price, made ready for the codes to come."""


class Trial(NamedTuple):
    """One price: the tree it leads to, and its accuracy on samples that it has not seen."""

    split_cost: float
    n_splits: float
    accuracy: float


@dataclass(frozen=True)
class PriceChoice:
    """The price that was chosen, and what the others would have given.

    >>> print(PriceChoice(0.02, (Trial(0.1, 0, 0.71), Trial(0.02, 3, 0.9), Trial(0.01, 9, 0.905)), 400))
    split_cost 0.02: the dearest that is no worse than the best by more than chance, on 400 samples held out
    split_cost  splits  accuracy
           0.1     0.0     71.0%
          0.02     3.0     90.0%  chosen
          0.01     9.0     90.5%
    """

    split_cost: float
    trials: tuple[Trial, ...]
    n_held_out: int

    def __str__(self) -> str:
        why = f"the dearest that is no worse than the best by more than chance, on {self.n_held_out} samples held out"
        lines = [f"split_cost {self.split_cost:g}: {why}", "split_cost  splits  accuracy"]
        for trial in self.trials:
            mark = "  chosen" if trial.split_cost == self.split_cost else ""
            lines.append(f"{trial.split_cost:>10g}  {trial.n_splits:>6.1f}  {trial.accuracy:>8.1%}{mark}")
        return "\n".join(lines)


def choose_price(
    make: MakeSearch, codes: Codes, classes: Codes, parts: NDArray[np.intp], folds: Sequence[int], seconds: float
) -> PriceChoice:
    """Try the prices from the dearest down, until cheaper trees are clearly worse; each trial has so many seconds.

    Each fold in turn is held out: the samples whose part it is.
    """
    trials, hits = list[Trial](), list[NDArray[np.bool_]]()
    for price in PRICES:
        found = [_trial(make(price), codes, classes, parts == fold, seconds / len(folds)) for fold in folds]
        hits.append(np.concatenate([right for _, right in found]))
        splits = float(np.mean([n_splits for n_splits, _ in found]))
        trials.append(Trial(price, splits, float(hits[-1].mean())))
        best = max(range(len(trials)), key=lambda i: trials[i].accuracy)
        if best < len(trials) - 2 and not _is_near(hits[-1], hits[best], 2.0):
            break
    chosen = next(i for i in range(len(trials)) if _is_near(hits[i], hits[best], 1.0))
    return PriceChoice(trials[chosen].split_cost, tuple(trials), len(hits[0]))


def _is_near(hits: NDArray[np.bool_], best: NDArray[np.bool_], errors: float) -> bool:
    """Whether a tree is worse than the best by no more than so many standard errors of their difference."""
    apart = np.count_nonzero(hits != best)
    return bool(np.count_nonzero(best) - np.count_nonzero(hits) <= errors * apart**0.5)


def _trial(
    search: WindowSearch, codes: Codes, classes: Codes, held_out: NDArray[np.bool_], seconds: float
) -> tuple[int, NDArray[np.bool_]]:
    """How many splits the tree has that one part leads to, and which samples of the other it gets right."""
    search.load(np.ascontiguousarray(codes[~held_out]), classes[~held_out])
    search.search(VISITS, seconds)
    tree = search.tree()
    return sum(node[0] >= 0 for node in tree), predicted(tree, codes[held_out]) == classes[held_out]


def predicted(tree: Sequence[NodeTuple], codes: Codes) -> NDArray[np.intp]:
    """The class of each row of codes by the majority of the node where its path ends.

    >>> predicted([(-1, -1, -1, [], [], [1, 4, 2])], np.zeros((2, 3), dtype=np.uint16)).tolist()
    [1, 1]
    """
    labels = np.array([int(np.argmax(node[5])) for node in tree], dtype=np.intp)
    return labels[ends_of(tree, codes)]
