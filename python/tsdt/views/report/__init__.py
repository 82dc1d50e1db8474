"""The report: one page about one model, without frameworks and without the network."""

from tsdt.views.report.content import Content
from tsdt.views.report.page import page

__all__ = ["Content", "page"]
