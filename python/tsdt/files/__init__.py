"""Models as files: `save` and `load`. One file, versioned and checksummed; no pickle, and loading runs no code."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from tsdt.files.container import OTHER_COPY, ModelFileError, unwrap, wrap, write_whole
from tsdt.files.graph import pack, peek, unpack
from tsdt.version import VERSION

__all__ = ["ModelFileError", "Saved", "load", "open_saved", "save"]

HOMES = {"TSDTClassifier": "tsdt.classifier", "river.TSDTClassifier": "tsdt.river"}
"""The models that can be saved, and where they live."""


class Saved(NamedTuple):
    """What a file holds: the model, and what was noted beside it.

    >>> Saved(model=None, notes={"rows": 60}).notes
    {'rows': 60}
    """

    model: Any
    notes: dict[str, Any]


def save(model: Any, path: str | os.PathLike[str], notes: Mapping[str, Any] | None = None) -> None:
    """Write a model into a file, which at every moment is the old one or the new one, whole.

    `notes` are kept beside the model, for whoever calls: text, numbers, lists and mappings of them.

    >>> import tempfile, tsdt
    >>> model = tsdt.TSDTClassifier(random_state=0).learn_one({"colour": "red"}, "stop")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, f"{folder}/light.tsdt")
    ...     load(f"{folder}/light.tsdt").predict_one({"colour": "red"})
    'stop'
    """
    write_whole(path, to_bytes(model, notes))


def load(path: str | os.PathLike[str]) -> Any:
    """The model of a file. It goes on learning as if it had never stopped.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from tsdt import TSDTClassifier, load
        >>> model = TSDTClassifier(0.01, random_state=0).learn_many({"sky": ["blue", "grey"] * 60}, ["dry", "wet"] * 60)
        >>> with TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "sky.tsdt")
        ...     load(Path(folder) / "sky.tsdt").predict_one({"sky": "grey"})
        'wet'
    """
    return open_saved(path).model


def open_saved(path: str | os.PathLike[str]) -> Saved:
    """The model of a file, with its notes.

    >>> import tempfile, tsdt
    >>> model = tsdt.TSDTClassifier(random_state=0).learn_one({"sky": "grey"}, "wet")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/sky.tsdt", notes={"station": "north"})
    ...     again, notes = open_saved(f"{folder}/sky.tsdt")
    >>> again.predict_one({}), notes
    ('wet', {'station': 'north'})
    """
    with open(path, "rb") as file:
        return from_bytes(file.read(), os.fspath(path))


def to_bytes(model: Any, notes: Mapping[str, Any] | None = None) -> bytes:
    """A model as the bytes of its file."""
    from tsdt.files.forms import MODELS

    saved = {"model": model._saved_as, "state": model._saved_state(), "notes": dict(notes or {})}
    content = {"tsdt": VERSION, **saved}
    return wrap(pack(content, MODELS))


def from_bytes(whole: bytes, path: str = "the model") -> Saved:
    """The model of the bytes of a file, which is named in errors."""
    from tsdt.files.forms import MODELS
    from tsdt.files.soundness import check_learner

    content = unwrap(whole, path)
    try:
        held = unpack(content, MODELS)
        if held["state"]["learner"] is not None:
            check_learner(held["state"]["learner"])
        home = importlib.import_module(HOMES[held["model"]])
        return Saved(home.TSDTClassifier._from_saved_state(held["state"]), held["notes"])
    except ImportError as error:
        raise ModelFileError(f"{path} cannot be loaded here: {error}") from error
    except Exception as error:  # whatever comes of content that no version of ours has written
        what = f"{type(error).__name__}: {error}"
        raise ModelFileError(f"{path} does not hold together ({what[:200]}); {_remedy(content)}") from error


def _remedy(content: bytes) -> str:
    """What to do with content that is as it was written, but cannot be understood."""
    version = peek(content, "tsdt")
    if version == VERSION:
        return OTHER_COPY
    return f"tsdt {version or 'of another version'} has written it, this is {VERSION}: load it there, or learn it again"
