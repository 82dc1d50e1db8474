"""`tsdt compare`: what changed between two trees, in words."""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from tsdt.cli.commands.predict import asked_columns
from tsdt.cli.differences import differences
from tsdt.cli.display import Silent
from tsdt.cli.exits import OK
from tsdt.cli.models import Opened, open_model
from tsdt.cli.output import check_apart
from tsdt.cli.progress import tree_facts
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows
from tsdt.views import words


def run(args: argparse.Namespace) -> int:
    """Compare."""
    check_apart(args.rejects, args.data, args.first, args.second)
    first, second = open_model(args.first), open_model(args.second)
    changes = differences(first.model.tree_, second.model.tree_)
    agreement = _agreement(first, second, args) if args.data else None
    if args.json:
        facts = [tree_facts(opened.model.tree_, opened.model.certificate_) for opened in (first, second)]
        rows, agree = agreement or (None, None)
        print(json.dumps({"changes": changes, "first": facts[0], "second": facts[1], "rows": rows, "agree": agree}))
        return OK
    print(f"{args.first}: {_summary(first)}\n{args.second}: {_summary(second)}\n")
    print("\n".join(f"- {change}" for change in changes) or "Both trees ask and answer the same.")
    if agreement:
        rows, agree = agreement
        print(f"\nThey agree on {agree:,} of the {rows:,} rows of {args.data} ({words.percent(agree, max(rows, 1))}).")
    return OK


def _summary(opened: Opened) -> str:
    tree, certificate = opened.model.tree_, opened.model.certificate_
    return f"{tree.n_leaves} leaves, {tree.accuracy:.1%} right on {tree.n_samples:,} samples, {certificate}"


def _agreement(first: Opened, second: Opened, args: argparse.Namespace) -> tuple[int, int]:
    """How many rows there are, and for how many both give the same answer."""
    rows = Rows(args.data, args, Rejects(Silent().warn, args.strict, args.rejects))
    names = list(dict.fromkeys([*asked_columns(first, rows), *asked_columns(second, rows)]))
    rows.arrange(first.kinds(), None, names)
    n = agree = 0
    for block in rows.blocks():
        if block.n_rows:
            n += block.n_rows
            agree += int(np.count_nonzero(_as_text(first, block.rows) == _as_text(second, block.rows)))
    return n, agree


def _as_text(opened: Opened, rows: Any) -> Any:
    return np.array([str(label) for label in opened.model.predict(rows).tolist()])
