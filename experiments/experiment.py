"""The shape of every experiment: tasks of a size, a measurement of each, pictures and tables from the results alone."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.peers.environments import PeerMissingError
from experiments.pages import REPRODUCTION, fill
from experiments.progress import followed
from experiments.results import Results, Row, read, versions
from tsdt.datasets import DataNotFoundError

Size = Literal["tiny", "short", "full"]
"""How much is run: seconds for a test, minutes for `make reproduce`, and what the paper ran."""

Task = Mapping[str, Any]


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

    def run(self, size: Size, path: Path | None = None) -> list[Row]:
        """Do the tasks that are not done yet, and give all rows. What needs data or peers not here is named."""
        results = Results(path or self.path(size), self.key)
        stamp = {"versions": versions(self.packages)}
        tasks = list(self.tasks(size))
        todo = [task for task in tasks if task not in results]
        missing: dict[str, None] = {}
        for task in followed(todo, self.name, done=len(tasks) - len(todo)):
            try:
                results.add(task, [{**row, **stamp} for row in self.measure(task)])
            except (DataNotFoundError, PeerMissingError) as error:
                missing[str(error)] = None
            except KeyboardInterrupt:
                raise SystemExit(f"\nInterrupted in {self.name}: the same command goes on from here.") from None
        for reason in missing:
            print(f"{self.name}: left something out: {reason}.")
        return results.rows


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


def _size(name: str, doc: str | None) -> Size:
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=(doc or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="the paper's own sizes, instead of minutes")
    return "full" if parser.parse_args().full else "short"


def run_command(experiment: Experiment, doc: str | None) -> None:
    """What `python -m experiments.NAME.run` does."""
    experiment.run(_size(f"experiments.{experiment.name}.run", doc))


def plot_command(plot: Plot, doc: str | None) -> None:
    """What `python -m experiments.NAME.plot` does."""
    plot.make(_size(f"experiments.{plot.experiment.name}.plot", doc))
