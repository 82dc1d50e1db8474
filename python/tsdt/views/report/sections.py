"""The sections of a report as HTML, each from the content alone. Every word that came from data is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from tsdt.views import words
from tsdt.views.frontier import prices, remark, standing
from tsdt.views.report.certificate_words import certificate_words, verdict
from tsdt.views.report.learning import learning_chart

if TYPE_CHECKING:
    from tsdt.views.report.content import Content
    from tsdt.views.rules import Rule

SHOWN = 20  # rules before the rest is folded away
ZOOMS = (("in", "Zoom in", "+"), ("out", "Zoom out", "&minus;"), ("fit", "Fit to width", "Fit"))
LARGEST = 30  # classes in a confusion matrix


def section(name: str, heading: str, body: str) -> str:
    """A section with a heading that it is called by."""
    return f'<section id="{name}" aria-labelledby="{name}-h">\n<h2 id="{name}-h">{heading}</h2>\n{body}\n</section>'


def overview(content: Content) -> str:
    """The verdict, and the numbers that people ask for first."""
    tree = content.tree
    facts = [
        ("accuracy", words.percent(tree.accuracy, 1)),
        ("splits", f"{tree.n_splits:,}"),
        ("leaves", f"{tree.n_leaves:,}"),
        ("depth", f"{tree.depth:,}"),
        ("samples", f"{tree.n_samples:,}"),
        ("split cost", words.number(content.split_cost)),
    ]
    cells = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    kind = "proven" if content.certificate.proven else "open"
    return f'<p class="verdict {kind}">{escape(verdict(content))}</p>\n<dl class="facts">{cells}</dl>'


def picture(content: Content) -> str:
    """The tree, to be zoomed and pointed at."""
    buttons = "".join(
        f'<button type="button" data-zoom="{step}" aria-label="{label}">{text}</button>'
        for step, label, text in (
            ("in", "Zoom in", "+"),
            ("out", "Zoom out", "\N{MINUS SIGN}"),
            ("fit", "Fit to width", "Fit"),
        )
    )
    classes = "".join(
        f'<li><i class="swatch c{k}"></i>{escape(words.value(label))}</li>'
        for k, label in enumerate(content.tree.classes[:LARGEST])
    )
    body = (
        "<p>A card is a question, or an answer in the colour of its class, with the mix of classes below it. A ribbon "
        "is as wide as its share of the samples. Point at a card or tap it to see its counts.</p>\n"
        f'<ul class="legend" aria-label="Classes">{classes}</ul>\n'
        f'<div class="tools" role="group" aria-label="Zoom">{buttons}<output id="zoom">100%</output></div>\n'
        '<div class="view" id="view" tabindex="0" role="region" aria-label="Picture of the tree">'
        f'{content.tree.to_svg()}</div>\n<div id="tip" role="tooltip" hidden></div>'
    )
    return section("tree", "The tree", body)


def rules(content: Content) -> str:
    """One sentence per leaf."""
    if not content.tree.classes:
        return section("rules", "The rules", "<p>There is no class yet to answer with.</p>")
    found = content.tree.rules()
    items = [_rule(content, rule) for rule in found]
    body = f'<ol class="rules">{"".join(items[:SHOWN])}</ol>'
    if len(items) > SHOWN:
        rest = "".join(items[SHOWN:])
        body += f"<details><summary>{words.count(len(items) - SHOWN, 'more rule')}</summary>"
        body += f'<ol class="rules" start="{SHOWN + 1}">{rest}</ol></details>'
    return section("rules", "The rules", "<p>Those that decide most samples come first.</p>" + body)


def _rule(content: Content, rule: Rule) -> str:
    asked = " and ".join(f"<b>{escape(str(condition))}</b>" for condition in rule.conditions)
    head = f"If {asked}, then" if asked else "Always"
    k = content.tree.nodes[rule.leaf].label
    answer = f'<span class="answer"><i class="swatch c{k}"></i>{escape(words.value(rule.answer))}</span>'
    right = words.part(rule.n_right, rule.n_samples) if rule.n_samples else "no samples"
    return f"<li>{head} {answer} <small>{words.percent(rule.share, 1)} of all samples, right for {right}</small></li>"


def certificate(content: Content) -> str:
    """How far the tree can be from the best one."""
    body = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in certificate_words(content))
    return section("certificate", "How good it is", body)


def learning(content: Content) -> str:
    """How value and bound moved."""
    if len(content.history) < 2:
        text = "Nothing was kept of how this tree was found: it took a moment, or the model was loaded from a file."
        return section("learning", "How it was found", f"<p>{text}</p>")
    keys = [("line", "value of the best tree so far")]
    if content.bounded:
        keys.append(("dashed", "bound on the value of any tree"))
    legend = "".join(f'<li><i class="{kind}"></i>{text}</li>' for kind, text in keys)
    seconds = content.history[-1].seconds
    took = f"{seconds:.1f} seconds" if seconds >= 0.1 else f"{1000 * seconds:.0f} milliseconds"
    body = f"<p>This took {took}. When the two lines meet, the tree is proven.</p>" if content.bounded else ""
    if any(after.upper > before.upper + 1e-9 for before, after in pairwise(content.history)):
        body += "<p>Where the bound rises, samples came in, numbers were cut more finely or the split cost changed.</p>"
    chart = learning_chart(content.history, content.bounded)
    return section("learning", "How it was found", f'{body}<ul class="legend">{legend}</ul><figure>{chart}</figure>')


def frontier(content: Content) -> str:
    """Accuracy against size over the prices of a split."""
    heading, found = "Accuracy against size", content.frontier
    if found is None:
        text = (
            "The model holds no samples. Give the report a table, as in <code>report(path, X, y)</code>, to see this."
        )
        return section("frontier", heading, f"<p>{text}</p>")
    lead = (
        f"The best tree for every price of a split, from one leaf up, on {escape(content.confusion.about)}. The ring "
        f"is the tree for the split cost of this report, {words.number(content.split_cost)}; a hollow dot is not "
        f"proven. {remark(found)}"
    )
    header = ("splits", "leaves", "accuracy", "best at split costs", "certificate")
    rows = [(f"{p.n_splits:,}", f"{p.n_leaves:,}", words.percent(p.accuracy, 1), prices(p), standing(p)) for p in found]
    chart = found.to_svg(split_cost=content.split_cost)
    body = f'<div class="beside"><figure>{chart}</figure>{table(header, rows, "Optimal trees")}</div>'
    return section("frontier", heading, f"<p>{lead}</p>{body}")


def confusion(content: Content) -> str:
    """Which classes are taken for which."""
    found = content.confusion
    if len(found.classes) > LARGEST or not found.classes:
        text = (
            f"On {escape(found.about)}: {words.percent(found.accuracy, 1)} right, with {len(found.classes):,} classes."
        )
        return section("confusion", "Right and wrong answers", f"<p>{text}</p>")
    names = [escape(words.value(label)) for label in found.classes]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = []
    for i, (name, counts) in enumerate(zip(names, found.counts.tolist(), strict=True)):
        cells = "".join(_cell(n, sum(counts), i == j) for j, n in enumerate(counts))
        rows.append(f'<tr><th scope="row">{name}</th>{cells}</tr>')
    right = words.percent(found.accuracy, 1)
    lead = f"On {escape(found.about)}: {right} right. A row is what is true, a column what the tree says."
    body = f"<p>{lead}</p>" + _scrolling(
        f'<table class="matrix"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>',
        "Confusion matrix",
    )
    return section("confusion", "Right and wrong answers", body)


def _cell(n: int, total: int, right: bool) -> str:
    share = n / total if total else 0.0
    kind = "right" if right else "wrong"
    text = f"<b>{n:,}</b><small>{words.percent(n, total)}</small>" if n else "<b>0</b>"
    return f'<td class="{kind}" style="--share:{share:.3f}">{text}</td>'


def importance(content: Content) -> str:
    """What each column contributes."""
    shares = sorted(content.importances, key=lambda item: -item[1])
    used = [(name, share) for name, share in shares if share > 0]
    bars = "".join(
        f'<li><span>{escape(words.printable(name))}</span><meter min="0" max="1" value="{share:.4f}"></meter>'
        f"<output>{words.percent(share, 1)}</output></li>"
        for name, share in used
    )
    unused = [escape(words.printable(name)) for name, share in shares if share <= 0]
    body = f'<ul class="bars">{bars}</ul>' if used else "<p>The tree asks for no column.</p>"
    if unused and used:
        body += f"<p>Not asked for: {_abridged(unused)}.</p>"
    lead = "<p>The share of each column in what the splits separate (decrease of Gini impurity).</p>" if used else ""
    return section("importance", "What it asks for", lead + body)


def _abridged(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 40 else f"{', '.join(names[:40])} and {len(names) - 40:,} more"


def schema(content: Content) -> str:
    """The columns and what was decided of them."""
    header, *rows = content.schema
    body = table(header, rows, "Columns")
    return section("schema", "The columns", f"<p>What the learner took each column for, and why.</p>{body}")


def table(header: Iterable[str], rows: Iterable[Iterable[str]], label: str) -> str:
    """A table that scrolls by itself where the page is too narrow."""
    head = "".join(f'<th scope="col">{escape(words.printable(cell))}</th>' for cell in header)
    lines = ("".join(f"<td>{escape(words.printable(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return _scrolling(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", label)


def _scrolling(content: str, label: str) -> str:
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{content}</div>'
