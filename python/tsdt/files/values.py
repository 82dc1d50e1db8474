"""Single values as JSON and back, type for type: what a category, a class or a parameter can be. No objects of ours."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from tsdt.schema.missing import OTHER, is_missing

REMEDY = "text, numbers, True or False, None, bytes, dates and times, decimals, and tuples of those can be saved"
LARGEST = 10**4000  # Python refuses to read whole numbers with many more digits


def write_value(value: Any) -> Any:
    """A value as JSON: as it is, or in a mapping from the name of its type.

    >>> write_value("red"), write_value(b"ab"), write_value(float("inf"))
    ('red', {'bytes': 'YWI='}, {'float': 'inf'})
    """
    kind = type(value)
    if value is None or kind is str or kind is bool or (kind is float and math.isfinite(value)):
        return value
    if kind is int and -LARGEST < value < LARGEST:
        return value
    if kind in _WRITERS:
        tag, write = _WRITERS[kind]
        return {tag: write(value)}
    if isinstance(value, np.generic) and not value.dtype.hasobject:
        return {"numpy": [value.dtype.str, _text(value.tobytes())]}
    if is_missing(value):  # pandas has its own, which mean the same
        return None
    if kind.__name__ == "Timestamp" and getattr(value, "nanosecond", 1) == 0:  # the same time, in Python's own type
        return {"datetime": _write_datetime(value.to_pydatetime())}
    if kind.__name__ == "Timedelta" and getattr(value, "nanoseconds", 1) == 0:
        return write_value(value.to_pytimedelta())
    if kind.__name__ in _OF_PANDAS and kind.__module__.partition(".")[0] == "pandas":
        return {kind.__name__: _OF_PANDAS[kind.__name__](value)}
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:60] + "..."
    raise TypeError(f"{shown} ({kind.__module__}.{kind.__qualname__}) cannot be saved; {REMEDY}")


def read_value(written: Any) -> Any:
    """The value that was written.

    >>> read_value({"bytes": "YWI="})
    b'ab'
    """
    if not isinstance(written, dict):
        return written
    [(tag, content)] = written.items()
    return _READERS[tag](content)


def is_plain_tag(tag: str) -> bool:
    """Whether a mapping from this tag is a single value."""
    return tag in _READERS


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _read_bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _read_numpy(content: list[Any]) -> Any:
    dtype = np.dtype(content[0])
    if dtype.hasobject or dtype.kind not in "biufcSUmM":
        raise ValueError(f"no value can have the type {content[0]!r}")
    if dtype.itemsize == 0:
        return dtype.type()
    [value] = np.frombuffer(_read_bytes(content[1]), dtype=dtype)
    return value


def _write_zone(zone: tzinfo | None) -> str | float | None:
    if isinstance(zone, ZoneInfo) and zone.key is not None:
        return zone.key
    if zone is None or type(zone) is timezone:
        return None if zone is None else zone.utcoffset(None).total_seconds()
    raise TypeError(f"the time zone {zone!r} cannot be saved; use one of zoneinfo, or datetime.timezone")


def _read_zone(zone: str | float | None) -> tzinfo | None:
    if zone is None or isinstance(zone, str):
        return None if zone is None else ZoneInfo(zone)
    return timezone(timedelta(seconds=zone))


def _write_datetime(value: datetime) -> list[Any]:
    return [value.replace(tzinfo=None).isoformat(), value.fold, _write_zone(value.tzinfo)]


def _read_datetime(content: list[Any]) -> datetime:
    return datetime.fromisoformat(content[0]).replace(fold=content[1], tzinfo=_read_zone(content[2]))


def _write_time(value: time) -> list[Any]:
    return [value.replace(tzinfo=None).isoformat(), value.fold, _write_zone(value.tzinfo)]


def _read_time(content: list[Any]) -> time:
    return time.fromisoformat(content[0]).replace(fold=content[1], tzinfo=_read_zone(content[2]))


def _write_generator(generator: np.random.RandomState) -> list[Any]:
    name, key, position, has_gauss, gauss = generator.get_state(legacy=True)
    return [name, _text(np.asarray(key, dtype="<u4").tobytes()), int(position), int(has_gauss), float(gauss)]


def _read_generator(content: list[Any]) -> np.random.RandomState:
    name, key, position, has_gauss, gauss = content
    generator = np.random.RandomState()
    generator.set_state((name, np.frombuffer(_read_bytes(key), dtype="<u4"), position, has_gauss, gauss))
    return generator


def _read_interval(content: list[Any]) -> Any:
    from pandas import Interval, Timedelta, Timestamp

    ends = [read_value(end) for end in content[:2]]
    wrap = {datetime: Timestamp, timedelta: Timedelta}.get(type(ends[0]), lambda end: end)
    return Interval(*map(wrap, ends), closed=content[2])


def _read_period(content: list[Any]) -> Any:
    from pandas import Period

    return Period(ordinal=content[0], freq=content[1])


_OF_PANDAS: dict[str, Callable[[Any], Any]] = {
    "Interval": lambda value: [write_value(value.left), write_value(value.right), value.closed],
    "Period": lambda value: [value.ordinal, value.freqstr],
}

_WRITERS: dict[type, tuple[str, Callable[[Any], Any]]] = {
    float: ("float", repr),  # only those that JSON has no words for
    bytes: ("bytes", _text),
    datetime: ("datetime", _write_datetime),
    date: ("date", date.isoformat),
    time: ("time", _write_time),
    timedelta: ("timedelta", lambda value: [value.days, value.seconds, value.microseconds]),
    Decimal: ("Decimal", str),
    Fraction: ("Fraction", str),
    UUID: ("UUID", str),
    type(OTHER): ("Other", lambda value: value.value),
    np.random.RandomState: ("RandomState", _write_generator),
}

_READERS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "bytes": _read_bytes,
    "datetime": _read_datetime,
    "date": date.fromisoformat,
    "time": _read_time,
    "timedelta": lambda content: timedelta(*content),
    "Decimal": Decimal,
    "Fraction": Fraction,
    "UUID": UUID,
    "Other": type(OTHER),
    "RandomState": _read_generator,
    "numpy": _read_numpy,
    "Interval": _read_interval,
    "Period": _read_period,
}
