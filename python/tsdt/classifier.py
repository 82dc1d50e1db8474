"""The estimator that people touch: scikit-learn's surface and River's verbs over one learner."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import column_or_1d

from tsdt.files.saving import Saving
from tsdt.fitting import check_not_empty, fit_table, refuse_others, search_on
from tsdt.learned import Learned
from tsdt.learner import Learner
from tsdt.parameters import check_parameters
from tsdt.readers import Reading
from tsdt.reporting import Reporting
from tsdt.tables import Table, as_table, listed


class TSDTClassifier(Learned, Reading, Saving, Reporting, ClassifierMixin, BaseEstimator):
    """A small decision tree, the best by accuracy less `split_cost` for each split, learned from a table or a stream.

    Args:
        split_cost: What one split must buy in accuracy; "auto" chooses it from the samples, for a tree on one page.
        search: "branches" finds the optimum and proves it; "trees" is the paper's search.
        backup: For the search over trees: "fast" or "clark".
        policy: What to look at next: "mixed" or "optimistic" (branches only), "thompson", "ucb" or "epsilon-greedy";
            "auto" is "mixed" for branches and "thompson" for trees.
        batch_size: How many samples of a stream make one iteration.
        gamma: The exponent that keeps variances from collapsing too soon.
        window: How many of the last samples count; with 0, and in the search over trees, all do, as running counts.
        leaf_prediction: How a leaf answers: "majority", "naive-bayes", or "adaptive" (whichever was right more often).
        bins: Into how many bins a numeric attribute is cut; where the tree cuts (branches), they become finer.
        max_categories: How many categories an attribute can have; what comes later counts as "other".
        max_iter: How long `fit` searches at most, in iterations; None: until proven (branches), 1000 (trees).
        time_limit: How long `fit` searches at most, in seconds; None: as long as it takes.
        min_samples: With fewer samples a leaf is not split.
        effort: How many samples of the window the search may look at again for each new sample of a stream.
        max_memory: How much memory the search may take, such as "500MB".
        schema: What is known of columns: a mapping from names to "numeric", "categorical", a list of categories or
            {"edges": [...]}, or the `schema_` of another model. Columns that are not in it are recognised.
        random_state: The seed of the draws.

    Examples:
        >>> X = {"outlook": ["sun", "sun", "rain", "rain"] * 10, "windy": ["yes", "no", "yes", "no"] * 10}
        >>> y = ["out", "out", "in", "out"] * 10
        >>> model = TSDTClassifier(search="trees", batch_size=10, random_state=0).fit(X, y)
        >>> model.predict({"outlook": ["rain", "sun"], "windy": ["yes", "yes"]}).tolist()
        ['in', 'out']

        As a stream:

        >>> model = TSDTClassifier(search="trees", batch_size=10, random_state=0)
        >>> for i in range(200):
        ...     x = {"a": i % 2, "b": i // 2 % 2}
        ...     model = model.learn_one(x, x["a"] != x["b"])
        >>> model.predict_one({"a": 1, "b": 1})
        False
    """

    def __init__(
        self,
        split_cost: float | str = "auto",
        *,
        search: str = "branches",
        backup: str = "fast",
        policy: str = "auto",
        batch_size: int = 100,
        gamma: float = 0.75,
        window: int = 100_000,
        leaf_prediction: str = "majority",
        bins: int = 16,
        max_categories: int = 64,
        max_iter: int | None = None,
        time_limit: float | None = 60.0,
        min_samples: int = 2,
        effort: float = 200.0,
        max_memory: str | int = "1GB",
        schema: Any = None,
        random_state: Any = None,
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
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.min_samples = min_samples
        self.effort = effort
        self.max_memory = max_memory
        self.schema = schema
        self.random_state = random_state

    # -- learning ------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, **others: Any) -> Self:
        """Learn a whole table, forgetting what was learned before.

        The search ends when the tree is proven optimal, or at `max_iter`, `time_limit` or Ctrl-C. There are no sample
        weights; they are refused in words.

        Example:
            >>> model = TSDTClassifier(random_state=0).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
            >>> model.tree_.n_splits, model.certificate_.proven
            (1, True)
        """
        refuse_others("fit", others)
        table, y = self._samples(X, y)
        check_not_empty(table)
        learner = self._new_learner()
        fit_table(learner, table, y)
        self._learner, self._declared_classes = learner, ()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, **others: Any) -> Self:
        """Learn more rows as a stream. `classes` names classes that may come later; it is never needed.

        Example:
            >>> model = TSDTClassifier(batch_size=20, random_state=0)
            >>> for day in range(3):
            ...     model = model.partial_fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
            >>> model.predict({"sky": ["grey"]}).tolist()
            ['wet']
        """
        refuse_others("partial_fit", others)
        table, y = self._samples(X, y)
        learner = self._streaming()
        learner.learn_table(table, y)
        if classes is not None:
            self._declared_classes = tuple(dict.fromkeys([*self._declared_classes, *np.asarray(classes).tolist()]))
        return self

    def learn_one(self, x: Mapping[Any, Any], y: Hashable) -> Self:
        """Learn one sample: a dict from attribute names to values, and its class.

        >>> model = TSDTClassifier(batch_size=20, random_state=0)
        >>> for sky, weather in [("blue", "dry"), ("grey", "wet")] * 20:
        ...     model = model.learn_one({"sky": sky}, weather)
        >>> model.predict_one({"sky": "grey"})
        'wet'
        """
        try:
            self._learner.learn_one(x, y)
        except AttributeError:
            if hasattr(self, "_learner"):
                raise
            self._streaming().learn_one(x, y)
        return self

    def learn_many(self, X: Any, y: Any) -> Self:
        """Learn many samples of a stream at once; the same as `learn_one` for each, only faster.

        >>> model = TSDTClassifier(batch_size=20, random_state=0)
        >>> model.learn_many({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20).predict_one({"sky": "grey"})
        'wet'
        """
        self._streaming().learn_table(as_table(X), y)
        return self

    def improve(self, seconds: float) -> bool:
        """Go on searching without new samples; True when the tree is proven optimal. Only for search="branches".

        >>> model = TSDTClassifier(random_state=0).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.improve(seconds=1)
        True
        """
        return search_on(self._fitted(), time.monotonic() + seconds, None)

    def _samples(self, X: Any, y: Any) -> tuple[Table, Any]:
        table = as_table(X)
        return table, column_or_1d(y, warn=True) if len(getattr(y, "shape", ())) == 2 else y

    def _new_learner(self) -> Learner:
        parameters = check_parameters(self.get_params(deep=False))
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**63:
            seed = check_random_state(seed).randint(2**31)
        return Learner(parameters, int(seed))

    def _streaming(self) -> Learner:
        """The learner, a new one where nothing was learned yet."""
        if not hasattr(self, "_learner"):
            self._learner, self._declared_classes = self._new_learner(), ()
        return self._learner

    # -- answering -----------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row.

        >>> model = TSDTClassifier(random_state=0).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict({"sky": ["grey", "blue", None]}).tolist()
        ['wet', 'dry', 'dry']
        """
        learner, table = self._fitted(), self._rows(X)
        if self.leaf_prediction == "majority":
            return learner.tree().predict(table)
        return learner.tree().labels[learner.distributions(table).argmax(axis=1)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The class distribution of each row, classes in the order of `classes_`.

        >>> model = TSDTClassifier(random_state=0).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict_proba({"sky": ["grey", None]}).tolist()
        [[0.0, 1.0], [0.5, 0.5]]
        """
        learner = self._fitted()
        distributions = learner.distributions(self._rows(X))
        result = np.zeros((len(distributions), len(self.classes_)))
        places = {label: i for i, label in enumerate(self._sorted_classes())}
        result[:, [places[label] for label in learner.tree().classes]] = distributions
        return result

    def predict_one(self, x: Mapping[Any, Any]) -> Hashable | None:
        """The class of one sample; None before any sample was learned.

        >>> model = TSDTClassifier(random_state=0).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict_one({"sky": "grey"})
        'wet'
        """
        if not self.__sklearn_is_fitted__():
            return None
        tree = self._learner.tree()
        if self.leaf_prediction == "majority":
            return tree.classes[tree.nodes[tree.end(x)].label]
        distribution = self._learner.distribution(x)
        return tree.classes[distribution.index(max(distribution))]

    def predict_proba_one(self, x: Mapping[Any, Any]) -> dict[Hashable, float]:
        """The class distribution of one sample; empty before any sample was learned.

        >>> model = TSDTClassifier(random_state=0).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
        >>> model.predict_proba_one({"sky": "grey"})
        {'dry': 0.0, 'wet': 1.0}
        """
        if not self.__sklearn_is_fitted__():
            return {}
        return dict(zip(self._learner.tree().classes, self._learner.distribution(x), strict=True))

    def _rows(self, X: Any) -> Table:
        """A table to answer for; one without names must have the columns that were learned from."""
        table, schema = as_table(X), self._learner.schema
        expected = len(schema.names)
        if table.names is None and table.n_columns != expected:
            model = type(self).__name__
            raise ValueError(f"X has {table.n_columns} features, but {model} is expecting {expected} features as input")
        if table.names and not schema.has_names and not {*table.names} & {*schema.names}:
            raise ValueError(
                f"X has the columns {listed(table.names)}, but the model was learned from a table without names; "
                "give an array with the same columns, such as X.to_numpy()"
            )
        return table

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
