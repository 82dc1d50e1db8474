"""The demonstration: learn from a stream before the reader's eyes, say what happened, and leave files to try."""

from __future__ import annotations

import csv
import time
from itertools import islice
from pathlib import Path

from tsdt import TSDTClassifier
from tsdt.datasets import Stream, monk, one_hot
from tsdt.engine import engine_name

SAMPLES = 20_000
STEP = 1_000
FRESH = 10_000
ENGINES = {"rust": "the compiled engine", "python": "the plain-Python engine (the compiled one is much faster)"}

INTRODUCTION = f"""\
Robots pass by, one after the other, and some of them are monks. The rule, which the learner is not told: a robot is
a monk if its head and its body have the same shape, or if its jacket is red. Eleven yes-or-no questions can be asked
about a robot. None of those about shapes says anything by itself, which is why trees that grow greedily get lost here.

The learner guesses what each of {SAMPLES:,} robots is, is told, and looks for the tree that is right most often when
every question in it must make the tree right for one robot more in a hundred.
"""

FILED = 2_000

TRY_NEXT = """
The same tree as a picture, for a browser: {picture}

Try next, with {n:,} of these robots in a file:

  tsdt learn {table} --target robot     # learn them as a table, and prove the tree
  tsdt show {model} --as rules          # one sentence for each leaf
  tsdt predict {model} {table} | head   # answer for each robot"""


def robots(seed: int) -> Stream:
    """An endless stream of the robots of MONK-1, described by yes-or-no questions.

    >>> row, label = next(iter(robots(seed=0)))
    >>> row["jacket_color=red"], label
    ('no', 'no monk')
    """
    return one_hot(monk(1), drop="last").in_words().samples(seed)


def watch(model: TSDTClassifier, stream: Stream) -> None:
    """Guess, then learn, one sample after the other, and print how it goes."""
    print(f"{'robots seen':>12}  {'right guesses':>13}  {'tree':>10}")
    samples = iter(stream)
    for seen in range(STEP, SAMPLES + 1, STEP):
        right = 0
        for row, label in islice(samples, STEP):
            right += model.predict_one(row) == label
            model.learn_one(row, label)
        print(f"{seen:>12,}  {right / STEP:>13.1%}  {model.tree_.n_leaves:>3} leaves", flush=True)


def leave_files(model: TSDTClassifier, stream: Stream, folder: Path) -> str:
    """Write the model, its picture and some robots; the three commands to try on them."""
    folder.mkdir(parents=True, exist_ok=True)
    table, model_file = folder / "robots.csv", folder / "robots.tsdt"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        for i, (row, label) in enumerate(islice(stream, FILED)):
            if i == 0:
                writer.writerow([*row, "robot"])
            writer.writerow([*row.values(), label])
    model.save(model_file, {"target": "robot"})
    (folder / "robots.svg").write_text(model.tree_.to_svg(), encoding="utf-8")
    return TRY_NEXT.format(picture=folder / "robots.svg", table=table, model=model_file, n=FILED)


def main(folder: str | None = None) -> None:
    """Run the demonstration; where a folder is given, leave files there."""
    print(INTRODUCTION)
    model = TSDTClassifier(split_cost=0.01, search="trees", random_state=0)
    stream = robots(seed=0)
    start = time.perf_counter()
    watch(model, stream)
    seconds = time.perf_counter() - start
    tree, fresh = model.tree_, stream.take(FRESH, start=SAMPLES)
    accuracy = (model.predict(fresh.columns) == fresh.y).mean()
    print(f"\nThe tree:\n\n{tree}\n")
    print(
        f"Size:      {tree.n_leaves} leaves, {tree.n_splits} questions (the rule cannot be written with fewer than 7)"
    )
    print(f"Accuracy:  {accuracy:.1%} on {FRESH:,} robots that it has not seen")
    print(f"Time:      {seconds:.2f} s for {SAMPLES:,} robots with {ENGINES[engine_name()]}")
    if folder is not None:
        print(leave_files(model, stream, Path(folder)))


if __name__ == "__main__":
    main()
