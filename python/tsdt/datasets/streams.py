"""Streams that a rule defines: endless, seeded, with labels that may be wrong now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tsdt.datasets.draws import Draws
from tsdt.datasets.table import Rows, Stream

Label = Callable[[np.ndarray, int], np.ndarray]
"""The rule of a stream: from rows and the position of the first one to labels."""


class World(NamedTuple):
    """What samples look like: q independent attributes, each with `arity` categories that are equally likely."""

    q: int
    arity: int = 2
    n_classes: int = 2


def _check(noise: float, q: int, least: int) -> None:
    if not 0.0 <= noise <= 1.0:
        raise ValueError(f"noise is {noise}, it must be a share between 0 and 1")
    if q < least:
        raise ValueError(f"q is {q}, this stream needs at least {least} attributes")


def _stream(name: str, world: World, noise: float, seed: int, label: Label) -> Stream:
    draws, width = Draws(seed), world.q + 2  # a sample takes q numbers for its values and two for its noise

    def rows(start: int, stop: int) -> Rows:
        uniform = draws.uniform(start * width, stop * width).reshape(stop - start, width)
        X = (uniform[:, : world.q] * world.arity).astype(np.uint16)
        wrong = uniform[:, world.q] < noise
        shift = 1 + (uniform[:, world.q + 1] * (world.n_classes - 1)).astype(np.uint16)  # any other class
        y = (label(X, start) + np.where(wrong, shift, 0)) % world.n_classes
        return X, y.astype(np.uint16)

    return Stream(name, tuple(f"X{i + 1}" for i in range(world.q)), rows)


def _even(X: np.ndarray) -> np.ndarray:
    return (X.sum(axis=1) + 1) % 2


def parity(order: int, q: int = 10, noise: float = 0.0, seed: int = 0) -> Stream:
    """Binary attributes; the label is 1 where an even number of the first `order` of them is 1.

    No attribute says anything of the label before all `order` of them are known.

    >>> X, y = parity(order=3, q=4).rows(0, 3)
    >>> X.tolist(), y.tolist()
    ([[1, 1, 0, 0], [0, 1, 1, 1], [0, 1, 0, 0]], [1, 1, 0])
    """
    if order < 1:
        raise ValueError(f"order is {order}, a parity needs at least one attribute")
    _check(noise, q, order)
    return _stream(f"parity of {order} among {q}", World(q), noise, seed, lambda X, start: _even(X[:, :order]))


def xnor(q: int = 10, noise: float = 0.0, seed: int = 0) -> Stream:
    """The synthetic stream of the paper: q binary attributes, and the label is 1 where X1 equals X2.

    >>> stream = xnor(q=5)
    >>> stream
    Stream('XNOR among 5': 5 attributes)
    >>> next(iter(stream))
    ({'X1': 1, 'X2': 1, 'X3': 0, 'X4': 0, 'X5': 1}, 1)
    """
    _check(noise, q, 2)
    return _stream(f"XNOR among {q}", World(q), noise, seed, lambda X, start: _even(X[:, :2]))


def drifting_xnor(every: int, q: int = 10, noise: float = 0.0, seed: int = 0) -> Stream:
    """The XNOR stream, but after every so many samples the next two attributes are the ones that matter.

    First X1 and X2, then X3 and X4, and so on, beginning again when fewer than two are left.

    >>> stream = drifting_xnor(every=1000, q=4)
    >>> X, y = stream.rows(1000, 1200)
    >>> bool((y == (X[:, 2] == X[:, 3])).all())
    True
    """
    _check(noise, q, 4)
    if every < 1:
        raise ValueError(f"every is {every}, a concept must last for at least one sample")

    def label(X: np.ndarray, start: int) -> np.ndarray:
        first = (start + np.arange(len(X))) // every % (q // 2) * 2
        rows = np.arange(len(X))
        return (X[rows, first] == X[rows, first + 1]).astype(np.uint16)

    return _stream(f"XNOR among {q}, drifting every {every}", World(q), noise, seed, label)


def random_tree(q: int = 20, arity: int = 5, n_classes: int = 2, noise: float = 0.1, seed: int = 0) -> Stream:
    """Attributes of `arity` categories; the label is that of a random tree of depth two, wrong with a share of `noise`.

    The root and each of its children split on attributes drawn at random, each leaf has a class drawn at random.

    >>> stream = random_tree(noise=0.0)
    >>> X, y = stream.rows(0, 4)
    >>> X.shape, y.tolist()
    ((4, 20), [0, 0, 1, 0])
    """
    _check(noise, q, 2)
    concept = Draws(~seed)
    root = int(concept.below(q, 0, 1)[0])
    others = np.delete(np.arange(q), root)[concept.below(q - 1, 1, 1 + arity)]
    leaves = concept.below(n_classes, 1 + arity, 1 + arity + arity * arity).reshape(arity, arity)

    def label(X: np.ndarray, start: int) -> np.ndarray:
        category = X[:, root]
        return leaves[category, X[np.arange(len(X)), others[category]]]

    return _stream(f"random tree over {q} attributes", World(q, arity, n_classes), noise, seed, label)
