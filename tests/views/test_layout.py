"""The layout is tidy: nothing overlaps, parents stand over the middle, equal subtrees look equal, and it is fast."""

from __future__ import annotations

import time
from collections import defaultdict
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tsdt.views.layout import COUSINS, SIBLINGS, tidy

shapes = st.recursive(st.just([]), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=40)


def in_preorder(shape: list, children: list[list[int]] | None = None) -> list[list[int]]:
    children = [] if children is None else children
    place = len(children)
    children.append([])
    for below in shape:
        children[place].append(len(children))
        in_preorder(below, children)
    return children


def levels(children: list[list[int]]) -> list[list[int]]:
    depth, rows = [0] * len(children), defaultdict(list)
    for i, below in enumerate(children):
        rows[depth[i]].append(i)
        for child in below:
            depth[child] = depth[i] + 1
    return list(rows.values())


@settings(max_examples=200, deadline=None)
@given(shapes)
def test_neighbours_keep_their_distance_and_parents_stand_in_the_middle(shape):
    children = in_preorder(shape)
    place = tidy(children)
    parent = {child: i for i, below in enumerate(children) for child in below}
    for row in levels(children):
        for left, right in pairwise(row):
            least = SIBLINGS if parent[left] == parent[right] else COUSINS
            assert place[right] - place[left] >= least - 1e-9
    for i, below in enumerate(children):
        if below:
            assert abs(place[i] - (place[below[0]] + place[below[-1]]) / 2) < 1e-9
    assert min(place) == 0


@settings(max_examples=60, deadline=None)
@given(shapes)
def test_equal_subtrees_are_drawn_equal(shape):
    once = tidy(in_preorder(shape))
    twice = tidy(in_preorder([shape, [], shape]))
    n = len(once)
    for start in (1, n + 2):
        offset = twice[start] - once[0]
        assert all(abs(twice[start + i] - once[i] - offset) < 1e-9 for i in range(n))


@settings(max_examples=60, deadline=None)
@given(shapes)
def test_a_mirrored_tree_has_the_mirrored_extent(shape):
    def mirrored(shape):
        return [mirrored(below) for below in reversed(shape)]

    assert abs(max(tidy(in_preorder(shape))) - max(tidy(in_preorder(mirrored(shape))))) < 1e-9


def test_a_chain_of_a_hundred_thousand_nodes_takes_linear_time():
    def seconds(splits: int) -> float:
        children = [[i + 1, i + 2] if i % 2 == 0 else [] for i in range(2 * splits)] + [[]]
        start = time.process_time()
        tidy(children)
        return time.process_time() - start

    assert seconds(50_000) < 40 * seconds(5_000)
