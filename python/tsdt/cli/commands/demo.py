"""`tsdt demo`: the demonstration, with files to try the other commands on."""

from __future__ import annotations

import argparse
import os
import tempfile

from tsdt.cli.exits import OK


def run(args: argparse.Namespace) -> int:
    """Run it."""
    from tsdt.demo import main

    main(args.folder or os.path.join(tempfile.gettempdir(), "tsdt-demo"))
    return OK
