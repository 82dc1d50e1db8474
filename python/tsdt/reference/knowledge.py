"""What the search over branches knows: window, prices and graph, and how knowledge of children becomes their parents'.

It asks the window nothing. For each branch it knows `low`, which no tree on it can undercut, and `best`, the least that
a tree found so far can cost. Where the two meet, the branch is solved. While samples come and go, many a part of a tree
was counted some time ago: `best` then takes every sample that came since for an error, and the tree is chosen by what
it is `likely` to cost.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tsdt.reference.bounds import Birth, Cost, Prices, birth
from tsdt.reference.graph import NOTHING_KNOWN, Action, Branch, Children
from tsdt.reference.lattice import Lattice
from tsdt.reference.random import Random
from tsdt.reference.settings import Settings
from tsdt.reference.window import Box, Window


class Knowledge:
    """The window, the prices and the graph."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.random = Random(settings.seed)
        self.window = Window(settings.window)
        self.prices = Prices(settings.split_cost, settings.window)
        self.n_iter = self.looks = 0
        self.calm = 0  # batches since the best tree last changed its shape or lost
        self.fewest_errors = 0  # that it has had since then
        self.last_shape: list[int] = []
        self.credit = 0  # below zero: what the last batches spent beyond their effort
        self._start_over(by_rows=False)

    def _start_over(self, by_rows: bool) -> None:
        """Forget the graph, not the samples. Where rows tell who is who, boxes with the same rows are one branch."""
        self.by_rows = by_rows
        self.spent = 0  # on a window that stands still
        self.lattice: Lattice | None = None
        self.prices.of_window(len(self.window.samples))
        self.branches: list[Branch] = []
        self.index: dict[Hashable, Branch] = {}
        self.root = self._unlooked((), self._birth(self.window.count(()).total))
        self._insert(self._key(()), self.root)

    def _shape(self) -> list[int]:
        """The attributes that split the best tree known, the root's first."""
        shape, stack = list[int](), [self.root]
        while stack:
            action = stack.pop().best_action()
            if action is not None:
                shape.append(action.split.attribute)
                stack.extend(action.children.links.values() if action.children else [])
        return shape

    def _key(self, box: Box) -> Hashable:
        return self.window.places(box) if self.by_rows else box

    def _know_by_boxes(self) -> None:
        """The window begins to move: rows no longer tell who is who."""
        self.by_rows, self.lattice = False, None
        self.index = {branch.box: branch for branch in self.branches}

    def _unlooked(self, box: Box, born: Birth) -> Branch:
        variance = self._leaf_variance(born.n, born.errors)
        leaf = Cost(born.errors, 0)
        return Branch(box, self.window.added, born.low, leaf, leaf, 0, born.n, born.errors, variance)

    def _insert(self, key: Hashable, branch: Branch) -> None:
        self.index[key] = branch
        self.branches.append(branch)

    # -- from children to parents ----------------------------------------------------------------------------------

    def _refresh(self, action: Action) -> bool:
        """Bring an action up to what is known of its children; whether that changed anything.

        A sample that came or went is in one child at most, so what changed since the oldest look counts once for all.
        """
        if action.children is None:
            return False
        children = list(action.children.links.values())
        errors = action.children.settled + sum(child.best.errors for child in children)
        splits = 1 + sum(child.best.splits for child in children)
        added, removed = self.window.changes(min([self.window.added, *(child.stamp for child in children)]))
        together = sum(child.low for child in children) - self._slack(added, removed)
        alone = sum(max(child.low - self._slack(*self.window.changes(child.stamp)), 0) for child in children)
        low = self.prices.split + action.children.settled * self.prices.error + max(together, alone)
        variance = action.children.variance
        for child in children:
            variance += child.variance
        before = action.best, action.low
        action.best, action.low, action.variance = Cost(errors + added, splits), max(low, action.low), variance
        action.likely, action.doubt = self._likely(action.children)
        return (action.best, action.low) != before

    def _likely(self, children: Children) -> tuple[Cost, int]:
        """The cost of a split whose children were last counted some time ago, and a doubt.

        Their errors are taken in proportion to the samples of today. The doubt is a part of the samples that have come
        since the oldest look, the greater the more have come: the past tells less and less.
        """
        now, links = len(self.window.samples), children.links.values()
        errors, oldest = children.settled, self.window.added
        for child in links:
            added, removed = self.window.changes(child.stamp)
            errors += child.likely.errors * now // max(now + removed - added, 1)
            oldest = min(oldest, child.stamp)
        added, _ = self.window.changes(oldest)
        doubt = sum(child.doubt for child in links) + added * added // max(now, 1)
        return Cost(errors, 1 + sum(child.likely.splits for child in links)), doubt

    def _settle(self, branch: Branch) -> None:
        """What a branch is worth by its actions; those that cannot be best are closed.

        The action that was chosen has the benefit of the doubt.
        """
        before, best, chosen = branch.best_action(), None, None
        branch.best = branch.likely = Cost(branch.errors, 0)
        branch.doubt = 0
        least = branch.likely.loss(self.prices)
        for action in branch.actions:
            if action.best.loss(self.prices) < branch.best.loss(self.prices):
                best, branch.best = action, action.best
            doubt = 0 if action is before else action.doubt * self.prices.error
            if action.likely.loss(self.prices) + doubt < least:
                chosen, least = action, action.likely.loss(self.prices) + doubt
        high = branch.best.loss(self.prices)
        low = min([branch.rest, *(action.low for action in branch.actions)])
        branch.low = min(max(branch.low, low), high)
        if branch.low >= high:
            chosen, branch.likely = best, branch.best
        elif chosen:
            branch.likely, branch.doubt = chosen.likely, chosen.doubt
        branch.variance = chosen.variance if chosen else self._leaf_variance(branch.n, branch.errors)
        self._close(branch, [action for action in (best, chosen) if action])
        branch.choice = next((position for position, action in enumerate(branch.actions) if action is chosen), None)

    def _close(self, branch: Branch, needed: Sequence[Action]) -> None:
        """Let go of the actions that lose at least as much as the best tree, but for those that are needed."""
        high = branch.best.loss(self.prices)
        least = NOTHING_KNOWN if branch.low >= high else high
        stays = [action.low < least or any(action is one for one in needed) for action in branch.actions]
        closed = [action.low for action, stay in zip(branch.actions, stays, strict=True) if not stay]
        branch.rest = min([branch.rest, *closed])
        branch.actions = [action for action, stay in zip(branch.actions, stays, strict=True) if stay]

    # -- small things ----------------------------------------------------------------------------------------------

    def _is_solved(self, branch: Branch) -> bool:
        return branch.low >= branch.best.loss(self.prices)

    def _is_proven(self) -> bool:
        return self.root.stamp == self.window.added and self._is_solved(self.root)

    def _birth(self, counts: Sequence[int]) -> Birth:
        fans = [2 if number else arity for arity, number in zip(self.window.arities, self.window.ordered, strict=True)]
        return birth(counts, max([2, *fans]), self.settings.min_samples, self.prices)

    def _slack(self, added: int, removed: int) -> int:
        """By how much a bound of the past may be too high now.

        By what the samples that went may have cost; and by the errors to which a branch was bound that was too small to
        be split then, and is not now.
        """
        return self.prices.error * (removed + max(self.settings.min_samples - 2, 0) * added)

    def _leaf_variance(self, n: int, errors: int) -> float:
        """Of a leaf's share of the value: Eq. (prior-search-leaf-leaf-2), weighted by its share of samples."""
        right, wrong = 1.0 + (n - errors), 1.0 + errors
        total, share = right + wrong, n / max(len(self.window.samples), 1)
        return share * share * (right * wrong / (total * total * (1.0 + total)))
