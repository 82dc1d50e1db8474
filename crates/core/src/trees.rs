//! The paper's search, over trees: Algorithm 1 with both backups. TSDT is `Backup::Clark`, Fast-TSDT `Backup::Fast`.
//!
//! Two kinds of node, as in the paper: a decision node is a node of decision trees and is shared by all trees that
//! contain it; a search node is a whole decision tree, a state of the Markov decision process. Here is what a user of
//! the search touches; an iteration is in `iteration`, the answer in `answer`.

mod answer;
mod decision;
mod iteration;
mod search;
mod soundness;
mod worth;

pub use iteration::Timings;

use crate::belief::{Normal, widen};
use crate::boundary::{Refusal, check_growth, check_samples, ensure};
use crate::counts::Shape;
use crate::policies::Policy;
use crate::random::Random;
use crate::state;
use decision::DecisionNodes;
use iteration::Scratch;
use search::SearchNode;
use serde::{Deserialize, Serialize};

/// No node: the parent of a root, a child that was never selected.
const NONE: u32 = u32::MAX;
const TAG: &str = "tsdt trees 2\n";

/// What a visit teaches a state about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Backup {
    /// The child of the highest mean (Fast-TSDT).
    Fast,
    /// Clark's Normal for the maximum of all children (TSDT).
    Clark,
}

impl Backup {
    /// The backups in the words of the Python surface.
    pub const NAMES: [(&'static str, Self); 2] = [("fast", Self::Fast), ("clark", Self::Clark)];
}

/// The parameters of a search, under the names that they have everywhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// What one split must buy in accuracy: the paper's lambda.
    pub split_cost: f64,
    /// How a state learns from its children.
    pub backup: Backup,
    /// How a state chooses among its children.
    pub policy: Policy,
    /// Samples per iteration: the paper's m.
    pub batch_size: usize,
    /// The exponent of variances.
    pub gamma: f64,
    /// Samples that a leaf must have seen to be split.
    pub min_samples: u32,
    /// Where the draws start.
    pub seed: u64,
}

impl Settings {
    /// Refuse values that mean nothing.
    pub fn check(&self) -> Result<(), Refusal> {
        ensure(self.split_cost >= 0.0 && self.split_cost.is_finite(), || {
            format!("split_cost is {}: it must be a number, 0 or more", self.split_cost)
        })?;
        ensure((1..u32::MAX as usize).contains(&self.batch_size), || {
            format!("batch_size is {}: it must be from 1 to {}", self.batch_size, u32::MAX - 1)
        })?;
        ensure(self.gamma > 0.0 && self.gamma <= 1.0, || {
            format!("gamma is {}: it must be above 0 and at most 1", self.gamma)
        })
    }
}

/// The learner.
#[derive(Serialize, Deserialize)]
pub struct TreeSearch {
    settings: Settings,
    random: Random,
    shape: Shape,
    decision: DecisionNodes,
    search: Vec<SearchNode>,
    /// The samples of the incomplete batch.
    pending: (Vec<u16>, Vec<u16>),
    n_iter: u64,
    /// The positions chosen in the last selection, 0 is the terminal child.
    last_path: Vec<u32>,
    #[serde(skip)]
    scratch: Scratch,
    #[serde(skip)]
    timings: Timings,
}

impl TreeSearch {
    /// A learner that has seen nothing.
    pub fn new(settings: Settings) -> Result<Self, Refusal> {
        settings.check()?;
        let shape = Shape::new(&[], 0).expect("an empty schema has room");
        let mut search = Self {
            random: Random::new(settings.seed),
            decision: DecisionNodes::new(&shape),
            settings,
            shape,
            search: Vec::new(),
            pending: Default::default(),
            n_iter: 0,
            last_path: Vec::new(),
            scratch: Scratch::default(),
            timings: Timings::default(),
        };
        let uniform = Normal { mean: 0.5, variance: widen(1.0 / 12.0, search.settings.gamma) }; // Beta(1, 1)
        search.search.push(SearchNode::new(NONE, NONE, NONE, vec![0], uniform));
        Ok(search)
    }

    /// Make room for new categories, classes and attributes. Bins of numbers are categories here.
    pub fn grow(&mut self, arities: &[u32], n_classes: usize) -> Result<(), Refusal> {
        check_growth((self.shape.arities(), self.shape.n_classes()), (arities, n_classes))?;
        let shape = Shape::new(arities, n_classes).ok_or_else(|| {
            Refusal(format!("{} attributes and {n_classes} classes: too many counts for one node", arities.len()))
        })?;
        if shape == self.shape {
            return Ok(());
        }
        self.pad_pending(arities.len());
        self.decision.grow(&self.shape, &shape);
        self.shape = shape;
        self.grow_leaves();
        Ok(())
    }

    /// Samples that wait have code 0, missing, in attributes that came after them.
    fn pad_pending(&mut self, q: usize) {
        let (codes, labels) = &mut self.pending;
        let old = self.shape.n_attributes();
        let row = |r: usize| codes[r * old..(r + 1) * old].iter().copied().chain(std::iter::repeat_n(0, q - old));
        *codes = (0..labels.len()).flat_map(row).collect();
    }

    /// Take samples in; every complete batch makes one iteration of Algorithm 1.
    pub fn learn(&mut self, codes: &[u16], labels: &[u16]) -> Result<(), Refusal> {
        check_samples(codes, labels, self.shape.arities(), self.shape.n_classes())?;
        let (size, q) = (self.settings.batch_size, self.shape.n_attributes());
        let (mut codes, mut labels) = (codes, labels);
        while !labels.is_empty() {
            let take = (size - self.pending.1.len()).min(labels.len());
            let (rows, marks);
            (rows, codes) = codes.split_at(take * q);
            (marks, labels) = labels.split_at(take);
            if take == size {
                self.iterate(rows, marks);
                continue;
            }
            self.pending.0.extend_from_slice(rows);
            self.pending.1.extend_from_slice(marks);
            if self.pending.1.len() == size {
                let (rows, marks) = std::mem::take(&mut self.pending);
                self.iterate(&rows, &marks);
            }
        }
        Ok(())
    }

    /// How many iterations were made.
    pub fn n_iter(&self) -> u64 {
        self.n_iter
    }

    /// How many categories each attribute has so far, and how many classes there are.
    pub fn schema(&self) -> (&[u32], usize) {
        (self.shape.arities(), self.shape.n_classes())
    }

    /// The positions chosen in the last selection, 0 is the terminal child.
    pub fn last_path(&self) -> &[u32] {
        &self.last_path
    }

    /// The posterior of each search node and of its terminal child, in the order of their making.
    pub fn posteriors(&self) -> impl Iterator<Item = (Normal, Normal)> {
        self.search.iter().map(|node| (node.posterior, node.terminal))
    }

    /// Where the time went since the learner was made or loaded.
    pub fn timings(&self) -> Timings {
        self.timings
    }

    /// The learner as bytes.
    pub fn state(&self) -> Result<Vec<u8>, Refusal> {
        state::pack(TAG, self)
    }

    /// The learner of some bytes: it goes on exactly as the one that was packed would have.
    pub fn from_state(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut search: Self = state::unpack(TAG, bytes)?;
        ensure(search.is_sound(), || "the state contradicts itself: it was altered".to_string())?;
        Ok(search)
    }
}
