"""The report in a real browser: it renders, hover and zoom work, it is legible on a phone, and it opens at once."""

from __future__ import annotations

import os
import re
import shutil
from itertools import pairwise

import numpy as np
import pytest
from view_trees import random_tree

from tsdt import TSDTClassifier
from tsdt.datasets import compas, monk
from tsdt.engine import engine_name
from tsdt.views.report import page
from tsdt.views.report.content import confusion_of
from tsdt.views.report.example import report_content

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]  # fmt: skip
DESKTOP = {"viewport": {"width": 1200, "height": 900}}
PHONE = {"viewport": {"width": 375, "height": 740}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
DARK = {**DESKTOP, "color_scheme": "dark"}
SMALLEST = 11  # pixels on the screen
SIZES = """() => {
  const written = e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  const shown = [...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && written(e));
  return shown.filter(e => !["SCRIPT", "STYLE", "title", "style"].includes(e.tagName)).map(e => {
    const svg = e.closest("svg");
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    return [parseFloat(getComputedStyle(e).fontSize) * scale, e.textContent.slice(0, 40)];
  });
}"""


@pytest.fixture(scope="module")
def browser():
    """Chromium, or the reason why there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = os.environ.get("TSDT_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed, and TSDT_BROWSER names none")
    with api.sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=path, args=QUIET)
        except api.Error as error:
            pytest.skip(f"the browser {path} does not start: {str(error).splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture
def visit(browser):
    """Opens a page with a kind of screen; anything that the browser complains of fails the test."""
    complaints, contexts = [], []

    def go(path, **screen):
        contexts.append(browser.new_context(offline=True, **screen))
        opened = contexts[-1].new_page()
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("request", lambda request: complaints.extend([request.url] * (not request.url.startswith("file:"))))
        opened.goto(path.as_uri())
        return opened

    yield go
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def robots(tmp_path_factory):
    """The report of MONK-1, learned with whichever search the engine in use does quickly."""
    table, path = monk(1).in_words(), tmp_path_factory.mktemp("reports") / "robots.html"
    quick = {"search": "trees", "max_iter": 20} if engine_name() == "python" else {}
    model = TSDTClassifier(split_cost=0.01, random_state=0, **quick).fit(table.columns, table.y)
    model.report(path, *(() if quick else (table.columns, table.y)), title="Robots")
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The report of a tree with 60 leaves and long names."""
    tree = random_tree(60, seed=4, classes=("low", "medium", "high"), names=("prior convictions " * 4, "age", "M" * 70))
    content = report_content()
    path = tmp_path_factory.mktemp("reports") / "large.html"
    shares = [(str(attribute.name), 1 / 3) for attribute in tree.attributes]
    rows = [content.schema[0], ("M" * 70, "categorical", "4: " + "red, " * 12, "0.0%", "text")]
    changed = {**content.__dict__, "tree": tree, "importances": shares, "confusion": confusion_of(tree), "schema": rows}
    path.write_text(page(type(content)(**changed)), encoding="utf-8")
    return path


@pytest.mark.parametrize("screen", [DESKTOP, PHONE, DARK], ids=["desktop", "phone", "dark"])
@pytest.mark.parametrize("report", ["robots", "large"])
def test_it_renders(visit, request, report, screen):
    opened = visit(request.getfixturevalue(report), **screen)
    assert opened.locator("main section h2:visible").count() == 8
    boxes = [part.bounding_box() for part in opened.locator("main section").all()]
    assert all(a["y"] + a["height"] <= b["y"] for a, b in pairwise(boxes))
    assert all(box["height"] > 60 for box in boxes)
    ground = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(13, 17, 23)" if screen.get("color_scheme") == "dark" else "rgb(255, 255, 255)")


@pytest.mark.parametrize("report", ["robots", "large"])
def test_a_phone_needs_no_scrolling_to_the_side_and_no_lens(visit, request, report):
    opened = visit(request.getfixturevalue(report), **PHONE)
    assert opened.evaluate("document.documentElement.scrollWidth") == 375
    sizes = opened.evaluate(SIZES)
    assert len(sizes) > 50
    assert [entry for entry in sizes if entry[0] < SMALLEST - 0.01] == []
    assert all(box["height"] >= 40 for box in (b.bounding_box() for b in opened.locator("button").all()))


def test_hover_shows_counts(visit, robots):
    opened = visit(robots, **DESKTOP)
    assert opened.locator("#tip").is_hidden()
    opened.locator("#view g").first.hover()
    text = opened.locator("#tip").inner_text()
    assert re.search(r"[\d,]+ samples, 100% of all\n+monk: [\d,]+ \([\d.]+%\)\n+no monk: [\d,]+ \([\d.]+%\)", text)
    opened.mouse.move(5, 5)
    assert opened.locator("#tip").is_hidden()
    opened.locator("#view path").first.dispatch_event("pointermove", {"clientX": 50, "clientY": 50})
    assert opened.locator("#tip").is_visible()


def test_a_tap_shows_counts(visit, robots):
    opened = visit(robots, **PHONE)
    opened.locator("#view g").first.tap()
    assert "samples, 100% of all" in opened.locator("#tip").inner_text()
    box = opened.locator("#tip").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 375


def test_zoom(visit, large):
    opened = visit(large, **DESKTOP)

    def width():
        return opened.locator("#view svg").bounding_box()["width"]

    before = width()
    opened.get_by_label("Zoom in").click()
    assert width() == pytest.approx(1.25 * before, rel=0.01)
    opened.get_by_label("Zoom out").click()
    assert width() == pytest.approx(before, rel=0.01)
    opened.get_by_label("Fit to width").click()
    assert width() <= opened.locator("#view").bounding_box()["width"]
    fitted = width()
    opened.locator("#view").press("+")
    assert width() == pytest.approx(1.25 * fitted, rel=0.01)
    opened.locator("#view").hover()
    opened.keyboard.down("Control")
    opened.mouse.wheel(0, -200)
    opened.wait_for_function(f"document.querySelector('#view svg').getBoundingClientRect().width > {1.3 * fitted}")
    assert opened.evaluate("document.documentElement.scrollWidth") == 1200


@pytest.mark.needs_data
@pytest.mark.skipif(engine_name() == "python", reason="learning compas takes the compiled engine")
def test_compas_opens_under_a_second(visit, tmp_path):
    table = compas()
    X = {name: np.where(column == 1, "yes", "no") for name, column in table.columns.items()}
    model = TSDTClassifier(split_cost=0.0025, random_state=0).fit(X, table.y)
    model.report(tmp_path / "compas.html", X, table.y)
    opened = visit(tmp_path / "compas.html", **DESKTOP)
    opened.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
    times = opened.evaluate("performance.getEntriesByType('navigation')[0].toJSON()")
    assert times["loadEventEnd"] < 1000, times
