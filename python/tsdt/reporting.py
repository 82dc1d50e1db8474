"""What an estimator needs to report about itself: it gathers what the page shows. How that looks is not known here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tsdt.engine import WindowSearch
from tsdt.schema.labels import as_labels
from tsdt.schema.table_text import schema_rows
from tsdt.views.values import plain

if TYPE_CHECKING:
    from tsdt.classifier import TSDTClassifier
    from tsdt.frontiers import Frontier
    from tsdt.history import History
    from tsdt.views.report.content import Confusion, Content


class Reporting:
    """For estimators with a tree: `model.report(path)`, and `model.history_`."""

    @property
    def history_(self) -> History:
        """How value and bound moved while learning: a few moments. Files do not keep it."""
        return cast("TSDTClassifier", self)._fitted().history

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        title: str = "Decision tree",
        time_limit: float | None = 20.0,
    ) -> None:
        """Write one page about the model that any browser opens, without the network.

        Args:
            path: The file to write, such as "report.html".
            X: A table, such as one that the model has not seen. The page then shows the answers on its rows, and the
                optimal trees of this table over all split costs; else both are of the samples that the model holds.
            y: The class of each row.
            title: The title of the page.
            time_limit: Seconds for the trees over all split costs; what could not be proven in time is marked.

        Example:
            >>> import tempfile, tsdt
            >>> from pathlib import Path
            >>> model = tsdt.TSDTClassifier(random_state=0).fit({"sky": ["blue", "grey"] * 20}, ["dry", "wet"] * 20)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     model.report(f"{folder}/sky.html", title="Rain")
            ...     "<title>Rain</title>" in Path(folder, "sky.html").read_text(encoding="utf-8")
            True
        """
        from tsdt.views.report import page

        if (X is None) != (y is None):
            raise ValueError("a report takes X and y together, or neither")
        content = gather(cast("TSDTClassifier", self), X, y, title, time_limit)
        Path(path).write_text(page(content), encoding="utf-8")


def gather(model: TSDTClassifier, X: Any, y: Any, title: str, time_limit: float | None) -> Content:
    """All that the report of a model says."""
    from tsdt.views.report.content import Content, confusion_of

    tree, schema = model.tree_, model.schema_
    return Content(
        title=title,
        tree=tree,
        certificate=model.certificate_,
        split_cost=model.split_cost_,
        bounded=isinstance(model._learner.engine, WindowSearch),
        schema=schema_rows(schema.columns),
        importances=list(zip(map(str, schema.names), model.feature_importances_.tolist(), strict=True)),
        confusion=confusion_of(tree) if X is None else _confusion_on(model, X, y),
        history=model.history_,
        frontier=_frontier_on(model, X, y, time_limit),
    )


def _confusion_on(model: TSDTClassifier, X: Any, y: Any) -> Confusion:
    from tsdt.views.report.content import confusion_on

    answers = [plain(answer) for answer in model.predict(X)]
    return confusion_on(list(as_labels(y, len(answers))), answers, model._sorted_classes())


def _frontier_on(model: TSDTClassifier, X: Any, y: Any, time_limit: float | None) -> Frontier | None:
    """The frontier of a table by the settings of the model, or of the samples that it holds."""
    from tsdt.frontier_search import PricedTable
    from tsdt.frontiers import frontier, search_frontier

    lowest = min(0.002, model.split_cost_ / 2)
    if X is None:
        held = PricedTable.of_window(model._learner)
        return search_frontier(held, None, lowest, time_limit) if held else None
    settings = {name: value for name, value in model.get_params(deep=False).items() if name not in OTHERWISE}
    return frontier(X, y, lowest=lowest, time_limit=time_limit, **settings)


OTHERWISE = ("split_cost", "search", "backup", "policy", "max_iter", "time_limit", "leaf_prediction")
"""Parameters that a frontier sets itself, or that mean nothing to it."""
