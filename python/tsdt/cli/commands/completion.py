"""`tsdt completion`: a script for a shell, made from the parser itself."""

from __future__ import annotations

import argparse

from tsdt.cli.completions import SCRIPTS
from tsdt.cli.exits import OK
from tsdt.cli.parser import build_parser


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    print(SCRIPTS[args.shell](build_parser()), end="")
    return OK
