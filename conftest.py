"""What every test shares: tests and examples skip, with the reason, where data files or an extra are not there."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)  # what passes once passes on every machine
settings.register_profile("explore", deadline=None)  # `pytest --hypothesis-profile explore` looks for new cases
settings.load_profile("same")

EXTRAS = {
    "tsdt.views.plot": "matplotlib",
    "tsdt.views.methods.Views.plot": "matplotlib",
    "tsdt.views.frontier.FrontierViews.plot": "matplotlib",
    "tsdt.views.onnx_model": "onnx",
    "tsdt.views.methods.Views.to_onnx": "onnx",
}
READERS = ("tsdt.datasets.files", "tsdt.datasets.encodings.monk1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the examples of extras that are not installed, and what needs the data folder where there is none."""
    for item in items:
        extra = next((extra for module, extra in EXTRAS.items() if item.name.startswith(module)), None)
        if extra and isinstance(item, pytest.DoctestItem) and not find_spec(extra):
            item.add_marker(pytest.mark.skip(reason=f"{extra} is not installed"))
    if os.environ.get("TSDT_DATA"):
        return
    skip = pytest.mark.skip(reason="TSDT_DATA is not set: it names the folder with the data files")
    for item in items:
        is_example = isinstance(item, pytest.DoctestItem) and item.name.startswith(READERS)
        if is_example or item.get_closest_marker("needs_data"):
            item.add_marker(skip)
