"""Tables of other libraries, whole or batch by batch: the few things that narwhals leaves to us."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import narwhals.stable.v1 as nw


def is_relation(X: Any) -> bool:
    """Whether X is a relation of DuckDB: a query that is run when its rows are asked for."""
    return type(X).__module__.partition(".")[0] in ("duckdb", "_duckdb") and hasattr(X, "to_arrow_table")


def is_record_batch(X: Any) -> bool:
    """Whether X is a part of a table, as pyarrow gives them."""
    return type(X).__module__.startswith("pyarrow") and type(X).__name__ == "RecordBatch"


def is_frame(X: Any) -> bool:
    """Whether X is a table of one of the libraries that narwhals knows.

    >>> import polars as pl
    >>> is_frame(pl.DataFrame({"a": [1]})), is_frame([[1]])
    (True, False)
    """
    wrapped = nw.from_native(X, pass_through=True)
    return isinstance(wrapped, (nw.DataFrame, nw.LazyFrame)) or is_relation(X) or is_record_batch(X)


def as_frame(X: Any) -> nw.DataFrame[Any]:
    """A table of another library, whole, through narwhals."""
    if is_relation(X):
        X = X.to_arrow_table() if importlib.util.find_spec("pyarrow") else X.df()
    elif is_record_batch(X):
        X = _table_of(X)
    frame = nw.from_native(X, pass_through=False)
    return frame.collect() if isinstance(frame, nw.LazyFrame) else frame


def frame_batches(X: Any, n: int) -> Iterator[nw.DataFrame[Any]]:
    """A table of another library in batches of at most n rows; one that is not in memory is never there as a whole."""
    if is_relation(X) and importlib.util.find_spec("pyarrow"):
        for batch in X.to_arrow_reader(n):
            yield from _slices(as_frame(batch), n)
        return
    if hasattr(X, "collect_batches"):
        for batch in X.collect_batches(chunk_size=n):
            yield from _slices(as_frame(batch), n)
        return
    yield from _slices(as_frame(X), n)


def parquet_batches(path: str, n: int) -> Iterator[nw.DataFrame[Any]]:
    """A Parquet file in batches of at most n rows."""
    if importlib.util.find_spec("pyarrow"):
        import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]

        try:
            with pyarrow.parquet.ParquetFile(path) as file:
                text = [field.name for field in file.schema_arrow if str(field.type) in ("string", "large_string")]
        except ValueError as error:  # the kind of all errors of pyarrow
            raise ValueError(f"{path} is no whole Parquet file ({error}); copy it again, or say its format") from error
        # What is buffered ahead would be kept to the end.
        with pyarrow.parquet.ParquetFile(path, read_dictionary=text, pre_buffer=False) as file:
            for batch in file.iter_batches(n):
                yield as_frame(batch)
    elif importlib.util.find_spec("polars"):
        import polars

        yield from frame_batches(polars.scan_parquet(path), n)
    else:
        raise ImportError(f"{path} is a Parquet file, which needs pyarrow or polars; install one: pip install pyarrow")


def _slices(frame: nw.DataFrame[Any], n: int) -> Iterator[nw.DataFrame[Any]]:
    if len(frame) <= n:
        yield frame
        return
    for start in range(0, len(frame), n):
        yield frame[start : start + n]


def _table_of(batch: Any) -> Any:
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    return pyarrow.Table.from_batches([batch])
