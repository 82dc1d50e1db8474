"""The paper's search, over trees: Algorithm 1 with both backups. Slow and plain; the compiled engine does the same.

Two kinds of node, as in the paper: a `DecisionNode` (see `decision`) is a node of decision trees and is shared by all
trees that contain it; a `SearchNode` is a whole decision tree, a state of the Markov decision process.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tsdt.reference.belief import (
    Normal,
    Trial,
    best_mean,
    cautious_mean,
    clark_maximum,
    full,
    never,
    node_posterior,
    simulated,
    widen,
)
from tsdt.reference.boundary import check_growth, check_samples, ensure
from tsdt.reference.counts import RunningCounts
from tsdt.reference.decision import Conditions, DecisionNode, evidence, worth_of
from tsdt.reference.policies import POLICIES
from tsdt.reference.random import Random
from tsdt.reference.state import Stored

BACKUPS = {"fast": best_mean, "clark": clark_maximum}
MAX_BATCH = 2**32 - 1


class Weighed(NamedTuple):
    """What is known of a node in a tree: the chain-rule estimate of p(l), Section 4.4, samples, hits, worth."""

    p: float
    n: int
    hits: int
    worth: float


Splits = dict[DecisionNode, int]
"""A tree: the attribute that splits each of its inner nodes."""


class Child:
    """A split child in the search tree: the parent's tree with `leaf` split on `attribute`."""

    def __init__(self, leaf: DecisionNode, attribute: int) -> None:
        self.leaf, self.attribute = leaf, attribute
        self.variance = 0.0  # how uncertain its worth is as long as it was never selected
        self.node: SearchNode | None = None  # made when it is first selected


class SearchNode:
    """A state: a decision tree."""

    def __init__(self, splits: Splits, posterior: Normal) -> None:
        self.splits = splits
        self.terminal = posterior  # of the terminal child, the tree as it is
        self.posterior = posterior
        self.children: list[Child] = []
        self.treated: dict[DecisionNode, int] = {}  # leaf: how many attributes its children were made for
        self.visits = 0  # how often it was on the path
        self.simulated = 0  # how often it was the end of the path

    def leaves(self, root: DecisionNode) -> Iterator[DecisionNode]:
        """The leaves from left to right."""
        stack = [root]
        while stack:
            node = stack.pop()
            if node in self.splits:
                stack.extend(reversed(node.children[self.splits[node]]))
            else:
                yield node


class TreeSearch(Stored):
    """TSDT (`backup="clark"`) and Fast-TSDT (`backup="fast"`)."""

    def __init__(
        self,
        split_cost: float,
        backup: str = "fast",
        policy: str = "thompson",
        batch_size: int = 100,
        gamma: float = 0.75,
        min_samples: int = 2,
        seed: int = 0,
    ) -> None:
        ensure(0.0 <= split_cost < math.inf, f"split_cost is {split_cost}: it must be a number, 0 or more")
        ensure(backup in BACKUPS, f"backup is {backup!r}: it must be one of {[*BACKUPS]}")
        ensure(policy in POLICIES, f"policy is {policy!r}: it must be one of {[*POLICIES]}")
        ensure(0 < batch_size < MAX_BATCH, f"batch_size is {batch_size}: it must be from 1 to {MAX_BATCH - 1}")
        ensure(0.0 < gamma <= 1.0, f"gamma is {gamma}: it must be above 0 and at most 1")
        ensure(0 <= min_samples < 2**32, f"min_samples is {min_samples}: out of range")
        ensure(0 <= seed < 2**64, f"seed is {seed}: out of range")
        self.split_cost, self.batch_size, self.gamma, self.min_samples = split_cost, batch_size, gamma, min_samples
        self.combine, self.policy = BACKUPS[backup], POLICIES[policy]
        self.random = Random(seed)
        self.arities: list[int] = []
        self.n_classes = 0
        self.nodes: dict[Conditions, DecisionNode] = {}
        self.root = self._node(())
        self.state_root = SearchNode({}, (0.5, widen(1.0 / 12.0, gamma)))  # nothing seen: the uniform Beta(1, 1)
        self.search_nodes = [self.state_root]
        self.pending: list[tuple[Sequence[int], int]] = []
        self.n_iter = 0
        self.last_path: list[int] = []  # the positions chosen in the last selection, 0 is the terminal child

    # -- the seam --------------------------------------------------------------------------------------------------

    def grow(self, arities: Sequence[int], ordered: Sequence[bool], n_classes: int) -> None:
        """Make room for new categories, classes and attributes. Bins of numbers are categories here."""
        check_growth((self.arities, self.n_classes), (arities, n_classes))
        ensure(len(ordered) == len(arities), f"{len(arities)} arities and {len(ordered)} values of ordered: one each")
        self.arities, self.n_classes = list(arities), n_classes
        self.pending = [([*x, *[0] * (len(arities) - len(x))], y) for x, y in self.pending]
        for node in list(self.nodes.values()):
            node.counts.grow(self.arities, n_classes)
            for attribute in node.children:
                self._children(node, attribute)

    def learn(self, codes: Any, labels: Any) -> None:
        """Take samples in; every complete batch makes one iteration of Algorithm 1."""
        check_samples(codes, labels, self.arities, self.n_classes)
        for x, y in zip(codes.tolist(), labels.tolist(), strict=True):
            self.pending.append((x, y))
            if len(self.pending) == self.batch_size:
                self._iterate(self.pending)
                self.pending = []

    def tree(self) -> list[tuple[int, int, int, list[int], list[int], list[int]]]:
        """Every node is split as is best by all that is known of it (Lines 23 to 25), as the seam's list of nodes.

        The counts of a node are those of its parent's table; empty categories are left out.
        """
        nodes: list[tuple[int, int, int, list[int], list[int], list[int]]] = []
        stack: list[tuple[DecisionNode | None, int, list[int], list[int]]]
        stack = [(self.root, self.root.counts.hits, self.root.counts.by_class, [])]
        while stack:
            node, hits, counts, siblings = stack.pop()
            siblings.append(len(nodes))
            if node is None or node.sure <= cautious_mean(*evidence(sum(counts), hits, node)):
                nodes.append((-1, -1, -1, [], [], list(counts)))
                continue
            attribute, children = node.choice, list[int]()
            table, table_hits = node.counts.table[attribute], node.counts.table_hits[attribute]
            codes = [j for j, c in enumerate(table) if any(c)]
            nodes.append((attribute, -1, -1, codes, children, list(counts)))
            made = node.children.get(attribute)
            stack.extend((made[j] if made else None, table_hits[j], table[j], children) for j in reversed(codes))
        return nodes

    def posteriors(self) -> list[tuple[float, float, float, float]]:
        """Mean and variance of each search node and of its terminal child, in the order of their making."""
        return [(*node.posterior, *node.terminal) for node in self.search_nodes]

    # -- one iteration ---------------------------------------------------------------------------------------------

    def _iterate(self, batch: Sequence[tuple[Sequence[int], int]]) -> None:
        path = self._select()
        tree = self._played_out(path[-1])
        self._simulate(tree, batch)
        weighed = self._reckon(tree)
        path[-1].simulated += 1
        path[-1].terminal = self._terminal(path[-1], weighed)
        self._expand(path[-1], weighed)
        self._back_up(path, weighed)
        self.n_iter += 1

    def _select(self) -> list[SearchNode]:
        """Line 4: descend by the policy until the terminal child is chosen, or a state that was never visited."""
        path, self.last_path = [self.state_root], []
        while path[-1].visits:
            state = path[-1]
            values = self._values(state, self._weigh(state.splits))
            k = self.policy(values, state.visits, self.random)
            self.last_path.append(k)
            if k == 0:
                break
            child = state.children[k - 1]
            if child.node is None:
                self._children(child.leaf, child.attribute)
                child.node = SearchNode({**state.splits, child.leaf: child.attribute}, values[k])
                self.search_nodes.append(child.node)
            path.append(child.node)
        return path

    def _played_out(self, state: SearchNode) -> Splits:
        """The selected tree, grown on for this iteration by the policy and what is known of each leaf.

        So the samples teach what lies below it too.
        """
        splits, leaves = dict(state.splits), list(state.leaves(self.root))
        weighed = self._weigh(splits)
        while leaves:
            node = leaves.pop()
            if not node.splittable(self.min_samples, len(self.arities)):
                continue
            attributes = [*node.grown]
            k = self.policy(self._prospects(node, weighed[node]), node.counts.n, self.random)
            if k > 0:
                splits[node] = attributes[k - 1]
                self._children(node, attributes[k - 1])
                self._weigh_parts(node, attributes[k - 1], weighed)
                leaves.extend(node.children[attributes[k - 1]])
        return splits

    def _simulate(self, tree: Splits, batch: Sequence[tuple[Sequence[int], int]]) -> None:
        """Line 5: the samples pass through the tree; every node that a sample reaches counts it."""
        for x, y in batch:
            node = self.root
            node.counts.add(x, y)
            while node in tree:
                attribute = tree[node]
                node = node.children[attribute][x[attribute]]
                node.counts.add(x, y)

    def _expand(self, state: SearchNode, weighed: dict[DecisionNode, Weighed]) -> None:
        """Lines 6 to 12: make the children that split the leaves that can be split, and compare them on the data."""
        q = len(self.arities)
        fresh = [l for l in state.leaves(self.root) if state.treated.get(l, 0) < q and self._is_open(l, weighed[l])]
        for leaf in fresh:
            attributes = [i for i in range(state.treated.get(leaf, 0), q) if not leaf.uses(i)]
            state.children.extend(Child(leaf, attribute) for attribute in attributes)
            state.treated[leaf] = q
        if fresh:
            self._initialise_children(state, weighed)

    def _initialise_children(self, state: SearchNode, weighed: dict[DecisionNode, Weighed]) -> None:
        """Give every child that was never selected the uncertainty that the data seen so far leave."""
        leaves = list(state.leaves(self.root))
        without = {l: _sum_of([weighed[other] for other in leaves if other is not l], never) for l in state.treated}
        for child in state.children:
            if child.node is None:
                others, p = without[child.leaf], weighed[child.leaf].p
                child.variance = widen(_after_split(others, child.leaf, p, child.attribute, never), self.gamma)

    def _back_up(self, path: Sequence[SearchNode], weighed: dict[DecisionNode, Weighed]) -> None:
        """Lines 16 to 21: refresh terminal child and posterior of every state on the path, the last one first."""
        for state in reversed(path):
            if state is not path[-1]:
                state.terminal = self._terminal(state, weighed)
            state.posterior = self.combine(self._values(state, weighed))
            state.visits += 1

    # -- what trees are worth --------------------------------------------------------------------------------------

    def _weigh(self, tree: Splits) -> dict[DecisionNode, Weighed]:
        """Look at every node of a tree, from the root down."""
        n, hits = self.root.counts.n, self.root.counts.hits
        weighed, nodes = {self.root: Weighed(1.0, n, hits, worth_of(n, hits, self.root))}, [self.root]
        for node in nodes:
            if node in tree:
                self._weigh_parts(node, tree[node], weighed)
                nodes.extend(node.children[tree[node]])
        return weighed

    def _weigh_parts(self, node: DecisionNode, attribute: int, weighed: dict[DecisionNode, Weighed]) -> None:
        """Look at the children of a split."""
        for (share, n, hits, _), child in zip(node.parts(attribute), node.children[attribute], strict=True):
            weighed[child] = Weighed(weighed[node].p * share, n, hits, worth_of(n, hits, child))

    def _reckon(self, tree: Splits) -> dict[DecisionNode, Weighed]:
        """Look anew at what every split of every node of a tree is worth, from the leaves up."""
        weighed = self._weigh(tree)
        for node in reversed(weighed):
            if self._is_open(node, weighed[node]):
                node.reckon(self.split_cost / weighed[node].p)
        return self._weigh(tree)

    def _is_open(self, node: DecisionNode, weighed: Weighed) -> bool:
        """Whether a node of a tree can be split, and is reached there."""
        return weighed.p > 0.0 and node.splittable(self.min_samples, len(self.arities))

    def _values(self, state: SearchNode, weighed: dict[DecisionNode, Weighed]) -> list[Normal]:
        """What each child is worth: the terminal one first, Eq. (theta-internal).

        A tree is worth the sum of what its leaves are worth with the best subtrees known; Clark's backup has its own
        word on children that were selected.
        """
        outlook, values = 0.0, [state.terminal]
        for leaf in state.leaves(self.root):
            outlook += weighed[leaf].p * weighed[leaf].worth
        for child in state.children:
            p, _, _, worth = weighed[child.leaf]
            mean = outlook + p * (child.leaf.grown[child.attribute] - worth)
            if child.node is None:
                values.append((mean, child.variance))
            elif self.combine is best_mean:
                values.append((mean, child.node.posterior[1]))
            else:
                values.append((child.node.posterior[0] - self.split_cost, child.node.posterior[1]))
        return values

    def _prospects(self, node: DecisionNode, weighed: Weighed) -> list[Normal]:
        """What a node is worth as a leaf, then with each split that was ever asked about."""
        mean, variance = node_posterior(weighed.n, weighed.hits)
        values = [(mean, widen(variance, self.gamma))]
        for attribute, worth in node.grown.items():
            values.append((worth, widen(_after_split((0.0, 0.0), node, 1.0, attribute, full), self.gamma)))
        return values

    def _terminal(self, state: SearchNode, weighed: dict[DecisionNode, Weighed]) -> Normal:
        """The posterior of a tree as it is: Eqs. (prior-search-leaf-1) and (prior-search-leaf-2), with the exponent."""
        seen = float(state.simulated * self.batch_size)
        trial = simulated(seen) if self.combine is best_mean else full  # Clark's takes wider for higher
        mean, variance = _sum_of([weighed[leaf] for leaf in state.leaves(self.root)], trial)
        return mean, widen(variance, self.gamma)

    # -- decision trees --------------------------------------------------------------------------------------------

    def _node(self, conditions: Conditions) -> DecisionNode:
        """The node with some conditions, made if it is new."""
        if conditions not in self.nodes:
            self.nodes[conditions] = DecisionNode(conditions, RunningCounts(self.arities, self.n_classes))
        return self.nodes[conditions]

    def _children(self, node: DecisionNode, attribute: int) -> None:
        """Split a node on an attribute: every category gets the child that it has not yet."""
        children = node.children.setdefault(attribute, [])
        while len(children) < self.arities[attribute]:
            children.append(self._node(self._conditions_below(node, attribute, len(children))))

    def _conditions_below(self, node: DecisionNode, attribute: int, code: int) -> Conditions:
        """The conditions of a child, in the same order whichever was asked for first."""
        return tuple(sorted((*node.conditions, (attribute, code))))


def _sum_of(leaves: Iterable[Weighed], trial: Trial) -> Normal:
    """The sum of the posteriors of some leaves."""
    mean = variance = 0.0
    for p, n, hits, _ in leaves:
        m, v = node_posterior(n, hits, trial(n, p))
        mean, variance = mean + p * m, variance + p * p * v
    return mean, variance


def _after_split(others: Normal, leaf: DecisionNode, p: float, attribute: int, trial: Trial) -> float:
    """The variance of a tree with a leaf of probability `p` split, by that leaf's own counts (Section 4.3)."""
    _, variance = others
    for share, n, hits, _ in leaf.parts(attribute):
        weight = p * share
        _, v = node_posterior(n, hits, trial(n, weight))
        variance += weight * weight * v
    return variance
