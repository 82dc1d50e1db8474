"""`tsdt explain`: why one row gets its answer."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tsdt.cli.display import Silent
from tsdt.cli.exits import OK, USAGE, CommandError
from tsdt.cli.input import Kinds
from tsdt.cli.input.kinds import MISSING, NUMBER, is_number
from tsdt.cli.models import Opened, open_model
from tsdt.cli.output import check_apart
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows
from tsdt.views.explain import Explanation


def run(args: argparse.Namespace) -> int:
    """Explain."""
    check_apart(args.rejects, args.data, args.model)
    opened = open_model(args.model)
    if bool(args.values) == bool(args.data):
        raise CommandError("which row? Say NAME=VALUE ..., or --data FILE --row N", USAGE)
    row = _row_of_file(opened, args) if args.data else _row_of_words(opened, args.values)
    explanation = opened.model.tree_.explain(row)
    print(json.dumps(_facts(row, explanation), ensure_ascii=False, default=str) if args.json else explanation)
    return OK


def _facts(row: dict[str, Any], explanation: Explanation) -> dict[str, Any]:
    steps = [
        {"column": reason.attribute, "value": reason.value, "why": reason.why, "effect": reason.effect}
        for reason in explanation.reasons
    ]
    alternatives = [
        {
            "answer": alternative.answer,
            "changes": [
                {"column": change.attribute, "value": change.value, "to": [str(c) for c in change.conditions]}
                for change in alternative.changes
            ],
        }
        for alternative in explanation.alternatives
    ]
    return {"row": row, "answer": explanation.answer, "steps": steps, "alternatives": alternatives}


def _row_of_words(opened: Opened, words: list[str]) -> dict[str, Any]:
    kinds, row = opened.kinds(), dict[str, Any]()
    for word in words:
        name, equals, value = word.partition("=")
        while equals and name not in opened.attributes and "=" in value:  # names may have one too
            more, _, value = value.partition("=")
            name += "=" + more
        if not equals or name not in opened.attributes:
            known = ", ".join(opened.attributes[:20])
            raise CommandError(f"{word!r} is not NAME=VALUE with one of the columns {known}", USAGE)
        row[name] = _value(kinds, name, value)
    return row


def _value(kinds: Kinds, name: str, text: str) -> Any:
    if text in MISSING:
        return None
    if kinds.of.get(name) != NUMBER:
        return kinds.words.get(name, {}).get(text, text)
    if not is_number(text):
        raise CommandError(f"{name} is a number, {text!r} is not", USAGE)
    return float(text)


def _row_of_file(opened: Opened, args: argparse.Namespace) -> dict[str, Any]:
    rows = Rows(args.data, args, Rejects(Silent().warn, args.strict, args.rejects))
    names = [name for name in opened.attributes if name in rows.reader.names]
    rows.arrange(opened.kinds(), None, names)
    if args.row < 1:
        raise CommandError(f"--row is {args.row}; rows are counted from 1", USAGE)
    passed = 0
    for block in rows.blocks():
        if args.row <= passed + block.n_rows:
            i = args.row - passed - 1
            part = block.part(i, i + 1)
            found = part[0] if isinstance(part, list) else {name: column.tolist()[0] for name, column in part.items()}
            return {name: value for name, value in found.items() if name in opened.attributes}
        passed += block.n_rows
    raise CommandError(f"{args.data} has {passed:,} rows that can be used; there is no row {args.row}")
