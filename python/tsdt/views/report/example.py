"""A small report for the examples of the documentation."""

from __future__ import annotations

from tsdt.views.report.content import Content, confusion_of


def report_content() -> Content:
    """The report of the weather tree.

    >>> report_content().title
    'Tennis'
    """
    from tsdt.certificate import Certificate
    from tsdt.views.example import weather

    tree = weather()
    schema = [("column", "kind", "values", "missing", "why"), ("outlook", "categorical", "3: sunny", "0.0%", "text")]
    shares = [("outlook", 0.6), ("humidity", 0.4)]
    certificate = Certificate(0.837, 0.837, True)
    return Content("Tennis", tree, certificate, 0.01, True, schema, shares, confusion_of(tree))
