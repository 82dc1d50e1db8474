"""Looking at a branch: from the counts of its box to the value and the bound of every action, and to its children."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tsdt.reference.bounds import Birth
from tsdt.reference.graph import (
    BY_CATEGORY,
    NONE_MISSING,
    NOTHING_KNOWN,
    NOTHING_LEFT,
    Action,
    Branch,
    Candidate,
    Children,
    Split,
    add_up,
    copy_of,
    plus,
)
from tsdt.reference.knowledge import Knowledge
from tsdt.reference.policies import POLICIES
from tsdt.reference.window import Condition, Counts, narrowed


class Newborn(NamedTuple):
    """A child that is about to be: its place among the children of its split, what it adds to the box, its bounds."""

    place: int
    condition: Condition
    birth: Birth


class Looking(Knowledge):
    """Knowledge that asks the window."""

    def _first_look(self, branch: Branch, counts: Counts) -> None:
        born = self._birth(counts.total)
        branch.n, branch.errors, branch.low, branch.stamp = born.n, born.errors, born.low, self.window.added
        branch.rest = self._rest_of_all(born)
        branch.looked = True
        branch.actions = [candidate.action(candidate.low) for candidate in self._candidates(branch, counts)]
        self.looks += 1

    def _look_again(self, branch: Branch, counts: Counts) -> None:
        """Samples came and went: what was known stays true within the number of samples that changed."""
        added, removed = self.window.changes(branch.stamp)
        slack = self._slack(added, removed)
        born = self._birth(counts.total)
        same_as = [(action.split.attribute, action.low - slack) for action in branch.actions]
        old, before = self._as_candidates(branch, counts), branch.best_action()
        chosen = self._as_of_today(branch, before.split, counts) if before else None
        rest, low = max(branch.rest - slack, NOTHING_KNOWN), max(branch.low - slack, 0)
        branch.n, branch.errors, branch.stamp = born.n, born.errors, self.window.added
        branch.low = min(max(low, born.low), born.high)
        branch.rest = self._rest_of_all(born)
        branch.actions = []
        for candidate in self._candidates(branch, counts):
            if candidate.split in old:
                branch.actions.append(self._renewed(branch, candidate, old[candidate.split], slack, counts))
                continue
            # It was closed, and lost at least `rest`. But a cut may have been the same as another cut then, for want of
            # samples between them; and a split that was not worth its price was no action, but no better than the best
            # tree either. That can only be where it moves few samples now.
            same = [floor for attribute, floor in same_as if attribute == candidate.split.attribute]
            floor = min([rest, *same])
            if candidate.moved <= added + self.prices.split // self.prices.error:
                floor = min(floor, low)
            branch.actions.append(candidate.action(max(candidate.low, floor)))
        branch.choice = next((i for i, action in enumerate(branch.actions) if action.split == chosen), None)
        self.looks += 1

    def _as_candidates(self, branch: Branch, counts: Counts) -> dict[Split, Action]:
        """Known actions by the names that candidates have today; of those that are the same now, the cheapest."""
        known: dict[Split, Action] = {}
        for action in branch.actions:
            split = self._as_of_today(branch, action.split, counts)
            rival = known.get(split)
            if rival is None or action.likely.loss(self.prices) < rival.likely.loss(self.prices):
                known[split] = action
        return known

    def _as_of_today(self, branch: Branch, split: Split, counts: Counts) -> Split:
        """A split under the name that candidates have today.

        A cut moves down over bins that are empty now, and the side of missing numbers follows whether there are any.
        """
        if split.cut == BY_CATEGORY:
            return split
        within, cells = self.window.held_to(branch.box, split.attribute), counts.cells[split.attribute]
        cut, missing = split.cut, split.missing
        while within.low < cut < within.high and not any(cells[cut]):
            cut -= 1
        if not (within.missing and any(cells[0])):
            missing = NONE_MISSING
        elif missing == NONE_MISSING:
            missing = 0
        return Split(split.attribute, cut, missing)

    def _rest_of_all(self, born: Birth) -> int:
        """Of a branch whose actions are all listed. One that is too small to be split has to be asked again later."""
        return NOTHING_KNOWN if born.n < self.settings.min_samples else NOTHING_LEFT

    def _renewed(self, branch: Branch, candidate: Candidate, old: Action, slack: int, counts: Counts) -> Action:
        """A known action after another look at its branch."""
        action = candidate.action(max(candidate.low, old.low - slack))
        if old.children is not None:
            same = self.by_rows
            action.children = old.children if same else self._relink(branch, candidate.split, old.children, counts)
            self._refresh(action)
        return action

    # -- candidates ------------------------------------------------------------------------------------------------

    def _candidates(self, branch: Branch, counts: Counts) -> Iterator[Candidate]:
        """Every split that can be worth its price, in the order of attributes and cuts.

        Giving all samples to the tree of the largest child would spare the price, and lose at most the samples moved.
        """
        if branch.n < self.settings.min_samples:
            return
        held = {condition.attribute for condition in branch.box}
        for attribute, is_number in enumerate(self.window.ordered):
            if is_number:
                found = self._cuts(self.window.held_to(branch.box, attribute), counts)
            else:
                found = iter([self._candidate(Split(attribute), counts.cells[attribute])] * (attribute not in held))
            yield from (c for c in found if c.moved * self.prices.error > self.prices.split)

    def _cuts(self, within: Condition, counts: Counts) -> Iterator[Candidate]:
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
                yield self._candidate(split, parts)

    def _candidate(self, split: Split, parts: Sequence[Sequence[int]]) -> Candidate:
        born = [self._birth(part) for part in parts]
        low = self.prices.split + sum(child.low for child in born)
        variance = 0.0
        for child in born:  # not sum(): it rounds floats differently from one Python to the next
            if self.settings.policy in POLICIES and child.n > 0:
                variance += self._leaf_variance(child.n, child.errors)
        moved = sum(child.separable for child in born) - max(child.separable for child in born)
        return Candidate(split, low, sum(child.errors for child in born), variance, moved)

    # -- children --------------------------------------------------------------------------------------------------

    def _settled_and_open(self, branch: Branch, split: Split, counts: Counts) -> tuple[Children, list[Newborn]]:
        """The children of a split: those that stay leaves, added up, and the others."""
        children, newborn = Children(), list[Newborn]()
        cells = counts.cells[split.attribute]
        within = self.window.held_to(branch.box, split.attribute)
        for place, condition in enumerate(split.conditions(within, len(cells))):
            codes = [*range(condition.low, condition.high + 1), *([0] if condition.missing else [])]
            born = self._birth(add_up(cells, codes))
            if born.low < born.high:
                newborn.append(Newborn(place, condition, born))
            elif born.n > 0:
                children.settled += born.errors
                children.variance += self._leaf_variance(born.n, born.errors)
        return children, newborn

    def _relink(self, branch: Branch, split: Split, old: Children, counts: Counts) -> Children:
        """The children of an action after its branch was counted anew: who is known by his box stays known."""
        children, newborn = self._settled_and_open(branch, split, counts)
        for place, condition, born in newborn:
            box = narrowed(branch.box, condition)
            if box not in self.index:
                child = self._unlooked(box, born)
                if place in old.links:  # it was one with another box while the window stood still
                    child = copy_of(old.links[place], box)
                self._insert(box, child)
            children.links[place] = self.index[box]
        return children
