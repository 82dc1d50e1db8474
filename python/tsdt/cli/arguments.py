"""Arguments that several commands share: the input, how it is read, and the learner's parameters."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection
from typing import Any

FORMATS = ("csv", "tsv", "jsonl", "parquet")


def duration(text: str) -> float:
    """A time in seconds.

    >>> duration("10s"), duration("5m"), duration("1.5h"), duration("30")
    (10.0, 300.0, 5400.0, 30.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|)", text.strip())
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; say 10s, 5m or 1h")
    return float(match[1]) * {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}[match[2]]


def listed(text: str) -> list[str]:
    """Names divided by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def number(text: str) -> float:
    """A number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None


def whole(text: str) -> int:
    """A whole number, also as 100_000 or 1e6.

    >>> whole("100_000"), whole("1e6")
    (100000, 1000000)
    """
    try:
        return int(text)
    except ValueError:
        found = number(text)
    if not found.is_integer():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(found)


def seed(text: str) -> int:
    """A seed of draws."""
    found = whole(text)
    if not 0 <= found < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed; say a whole number from 0 on")
    return found


def price(text: str) -> float | str:
    """A split cost."""
    return text if text == "auto" else number(text)


def add_input(parser: argparse.ArgumentParser) -> None:
    """The data."""
    parser.add_argument("data", metavar="DATA", help="a CSV, TSV, JSON lines or Parquet file; - is standard input")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How the data are read."""
    group = parser.add_argument_group("reading")
    group.add_argument("--format", choices=FORMATS, help="of the data (default: by the name, CSV for a pipe)")
    group.add_argument("--delimiter", metavar="MARK", help="what divides fields (default: found in the header)")
    group.add_argument("--names", type=listed, metavar="A,B,...", help="names of the columns of a file without header")
    group.add_argument("--ignore", type=listed, default=[], metavar="A,B,...", help="columns to leave out")
    group.add_argument("--text", type=listed, default=[], metavar="A,B,...", help="columns that are not numbers")
    group.add_argument("--numeric", type=listed, default=[], metavar="A,B,...", help="columns that are numbers")
    group.add_argument("--strict", action="store_true", help="end at the first bad row")
    group.add_argument("--rejects", metavar="FILE", help="keep bad rows here, with line and reason")


LEARNER: list[tuple[str, Callable[[str], Any] | tuple[str, ...], str, str]] = [
    ("split_cost", price, "PRICE", "what one more split must buy in accuracy (default: auto, from the samples)"),
    ("window", whole, "N", "how many of the last samples count in a stream (default: 100000)"),
    ("time_limit", duration, "TIME", "how long to search a table at most (default: 60s)"),
    ("max_iter", whole, "N", "how many iterations of search at most (default: until proven)"),
    ("leaf_prediction", ("majority", "naive-bayes", "adaptive"), "", "how a leaf answers"),
    ("bins", whole, "N", "into how many bins a number is cut (default: 16)"),
    ("max_categories", whole, "N", "categories of an attribute; what comes later is 'other' (default: 64)"),
    ("min_samples", whole, "N", "with fewer samples a leaf is not split (default: 2)"),
    ("batch_size", whole, "N", "samples that make one iteration of a stream (default: 100)"),
    ("effort", number, "X", "samples looked at again for each new one of a stream (default: 200)"),
    ("max_memory", str, "SIZE", "of the search, such as 500MB (default: 1GB)"),
    ("search", ("branches", "trees"), "", "branches: finds the optimum and proves it; trees: the paper's"),
    ("policy", ("auto", "mixed", "optimistic", "thompson", "ucb", "epsilon-greedy"), "", "what to look at next"),
    ("backup", ("fast", "clark"), "", "of --search trees"),
    ("gamma", number, "X", "exponent that keeps variances from collapsing too soon (default: 0.75)"),
]


def add_learner(parser: argparse.ArgumentParser, without: Collection[str] = ()) -> None:
    """The learner's parameters. What is not given stays None, so that a saved model keeps its own."""
    group = parser.add_argument_group("the learner")
    for name, kind, metavar, words in LEARNER:
        if name in without:
            continue
        flag = "--" + name.replace("_", "-")
        if isinstance(kind, tuple):
            group.add_argument(flag, choices=kind, help=words)
        else:
            group.add_argument(flag, type=kind, metavar=metavar, help=words)
    group.add_argument("--seed", type=seed, metavar="N", help="of the draws (default: 0)")


def learner_parameters(args: argparse.Namespace) -> dict[str, Any]:
    """The parameters that were given, under the names that the estimator has for them."""
    given = {name: getattr(args, name, None) for name, *_ in LEARNER}
    given["random_state"] = args.seed
    return {name: value for name, value in given.items() if value is not None}
