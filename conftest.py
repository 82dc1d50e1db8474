"""What every test shares: tests and examples that read files skip, with the reason, where TSDT_DATA is not set."""

from __future__ import annotations

import os

import pytest

READERS = ("tsdt.datasets.files", "tsdt.datasets.encodings.monk1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the data folder where there is none."""
    if os.environ.get("TSDT_DATA"):
        return
    skip = pytest.mark.skip(reason="TSDT_DATA is not set: it names the folder with the data files")
    for item in items:
        is_example = isinstance(item, pytest.DoctestItem) and item.name.startswith(READERS)
        if is_example or item.get_closest_marker("needs_data"):
            item.add_marker(skip)
