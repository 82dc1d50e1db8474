"""The live display in a terminal (rich): how fast, how good, what was last improved, and the tree so far."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.live import Live as RichLive
from rich.table import Table
from rich.text import Text

from tsdt.cli.display import clock
from tsdt.cli.progress import Progress

LINES_ABOVE_THE_TREE = 9


class Live:
    """Redraws the same lines; messages go above them."""

    pause = 0.2

    def __init__(self, title: str) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._title = title
        self._live = RichLive(console=self._console, transient=True, auto_refresh=False)
        self._live.start()
        self._live.update(Group(Text(), self._heading()), refresh=True)

    def show(self, progress: Progress) -> None:
        """Draw a look."""
        self._live.update(self._picture(progress), refresh=True)

    def say(self, message: str) -> None:
        """A line above."""
        self._console.print(Text(message))

    def warn(self, message: str) -> None:
        """A line above, in yellow."""
        self._console.print(Text(f"tsdt: {message}", style="yellow"))

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._live.stop()

    def _picture(self, progress: Progress) -> RenderableType:
        room = self._console.height - LINES_ABOVE_THE_TREE
        lines = progress.tree.to_text(width=self._console.width - 2, color=not self._console.no_color).split("\n")
        if len(lines) > room:
            hidden = len(lines) - max(room - 1, 0)
            lines = [*lines[: max(room - 1, 0)], f"... {hidden} more lines"]
        return Group(Text(), self._heading(), Text(), self._facts(progress), Text(), Text.from_ansi("\n".join(lines)))

    def _heading(self) -> Text:
        return Text.assemble((self._title, "bold"), ("   Ctrl-C ends it well", "dim"))

    def _facts(self, progress: Progress) -> Table:
        certificate, tree = progress.certificate, progress.tree
        table = Table.grid(padding=(0, 3))
        table.add_column(style="dim")
        speed = "all read; searching" if progress.searching else f"{progress.rate:,.0f} a second"
        bad = f", {progress.bad_rows:,} bad rows" if progress.bad_rows else ""
        table.add_row("samples", f"{progress.samples:,}", f"{speed} for {clock(progress.seconds)}{bad}")
        gap = "proven optimal" if certificate.proven else f"at most {certificate.gap:.4f} below the optimum"
        table.add_row("value", Text(f"{certificate.value:.4f}", style="bold"), gap)
        table.add_row("accuracy", f"{tree.accuracy:.2%}", f"{tree.n_leaves} leaves, {tree.n_splits} splits")
        table.add_row(
            "improved", _ago(progress, progress.improved_at), Text(progress.improved, overflow="ellipsis", no_wrap=True)
        )
        if progress.saved_at is not None:
            table.add_row("saved", _ago(progress, progress.saved_at), "")
        return table


def _ago(progress: Progress, moment: float) -> str:
    seconds = progress.seconds - moment
    return "now" if seconds < 1 else f"{clock(seconds)} ago"
