"""Where the nodes of a tree go: a tidy layout in linear time, for splits of any width. Nothing is drawn here.

Reingold and Tilford (1981), as Walker (1990) widened it to many children and Buchheim, Jünger and Leipert (2002) made
it linear. Nodes come in preorder, so going backwards meets children before parents and nothing recurses.
"""

from __future__ import annotations

from collections.abc import Sequence

SIBLINGS, COUSINS = 1.0, 1.2  # least distance between neighbours of one parent, and of two


def tidy(children: Sequence[Sequence[int]]) -> list[float]:
    """The place of each node across its level, least 0; `children[i]` are the children of node i, in preorder.

    >>> tidy([[1, 2], [], [3, 4, 5], [], [], []])
    [0.5, 0.0, 1.0, 0.0, 1.0, 2.0]
    """
    return _Layout(children).places()


class _Layout:
    """The state of the walk, in the words of Buchheim's paper."""

    def __init__(self, children: Sequence[Sequence[int]]) -> None:
        n = len(children)
        self.children = children
        self.parent, self.rank = [-1] * n, [0] * n
        for i, below in enumerate(children):
            for rank, child in enumerate(below):
                self.parent[child], self.rank[child] = i, rank
        self.prelim, self.mod, self.shift, self.change = [0.0] * n, [0.0] * n, [0.0] * n, [0.0] * n
        self.thread, self.ancestor = [-1] * n, list(range(n))

    def places(self) -> list[float]:
        for i in reversed(range(len(self.children))):
            if self.children[i]:
                self._place_children(i)
        place, offset = list(self.prelim), [0.0] * len(self.prelim)
        for i, below in enumerate(self.children):
            for child in below:
                offset[child] = offset[i] + self.mod[i]
                place[child] += offset[child]
        least = min(place)
        return [p - least for p in place]

    def _place_children(self, i: int) -> None:
        """Set the children of i side by side, each subtree as close to those on its left as it can be."""
        below = self.children[i]
        default = below[0]
        for rank, child in enumerate(below):
            middle = self._middle(child)
            self.prelim[child] = middle
            if rank:
                self.prelim[child] = self.prelim[below[rank - 1]] + SIBLINGS
                if self.children[child]:
                    self.mod[child] = self.prelim[child] - middle
                default = self._apportion(child, default)
        self._execute_shifts(i)
        self.prelim[i] = self._middle(i)

    def _middle(self, i: int) -> float:
        below = self.children[i]
        return (self.prelim[below[0]] + self.prelim[below[-1]]) / 2 if below else 0.0

    def _right(self, i: int) -> int:
        return self.children[i][-1] if self.children[i] else self.thread[i]

    def _left(self, i: int) -> int:
        return self.children[i][0] if self.children[i] else self.thread[i]

    def _apportion(self, v: int, default: int) -> int:
        """Push the subtree of v away from the subtrees on its left, along their facing contours."""
        siblings = self.children[self.parent[v]]
        inner, outer = v, v
        left_inner, left_outer = siblings[self.rank[v] - 1], siblings[0]
        sum_in = sum_out = self.mod[v]
        sum_left_in, sum_left_out = self.mod[left_inner], self.mod[left_outer]
        while self._right(left_inner) >= 0 and self._left(inner) >= 0:
            left_inner, inner = self._right(left_inner), self._left(inner)
            left_outer, outer = self._left(left_outer), self._right(outer)
            self.ancestor[outer] = v
            distance = SIBLINGS if self.parent[left_inner] == self.parent[inner] else COUSINS
            push = self.prelim[left_inner] + sum_left_in - self.prelim[inner] - sum_in + distance
            if push > 0:
                self._move(self._pusher(left_inner, v, default), v, push)
                sum_in, sum_out = sum_in + push, sum_out + push
            sum_left_in, sum_in = sum_left_in + self.mod[left_inner], sum_in + self.mod[inner]
            sum_left_out, sum_out = sum_left_out + self.mod[left_outer], sum_out + self.mod[outer]
        if self._right(left_inner) >= 0 and self._right(outer) < 0:
            self.thread[outer] = self._right(left_inner)
            self.mod[outer] += sum_left_in - sum_out
        if self._left(inner) >= 0 and self._left(left_outer) < 0:
            self.thread[left_outer] = self._left(inner)
            self.mod[left_outer] += sum_in - sum_left_out
            default = v
        return default

    def _pusher(self, i: int, v: int, default: int) -> int:
        """The sibling of v whose subtree holds node i of the left contour."""
        ancestor = self.ancestor[i]
        return ancestor if self.parent[ancestor] == self.parent[v] else default

    def _move(self, left: int, right: int, distance: float) -> None:
        subtrees = self.rank[right] - self.rank[left]
        self.change[right] -= distance / subtrees
        self.shift[right] += distance
        self.change[left] += distance / subtrees
        self.prelim[right] += distance
        self.mod[right] += distance

    def _execute_shifts(self, i: int) -> None:
        """Spread the pushes evenly over the subtrees between the two that met."""
        shift = change = 0.0
        for child in reversed(self.children[i]):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change
