"""One run of `tsdt learn`: what it has at hand, and how it ends."""

from __future__ import annotations

import argparse
import time
from typing import Any

from tsdt.cli.display import Display, emit
from tsdt.cli.exits import CommandError
from tsdt.cli.models import Opened
from tsdt.cli.noting import History, Place, fingerprint, is_regular, place_in
from tsdt.cli.progress import Watch
from tsdt.cli.results import result_facts, result_in_words
from tsdt.cli.rows import Rows
from tsdt.cli.saving import Saver
from tsdt.cli.stopping import Stopping


class Learning:
    """The model, where its rows come from, who watches, and where it is saved."""

    def __init__(
        self, opened: Opened, rows: Rows, display: Display, saver: Saver | None, stop: Stopping, history: History
    ) -> None:
        self.opened, self.model, self.rows = opened, opened.model, rows
        self.display, self.saver, self.stop, self.history = display, saver, stop, history
        self.watch = Watch(self.model)
        self.as_table = False
        self.failure: CommandError | None = None
        self.place = Place(rows.reader.offset, rows.reader.line)
        self._looked = 0.0

    def notes(self) -> dict[str, Any]:
        """What to save beside the model."""
        path, regular = self.rows.path, is_regular(self.rows.path)
        more: dict[str, Any] = {"target": self.rows.target, "columns": dict(self.rows.kinds.of)}
        more["ignored"] = self.rows.args.ignore
        more["place"] = place_in(path, self.place) if regular and not self.as_table else None
        if self.as_table:
            more["table"] = fingerprint(path) if regular else None
        return self.history.note(self.watch.samples, self.rows.rejects.n, self.watch.seconds, **more)

    def look(self, searching: bool = False) -> None:
        """Show how it goes, not too often."""
        if time.monotonic() - self._looked >= self.display.pause and self.model.__sklearn_is_fitted__():
            self._looked = time.monotonic()
            self.display.show(self.watch.look(searching))

    def whole_batches(self, n: int) -> int:
        """About n samples, at least a batch: as many as make the batches whole, which is less work."""
        batch = int(self.model.batch_size)
        waiting = (self.history.samples_before + self.watch.samples) % batch
        return max(batch, (n + waiting) // batch * batch) - waiting

    def save_if_due(self) -> None:
        """Save, when it is time."""
        if self.saver is not None and self.saver.due() and self.saver.save(self.model, self.notes()):
            self.watch.saved_at = self.watch.seconds

    def end(self, args: argparse.Namespace) -> None:
        """Save, and show what was learned."""
        if not self.model.__sklearn_is_fitted__():
            self.stop.check()
            raise CommandError(f"{self.rows.path} has no row that can be used, so nothing was learned")
        saved = self._save_last()
        self.display.close()
        if args.json:
            emit({"event": "done", **result_facts(self, saved)})
        elif not args.quiet:
            print(result_in_words(self, saved), flush=True)
        if self.failure is not None:
            raise self.failure

    def _save_last(self) -> bool:
        """Save at the end; what went wrong with that comes after the result."""
        try:
            if self.saver is not None:
                self.saver.save_last(self.model, self.notes())
        except CommandError as error:
            self.failure = error
            return False
        return True
