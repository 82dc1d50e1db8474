"""The chart of how value and bound moved while a model was learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tsdt.views.chart import Axis, Curve, chart, log_axis, percent_axis

if TYPE_CHECKING:
    from tsdt.history import Moment


def learning_chart(history: Sequence[Moment], bounded: bool) -> str:
    """Value and, where there is one, bound: against samples where they came one by one, else against visits.

    >>> from tsdt.history import Moment
    >>> moments = [Moment(100, 10, 0.1, 0.6, 1.0), Moment(100, 50, 0.2, 0.8, 0.8)]
    >>> learning_chart(moments, bounded=True).count('class="k')
    2
    """
    streamed = len({moment.n_seen for moment in history}) > len(history) / 2
    places = [max(1, moment.n_seen if streamed else moment.n_iter) for moment in history]
    x: Axis = log_axis(places[0], places[-1], "samples" if streamed else "visits of the search")
    values = [moment.value for moment in history]
    uppers = [moment.upper for moment in history] if bounded else []
    curves = [Curve(_steps(places, values))]
    if bounded:
        curves.append(Curve(_steps(places, uppers), kind=1))
    return chart(x, percent_axis([*values, *uppers], "value"), curves, [], "How value and bound moved while learning")


def _steps(places: Sequence[int], values: Sequence[float]) -> list[tuple[float, float]]:
    """A line that stays where it is until the next moment."""
    points = [(float(places[0]), values[0])]
    for place, before, value in zip(places[1:], values, values[1:], strict=False):
        points += [(place, before), (place, value)]
    return points
