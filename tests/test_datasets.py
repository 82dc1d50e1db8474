"""Data sets: the counts that the literature gives, the same samples whatever the chunking, and clear refusals."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tsdt import datasets
from tsdt.datasets import Stream, Table
from tsdt.datasets.draws import Draws
from tsdt.reference.random import Random

STREAMS: list[Callable[[], Stream]] = [
    lambda: datasets.xnor(q=5, noise=0.1, seed=3),
    lambda: datasets.parity(order=3, q=6, noise=0.2, seed=3),
    lambda: datasets.drifting_xnor(every=70, q=6, seed=3),
    lambda: datasets.random_tree(n_classes=3, seed=3),
    lambda: datasets.monk(1).samples(seed=3),
    lambda: datasets.monk(2).cycle(),
]

# The proven optima of accuracy - 0.1 * splits, and their splits.
OPTIMA = {
    "MONK1-original": (0.633871, 1),
    "MONK1-dropfirst": (0.520968, 1),
    "MONK1-droplast": (0.633871, 1),
    "MONK2": (0.621302, 0),
    "MONK3": (0.578689, 2),
    "tic-tac-toe": (0.653445, 0),
    "car-evaluation": (0.700231, 0),
    "compas-binary": (0.538917, 1),
    "fico_binary": (0.595956, 1),
}


def rows_of(table: Table) -> set[tuple[int, ...]]:
    """The samples without their order, the label last."""
    return {(*x, y) for x, y in zip(table.X.tolist(), table.y.tolist(), strict=True)}


def test_draws_are_those_of_the_reference_generator() -> None:
    draws = Draws(seed=11)
    random = Random(draws.state)
    assert draws.bits(0, 50).tolist() == [random.bits() for _ in range(50)]
    random = Random(draws.state)
    assert draws.below(7, 0, 50).tolist() == [random.below(7) for _ in range(50)]


def test_draws_of_neighbouring_seeds_differ() -> None:
    assert not np.isin(Draws(0).bits(0, 1000), Draws(1).bits(0, 1000)).any()


@pytest.mark.parametrize("make", STREAMS)
def test_a_stream_does_not_depend_on_its_chunks(make: Callable[[], Stream]) -> None:
    X, y = make().rows(0, 300)
    for size in (1, 7, 300):
        chunks = make().chunks(size)
        pieces = [next(chunks) for _ in range(-(-300 // size))]
        assert np.array_equal(np.concatenate([piece[0] for piece in pieces])[:300], X)
        assert np.array_equal(np.concatenate([piece[1] for piece in pieces])[:300], y)


@pytest.mark.parametrize("make", STREAMS)
def test_pairs_and_arrays_are_the_same_samples(make: Callable[[], Stream]) -> None:
    stream = make()
    table = stream.take(50)
    for (row, label), x, y in zip(stream, table.X.tolist(), table.y.tolist(), strict=False):
        assert list(row) == list(stream.names) and list(row.values()) == x and label == y


def test_streams_are_the_same_on_every_machine() -> None:
    first = [datasets.xnor(seed=5).take(200), datasets.random_tree(seed=5).take(200), datasets.monk(3, 0.05, seed=5)]
    weights = [int(table.X.astype(int).sum() * 1000 + (table.y * np.arange(len(table))).sum()) for table in first]
    assert weights == [1015644, 8038914, 5013633]


def test_noise_is_the_share_of_wrong_labels() -> None:
    clean, noisy = (datasets.random_tree(n_classes=4, noise=share, seed=2).take(20_000) for share in (0.0, 0.25))
    assert np.array_equal(clean.X, noisy.X)
    assert np.mean(clean.y != noisy.y) == pytest.approx(0.25, abs=0.01)
    flips = (noisy.y.astype(int) - clean.y)[clean.y != noisy.y] % 4
    assert np.bincount(flips, minlength=4)[1:] / len(flips) == pytest.approx([1 / 3] * 3, abs=0.02)


def test_xnor_is_the_parity_of_two() -> None:
    X, y = datasets.xnor(q=5, seed=1).rows(0, 1000)
    assert np.array_equal(y, X[:, 0] == X[:, 1])
    assert np.array_equal(y, datasets.parity(order=2, q=5, seed=1).rows(0, 1000)[1])
    assert X.mean(axis=0) == pytest.approx([0.5] * 5, abs=0.06)


def test_parity_is_even_in_the_first_attributes_only() -> None:
    X, y = datasets.parity(order=4, q=7, seed=1).rows(0, 500)
    assert np.array_equal(y, X[:, :4].sum(axis=1) % 2 == 0)


def test_the_relevant_pair_drifts_in_turn() -> None:
    X, y = datasets.drifting_xnor(every=100, q=5, seed=4).rows(50, 350)
    for first, (start, stop) in zip((0, 2, 0), ((0, 50), (50, 150), (150, 250)), strict=True):
        assert np.array_equal(y[start:stop], X[start:stop, first] == X[start:stop, first + 1])


def test_a_random_tree_has_depth_two() -> None:
    table = datasets.random_tree(q=6, arity=3, noise=0.0, seed=8).take(5000)
    columns = table.X.T.astype(int)

    def determined(root: int) -> bool:
        """Whether below each category of the root one more attribute settles the label."""
        return all(
            any(all(len(np.unique(table.y[inside & (other == j)])) == 1 for j in range(3)) for other in columns)
            for inside in (columns[root] == j for j in range(3))
        )

    assert any(determined(root) for root in range(6))


def test_tables_of_the_literature() -> None:
    assert [int(datasets.monk(problem).y.sum()) for problem in (1, 2, 3)] == [216, 142, 228]
    assert len(datasets.tic_tac_toe()) == 958 and int(datasets.tic_tac_toe().y.sum()) == 626
    assert np.bincount(datasets.balance_scale().y).tolist() == [49, 288, 288]
    for table in (datasets.monk(1), datasets.tic_tac_toe(), datasets.balance_scale()):
        assert len(rows_of(table)) == len(table)


def test_a_table_speaks_in_words() -> None:
    row, label = next(datasets.monk(1).in_words().stream())
    assert row["jacket_color"] == "red" and label == "monk"
    boards = datasets.tic_tac_toe().in_words()
    assert set(np.unique(boards.X)) == {"blank", "o", "x"} and boards.y[0] == "x won"
    assert set(datasets.balance_scale().in_words().y) == {"balanced", "left", "right"}


def test_a_table_cannot_be_changed() -> None:
    table = datasets.monk(1)
    with pytest.raises(ValueError, match="read-only"):
        table.X[0, 0] = 9
    with pytest.raises(AttributeError):
        table.name = "other"  # type: ignore[misc]


def test_train_and_test_are_disjoint_and_complete() -> None:
    table = datasets.monk(1)
    train, test = table.split(test=0.25, seed=9)
    assert len(test) == 108 and rows_of(train) | rows_of(test) == rows_of(table)
    assert not rows_of(train) & rows_of(test)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: datasets.monk(4), "problem is 4"),
        (lambda: datasets.monk(1, noise=1.5), r"noise is 1\.5"),
        (lambda: datasets.xnor(q=1), "q is 1"),
        (lambda: datasets.xnor(noise=-0.1), r"noise is -0\.1"),
        (lambda: datasets.parity(order=0), "order is 0"),
        (lambda: datasets.parity(order=5, q=4), "q is 4"),
        (lambda: datasets.drifting_xnor(every=0), "every is 0"),
        (lambda: datasets.one_hot(datasets.monk(1), "middle"), "drop is 'middle'"),  # type: ignore[arg-type]
        (lambda: datasets.paper_table("iris"), "there is no table 'iris'"),
        (lambda: datasets.monk(1).split(test=0.0), r"test is 0\.0"),
        (lambda: next(datasets.xnor().chunks(0)), "size is 0"),
        (lambda: Table("short", np.zeros((2, 1)), np.zeros(3), ("a",)), r"shape \(2, 1\), it must have \(3, 1\)"),
    ],
)
def test_refusals_name_the_value(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_without_the_variable_the_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TSDT_DATA", raising=False)
    with pytest.raises(datasets.DataNotFoundError, match=r"TSDT_DATA is not set.*car-evaluation\.csv"):
        datasets.car()
    monkeypatch.setenv("TSDT_DATA", str(tmp_path))
    with pytest.raises(datasets.DataNotFoundError, match=r"no file monks-1\.train"):
        datasets.monk1("original")


@pytest.mark.needs_data
def test_training_rows_follow_the_rules() -> None:
    for table in (datasets.monk1_train(), datasets.monk1_test()):
        assert np.array_equal(table.y, datasets.monk_label(1, table.X))
    assert rows_of(datasets.monk1_test()) == rows_of(datasets.monk(1))
    assert rows_of(datasets.monk2_train()) <= rows_of(datasets.one_hot(datasets.monk(2), "last"))
    assert len(rows_of(datasets.monk3_train()) - rows_of(datasets.one_hot(datasets.monk(3), "last"))) == 6


@pytest.mark.needs_data
def test_played_games_are_those_on_file() -> None:
    with datasets.data_file("tic-tac-toe.csv").open() as lines:
        on_file = {tuple(map(int, row)) for row in list(csv.reader(lines, delimiter=";"))[1:]}
    assert rows_of(datasets.paper_table("tic-tac-toe")) == on_file


def best_with_one_split(table: Table) -> float:
    """The highest accuracy - 0.1 of a tree with one split."""
    labels = np.unique(table.y)
    correct = [
        sum(max(int((table.y[column == value] == label).sum()) for label in labels) for value in np.unique(column))
        for column in table.X.T
    ]
    return max(correct) / len(table) - 0.1


@pytest.mark.needs_data
@pytest.mark.parametrize("name", datasets.PAPER_TABLES)
def test_small_optima_are_the_known_ones(name: str) -> None:
    table, (objective, splits) = datasets.paper_table(name), OPTIMA[name]
    small = [table.majority, best_with_one_split(table)]
    assert max(small) <= objective + 1e-6
    if splits < 2:
        assert small[splits] == pytest.approx(objective, abs=1e-6)


@pytest.mark.needs_data
@pytest.mark.parametrize(("encoding", "q"), [("original", 6), ("drop first", 11), ("drop last", 11)])
def test_encodings_of_monk_1(encoding: str, q: int) -> None:
    train, test = datasets.monk1(encoding)  # type: ignore[arg-type]
    assert train.X.shape == (124, q) and test.X.shape == (432, q)
    assert train.names == test.names and train.names[0].startswith("has_tie")
    assert rows_of(train) <= rows_of(test)
