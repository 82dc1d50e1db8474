"""The paper's search, over trees: Algorithm 1 with both backups. Slow and plain; the compiled engine does the same.

Two kinds of node, as in the paper: a `DecisionNode` is a node of decision trees and is shared by all trees that contain
it; a `SearchNode` is a whole decision tree, a state of the Markov decision process.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tsdt.reference.belief import Normal, Trial, best_mean, clark_maximum, gini, node_posterior, widen
from tsdt.reference.boundary import check_growth, check_samples, ensure
from tsdt.reference.counts import RunningCounts
from tsdt.reference.policies import POLICIES
from tsdt.reference.random import Random
from tsdt.reference.state import Stored

BACKUPS = {"fast": best_mean, "clark": clark_maximum}
MAX_BATCH = 2**32 - 1


class DecisionNode:
    """A node of decision trees: its counts, and its children by the attribute that splits it."""

    def __init__(self, parent: DecisionNode | None, attribute: int, code: int, counts: RunningCounts) -> None:
        self.parent, self.attribute, self.code = parent, attribute, code
        self.counts = counts
        self.used: frozenset[int] = parent.used | {attribute} if parent else frozenset()
        self.children: dict[int, list[DecisionNode]] = {}

    def evidence(self) -> tuple[int, int]:
        """Samples and hits. The parent's counts know them best: they are at least as many."""
        if self.parent is None:
            return self.counts.n, self.counts.hits
        counts, i, j = self.parent.counts, self.attribute, self.code
        return sum(counts.table[i][j]), counts.table_hits[i][j]

    def probability(self) -> float:
        """The chain-rule estimate of p(l), Section 4.4, multiplied from the root down."""
        shares, node = [], self
        while node.parent is not None:
            counts = node.parent.counts
            shares.append(sum(counts.table[node.attribute][node.code]) / counts.n if counts.n else 0.0)
            node = node.parent
        return math.prod(reversed(shares), start=1.0)

    def splittable(self, min_samples: int, n_attributes: int) -> bool:
        """Whether a split could help, by the samples seen today."""
        impure = sum(c > 0 for c in self.counts.by_class) > 1
        return impure and self.counts.n >= min_samples and len(self.used) < n_attributes


class Child:
    """A split child in the search tree: the parent's tree with `leaf` split on `attribute`."""

    def __init__(self, leaf: DecisionNode, attribute: int, posterior: Normal) -> None:
        self.leaf, self.attribute, self.posterior = leaf, attribute, posterior
        self.node: SearchNode | None = None  # made when it is first selected


class SearchNode:
    """A state: a decision tree, given by the attribute that splits each of its inner nodes."""

    def __init__(self, splits: dict[DecisionNode, int], posterior: Normal) -> None:
        self.splits = splits
        self.terminal = posterior  # of the terminal child, the tree as it is
        self.posterior = posterior
        self.children: list[Child] = []
        self.treated: dict[DecisionNode, int] = {}  # leaf: how many attributes its children were made for
        self.open = False  # whether children may be selected
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
        self.decision_nodes: list[DecisionNode] = []
        self.root = self._decision_node(None, -1, 0)
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
        for node in list(self.decision_nodes):
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
        """Unroll the highest posterior mean (Lines 23 to 25), as the seam's list of nodes."""
        state, splits = self.state_root, dict[DecisionNode, int]()
        while True:
            values = self._values(state)
            k = max(range(len(values)), key=lambda i: values[i][0])
            if k == 0:
                break
            child = state.children[k - 1]
            splits = {**splits, child.leaf: child.attribute}
            if child.node is None:
                break
            state = child.node
        return self._nodes(splits)

    def posteriors(self) -> list[tuple[float, float, float, float]]:
        """Mean and variance of each search node and of its terminal child, in the order of their making."""
        return [(*node.posterior, *node.terminal) for node in self.search_nodes]

    # -- one iteration ---------------------------------------------------------------------------------------------

    def _iterate(self, batch: Sequence[tuple[Sequence[int], int]]) -> None:
        path = self._select()
        self._simulate(path[-1], batch)
        path[-1].terminal = self._terminal(path[-1])
        self._expand(path[-1])
        self._back_up(path)
        self.n_iter += 1

    def _select(self) -> list[SearchNode]:
        """Line 4: descend by the policy until the terminal child is chosen."""
        path, self.last_path = [self.state_root], []
        while path[-1].open:
            state = path[-1]
            k = self.policy(self._values(state), state.visits, self.random)
            self.last_path.append(k)
            if k == 0:
                break
            child = state.children[k - 1]
            if child.node is None:
                self._children(child.leaf, child.attribute)
                child.node = SearchNode({**state.splits, child.leaf: child.attribute}, child.posterior)
                self.search_nodes.append(child.node)
            path.append(child.node)
        return path

    def _simulate(self, state: SearchNode, batch: Sequence[tuple[Sequence[int], int]]) -> None:
        """Line 5: the samples pass through the tree; every node that a sample reaches counts it."""
        state.simulated += 1
        for x, y in batch:
            node = self.root
            node.counts.add(x, y)
            while node in state.splits:
                attribute = state.splits[node]
                node = node.children[attribute][x[attribute]]
                node.counts.add(x, y)

    def _expand(self, state: SearchNode) -> None:
        """Lines 6 to 12: treat the splittable leaf of the highest Gini impurity; open when none is left."""
        leaves = list(state.leaves(self.root))
        q = len(self.arities)
        untreated = [l for l in leaves if state.treated.get(l, 0) < q and l.splittable(self.min_samples, q)]
        if untreated:
            leaf = max(untreated, key=lambda l: gini(l.counts.by_class))
            self._treat(state, leaf)
        if len(untreated) <= 1:
            state.open = True

    def _treat(self, state: SearchNode, leaf: DecisionNode) -> None:
        """Make the children that split one leaf; then compare all children of the state on the data seen so far."""
        for attribute in range(state.treated.get(leaf, 0), len(self.arities)):
            if attribute not in leaf.used:
                state.children.append(Child(leaf, attribute, state.terminal))
        state.treated[leaf] = len(self.arities)
        for child, posterior in self._untried(state):
            child.posterior = posterior

    def _untried(self, state: SearchNode) -> Iterator[tuple[Child, Normal]]:
        """The children that were never selected, each with the posterior that the data seen so far give it."""
        leaves, trial = list(state.leaves(self.root)), Trial(self._seen(state), itself=False)
        without = {l: self._weighted_sum([other for other in leaves if other is not l], trial) for l in state.treated}
        for child in state.children:
            if child.node is None:
                yield child, self._after_split(without[child.leaf], child.leaf, child.attribute, trial)

    def _after_split(self, others: Normal, leaf: DecisionNode, attribute: int, trial: Trial) -> Normal:
        """The posterior of a tree with one leaf split, by that leaf's own counts (Section 4.3) and its other leaves."""
        (mean, variance), p = others, leaf.probability()
        for counts, hits in zip(leaf.counts.table[attribute], leaf.counts.table_hits[attribute], strict=True):
            n = sum(counts)
            weight = p * (n / leaf.counts.n)
            m, v = node_posterior(n, hits, trial.samples(n, weight))
            mean, variance = mean + weight * m, variance + weight * weight * v
        return mean, widen(variance, self.gamma)

    def _back_up(self, path: Sequence[SearchNode]) -> None:
        """Lines 16 to 21: refresh terminal child and posterior of every state on the path, the last one first."""
        for i in reversed(range(len(path))):
            state = path[i]
            if i + 1 < len(path):
                state.children[self.last_path[i] - 1].posterior = path[i + 1].posterior
                state.terminal = self._terminal(state)
            for child, (mean, _) in self._untried(state):  # means may profit from any tree's samples
                child.posterior = mean, child.posterior[1]
            state.posterior = self.combine(self._values(state))
            state.visits += 1

    # -- what states are worth -------------------------------------------------------------------------------------

    def _values(self, state: SearchNode) -> list[Normal]:
        """What each child is worth: the terminal one, then the others less the price of a split (theta-internal)."""
        return [state.terminal] + [(c.posterior[0] - self.split_cost, c.posterior[1]) for c in state.children]

    def _terminal(self, state: SearchNode) -> Normal:
        """The posterior of a tree as it is: Eqs. (prior-search-leaf-1) and (prior-search-leaf-2), with the exponent."""
        leaves = list(state.leaves(self.root))
        mean, variance = self._weighted_sum(leaves, Trial(self._seen(state), itself=True))
        return mean, widen(variance, self.gamma)

    def _seen(self, state: SearchNode) -> float:
        """The samples simulated in a tree. Clark's maximum would take wider variances for higher values: all count."""
        return float(state.simulated * self.batch_size) if self.combine is best_mean else math.inf

    def _weighted_sum(self, leaves: Sequence[DecisionNode], trial: Trial) -> Normal:
        mean = variance = 0.0
        for leaf in leaves:
            p, (n, hits) = leaf.probability(), leaf.evidence()
            m, v = node_posterior(n, hits, trial.samples(n, p))
            mean, variance = mean + p * m, variance + p * p * v
        return mean, variance

    # -- decision trees --------------------------------------------------------------------------------------------

    def _decision_node(self, parent: DecisionNode | None, attribute: int, code: int) -> DecisionNode:
        node = DecisionNode(parent, attribute, code, RunningCounts(self.arities, self.n_classes))
        self.decision_nodes.append(node)
        return node

    def _children(self, node: DecisionNode, attribute: int) -> None:
        """Split a node on an attribute: every category gets the child that it has not yet."""
        children = node.children.setdefault(attribute, [])
        while len(children) < self.arities[attribute]:
            children.append(self._decision_node(node, attribute, len(children)))

    def _nodes(self, splits: dict[DecisionNode, int]) -> list[tuple[int, int, int, list[int], list[int], list[int]]]:
        """A tree in preorder. The counts of a node are those of its parent's table; empty categories are left out."""
        nodes: list[tuple[int, int, int, list[int], list[int], list[int]]] = []
        stack: list[tuple[DecisionNode | None, list[int], list[int]]] = [(self.root, self.root.counts.by_class, [])]
        while stack:
            node, counts, siblings = stack.pop()
            siblings.append(len(nodes))
            if node is None or node not in splits:
                nodes.append((-1, -1, -1, [], [], list(counts)))
                continue
            attribute, children = splits[node], list[int]()
            table = node.counts.table[attribute]
            codes = [j for j, c in enumerate(table) if any(c)]
            nodes.append((attribute, -1, -1, codes, children, list(counts)))
            made = node.children.get(attribute)
            stack.extend((made[j] if made else None, table[j], children) for j in reversed(codes))
        return nodes
