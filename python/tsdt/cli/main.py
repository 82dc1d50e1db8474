"""The entry: reads the command line, runs the command, and turns errors into one line and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
import warnings
from collections.abc import Sequence

from tsdt.cli import exits


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:  # so that it needs nothing at all
        return _version()
    from tsdt.cli.parser import build_parser

    parser = build_parser()
    args = parser.parse_args(given)
    if args.version:
        return _version()
    if args.command is None:
        parser.print_help()
        return exits.USAGE
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn  # type: ignore[assignment]
            code: int = importlib.import_module(f"tsdt.cli.commands.{args.command}").run(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # whoever read the output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.OK
    except (Exception, KeyboardInterrupt) as error:
        if args.debug:
            traceback.print_exc()
        return _end(args.command, error)


def _warn(message: Warning | str, *_: object) -> None:
    """A warning as one line, without the place in the source."""
    print(f"tsdt: {message}", file=sys.stderr, flush=True)


def _version() -> int:
    from tsdt.cli.version import VERSION

    print(f"tsdt {VERSION}")
    return exits.OK


def _end(command: str, error: BaseException) -> int:
    """Say in one line what went wrong."""
    from tsdt.files.container import ModelFileError

    if isinstance(error, KeyboardInterrupt):
        message, code = "interrupted", exits.INTERRUPTED
    elif isinstance(error, exits.CommandError):
        message, code = str(error), error.code
    elif isinstance(error, ModelFileError):
        message, code = str(error), exits.MODEL
    elif isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        message, code = f"{where}{(error.strerror or str(error)).lower()}", exits.DATA
    elif isinstance(error, (ValueError, TypeError)):
        message, code = str(error), exits.DATA
    else:
        message, code = f"{type(error).__name__}: {error} (--debug shows where)", exits.UNEXPECTED
    print(f"tsdt {command}: {' '.join(message.split())}", file=sys.stderr)
    return code
