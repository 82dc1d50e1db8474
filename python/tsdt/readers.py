"""The on-ramp for what is too large or too long to be one table: batches of rows with their labels, from anything."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import narwhals.stable.v1 as nw
import numpy as np

from tsdt.frames import frame_batches, is_frame, parquet_batches
from tsdt.tables import ACCEPTED, ArrayTable, as_table
from tsdt.text_columns import as_classes, kinds_for

ROWS = 65_536
"""In a batch of a table. More would take more memory and not be faster."""

SAMPLES = 1000
"""In a batch of samples that come one by one, so that none waits long."""

SOURCES = f"a path (CSV, TSV, JSON lines, Parquet), '-', {ACCEPTED}, a DuckDB relation, or samples (x, y) one by one"

OnBad = Callable[[Any], object]


class Batch(NamedTuple):
    """Some rows, as anything that `learn_many` and `predict` take, and their labels (None where no target is named)."""

    X: Any
    y: Any


def read_batches(
    source: Any,
    target: Hashable = None,
    *,
    batch_rows: int = ROWS,
    format: str | None = None,  # noqa: A002  # the word for it
    like: Any = None,
    on_bad: OnBad | None = None,
) -> Iterator[Batch]:
    """Batches of rows with their labels, from any table, file or stream, never the whole of it in memory.

    Args:
        source: A path to a CSV, TSV, JSON-lines (these also `.gz`) or Parquet file, `"-"` for standard input, a pandas,
            polars or pyarrow table, a polars LazyFrame, a pyarrow dataset, a DuckDB relation, an array, a dict of
            columns, a list of rows, or anything that gives samples `(x, y)`, dicts, or tables one after the other.
        target: The column with the labels; for an array its position. Without it, `y` is None.
        batch_rows: The most rows in a batch.
        format: "csv", "tsv", "jsonl" or "parquet", where the name of the file does not say it.
        like: A model that the rows are for: text in files is then read as what the model has learned, or as what its
            `schema` declares.
        on_bad: Called with each row of a file that cannot be read or has no label: its `line`, `text` and `reason`.
            Without it, such a row is an error.

    Examples:
        >>> table = {"colour": ["red", "blue", "red"], "class": ["a", "b", "a"]}
        >>> for X, y in read_batches(table, "class", batch_rows=2):
        ...     print(X, y)
        {'colour': ['red', 'blue']} ['a', 'b']
        {'colour': ['red']} ['a']
        >>> [batch.y for batch in read_batches([({"colour": "red"}, "a"), ({"colour": "blue"}, "b")])]
        [['a', 'b']]
    """
    if batch_rows < 1:
        raise ValueError(f"batch_rows is {batch_rows}; it must be at least 1")
    if not isinstance(target, Hashable):
        kind = type(target).__name__
        raise TypeError(
            f"target is a {kind}; it names the column with the labels; labels by themselves go to learn_many"
        )
    if isinstance(source, (str, os.PathLike)):
        like = getattr(like, "_estimator", like)  # River's surface has the model inside
        yield from _file_batches(os.fspath(source), target, batch_rows, format, like, on_bad)
    elif isinstance(source, np.ndarray) and source.dtype.names:
        yield from _column_batches({name: source[name] for name in source.dtype.names}, target, batch_rows)
    elif isinstance(source, np.ndarray) or (isinstance(source, list) and source and isinstance(source[0], list)):
        yield from _array_batches(_rows(source), target, batch_rows)
    elif isinstance(source, Mapping):
        yield from _column_batches(source, target, batch_rows)
    elif is_frame(source):
        yield from _frames(frame_batches(source, batch_rows), target)
    elif hasattr(source, "to_batches"):  # a dataset of pyarrow
        yield from _item_batches(source.to_batches(), target, batch_rows)
    elif hasattr(source, "__iter__") and not isinstance(source, (bytes, io.IOBase)):
        yield from _item_batches(source, target, batch_rows)
    else:
        remedy = "give its path" if hasattr(source, "read") else f"give {SOURCES}"
        raise TypeError(f"source is {source!r} ({type(source).__name__}), which has no rows to read; {remedy}")


# -- tables --------------------------------------------------------------------------------------------------------


def _rows(rows: Any) -> np.ndarray:
    table = as_table(rows)
    return table.array if isinstance(table, ArrayTable) else np.asarray(rows)


def _array_batches(array: np.ndarray, target: Any, n: int) -> Iterator[Batch]:
    is_place = isinstance(target, (int, np.integer)) and array.ndim == 2
    if target is not None and not (is_place and -array.shape[1] <= target < array.shape[1]):
        raise ValueError(f"target is {target!r}; of an array of shape {array.shape} it is the position of a column")
    for start in range(0, len(array), n):
        rows = array[start : start + n]
        yield Batch(rows, None) if target is None else Batch(np.delete(rows, target, axis=1), rows[:, target])


def _column_batches(columns: Mapping[Hashable, Any], target: Hashable, n: int) -> Iterator[Batch]:
    _check_target(target, list(columns))
    length = max((len(column) for column in columns.values()), default=0)
    for start in range(0, length, n):
        part = {name: column[start : start + n] for name, column in columns.items()}
        yield _split(part, target)


def _frames(frames: Iterable[nw.DataFrame[Any]], target: Any) -> Iterator[Batch]:
    for frame in frames:
        if target is None:
            yield Batch(frame.to_native(), None)
        else:
            _check_target(target, frame.columns)
            yield Batch(frame.drop(target).to_native(), frame.get_column(target).to_native())


def _split(columns: dict[Hashable, Any], target: Hashable) -> Batch:
    return Batch(columns, None if target is None else columns.pop(target))


def _check_target(target: Hashable, names: Sequence[Hashable]) -> None:
    if target is not None and target not in names:
        shown = ", ".join(repr(name)[:60] for name in names[:12]) + (" and more" if len(names) > 12 else "")
        raise ValueError(f"target is {target!r}, but the columns are {shown}")


# -- samples and tables, one after the other -----------------------------------------------------------------------


def _item_batches(items: Iterable[Any], target: Hashable, n: int) -> Iterator[Batch]:
    """Samples in batches; tables as they come, with labels beside them or in a column."""
    samples = list[tuple[Any, Any]]()
    for item in items:
        x, y = item if isinstance(item, tuple) and len(item) == 2 else (item, None)
        if (isinstance(x, Mapping) and not _has_columns(x)) or _is_row(x, y):
            samples.append(_sample(x, y, target))
            if len(samples) >= min(n, SAMPLES):
                yield _of_samples(samples)
                samples = []
            continue
        if samples:
            yield _of_samples(samples)
            samples = []
        if y is not None:
            yield Batch(x, y)
        elif is_frame(x) or isinstance(x, (Mapping, np.ndarray)):
            yield from read_batches(x, target, batch_rows=n)
        else:
            raise TypeError(f"source gives {item!r} ({type(item).__name__}); samples (x, y), dicts or tables are right")
    if samples:
        yield _of_samples(samples)


def _has_columns(x: Mapping[Hashable, Any]) -> bool:
    """Whether a mapping is a table by columns, and not a sample."""
    return bool(x) and all(isinstance(value, (list, np.ndarray)) for value in x.values())


def _is_row(x: Any, y: Any) -> bool:
    """Whether x is the values of one sample without names, and y its label."""
    if isinstance(y, (list, np.ndarray)) or y is None:
        return False
    return x.ndim == 1 if isinstance(x, np.ndarray) else isinstance(x, (list, tuple)) and not is_frame(y)


def _sample(x: Any, y: Any, target: Hashable) -> tuple[Any, Any]:
    if y is None and target is not None:
        return {name: value for name, value in x.items() if name != target}, x.get(target)
    return x, y


def _of_samples(samples: Sequence[tuple[Any, Any]]) -> Batch:
    rows, labels = zip(*samples, strict=True)
    return Batch(list(rows), None if all(label is None for label in labels) else list(labels))


# -- files ---------------------------------------------------------------------------------------------------------


def _file_batches(
    path: str, target: Hashable, n: int, told: str | None, like: Any, on_bad: OnBad | None
) -> Iterator[Batch]:
    from tsdt.cli.input.opening import FORMATS, format_of

    if told not in (None, *FORMATS):
        raise ValueError(f"format is {told!r}; it can be {', '.join(map(repr, FORMATS))}")
    if path != "-":
        os.stat(path)  # the system's own error where there is none
    if format_of(path, told) == "parquet" and path != "-":
        yield from _labelled(_frames(parquet_batches(path, n), target), path, target, on_bad)
    else:
        yield from _text_batches(path, target, n, told, like, on_bad)


def _text_batches(
    path: str, target: Hashable, n: int, told: str | None, like: Any, on_bad: OnBad | None
) -> Iterator[Batch]:
    from tsdt.cli.exits import CommandError
    from tsdt.cli.input import open_input

    try:
        file, reader = open_input(path, lambda: False, told)
        with file:
            _check_target(target, reader.names)
            used = frozenset(reader.names) - {target}
            reader.arrange(kinds_for(like), target, used, False)  # type: ignore[arg-type]
            for block in reader:
                for bad in block.bad:
                    _refuse(path, bad, on_bad)
                labels = None if block.labels is None else as_classes(block.labels, like)
                for start in range(0, block.n_rows, n):
                    stop = start + n
                    yield Batch(block.part(start, stop), None if labels is None else labels[start:stop])
    except CommandError as error:
        raise ValueError(str(error)) from error


def _labelled(batches: Iterable[Batch], path: str, target: Hashable, on_bad: OnBad | None) -> Iterator[Batch]:
    """The rows that have a label; the others are bad rows."""
    from tsdt.cli.input import BadRow

    line = 1
    for X, y in batches:
        missing = () if y is None else np.flatnonzero(nw.from_native(y, series_only=True).is_null().to_numpy())
        if len(missing):
            for i in missing:
                _refuse(path, BadRow(line + int(i), "", f"{target} is missing, which is the target"), on_bad)
            kept = np.setdiff1d(np.arange(len(y)), missing)
            frame, labels = nw.from_native(X, eager_only=True), nw.from_native(y, series_only=True)
            yield Batch(frame[kept].to_native(), labels[kept].to_native())
        else:
            yield Batch(X, y)
        line += len(X)


def _refuse(path: str, bad: Any, on_bad: OnBad | None) -> None:
    if bad.text_in is not None:
        bad = bad._replace(reason=f"{bad.reason} (schema={{{bad.text_in!r}: 'categorical'}} makes it text)")
    if on_bad is None:
        raise ValueError(f"{path}, line {bad.line}: {bad.reason}; mend the row, or give on_bad to go on without it")
    on_bad(bad)


# -- learning ------------------------------------------------------------------------------------------------------


class Reading:
    """For estimators with `learn_many`: learning from anything in one pass."""

    def learn_from(
        self,
        source: Any,
        target: Hashable = None,
        *,
        format: str | None = None,  # noqa: A002  # the word for it
        on_bad: OnBad | None = None,
    ) -> Any:
        """Learn a table, a file or a stream in one pass, in bounded memory; see `tsdt.read_batches` for the arguments.

        >>> from tsdt import TSDTClassifier
        >>> samples = ({"a": i % 2, "b": i % 3} for i in range(600))
        >>> TSDTClassifier().learn_from(((x, x["a"] == 1) for x in samples)).predict_one({"a": 1})
        True
        """
        for X, y in read_batches(source, target, format=format, like=self, on_bad=on_bad):
            if y is None:
                raise ValueError("the source has no labels: name the column that has them as target, or give (x, y)")
            self.learn_many(X, y)  # type: ignore[attr-defined]
        return self
