"""The table that `make bench` prints: CPU seconds, samples a second, memory, and where the time goes."""

from __future__ import annotations

import os

from benchmarks.cases import CASES, PHASES, Figures
from benchmarks.running import figures, python
from tsdt.engine import engine_name

NEED_DATA = {"MONK-1 drop first"}
PEAK = "from benchmarks.memory import peak_mb; print(peak_mb())"


def line(name: str, found: Figures) -> str:
    """One row of the table. What is not the search is the way to it: checks, codes, and the seam."""
    whole = max(found.seconds, sum(found.phases.values()))  # phases are timed by the clock
    shares = {phase: found.phases[phase] / whole for phase in PHASES if found.phases}
    shares |= {"the way there": 1.0 - sum(shares.values())} if shares else {}
    spent = " ".join(f"{share:>{max(5, len(phase))}.0%}" for phase, share in shares.items())
    rate = found.samples / found.seconds
    return f"{name:<26}{found.seconds:>7.2f}{rate:>13,.0f}{found.megabytes:>8.1f}  {spent:<56}  {found.learned}"


def main() -> None:
    """Run every case and print the table."""
    print(f"Engine: {engine_name()}. CPU seconds of learning; memory is what learning adds to the imports.\n")
    heads = " ".join([*PHASES, "the way there"])
    print(f"{'case':<26}{'CPU s':>7}{'samples/s':>13}{'MB':>8}  {heads:<56}  learned")
    for name in CASES:
        if name in NEED_DATA and not os.environ.get("TSDT_DATA"):
            print(f"{name:<26}  left out: TSDT_DATA does not name the folder with the data files")
        else:
            print(line(name, Figures(**figures("benchmarks.cases", name))), flush=True)
    bare = float(python("-m", "benchmarks.bare"))
    print(
        f"\nOne XNOR run at q = 100 without the estimator takes {bare:.0f} MB above a bare interpreter, all included."
    )
    imports = float(python("-c", f"import tsdt.classifier; {PEAK}")) - float(python("-c", PEAK))
    print(f"Importing the estimator, which means scikit-learn, takes {imports:.0f} MB.")


if __name__ == "__main__":
    main()
