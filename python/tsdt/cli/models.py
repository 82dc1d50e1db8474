"""Models on the command line: read from files with their notes, or made from the arguments."""

from __future__ import annotations

import argparse
import os
from typing import Any

from tsdt.cli.arguments import learner_parameters
from tsdt.cli.exits import MODEL, USAGE, CommandError
from tsdt.cli.input import Kinds

MAY_CHANGE = ("time_limit", "max_iter")
"""Parameters that say how long to search, not what is learned."""


class Opened:
    """A model with its notes."""

    def __init__(self, model: Any, notes: dict[str, Any]) -> None:
        self.model, self.notes = model, notes

    @property
    def target(self) -> str | None:
        """The column with the class, where it was noted."""
        return self.notes.get("target")

    @property
    def attributes(self) -> list[str]:
        """The columns that the model has learned from."""
        return [str(name) for name in self.model.schema_.names]

    def kinds(self) -> Kinds:
        """What the columns hold."""
        return Kinds.of_model(self.model, self.notes.get("columns"))


def open_model(path: str) -> Opened:
    """A model from a file."""
    from tsdt.files import open_saved

    if os.path.exists(path) and not os.path.isfile(path):
        raise CommandError(f"{path} is no file; give the file of a model", MODEL)
    try:
        return Opened(*open_saved(path))
    except FileNotFoundError:
        remedy = f"'tsdt learn DATA --target COLUMN --model {path}' makes one"
        raise CommandError(f"there is no model {path}; {remedy}", MODEL) from None
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}", MODEL) from None


def new_model(args: argparse.Namespace) -> Opened:
    """A model as the arguments say."""
    from tsdt.classifier import TSDTClassifier
    from tsdt.parameters import check_parameters

    schema = dict.fromkeys(args.text, "categorical") | dict.fromkeys(args.numeric, "numeric")
    parameters = {"random_state": 0, "schema": schema or None} | learner_parameters(args)
    model = TSDTClassifier(**parameters)
    try:
        check_parameters(model.get_params(deep=False))
    except (ValueError, TypeError) as error:
        raise CommandError(str(error), USAGE) from None
    return Opened(model, {})


def continued_model(path: str, args: argparse.Namespace) -> Opened:
    """A model to go on with. What decides what is learned cannot change in the middle."""
    from tsdt.engine_state import RestingSearch

    opened = open_model(path)
    if opened.model.__sklearn_is_fitted__() and isinstance(opened.model._learner.engine, RestingSearch):
        raise CommandError(f"{path} can predict but not go on learning here; give another --model", MODEL)
    _check_kinds(path, opened, args)
    own = opened.model.get_params(deep=False)
    for name, value in learner_parameters(args).items():
        if name in MAY_CHANGE:
            setattr(opened.model, name, value)
        elif own[name] != value:
            flag = "--seed" if name == "random_state" else "--" + name.replace("_", "-")
            raise CommandError(
                f"{path} goes on with {name} {own[name]}; leave out {flag} {value}, or give another --model", USAGE
            )
    return opened


def _check_kinds(path: str, opened: Opened, args: argparse.Namespace) -> None:
    """What a column holds cannot change either."""
    for column in opened.model.schema_.columns if opened.model.__sklearn_is_fitted__() else ():
        told = args.numeric if column.kind == "categorical" and column.numbers is None else args.text
        if str(column.name) in told and column.kind is not None:
            flag = "--numeric" if told is args.numeric else "--text"
            raise CommandError(
                f"{path} has learned {column.name} as {column.kind}; leave out {flag} {column.name}, "
                "or give another --model",
                USAGE,
            )
