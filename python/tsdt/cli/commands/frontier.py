"""`tsdt frontier`: the best tree of each size, to choose the split cost by."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tsdt.cli.arguments import learner_parameters
from tsdt.cli.display import Silent
from tsdt.cli.exits import OK
from tsdt.cli.input import Kinds
from tsdt.cli.output import check_apart, write
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows


def run(args: argparse.Namespace) -> int:
    """Find the frontier."""
    from tsdt.frontiers import frontier

    check_apart(args.output, args.data)
    check_apart(args.rejects, args.data)
    rows = Rows(args.data, args, Rejects(Silent().warn, args.strict, args.rejects))
    rows.arrange(Kinds(), args.target, None)
    X, y = rows.whole()
    found = frontier(X, y, lowest=args.lowest, **{"random_state": 0} | learner_parameters(args))
    write(_as_json(found) if args.view == "json" else found.to_svg() if args.view == "svg" else str(found), args.output)
    return OK


def _as_json(found: Any) -> str:
    points = [
        {
            "splits": point.n_splits,
            "leaves": point.n_leaves,
            "accuracy": point.accuracy,
            "lowest": point.lowest,
            "highest": point.highest,
            "proven": point.certificate.proven,
        }
        for point in found
    ]
    return json.dumps({"complete": found.complete, "points": points}, indent=2)
