"""The rows of a command: the input opened as its arguments say, the target found, bad rows set aside."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from tsdt.cli.exits import CommandError
from tsdt.cli.input import Block, Kinds, open_input
from tsdt.cli.input.kinds import NUMBER, TEXT, as_classes
from tsdt.cli.rejects import Rejects
from tsdt.cli.stopping import Stopping

MOST_TOLD = 5
"""Columns that are warned of, at most."""


class Rows:
    """Blocks of good rows with their labels as the model's classes."""

    def __init__(self, path: str, args: argparse.Namespace, rejects: Rejects, stop: Stopping | None = None) -> None:
        self.path, self.args, self.rejects = path, args, rejects
        self._stop = stop or Stopping()
        try:
            self.file, self.reader = open_input(path, self._stop, args.format, args.delimiter, args.names)
        except CommandError:
            self._stop.check()
            raise
        self.kinds = Kinds()
        self.target: str | None = None
        self.attributes: list[str] = []
        self._classes: dict[str, Any] = {}

    def arrange(self, kinds: Kinds, target: str | None, attributes: list[str] | None, keep_text: bool = False) -> None:
        """Decide what to read: all columns but the target and those to ignore, or the attributes given."""
        names = self.reader.names
        for name in [*self.args.ignore, *self.args.text, *self.args.numeric]:
            self._check(name)
        if target is not None:
            self._check(target)
        self.kinds, self.target = kinds, target
        kinds.of.update(dict.fromkeys(self.args.text, TEXT) | dict.fromkeys(self.args.numeric, NUMBER))
        left_out = {*self.args.ignore, target}
        self.attributes = attributes if attributes is not None else [name for name in names if name not in left_out]
        if not self.attributes:
            raise CommandError(f"there is no column to learn from beside {target!r}")
        self.reader.arrange(kinds, target, frozenset(self.attributes), keep_text)
        for name in [name for name in kinds.odd if name in self.attributes][:MOST_TOLD]:
            told = f"{kinds.odd[name]!r} among its numbers makes column {name} text"
            self.rejects.warn(f"{told}; with --numeric {name} such rows are left out as bad ones")

    def _check(self, name: str) -> None:
        if name not in self.reader.names:
            known = ", ".join(self.reader.names[:20]) + (", ..." if len(self.reader.names) > 20 else "")
            raise CommandError(f"there is no column {name!r}; the columns are {known}")

    def know_classes(self, classes: Any) -> None:
        """Labels that are written like one of these mean it."""
        self._classes = {str(value): value for value in classes}

    def blocks(self) -> Iterator[Block]:
        """The blocks, bad rows set aside."""
        for block in self.reader:
            self.rejects.take(block.bad)
            if block.labels is not None:
                block.labels = as_classes(block.labels, self._classes)
            yield block

    def whole(self) -> tuple[Any, Any]:
        """All rows at once, with their labels."""
        from tsdt.cli.input.block import join

        blocks = [block for block in self.blocks() if block.n_rows]
        self._stop.check()
        if not blocks:
            raise CommandError(f"{self.path} has no row that can be used")
        block = join(blocks)
        return block.rows, block.labels

    def close(self) -> None:
        """Close what is open."""
        self.file.close()
        self.rejects.close()
