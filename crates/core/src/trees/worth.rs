//! What trees are worth: p(l) of their leaves and the posteriors of their accuracy.

use super::iteration::Scratch;
use super::search::{Child, Leaf};
use super::{Backup, NONE, TreeSearch};
use crate::belief::{Normal, Trial, WeightedSum, node_mean, node_posterior};
use crate::counts::Cell;

/// What is known of a node of the selected tree.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weighed {
    /// The chain-rule estimate of p(l), Section 4.4.
    p: f64,
    /// Samples.
    n: u32,
    /// How many of them were predicted.
    hits: u32,
}

impl TreeSearch {
    /// Look at every node of the selected tree, from the root down.
    pub(super) fn weigh(&mut self) {
        let (shape, decision) = (&self.shape, &self.decision);
        let Scratch { splits, stack, weighed, .. } = &mut self.scratch;
        let weigh = |node: u32, p: f64| {
            let evidence = decision.evidence(shape, node);
            Weighed { p, n: evidence.n(), hits: evidence.hits() }
        };
        weighed.resize(decision.len(), Weighed::default());
        weighed[0] = weigh(0, 1.0);
        stack.push((0, 0, 0));
        while let Some((node, ..)) = stack.pop() {
            let attribute = splits[node as usize];
            if attribute == NONE {
                continue;
            }
            for &child in decision.children(node, attribute) {
                let p = weighed[node as usize].p * decision.share(shape, child);
                weighed[child as usize] = weigh(child, p);
                stack.push((child, 0, 0));
            }
        }
    }

    /// The posterior of the tree of a state on the path, as it is: Eqs. (prior-search-leaf-1), (prior-search-leaf-2).
    pub(super) fn terminal(&self, state: u32) -> Normal {
        let trial = Trial { seen: self.seen(state), itself: true };
        self.sum_of_leaves(&self.search[state as usize].leaves, NONE, trial).widened(self.settings.gamma)
    }

    /// Give every child that was never selected the posterior that the data seen so far give.
    pub(super) fn initialise_children(&mut self, state: u32) {
        let trial = Trial { seen: self.seen(state), itself: false };
        self.look_ahead(state, |search, leaf, untried| {
            let others = search.sum_of_leaves(&search.search[state as usize].leaves, leaf, trial);
            for child in untried {
                child.posterior = search.after_split(others, leaf, child.attribute, trial);
            }
        });
    }

    /// The same for their means alone: those may profit from the samples of any tree.
    pub(super) fn refresh_children(&mut self, state: u32) {
        let trial = Trial { seen: f64::INFINITY, itself: false };
        self.look_ahead(state, |search, leaf, untried| {
            let others = search.sum_of_leaves(&search.search[state as usize].leaves, leaf, trial).mean;
            for child in untried {
                child.posterior.mean = search.mean_after_split(others, leaf, child.attribute);
            }
        });
    }

    /// Leaf by leaf, the children of a state that were never selected.
    fn look_ahead(&mut self, state: u32, look: impl Fn(&Self, u32, &mut dyn Iterator<Item = &mut Child>)) {
        let mut children = std::mem::take(&mut self.search[state as usize].children);
        for siblings in children.chunk_by_mut(|one, next| one.leaf == next.leaf) {
            let leaf = siblings[0].leaf;
            look(self, leaf, &mut siblings.iter_mut().filter(|child| child.node == NONE));
        }
        self.search[state as usize].children = children;
    }

    /// The samples simulated in a tree. Clark's maximum would take wider variances for higher values: all count.
    fn seen(&self, state: u32) -> f64 {
        match self.settings.backup {
            Backup::Fast => self.search[state as usize].simulated as f64 * self.settings.batch_size as f64,
            Backup::Clark => f64::INFINITY,
        }
    }

    fn sum_of_leaves(&self, leaves: &[Leaf], except: u32, trial: Trial) -> WeightedSum {
        let mut sum = WeightedSum::default();
        for leaf in leaves.iter().filter(|leaf| leaf.node != except) {
            let Weighed { p, n, hits } = self.scratch.weighed[leaf.node as usize];
            sum.add(p, node_posterior(n, hits, trial.samples(n, p)));
        }
        sum
    }

    /// The posterior of a tree with one leaf split, by that leaf's own counts (Section 4.3) and its other leaves.
    fn after_split(&self, others: WeightedSum, leaf: u32, attribute: u32, trial: Trial) -> Normal {
        let mut sum = others;
        for (weight, cell) in self.parts(leaf, attribute) {
            sum.add(weight, node_posterior(cell.n(), cell.hits(), trial.samples(cell.n(), weight)));
        }
        sum.widened(self.settings.gamma)
    }

    fn mean_after_split(&self, others: f64, leaf: u32, attribute: u32) -> f64 {
        let add = |mean, (weight, cell): (f64, Cell<'_>)| mean + weight * node_mean(cell.n(), cell.hits());
        self.parts(leaf, attribute).fold(others, add)
    }

    /// What a split of a leaf makes: each part with its probability.
    fn parts(&self, leaf: u32, attribute: u32) -> impl Iterator<Item = (f64, Cell<'_>)> {
        let p = self.scratch.weighed[leaf as usize].p;
        let counts = &self.decision.get(leaf).counts;
        let n = f64::from(counts.own(&self.shape).n());
        counts.cells(&self.shape, attribute).map(move |cell| (p * (f64::from(cell.n()) / n), cell))
    }
}
