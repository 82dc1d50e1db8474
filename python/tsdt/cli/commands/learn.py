"""`tsdt learn`: from a file or a pipe to a tree, watched, saved, and gone on with."""

from __future__ import annotations

import argparse
import gc
import os
import warnings
from collections.abc import Callable
from contextlib import suppress

from tsdt.cli.display import Display, make_display
from tsdt.cli.exits import OK, USAGE, CommandError
from tsdt.cli.learning import Learning
from tsdt.cli.learning_stream import learn_pipe, learn_stream
from tsdt.cli.learning_table import go_on_searching, is_same_table, learn_table
from tsdt.cli.models import Opened, continued_model, new_model
from tsdt.cli.noting import History, is_regular
from tsdt.cli.output import check_apart
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows
from tsdt.cli.saving import Saver
from tsdt.cli.stopping import Stopping

LARGEST_TABLE = 1 << 28
"""Bytes: a larger file is learned as a stream where nothing else is said."""

EVERY = 10.0


def run(args: argparse.Namespace) -> int:
    """Learn."""
    path = _model_path(args)
    title = f"tsdt learn {args.data if args.data != '-' else 'standard input'}"
    with Stopping() as stop:
        display = make_display(args.quiet, args.json, title)
        warnings.showwarning = lambda message, *_: display.warn(str(message))
        try:
            _learn(args, path, display, stop)
        finally:
            display.close()
    return OK


def _learn(args: argparse.Namespace, path: str | None, display: Display, stop: Stopping) -> None:
    check_apart(args.rejects, args.data, path)
    rejects = Rejects(display.warn, args.strict, args.rejects)
    exists = path is not None and os.path.exists(path)
    opened = continued_model(path, args) if path is not None and exists else new_model(args)
    rows = Rows(args.data, args, rejects, stop)
    _arrange(rows, opened, args)
    every = args.every if args.every is not None else EVERY if args.checkpoint else None
    saver = Saver(path, every, display) if path is not None else None
    learning = Learning(opened, rows, display, saver, stop, History(opened.notes, args.data))
    learn = _way_to_learn(args, learning, exists)
    gc.freeze()  # all that was imported will stay: it need not be looked through for garbage
    with suppress(BrokenPipeError):  # whoever read the progress has gone: what was learned is saved
        learn(learning)
    rows.close()
    learning.end(args)


def _way_to_learn(args: argparse.Namespace, learning: Learning, exists: bool) -> Callable[[Learning], None]:
    if _as_table(args) and not exists:
        return learn_table
    if _as_table(args) and is_same_table(learning):
        return go_on_searching
    return learn_stream if exists or _is_stream(args) else learn_pipe


def _model_path(args: argparse.Namespace) -> str | None:
    if args.model and args.checkpoint and args.model != args.checkpoint:
        raise CommandError("--model and --checkpoint name two files; give one of them", USAGE)
    path: str | None = args.checkpoint if args.checkpoint is not None else args.model
    if path == "":
        raise CommandError("the name of the model is empty; say --model m.tsdt", USAGE)
    if path is None and args.every is not None:
        raise CommandError("--every says how often to save, but not where; add --checkpoint m.tsdt", USAGE)
    folder = os.path.dirname(os.path.abspath(path)) if path is not None else "."
    if not os.path.isdir(folder):
        raise CommandError(f"{path} cannot be saved: there is no folder {folder}", USAGE)
    return path


def _as_table(args: argparse.Namespace) -> bool:
    if args.table or args.stream or args.checkpoint or args.every is not None:
        return bool(args.table)
    return is_regular(args.data) and os.path.getsize(args.data) <= LARGEST_TABLE


def _is_stream(args: argparse.Namespace) -> bool:
    """Whether it is meant to go on, or is too large for a table."""
    return bool(args.stream or args.checkpoint or args.every is not None or is_regular(args.data))


def _arrange(rows: Rows, opened: Opened, args: argparse.Namespace) -> None:
    """Find the target, and the columns that the model knows."""
    target = args.target or opened.target
    if target is None:
        names = ", ".join(rows.reader.names[:20])
        raise CommandError(f"which column is the class? Say --target COLUMN; the columns are {names}", USAGE)
    if opened.target is not None and target != opened.target:
        raise CommandError(
            f"the model has learned to tell {opened.target!r}, not {target!r}; give another --model", USAGE
        )
    fitted = opened.model.__sklearn_is_fitted__()
    lacking = [name for name in opened.attributes if name not in rows.reader.names] if fitted else []
    if lacking and rows.reader.header:
        raise CommandError(f"the model has learned from the column {lacking[0]!r}, which {rows.path} lacks")
    if fitted:
        rows.know_classes(opened.model.classes_.tolist())
    ignored = [name for name in opened.notes.get("ignored", []) if name in rows.reader.names]
    args.ignore = list(dict.fromkeys([*args.ignore, *ignored]))
    rows.arrange(opened.kinds(), target, None)
