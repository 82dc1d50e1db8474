"""Objects that refer to each other, as JSON and bytes: only classes on a list, only their named fields, no code.

A `Form` names the class and what is kept of it. Objects stand in one list and refer to each other by their places in
it, so that what was shared is shared again, and the depth of the references does not matter.
"""

from __future__ import annotations

import json
import struct
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tsdt.files.values import is_plain_tag, read_value, write_value

_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Form:
    """What is kept of the objects of a class: `fields`; what is not: `passing`, with what it begins with again."""

    made: Any
    fields: tuple[str, ...]
    passing: Mapping[str, Any] = field(default_factory=dict)
    write: Callable[[Any], dict[str, Any]] | None = None
    read: Callable[[Any, dict[str, Any]], None] | None = None

    @property
    def looks_around(self) -> bool:
        """Whether an object may ask others when it gets its fields."""
        return "__setstate__" in vars(self.made) and "__slots__" not in vars(self.made)

    def state(self, thing: Any) -> dict[str, Any]:
        """The fields of an object; an error where it has others than its form says."""
        if self.write:
            return self.write(thing)
        slots = self.made.__dict__.get("__slots__")
        state = {name: getattr(thing, name) for name in slots} if slots else thing.__getstate__() or {}
        if {*state} - {*self.passing} != {*self.fields}:
            odd = ", ".join(sorted({*state} ^ {*self.fields, *self.passing}))
            raise TypeError(f"the file format does not fit {self.made.__name__}: {odd}; bring its form up to date")
        return {name: state[name] for name in self.fields}

    def restore(self, blank: Any, state: dict[str, Any]) -> None:
        """Give an empty object its fields."""
        if {*state} != {*self.fields}:
            raise ValueError(f"a {self.made.__name__} has the fields {sorted(state)}")
        state.update(self.passing)
        if self.read:
            self.read(blank, state)
        elif self.looks_around:
            blank.__setstate__(state)
        else:
            for name, value in state.items():
                object.__setattr__(blank, name, value)


@dataclass(frozen=True)
class Forms:
    """All that can be packed beyond plain values: classes, named tuples and functions, each by a name of its own."""

    classes: Mapping[str, Form]
    tuples: Mapping[str, Any] = field(default_factory=dict)
    functions: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", {form.made: name for name, form in self.classes.items()})
        object.__setattr__(self, "tuple_names", {made: name for name, made in self.tuples.items()})
        object.__setattr__(self, "function_names", {id(f): name for name, f in self.functions.items()})

    names: dict[type, str] = field(init=False)
    tuple_names: dict[type, str] = field(init=False)
    function_names: dict[int, str] = field(init=False)


def pack(thing: Any, forms: Forms) -> bytes:
    """An object and all that it refers to, as bytes: the length of a JSON document, the document, and blobs.

    >>> unpack(pack({"a": (1, None), "b": [float("nan"), b"x"]}, Forms({})), Forms({}))
    {'a': (1, None), 'b': [nan, b'x']}
    """
    return _Packer(forms).pack(thing)


def unpack(content: bytes, forms: Forms) -> Any:
    """What was packed. Any kind of exception can come out of bytes that were not."""
    return _Unpacker(forms).unpack(content)


def peek(content: bytes, key: str) -> str:
    """A text in a packed dict, found without making anything of the rest; empty where there is none.

    >>> peek(pack({"by": "me"}, Forms({})), "by"), peek(b"", "by")
    ('me', '')
    """
    try:
        (length,) = _LENGTH.unpack_from(content)
        items = json.loads(content[_LENGTH.size : _LENGTH.size + length])["root"]["dict"]
        return next(value for name, value in items if name == key and isinstance(value, str))
    except (struct.error, ValueError, LookupError, TypeError, StopIteration, RecursionError):
        return ""


class _Packer:
    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        self.blobs: list[bytes] = []
        self.places: dict[int, int] = {}  # of objects, by their identity
        self.found: list[Any] = []  # which also keeps them alive
        self.containers: dict[type, Callable[[Any], Any]] = {
            list: lambda value: [self.write(item) for item in value],
            tuple: lambda value: {"tuple": [self.write(item) for item in value]},
            deque: lambda value: {"deque": [self.write(item) for item in value]},
            set: lambda value: {"set": [self.write(item) for item in sorted(value, key=repr)]},
            frozenset: lambda value: {"frozenset": [self.write(item) for item in sorted(value, key=repr)]},
            np.ndarray: self._array,
        }

    def pack(self, thing: Any) -> bytes:
        root, objects = self.write(thing), list[Any]()
        for part in self.found:  # which grows meanwhile
            name = self.forms.names[type(part)]
            state = self.forms.classes[name].state(part)
            objects.append([name, {key: self.write(value) for key, value in state.items()}])
        document = {"root": root, "objects": objects, "blobs": [len(blob) for blob in self.blobs]}
        text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode("ascii")
        return b"".join([_LENGTH.pack(len(text)), text, *self.blobs])

    def write(self, value: Any) -> Any:
        kind = type(value)
        if kind in self.containers:
            return self.containers[kind](value)
        if kind in self.forms.names:
            return {"object": self._place(value)}
        if kind in self.forms.tuple_names:
            return {self.forms.tuple_names[kind]: [self.write(item) for item in value]}
        if id(value) in self.forms.function_names:
            return {"function": self.forms.function_names[id(value)]}
        if isinstance(value, Mapping):
            return {"dict": [[self.write(key), self.write(item)] for key, item in value.items()]}
        if kind is bytes and len(value) > 64:
            return {"blob": self._blob(value)}
        return write_value(value)

    def _place(self, thing: Any) -> int:
        if id(thing) not in self.places:
            self.places[id(thing)] = len(self.found)
            self.found.append(thing)
        return self.places[id(thing)]

    def _blob(self, content: bytes) -> int:
        self.blobs.append(content)
        return len(self.blobs) - 1

    def _array(self, array: np.ndarray) -> Any:
        if array.dtype.hasobject:
            raise TypeError(f"an array of objects ({array.dtype}) cannot be saved; make it a list")
        return {"array": [array.dtype.str, list(array.shape), self._blob(np.ascontiguousarray(array).tobytes())]}


class _Unpacker:
    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        self.blobs: list[bytes] = []
        self.objects: list[Any] = []
        self.containers: dict[str, Callable[[Any], Any]] = {
            "tuple": lambda content: tuple(map(self.read, content)),
            "deque": lambda content: deque(map(self.read, content)),
            "set": lambda content: set(map(self.read, content)),
            "frozenset": lambda content: frozenset(map(self.read, content)),
            "dict": lambda content: {self.read(key): self.read(item) for key, item in content},
            "object": lambda place: self.objects[_index(place)],
            "blob": lambda place: self.blobs[_index(place)],
            "array": self._array,
            "function": lambda name: self.forms.functions[name],
        }

    def unpack(self, content: bytes) -> Any:
        (length,) = _LENGTH.unpack_from(content)
        start = _LENGTH.size + length
        document = json.loads(content[_LENGTH.size : start])
        for size in document["blobs"]:
            self.blobs.append(content[start : start + _index(size)])
            start += size
        if start != len(content):
            raise ValueError(f"there are {len(content)} bytes where {start} are announced")
        self._fill(document["objects"])
        return self.read(document["root"])

    def _fill(self, written: Sequence[Any]) -> None:
        """Make all objects empty, then give them their fields; those that look at others while they do, last."""
        kinds = [self.forms.classes[name] for name, _ in written]
        self.objects = [form.made.__new__(form.made) for form in kinds]
        for late in (False, True):
            for form, blank, (_, state) in zip(kinds, self.objects, written, strict=True):
                if late == form.looks_around:
                    form.restore(blank, {key: self.read(value) for key, value in state.items()})

    def read(self, written: Any) -> Any:
        if isinstance(written, list):
            return [self.read(item) for item in written]
        if not isinstance(written, dict):
            return written
        [(tag, content)] = written.items()
        if tag in self.containers:
            return self.containers[tag](content)
        if is_plain_tag(tag):
            return read_value(written)
        return self.forms.tuples[tag]._make(map(self.read, content))

    def _array(self, content: Any) -> np.ndarray:
        dtype, shape, place = content
        kind = np.dtype(dtype)
        if kind.hasobject or kind.kind not in "biufSUmM":
            raise ValueError(f"no array can have the type {dtype!r}")
        return np.frombuffer(self.blobs[_index(place)], dtype=kind).reshape([_index(n) for n in shape]).copy()


def _index(place: Any) -> int:
    """A place in a list, or a length: never negative."""
    if type(place) is not int or place < 0:
        raise ValueError(f"{place!r} is no place and no length")
    return place
