//! Policies of the search over branches: which action of a branch to follow.

use serde::{Deserialize, Serialize};

use super::BranchSearch;
use super::graph::{Action, Branch, Id};
use crate::belief::{Normal, widen};
use crate::policies::Policy;
use crate::random::Random;

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BranchPolicy {
    /// Keeps the best tree's splits in large branches and is optimistic in small ones; what is large changes from
    /// visit to visit, and every few visits nothing is.
    Mixed,
    /// The least bound, as AO* does.
    Optimistic,
    /// One of the policies that see posteriors only.
    Drawn(Policy),
}

/// What a policy has settled for one visit: branches with more samples than this keep the split of the best tree.
pub type Plan = f64;

/// One visit in this many is optimistic throughout.
const OPTIMISTIC_EVERY: u64 = 16;

impl BranchPolicy {
    /// The policies in the words of the Python surface.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("mixed", Self::Mixed),
        ("optimistic", Self::Optimistic),
        ("thompson", Self::Drawn(Policy::Thompson)),
        ("ucb", Self::Drawn(Policy::Ucb)),
        ("epsilon-greedy", Self::Drawn(Policy::EpsilonGreedy)),
    ];

    /// Whether it needs variances.
    pub fn draws(self) -> bool {
        matches!(self, Self::Drawn(_))
    }

    /// The plan of a visit.
    pub fn plan(self, visit: u64, n: u32, random: &mut Random) -> Plan {
        if self != Self::Mixed || visit.is_multiple_of(OPTIMISTIC_EVERY) {
            return f64::INFINITY;
        }
        libm::pow(f64::from(n), 0.8 * random.uniform())
    }
}

impl BranchSearch {
    /// The position of the action to follow: one that may still be best, or none where there is none.
    pub(super) fn choose(&mut self, id: Id) -> Option<usize> {
        let mut actions = std::mem::take(&mut self.branches[id as usize].actions);
        let chosen = match self.settings.policy {
            BranchPolicy::Drawn(policy) => self.drawn(id, &actions, policy),
            _ => self.kept(id, &mut actions).or_else(|| self.most_promising(id, &mut actions)),
        };
        self.branches[id as usize].actions = actions;
        chosen
    }

    /// The best tree's split, where the plan keeps it and something is open below it.
    fn kept(&self, id: Id, actions: &mut [Action]) -> Option<usize> {
        let branch = &self.branches[id as usize];
        if f64::from(branch.n) <= self.plan || branch.choice == Branch::LEAF {
            return None;
        }
        let action = &mut actions[branch.choice as usize];
        self.refresh(action);
        (action.low < action.best.loss(self.prices)).then_some(branch.choice as usize)
    }

    /// The least bound; among equals the best tree, then the first. Bounds are brought up to date as they come up.
    fn most_promising(&self, id: Id, actions: &mut [Action]) -> Option<usize> {
        let high = self.branches[id as usize].best.loss(self.prices);
        loop {
            let live = actions.iter().enumerate().filter(|(_, action)| action.low < high);
            let (position, _) = live.min_by_key(|(_, action)| (action.low, action.best.loss(self.prices)))?;
            if !self.refresh(&mut actions[position]) {
                return Some(position);
            }
        }
    }

    fn drawn(&mut self, id: Id, actions: &[Action], policy: Policy) -> Option<usize> {
        let branch = &self.branches[id as usize];
        let (high, visits) = (branch.best.loss(self.prices), u64::from(branch.visits));
        let live: Vec<usize> = (0..actions.len()).filter(|&i| actions[i].low < high).collect();
        if live.is_empty() {
            return None;
        }
        let scale = self.prices.error as f64 * self.window.len() as f64;
        let posterior = |&i: &usize| Normal {
            mean: -(actions[i].likely.loss(self.prices) as f64) / scale,
            variance: widen(actions[i].variance, self.settings.gamma),
        };
        let posteriors: Vec<Normal> = live.iter().map(posterior).collect();
        Some(live[policy.choose(&posteriors, visits, &mut self.random)])
    }
}
