"""The entry: reads the command line, runs the command, and turns errors into one line and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

from tsdt.cli import exits
from tsdt.cli.stopping import Starting


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:  # so that it needs nothing at all
        return _version()
    _open_what_is_closed()
    try:
        with Starting() as starting, warnings.catch_warnings():
            warnings.showwarning = _warn  # type: ignore[assignment]
            code = _run(given, starting)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # whoever read the output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.OK
    except (Exception, KeyboardInterrupt) as error:
        if "--debug" in given:
            traceback.print_exc()
        return _end(given, error)


def _run(given: Sequence[str], starting: Starting) -> int:
    from tsdt.cli.parser import build_parser

    parser = build_parser()
    args = parser.parse_args(given)
    if args.version:
        return _version()
    if args.command is None:
        parser.print_help()
        return exits.USAGE
    command: Any = importlib.import_module(f"tsdt.cli.commands.{args.command}")
    starting.done()
    code: int = command.run(args)
    return code


def _open_what_is_closed() -> None:
    """What is said to a stream that is closed is said to no one."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # for as long as there is something to say
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def _version() -> int:
    from tsdt.version import VERSION

    print(f"tsdt {VERSION}")
    return exits.OK


def _warn(message: Warning | str, *_: object) -> None:
    """A warning as one line, without the place in the source."""
    print(f"tsdt: {message}", file=sys.stderr, flush=True)


def _end(given: Sequence[str], error: BaseException) -> int:
    """Say in one line what went wrong; with --json also for programs."""
    message, code = _in_words(error)
    message = "".join(mark if mark.isprintable() else "?" for mark in " ".join(message.split()))
    command = f"tsdt {given[0]}" if given and given[0].isalpha() else "tsdt"
    print(f"{command}: {message}", file=sys.stderr)
    if "--json" in given:
        from tsdt.cli.display import emit

        emit({"event": "error", "error": message, "code": code})
    return code


def _in_words(error: BaseException) -> tuple[str, int]:
    """What went wrong, and its exit code."""
    if isinstance(error, exits.CommandError):
        return str(error), error.code
    if isinstance(error, KeyboardInterrupt):
        by = str(error) or exits.BY_CTRL_C
        return f"ended by {by} before anything was finished", exits.ENDED_BY[by]
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{(error.strerror or str(error)).lower()}", exits.DATA

    from tsdt.files.container import ModelFileError

    if isinstance(error, ModelFileError):
        return str(error), exits.MODEL
    if isinstance(error, (ValueError, TypeError)):
        return str(error), exits.DATA
    return f"{type(error).__name__}: {error} (--debug shows where)", exits.UNEXPECTED
