"""The page of a report: its frame, its style and its script, all in one file that needs nothing else."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from tsdt.views import words
from tsdt.views.palette import colours
from tsdt.views.report import sections

if TYPE_CHECKING:
    from tsdt.views.report.content import Content

# Nothing may be fetched: a page that tries is stopped by the browser.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

PARTS = (
    sections.picture,
    sections.rules,
    sections.certificate,
    sections.learning,
    sections.frontier,
    sections.confusion,
    sections.importance,
    sections.schema,
)


def page(content: Content) -> str:
    """The whole report as HTML.

    >>> from tsdt.views.report.example import report_content
    >>> page(report_content()).count("<h2")
    8
    """
    title = escape(words.printable(content.title))
    swatches = "".join(f".swatch.c{k}{{background:{c}}}" for k, c in enumerate(colours(len(content.tree.classes))))
    body = "\n".join(part(content) for part in PARTS)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<style>\n{_file('style.css')}{swatches}\n</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{title}</h1>\n{sections.overview(content)}\n</header>\n<main>\n{body}\n</main>\n"
        f"<script>\n{_file('script.js')}</script>\n</body>\n</html>\n"
    )


@cache
def _file(name: str) -> str:
    return resources.files(__package__ or "").joinpath(name).read_text(encoding="utf-8")
