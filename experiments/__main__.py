"""`python -m experiments [NAMES] [--full]`: run experiments and make their pictures and tables; `--list` names them."""

from __future__ import annotations

import argparse
from importlib import import_module

from experiments.experiment import add_jobs

NAMES = {
    "degeneracy": "the empirical average of p(l) drifts, the chain rule does not (Section 4.4)",
    "theorem1": "posteriors close in on the true values, the policy on the best action",
    "theorem2": "how often a child has few visits, under the bound",
    "trees": "the trees of the appendix, found and drawn",
    "beyond": "other policies, both searches, window sizes and drift",
    "xnor": "who converges to the perfect tree, and in what time (Figure 4)",
    "frontier": "accuracy against leaves, and time (Figures 5, 7 and 8)",
}
"""The experiments, the quick ones first."""


def main() -> None:
    """Run what was asked for, in the order of the list."""
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which ones; all where none is named")
    parser.add_argument("--full", action="store_true", help="the paper's own sizes, instead of an hour")
    parser.add_argument("--list", action="store_true", help="only say what there is")
    parser.add_argument("--plots", action="store_true", help="only pictures and tables, from the results that are kept")
    add_jobs(parser)
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no experiment {unknown[0]!r}: there are {', '.join(NAMES)}")
    for name in [name for name in NAMES if name in options.names or not options.names]:
        if options.list:
            print(f"{name:12}{NAMES[name]}")
            continue
        size = "full" if options.full else "short"
        if not options.plots:
            import_module(f"experiments.{name}.run").EXPERIMENT.run(size, jobs=options.jobs)
        import_module(f"experiments.{name}.plot").PLOT.make(size)


if __name__ == "__main__":
    main()
