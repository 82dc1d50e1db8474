"""Graphviz and Mermaid: the structure is the tree's, and no name can break out of its quotes."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from view_strategies import trees_and_rows
from view_trees import random_tree

from tsdt.views import words
from tsdt.views.example import weather

STRING = r'"((?:[^"\\]|\\.)*)"'


def edges_of(tree):
    return {
        (i, child): words.edge(tree, node, position)
        for i, node in enumerate(tree.nodes)
        for position, child in enumerate(node.children)
    }


def head_of(tree, node):
    return words.value(tree.classes[node.label]) if node.is_leaf else words.name(tree, node)


def unescaped(label):
    return re.sub(r"\\(.)", r"\1", label)


@settings(max_examples=200, deadline=None)
@given(trees_and_rows(n_rows=0))
def test_dot_has_the_nodes_and_edges_of_the_tree(case):
    tree, _ = case
    lines = tree.to_dot().splitlines()
    nodes = dict(match.groups() for line in lines if (match := re.match(rf"  (\d+) \[label={STRING}", line)))
    assert [unescaped(nodes[str(i)].rpartition("\\n")[0]) for i in range(len(tree.nodes))] == [
        head_of(tree, node) for node in tree.nodes
    ]
    edges = [re.fullmatch(rf'  (\d+) -> (\d+) \[label={STRING}, penwidth="[\d.]+"\];', line) for line in lines]
    found = {(int(edge[1]), int(edge[2])): unescaped(edge[3]) for edge in edges if edge}
    assert found == edges_of(tree)
    assert len(lines) == 5 + len(nodes) + len(found)


@settings(max_examples=15, deadline=None)
@given(trees_and_rows(n_rows=0))
def test_graphviz_reads_dot(case):
    if shutil.which("dot") is None:
        pytest.skip("graphviz is not installed")
    tree, _ = case
    done = subprocess.run(["dot", "-Tjson0"], input=tree.to_dot(), capture_output=True, text=True, check=True)
    graph = json.loads(done.stdout, strict=False)
    names = [thing["name"] for thing in graph["objects"]]
    found = {(int(names[e["tail"]]), int(names[e["head"]])): unescaped(e["label"]) for e in graph.get("edges", [])}
    assert len(names) == len(tree.nodes) and found == edges_of(tree)


def decoded(label):
    return html.unescape(re.sub(r"#(\d+);", r"&#\1;", label))


@settings(max_examples=200, deadline=None)
@given(trees_and_rows(n_rows=0))
def test_mermaid_has_the_nodes_and_edges_of_the_tree(case):
    tree, _ = case
    first, *lines = tree.to_mermaid().splitlines()
    assert first == "flowchart LR"
    nodes = {
        m[1]: m[2]
        for line in lines
        if (m := re.fullmatch(r'  n(\d+)\(?\["([^"<>`]*)<br>[^"]*"\]\)?(?::::c\d+)?', line))
    }
    assert [decoded(nodes[str(i)]) for i in range(len(tree.nodes))] == [head_of(tree, node) for node in tree.nodes]
    edges = [re.fullmatch(r'  n(\d+) -- "([^"<>`]*)" --- n(\d+)', line) for line in lines]
    found = {(int(edge[1]), int(edge[3])): decoded(edge[2]) for edge in edges if edge}
    assert found == edges_of(tree)
    styles = {tree.nodes[leaf].label for leaf in tree.leaves}
    assert len(lines) == len(nodes) + len(found) + len(styles)


def test_diagrams_of_large_trees_are_text():
    tree = random_tree(200, seed=2)
    assert tree.to_dot().count("->") == tree.to_mermaid().count("---") == len(tree.nodes) - 1


def test_the_weather_as_a_flowchart():
    assert '  n0 -- "sunny" --- n1' in weather().to_mermaid().splitlines()
    assert '  n1 -- "≤ 77.5" --- n2' in weather().to_mermaid().splitlines()
