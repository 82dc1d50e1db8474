"""The search over branches: an AND/OR graph of boxes, searched by visits, with bounds that turn into a proof.

The objective adds up over branches, so the optimum obeys, in losses (errors and splits at their prices),

    loss(b) = min( errors(b), min over splits of price + sum over its children c of loss(c) )

For each branch the search knows `low`, which no tree on it can undercut, and `best`, the cheapest tree found so far. Where
the two meet, the branch is solved; where they meet at the root, the tree is optimal on the window.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from time import monotonic
from typing import Any

from tsdt.reference.answer import AnswerNode, best_tree
from tsdt.reference.belief import Normal, widen
from tsdt.reference.bounds import Birth, Cost, Prices, birth
from tsdt.reference.graph import (
    LEAF,
    NONE_MISSING,
    NOTHING_KNOWN,
    NOTHING_LEFT,
    ROOT,
    Action,
    Branch,
    Candidate,
    Children,
    Split,
    add_up,
    copy_of,
    plus,
)
from tsdt.reference.policies import POLICIES
from tsdt.reference.random import Random
from tsdt.reference.state import Stored
from tsdt.reference.window import Box, Condition, Counts, Row, Window, narrowed

OPTIMISTIC_EVERY = 4
"""One visit in so many is optimistic throughout."""


class BranchSearch(Stored):
    """The learner: see the module."""

    def __init__(
        self,
        split_cost: float,
        policy: str = "mixed",
        batch_size: int = 100,
        gamma: float = 0.75,
        min_samples: int = 2,
        window: int = 100_000,
        effort: float = 200.0,
        max_memory: int = 1 << 30,  # the compiled engine's business
        seed: int = 0,
    ) -> None:
        self.split_cost, self.policy, self.batch_size, self.gamma = split_cost, policy, batch_size, gamma
        self.min_samples, self.capacity, self.effort = min_samples, window, effort
        self.random = Random(seed)
        self.window = Window(window)
        self.prices = Prices(split_cost, window)
        self.waiting: list[tuple[Row, int]] = []
        self.n_iter = self.looks = 0
        self._start_over(by_rows=False)

    def _start_over(self, by_rows: bool) -> None:
        """Forget the graph, not the samples."""
        self.by_rows = by_rows
        self.prices.of_window(len(self.window.samples))
        self.branches: list[Branch] = []
        self.index: dict[Hashable, int] = {}
        self._insert((), self._unlooked((), self._birth(self.window.count(()).total)))

    # -- the seam --------------------------------------------------------------------------------------------------

    def grow(self, arities: Sequence[int], ordered: Sequence[bool], n_classes: int) -> None:
        """Make room for new categories, classes and attributes."""
        more = (0,) * (len(arities) - len(self.window.arities))
        self.waiting = [(row + more, label) for row, label in self.waiting]
        self.window.grow(arities, ordered, n_classes)

    def learn(self, codes: Any, labels: Any) -> None:
        """Take samples in; every complete batch enters the window, and the search spends its effort."""
        for row, label in zip(codes.tolist(), labels.tolist(), strict=True):
            self.waiting.append((tuple(row), label))
            if len(self.waiting) == self.batch_size:
                self._take_batch()
                self._spend_effort()

    def load(self, codes: Any, labels: Any) -> None:
        """Replace the window by a whole table; search nothing yet."""
        window = Window(max(self.capacity, len(labels)))
        window.grow(self.window.arities, self.window.ordered, self.window.n_classes)
        for row, label in zip(codes.tolist(), labels.tolist(), strict=True):
            window.add(tuple(row), label)
        self.window, self.waiting = window, []
        self.prices = Prices(self.split_cost, window.capacity)
        self._start_over(by_rows=True)

    def search(self, visits: int, seconds: float) -> bool:
        """Go on without new samples, for so many visits or seconds at the most; whether the tree is proven optimal."""
        start, made = monotonic(), 0
        while self.window.samples and not self._is_proven() and made < visits and monotonic() - start < seconds:
            self._visit()
            made += 1
        return self._is_proven()

    def held(self) -> int:
        """Samples inside: the window and the incomplete batch."""
        return len(self.window.samples) + len(self.waiting)

    def tree(self) -> list[AnswerNode]:
        """The best tree known, as the seam's list of nodes."""
        return best_tree(self)

    def certificate(self) -> tuple[float, float, bool]:
        """Value of the tree, the most that any tree is worth, and whether they are equal, all on the window."""
        root = self.branches[ROOT]
        low = max(root.low - self._slack(*self.window.changes(root.stamp)), 0)
        nodes = self.tree()
        errors = sum(sum(node.counts) - max(node.counts, default=0) for node in nodes if node.attribute < 0)
        loss = Cost(errors, sum(node.attribute >= 0 for node in nodes)).loss(self.prices)
        whole = float(self.prices.error) * float(max(len(self.window.samples), 1))
        return 1.0 - loss / whole, 1.0 - min(low, loss) / whole, low >= loss

    # -- a stream --------------------------------------------------------------------------------------------------

    def _take_batch(self) -> None:
        if self.by_rows:  # the window begins to move: rows no longer tell who is who
            self.by_rows = False
            self.index = {branch.box: id for id, branch in enumerate(self.branches)}
        for row, label in self.waiting:
            self.window.add(row, label)
        self.waiting = []
        self.prices.of_window(len(self.window.samples))

    def _spend_effort(self) -> None:
        budget, spent = int(self.effort * self.batch_size), 0
        while spent <= budget and not self._is_proven():
            spent += self._visit()

    # -- one visit -------------------------------------------------------------------------------------------------

    def _visit(self) -> int:
        """Select from the root, look at what is new or has changed, back up, children before parents."""
        self.n_iter += 1
        self.limit = self._plan()
        cost, way, stack = 0, list[tuple[int, int | None]](), [ROOT]
        while stack:
            id = stack.pop()
            cost += 1 + self._bring_up_to_date(id)
            if not self._is_solved(id):
                chosen = self._choose(self.branches[id])
                if chosen is not None:
                    cost += self._follow(id, chosen, stack)
                way.append((id, chosen))
        for id, chosen in reversed(way):
            self._back_up(id, chosen)
        return cost

    def _bring_up_to_date(self, id: int) -> int:
        branch = self.branches[id]
        if branch.stamp == self.window.added:
            if self._is_solved(id) or (branch.looked and branch.rest >= branch.best.loss(self.prices)):
                return 0
        counts = self.window.count(branch.box)
        if branch.looked:
            self._look_again(id, counts)
        else:
            self._first_look(branch, counts)
        self._settle(branch)
        return branch.n

    def _follow(self, id: int, position: int, stack: list[int]) -> int:
        """Follow an action: those of its children that are made now are looked at now, the others come next."""
        action = self.branches[id].actions[position]
        if action.children is not None:
            stack.extend(action.children.links.values())
            return 0
        action.children, cost = self._make_children(id, action.split, stack)
        return cost

    def _make_children(self, id: int, split: Split, stack: list[int]) -> tuple[Children, int]:
        children, newborn = self._settled_and_open(id, split, self.window.count(self.branches[id].box))
        cost = 0
        for place, condition, born in newborn:
            box = narrowed(self.branches[id].box, condition)
            counts = self.window.count(box)
            key = frozenset(counts.rows) if self.by_rows else box
            if key in self.index:
                stack.append(self.index[key])
            else:
                branch = self._unlooked(box, born)
                self._insert(key, branch)
                self._first_look(branch, counts)
                self._settle(branch)
                cost += born.n
            children.links[place] = self.index[key]
        return children, cost

    def _back_up(self, id: int, chosen: int | None) -> None:
        branch = self.branches[id]
        if chosen is not None:
            self._refresh(branch.actions[chosen])
        branch.visits += 1
        self._settle(branch)

    # -- looking ---------------------------------------------------------------------------------------------------

    def _first_look(self, branch: Branch, counts: Counts) -> None:
        born = self._birth(counts.total)
        branch.n, branch.errors, branch.low, branch.stamp = born.n, born.errors, born.low, self.window.added
        branch.rest = NOTHING_KNOWN if born.n < self.min_samples else NOTHING_LEFT
        branch.looked = True
        branch.actions = [candidate.action(candidate.low) for candidate in self._candidates(branch, counts)]
        self.looks += 1

    def _look_again(self, id: int, counts: Counts) -> None:
        """Samples came and went: what was known stays true within the number of samples that changed."""
        branch = self.branches[id]
        added, removed = self.window.changes(branch.stamp)
        slack = self._slack(added, removed)
        born = self._birth(counts.total)
        old = {action.split: action for action in branch.actions}
        rest, low = max(branch.rest - slack, NOTHING_KNOWN), max(branch.low - slack, 0)
        branch.n, branch.errors, branch.stamp = born.n, born.errors, self.window.added
        branch.low = min(max(low, born.low), born.high)
        branch.rest = NOTHING_KNOWN if born.n < self.min_samples else NOTHING_LEFT
        branch.actions = []
        for candidate in self._candidates(branch, counts):
            if candidate.split in old:
                branch.actions.append(self._renewed(id, candidate, old[candidate.split], slack, counts))
                continue
            # It was closed, and lost at least `rest`. But a cut may have been the same as another cut then, for want of
            # samples between them; and a split that separated nothing was no action: it cost a price for nothing.
            same = [a.low - slack for s, a in old.items() if s.attribute == candidate.split.attribute]
            floor = min([rest, *same])
            if candidate.moved <= added:
                floor = min(floor, low + self.prices.split)
            branch.actions.append(candidate.action(max(candidate.low, floor)))
        self.looks += 1

    def _renewed(self, id: int, candidate: Candidate, old: Action, slack: int, counts: Counts) -> Action:
        floor = max(candidate.low, old.low - slack)
        action = candidate.action(floor)
        if old.children is not None:
            action.children = old.children if self.by_rows else self._relink(id, candidate.split, old.children, counts)
            self._refresh(action)
        return action

    def _candidates(self, branch: Branch, counts: Counts) -> Iterator[Candidate]:
        """Every split that separates something, in the order of attributes and cuts."""
        if branch.n < self.min_samples:
            return
        held = {condition.attribute: condition for condition in branch.box}
        for attribute, is_number in enumerate(self.window.ordered):
            if is_number:
                yield from self._cuts(branch, held.get(attribute, self._unbounded(attribute)), counts)
            elif attribute not in held:
                candidate = self._candidate(branch, Split(attribute), counts.cells[attribute])
                if candidate.moved > 0:
                    yield candidate

    def _cuts(self, branch: Branch, within: Condition, counts: Counts) -> Iterator[Candidate]:
        """Between every two bins that hold samples, the missing ones on either side; and all numbers against them."""
        cells = counts.cells[within.attribute]
        missing = cells[0] if within.missing else [0] * len(cells[0])
        sides = [0, 1] if any(missing) else [NONE_MISSING]
        bins = [code for code in range(within.low, within.high + 1) if any(cells[code])]
        for position, cut in enumerate(bins):
            left, right = add_up(cells, bins[: position + 1]), add_up(cells, bins[position + 1 :])
            last = position + 1 == len(bins)
            for side in sides[1:] if last else sides:
                split = Split(within.attribute, within.high if last else cut, side)
                parts = [plus(left, missing) if side == 0 else left, plus(right, missing) if side == 1 else right]
                yield self._candidate(branch, split, parts)

    def _candidate(self, branch: Branch, split: Split, parts: Sequence[Sequence[int]]) -> Candidate:
        low, errors, variance, moved = self.prices.split, 0, 0.0, branch.n
        for part in parts:
            born = self._birth(part)
            low, errors, moved = low + born.low, errors + born.errors, min(moved, branch.n - born.n)
            if self.policy in POLICIES and born.n > 0:
                variance += self._leaf_variance(born.n, born.errors)
        return Candidate(split, low, errors, variance, moved)

    # -- children --------------------------------------------------------------------------------------------------

    def _settled_and_open(
        self, id: int, split: Split, counts: Counts
    ) -> tuple[Children, list[tuple[int, Condition, Birth]]]:
        """The children of a split: those that stay leaves, added up, and the others with their places."""
        children, newborn = Children(0, 0.0, {}), []
        held = {condition.attribute: condition for condition in self.branches[id].box}
        within = held.get(split.attribute, self._unbounded(split.attribute))
        cells = counts.cells[split.attribute]
        for place, condition in enumerate(split.conditions(within, len(cells))):
            codes = [*range(condition.low, condition.high + 1), *([0] if condition.missing else [])]
            born = self._birth(add_up(cells, codes))
            if born.n == 0:
                continue
            if born.low < born.high:
                newborn.append((place, condition, born))
            else:
                children.settled += born.errors
                children.variance += self._leaf_variance(born.n, born.errors)
        return children, newborn

    def _relink(self, id: int, split: Split, old: Children, counts: Counts) -> Children:
        """The children of an action after its branch was counted anew: who is known by his box stays known."""
        children, newborn = self._settled_and_open(id, split, counts)
        for place, condition, born in newborn:
            box = narrowed(self.branches[id].box, condition)
            if box not in self.index:
                branch = self._unlooked(box, born)
                if place in old.links:  # it was one with another box while the window stood still
                    branch = copy_of(self.branches[old.links[place]], box)
                self._insert(box, branch)
            children.links[place] = self.index[box]
        return children

    def _refresh(self, action: Action) -> bool:
        """Bring an action up to what is known of its children; whether that changed anything."""
        if action.children is None:
            return False
        errors, splits, variance = action.children.settled, 1, action.children.variance
        low = self.prices.split + errors * self.prices.error
        for id in action.children.links.values():
            child = self.branches[id]
            added, removed = self.window.changes(child.stamp)
            errors, splits = errors + child.best.errors + added, splits + child.best.splits
            low += max(child.low - self._slack(added, removed), 0)
            variance += child.variance
        before = action.best, action.low
        action.best, action.low, action.variance = Cost(errors, splits), max(low, action.low), variance
        return (action.best, action.low) != before

    def _settle(self, branch: Branch) -> None:
        """What a branch is worth by its actions; those that cannot be best are closed."""
        branch.best, branch.choice = Cost(branch.errors, 0), LEAF
        for position, action in enumerate(branch.actions):
            if action.best.loss(self.prices) < branch.best.loss(self.prices):
                branch.best, branch.choice = action.best, position
        high = branch.best.loss(self.prices)
        low = min([branch.rest, *(action.low for action in branch.actions)])
        branch.low = min(max(branch.low, low), high)
        best = branch.actions[branch.choice] if branch.choice != LEAF else None
        branch.variance = best.variance if best else self._leaf_variance(branch.n, branch.errors)
        least = NOTHING_KNOWN if branch.low >= high else high
        closed = [action for action in branch.actions if action is not best and action.low >= least]
        branch.rest = min([branch.rest, *(action.low for action in closed)])
        branch.actions = [action for action in branch.actions if action is best or action.low < least]
        branch.choice = branch.actions.index(best) if best else LEAF

    # -- policies --------------------------------------------------------------------------------------------------

    def _plan(self) -> float:
        """The mixed policy: branches with more samples than this keep the best tree's split in this visit."""
        if self.policy != "mixed" or self.n_iter % OPTIMISTIC_EVERY == 0:
            return math.inf
        return math.pow(self.branches[ROOT].n, 0.8 * self.random.uniform())

    def _choose(self, branch: Branch) -> int | None:
        """The position of the action to follow: one that may still be best, or none where there is none."""
        if self.policy in POLICIES:
            return self._drawn(branch)
        if branch.n > self.limit and branch.choice != LEAF:
            best = branch.actions[branch.choice]
            self._refresh(best)
            if best.low < best.best.loss(self.prices):
                return branch.choice
        high = branch.best.loss(self.prices)
        while True:  # the least bound; among equals the best tree, then the first
            live = [(a.low, a.best.loss(self.prices), i) for i, a in enumerate(branch.actions) if a.low < high]
            if not live:
                return None
            position = min(live)[2]
            if not self._refresh(branch.actions[position]):
                return position

    def _drawn(self, branch: Branch) -> int | None:
        high = branch.best.loss(self.prices)
        live = [i for i, action in enumerate(branch.actions) if action.low < high]
        scale = float(self.prices.error) * float(len(self.window.samples))
        posteriors: list[Normal] = [
            (-float(branch.actions[i].best.loss(self.prices)) / scale, widen(branch.actions[i].variance, self.gamma))
            for i in live
        ]
        return live[POLICIES[self.policy](posteriors, branch.visits, self.random)] if live else None

    # -- small things ----------------------------------------------------------------------------------------------

    def _is_solved(self, id: int) -> bool:
        return self.branches[id].low >= self.branches[id].best.loss(self.prices)

    def _is_proven(self) -> bool:
        return self.branches[ROOT].stamp == self.window.added and self._is_solved(ROOT)

    def _birth(self, counts: Sequence[int]) -> Birth:
        fans = [2 if number else arity for arity, number in zip(self.window.arities, self.window.ordered, strict=True)]
        return birth(counts, max([2, *fans]), self.min_samples, self.prices)

    def _slack(self, added: int, removed: int) -> int:
        """By how much a bound of the past may be too high: what the samples that went may have cost, and the errors that a
        branch too small to be split then, and not now, was bound to."""
        return self.prices.error * (removed + max(self.min_samples - 2, 0) * added)

    def _leaf_variance(self, n: int, errors: int) -> float:
        """Of a leaf's share of the value: Eq. (prior-search-leaf-leaf-2), weighted by its share of samples."""
        right, wrong = 1.0 + (n - errors), 1.0 + errors
        total, share = right + wrong, n / max(len(self.window.samples), 1)
        return share * share * (right * wrong / (total * total * (1.0 + total)))

    def _unbounded(self, attribute: int) -> Condition:
        return Condition(attribute, 1, self.window.arities[attribute] - 1, missing=True)

    def _unlooked(self, box: Box, born: Birth) -> Branch:
        variance = self._leaf_variance(born.n, born.errors)
        return Branch(box, self.window.added, born.low, Cost(born.errors, 0), born.n, born.errors, variance)

    def _insert(self, key: Hashable, branch: Branch) -> None:
        self.index[key] = len(self.branches)
        self.branches.append(branch)
