"""The tree as an ONNX model that encodes categories itself; what its inputs are is told by `onnx_inputs`.

The tree is one TreeEnsembleRegressor that gives the number of the node that answers, whose label and class distribution
are then looked up. All numbers are doubles, so that the model answers exactly as the tree does.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tsdt.schema import OTHER
from tsdt.views.binary import Question, questions
from tsdt.views.onnx_inputs import EXACT, ModelInput, fresh, model_inputs
from tsdt.views.values import plain

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree

OPSET, ML_OPSET, IR_VERSION = 17, 3, 8


def to_onnx(tree: DecisionTree) -> Any:
    """The tree as an `onnx.ModelProto`; see `DecisionTree.to_onnx`.

    >>> from tsdt.views.example import weather
    >>> model = to_onnx(weather())
    >>> [value.name for value in model.graph.input], [value.name for value in model.graph.output]
    (['outlook', 'humidity'], ['label', 'probabilities'])
    """
    try:
        from onnx import helper
    except ImportError as error:
        raise ImportError("tree.to_onnx() needs onnx: pip install 'tsdt[onnx]'") from error
    inputs = model_inputs(tree)
    graph = _Graph([source.name for source in inputs.values()])
    asked = questions(tree)
    columns = sorted({_column(question) for question in asked if question.asks}) or [(0, True)]
    table = graph.add("Concat", [graph.column(inputs[i], codes) for i, codes in columns], axis=1)
    place = graph.add("TreeEnsembleRegressor", [table], domain="ai.onnx.ml", **_ensemble(asked, columns))
    flat = graph.add("Reshape", [place, graph.constant(np.array([-1]))])
    node = graph.add("Cast", [flat], to=helper.np_dtype_to_tensor_dtype(np.dtype(np.int64)))
    labels = _labels(tree)
    shares = np.array([tree.distribution(i) for i in range(len(tree.nodes))])
    graph.add("Gather", [graph.constant(labels), node], output="label", axis=0)
    graph.add("Gather", [graph.constant(shares), node], output="probabilities", axis=0)
    model = helper.make_model(
        graph.finished(list(inputs.values()), labels, shares),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)],
        ir_version=IR_VERSION,
        producer_name="tsdt",
    )
    described = [source.described() for source in inputs.values()]
    helper.set_model_props(model, {"tsdt.inputs": json.dumps(described)})
    return model


class _Graph:
    """Operations one after the other; the names between them are none of the inputs' names."""

    def __init__(self, inputs: list[str]) -> None:
        from onnx import helper, numpy_helper

        self.helper, self.numpy_helper = helper, numpy_helper
        self.taken = {*inputs, "label", "probabilities"}
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def name(self, base: str) -> str:
        found = fresh(base, self.taken)
        self.taken.add(found)
        return found

    def add(self, operator: str, inputs: list[str], output: str = "", domain: str = "", **settings: Any) -> str:
        output = output or self.name(operator)
        self.nodes.append(self.helper.make_node(operator, inputs, [output], domain=domain, **settings))
        return output

    def constant(self, values: NDArray[Any]) -> str:
        name = self.name("constant")
        self.constants.append(self.numpy_helper.from_array(values, name))
        return name

    def column(self, source: ModelInput, as_codes: bool) -> str:
        """The input as a column of doubles: numbers as they are, categories and bins as codes, -1 if never seen."""
        if source.attribute.is_numeric:
            return self._bins(source) if as_codes else self.add("Identity", [source.name])
        codes = {c: code for code, c in enumerate(source.attribute.categories)}
        other = codes.pop(OTHER, -1)
        missing = codes.pop(None, -1)
        if source.missing is None:
            return self._number_codes(source.name, codes, missing, other)
        keys = {**codes, source.missing: missing}
        encoded = self.add(
            "LabelEncoder", [source.name], domain="ai.onnx.ml", keys_strings=list(keys),
            values_int64s=list(keys.values()), default_int64=other,
        )  # fmt: skip
        return self._doubles(encoded)

    def _doubles(self, name: str) -> str:
        return self.add("Cast", [name], to=self.helper.np_dtype_to_tensor_dtype(np.dtype(np.float64)))

    def _bins(self, source: ModelInput) -> str:
        """Codes of bins: one and how many edges are below the number; zero where it is missing."""
        edges = np.array(source.attribute.edges or [math.inf], dtype=np.float64)
        above = self._doubles(self.add("Greater", [source.name, self.constant(edges.reshape(1, -1))]))
        number = self.add("MatMul", [above, self.constant(np.ones((len(edges), 1)))])
        present = self._doubles(self.add("Not", [self.add("IsNaN", [source.name])]))
        return self.add("Add", [number, present])

    def _number_codes(self, name: str, codes: dict[Any, int], missing: int, other: int) -> str:
        """Codes of numbers: that of `other`, and where one is equal or missing the difference to its own code."""
        keys = np.array([float(c) for c in codes] or [0.0])
        steps = np.array([code - other for code in codes.values()] or [0], dtype=np.float64)
        equal = self._doubles(self.add("Equal", [name, self.constant(keys.reshape(1, -1))]))
        known = self.add("MatMul", [equal, self.constant(steps.reshape(-1, 1))])
        absent = self._doubles(self.add("IsNaN", [name]))
        unknown = self.add("Mul", [absent, self.constant(np.array([[missing - other]], dtype=np.float64))])
        sums = self.add("Add", [known, unknown])
        return self.add("Add", [sums, self.constant(np.array([[other]], dtype=np.float64))])

    def finished(self, inputs: list[ModelInput], labels: NDArray[Any], shares: NDArray[Any]) -> Any:
        def info(name: str, dtype: Any, *shape: Any) -> Any:
            return self.helper.make_tensor_value_info(name, self.helper.np_dtype_to_tensor_dtype(dtype), shape)

        text, double = np.dtype(object), np.dtype(np.float64)
        takes = [info(source.name, text if source.is_text else double, "rows", 1) for source in inputs]
        gives = [info("label", labels.dtype, "rows"), info("probabilities", double, "rows", shares.shape[1])]
        return self.helper.make_graph(self.nodes, "tsdt", takes, gives, self.constants)


def _column(question: Question) -> tuple[int, bool]:
    """The column that a question is about: the attribute, and whether its codes."""
    return question.attribute, question.asks == "category"


def _ensemble(asked: list[Question], columns: list[tuple[int, bool]]) -> dict[str, Any]:
    """The attributes of the TreeEnsembleRegressor."""
    from onnx import numpy_helper

    answers = [place for place, question in enumerate(asked) if question.asks is None]
    values = np.array([_operand(question) for question in asked], dtype=np.float64)
    weights = np.array([asked[place].node for place in answers], dtype=np.float64)
    modes = {"category": "BRANCH_EQ", "number": "BRANCH_LEQ", "missing": "BRANCH_LT", None: "LEAF"}
    return {
        "n_targets": 1,
        "nodes_treeids": [0] * len(asked),
        "nodes_nodeids": list(range(len(asked))),
        "nodes_featureids": [columns.index(_column(q)) if q.asks else 0 for q in asked],
        "nodes_modes": [modes[question.asks] for question in asked],
        "nodes_values_as_tensor": numpy_helper.from_array(values, "values"),
        "nodes_truenodeids": [max(0, question.yes) for question in asked],
        "nodes_falsenodeids": [max(0, question.no) for question in asked],
        "nodes_missing_value_tracks_true": [int(q.missing_yes or q.asks == "missing") for q in asked],
        "target_treeids": [0] * len(answers),
        "target_nodeids": answers,
        "target_ids": [0] * len(answers),
        "target_weights_as_tensor": numpy_helper.from_array(weights, "weights"),
    }


def _operand(question: Question) -> float:
    """What the column is compared with; nothing is below minus infinity, so only a missing number says yes to that."""
    operands = {"category": float(question.code), "number": question.threshold, "missing": -math.inf}
    return operands[question.asks] if question.asks else 0.0


def _labels(tree: DecisionTree) -> NDArray[Any]:
    """The class that each node answers, of one type."""
    classes = [plain(c) for c in tree.classes]
    kinds = {type(c) for c in classes}
    labels = [classes[node.label] for node in tree.nodes]
    if kinds == {str}:
        return np.array(labels, dtype=object)
    if kinds == {bool}:
        return np.array(labels, dtype=np.bool_)
    if kinds == {int} and all(-(2**63) <= c < 2**63 for c in classes):
        return np.array(labels, dtype=np.int64)
    if kinds <= {int, float} and all(isinstance(c, float) or abs(c) < EXACT for c in classes):
        return np.array(labels, dtype=np.float64)
    raise TypeError(f"the classes {classes!r} make no tensor; classes that are all text, numbers or booleans do")
