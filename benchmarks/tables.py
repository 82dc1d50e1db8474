"""A large table from a Parquet file, learned in one pass, beside scikit-learn's OneHotEncoder and tree.

    python -m benchmarks.tables [--rows 1000000] [--depth 6]

The table has 20 columns: 8 of numbers, 3 of whole numbers, 6 of text, 2 of booleans, and one of 10,000 distinct texts;
a tenth of all values is missing. Each learner has a process of its own, so that its memory can be told. `--depth none`
lets scikit-learn's tree grow as it does unasked, which takes it many times as long.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.memory import peak_mb
from benchmarks.running import figures

MANY = 10_000
TARGET = "class"


def make_table(n: int, seed: int) -> Any:
    """The table, with a class that depends on five of its columns and is wrong in one row of twenty."""
    import polars as pl

    draw = np.random.default_rng(seed)
    columns: dict[str, Any] = {f"number_{i}": draw.normal(size=n) * 10.0 ** (i % 3) for i in range(8)}
    columns |= {f"whole_{i}": draw.integers(0, most, n) for i, most in enumerate((100, 1000, 5))}
    columns |= {f"text_{i}": words(f"v{i}-", 3 + 4 * i)[draw.integers(0, 3 + 4 * i, n)] for i in range(6)}
    columns |= {f"flag_{i}": draw.integers(0, 2, n).astype(bool) for i in range(2)}
    columns["many"] = words("id-", MANY)[draw.integers(0, MANY, n)]
    y = (columns["number_0"] > 0.3) & (columns["text_1"] != "v1-2") | (columns["whole_0"] > 70) & columns["flag_0"]
    y ^= draw.random(n) < 0.05
    frame = pl.DataFrame(columns)
    holes = {name: pl.Series(draw.random(n) < 0.1) for name in columns}
    frame = frame.select(pl.when(~holes[name]).then(pl.col(name)).alias(name) for name in columns)
    return frame.with_columns(pl.Series(TARGET, np.where(y, "yes", "no")))


def words(start: str, n: int) -> np.ndarray:
    """So many different texts."""
    return np.array([f"{start}{i}" for i in range(n)])


class Clock:
    """Seconds by the clock and of the processor, since the last look."""

    def __init__(self) -> None:
        self.start = time.perf_counter(), time.process_time()

    def look(self) -> tuple[float, float]:
        """The seconds, and a new start."""
        before, self.start = self.start, (time.perf_counter(), time.process_time())
        return round(self.start[0] - before[0], 2), round(self.start[1] - before[1], 2)


def ours(train: Path, test: Path) -> dict[str, Any]:
    """One pass over the file, then the labels of a table that was not seen."""
    import polars as pl

    from tsdt import TSDTClassifier

    clock = Clock()
    model = TSDTClassifier(random_state=0).learn_from(train, TARGET)
    learned, memory = clock.look(), peak_mb()
    X = pl.read_parquet(test)
    clock.look()
    found = model.predict(X)
    predicted = clock.look()
    size = model.tree_.n_leaves
    return result(learned, memory, predicted, (found == X[TARGET].to_numpy()).mean(), size, n_columns=X.shape[1] - 1)


def theirs(train: Path, test: Path, depth: int | None) -> dict[str, Any]:
    """The whole file in memory, one column for each text, and a greedy tree on them."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    clock = Clock()
    X, y = as_pandas(train)
    text = [name for name in X if X[name].dtype == object]
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), text), remainder=SimpleImputer(strategy="median")
    )
    encoded = encoder.fit_transform(X)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(encoded, y)
    learned, memory = clock.look(), peak_mb()
    X, y = as_pandas(test)
    clock.look()
    encoded = encoder.transform(X)
    between = clock.look()
    found = tree.predict(encoded)
    alone = clock.look()
    predicted = round(between[0] + alone[0], 2), round(between[1] + alone[1], 2)
    size = int(tree.get_n_leaves())
    return result(learned, memory, predicted, (found == y).mean(), size, encoded.shape[1], tree_alone=alone)


def as_pandas(path: Path) -> tuple[Any, np.ndarray]:
    """A table as the encoder wants it: numbers with NaN, all else as text with None."""
    import pandas as pd
    import polars as pl

    frame = pl.read_parquet(path)
    columns = {}
    for name in frame.columns[:-1]:
        series = frame[name]
        numeric = series.dtype.is_numeric()
        columns[name] = series.cast(pl.Float64 if numeric else pl.String).to_numpy()
        if not numeric:
            columns[name] = pd.Series(columns[name], dtype=object)
    return pd.DataFrame(columns), frame[TARGET].to_numpy()


def result(
    learned: Any, memory: float, predicted: Any, accuracy: float, leaves: int, n_columns: int, **more: Any
) -> dict[str, Any]:
    """What one learner has shown, seconds by the clock and of the processor."""
    shown = {"learn": learned, "memory MB": round(memory), "predict": predicted, "accuracy": round(float(accuracy), 4)}
    return {**shown, "leaves": leaves, "columns": n_columns, **more}


def main() -> None:
    """Make the files, run each learner in its own process, print what they have shown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the table to learn")
    parser.add_argument("--depth", default="6", help="of scikit-learn's tree; none: as deep as it grows")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    depth = None if args.depth == "none" else int(args.depth)
    if args.one:
        who, train, test = args.one
        print(json.dumps(ours(train, test) if who == "ours" else theirs(train, test, depth)))
        return
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, name)) for name in ("train.parquet", "test.parquet")]
        for seed, (path, n) in enumerate(zip(files, (args.rows, 1_000_000), strict=True)):
            make_table(n, seed).write_parquet(path, row_group_size=100_000)
        print(f"{args.rows:,} rows to learn, 1,000,000 to predict; seconds by the clock and of the processor")
        for who in ("ours", "scikit-learn"):
            shown = figures("benchmarks.tables", "--depth", args.depth, "--one", who, *files)
            print(f"{who:>12}: " + "; ".join(f"{name} {value}" for name, value in shown.items()), flush=True)


if __name__ == "__main__":
    main()
