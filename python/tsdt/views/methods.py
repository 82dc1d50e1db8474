"""The views as methods of a tree. Each is in its own file, imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree
    from tsdt.views.arrays import TreeArrays
    from tsdt.views.explain import Explanation
    from tsdt.views.rules import Rules
    from tsdt.views.sql import DialectName
    from tsdt.views.svg import Theme


def _tree(views: Views) -> DecisionTree:
    """Only a `DecisionTree` has these methods."""
    return cast("DecisionTree", views)


class Views:
    """What a finished tree can be turned into."""

    def __repr__(self) -> str:
        from tsdt.views.words import summary

        return f"<DecisionTree: {summary(_tree(self))}>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.to_svg()}</div>'

    def to_text(self, width: int | None = None, color: bool | None = None) -> str:
        """The tree in box characters, as wide as the terminal and in colour where it has any, unless said otherwise.

        >>> from tsdt.views.example import weather
        >>> print(weather().to_text(width=72, color=False).splitlines()[0])
        14 samples · 2 splits · 4 leaves · 85.7% right
        """
        from tsdt.views.text import to_text

        return to_text(_tree(self), width, color)

    def to_svg(self, theme: Theme = "auto") -> str:
        """The tree as a self-contained SVG picture: `"light"`, `"dark"`, or `"auto"` to follow the reader's setting.

        >>> from tsdt.views.example import weather
        >>> weather().to_svg()[:4]
        '<svg'
        """
        from tsdt.views.svg import to_svg

        return to_svg(_tree(self), theme)

    def plot(self, ax: Any = None, theme: Theme = "light") -> Any:
        """Draw the tree with matplotlib (`tsdt[plot]`) on `ax` or a new figure of the right size; returns the axes.

        >>> from matplotlib.figure import Figure
        >>> from tsdt.views.example import weather
        >>> weather().plot(Figure().subplots()).texts[0].get_text()
        '14 samples · 2 splits · 4 leaves · 85.7% right'
        """
        from tsdt.views.plot import plot

        return plot(_tree(self), ax, theme)

    def rules(self) -> Rules:
        """One readable sentence per leaf, those that decide most samples first.

        >>> from tsdt.views.example import weather
        >>> print(weather().rules()[0])
        If outlook is rain, then yes (35.7% of all samples; right for 3 of 5).
        """
        from tsdt.views.rules import rules

        return rules(_tree(self))

    def explain(self, row: Mapping[Hashable, Any]) -> Explanation:
        """Why a row (a mapping from names to values) gets its answer, and what would have to change for another one.

        >>> from tsdt.views.example import weather
        >>> print(weather().explain({"outlook": "overcast"}))
        yes, because
          1. outlook is overcast    like 28.6% of the samples here; yes goes from 64.3% to 100%
        it would be
          -  no, if ...
        """
        from tsdt.views.explain import explain

        return explain(_tree(self), row)

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data; docs/tree-format.md describes it.

        >>> from tsdt.views.example import weather
        >>> weather().to_dict()["classes"]
        ['no', 'yes']
        """
        from tsdt.views.document import to_dict

        return to_dict(_tree(self))

    def to_json(self, indent: int | None = None) -> str:
        """The tree as JSON; docs/tree-format.md describes it.

        >>> from tsdt.views.example import weather
        >>> type(weather()).from_json(weather().to_json()) == weather()
        True
        """
        from tsdt.views.document import to_json

        return to_json(_tree(self), indent)

    @staticmethod
    def from_dict(data: Any) -> DecisionTree:
        """The tree that `to_dict` wrote; anything else raises a ValueError that says where it is wrong.

        >>> from tsdt.views.example import weather
        >>> type(weather()).from_dict(weather().to_dict()) == weather()
        True
        """
        from tsdt.views.document import from_dict

        return from_dict(data)

    @staticmethod
    def from_json(text: str | bytes) -> DecisionTree:
        """The tree that `to_json` wrote; anything else raises a ValueError that says where it is wrong.

        >>> from tsdt import DecisionTree
        >>> from tsdt.views.example import weather
        >>> DecisionTree.from_json(weather().to_json(indent=2)) == weather()
        True
        """
        from tsdt.views.document import from_json

        return from_json(text)

    def to_dot(self) -> str:
        """The tree as a Graphviz digraph.

        >>> from tsdt.views.example import weather
        >>> print(weather().to_dot().splitlines()[0])
        digraph tree {
        """
        from tsdt.views.dot import to_dot

        return to_dot(_tree(self))

    def to_mermaid(self) -> str:
        """The tree as a Mermaid flowchart.

        >>> from tsdt.views.example import weather
        >>> print(weather().to_mermaid().splitlines()[0])
        flowchart LR
        """
        from tsdt.views.mermaid import to_mermaid

        return to_mermaid(_tree(self))

    def to_python(self, name: str = "predict") -> str:
        """The tree as the source of a Python function without imports, from a row (a dict) to its class.

        >>> from tsdt.views.example import weather
        >>> exec(weather().to_python(name="play"))
        >>> play({"outlook": "sunny", "humidity": 70})
        'yes'
        """
        from tsdt.views.python import to_python

        return to_python(_tree(self), name)

    def to_sql(self, dialect: DialectName = "sqlite") -> str:
        """The tree as one CASE expression for SQLite, PostgreSQL or DuckDB, over columns of the attributes' names.

        >>> from tsdt.views.example import weather
        >>> print(weather().to_sql("duckdb").splitlines()[-3])
          WHEN "outlook" = 'rain' THEN 'yes'
        """
        from tsdt.views.sql import to_sql

        return to_sql(_tree(self), dialect)

    def to_sklearn(self) -> TreeArrays:
        """The tree as arrays like those of scikit-learn's `Tree`, over numbers and one-hot columns.

        >>> from tsdt.views.example import weather
        >>> weather().to_sklearn().threshold.shape
        (9,)
        """
        from tsdt.views.arrays import to_sklearn

        return to_sklearn(_tree(self))

    def to_onnx(self) -> Any:
        """The tree as an ONNX model (`tsdt[onnx]`); `tsdt.views.onnx_inputs` says what its inputs are.

        >>> from tsdt.views.example import weather
        >>> [value.name for value in weather().to_onnx().graph.input]
        ['outlook', 'humidity']
        """
        from tsdt.views.onnx_model import to_onnx

        return to_onnx(_tree(self))
