"""The certificate in plain words, for people who have never heard of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsdt.views import words

if TYPE_CHECKING:
    from tsdt.views.report.content import Content


def verdict(content: Content) -> str:
    """The certificate in a few words.

    >>> from tsdt.views.report.example import report_content
    >>> verdict(report_content())
    'Proven optimal'
    """
    if content.certificate.proven:
        return "Proven optimal"
    return f"Within {points(content.certificate.gap)} of the optimum" if content.bounded else "Best tree found"


def certificate_words(content: Content) -> list[str]:
    """The certificate in sentences, a paragraph each."""
    tree, certificate = content.tree, content.certificate
    value = (
        f"The value of a tree is its accuracy less {words.number(content.split_cost)} for every split. This one gets "
        f"{words.percent(tree.accuracy, 1)} of {words.count(tree.n_samples, 'sample')} right with "
        f"{words.count(tree.n_splits, 'split')}, so its value is {certificate.value:.4f}."
    )
    return [value, _standing(content)]


def _standing(content: Content) -> str:
    certificate = content.certificate
    if certificate.proven:
        return (
            "No other tree has a higher value on these samples, whatever its size or shape. The search has ruled out "
            "all of them, so this is a proof and not an estimate. It speaks of these samples, of splits by category "
            "and of thresholds between the bins of a number. How the tree does on new samples, only new samples show."
        )
    if content.bounded:
        return (
            f"No better tree was found before the search ended. It has proven that no tree has a value above "
            f"{certificate.upper:.4f} on these samples: a better one may exist, but it is better by "
            f"{points(certificate.gap)} at the most. More time can close the gap."
        )
    return "The search over trees finds good trees from samples alone. It proves no bound on how good others could be."


def points(gap: float) -> str:
    """A difference of values in percentage points.

    >>> points(0.0123), points(0.00001)
    ('1.23 points', 'less than 0.01 points')
    """
    return f"{100 * gap:.2f} points" if gap >= 0.0001 else "less than 0.01 points"
