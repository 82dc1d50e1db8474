"""A search of this engine as bytes and back: which fields make it up. It knows nothing of searching."""

from __future__ import annotations

from functools import cache
from typing import Self

from tsdt.files.graph import Form, Forms, pack, unpack
from tsdt.reference import belief, bounds, graph, policies, random, settings, window
from tsdt.reference.counts import RunningCounts


class Stored:
    """For the searches: `state` and `from_state`, as the seam has them."""

    def state(self) -> bytes:
        """All the search knows, as bytes."""
        return pack(self, _forms())

    @classmethod
    def from_state(cls, state: bytes) -> Self:
        """The search that the bytes describe."""
        try:
            search = unpack(state, _forms())
            if isinstance(search, Stored):
                search._restored()
        except Exception as error:  # whatever comes of bytes that no search has written
            raise ValueError(f"the state is cut short or was altered ({type(error).__name__}: {error})") from error
        if isinstance(search, cls):
            return search
        raise ValueError(f"the state is of {type(search).__name__}, not of {cls.__name__}")

    def _restored(self) -> None:
        """Checks what was read, and makes what is not kept."""


@cache
def _forms() -> Forms:
    from tsdt.reference import branches, decision, trees

    fields: dict[type, str] = {
        trees.TreeSearch: "split_cost batch_size gamma min_samples combine policy random arities n_classes "
        "nodes root state_root search_nodes pending n_iter last_path",
        decision.DecisionNode: "conditions counts children grown best sure choice",
        trees.SearchNode: "splits terminal posterior children treated visits simulated",
        trees.Child: "leaf attribute variance node",
        RunningCounts: "n hits by_class table table_hits",
        branches.BranchSearch: "settings random window waiting calm last_shape fewest_errors credit n_iter looks "
        "by_rows spent branches",
        settings.Settings: "split_cost policy batch_size gamma min_samples window effort max_memory seed",
        graph.Branch: "box stamp low best likely doubt n errors variance rest visits choice looked actions",
        graph.Action: "split best likely doubt low variance children",
        graph.Children: "settled variance links",
        window.Window: "capacity arities ordered n_classes samples added",
        random.Random: "state",
    }
    passing: dict[type, dict[str, None]] = {
        branches.BranchSearch: dict.fromkeys(("limit", "prices", "root", "index", "lattice"))
    }
    return Forms(
        classes={
            made.__name__: Form(made, tuple(names.split()), passing.get(made, {})) for made, names in fields.items()
        },
        tuples={made.__name__: made for made in (window.Condition, graph.Split, bounds.Cost)},
        functions={f.__name__: f for f in (belief.best_mean, belief.clark_maximum, *policies.POLICIES.values())},
    )
