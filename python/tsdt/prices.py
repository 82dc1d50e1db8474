"""The price of a split, chosen from the samples: trees are found on one part of them and judged on another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tsdt.engine import Codes, NodeTuple, WindowSearch
from tsdt.greedy import GreedyTree
from tsdt.leaf_models import ends_of

PRICES = (0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001, 0.0005)
FOLDS = 3
JUDGES = 20_000
"""Of more samples only so many are asked."""

FEW = 5_000
"""As many samples are judged well enough by a third of them; of fewer each third is held out in its turn."""

PAGE = 32
"""Lines: no price is chosen that leads to a larger tree. More samples bring a few more, and 40 should fit a page."""

LIST = 10
"""The leaves of a split with more children than this are one line: a list of categories."""

MakeSearch = Callable[[float], WindowSearch]
"""A new search at a price, made ready for the codes to come."""


class Trial(NamedTuple):
    """One price: the tree it leads to, and its accuracy on samples that it has not seen."""

    split_cost: float
    n_splits: float
    n_lines: float
    accuracy: float


@dataclass(frozen=True)
class PriceChoice:
    """The price that was chosen, and what the others would have given.

    >>> print(PriceChoice(0.02, (Trial(0.1, 0, 1, 0.71), Trial(0.02, 3, 4, 0.9), Trial(0.01, 41, 42, 0.905)), 400))
    split_cost 0.02: the dearest that is no worse than the best by more than chance, on 400 samples held out
    split_cost  splits  accuracy
           0.1     0.0     71.0%
          0.02     3.0     90.0%  chosen
          0.01    41.0     90.5%  too large
    """

    split_cost: float
    trials: tuple[Trial, ...]
    n_held_out: int
    stays: bool = False

    def __str__(self) -> str:
        which = "as before; it" if self.stays else "the dearest that"
        why = f"{which} is no worse than the best by more than chance, on {self.n_held_out} samples held out"
        lines = [f"split_cost {self.split_cost:g}: {why}", "split_cost  splits  accuracy"]
        for trial in self.trials:
            mark = "  chosen" if trial.split_cost == self.split_cost else "  too large" if trial.n_lines > PAGE else ""
            lines.append(f"{trial.split_cost:>10g}  {trial.n_splits:>6.1f}  {trial.accuracy:>8.1%}{mark}")
        return "\n".join(lines)


class Limits(NamedTuple):
    """What one trial may take: samples that the search looks at, and seconds."""

    samples: int
    seconds: float = np.inf


class Fold:
    """Samples to find trees on, and others to judge them by."""

    def __init__(self, found_on: tuple[Codes, Codes], judged_by: tuple[Codes, Codes], greedy: GreedyTree) -> None:
        self.found_on, self.judged_by, self.greedy = found_on, judged_by, greedy
        self.tree: list[NodeTuple] = []  # of the price before

    @property
    def is_without_errors(self) -> bool:
        """Whether the last tree gets all samples right that it was found on: a cheaper price can add nothing."""
        return all(max(counts) == sum(counts) for attribute, *_, counts in self.tree if attribute < 0)

    def trial(self, search: WindowSearch, price: float, limits: Limits) -> tuple[int, int, NDArray[np.bool_]]:
        """The splits and the lines of the tree that one part leads to, and which samples of the other it gets right."""
        search.load(*self.found_on)
        for tree in (self.greedy.at(price), self.tree):
            if tree:
                search.plant(tree)
        search.search(2**31, limits.seconds, limits.samples)
        self.tree, (codes, classes) = list(search.tree()), self.judged_by
        n_splits = sum(node[0] >= 0 for node in self.tree)
        return n_splits, n_lines(self.tree), predicted(self.tree, codes) == classes


def choose_price(make: MakeSearch, folds: Sequence[Fold], limits: Limits, standing: float | None = None) -> PriceChoice:
    """Try the prices from the dearest down, until cheaper trees are clearly worse, or too large, or no other.

    Where one stands, only that and its neighbours are tried, and it is kept where it is the next to the dearest that
    would do: a new search would bring little.
    """
    trials, hits = list[Trial](), list[NDArray[np.bool_]]()
    for price in PRICES if standing is None else _neighbours(standing):
        found = [fold.trial(make(price), price, limits) for fold in folds]
        splits, lines, rights = zip(*found, strict=True)
        hits.append(np.concatenate(rights))
        trials.append(Trial(price, float(np.mean(splits)), float(np.mean(lines)), float(hits[-1].mean())))
        fit_a_page = [i for i, trial in enumerate(trials) if i == 0 or trial.n_lines <= PAGE]
        best = max(fit_a_page, key=lambda i: trials[i].accuracy)
        if len(fit_a_page) < len(trials) or all(fold.is_without_errors for fold in folds):
            break
        if best < len(trials) - 2 and not _is_near(hits[-1], hits[best], 2.0):
            break
    near = [trials[i] for i in fit_a_page if _is_near(hits[i], hits[best], 1.0)]
    kept = [trial for trial in near[1:2] if trial.split_cost == standing]
    return PriceChoice((kept or near)[0].split_cost, tuple(trials), len(hits[0]), bool(kept))


def _neighbours(price: float) -> Sequence[float]:
    """A price, the next dearer and the next cheaper one."""
    place = PRICES.index(price)
    return PRICES[max(place - 1, 0) : place + 2]


def _is_near(hits: NDArray[np.bool_], best: NDArray[np.bool_], errors: float) -> bool:
    """Whether a tree is worse than the best by no more than so many standard errors of their difference."""
    apart = np.count_nonzero(hits != best)
    return bool(np.count_nonzero(best) - np.count_nonzero(hits) <= errors * apart**0.5)


def n_lines(tree: Sequence[NodeTuple]) -> int:
    """How many lines a tree fills: one for each leaf, but one for all leaves of a split by many categories.

    >>> n_lines([(0, 1, -1, [], [1, 2], []), *[(-1, -1, -1, [], [], [])] * 2])
    2
    """
    lines = int(len(tree) == 1)
    for _, _, _, _, children, _ in tree:
        leaves = sum(tree[child][0] < 0 for child in children)
        lines += leaves if len(children) <= LIST else min(leaves, 1)
    return lines


def predicted(tree: Sequence[NodeTuple], codes: Codes) -> NDArray[np.intp]:
    """The class of each row of codes by the majority of the node where its path ends.

    >>> predicted([(-1, -1, -1, [], [], [1, 4, 2])], np.zeros((2, 3), dtype=np.uint16)).tolist()
    [1, 1]
    """
    labels = np.array([int(np.argmax(node[5])) for node in tree], dtype=np.intp)
    return labels[ends_of(tree, codes)]
