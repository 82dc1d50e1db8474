"""Parquet files, a batch of rows at a time (needs pyarrow)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from tsdt.cli.exits import CommandError
from tsdt.cli.input.block import BadRow, Block
from tsdt.cli.input.bytes import Stop, UnreadableError, name_of
from tsdt.cli.input.kinds import Kinds

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:
    pyarrow = None

ROWS = 1 << 16


class ParquetReader:
    """Rows of a Parquet file. Their line is their number."""

    header = b""

    def __init__(self, file: IO[bytes], stop: Stop) -> None:
        if pyarrow is None:
            raise CommandError("reading Parquet needs pyarrow: pip install 'tsdt[cli]'")
        try:
            source = file if file.seekable() else io.BytesIO(file.read())
            self._file = pyarrow.parquet.ParquetFile(source, pre_buffer=False)  # buffers are kept to the end
        except pyarrow.ArrowException as error:
            raise CommandError(f"this is not a whole Parquet file ({error})") from None
        self._stop, self._name = stop, name_of(file)
        self.line, self.offset = 1, 0
        self.schema = self._file.schema_arrow
        self.names = [str(name) for name in self.schema.names]

    def skip_to(self, file: IO[bytes], offset: int, line: int) -> None:
        """Go on from a place that an earlier run has reached; the place is a number of rows."""
        self.offset, self.line = offset, line

    def arrange(self, kinds: Kinds, target: str | None, used: frozenset[str], keep_text: bool) -> None:
        """Decide what to read."""
        self._target, self._keep_text = target, keep_text
        nested = [name for name in self.names if name in {*used, target} and _is_nested(self.schema.field(name).type)]
        if nested:
            kind = self.schema.field(nested[0]).type
            raise CommandError(
                f"column {nested[0]!r} holds {kind}, not single values; --ignore {nested[0]} leaves it out"
            )
        self._columns = [name for name in self.names if name in used or name == target or keep_text]
        self._used = used

    def __iter__(self) -> Iterator[Block]:
        passed = 0
        for batch in self._batches():
            skipped = min(max(self.offset - passed, 0), batch.num_rows)
            passed += batch.num_rows
            if skipped < batch.num_rows:
                result = self._read(batch.slice(skipped))
                self.line += batch.num_rows - skipped
                self.offset = result.end = passed
                yield result
            if self._stop():
                return

    def _batches(self) -> Iterator[Any]:
        try:
            yield from self._file.iter_batches(ROWS, columns=self._columns)
        except (OSError, pyarrow.ArrowException) as error:
            raise UnreadableError(self._name, error) from None

    def _read(self, batch: Any) -> Block:
        from tsdt.cli.input.arrow import as_array

        columns = {name: as_array(batch.column(name)) for name in self._columns if name in self._used}
        result = Block(columns, batch.num_rows, lines=batch.num_rows)
        if self._keep_text:
            result.text = batch.to_pylist()
        if self._target is not None:
            labels = batch.column(self._target)
            result.labels = as_array(labels)
            if labels.null_count:
                self._drop(result, np.flatnonzero(labels.is_null().to_numpy(zero_copy_only=False)))
        return result

    def _drop(self, block: Block, lost: Any) -> None:
        """Leave out the rows that have no label."""
        reason = f"{self._target} is missing, which is the target"
        block.bad = [BadRow(self.line + int(i), "", reason) for i in lost]
        block.place = np.setdiff1d(np.arange(block.n_rows), lost)
        block.rows = {name: column[block.place] for name, column in block.rows.items()}
        block.labels = None if block.labels is None else block.labels[block.place]
        block.n_rows = len(block.place)


def _is_nested(kind: Any) -> bool:
    return bool(pyarrow.types.is_nested(kind))
