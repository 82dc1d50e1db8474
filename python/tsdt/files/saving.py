"""What an estimator needs to be saved: `save`, its state, and the way back. The format is not known here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

from tsdt.files import save


class Saving:
    """For estimators with parameters and a learner: `model.save(path)`, and `tsdt.load(path)` gives it back."""

    _saved_as = "TSDTClassifier"

    def save(self, path: str | os.PathLike[str], notes: Mapping[str, Any] | None = None) -> None:
        """Write the model into one file; `tsdt.load` reads it, and the model goes on as if it had never stopped.

        At every moment the file is the old one or the new one, whole. `notes` are kept beside the model.

        >>> import tempfile, tsdt
        >>> model = tsdt.TSDTClassifier(random_state=0).learn_one({"sky": "grey"}, "wet")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(f"{folder}/sky.tsdt", notes={"station": "north"})
        ...     tsdt.files.open_saved(f"{folder}/sky.tsdt").notes
        {'station': 'north'}
        """
        save(self, path, notes)

    def _saved_state(self) -> dict[str, Any]:
        parameters = self.get_params(deep=False)  # type: ignore[attr-defined]
        learner, classes = getattr(self, "_learner", None), getattr(self, "_declared_classes", ())
        return {"parameters": parameters, "learner": learner, "declared_classes": classes}

    @classmethod
    def _from_saved_state(cls, state: dict[str, Any]) -> Self:
        model: Any = cls(**state["parameters"])
        if state["learner"] is not None:
            model._learner, model._declared_classes = state["learner"], tuple(state["declared_classes"])
            model._sorted_classes()  # which fails now where they cannot be classes
        return model
