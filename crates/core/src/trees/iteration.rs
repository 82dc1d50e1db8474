//! One iteration of Algorithm 1: select, simulate, expand, back up.

use super::search::{Child, Leaf};
use super::worth::Weighed;
use super::{Backup, NONE, TreeSearch};
use crate::belief::{Normal, best_mean, clark_maximum, gini};
use std::time::{Duration, Instant};

/// Where the time of the iterations went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Line 4: descending by the policy.
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
    /// By decision node: the attribute that splits it in the selected tree, `NONE` for leaves and all other nodes.
    pub(super) splits: Vec<u32>,
    /// By decision node of the selected tree: what is known of it.
    pub(super) weighed: Vec<Weighed>,
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
        let selected = Instant::now();
        self.simulate(codes, labels);
        let simulated = Instant::now();
        self.weigh();
        let state = *self.scratch.path.last().expect("a path has a root");
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

    /// Line 4: descend by the policy until the terminal child is chosen.
    fn select(&mut self) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.path.clear();
        scratch.splits.clear();
        self.last_path.clear();
        let mut state = 0;
        scratch.path.push(state);
        while self.search[state as usize].open {
            let node = &self.search[state as usize];
            node.values(self.settings.split_cost, &mut scratch.values);
            let k = self.settings.policy.choose(&scratch.values, node.visits, &mut self.random);
            self.last_path.push(k as u32);
            if k == 0 {
                break;
            }
            state = self.enter(state, k - 1);
            scratch.path.push(state);
        }
        scratch.splits.resize(self.decision.len(), NONE);
        for &state in &scratch.path[1..] {
            let node = &self.search[state as usize];
            scratch.splits[node.split as usize] = node.attribute;
        }
        self.scratch = scratch;
    }

    /// Line 5: the samples pass through the selected tree, node by node; every node that a sample reaches counts it.
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
            for &child in self.decision.children(node, attribute) {
                let category = self.decision.get(child).code;
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

    /// Lines 6 to 12: treat the splittable leaf of the highest Gini impurity; open when none is left.
    fn expand(&mut self, state: u32) {
        let (shape, min_samples) = (&self.shape, self.settings.min_samples);
        let mut untreated = 0;
        let mut highest = (0, -1.0);
        for (position, leaf) in self.search[state as usize].leaves.iter().enumerate() {
            if leaf.treated as usize >= shape.n_attributes()
                || !self.decision.is_splittable(shape, leaf.node, min_samples)
            {
                continue;
            }
            untreated += 1;
            let impurity = gini(self.decision.get(leaf.node).counts.own(shape).by_class());
            if impurity > highest.1 {
                highest = (position, impurity);
            }
        }
        if untreated > 0 {
            self.treat(state, highest.0);
        }
        if untreated <= 1 {
            self.search[state as usize].open = true;
        }
    }

    /// Make the children that split one leaf; then compare all children of the state on the data seen so far.
    fn treat(&mut self, state: u32, position: usize) {
        let q = self.shape.n_attributes() as u32;
        let node = &mut self.search[state as usize];
        let Leaf { node: leaf, treated } = node.leaves[position];
        node.leaves[position].treated = q;
        let fresh = (treated..q).filter(|&attribute| !self.decision.uses(leaf, attribute));
        node.children.extend(fresh.map(|attribute| Child { leaf, attribute, posterior: node.terminal, node: NONE }));
        self.initialise_children(state);
    }

    /// Lines 16 to 21: refresh terminal child and posterior of every state on the path, the last one first.
    fn back_up(&mut self) {
        let path = std::mem::take(&mut self.scratch.path);
        let mut values = std::mem::take(&mut self.scratch.values);
        for (i, &state) in path.iter().enumerate().rev() {
            if let Some(&next) = path.get(i + 1) {
                let posterior = self.search[next as usize].posterior;
                let k = self.last_path[i] as usize - 1;
                self.search[state as usize].children[k].posterior = posterior;
                self.search[state as usize].terminal = self.terminal(state);
            }
            self.refresh_children(state);
            let node = &mut self.search[state as usize];
            node.values(self.settings.split_cost, &mut values);
            node.posterior = match self.settings.backup {
                Backup::Fast => best_mean(&values),
                Backup::Clark => clark_maximum(&values),
            };
            node.visits += 1;
        }
        (self.scratch.path, self.scratch.values) = (path, values);
    }
}
