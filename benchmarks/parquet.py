"""A Parquet file of 1,000,000 rows and 20 columns, learned and predicted, beside scikit-learn's encoder and tree.

    python -m benchmarks.parquet

A tenth of all values is missing, and one column has 10,000 distinct strings. Each learner has a process of its own and
one thread. Seconds of learning begin with the path of the file, and megabytes are what it adds to the imports;
predicting begins with a frame in memory, and *tree alone* with what the encoder has made of it.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.memory import forget_peak, peak_mb
from benchmarks.report import Column, Report
from benchmarks.running import RunError, figures

ROWS, TEST_ROWS = 1_000_000, 200_000
DISTINCT = 10_000
DEPTH = 6
"""Of scikit-learn's smaller trees: deeper than ours become."""

LIMIT = 600
"""CPU seconds that a learner may take."""

COLUMNS = (
    Column("learner", "learner", width=33),
    Column("wall", "learn s", ".1f"),
    Column("cpu", "CPU s", ".1f", 6),
    Column("mb", "MB", ",.0f", 6),
    Column("times", "times ours", width=5),
    Column("leaves", "leaves", ",d", 7),
    Column("accuracy", "test accuracy", ".4f"),
    Column("predict", "predict s", ".3f"),
    Column("alone", "tree alone", ".3f"),
)


def write_table(path: Path, n: int, seed: int) -> None:
    """Eight floats, four whole numbers, two truths, six texts, one of them long; the class depends on four of them."""
    import pandas as pd

    draw = np.random.default_rng(seed)
    columns: dict[str, Any] = {f"float{i}": draw.normal(size=n).round(4) for i in range(8)}
    columns |= {f"whole{i}": draw.integers(0, 5 * 4**i, n).astype(float) for i in range(4)}
    columns |= {f"truth{i}": (draw.random(n) < 0.3 + 0.2 * i).astype(object) for i in range(2)}
    columns |= {f"text{i}": draw.choice([f"{chr(97 + k)}-{i}" for k in range(4 + 4 * i)], n) for i in range(5)}
    columns["shop"] = np.char.add("shop ", np.minimum(draw.zipf(1.3, n), DISTINCT).astype(str))
    yes = (columns["float0"] > 0.3) & (columns["text1"] < "c") | (columns["whole3"] > 250)
    yes |= columns["shop"] == "shop 2"
    frame = pd.DataFrame(columns).astype({f"text{i}": object for i in range(5)} | {"shop": object})
    for name in frame:
        frame.loc[draw.random(n) < 0.1, name] = None
    frame["class"] = np.where(yes ^ (draw.random(n) < 0.05), "yes", "no")
    frame.to_parquet(path, row_group_size=100_000)


def ours(path: Path, **parameters: Any) -> Any:
    """In one pass, in batches."""
    from tsdt import TSDTClassifier

    return TSDTClassifier(random_state=0, **parameters).learn_from(path, target="class")


def one_hot(path: Path, categories: int | None, depth: int | None) -> Any:
    """As the guide of scikit-learn has it. Its tree takes no missing numbers in sparse tables, so they are filled."""
    import pandas as pd
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    frame = pd.read_parquet(path)
    encoder = OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=categories)
    columns = make_column_transformer(
        (SimpleImputer(strategy="median"), make_column_selector(dtype_include="number")),
        (encoder, make_column_selector(dtype_exclude="number")),
    )
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    return make_pipeline(columns, tree).fit(frame.drop(columns="class"), frame["class"])


LEARNERS: dict[str, Callable[[Path], Any]] = {
    "tsdt": ours,
    "tsdt, effort 50": partial(ours, effort=50.0),
    f"one-hot of 64 categories, depth {DEPTH}": partial(one_hot, categories=64, depth=DEPTH),
    f"one-hot, depth {DEPTH}": partial(one_hot, categories=None, depth=DEPTH),
    "one-hot, any depth": partial(one_hot, categories=None, depth=None),
}


def least_seconds(run: Callable[[], object]) -> float:
    """The least of three tries."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def measure(name: str, table: Path, test: Path) -> dict[str, Any]:
    """Learn one file and predict the other."""
    import pandas as pd
    import sklearn.compose
    import sklearn.tree  # noqa: F401  # what everyone needs before the clock runs

    import tsdt.classifier  # noqa: F401

    before, wall, cpu = forget_peak(), time.perf_counter(), time.process_time()
    model = LEARNERS[name](table)
    found = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "mb": peak_mb() - before}
    frame = pd.read_parquet(test)
    X, y = frame.drop(columns="class"), frame["class"]
    found["accuracy"] = model.score(X, y)
    found["predict"] = least_seconds(lambda: model.predict(X))
    if name.startswith("tsdt"):
        return {**found, "leaves": model.tree_.n_leaves}
    encoded = model[0].transform(X)
    alone = least_seconds(lambda: model[-1].predict(encoded))
    return {**found, "leaves": int(model[-1].get_n_leaves()), "alone": alone}


def main() -> None:
    """Print the table."""
    report, mine = Report("parquet", COLUMNS), float("nan")
    with TemporaryDirectory() as folder:
        table, test = Path(folder, "table.parquet"), Path(folder, "test.parquet")
        write_table(table, ROWS, seed=0)
        write_table(test, TEST_ROWS, seed=1)
        for name in LEARNERS:
            try:
                row = figures("benchmarks.parquet", name, table, test)
            except RunError:  # the system has ended it
                report.add({"learner": name, "times": f"> {LIMIT / mine:.1f}"})
                continue
            mine = row["wall"] if name == "tsdt" else mine
            report.add({"learner": name, **row, "times": f"{row['wall'] / mine:.1f}"})


if __name__ == "__main__":
    if len(sys.argv) == 4:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        main()
