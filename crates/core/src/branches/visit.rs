//! One visit: select from the root, look at what is new or has changed, back up, children before parents.

use super::BranchSearch;
use super::graph::{Action, Branch, Children, Cost, Id, Link, ROOT, Split};
use super::look::Newborn;
use crate::bounds::Birth;
use crate::boxes::{Condition, is_narrowed, narrowed};
use crate::window::fingerprint;

/// Counting bit by bit goes over so many samples in the time of one.
const SAMPLES_IN_A_BIT: u64 = 16;

impl BranchSearch {
    /// One visit. Gives what it cost: the samples looked at, and one for each branch on the way.
    pub(super) fn visit(&mut self) -> u64 {
        self.n_iter += 1;
        self.plan = self.settings.policy.plan(self.n_iter, self.branches[ROOT as usize].n, &mut self.random);
        let mut cost = 0;
        let (mut way, mut stack) = (std::mem::take(&mut self.scratch.way), vec![ROOT]);
        while let Some(id) = stack.pop() {
            cost += 1;
            if let Some(samples) = self.bring_up_to_date(id) {
                cost += samples;
            } else if !self.is_solved(id) {
                let chosen = self.choose(id);
                if let Some(position) = chosen {
                    cost += self.follow(id, position, &mut stack);
                }
                way.push((id, chosen));
            }
        }
        while let Some((id, chosen)) = way.pop() {
            self.back_up(id, chosen);
        }
        self.scratch.way = way;
        cost
    }

    /// Looks at a branch that was never looked at, or has changed, or has let actions go that may be best: the samples
    /// that were looked at. A visit ends where it has looked.
    pub(super) fn bring_up_to_date(&mut self, id: Id) -> Option<u64> {
        let branch = &self.branches[id as usize];
        let current = branch.stamp == self.window.added();
        if current && (self.is_solved(id) || (branch.looked && branch.rest >= branch.best.loss(self.prices))) {
            return None;
        }
        let (looked, (added, removed)) = (branch.looked, self.window.changes(branch.stamp));
        self.count(id);
        if looked {
            self.look_again(id);
        } else {
            self.first_look(id);
        }
        self.settle(id);
        let whole = self.cost_of_look(self.branches[id as usize].n);
        Some(if looked { whole.min(added + removed) } else { whole })
    }

    /// What it costs to count a branch: its samples or, bit by bit, a part of all.
    fn cost_of_look(&self, n: u32) -> u64 {
        u64::from(n).min(self.window.len() as u64 / SAMPLES_IN_A_BIT + 1)
    }

    /// Follows an action: its children are made if need be. Those just made have been looked at, the others come next.
    pub(super) fn follow(&mut self, id: Id, position: usize, stack: &mut Vec<Id>) -> u64 {
        let action = &self.branches[id as usize].actions[position];
        if let Some(children) = &action.children {
            stack.extend(children.links.iter().map(|link| link.branch));
            return 0;
        }
        let (children, cost) = self.make_children(id, action.split, stack);
        self.branches[id as usize].actions[position].children = Some(Box::new(children));
        cost
    }

    pub(super) fn make_children(&mut self, id: Id, split: Split, stack: &mut Vec<Id>) -> (Children, u64) {
        let mut bits = std::mem::take(&mut self.scratch.bits);
        self.window.select(&self.branches[id as usize].conditions, &mut bits);
        self.window.count_attribute(&bits, usize::from(split.attribute), &mut self.scratch.tally);
        let (mut children, open) = self.settled_and_open(id, split);
        let (mut links, mut cost) = (Vec::with_capacity(open.len()), 0);
        for Newborn { place, condition, birth } in open {
            let mut child_bits = std::mem::take(&mut self.scratch.child_bits);
            child_bits.clone_from(&bits);
            self.window.restrict(&condition, &mut child_bits);
            let key = if self.by_rows { fingerprint(&child_bits) } else { self.key_below(id, condition) };
            let branch = match self.index.get(&key) {
                Some(&known) => {
                    stack.push(known);
                    known
                }
                None => {
                    cost += self.cost_of_look(birth.n);
                    let new = self.insert(key, self.newborn(id, condition, &birth));
                    self.window.count(&child_bits, &mut self.scratch.tally);
                    self.first_look(new);
                    self.settle(new);
                    new
                }
            };
            links.push(Link { place, branch });
            self.scratch.child_bits = child_bits;
        }
        self.scratch.bits = bits;
        children.links = links.into_boxed_slice();
        (children, cost)
    }

    /// The children of a split by the scratch tally: those that stay leaves, added up, and the others.
    fn settled_and_open(&self, id: Id, split: Split) -> (Children, Vec<Newborn>) {
        let mut children = Children { settled: 0, variance: 0.0, links: Box::new([]) };
        let mut open = self.births(id, split);
        open.retain(|Newborn { birth, .. }| {
            if birth.low >= birth.high {
                children.settled += birth.errors;
                children.variance += self.leaf_variance(birth.n, birth.errors);
            }
            birth.low < birth.high
        });
        (children, open)
    }

    /// The children of an action after its branch was counted anew: who is known by his conditions stays known.
    pub(super) fn relink(&mut self, id: Id, split: Split, old: &Children) -> Children {
        let (mut children, open) = self.settled_and_open(id, split);
        let mut links = Vec::with_capacity(open.len());
        for Newborn { place, condition, birth } in open {
            let before = old.links.iter().find(|link| link.place == place);
            if let Some(link) = before
                && is_narrowed(
                    &self.branches[link.branch as usize].conditions,
                    &self.branches[id as usize].conditions,
                    condition,
                )
            {
                links.push(*link);
                continue;
            }
            let key = self.key_below(id, condition);
            let branch = self.index.get(&key).copied().unwrap_or_else(|| {
                let newborn = self.newborn(id, condition, &birth);
                let branch = match before {
                    Some(link) => {
                        Branch { conditions: newborn.conditions, ..self.branches[link.branch as usize].clone() }
                    }
                    None => newborn,
                };
                self.insert(key, branch)
            });
            links.push(Link { place, branch });
        }
        children.links = links.into_boxed_slice();
        children
    }

    fn newborn(&self, parent: Id, condition: Condition, birth: &Birth) -> Branch {
        let conditions = narrowed(&self.branches[parent as usize].conditions, condition);
        self.unlooked(conditions, birth)
    }

    /// Back up: the action that was followed, then the branch.
    pub(super) fn back_up(&mut self, id: Id, chosen: Option<usize>) {
        if let Some(position) = chosen {
            let mut actions = std::mem::take(&mut self.branches[id as usize].actions);
            self.refresh(&mut actions[position]);
            self.branches[id as usize].actions = actions;
        }
        self.branches[id as usize].visits += 1;
        self.settle(id);
    }

    /// Brings an action up to what is known of its children; whether that changed anything. A sample that came or went is
    /// in one child at most, so what changed since the oldest look counts once for all of them. At most all that came are
    /// errors; likely, the errors are in proportion to the samples of today, with a doubt that grows as more of them come.
    pub(super) fn refresh(&self, action: &mut Action) -> bool {
        let Some(children) = &action.children else { return false };
        let mut best = Cost { errors: children.settled, splits: 1 };
        let (mut likely, mut doubt) = (best, 0);
        let (mut low, mut alone, mut variance, mut oldest) = (0, 0, children.variance, self.window.added());
        for link in &children.links {
            let child = &self.branches[link.branch as usize];
            let (added, removed) = self.window.changes(child.stamp);
            best.errors += child.best.errors;
            best.splits += child.best.splits;
            likely.errors += self.in_proportion(child.likely.errors, added, removed);
            likely.splits += child.likely.splits;
            doubt += child.doubt;
            low += child.low;
            alone += (child.low - self.slack(added, removed)).max(0);
            variance += child.variance;
            oldest = oldest.min(child.stamp);
        }
        let (added, removed) = self.window.changes(oldest);
        best.errors += added as u32;
        doubt += (added * added / self.window.len().max(1) as u64) as u32; // the past tells less and less
        let low = (low - self.slack(added, removed)).max(alone)
            + self.prices.split
            + i64::from(children.settled) * self.prices.error;
        let low = low.max(action.low);
        let changed = (best, low) != (action.best, action.low);
        (action.best, action.likely, action.doubt) = (best, likely, doubt);
        (action.low, action.variance) = (low, variance);
        changed
    }

    /// The errors of some time ago in proportion to the samples of today.
    fn in_proportion(&self, errors: u32, added: u64, removed: u64) -> u32 {
        let now = self.window.len() as u64;
        (u64::from(errors) * now / (now + removed).saturating_sub(added).max(1)) as u32
    }

    /// Settles what a branch is worth by its actions, and closes those that cannot be best. The action that was chosen has the
    /// benefit of the doubt.
    pub(super) fn settle(&mut self, id: Id) {
        let (prices, branch) = (self.prices, &self.branches[id as usize]);
        let as_leaf = self.leaf_variance(branch.n, branch.errors);
        let branch = &mut self.branches[id as usize];
        let leaf = Cost { errors: branch.errors, splits: 0 };
        let before = std::mem::replace(&mut branch.choice, Branch::LEAF);
        (branch.best, branch.likely, branch.doubt) = (leaf, leaf, 0);
        let (mut best, mut low, mut least) = (Branch::LEAF, branch.rest, leaf.loss(prices));
        for (position, action) in branch.actions.iter().enumerate() {
            low = low.min(action.low);
            if action.best.loss(prices) < branch.best.loss(prices) {
                (branch.best, best) = (action.best, position as u32);
            }
            let doubt = if position as u32 == before { 0 } else { i64::from(action.doubt) * prices.error };
            if action.likely.loss(prices) + doubt < least {
                (branch.likely, branch.doubt, branch.choice) = (action.likely, action.doubt, position as u32);
                least = action.likely.loss(prices) + doubt;
            }
        }
        let high = branch.best.loss(prices);
        branch.low = branch.low.max(low).min(high);
        if branch.low >= high {
            (branch.likely, branch.doubt, branch.choice) = (branch.best, 0, best);
        }
        branch.variance = branch.actions.get(branch.choice as usize).map_or(as_leaf, |action| action.variance);
        self.close(id, best);
    }

    /// Lets go of the actions that lose at least as much as the best one, but for that and the chosen one.
    fn close(&mut self, id: Id, best: u32) {
        let branch = &mut self.branches[id as usize];
        let high = branch.best.loss(self.prices);
        let least = if branch.low >= high { i64::MIN } else { high };
        let (mut position, mut kept) = (0, 0);
        let (mut choice, mut rest) = (Branch::LEAF, branch.rest);
        if branch.actions.iter().all(|action| action.low < least) {
            return;
        }
        branch.actions.retain(|action| {
            let keep = position == branch.choice || position == best || action.low < least;
            if position == branch.choice {
                choice = kept;
            }
            if keep {
                kept += 1;
            } else {
                rest = rest.min(action.low);
            }
            position += 1;
            keep
        });
        (branch.choice, branch.rest) = (choice, rest);
        if branch.actions.capacity() > 2 * branch.actions.len() {
            branch.actions.shrink_to_fit();
        }
    }
}
