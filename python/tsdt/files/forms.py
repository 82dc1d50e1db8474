"""What a model file keeps of each class, field by field: the format of its content. A change here is a new VERSION."""

from __future__ import annotations

from typing import Any

from tsdt.checkpoints import Checkpoints
from tsdt.engine_state import Answer, EngineState
from tsdt.feed import Feed
from tsdt.files.graph import Form, Forms
from tsdt.held_codes import HeldCodes
from tsdt.leaf_models import LeafModels
from tsdt.learner import Learner
from tsdt.parameters import Parameters
from tsdt.prices import PriceChoice, Trial
from tsdt.schema import Attribute, Schema
from tsdt.schema.column import Column
from tsdt.schema.declared import Declared
from tsdt.schema.held import HeldNumbers
from tsdt.schema.lookup import GrowingLookup
from tsdt.schema.revision import Revisions
from tsdt.waiting import WaitingRows


def _form(made: type, fields: str, **passing: Any) -> Form:
    return Form(made, tuple(fields.split()), passing)


def _attribute_fields(attribute: Attribute) -> dict[str, Any]:
    return {name: getattr(attribute, name) for name in ATTRIBUTE.fields}


def _lookup_fields(lookup: GrowingLookup) -> dict[str, Any]:
    return {"categories": list(lookup), "max_categories": lookup.max_categories}


ATTRIBUTE = Form(Attribute, ("name", "kind", "categories", "edges", "position"), write=_attribute_fields)
LOOKUP = Form(
    GrowingLookup,
    ("categories", "max_categories"),
    write=_lookup_fields,
    read=lambda blank, state: GrowingLookup.__init__(blank, **state),
)

MODELS = Forms(
    classes={
        "Learner": _form(
            Learner, "parameters schema n_seen _waiting _feed", _tree=None, _first_tree=None, _history=None
        ),
        "Parameters": _form(
            Parameters,
            "split_cost auto_price search backup policy batch_size gamma window leaf_prediction bins max_categories "
            "max_iter time_limit min_samples effort max_memory schema",
        ),
        "Schema": _form(Schema, "bins max_categories declared columns positions active _classes _started has_names"),
        "Column": _form(
            Column,
            "name position declared kind why lookup edges numbers tentative n_seen n_missing",
            _attribute=None,
        ),
        "Declared": _form(Declared, "kind categories edges"),
        "Attribute": ATTRIBUTE,
        "Categories": LOOKUP,
        "WaitingRows": _form(WaitingRows, "schema rows labels"),
        "Feed": _form(
            Feed,
            "schema parameters seed split_cost choice engine grown held leaf_models revisions price_checkpoints "
            "_iterations_before watch _worth",
        ),
        "HeldCodes": _form(HeldCodes, "capacity _codes _classes _start _stop"),
        "LeafModels": _form(
            LeafModels, "adaptive held nodes arities starts by_class tables hits", _logs=None, _bayes=None
        ),
        "Revisions": _form(Revisions, "schema held checkpoints"),
        "HeldNumbers": _form(HeldNumbers, "capacity count _size _rings"),
        "Checkpoints": _form(Checkpoints, "batch_size window count last next patience"),
        "PriceChoice": _form(PriceChoice, "split_cost trials n_held_out stays"),
    },
    tuples={"EngineState": EngineState, "Answer": Answer, "Trial": Trial},
)
