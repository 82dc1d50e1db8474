"""The command line: its commands, their arguments, and help that teaches. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from tsdt.cli import help_texts as texts
from tsdt.cli.arguments import add_input, add_learner, add_reading, duration, number, whole
from tsdt.cli.exits import MEANINGS, USAGE, CommandError

VIEWS = ("text", "rules", "svg", "html", "json", "python", "sql", "dot", "mermaid")
DIALECTS = ("sqlite", "postgresql", "duckdb")
SHELLS = ("bash", "zsh", "fish")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Paragraphs and examples as they are written, with room for the names of the options."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


class _Parser(argparse.ArgumentParser):
    """Says in one line what cannot be understood, as every error is said."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}; '{self.prog} --help' explains", USAGE)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    codes = "\n".join(f"  {code:<4} {meaning}" for code, meaning in MEANINGS.items())
    parser = _Parser(
        prog="tsdt",
        description=texts.TOP,
        epilog=f"exit codes:\n{codes}\n\n{texts.TOP_EXAMPLES}",
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="store_true", help="show the version and end")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, summary, fill in COMMANDS:
        description, examples = texts.COMMANDS[name]
        sub = commands.add_parser(
            name,
            usage=texts.USAGE[name],
            help=summary,
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=_Help,
        )
        fill(sub)
        # Also after the command, where people type it; without a default, so that it does not undo the one before.
        sub.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def _learn(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--target", metavar="COLUMN", help="the column with the class; a saved model knows it")
    parser.add_argument("--model", metavar="FILE", help="save the model here; where it exists, go on from it")
    parser.add_argument("--checkpoint", metavar="FILE", help="like --model, and saves in between; implies --stream")
    parser.add_argument("--every", type=duration, metavar="TIME", help="how often to save: 10s, 5m, 1h (default: 10s)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--stream", action="store_true", help="learn in one pass; so are pipes and very large files")
    how.add_argument("--table", action="store_true", help="read all rows, then search until the tree is proven")
    _add_output(parser)
    add_reading(parser)
    add_learner(parser)


def _add_output(parser: argparse.ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    output.add_argument("--quiet", "-q", action="store_true", help="say nothing but warnings and errors")
    output.add_argument("--json", action="store_true", help="progress and result as JSON, one object a line")


def _predict(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    add_input(parser)
    parser.add_argument("--output", "-o", metavar="FILE", help="write here instead of standard output")
    parser.add_argument("--column", default="prediction", metavar="NAME", help="name of the added column")
    parser.add_argument("--proba", action="store_true", help="add the share of each class as well")
    add_reading(parser)


def _evaluate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model_or_data", metavar="MODEL|DATA", help="a saved model, or data to learn from and test on")
    parser.add_argument("data", nargs="?", metavar="DATA", help="after a model: the data to test it on")
    parser.add_argument("--target", metavar="COLUMN", help="the column with the class; a saved model knows it")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--folds", type=whole, metavar="K", help="cross-validation with K folds (default: 5)")
    how.add_argument("--holdout", type=number, metavar="SHARE", help="learn from the rest, test on this share of rows")
    how.add_argument("--prequential", action="store_true", help="in one pass: predict each row, then learn it")
    parser.add_argument("--quiet", "-q", action="store_true", help="only the result, no progress")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    add_reading(parser)
    add_learner(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    parser.add_argument("--as", dest="view", choices=VIEWS, default="text", help="which view (default: text)")
    parser.add_argument("--output", "-o", metavar="FILE", help="write here instead of standard output")
    parser.add_argument("--dialect", choices=DIALECTS, default="sqlite", help="of --as sql (default: sqlite)")
    parser.add_argument("--theme", choices=("auto", "light", "dark"), default="auto", help="of --as svg")


def _explain(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE", help="the row; what is not named is missing")
    parser.add_argument("--data", metavar="DATA", help="take the row from this file instead")
    parser.add_argument("--row", type=whole, default=1, metavar="N", help="which row of --data, from 1")
    parser.add_argument("--json", action="store_true", help="the explanation as JSON")
    add_reading(parser)


def _frontier(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--target", required=True, metavar="COLUMN", help="the column with the class")
    parser.add_argument(
        "--lowest", type=number, default=0.001, metavar="PRICE", help="the lowest split cost of interest"
    )
    parser.add_argument("--as", dest="view", choices=("text", "svg", "json"), default="text", help="which view")
    parser.add_argument("--output", "-o", metavar="FILE", help="write here instead of standard output")
    add_reading(parser)
    add_learner(parser, without=("split_cost", "search", "backup", "max_iter", "effort", "window"))


def _inspect(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def _compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="a saved model")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument("data", nargs="?", metavar="DATA", help="rows on which to count where they agree")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    add_reading(parser)


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", metavar="DIR", help="where to leave the files to try (default: a temporary one)")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="which shell")


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a saved model, such as m.tsdt")


COMMANDS: list[tuple[str, str, Callable[[argparse.ArgumentParser], None]]] = [
    ("demo", "the first minute: learn from a stream and look at the tree", _demo),
    ("learn", "learn a tree from a file or a pipe", _learn),
    ("predict", "add predictions to rows", _predict),
    ("evaluate", "how good a model is, or would be", _evaluate),
    ("show", "a tree as text, picture, SQL, Python, ...", _show),
    ("explain", "why one row gets its answer", _explain),
    ("frontier", "the best tree of each size, to choose the split cost", _frontier),
    ("inspect", "what a model file holds", _inspect),
    ("compare", "what changed between two trees, in words", _compare),
    ("completion", "completion for your shell", _completion),
]
