"""`tsdt inspect`: what a model file holds."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from tsdt.cli.exits import OK
from tsdt.cli.models import Opened, open_model
from tsdt.cli.progress import tree_facts


def run(args: argparse.Namespace) -> int:
    """Inspect."""
    opened = open_model(args.model)
    size = os.path.getsize(args.model)
    print(
        json.dumps(_facts(opened, size), default=str, ensure_ascii=False)
        if args.json
        else _words(args.model, opened, size)
    )
    return OK


def _facts(opened: Opened, size: int) -> dict[str, Any]:
    model = opened.model
    return {
        "bytes": size,
        "whole": True,
        "target": opened.target,
        "classes": model.classes_.tolist(),
        "columns": [
            {"name": column.name, "kind": column.kind, "values": column.arity} for column in model.schema_.columns
        ],
        "parameters": {name: value for name, value in model.get_params(deep=False).items() if name != "schema"},
        "split_cost": model.split_cost_,
        "samples": opened.notes.get("samples", model.tree_.n_samples),
        "iterations": model.n_iter_,
        "runs": opened.notes.get("runs", []),
        **tree_facts(model.tree_, model.certificate_),
    }


def _words(path: str, opened: Opened, size: int) -> str:
    facts, tree = _facts(opened, size), opened.model.tree_
    classes = ", ".join(map(str, facts["classes"][:12])) + (", ..." if len(facts["classes"]) > 12 else "")
    given = {name: value for name, value in facts["parameters"].items() if value is not None}
    lines = [
        f"{path}: {size:,} bytes, whole (its checksum fits)",
        f"answers     {facts['target'] or 'unnamed'}: {classes}",
        f"tree        {tree.n_leaves} leaves, {tree.n_splits} splits, depth {tree.depth}, {tree.accuracy:.1%} right",
        f"certificate {opened.model.certificate_}",
        f"samples     {facts['samples']:,} learned, {tree.n_samples:,} counting, {facts['iterations']:,} iterations",
        f"parameters  {', '.join(f'{name}={value}' for name, value in given.items())}",
        "",
        str(opened.model.schema_),
    ]
    if facts["runs"]:
        lines += ["", "history", *map(_run_in_words, facts["runs"])]
    return "\n".join(lines)


def _run_in_words(run: dict[str, Any]) -> str:
    source = "a pipe" if run["source"] == "-" else run["source"]
    bad = f", {run['bad_rows']:,} bad rows" if run["bad_rows"] else ""
    return f"  {run['started']}  {run['samples']:,} samples of {source} in {run['seconds']:.1f} s{bad}"
