"""The gallery: its page names pictures that are there and whole. Learning them again is what `make gallery` does."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_every_picture_of_the_gallery_is_there_and_every_picture_is_shown():
    named = re.findall(r"!\[.*?\]\((pictures/.*?)\)", (DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert len(named) == 5
    assert {DOCS / name for name in named} == set((DOCS / "pictures").glob("*.svg"))
    for name in named:
        root = ET.parse(DOCS / name).getroot()
        assert root.tag.endswith("svg") and float(root.attrib["width"]) > 300
