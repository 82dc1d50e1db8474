"""What a model has learned, under the names that scikit-learn's users look for. It reads the learner, no more."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError

from tsdt.certificate import Certificate
from tsdt.learner import Learner
from tsdt.prices import PriceChoice
from tsdt.schema import Schema
from tsdt.schema.labels import label_array, sorted_labels
from tsdt.tree import DecisionTree


class Learned:
    """For estimators with a learner: its tree, its certificate, its columns and its classes."""

    _learner: Learner
    _declared_classes: tuple[Hashable, ...]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learner") and self._learner.n_seen > 0

    def _fitted(self) -> Learner:
        if not self.__sklearn_is_fitted__():
            model = type(self).__name__
            raise NotFittedError(f"this {model} has learned nothing yet; call fit, learn_one or learn_many first")
        return self._learner

    @property
    def tree_(self) -> DecisionTree:
        """The best tree now."""
        return self._fitted().tree()

    @property
    def certificate_(self) -> Certificate:
        """How far the tree can be from the optimum."""
        return self._fitted().certificate()

    @property
    def schema_(self) -> Schema:
        """The columns and what was decided of them; it prints as a table."""
        return self._fitted().schema

    @property
    def n_iter_(self) -> int:
        """How many iterations the search has made."""
        return self._fitted().n_iter

    @property
    def split_cost_(self) -> float:
        """The price of a split, given or chosen."""
        return self._fitted().split_cost

    @property
    def split_cost_choice_(self) -> PriceChoice | None:
        """How the price was chosen, in a printed table; None where it was given or is not chosen yet."""
        return self._fitted().choice

    @property
    def n_features_in_(self) -> int:
        """How many columns there are, those of all samples so far together."""
        return len(self._fitted().schema.names)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the columns; as everywhere in scikit-learn only there where all of them are text."""
        schema = self._fitted().schema
        if not schema.has_names or not all(isinstance(name, str) for name in schema.names):
            raise AttributeError("the columns have no names, or names that are not text; see schema_.names")
        return np.array(schema.names, dtype=object)

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, sorted."""
        return label_array(self._sorted_classes())

    def _sorted_classes(self) -> list[Hashable]:
        seen = {**dict.fromkeys(self._fitted().classes()), **dict.fromkeys(self._declared_classes)}
        return sorted_labels(seen)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in what the splits separate, by the decrease of Gini impurity; together 1."""
        learner = self._fitted()
        gains = np.zeros(len(learner.schema.names))
        for attribute, gain in learner.tree().gains():
            gains[attribute.position] += gain
        return gains / gains.sum() if gains.sum() > 0 else gains
