"""`tsdt show`: the tree of a model in any of its views."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tsdt.cli.exits import OK
from tsdt.cli.models import open_model
from tsdt.cli.output import check_apart, write


def run(args: argparse.Namespace) -> int:
    """Show."""
    check_apart(args.output, args.model)
    model = open_model(args.model).model
    write(VIEWS[args.view](model, args), args.output)
    return OK


def _text(model: Any, args: argparse.Namespace) -> str:
    return str(model.tree_.to_text(color=None if args.output is None else False))


def _html(model: Any, args: argparse.Namespace) -> str:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        model.report(page, title=Path(args.model).stem)
        return page.read_text(encoding="utf-8")


VIEWS: dict[str, Callable[[Any, argparse.Namespace], str]] = {
    "text": _text,
    "html": _html,
    "rules": lambda model, args: str(model.tree_.rules()),
    "svg": lambda model, args: str(model.tree_.to_svg(args.theme)),
    "json": lambda model, args: str(model.tree_.to_json(indent=2)),
    "python": lambda model, args: str(model.tree_.to_python()),
    "sql": lambda model, args: str(model.tree_.to_sql(args.dialect)),
    "dot": lambda model, args: str(model.tree_.to_dot()),
    "mermaid": lambda model, args: str(model.tree_.to_mermaid()),
}
