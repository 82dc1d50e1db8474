"""The shape of every experiment: tasks of a size, a measurement of each, pictures and tables from the results alone."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from benchmarks.peers.environments import PeerMissingError
from experiments.pages import REPRODUCTION, fill
from experiments.progress import followed
from experiments.results import Results, Row, read, versions
from tsdt.datasets import DataNotFoundError

Size = Literal["tiny", "short", "full"]
"""How much is run: seconds for a test, minutes for `make reproduce`, and what the paper ran."""

Task = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Experiment:
    """What one folder runs. A task is a row without its results; `key` names the columns that tell tasks apart."""

    folder: Path
    key: Sequence[str]
    tasks: Callable[[Size], Iterable[Task]]
    measure: Callable[[Task], Iterable[Row]]
    packages: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.folder.name

    def path(self, size: Size) -> Path:
        """Where the results of a size are."""
        return self.folder / ("full.csv" if size == "full" else "results.csv")

    def run(self, size: Size, path: Path | None = None, jobs: int = 1) -> list[Row]:
        """Do the tasks that are not done yet, and give all rows. What needs data or peers not here is named."""
        results = Results(path or self.path(size), self.key)
        stamp = {"versions": versions(self.packages)}
        tasks = list(self.tasks(size))
        todo = [task for task in tasks if task not in results]
        missing: dict[str, None] = {}
        try:
            with side_by_side(partial(_attempt, self.measure), todo, jobs) as answers:
                for task in followed(todo, self.name, done=len(tasks) - len(todo)):
                    answer = next(answers)
                    if isinstance(answer, str):
                        missing[answer] = None
                    else:
                        results.add(task, [{**row, **stamp} for row in answer])
        except KeyboardInterrupt:
            raise SystemExit(f"\nInterrupted in {self.name}: the same command goes on from here.") from None
        for reason in missing:
            print(f"{self.name}: left something out: {reason}.")
        return results.rows


def _attempt(measure: Callable[[Task], Iterable[Row]], task: Task) -> list[Row] | str:
    """The rows of a task, or what it lacks."""
    try:
        return list(measure(task))
    except (DataNotFoundError, PeerMissingError) as error:
        return str(error)


@contextmanager
def side_by_side(attempt: Callable[[Task], T], tasks: Sequence[Task], jobs: int) -> Iterator[Iterator[T]]:
    """What comes of each task, in their order, so many at a time; seconds are CPU seconds, so that they count alike."""
    if jobs == 1:
        yield map(attempt, tasks)
        return
    pool = ProcessPoolExecutor(jobs, initializer=_leave_interrupts_to_others)
    try:
        yield pool.map(attempt, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_others() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass(frozen=True)
class Plot:
    """What one folder shows: its pictures, and its tables by the marks that they stand between."""

    experiment: Experiment
    draw: Callable[[Sequence[Row], Path], None]
    tables: Callable[[Sequence[Row]], Mapping[str, str]]

    def make(self, size: Size) -> None:
        """Draw the pictures and fill the pages from the file of results alone."""
        rows = read(self.experiment.path(size))
        if not rows:
            where = self.experiment.path(size)
            raise SystemExit(f"{where} has no results: run `python -m experiments {self.experiment.name}` first.")
        self.draw(rows, self.experiment.folder)
        fill([self.experiment.folder / "README.md", REPRODUCTION], self.tables(rows))


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """How many tasks to do at a time."""
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--jobs", type=int, default=cores, help="tasks that are done at a time (default: one for each core)"
    )


def _parser(name: str, doc: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=(doc or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="the paper's own sizes, instead of minutes")
    return parser


def run_command(experiment: Experiment, doc: str | None) -> None:
    """What `python -m experiments.NAME.run` does."""
    parser = _parser(f"experiments.{experiment.name}.run", doc)
    add_jobs(parser)
    options = parser.parse_args()
    experiment.run("full" if options.full else "short", jobs=options.jobs)


def plot_command(plot: Plot, doc: str | None) -> None:
    """What `python -m experiments.NAME.plot` does."""
    options = _parser(f"experiments.{plot.experiment.name}.plot", doc).parse_args()
    plot.make("full" if options.full else "short")
