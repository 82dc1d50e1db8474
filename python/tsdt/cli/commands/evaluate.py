"""`tsdt evaluate`: how good a model is on rows it has not learned, or would be."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from tsdt.cli.commands.predict import asked_columns
from tsdt.cli.display import Silent, emit
from tsdt.cli.exits import OK, USAGE, CommandError
from tsdt.cli.input import Kinds
from tsdt.cli.models import new_model, open_model
from tsdt.cli.output import can_redraw, check_apart
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows
from tsdt.cli.scoring import Score
from tsdt.cli.stopping import Stopping
from tsdt.files.container import MAGIC

FOLDS = 5


def run(args: argparse.Namespace) -> int:
    """Evaluate."""
    check_apart(args.rejects, args.model_or_data, args.data)
    saved = args.data is not None or _is_model(args.model_or_data)
    rejects = Rejects(Silent().warn, args.strict, args.rejects)
    with Stopping() as stop:
        if saved:
            how, score = _saved_model(args, rejects, stop)
        elif args.prequential:
            how, score = _prequential(args, rejects, stop)
        else:
            how, score = _learned_and_tested(args, rejects, stop)
    if args.json:
        emit({"how": how, **score.facts(), "bad_rows": rejects.n})
    else:
        print(f"{how}\n{score}")
    return OK


def _is_model(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _saved_model(args: argparse.Namespace, rejects: Rejects, stop: Stopping) -> tuple[str, Score]:
    if args.data is None:
        raise CommandError(f"on which rows? Say 'tsdt evaluate {args.model_or_data} DATA'", USAGE)
    if args.folds or args.holdout or args.prequential:
        raise CommandError("a saved model is tested as it is; leave the model out to learn new ones", USAGE)
    opened = open_model(args.model_or_data)
    rows = Rows(args.data, args, rejects, stop)
    target = args.target or opened.target
    if target is None:
        raise CommandError("which column is the class? Say --target COLUMN", USAGE)
    rows.arrange(opened.kinds(), target, asked_columns(opened, rows))
    score = Score()
    for block in rows.blocks():
        if block.n_rows and block.labels is not None:
            score.add(block.labels.tolist(), opened.model.predict(block.rows).tolist())
    return f"{args.model_or_data} on {args.data}", _some(score, args.data, stop)


def _prequential(args: argparse.Namespace, rejects: Rejects, stop: Stopping) -> tuple[str, Score]:
    """Predict the rows of a batch, then learn them: no row is predicted after it was learned."""
    rows, model, score = _opened(args, rejects, stop), new_model(args).model, Score()
    for block in rows.blocks():
        if block.labels is None:
            continue
        for start in range(0, block.n_rows, model.batch_size):
            stop_at = min(start + model.batch_size, block.n_rows)
            part, truth = block.part(start, stop_at), block.labels[start:stop_at]
            if model.__sklearn_is_fitted__():
                score.add(truth.tolist(), model.predict(part).tolist())
            model.learn_many(part, truth)
    path = args.model_or_data
    return f"prequential on {path}: each row predicted, then learned", _some(score, path, stop)


def _learned_and_tested(args: argparse.Namespace, rejects: Rejects, stop: Stopping) -> tuple[str, Score]:
    X, y = _opened(args, rejects, stop).whole()
    score = Score()
    for i, test in enumerate(_parts(args, y), start=1):
        learn = np.setdiff1d(np.arange(len(y)), test)
        model = _fit(new_model(args).model, _take(X, learn), y[learn], stop)
        score.add(y[test].tolist(), model.predict(_take(X, test)).tolist())
        if can_redraw(sys.stderr) and not args.quiet:
            print(f"\rtested {i}", end="\r", file=sys.stderr, flush=True)
    if args.holdout:
        return f"learned from {len(y) - score.n:,} rows of {args.model_or_data}, tested on {score.n:,}", score
    return f"cross-validation with {args.folds or FOLDS} folds on {args.model_or_data}", score


def _fit(model: Any, X: Any, y: Any, stop: Stopping) -> Any:
    """A model that was searched to its end: a signal ends the search, and then everything."""
    stop.as_interrupt = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        model.fit(X, y)
    stop.as_interrupt = False
    stop.check()
    return model


def _opened(args: argparse.Namespace, rejects: Rejects, stop: Stopping) -> Rows:
    if args.target is None:
        raise CommandError("which column is the class? Say --target COLUMN", USAGE)
    rows = Rows(args.model_or_data, args, rejects, stop)
    rows.arrange(Kinds(), args.target, None)
    return rows


def _parts(args: argparse.Namespace, y: Any) -> Iterator[Any]:
    """The rows to test on, each time; every class is spread evenly over them."""
    order = np.random.default_rng(args.seed or 0).permutation(len(y))
    by_class = order[np.argsort([str(label) for label in y[order].tolist()], kind="stable")]
    if args.holdout is not None:
        if not 0 < args.holdout < 1:
            raise CommandError(f"--holdout is {args.holdout}; say a share between 0 and 1", USAGE)
        places = np.floor(np.arange(1, len(y) + 1) * args.holdout) > np.floor(np.arange(len(y)) * args.holdout)
        yield np.sort(by_class[places])
        return
    folds = args.folds or FOLDS
    if not 2 <= folds <= len(y):
        raise CommandError(f"--folds is {folds}; say 2 to {len(y)}", USAGE)
    for k in range(folds):
        yield np.sort(by_class[k::folds])


def _take(X: Any, rows: Any) -> Any:
    return [X[i] for i in rows] if isinstance(X, list) else {name: column[rows] for name, column in X.items()}


def _some(score: Score, path: str, stop: Stopping) -> Score:
    if not score.n:
        stop.check()
        raise CommandError(f"{path} has no row that can be used")
    return score
