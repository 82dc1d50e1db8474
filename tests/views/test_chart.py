"""Charts: valid, every text inside the picture and apart from its neighbours, sensible axes for odd numbers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from tsdt.views.chart import HEIGHT, TEXT, WIDTH, Curve, Dot, chart, log_axis, percent_axis
from tsdt.views.scene import text_width

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("low, high", [(1, 1), (1, 2), (1, 27), (250, 5000), (3, 100_000), (1, 10**9), (16, 1_000_000)])
@pytest.mark.parametrize("shares", [[0.5], [1.0, 1.0], [0.0, 1.0], [0.612, 0.6125], [-0.3, 0.99], [0.999, 1.0]])
def test_text_is_inside_and_apart(low, high, shares):
    x, y = log_axis(low, high, "visits of the search"), percent_axis(shares, "value")
    assert y.low <= min(shares) and y.high >= max(shares) - 1e-9 and 2 <= len(y.ticks) <= 7
    curve = Curve([(low, share) for share in shares])
    root = ET.fromstring(chart(x, y, [curve], [Dot(low, shares[0], "a < b", hollow=True)], "Title"))
    texts = [t for t in root.iter(f"{SVG}text") if "transform" not in t.attrib]
    spans = []
    for text in texts:
        at, width = float(text.attrib["x"]), text_width(text.text, TEXT)
        left = at - width * {"middle": 0.5, "end": 1.0}[text.attrib["text-anchor"]]
        assert left >= 20 and left + width <= WIDTH and 0 < float(text.attrib["y"]) < HEIGHT
        spans.append((float(text.attrib["y"]), left, left + width))
    for (y0, _, right), (y1, left, _) in pairwise(sorted(spans)):
        assert abs(y1 - y0) >= TEXT - 1 or left > right


def test_a_theme_that_is_none():
    with pytest.raises(ValueError, match="theme"):
        chart(log_axis(1, 2, ""), percent_axis([1], ""), [], [], "", "blue")
