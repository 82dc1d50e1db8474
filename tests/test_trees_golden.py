"""Whole runs with known results, the same for both engines and on every machine.

`python tests/test_trees_golden.py` writes the results anew: only after a change that is meant to change them.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engines import both, noisy_rule, tree_search
from tsdt import reference

GOLDEN = Path(__file__).parent / "golden" / "trees.json"
PROBLEMS = {
    "two categories": ([2] * 5, 2, 1500),
    "three classes": ([3, 2, 4], 3, 1200),
    "four classes": ([5, 4, 2, 2], 4, 1200),
}
RUNS = {
    f"{problem}, {backup}, {policy}, seed {seed}": (problem, {"backup": backup, "policy": policy, "seed": seed})
    for problem, (backup, policy), seed in product(
        PROBLEMS,
        [("fast", "thompson"), ("clark", "thompson"), ("fast", "ucb"), ("clark", "epsilon-greedy")],
        [0, 1],
    )
}


def run(engine: Any, name: str) -> dict[str, Any]:
    """What a run ends with."""
    problem, settings = RUNS[name]
    arities, n_classes, n = PROBLEMS[problem]
    search = tree_search(engine, batch_size=15, split_cost=0.02, **settings)
    search.grow(arities, [False] * len(arities), n_classes)
    search.learn(*noisy_rule(arities, n_classes, n, seed=settings["seed"]))
    posteriors = search.posteriors()
    return {
        "tree": [list(node) for node in search.tree()],
        "root": list(posteriors[0]),
        "search nodes": len(posteriors),
        "last path": list(search.last_path),
    }


@both
@pytest.mark.parametrize("name", RUNS)
def test_golden_runs(engine, name):
    result, expected = run(engine, name), json.loads(GOLDEN.read_text())[name]
    assert result.pop("root") == pytest.approx(expected.pop("root"), abs=1e-9)
    assert result == expected


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(run(reference, name))}" for name in RUNS]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
