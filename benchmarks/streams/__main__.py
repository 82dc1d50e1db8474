"""The tables of `make bench-streams`: convergence, throughput, memory, drift and accuracy; or those that are named."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks.streams import convergence, drift, footprint, prequential, throughput
from tsdt.engine import engine_name


def main() -> None:
    """Print the tables, all or those asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streams", description=__doc__)
    tables: dict[str, Callable[[argparse.Namespace], None]] = {
        "convergence": lambda options: convergence.main(options.seeds),
        "throughput": lambda options: throughput.main(options.concepts),
        "footprint": lambda options: footprint.main(),
        "drift": lambda options: drift.main(),
        "prequential": lambda options: prequential.main(options.samples, options.forest),
    }
    parser.add_argument("tables", nargs="*", help="which tables: " + ", ".join(tables), default=list(tables))
    parser.add_argument("--seeds", type=int, default=20, help="streams for each problem of convergence")
    parser.add_argument("--concepts", type=int, default=3, help="concepts for throughput")
    parser.add_argument("--samples", type=int, default=prequential.SAMPLES, help="samples of a prequential stream")
    parser.add_argument("--no-forest", dest="forest", action="store_false", help="leave out the slow forest")
    options = parser.parse_args()
    print(f"Engine: {engine_name()}.")
    for name in options.tables:
        print(f"\n## {name}\n")
        tables[name](options)


if __name__ == "__main__":
    main()
