"""Learning in one pass: each row once, as it comes, with checkpoints in between."""

from __future__ import annotations

import time

from tsdt.cli.input import Block
from tsdt.cli.learning import Learning
from tsdt.cli.noting import place_to_go_on

MOST_ROWS = 1 << 14
"""Rows that are learned between two looks at the clock, at most."""

SLICE = 0.2
"""Seconds that they should take, so that a signal, a checkpoint or the display does not wait."""


def learn_stream(learning: Learning) -> None:
    """Learn all that comes, until the end of the input or a signal."""
    _say_where_from(learning)
    rows_at_once = 1000
    for block in learning.rows.blocks():
        start = 0
        while start < block.n_rows:
            before = time.monotonic()
            stop = min(start + rows_at_once, block.n_rows)
            _learn(learning, block, start, stop)
            start = stop
            taken = max(time.monotonic() - before, 1e-4)
            rows_at_once = int(max(100, min(MOST_ROWS, rows_at_once * min(2.0, SLICE / taken))))
            if start < block.n_rows:
                learning.display.show(learning.watch.look())
        _pass(learning, block)
        if learning.stop():
            return


def _learn(learning: Learning, block: Block, start: int, stop: int) -> None:
    labels = block.labels
    if labels is not None:
        learning.model.learn_many(block.part(start, stop), labels[start:stop])
        learning.watch.samples += stop - start


def _pass(learning: Learning, block: Block) -> None:
    """A block is done: that is where a later run can go on, so it is when to save."""
    learning.offset, learning.line = block.end, learning.line + block.lines
    learning.watch.bad_rows = learning.rows.rejects.n
    learning.save_if_due()
    if learning.model.__sklearn_is_fitted__():
        learning.display.show(learning.watch.look())


def _say_where_from(learning: Learning) -> None:
    """Where the model exists: from where it goes on, and where in the file."""
    if not learning.model.__sklearn_is_fitted__() or learning.saver is None:
        return
    name, seen = learning.saver.path, learning.history.samples_before
    place = place_to_go_on(learning.rows.path, learning.opened.notes.get("place"))
    if place is not None:
        learning.rows.reader.skip_to(learning.rows.file, *place)
        learning.offset, learning.line = place
        learning.display.say(
            f"Going on from {name} after {seen:,} samples, at line {place[1]:,} of {learning.rows.path}."
        )
    else:
        learning.display.say(f"Going on from {name} after {seen:,} samples; all rows that come now are new to it.")
