"""When to look at a stream again: after twice as many samples as the last time, and once for each full window.

So the looks cost a fixed share of the work, however long the stream is. Looks that bring nothing new become rare.
"""

from __future__ import annotations

MOST_WINDOWS = 32
"""After so many full windows a look is due in any case."""


class Checkpoints:
    """The numbers of samples at which to look, all at the end of a batch.

    >>> checkpoints = Checkpoints(batch_size=100, window=500, first=200)
    >>> looks = []
    >>> for _ in range(20):
    ...     checkpoints.count += 100
    ...     if checkpoints.left() == 0:
    ...         looks.append(checkpoints.count)
    ...         checkpoints.advance()
    >>> looks
    [200, 400, 800, 1300, 1800]
    """

    def __init__(self, batch_size: int, window: int, first: int) -> None:
        self.batch_size, self.window = batch_size, max(window, batch_size)
        self.count, self.last, self.next, self.patience = 0, 0, first, 1

    def left(self) -> int:
        """How many samples are left until the next look."""
        return self.next - self.count

    @property
    def distance(self) -> int:
        """How many samples have come since the last look."""
        return self.count - self.last

    def start_at(self, count: int) -> None:
        """Go on from a table of so many samples."""
        self.count = count
        self.advance()

    def hurry(self) -> None:
        """Have the look now."""
        self.next = self.count

    def advance(self, same: bool = False) -> None:
        """The look is done: set the next one, at twice the distance where a full window said the same as the last."""
        is_full, self.last = self.count > self.window, self.count
        self.patience = min(2 * self.patience, MOST_WINDOWS) if same and is_full else 1
        batches = -(-min(self.count, self.window) // self.batch_size)
        self.next = self.count + max(1, batches) * self.batch_size * self.patience
