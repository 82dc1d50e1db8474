"""Where the search on a window that stands still has cost more than solving all boxes would, all boxes are solved."""

from __future__ import annotations

from tsdt.reference.bounds import Cost
from tsdt.reference.graph import Action, Branch, Split
from tsdt.reference.lattice import Lattice, is_small
from tsdt.reference.visiting import Visiting

CHEAP = 1 << 16
"""A search that has cost less than this goes on in any case."""

BOXES_FOR_A_SAMPLE = 4
"""Boxes that are solved for the price of looking at one sample."""


class Enumerating(Visiting):
    """Visits, and at last an enumeration."""

    def _visit_or_enumerate(self) -> None:
        """One visit, or one step through all boxes where that is the shorter way to the optimum."""
        if not self._is_enumeration_due():
            self.spent += self._visit()
            return
        self.n_iter += 1
        if self.lattice is None:
            window = self.window
            self.lattice = Lattice(
                window.arities, window.n_classes, self.settings.min_samples, self.prices, list(window.samples)
            )
        if self.lattice.step():
            self._adopt(self.root, self.lattice)
            self.lattice = None

    def _is_enumeration_due(self) -> bool:
        window, most = self.window, self.spent * BOXES_FOR_A_SAMPLE
        if not self.by_rows or self.spent < CHEAP or any(window.ordered):
            return False
        return is_small(window.arities, len(window.samples), self.prices, most, self.settings.max_memory // 4 * 3)

    def _adopt(self, branch: Branch, lattice: Lattice) -> None:
        """Enter the best tree of a branch, and that nothing is better."""
        attribute = lattice.best_split(branch.box, branch.errors)
        actions = [] if attribute is None else [self._adopted(branch, attribute, lattice)]
        best = actions[0].best if actions else Cost(branch.errors, 0)
        branch.actions, branch.choice, branch.rest = actions, None, best.loss(self.prices)
        self._settle(branch)

    def _adopted(self, branch: Branch, attribute: int, lattice: Lattice) -> Action:
        children, _ = self._make_children(branch, Split(attribute), [])
        for child in children.links.values():
            if not self._is_solved(child):
                self._adopt(child, lattice)
        action = Action(Split(attribute), Cost(0, 0), Cost(0, 0), 0, 0, 0.0, children)
        self._refresh(action)
        return action
