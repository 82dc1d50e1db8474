//! What trees are worth: p(l) of their leaves and the posteriors of their accuracy.

use super::search::Leaf;
use super::{Backup, NONE, TreeSearch};
use crate::belief::{Normal, Trial, WeightedSum, node_mean, node_posterior, widen};

/// What is known of a node of the tree of this iteration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weighed {
    /// The chain-rule estimate of p(l), Section 4.4.
    p: f64,
    /// Samples.
    n: u32,
    /// How many of them were predicted.
    hits: u32,
    /// What a sample is worth here with the best subtree known.
    worth: f64,
}

impl TreeSearch {
    /// Look at the root: the tree of one leaf.
    pub(super) fn weigh_root(&mut self) {
        let own = self.decision.get(0).counts.own(&self.shape);
        let root = Weighed { p: 1.0, n: own.n(), hits: own.hits(), worth: self.decision.worth(0, own) };
        self.scratch.weighed.resize(self.decision.len(), Weighed::default());
        self.scratch.weighed[0] = root;
    }

    /// Look at the children of a split.
    pub(super) fn weigh_parts(&mut self, node: u32, attribute: u32) {
        let (decision, shape, weighed) = (&self.decision, &self.shape, &mut self.scratch.weighed);
        weighed.resize(decision.len(), Weighed::default());
        let (counts, above) = (&decision.get(node).counts, weighed[node as usize].p);
        let n = f64::from(counts.own(shape).n().max(1));
        for (&child, cell) in decision.children(node, attribute).iter().zip(counts.cells(shape, attribute)) {
            let (p, evidence) = (above * (f64::from(cell.n()) / n), decision.evidence(shape, child, cell));
            let worth = decision.worth(child, evidence);
            weighed[child as usize] = Weighed { p, n: evidence.n(), hits: evidence.hits(), worth };
        }
    }

    /// Look at every node of the tree of this iteration, from the root down.
    pub(super) fn weigh(&mut self) {
        self.scratch.order.clear();
        self.scratch.order.push(0);
        self.weigh_root();
        let mut at = 0;
        while let Some(&node) = self.scratch.order.get(at) {
            at += 1;
            let attribute = self.scratch.splits[node as usize];
            if attribute != NONE {
                self.weigh_parts(node, attribute);
                self.scratch.order.extend_from_slice(self.decision.children(node, attribute));
            }
        }
    }

    /// Look anew at what every split of every node of the tree of this iteration is worth, from the leaves up.
    pub(super) fn reckon(&mut self) {
        for at in (0..self.scratch.order.len()).rev() {
            let node = self.scratch.order[at];
            if self.is_open(node) {
                let price = self.settings.split_cost / self.scratch.weighed[node as usize].p;
                self.decision.reckon(&self.shape, node, price);
                let weighed = &mut self.scratch.weighed[node as usize];
                weighed.worth = node_mean(weighed.n, weighed.hits).max(self.decision.get(node).best);
            }
        }
    }

    /// Whether a node of the tree of this iteration can be split, and is reached there.
    pub(super) fn is_open(&self, node: u32) -> bool {
        self.scratch.weighed[node as usize].p > 0.0
            && self.decision.is_splittable(&self.shape, node, self.settings.min_samples)
    }

    /// What each child is worth: the terminal one first, Eq. (theta-internal). A tree is worth the sum of what its
    /// leaves are worth with the best subtrees known; Clark's backup has its own word on children that were selected.
    pub(super) fn values(&self, state: u32, values: &mut Vec<Normal>) {
        let (node, weighed) = (&self.search[state as usize], &self.scratch.weighed);
        let sum = |sum, leaf: &Leaf| sum + weighed[leaf.node as usize].p * weighed[leaf.node as usize].worth;
        let outlook = node.leaves.iter().fold(0.0, sum);
        values.clear();
        values.push(node.terminal);
        values.extend(node.children.iter().map(|child| {
            let Weighed { p, worth, .. } = weighed[child.leaf as usize];
            let grown = self.decision.get(child.leaf).grown[child.attribute as usize];
            let mean = outlook + p * (grown - worth);
            match (self.search.get(child.node as usize), self.settings.backup) {
                (None, _) => Normal { mean, variance: child.variance },
                (Some(next), Backup::Fast) => Normal { mean, variance: next.posterior.variance },
                (Some(next), Backup::Clark) => {
                    Normal { mean: next.posterior.mean - self.settings.split_cost, ..next.posterior }
                }
            }
        }));
    }

    /// What a node is worth as a leaf, then with each split that was ever asked about, its attribute beside it.
    pub(super) fn prospects(&self, node: u32, attributes: &mut Vec<u32>, values: &mut Vec<Normal>) {
        let (grown, gamma) = (&self.decision.get(node).grown, self.settings.gamma);
        let Weighed { n, hits, .. } = self.scratch.weighed[node as usize];
        let leaf = node_posterior(n, hits, f64::INFINITY);
        attributes.clear();
        attributes.extend((0..).zip(grown).filter(|(_, worth)| worth.is_finite()).map(|(attribute, _)| attribute));
        values.clear();
        values.push(Normal { mean: leaf.mean, variance: widen(leaf.variance, gamma) });
        values.extend(attributes.iter().map(|&attribute| {
            let variance = self.after_split(WeightedSum::default(), node, 1.0, attribute, Trial::Full).variance;
            Normal { mean: grown[attribute as usize], variance }
        }));
    }

    /// The posterior of the tree of a state on the path, as it is: Eqs. (prior-search-leaf-1), (prior-search-leaf-2).
    pub(super) fn terminal(&self, state: u32) -> Normal {
        let node = &self.search[state as usize];
        let trial = match self.settings.backup {
            Backup::Fast => Trial::Simulated(node.simulated as f64 * self.settings.batch_size as f64),
            Backup::Clark => Trial::Full, // its maximum would take wider variances for higher values
        };
        self.sum_of_leaves(&node.leaves, NONE, trial).widened(self.settings.gamma)
    }

    /// Give every child that was never selected the uncertainty that the data seen so far leave.
    pub(super) fn initialise_children(&mut self, state: u32) {
        let mut children = std::mem::take(&mut self.search[state as usize].children);
        for siblings in children.chunk_by_mut(|one, next| one.leaf == next.leaf) {
            let leaf = siblings[0].leaf;
            let others = self.sum_of_leaves(&self.search[state as usize].leaves, leaf, Trial::Never);
            let p = self.scratch.weighed[leaf as usize].p;
            for child in siblings.iter_mut().filter(|child| child.node == NONE) {
                child.variance = self.after_split(others, leaf, p, child.attribute, Trial::Never).variance;
            }
        }
        self.search[state as usize].children = children;
    }

    fn sum_of_leaves(&self, leaves: &[Leaf], except: u32, trial: Trial) -> WeightedSum {
        let mut sum = WeightedSum::default();
        for leaf in leaves.iter().filter(|leaf| leaf.node != except) {
            let Weighed { p, n, hits, .. } = self.scratch.weighed[leaf.node as usize];
            sum.add(p, node_posterior(n, hits, trial.samples(n, p)));
        }
        sum
    }

    /// The posterior of a tree with a leaf of probability `p` split, by that leaf's own counts (Section 4.3) and its
    /// other leaves.
    fn after_split(&self, others: WeightedSum, leaf: u32, p: f64, attribute: u32, trial: Trial) -> Normal {
        let (counts, made) = (&self.decision.get(leaf).counts, self.decision.children(leaf, attribute));
        let n = f64::from(counts.own(&self.shape).n());
        let mut sum = others;
        for (code, cell) in counts.cells(&self.shape, attribute).enumerate() {
            let child = made.get(code).copied().unwrap_or(NONE);
            let evidence = self.decision.evidence(&self.shape, child, cell);
            let weight = p * (f64::from(cell.n()) / n);
            let tested = trial.samples(evidence.n(), weight);
            sum.add(weight, node_posterior(evidence.n(), evidence.hits(), tested));
        }
        sum.widened(self.settings.gamma)
    }
}
