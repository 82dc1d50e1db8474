"""Tables that a rule defines: every row of a small world with the label that the rule gives it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from tsdt.datasets.draws import Draws
from tsdt.datasets.table import Table

MONK_WORDS = {
    "head_shape": ("round", "square", "octagon"),
    "body_shape": ("round", "square", "octagon"),
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_color": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}
"""The robots of the MONK problems: six attributes and what their values 1, 2, ... mean."""

BLANK, O, X = 0, 1, 2
"""The values of a square in tic-tac-toe."""

_LINES = np.array([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)])


def _every_row(values: Sequence[Sequence[int]]) -> np.ndarray:
    return np.array(list(product(*values)), dtype=np.uint16)


def monk_label(problem: int, robots: np.ndarray) -> np.ndarray:
    """The labels that MONK problem 1, 2 or 3 gives to robots (rows of six values, each counted from 1).

    >>> monk_label(1, np.array([[2, 2, 1, 1, 3, 1], [2, 3, 1, 1, 3, 1]])).tolist()
    [1, 0]
    """
    head, body, _, holding, jacket, _ = robots.T
    match problem:
        case 1:
            rule = (head == body) | (jacket == 1)
        case 2:
            rule = (robots == 1).sum(axis=1) == 2
        case 3:
            rule = ((jacket == 3) & (holding == 1)) | ((jacket != 4) & (body != 3))
        case _:
            raise ValueError(f"problem is {problem!r}, the MONK problems are 1, 2 and 3")
    return rule.astype(np.uint16)


def monk(problem: int, noise: float = 0.0, seed: int = 0) -> Table:
    """A MONK problem on all its 432 robots; `noise` is the share of them that get the wrong label.

    The training rows of MONK-3 have 5 % of wrong labels: `monk(3, noise=0.05)` is in that spirit.

    >>> monk(1)
    Table('MONK-1': 432 rows, 6 attributes, 2 classes)
    >>> [int(monk(problem).y.sum()) for problem in (1, 2, 3)]
    [216, 142, 228]
    >>> int((monk(3, noise=0.05).y != monk(3).y).sum())
    22
    """
    if not 0.0 <= noise <= 1.0:
        raise ValueError(f"noise is {noise}, it must be a share between 0 and 1")
    robots = _every_row([range(1, len(words) + 1) for words in MONK_WORDS.values()])
    labels = monk_label(problem, robots)
    labels[Draws(seed).shuffled(len(robots))[: round(noise * len(robots))]] ^= 1
    words = tuple(dict(enumerate(values, start=1)) for values in MONK_WORDS.values())
    return Table(f"MONK-{problem}", robots, labels, tuple(MONK_WORDS), words, ("no monk", "monk"))


def _won_by(player: int, board: Sequence[int]) -> bool:
    return bool((np.array(board)[_LINES] == player).all(axis=1).any())


def _end_boards() -> Iterator[tuple[int, ...]]:
    """Every board with which a game that x began can end, each one once."""
    empty: tuple[int, ...] = (BLANK,) * 9
    seen, stack = {empty}, [(empty, X)]
    while stack:
        board, player = stack.pop()
        if BLANK not in board or _won_by(X + O - player, board):
            yield board
            continue
        for square in (i for i, mark in enumerate(board) if mark == BLANK):
            played = (*board[:square], player, *board[square + 1 :])
            if played not in seen:
                seen.add(played)
                stack.append((played, X + O - player))


def tic_tac_toe() -> Table:
    """The 958 boards with which a game of tic-tac-toe can end when x begins. The label is 1 where x has won.

    >>> tic_tac_toe()
    Table('tic-tac-toe': 958 rows, 9 attributes, 2 classes)
    >>> int(tic_tac_toe().y.sum())
    626
    """
    boards = sorted(_end_boards(), reverse=True)
    labels = np.array([_won_by(X, board) for board in boards], dtype=np.uint16)
    names = tuple(f"{row}_{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
    words = ({BLANK: "blank", O: "o", X: "x"},) * 9
    return Table("tic-tac-toe", np.array(boards, dtype=np.uint16), labels, names, words, ("x did not win", "x won"))


def balance_scale() -> Table:
    """A scale with a weight at a distance on each side, all 625 of them. The label is 1 left, 2 right, 0 balanced.

    >>> balance_scale()
    Table('balance-scale': 625 rows, 4 attributes, 3 classes)
    >>> np.bincount(balance_scale().y).tolist()
    [49, 288, 288]
    """
    scales = _every_row([range(1, 6)] * 4)
    left, right = scales[:, 0] * scales[:, 1], scales[:, 2] * scales[:, 3]
    labels = np.where(left > right, 1, np.where(left < right, 2, 0)).astype(np.uint16)
    names = ("left_weight", "left_distance", "right_weight", "right_distance")
    return Table("balance-scale", scales, labels, names, classes=("balanced", "left", "right"))
