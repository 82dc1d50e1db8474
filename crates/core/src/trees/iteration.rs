//! One iteration of Algorithm 1: select, play out, simulate, expand, back up.

use super::search::{Child, Leaf};
use super::worth::Weighed;
use super::{Backup, NONE, TreeSearch};
use crate::belief::{Normal, best_mean, clark_maximum};
use std::time::{Duration, Instant};

/// Where the time of the iterations went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Line 4: descending by the policy, and growing the tree on.
    pub selection: Duration,
    /// Line 5: counting samples.
    pub simulation: Duration,
    /// Lines 6 to 12: making children.
    pub expansion: Duration,
    /// Lines 13 to 21: terminal children, and the posteriors of the path.
    pub backup: Duration,
}

/// What an iteration works with and leaves behind empty or stale; kept for its memory only.
#[derive(Default)]
pub struct Scratch {
    /// The states of the path, the root first.
    path: Vec<u32>,
    /// What the children of a state are worth.
    values: Vec<Normal>,
    /// The attributes of the splits among them.
    attributes: Vec<u32>,
    /// By decision node: the attribute that splits it in the tree of this iteration, the selected one grown on; `NONE`
    /// for its leaves and all other nodes.
    pub(super) splits: Vec<u32>,
    /// By decision node of that tree: what is known of it.
    pub(super) weighed: Vec<Weighed>,
    /// The nodes of that tree, parents before children.
    pub(super) order: Vec<u32>,
    /// Nodes to look at, with the range of `rows` that reach them.
    pub(super) stack: Vec<(u32, usize, usize)>,
    /// The samples of the batch, those of one node side by side.
    rows: Vec<u32>,
    sorted: Vec<u32>,
    /// Where the values of the samples count, row by row.
    places: Vec<u32>,
}

impl TreeSearch {
    pub(super) fn iterate(&mut self, codes: &[u16], labels: &[u16]) {
        let start = Instant::now();
        self.select();
        self.play_out();
        let selected = Instant::now();
        self.simulate(codes, labels);
        let simulated = Instant::now();
        self.weigh();
        self.reckon();
        let state = self.selected();
        self.search[state as usize].simulated += 1;
        self.search[state as usize].terminal = self.terminal(state);
        let weighed = Instant::now();
        self.expand(state);
        let expanded = Instant::now();
        self.back_up();
        self.timings.selection += selected - start;
        self.timings.simulation += simulated - selected;
        self.timings.expansion += expanded - weighed;
        self.timings.backup += (weighed - simulated) + expanded.elapsed();
        self.n_iter += 1;
    }

    /// Line 4: descend by the policy until the terminal child is chosen, or a state that was never visited.
    fn select(&mut self) {
        let (mut state, mut path) = (0, std::mem::take(&mut self.scratch.path));
        let mut values = std::mem::take(&mut self.scratch.values);
        for &node in &self.scratch.order {
            self.scratch.splits[node as usize] = NONE;
        }
        self.scratch.splits.resize(self.decision.len(), NONE);
        self.last_path.clear();
        path.clear();
        path.push(state);
        self.weigh_root();
        while self.search[state as usize].visits > 0 {
            self.values(state, &mut values);
            let k = self.settings.policy.choose(&values, self.search[state as usize].visits, &mut self.random);
            self.last_path.push(k as u32);
            if k == 0 {
                break;
            }
            let Child { leaf, attribute, .. } = self.search[state as usize].children[k - 1];
            self.split(leaf, attribute);
            state = self.enter(state, k - 1, values[k]);
            path.push(state);
        }
        (self.scratch.path, self.scratch.values) = (path, values);
    }

    /// Grow the selected tree on for this iteration, leaf by leaf, by the policy and what is known of each leaf, so that
    /// the samples teach what lies below it too.
    fn play_out(&mut self) {
        let state = self.selected();
        let mut values = std::mem::take(&mut self.scratch.values);
        let mut attributes = std::mem::take(&mut self.scratch.attributes);
        let mut leaves: Vec<u32> = self.search[state as usize].leaves.iter().map(|leaf| leaf.node).collect();
        while let Some(node) = leaves.pop() {
            if !self.decision.is_splittable(&self.shape, node, self.settings.min_samples) {
                continue;
            }
            self.prospects(node, &mut attributes, &mut values);
            let n = self.decision.get(node).counts.own(&self.shape).n();
            let k = self.settings.policy.choose(&values, n.into(), &mut self.random);
            if k > 0 {
                self.split(node, attributes[k - 1]);
                leaves.extend_from_slice(self.decision.children(node, attributes[k - 1]));
            }
        }
        (self.scratch.values, self.scratch.attributes) = (values, attributes);
    }

    /// Split a leaf of the tree of this iteration.
    fn split(&mut self, leaf: u32, attribute: u32) {
        self.decision.split(&self.shape, leaf, attribute);
        self.scratch.splits.resize(self.decision.len(), NONE);
        self.scratch.splits[leaf as usize] = attribute;
        self.weigh_parts(leaf, attribute);
    }

    /// The state at the end of the path.
    fn selected(&self) -> u32 {
        *self.scratch.path.last().expect("a path has a root")
    }

    /// Line 5: the samples pass through the tree, node by node; every node that a sample reaches counts it.
    fn simulate(&mut self, codes: &[u16], labels: &[u16]) {
        let q = self.shape.n_attributes();
        let Scratch { splits, stack, rows, sorted, places, .. } = &mut self.scratch;
        rows.clear();
        rows.extend(0..labels.len() as u32);
        places.clear();
        for r in 0..labels.len() {
            places.extend(self.shape.places(&codes[r * q..(r + 1) * q]));
        }
        stack.push((0, 0, rows.len()));
        while let Some((node, from, to)) = stack.pop() {
            let counts = self.decision.counts_mut(node);
            for &r in &rows[from..to] {
                let r = r as usize;
                counts.add(&self.shape, &places[r * q..(r + 1) * q], labels[r]);
            }
            let attribute = splits[node as usize];
            if attribute == NONE {
                continue;
            }
            let code = |r: u32| codes[r as usize * q + attribute as usize];
            let mut end = from;
            sorted.clear();
            for (category, &child) in (0..).zip(self.decision.children(node, attribute)) {
                let start = end;
                sorted.extend(rows[from..to].iter().filter(|&&r| u32::from(code(r)) == category));
                end = from + sorted.len();
                if end > start {
                    stack.push((child, start, end));
                }
            }
            rows[from..to].copy_from_slice(sorted);
        }
    }

    /// Lines 6 to 12: make the children that split the leaves that can be split, and compare them on the data seen so far.
    fn expand(&mut self, state: u32) {
        let q = self.shape.n_attributes() as u32;
        let untreated = |(_, leaf): &(usize, &Leaf)| leaf.treated < q && self.is_open(leaf.node);
        let leaves = self.search[state as usize].leaves.iter().enumerate();
        let fresh: Vec<usize> = leaves.filter(untreated).map(|(position, _)| position).collect();
        for &position in &fresh {
            let node = &mut self.search[state as usize];
            let Leaf { node: leaf, treated } = node.leaves[position];
            node.leaves[position].treated = q;
            let attributes = (treated..q).filter(|&attribute| !self.decision.uses(leaf, attribute));
            node.children.extend(attributes.map(|attribute| Child { leaf, attribute, variance: 0.0, node: NONE }));
        }
        if !fresh.is_empty() {
            self.initialise_children(state);
        }
    }

    /// Lines 16 to 21: refresh terminal child and posterior of every state on the path, the last one first.
    fn back_up(&mut self) {
        let path = std::mem::take(&mut self.scratch.path);
        let mut values = std::mem::take(&mut self.scratch.values);
        for (i, &state) in path.iter().enumerate().rev() {
            if i + 1 < path.len() {
                self.search[state as usize].terminal = self.terminal(state);
            }
            self.values(state, &mut values);
            let node = &mut self.search[state as usize];
            node.posterior = match self.settings.backup {
                Backup::Fast => best_mean(&values),
                Backup::Clark => clark_maximum(&values),
            };
            node.visits += 1;
        }
        (self.scratch.path, self.scratch.values) = (path, values);
    }
}
