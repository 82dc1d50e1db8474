"""One run of `tsdt learn`: what it has at hand, and how it ends."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from tsdt.cli.display import Display, emit
from tsdt.cli.exits import CommandError
from tsdt.cli.models import Opened
from tsdt.cli.noting import History, Place, fingerprint, is_regular, place_in
from tsdt.cli.progress import Watch, tree_facts
from tsdt.cli.rows import Rows
from tsdt.cli.saving import Saver
from tsdt.cli.stopping import Stopping

LOOK = 0.2
"""Seconds between two looks at the tree, at least."""


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
        if time.monotonic() - self._looked >= LOOK and self.model.__sklearn_is_fitted__():
            self._looked = time.monotonic()
            self.display.show(self.watch.look(searching))

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
            emit({"event": "done", **self._facts(saved)})
        elif not args.quiet:
            print(self._words(saved), flush=True)
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

    def _facts(self, saved: bool) -> dict[str, Any]:
        facts = {
            "samples": self.watch.samples,
            "samples_in_all": self.history.samples_before + self.watch.samples,
            "bad_rows": self.rows.rejects.n,
            "seconds": round(self.watch.seconds, 3),
            "stopped_by": self.stop.asked or None,
            "model": self.saver.path if self.saver and saved else None,
            "split_cost": self.model.split_cost_,
        }
        return facts | tree_facts(self.model.tree_, self.model.certificate_)

    def _words(self, saved: bool) -> str:
        tree, watch = self.model.tree_, self.watch
        bad = f" ({self.rows.rejects.n:,} bad rows left out)" if self.rows.rejects.n else ""
        ended = f", ended by {self.stop.asked}" if self.stop.asked else ""
        before = self.history.samples_before
        after = f" after {before:,} before" if before and watch.samples else ""
        lines = [
            tree.to_text(color=sys.stdout.isatty()),
            "",
            f"Learned {watch.samples:,} samples{after} in {watch.seconds:.1f} s{bad}{ended}.",
            certificate_in_words(self.model, self.as_table),
        ]
        if self.saver is not None and saved:
            path = self.saver.path
            lines.append(f"Saved in {path}: 'tsdt show {path}' shows it, 'tsdt predict {path} FILE' uses it.")
        return "\n".join(lines)


def certificate_in_words(model: Any, as_table: bool) -> str:
    """How good the tree is, and how far from the best one."""
    tree, certificate, price = model.tree_, model.certificate_, model.split_cost_
    of = "of these samples" if as_table else f"of the last {tree.n_samples:,} samples"
    size = f"{tree.n_splits} split{'s' if tree.n_splits != 1 else ''}"
    value = f"It is right for {tree.accuracy:.1%} {of} with {size}: value {certificate.value:.4f} at {price:g} a split."
    if certificate.proven:
        cuts = ", with numbers cut where they may be," if any(a.is_numeric for a in tree.attributes) else ""
        return f"{value}\nProven: no other tree{cuts} has a higher value on them."
    if certificate.upper >= 1.0 and model.search == "trees":
        return value
    return f"{value}\nNot proven: a better tree, if there is one, has a value at most {certificate.gap:.4f} higher."
