"""A search over branches that was read from bytes: what is read is checked before it is believed.

What follows from the rest is not read but made again. Anything may stand where something else was written, so types are
checked as well; an exception of any kind means that the bytes are no state.
"""

from __future__ import annotations

from graphlib import TopologicalSorter
from math import isfinite
from typing import Any

from tsdt.reference.boundary import ensure
from tsdt.reference.bounds import Cost, Prices
from tsdt.reference.graph import BY_CATEGORY, NONE_MISSING, NOTHING_KNOWN, Action, Branch, Children, Split
from tsdt.reference.knowledge import Knowledge
from tsdt.reference.random import Random
from tsdt.reference.settings import Settings
from tsdt.reference.window import Condition, Window


def restore(known: Knowledge) -> None:
    """Check what was read and make the rest."""
    check_settings(known.settings)
    check_window(known.window, known.settings)
    check_type(known.random, Random)
    check_whole(known.random.state, known.n_iter, known.looks, known.spent, -known.credit)
    check_whole(known.calm, known.fewest_errors)
    check_type(known.by_rows, bool)
    known.prices = Prices(known.settings.split_cost, known.window.capacity)
    known.prices.of_window(len(known.window.samples))
    for branch in known.branches:
        check_branch(branch, known.window)
    check_links(known.branches)
    known.root = known.branches[0]
    ensure(known.root.box == (), "the first branch is not the root")
    known.index = {known._key(branch.box): branch for branch in known.branches}


def check_settings(settings: Settings) -> None:
    """Settings that could have been given."""
    check_whole(settings.batch_size, settings.min_samples, settings.window, settings.max_memory, settings.seed)
    Settings(**vars(settings))


def check_window(window: Window, settings: Settings) -> None:
    """A window whose samples have codes and labels that exist."""
    check_type(window, Window)
    check_whole(window.capacity, window.n_classes, window.added, *window.arities)
    for flag in window.ordered:
        check_type(flag, bool)
    ensure(len(window.ordered) == len(window.arities), f"{window.ordered} for {len(window.arities)} attributes")
    ensure(window.capacity >= settings.window, f"capacity {window.capacity}")
    held = min(window.added, window.capacity) if window.capacity else window.added
    ensure(len(window.samples) == held, f"{len(window.samples)} samples")
    for sample in window.samples:
        check_sample(sample, window)


def check_sample(sample: Any, window: Window) -> None:
    """A row and its label."""
    row, label = sample
    check_type(row, tuple)
    check_whole(label, *row)
    ensure(label < window.n_classes, f"label {label}")
    ensure(all(code < arity for code, arity in zip(row, window.arities, strict=True)), f"row {row}")


def check_branch(branch: Branch, window: Window) -> None:
    """A branch of this window, but for its children."""
    check_type(branch, Branch)
    check_whole(branch.stamp, branch.n, branch.errors, branch.visits)
    check_whole(branch.low, branch.doubt, branch.rest - NOTHING_KNOWN)
    check_value(branch.variance, branch.best, branch.likely)
    check_type(branch.looked, bool)
    ensure(branch.errors <= branch.n and branch.stamp <= window.added, f"{branch.n} samples at {branch.stamp}")
    if branch.choice is not None:
        check_whole(branch.choice, len(branch.actions) - 1 - branch.choice)
    check_type(branch.box, tuple)
    for condition in branch.box:
        check_condition(condition, window)
    attributes = [condition.attribute for condition in branch.box]
    ensure(attributes == sorted(set(attributes)), f"conditions on {attributes}")
    for action in branch.actions:
        check_action(action, window)


def check_condition(condition: Condition, window: Window) -> None:
    """A category that exists, or an interval of bins, empty ones included."""
    check_type(condition, Condition)
    attribute, low, high, missing = condition
    check_whole(attribute, low, high)
    check_type(missing, bool)
    if window.ordered[attribute]:
        ensure(1 <= low <= high + 1 <= window.arities[attribute], f"{condition}")
    else:
        ensure(low == high < window.arities[attribute] and not missing, f"{condition}")


def check_action(action: Action, window: Window) -> None:
    """An action of this window, but for its children."""
    check_type(action, Action)
    check_type(action.split, Split)
    attribute, cut, missing = action.split
    check_whole(attribute, cut + 1, missing)
    if window.ordered[attribute]:
        ensure(1 <= cut < window.arities[attribute] and missing <= NONE_MISSING, f"{action.split}")
    else:
        ensure(cut == BY_CATEGORY, f"{action.split}")
    check_whole(action.low, action.doubt)
    check_value(action.variance, action.best, action.likely)


def check_links(branches: list[Branch]) -> None:
    """Children are branches of this search, and nobody is below himself."""
    known = set(map(id, branches))
    order = TopologicalSorter[Branch]()
    for branch in branches:
        for children in (action.children for action in branch.actions if action.children is not None):
            check_type(children, Children)
            check_whole(children.settled, *children.links)
            check_value(children.variance)
            ensure(all(id(child) in known for child in children.links.values()), "a child from elsewhere")
            order.add(branch, *children.links.values())
    order.prepare()  # a cycle is an error


def check_value(variance: float, *costs: Cost) -> None:
    """A variance, and the costs of trees."""
    for cost in costs:
        check_type(cost, Cost)
        check_whole(*cost)
    check_type(variance, float)
    ensure(isfinite(variance) and variance >= 0.0, f"variance {variance}")


def check_type(value: object, kind: type) -> None:
    """Exactly this type."""
    ensure(type(value) is kind, f"{value!r} is no {kind.__name__}")


def check_whole(*values: object) -> None:
    """Whole numbers, not negative."""
    for value in values:
        ensure(type(value) is int and value >= 0, f"{value!r} is no count")
