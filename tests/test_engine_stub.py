"""The stub of the compiled engine against the engine: the same classes, members, parameters and defaults."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

import tsdt
from engines import compiled, needs_compiled

pytestmark = needs_compiled

STUB = ast.parse((Path(tsdt.__file__).parent / "_engine.pyi").read_text())
CLASSES = {item.name: item for item in STUB.body if isinstance(item, ast.ClassDef)}
MEMBERS = [
    (name, item.name, item) for name, made in CLASSES.items() for item in made.body if isinstance(item, ast.FunctionDef)
]


def is_property(item: ast.FunctionDef) -> bool:
    return any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in item.decorator_list)


def parameters(item: ast.FunctionDef) -> dict[str, Any]:
    """The names of the parameters, with their defaults."""
    names = [argument.arg for argument in item.args.args if argument.arg not in ("self", "cls")]
    defaults = [eval(compile(ast.Expression(value), "stub", "eval")) for value in item.args.defaults]
    required = [inspect.Parameter.empty] * (len(names) - len(defaults))
    return dict(zip(names, [*required, *defaults], strict=True))


def test_the_same_classes():
    assert {name for name, value in vars(compiled).items() if inspect.isclass(value)} == {*CLASSES}


@pytest.mark.parametrize("name", CLASSES)
def test_the_same_members(name):
    public = {member for member in vars(getattr(compiled, name)) if not member.startswith("_")}
    assert public == {member for made, member, _ in MEMBERS if made == name} - {"__new__"}


@pytest.mark.parametrize(("name", "member", "item"), MEMBERS, ids=lambda value: value if isinstance(value, str) else "")
def test_the_same_parameters(name, member, item):
    made = getattr(compiled, name)
    if is_property(item):
        assert inspect.isgetsetdescriptor(vars(made)[member])
        return
    signature = inspect.signature(made if member == "__new__" else getattr(made, member))
    found = {p.name: p.default for p in signature.parameters.values() if p.name != "self"}
    expected = parameters(item)
    assert [*found] == [*expected]
    for parameter, default in found.items():
        assert default in (expected[parameter], ...)  # dots: a default that the engine does not spell out
