"""`tsdt predict`: rows in, the same rows with answers out, while they come."""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Callable, Sequence
from typing import IO, Any

from tsdt.cli.answers import Answer, ParquetWriter, check_output, joined, write_delimited, write_objects, write_table
from tsdt.cli.display import Silent
from tsdt.cli.exits import OK, CommandError
from tsdt.cli.input import Block
from tsdt.cli.input.opening import format_of, has_format
from tsdt.cli.models import Opened, open_model
from tsdt.cli.noting import is_regular
from tsdt.cli.output import check_apart
from tsdt.cli.rejects import Rejects
from tsdt.cli.rows import Rows
from tsdt.cli.stopping import Stopping

Write = Callable[[Any, Any], None]


def run(args: argparse.Namespace) -> int:
    """Predict."""
    check_apart(args.output, args.data, args.model)
    check_apart(args.rejects, args.data, args.model, args.output)
    opened = open_model(args.model)
    with Stopping() as stop:
        rows = Rows(args.data, args, Rejects(Silent().warn, args.strict, args.rejects), stop)
        rows.arrange(opened.kinds(), None, asked_columns(opened, rows), keep_text=True)
        answering = Answering(opened.model, args.column, args.proba)
        taken = [name for name in answering.columns if name in rows.reader.names]
        if taken:
            raise CommandError(f"the rows have a column {taken[0]!r} already; name the new one with --column NAME")
        if args.output is None:
            _pass_on(rows, answering, sys.stdout.buffer, args)
        else:
            open_output: Any = gzip.open if args.output.endswith(".gz") else open
            with open_output(args.output, "wb") as out:
                _pass_on(rows, answering, out, args)
        rows.close()
        if is_regular(args.data):  # an endless pipe has no better end than this; a file was not answered whole
            stop.check()
    return OK


def asked_columns(opened: Opened, rows: Rows) -> list[str]:
    """The columns that an answer depends on."""
    tree = opened.model.tree_
    asked = {node.attribute for node in tree.nodes if not node.is_leaf}
    if opened.model.leaf_prediction != "majority":
        asked = set(range(len(tree.attributes)))
    names = [str(tree.attributes[i].name) for i in sorted(asked)]
    lacking = [name for name in names if name not in rows.reader.names]
    if lacking and rows.reader.header:
        raise CommandError(f"the tree asks for the column {lacking[0]!r}, which {rows.path} lacks")
    return list(dict.fromkeys(names)) or rows.reader.names[:1]


class Answering:
    """Answers of a model: the class, its share, and where asked for the shares of all classes."""

    def __init__(self, model: Any, column: str, with_shares: bool) -> None:
        self.model, self.with_shares = model, with_shares
        self.classes = model.classes_.tolist()
        shares = [f"share_{value}" for value in self.classes] if with_shares else []
        self.columns = [column, "confidence" if column == "prediction" else f"{column}_confidence", *shares]
        self._known: dict[tuple[Any, bytes], Answer] = {}  # leaves give the same answer again and again

    def answers(self, block: Block) -> list[Answer | None]:
        """For each row what to add, None for those that cannot be used."""
        found: list[Answer | None] = [None] * len(block.text)
        if block.n_rows:
            shares, labels = self.model.predict_proba(block.rows), self.model.predict(block.rows).tolist()
            places: Sequence[int] = range(block.n_rows) if block.place is None else block.place.tolist()
            for place, label, row in zip(places, labels, shares, strict=True):
                found[place] = self._known.get((label, row.tobytes())) or self._new(label, row)
        return found

    def _new(self, label: Any, shares: Any) -> Answer:
        values = [label, float(shares.max()), *(shares.tolist() if self.with_shares else [])]
        answer = self._known[label, shares.tobytes()] = dict(zip(self.columns, values, strict=True))
        return answer


def _pass_on(rows: Rows, answering: Answering, out: IO[bytes], args: argparse.Namespace) -> None:
    write = _writer(rows, answering, out, args)
    for block in rows.blocks():
        write(block.text, answering.answers(block))
        out.flush()
    if isinstance(write, ParquetWriter):
        write.close()


def _writer(rows: Rows, answering: Answering, out: IO[bytes], args: argparse.Namespace) -> Write:
    came_as = format_of(args.data, args.format)
    goes_as = came_as if args.output is None else format_of(args.output, None if has_format(args.output) else came_as)
    check_output(came_as, goes_as)
    reader: Any = rows.reader
    if goes_as == "jsonl":
        return write_objects(out, answering.columns)
    if came_as == "parquet":
        if args.output is not None and goes_as == "parquet":
            return ParquetWriter(args.output, reader.schema, answering.columns)
        return write_table(out, reader.names, answering.columns)
    if reader.header:
        mark = reader.delimiter
        out.write(reader.header + mark.encode() + joined(answering.columns, mark) + b"\n")
    return write_delimited(out, reader.delimiter, answering.columns)
