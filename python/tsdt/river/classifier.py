"""River's surface over the estimator: its base class, its conventions, its words for trees. No learning here."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Self

import numpy as np
from river import base, utils

from tsdt.certificate import Certificate
from tsdt.classifier import TSDTClassifier as Estimator
from tsdt.files.saving import Saving
from tsdt.river.trees import Drawing, node_table, pruned
from tsdt.tables import ColumnTable, as_table, objects
from tsdt.tree import DecisionTree


class TSDTClassifier(Saving, base.MiniBatchClassifier):
    """A small decision tree, the best by accuracy less `split_cost` for each split, kept the best while a stream flows.

    It predicts from the first sample on; a first tree is there after ten. Values can be numbers, text,
    booleans or missing; features may come and go. `learn_many` on frames learns the same as `learn_one` row by row.

    Args:
        split_cost: What one split must buy in accuracy; "auto" chooses it from the samples, for a tree on one page.
        search: "branches" finds the best tree on the window and proves it; "trees" is the search of the paper.
        backup: For the search over trees: "fast" or "clark".
        policy: What to look at next: "auto", "mixed", "optimistic", "thompson", "ucb" or "epsilon-greedy".
        batch_size: How many samples make one iteration.
        gamma: The exponent that keeps variances from collapsing too soon.
        window: How many of the last samples count.
        leaf_prediction: How a leaf answers: "majority", "naive-bayes" or "adaptive".
        bins: Into how many bins a number is cut.
        max_categories: How many categories a feature can have; what comes later counts as "other".
        min_samples: With fewer samples a leaf is not split.
        effort: How many samples of the window the search may look at again for each new one.
        max_memory: How much memory the search may take, such as "500MB".
        schema: What is known of features: a mapping from names to "numeric", "categorical" or a list of categories.
        seed: The seed of the draws.

    Examples:
        >>> from river import datasets, evaluate, metrics
        >>> from tsdt.river import TSDTClassifier

        >>> model = TSDTClassifier(split_cost=0.01, batch_size=50, seed=1)
        >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
        Accuracy: ...%
        >>> model.n_leaves > 1
        True
    """

    _saved_as = "river.TSDTClassifier"

    def __init__(
        self,
        split_cost: float | str = "auto",
        search: str = "branches",
        backup: str = "fast",
        policy: str = "auto",
        batch_size: int = 100,
        gamma: float = 0.75,
        window: int = 100_000,
        leaf_prediction: str = "majority",
        bins: int = 16,
        max_categories: int = 64,
        min_samples: int = 2,
        effort: float = 200.0,
        max_memory: str | int = "1GB",
        schema: Any = None,
        seed: int | None = None,
    ) -> None:
        self.split_cost = split_cost
        self.search = search
        self.backup = backup
        self.policy = policy
        self.batch_size = batch_size
        self.gamma = gamma
        self.window = window
        self.leaf_prediction = leaf_prediction
        self.bins = bins
        self.max_categories = max_categories
        self.min_samples = min_samples
        self.effort = effort
        self.max_memory = max_memory
        self.schema = schema
        self.seed = seed
        self._estimator = Estimator(**self._estimator_parameters())
        self._features: set[Hashable] = set()

    def _estimator_parameters(self) -> dict[str, Any]:
        given = {name: value for name, value in self._get_params().items() if name != "seed"}
        return {**given, "random_state": self.seed}

    @property
    def _multiclass(self) -> bool:
        return True

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"batch_size": 20, "effort": 10.0}

    # -- learning and answering ----------------------------------------------------------------------------------------

    def learn_one(self, x: Mapping[Hashable, Any], y: Hashable) -> None:
        """Learn one sample.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> for sky, weather in [("blue", "dry"), ("grey", "wet")] * 20:
        ...     model.learn_one({"sky": sky}, weather)
        >>> model.predict_one({"sky": "grey"})
        'wet'
        """
        if not self._features.issuperset(x):
            x = {name: x[name] for name in self._in_order(x)}
            self._features.update(x)
        self._estimator.learn_one(x, y)

    def learn_many(self, X: Any, y: Any) -> None:
        """Learn the rows of a frame; the same as `learn_one` for each, only faster.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict_one({"sky": "grey"})
        'wet'
        """
        table = as_table(X)
        if table.n_rows:
            names = [*self._known(), *self._in_order(set(table.names or ()) - self._features)]
            self._estimator.learn_many(_columns(table, names), y)
            self._features.update(names)

    def predict_one(self, x: Mapping[Hashable, Any], **_: Any) -> Hashable | None:
        """The class of one sample; None before any sample was learned.

        >>> model = TSDTClassifier()
        >>> model.predict_one({"sky": "grey"})
        >>> model.learn_one({"sky": "grey"}, "wet")
        >>> model.predict_one({"sky": "blue"})
        'wet'
        """
        return self._estimator.predict_one(x)

    def predict_proba_one(self, x: Mapping[Hashable, Any], **_: Any) -> dict[Hashable, float]:
        """The class distribution of one sample, with every class that was seen; empty before any.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict_proba_one({"sky": "grey"})
        {'dry': 0.0, 'wet': 1.0}
        """
        found = self._estimator.predict_proba_one(x)
        return {**dict.fromkeys(self._classes(), 0.0), **found} if found else found

    def predict_many(self, X: Any) -> Any:
        """The class of each row of a frame, as a series.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict_many({"sky": ["grey", "blue"]}).tolist()
        ['wet', 'dry']
        """
        pandas, table = utils.pandas.import_pandas(), as_table(X)
        if not self._is_fitted:
            return pandas.Series([None] * table.n_rows, index=_index(X), dtype=object)
        return pandas.Series(self._estimator.predict(_columns(table, self._known())), index=_index(X))

    def predict_proba_many(self, X: Any) -> Any:
        """The class distribution of each row of a frame, as a frame with one column per class.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict_proba_many({"sky": ["grey"]}).to_dict("records")
        [{'dry': 0.0, 'wet': 1.0}]
        """
        pandas, table = utils.pandas.import_pandas(), as_table(X)
        if not self._is_fitted:
            return pandas.DataFrame(index=_index(X))
        shares = self._estimator.predict_proba(_columns(table, self._known()))
        return pandas.DataFrame(shares, index=_index(X), columns=self._estimator.classes_)

    def _in_order(self, names: Any) -> list[Hashable]:
        """New features by name: the order in a dict means nothing in River."""
        return sorted(names, key=lambda name: (type(name).__name__, str(name)))

    def _known(self) -> tuple[Hashable, ...]:
        return self._estimator._learner.schema.names if hasattr(self._estimator, "_learner") else ()

    def _classes(self) -> tuple[Hashable, ...]:
        return self._estimator._learner.classes()

    @property
    def _is_fitted(self) -> bool:
        return self._estimator.__sklearn_is_fitted__()

    # -- the tree ------------------------------------------------------------------------------------------------------

    @property
    def tree(self) -> DecisionTree | None:
        """The best tree now, with all its views; None before any sample was learned."""
        return self._estimator.tree_ if self._is_fitted else None

    @property
    def certificate(self) -> Certificate | None:
        """How far the tree can be from the best one; None before any sample was learned."""
        return self._estimator.certificate_ if self._is_fitted else None

    @property
    def n_nodes(self) -> int:
        """How many nodes the tree has, leaves included."""
        return len(self.tree.nodes) if self.tree else 0

    @property
    def n_branches(self) -> int:
        """How many splits the tree has."""
        return self.tree.n_splits if self.tree else 0

    @property
    def n_leaves(self) -> int:
        """How many leaves the tree has."""
        return self.tree.n_leaves if self.tree else 0

    @property
    def height(self) -> int:
        """How many nodes the longest path has."""
        return self.tree.depth + 1 if self.tree else 0

    @property
    def summary(self) -> dict[str, Any]:
        """The size of the tree, its value, how far it can be from the best one, and how many samples came."""
        sizes: dict[str, Any] = {name: getattr(self, name) for name in ("n_nodes", "n_branches", "n_leaves", "height")}
        if self.certificate:
            sizes |= {"value": self.certificate.value, "gap": self.certificate.gap, "proven": self.certificate.proven}
        return {**sizes, "total_observed_weight": self._estimator._learner.n_seen if self._is_fitted else 0}

    def to_dataframe(self) -> Any:
        """The tree as a frame with one row per node; None before any sample was learned.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.to_dataframe()[["path", "prediction", "samples"]].to_dict("list")
        {'path': ['', 'sky is blue', 'sky is grey'], 'prediction': ['dry', 'dry', 'wet'], 'samples': [40, 20, 20]}
        """
        return node_table(self.tree, utils.pandas.import_pandas()) if self.tree else None

    def debug_one(self, x: Mapping[Hashable, Any]) -> str | None:
        """Why a sample gets its answer, in words, and what would have to change; None before any sample was learned.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> print(model.debug_one({"sky": "grey"}))
        wet, because
          1. sky is grey    like 50.0% of the samples here; wet goes from 50.0% to 100%
        it would be
          -  dry, if sky is blue instead of grey
        """
        return str(self.tree.explain(x)) if self.tree else None

    def draw(self, max_depth: int | None = None) -> Drawing | None:
        """The tree as a picture that notebooks show; `max_depth` is how many splits deep. None before any sample.

        >>> model = TSDTClassifier(batch_size=20, seed=1)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> print(model.draw(max_depth=0))
        40 samples · 0 splits · 1 leaf · 50.0% right
        ...
        """
        return Drawing(pruned(self.tree, max_depth)) if self.tree else None

    # -- files ---------------------------------------------------------------------------------------------------------

    def _saved_state(self) -> dict[str, Any]:
        learner = getattr(self._estimator, "_learner", None)
        return {"parameters": self._get_params(), "learner": learner, "declared_classes": ()}

    @classmethod
    def _from_saved_state(cls, state: dict[str, Any]) -> Self:
        model = cls(**state["parameters"])
        parameters = model._estimator_parameters()
        model._estimator = Estimator._from_saved_state({**state, "parameters": parameters})
        model._features = set(model._known())
        return model


def _columns(table: Any, names: Any) -> ColumnTable:
    """The columns of a frame by these names; those that it lacks are missing."""
    nothing = objects([None] * table.n_rows)
    here = set(table.names or ())
    if table.names is None:
        raise TypeError("X has no names; give a frame, a dict of columns or a list of dicts")
    return ColumnTable({name: table.named(name) if name in here else nothing for name in names}, list(names))


def _index(X: Any) -> Any:
    """The index of a frame of pandas, or None for the usual one."""
    index = getattr(X, "index", None)
    return None if index is None or callable(index) or isinstance(index, np.ndarray) else index
