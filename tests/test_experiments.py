"""The experiments: what they share, and every one of them at a size of seconds, its pictures and tables included."""

import doctest
import math
import re
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("matplotlib")
pytest.importorskip("river")

from experiments import intervals, pages, progress
from experiments.__main__ import NAMES
from experiments.experiment import Experiment
from experiments.intervals import quartiles, wilson
from experiments.pages import filled
from experiments.results import Results, read
from tsdt.datasets import DataNotFoundError


@pytest.mark.parametrize("module", [intervals, pages, progress])
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


class Interrupted:
    """A measurement that is stopped at its n-th task."""

    def __init__(self, at):
        self.at, self.asked = at, []

    def __call__(self, task):
        self.asked.append(task["n"])
        for part in range(2):
            if len(self.asked) == self.at and part == 1:
                raise KeyboardInterrupt
            yield {"part": part, "square": task["n"] ** 2}


def counting(folder, measure):
    return Experiment(folder, ("n", "seed"), lambda size: ({"n": n, "seed": 0} for n in range(5)), measure)


def test_an_interrupted_run_continues(tmp_path):
    first = Interrupted(at=3)
    with pytest.raises(SystemExit, match="the same command goes on from here"):
        counting(tmp_path, first).run("short")
    assert [row["n"] for row in read(tmp_path / "results.csv")] == [0, 0, 1, 1]  # no half of the third task
    second = Interrupted(at=99)
    rows = counting(tmp_path, second).run("short")
    assert second.asked == [2, 3, 4]
    assert [(row["n"], row["square"]) for row in rows] == [(n, n * n) for n in range(5) for _ in range(2)]
    assert all("tsdt" in row["versions"] and "Python" in row["versions"] for row in rows)
    third = Interrupted(at=99)
    again = counting(tmp_path, third).run("short")
    assert third.asked == [] and again == read(tmp_path / "results.csv")


def test_full_results_have_a_file_of_their_own(tmp_path):
    counting(tmp_path, Interrupted(at=99)).run("full")
    assert (tmp_path / "full.csv").exists() and not (tmp_path / "results.csv").exists()


def test_what_needs_missing_data_is_named_and_tried_again(tmp_path, capsys):
    def measure(task):
        raise DataNotFoundError("TSDT_DATA is not set")

    assert counting(tmp_path, measure).run("short") == []
    assert capsys.readouterr().out == f"{tmp_path.name}: left something out: TSDT_DATA is not set.\n"
    assert len(counting(tmp_path, Interrupted(at=99)).run("short")) == 10


def test_values_come_back_as_they_were(tmp_path):
    row = {"a": 1, "b": 0.25, "c": None, "d": True, "e": 'a "text", with commas'}
    Results(tmp_path / "r.csv", ["a"]).add({"a": 1}, [row])
    assert read(tmp_path / "r.csv") == [row]
    assert {"a": 1} in Results(tmp_path / "r.csv", ["a"]) and {"a": 2} not in Results(tmp_path / "r.csv", ["a"])


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_is_symmetric(case):
    hits, n = case
    low, high = wilson(hits, n)
    assert 0.0 <= low <= hits / n <= high <= 1.0
    assert np.allclose((1 - high, 1 - low), wilson(n - hits, n))
    if 0 < hits < n:  # its ends are where the share is just as far off as chance allows
        for end in (low, high):
            assert math.isclose(abs(hits / n - end), intervals.LEVEL * math.sqrt(end * (1 - end) / n), rel_tol=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_quartiles_are_those_of_numpy(values):
    assert np.allclose(quartiles(values), np.percentile(values, [25, 50, 75]))


@given(
    st.text(alphabet=st.characters(exclude_characters="<>")), st.text(alphabet=st.characters(exclude_characters="<>"))
)
def test_pages_are_filled_between_their_marks(old, new):
    page = f"before\n<!-- a -->\n{old}\n<!-- end -->\nmiddle\n<!-- b -->\nkept\n<!-- end -->\nafter\n"
    wanted = f"before\n<!-- a -->\n{new}\n<!-- end -->\nmiddle\n<!-- b -->\nkept\n<!-- end -->\nafter\n"
    assert filled(page, {"a": new, "absent": "x"}) == wanted == filled(wanted, {"a": new})


def test_the_chain_rule_stays_where_the_average_drifts():
    run = import_module("experiments.degeneracy.run")
    last = list(run.measure({"backup": "fast", "seed": 1, "iterations": 300}))[-1]
    assert last["chain_error"] < 0.03 < 0.1 < last["average_error"]
    assert abs(last["chain_a"] - 0.5) < 0.03 and last["average_a"] > 0.53


def test_the_policy_by_integration_is_that_of_draws():
    highest = import_module("experiments.theorem1.run").highest
    posteriors = [(0.5, 0.01), (0.6, 0.0025), (0.4, 0.04)]
    draws = np.random.default_rng(0).normal(*zip(*[(m, v**0.5) for m, v in posteriors], strict=True), (100_000, 3))
    measured = np.bincount(draws.argmax(axis=1)) / len(draws)
    assert np.allclose(highest(posteriors), measured, atol=0.006) and math.isclose(
        sum(highest(posteriors)), 1.0, abs_tol=1e-4
    )


def test_the_true_values_of_theorem_1():
    world = import_module("experiments.theorem1.world")
    assert math.isclose(world.best((None, None)), 0.8525 - 2 * world.SPLIT_COST)
    X, y = world.samples(60_000, seed=0)
    for value in range(3):
        inside = X[:, 0] == value
        right = max(y[inside].mean(), 1 - y[inside].mean()) * inside.mean()
        assert abs(world.accuracy((value, None)) - right) < 0.01


def test_the_bound_of_theorem_2():
    run = import_module("experiments.theorem2.run")
    assert run.width(2) == 1.0 < run.width(3) < run.width(20)
    assert math.isclose(run.printed(100, 2, 1), math.log(100) / 4)
    bounds = [run.bound(t, 0.0) for t in (100, 1_000, 10_000, 100_000)]
    assert bounds == sorted(bounds, reverse=True) and 0.0 < bounds[-1] < bounds[0] < 1.0


@pytest.mark.parametrize(
    "page",
    [pages.REPRODUCTION, *sorted(pages.ROOT.glob("experiments/**/README.md"))],
    ids=lambda page: page.parent.name,
)
def test_links_and_pictures_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_every_folder_has_the_same_shape():
    for name in NAMES:
        assert {"run.py", "plot.py", "README.md"} <= {
            path.name for path in (pages.ROOT / "experiments" / name).iterdir()
        }


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_runs_and_draws(name, tmp_path):
    experiment = import_module(f"experiments.{name}.run").EXPERIMENT
    plot = import_module(f"experiments.{name}.plot").PLOT
    rows = experiment.run("tiny", tmp_path / "results.csv", jobs=2 if name == "xnor" else 1)
    assert rows and all("seed" in row for row in rows)
    if name != "frontier":  # 27 panels: too slow for a test
        plot.draw(rows, tmp_path)
        assert list(tmp_path.glob("*.svg"))
    page = (experiment.folder / "README.md").read_text(encoding="utf-8")
    for mark, table in plot.tables(rows).items():
        assert f"<!-- {mark} -->" in page and table
