"""The tree in yes-or-no questions, as array formats need it: a split of k ways becomes k questions in a row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tsdt.tree import DecisionTree, Node

Asks = Literal["category", "number", "missing"]


@dataclass(slots=True)
class Question:
    """A question and the places of what follows, or an answer (`asks` is None).

    `"category"`: does the attribute have category `code`? `"number"`: is it at most `threshold`? (`missing_yes`: what a
    missing one says.) `"missing"`: is it missing? `node` is the node of the tree that the question is part of, and that
    answers. `counts` are the samples that come here; nobody came where an unseen category would.
    """

    node: int
    counts: tuple[int, ...]
    asks: Asks | None = None
    attribute: int = -1
    code: int = -1
    threshold: float = 0.0
    missing_yes: bool = False
    yes: int = -1
    no: int = -1


@dataclass(slots=True)
class _Builder:
    """Writes questions in preorder, the way of `no` first where a category is asked for."""

    tree: DecisionTree
    found: list[Question] = field(default_factory=list)

    def build(self) -> list[Question]:
        # What is still to be written: a node of the tree, how many of its questions are behind, and who waits for it.
        stack: list[tuple[int, int, Question | None, bool]] = [(0, 0, None, False)]
        while stack:
            i, behind, waiting, on_yes = stack.pop()
            place = len(self.found)
            if waiting is not None and on_yes:
                waiting.yes = place
            elif waiting is not None:
                waiting.no = place
            question, yes, no = self._question(i, behind)
            self.found.append(question)
            if question.asks is not None:
                first_yes = question.asks == "number"
                ways = [(*no, question, False), (*yes, question, True)]
                stack.extend(ways if first_yes else reversed(ways))
        return self.found

    def _question(self, i: int, behind: int) -> tuple[Question, tuple[int, int], tuple[int, int]]:
        """A question of node i, and the node and number of questions behind for yes and for no."""
        node = self.tree.nodes[i]
        if node.is_leaf:
            return Question(i, node.counts), (-1, 0), (-1, 0)
        if node.threshold is not None:
            return self._about_number(i, node, behind)
        if behind == len(node.children):  # an unseen category: the majority of the split answers
            return Question(i, (0,) * len(node.counts)), (-1, 0), (-1, 0)
        left = [self.tree.nodes[child].counts for child in node.children[behind:]]
        counts = tuple(map(sum, zip(*left, strict=True))) if behind else node.counts
        question = Question(i, counts, "category", node.attribute, code=node.codes[behind])
        return question, (node.children[behind], 0), (i, behind + 1)

    def _about_number(self, i: int, node: Node, behind: int) -> tuple[Question, tuple[int, int], tuple[int, int]]:
        if node.missing < 0 and behind == 0:
            return Question(i, node.counts, "missing", node.attribute), (i, 2), (i, 1)
        if behind == 2:
            return Question(i, (0,) * len(node.counts)), (-1, 0), (-1, 0)
        left, right = node.children
        assert node.threshold is not None
        question = Question(
            i, node.counts, "number", node.attribute, threshold=float(node.threshold), missing_yes=node.missing == 0
        )
        return question, (left, 0), (right, 0)


def questions(tree: DecisionTree) -> list[Question]:
    """The questions of a tree in preorder.

    >>> from tsdt.views.example import weather
    >>> [question.asks for question in questions(weather())]
    ['category', 'category', 'category', None, None, None, 'number', None, None]
    """
    return _Builder(tree).build()
