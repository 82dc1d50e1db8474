//! Looking at a branch: from the counts of its box to the value and the bound of every action.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::BranchSearch;
use super::graph::{Action, Branch, Cost, Id, Split};
use crate::bounds::Birth;
use crate::boxes::Condition;

/// An action as the counts show it.
struct Candidate {
    split: Split,
    low: i64,
    errors: u32,
    variance: f64,
    /// Separable samples in all children, and in the largest: see [`Candidate::moved`].
    separable: u32,
    largest: u32,
}

/// A child that is about to be.
pub(super) struct Newborn {
    pub place: u16,
    pub condition: Condition,
    pub birth: Birth,
}

impl BranchSearch {
    /// Counts a branch, now, into the scratch tally. What was kept is brought up to date where that is cheaper.
    pub(super) fn count(&mut self, id: Id) {
        let branch = &mut self.branches[id as usize];
        let kept = branch.tally.take();
        let budget = branch.n as usize * 4;
        let current = kept.as_ref().is_some_and(|kept| self.scratch.tally.restore(kept))
            && self.window.catch_up(&branch.conditions, branch.stamp, budget, &mut self.scratch.tally);
        if !current {
            self.window.select(&branch.conditions, &mut self.scratch.bits);
            self.window.count(&self.scratch.bits, &mut self.scratch.tally);
        }
        if !self.by_rows && branch.n >= Self::KEEP_TALLY {
            branch.tally = Some(self.scratch.tally.kept(kept));
        }
    }

    /// The first look: the scratch tally holds the branch's counts.
    pub(super) fn first_look(&mut self, id: Id) {
        let birth = self.birth(self.scratch.tally.total());
        let branch = &mut self.branches[id as usize];
        (branch.n, branch.errors, branch.stamp) = (birth.n, birth.errors, self.window.added());
        (branch.low, branch.looked) = (birth.low, true);
        branch.rest = if birth.n < self.settings.min_samples { i64::MIN } else { i64::MAX };
        let mut actions = Vec::new();
        self.each_candidate(id, |candidate| actions.push(candidate.action(candidate.low)));
        self.branches[id as usize].actions = actions;
        self.looks += 1;
    }

    /// Another look at a branch that was looked at before: because samples came and went, or because actions were let
    /// go for want of memory. What was known stays true within the number of samples that changed.
    pub(super) fn look_again(&mut self, id: Id) {
        let (added, removed) = self.window.changes(self.branches[id as usize].stamp);
        let slack = self.slack(added, removed);
        let birth = self.birth(self.scratch.tally.total());
        let branch = &mut self.branches[id as usize];
        let old = std::mem::take(&mut branch.actions);
        let (rest, low) = (branch.rest.saturating_sub(slack), (branch.low - slack).max(0));
        (branch.n, branch.errors, branch.stamp) = (birth.n, birth.errors, self.window.added());
        branch.low = low.max(birth.low).min(birth.high);
        branch.rest = if birth.n < self.settings.min_samples { i64::MIN } else { i64::MAX };
        branch.looked = true;
        let mut candidates = Vec::new();
        self.each_candidate(id, |c| candidates.push(c));
        let floors = Floors::new(&old, rest, low, slack);
        let chosen =
            old.get(self.branches[id as usize].choice as usize).map(|action| self.as_of_today(id, action.split));
        let mut old = self.as_candidates(id, old).into_iter().peekable();
        let mut actions = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            actions.push(match next_of(&mut old, candidate.split) {
                Some(action) => self.renewed(id, &candidate, action, slack),
                None => candidate.action(
                    candidate.low.max(floors.of(&candidate, added as i64 + self.prices.split / self.prices.error)),
                ),
            });
        }
        let position = chosen.and_then(|split| actions.iter().position(|action| action.split == split));
        let branch = &mut self.branches[id as usize];
        (branch.actions, branch.choice) = (actions, position.map_or(Branch::LEAF, |position| position as u32));
        self.looks += 1;
    }

    /// A split under the name that candidates have today: a cut moves down over bins that are empty now, and the side of
    /// missing numbers follows whether there are any.
    fn as_of_today(&self, id: Id, mut split: Split) -> Split {
        if split.cut == Split::BY_CATEGORY {
            return split;
        }
        let attribute = usize::from(split.attribute);
        let within = self.held_to(&self.branches[id as usize].conditions, attribute);
        let is_empty = |code: u16| is_empty(self.scratch.tally.cell(attribute, usize::from(code)));
        if split.cut < within.high {
            while split.cut > within.low && is_empty(split.cut) {
                split.cut -= 1;
            }
        }
        split.missing = match split.missing {
            _ if !within.missing || is_empty(0) => Split::NONE_MISSING,
            Split::NONE_MISSING => 0,
            side => side,
        };
        split
    }

    /// Known actions under the names that candidates have today. Of actions that have become the same the cheapest stays.
    fn as_candidates(&self, id: Id, mut actions: Vec<Action>) -> Vec<Action> {
        for action in &mut actions {
            action.split = self.as_of_today(id, action.split);
        }
        actions.sort_by_key(|action| (key_of(action.split), action.likely.loss(self.prices)));
        actions.dedup_by_key(|action| action.split);
        actions
    }

    /// A known action after another look at its branch.
    fn renewed(&mut self, id: Id, candidate: &Candidate, mut action: Action, slack: i64) -> Action {
        let floor = candidate.low.max(action.low.saturating_sub(slack));
        let old = action.children.take();
        let mut renewed = candidate.action(floor);
        if let Some(old) = old {
            let children = if self.by_rows { *old } else { self.relink(id, candidate.split, &old) };
            renewed.children = Some(Box::new(children));
            self.refresh(&mut renewed);
            renewed.low = renewed.low.max(floor);
        }
        renewed
    }

    /// Every split that separates something, with its bounds, in the order of attributes and cuts.
    fn each_candidate(&self, id: Id, mut act: impl FnMut(Candidate)) {
        let branch = &self.branches[id as usize];
        if branch.n < self.settings.min_samples {
            return;
        }
        let mut held = branch.conditions.iter().peekable();
        for attribute in 0..self.window.arities().len() {
            let condition = held.next_if(|c| usize::from(c.attribute) == attribute);
            if self.window.ordered()[attribute] {
                let within = condition.copied().unwrap_or_else(|| self.unbounded(attribute));
                self.each_cut(within, &mut act);
            } else if condition.is_none() {
                self.by_category(attribute).into_iter().for_each(&mut act);
            }
        }
    }

    fn by_category(&self, attribute: usize) -> Option<Candidate> {
        let split = Split::by_category(attribute as u16);
        let mut sum = Candidate { split, low: self.prices.split, errors: 0, variance: 0.0, separable: 0, largest: 0 };
        for code in 0..self.window.arities()[attribute] as usize {
            let cell = self.scratch.tally.cell(attribute, code);
            self.add_child(&mut sum, &self.birth(cell));
        }
        self.is_worth_it(&sum).then_some(sum)
    }

    /// Whether a split can be worth its price: giving all samples to the tree of the largest child would spare the price,
    /// and lose at most the samples that others might get right.
    fn is_worth_it(&self, candidate: &Candidate) -> bool {
        i64::from(candidate.moved()) * self.prices.error > self.prices.split
    }

    fn add_child(&self, sum: &mut Candidate, child: &Birth) {
        sum.low += child.low;
        sum.errors += child.errors;
        sum.separable += child.separable;
        sum.largest = sum.largest.max(child.separable);
        if self.settings.policy.draws() && child.n > 0 {
            sum.variance += self.leaf_variance(child.n, child.errors);
        }
    }

    /// The cuts of a number: between every two bins that hold samples, the missing ones on either side; and, where some are
    /// missing, all numbers against them.
    fn each_cut(&self, within: Condition, act: &mut impl FnMut(Candidate)) {
        let attribute = usize::from(within.attribute);
        let cell = |code: u16| self.scratch.tally.cell(attribute, usize::from(code));
        let missing: Vec<u32> = if within.missing { cell(0).to_vec() } else { vec![0; cell(0).len()] };
        let sides: &[u8] = if is_empty(&missing) { &[Split::NONE_MISSING] } else { &[0, 1] };
        let (mut left, mut right) = (vec![0; missing.len()], vec![0; missing.len()]);
        (within.low..=within.high).for_each(|code| add_to(&mut right, cell(code)));
        for cut in within.low..=within.high {
            if is_empty(cell(cut)) {
                continue; // the same as the cut before
            }
            add_to(&mut left, cell(cut));
            right.iter_mut().zip(cell(cut)).for_each(|(r, c)| *r -= c);
            let last = is_empty(&right);
            for &side in if last { &sides[1..] } else { sides } {
                let cut = if last { within.high } else { cut };
                let split = Split { attribute: within.attribute, cut, missing: side };
                let mut sum =
                    Candidate { split, low: self.prices.split, errors: 0, variance: 0.0, separable: 0, largest: 0 };
                self.add_child(&mut sum, &self.birth_with(&left, &missing, side == 0));
                self.add_child(&mut sum, &self.birth_with(&right, &missing, side == 1));
                if self.is_worth_it(&sum) {
                    act(sum);
                }
            }
            if last {
                break;
            }
        }
    }

    fn birth_with(&self, counts: &[u32], missing: &[u32], included: bool) -> Birth {
        if !included {
            return self.birth(counts);
        }
        let mut sum = counts.to_vec();
        add_to(&mut sum, missing);
        self.birth(&sum)
    }

    /// The children of a split with their places and counts, from the scratch tally; empty ones are left out.
    pub(super) fn births(&self, id: Id, split: Split) -> Vec<Newborn> {
        let attribute = usize::from(split.attribute);
        let within = self.held_to(&self.branches[id as usize].conditions, attribute);
        let conditions = split.conditions(within, self.window.arities()[attribute]);
        let newborn = |(place, condition): (usize, Condition)| {
            let mut counts = vec![0; self.scratch.tally.stride()];
            let codes = (condition.low..=condition.high).chain(condition.missing.then_some(0));
            codes.for_each(|code| add_to(&mut counts, self.scratch.tally.cell(attribute, usize::from(code))));
            Newborn { place: place as u16, condition, birth: self.birth(&counts) }
        };
        conditions.into_iter().enumerate().map(newborn).filter(|child| child.birth.n > 0).collect()
    }

    /// What a box holds an attribute to.
    pub(super) fn held_to(&self, conditions: &[Condition], attribute: usize) -> Condition {
        let held = conditions.iter().find(|c| usize::from(c.attribute) == attribute);
        held.copied().unwrap_or_else(|| self.unbounded(attribute))
    }

    /// A numeric attribute held to nothing.
    fn unbounded(&self, attribute: usize) -> Condition {
        let high = self.window.arities()[attribute] as u16 - 1;
        Condition { attribute: attribute as u16, low: 1, high, missing: true }
    }
}

impl Candidate {
    /// Separable samples outside the largest child.
    fn moved(&self) -> u32 {
        self.separable - self.largest
    }

    fn action(&self, low: i64) -> Action {
        let best = Cost { errors: self.errors, splits: 1 };
        Action { split: self.split, best, likely: best, doubt: 0, low, variance: self.variance, children: None }
    }
}

/// What is known of actions that were not in the list at the last look.
struct Floors {
    rest: i64,
    low: i64,
    listed: Vec<(u16, i64)>,
}

impl Floors {
    fn new(old: &[Action], rest: i64, low: i64, slack: i64) -> Self {
        let mut listed: Vec<(u16, i64)> = Vec::new();
        for action in old {
            let (attribute, low) = (action.split.attribute, action.low.saturating_sub(slack));
            match listed.last_mut() {
                Some((same, least)) if *same == attribute => *least = low.min(*least),
                _ => listed.push((attribute, low)),
            }
        }
        Self { rest, low, listed }
    }

    /// A split that was closed at the last look loses at least `rest`. But a cut may have been the same as another cut of
    /// its attribute then, for want of samples between them; and a split that was not worth its price was no action, but
    /// no better than the best tree either. That can only be where it moves `few` samples now.
    fn of(&self, candidate: &Candidate, few: i64) -> i64 {
        let attribute = candidate.split.attribute;
        let same = self.listed.binary_search_by_key(&attribute, |&(a, _)| a).map_or(i64::MAX, |at| self.listed[at].1);
        let floor = self.rest.min(same);
        if i64::from(candidate.moved()) > few { floor } else { floor.min(self.low) }
    }
}

/// The action with a split, from a list that has the order of candidates but not all of them.
fn next_of(list: &mut Peekable<IntoIter<Action>>, split: Split) -> Option<Action> {
    while list.next_if(|action| key_of(action.split) < key_of(split)).is_some() {}
    list.next_if(|action| action.split == split)
}

/// The order of candidates.
fn key_of(split: Split) -> (u16, u16, u8) {
    (split.attribute, split.cut, split.missing)
}

fn add_to(sum: &mut [u32], counts: &[u32]) {
    sum.iter_mut().zip(counts).for_each(|(s, c)| *s += c);
}

fn is_empty(counts: &[u32]) -> bool {
    counts.iter().all(|&c| c == 0)
}
