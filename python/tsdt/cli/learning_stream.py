"""Learning in one pass: each row once, as it comes, with checkpoints in between."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tsdt.cli.input import Block
from tsdt.cli.input.block import join
from tsdt.cli.input.bytes import UnreadableError
from tsdt.cli.learning import Learning
from tsdt.cli.learning_table import search_table
from tsdt.cli.noting import is_regular, place_to_go_on

MOST_ROWS = 1 << 14
"""Rows that are learned between two looks at the clock, at most."""

SLICE = 0.1
"""Seconds that they should take, so that a signal, a checkpoint or the display does not wait."""

END = 2.0
"""Seconds to search when a pipe has ended, at least; else as long as it took to come, so that no one waits for long."""

LAST_ROWS = 5.0
"""Seconds for rows that were taken from a pipe before a signal came: no one else will get them."""


def learn_pipe(learning: Learning) -> None:
    """Learn what comes. What ends while all its rows count is a table after all: none is left to wait for others."""
    kept = Kept(learning.model.window if learning.model.search == "branches" else 0)
    learn_stream(learning, kept)
    if kept.blocks and not learning.stop() and learning.failure is None:
        block, told = join(kept.blocks), learning.rows.args.time_limit is not None
        search_table(learning, block.rows, block.labels, None if told else max(END, learning.watch.seconds))


class Kept:
    """The blocks of a pipe, as long as they have no more rows than `most`."""

    def __init__(self, most: int) -> None:
        self.most, self.n_rows = most, 0
        self.blocks: list[Block] = []

    def add(self, block: Block) -> None:
        """One more block."""
        self.n_rows += block.n_rows
        if self.n_rows > self.most:
            self.blocks.clear()
        elif block.n_rows:
            self.blocks.append(block)


def learn_stream(learning: Learning, kept: Kept | None = None) -> None:
    """Learn all that comes, until the end of the input or a signal."""
    skip = _go_on(learning)
    pace = Pace()
    for block in _until_it_breaks(learning):
        if kept is not None:
            kept.add(block)
        learning.watch.bad_rows = learning.rows.rejects.n
        start = min(skip, block.n_rows)
        skip -= start
        _learn_block(learning, block, start, pace)
        if learning.place.rows == 0:
            learning.save_if_due()
        if learning.stop():
            return


def _until_it_breaks(learning: Learning) -> Iterator[Block]:
    """The blocks; where the input breaks off, what was learned is kept, and the error comes after it."""
    try:
        yield from learning.rows.blocks()
    except UnreadableError as error:
        if not learning.model.__sklearn_is_fitted__():
            raise
        learning.failure = error


class Pace:
    """How many rows to learn at once, so that it takes a `SLICE`."""

    def __init__(self) -> None:
        self.rows = 1000

    def adapt(self, seconds: float) -> None:
        """Note how long the last ones took."""
        self.rows = int(max(100, min(MOST_ROWS, self.rows * min(2.0, SLICE / max(seconds, 1e-4)))))


def _learn_block(learning: Learning, block: Block, start: int, pace: Pace) -> None:
    """Learn a block, a slice at a time; after each a later run can go on from there."""
    deadline = float("inf")
    while start < block.n_rows and block.labels is not None:
        before = time.monotonic()
        end = min(start + learning.whole_batches(pace.rows), block.n_rows)
        learning.model.learn_many(block.part(start, end), block.labels[start:end])
        learning.watch.samples += end - start
        start = learning.place.rows = end
        learning.save_if_due()
        learning.look()
        now = time.monotonic()
        pace.adapt(now - before)
        if learning.stop() and start < block.n_rows:
            deadline = min(deadline, now if is_regular(learning.rows.path) else now + LAST_ROWS)
            if now >= deadline:
                return
    learning.place.pass_block(block)


def _go_on(learning: Learning) -> int:
    """Where the model exists: say from where it goes on. How many rows to skip from that place in the file."""
    if not learning.model.__sklearn_is_fitted__() or learning.saver is None:
        return 0
    name, seen = learning.saver.path, learning.history.samples_before
    place = place_to_go_on(learning.rows.path, learning.opened.notes.get("place"))
    if place is None:
        learning.display.say(f"Going on from {name} after {seen:,} samples; all rows that come now are new to it.")
        return 0
    learning.rows.reader.skip_to(learning.rows.file, place.offset, place.line)
    learning.place = place
    where = f"line {place.line:,} of {learning.rows.path}" + (f", {place.rows:,} rows on" if place.rows else "")
    learning.display.say(f"Going on from {name} after {seen:,} samples, at {where}.")
    return place.rows
