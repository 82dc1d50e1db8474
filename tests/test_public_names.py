"""Every public name says what it is; every class, function and method also shows it by an example, which is run."""

import importlib
import inspect

import pytest

MODULES = ["tsdt", "tsdt.river", "tsdt.files", "tsdt.schema", "tsdt.datasets"]


def members(cls):
    """The public methods and properties that are ours; scikit-learn and River explain what they bring."""
    for owner in cls.__mro__:
        if owner.__module__.startswith("tsdt."):
            for name, member in vars(owner).items():
                is_field = inspect.ismemberdescriptor(member) or not hasattr(member, "__get__")
                if not name.startswith("_") and not is_field:
                    yield name, getattr(member, "__func__", member)


def public():
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing):
                yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                yield from ((f"{module.__name__}.{name}.{member}", method) for member, method in members(thing))


NAMES = dict(public())


def test_the_names_are_found():
    assert {"tsdt.TSDTClassifier.fit", "tsdt.DecisionTree.to_sql", "tsdt.river.TSDTClassifier.learn_many"} <= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_explained(name):
    thing = NAMES[name]
    explained = inspect.getdoc(thing) or ""
    assert explained, f"{name} has no docstring"
    if callable(thing):
        assert ">>> " in explained, f"{name} has no example"
