"""One visit: select from the root, look at what is new or has changed, back up, children before parents."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tsdt.reference.answer import AnswerNode
from tsdt.reference.belief import Normal, widen
from tsdt.reference.graph import Action, Branch, Children, Split
from tsdt.reference.looking import Looking
from tsdt.reference.policies import POLICIES
from tsdt.reference.window import narrowed

OPTIMISTIC_EVERY = 16
"""One visit in so many is optimistic throughout."""


SAMPLES_IN_A_BIT = 16
"""Counting bit by bit, as the compiled engine does in large branches, goes over so many samples in the time of one."""


class Visiting(Looking):
    """Knowledge that grows by visits."""

    def _visit(self) -> int:
        """One visit. Returns what it cost: the samples looked at, and one for each branch on the way."""
        self.n_iter += 1
        self.limit = self._plan()
        cost, way, stack = 0, list[tuple[Branch, Action | None]](), [self.root]
        while stack:
            branch = stack.pop()
            looked = self._bring_up_to_date(branch)
            cost += 1 + (looked or 0)
            if looked is None and not self._is_solved(branch):  # a visit ends where it has looked
                chosen = self._choose(branch)
                if chosen is not None:
                    cost += self._follow(branch, chosen, stack)
                way.append((branch, chosen))
        for branch, chosen in reversed(way):
            self._back_up(branch, chosen)
        return cost

    def _bring_up_to_date(self, branch: Branch) -> int | None:
        """Look at a branch that was never looked at, or has changed: the samples that had to be looked at."""
        asked = branch.looked and branch.rest >= branch.best.loss(self.prices)
        if branch.stamp == self.window.added and (asked or self._is_solved(branch)):
            return None
        counts = self.window.count(branch.box)
        looked, changes = branch.looked, sum(self.window.changes(branch.stamp))
        if looked:
            self._look_again(branch, counts)
        else:
            self._first_look(branch, counts)
        self._settle(branch)
        cost = self._cost_of_look(branch.n)
        return min(cost, changes) if looked else cost

    def _cost_of_look(self, n: int) -> int:
        """What it costs to count a branch: its samples or, bit by bit, a part of all."""
        return min(n, len(self.window.samples) // SAMPLES_IN_A_BIT + 1)

    def _follow(self, branch: Branch, action: Action, stack: list[Branch]) -> int:
        """Follow an action: those of its children that are made now are looked at now, the others come next."""
        if action.children is not None:
            stack.extend(action.children.links.values())
            return 0
        action.children, cost = self._make_children(branch, action.split, stack)
        return cost

    def _make_children(self, branch: Branch, split: Split, stack: list[Branch]) -> tuple[Children, int]:
        children, newborn = self._settled_and_open(branch, split, self.window.count(branch.box))
        cost = 0
        for place, condition, born in newborn:
            box = narrowed(branch.box, condition)
            key = self._key(box)
            if key in self.index:
                stack.append(self.index[key])
            else:
                child = self._unlooked(box, born)
                self._insert(key, child)
                self._first_look(child, self.window.count(box))
                self._settle(child)
                cost += self._cost_of_look(born.n)
            children.links[place] = self.index[key]
        return children, cost

    def _back_up(self, branch: Branch, chosen: Action | None) -> None:
        if chosen is not None:
            self._refresh(chosen)
        branch.visits += 1
        self._settle(branch)

    # -- policies --------------------------------------------------------------------------------------------------

    def _plan(self) -> float:
        """The mixed policy: branches with more samples than this keep the best tree's split in this visit."""
        if self.settings.policy != "mixed" or self.n_iter % OPTIMISTIC_EVERY == 0:
            return math.inf
        return math.pow(self.root.n, 0.8 * self.random.uniform())

    def _choose(self, branch: Branch) -> Action | None:
        """The action to follow: one that may still be best, or none where there is none."""
        if self.settings.policy in POLICIES:
            return self._drawn(branch)
        best = branch.best_action()
        if best is not None and branch.n > self.limit:
            self._refresh(best)
            if best.low < best.best.loss(self.prices):
                return best
        while True:
            action = self._most_promising(branch)
            if action is None or not self._refresh(action):
                return action

    def _most_promising(self, branch: Branch) -> Action | None:
        """The least bound; among equals the best tree, then the first."""
        high = branch.best.loss(self.prices)
        live = [action for action in branch.actions if action.low < high]
        return min(live, key=lambda action: (action.low, action.best.loss(self.prices)), default=None)

    def _drawn(self, branch: Branch) -> Action | None:
        high = branch.best.loss(self.prices)
        live = [action for action in branch.actions if action.low < high]
        scale = float(self.prices.error) * float(len(self.window.samples))
        posteriors: list[Normal] = [
            (-float(action.likely.loss(self.prices)) / scale, widen(action.variance, self.settings.gamma))
            for action in live
        ]
        choose = POLICIES[self.settings.policy]
        return live[choose(posteriors, branch.visits, self.random)] if live else None

    # -- a given tree ----------------------------------------------------------------------------------------------

    def _plant(self, tree: Sequence[AnswerNode]) -> None:
        """Put a tree into the graph, so far as its splits are actions there."""
        way, stack = list[tuple[Branch, Action | None]](), [(self.root, tree[0])]
        while stack:
            branch, node = stack.pop()
            self._bring_up_to_date(branch)
            same = (a for a in branch.actions if (a.split.attribute, a.split.cut) == (node.attribute, node.cut))
            action = next(same, None)
            way.append((branch, action))
            if action is None:
                continue
            self._follow(branch, action, [])
            places = node.codes if node.cut < 0 else range(2)
            below = {place: tree[child] for place, child in zip(places, node.children, strict=True)}
            links = action.children.links if action.children else {}
            stack.extend((child, below[place]) for place, child in links.items() if place in below)
        for branch, action in reversed(way):
            self._back_up(branch, action)
