"""What `tsdt learn` says at its end: the tree, how good it is, how far from the best, and where it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tsdt.cli.progress import tree_facts

if TYPE_CHECKING:
    from tsdt.cli.learning import Learning

NAMED = 5
"""Columns that are named in a sentence, at most."""


def result_facts(learning: Learning, saved: bool) -> dict[str, Any]:
    """The result for programs."""
    watch, model = learning.watch, learning.model
    facts = {
        "samples": watch.samples,
        "samples_in_all": learning.history.samples_before + watch.samples,
        "waiting": waiting(model),
        "bad_rows": learning.rows.rejects.n,
        "seconds": round(watch.seconds, 3),
        "stopped_by": learning.stop.asked or None,
        "model": learning.saver.path if learning.saver and saved else None,
        "split_cost": model.split_cost_,
        "few_whole_numbers": few_whole_numbers(model),
    }
    return facts | tree_facts(model.tree_, model.certificate_)


def result_in_words(learning: Learning, saved: bool) -> str:
    """The result for people."""
    model, before = learning.model, learning.history.samples_before
    lines = [model.tree_.to_text(), "", _done(learning), certificate_in_words(model, learning.as_table)]
    if n := waiting(model):
        last = "The last sample waits" if n == 1 else f"The last {n} samples wait"
        lines.append(f"{last} for a whole batch of {model.batch_size} to count.")
    if not before and few_whole_numbers(model):
        lines.append(numbers_in_words(few_whole_numbers(model)))
    if learning.saver is not None and saved:
        path = learning.saver.path
        lines.append(f"Saved in {path}: 'tsdt show {path}' shows it, 'tsdt predict {path} FILE' uses it.")
    return "\n".join(lines)


def _done(learning: Learning) -> str:
    n, before, seconds = learning.watch.samples, learning.history.samples_before, f"{learning.watch.seconds:.1f} s"
    bad = f" ({learning.rows.rejects.n:,} bad rows left out)" if learning.rows.rejects.n else ""
    ended = f", ended by {learning.stop.asked}" if learning.stop.asked else ""
    if before and not n:
        return f"No new samples after {before:,} before; searched for {seconds}{bad}{ended}."
    return f"Learned {n:,} samples{f' after {before:,} before' if before else ''} in {seconds}{bad}{ended}."


def waiting(model: Any) -> int:
    """How many samples are in the model but not in its tree yet."""
    return len(model._learner._waiting) if model.n_iter_ else 0


def few_whole_numbers(model: Any) -> list[str]:
    """Columns of three or more whole numbers that are taken as categories, without being told so."""
    return [
        str(column.name)
        for column in model.schema_.columns
        if column.kind == "categorical" and column.declared is None and column.numbers is None
        if len(found := [value for value in column.lookup if value is not None]) > 2
        and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in found)
    ]


def numbers_in_words(names: Sequence[str]) -> str:
    """How such columns are read, and what would change it.

    >>> numbers_in_words(["size"])
    '1 column of few whole numbers is taken as categories: --numeric size makes it numbers.'
    """
    some, them = ("1 column", "it") if len(names) == 1 else (f"{len(names)} columns", "them")
    named = ",".join(names[:NAMED]) + (",..." if len(names) > NAMED else "")
    verb = "is" if len(names) == 1 else "are"
    return f"{some} of few whole numbers {verb} taken as categories: --numeric {named} makes {them} numbers."


def certificate_in_words(model: Any, as_table: bool) -> str:
    """How good the tree is, and how far from the best one."""
    tree, certificate, price = model.tree_, model.certificate_, model.split_cost_
    of = "of these samples" if as_table else f"of the last {tree.n_samples:,} samples"
    size = f"{tree.n_splits} split{'s' if tree.n_splits != 1 else ''}"
    value = f"It is right for {tree.accuracy:.1%} {of} with {size}: value {certificate.value:.4f} at {price:g} a split."
    if certificate.proven:
        cuts = ", with numbers cut where they may be," if any(a.is_numeric for a in tree.attributes) else ""
        return f"{value}\nProven: no other tree{cuts} has a higher value on them."
    if certificate.upper >= 1.0 and model.search == "trees":
        return value
    gap = f"at most {certificate.gap:.4f}" if certificate.gap >= 0.0001 else "less than 0.0001"
    return f"{value}\nNot proven: a better tree, if there is one, has a value {gap} higher."
