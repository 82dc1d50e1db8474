"""The pages of the documentation run: every Python block in turn, and what it prints is what the page shows.

A block of text right after a block of Python is what that one prints; three dots stand for anything.
"""

import contextlib
import doctest
import inspect
import io
import re
from pathlib import Path

import pytest

from tsdt import TSDTClassifier

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ["getting-started", "scikit-learn", "river", "streams", "files", "parameters"]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
INSTALLING = re.compile(r"(pip install [^\n]+\n)+")


def run(code, namespace, where):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, where, "exec"), namespace)
    return printed.getvalue()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    namespace, printed, checker = {"__name__": "__main__"}, None, doctest.OutputChecker()
    for match in FENCE.finditer(text):
        kind, block = match.groups()
        line = text.count("\n", 0, match.start()) + 2
        where = f"docs/{page}.md, line {line}"
        if kind == "python":
            assert not printed, f"{where}: the block before prints what the page does not show:\n{printed}"
            printed = run("\n" * (line - 1) + block, namespace, f"docs/{page}.md")
        elif kind == "text":
            assert printed is not None, f"{where}: nothing was run before"
            assert checker.check_output(block, printed, OPTIONS), (
                f"{where}: the page shows\n{block}\nbut it is\n{printed}"
            )
            printed = None
        else:
            assert kind == "sh" and INSTALLING.fullmatch(block), f"{where}: only what installs is not run"
    assert not printed, f"docs/{page}.md: the last block prints what the page does not show:\n{printed}"


def test_every_parameter_has_its_section():
    text = (DOCS / "parameters.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### `(\w+)`", text, re.MULTILINE)
    assert sorted(sections) == sorted(inspect.signature(TSDTClassifier).parameters)
    for section in text.split("\n### ")[1:]:
        assert "Change it" in section or "Leave it" in section, section.partition("\n")[0]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert target.startswith("https://") or (DOCS / target).exists(), target
