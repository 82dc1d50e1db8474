//! The search over branches: an AND/OR graph of boxes, searched by visits, with bounds that turn into a proof.
//!
//! `graph` holds what is known, `look` reads the evidence, `visit` selects and backs up, `policy` chooses, `answer`
//! gives the tree and its certificate, `enumerate` solves all boxes where there are few, `memory` keeps the graph small.

pub mod answer;
mod enumerate;
pub mod graph;
mod look;
mod memory;
pub mod policy;
mod recode;
mod soundness;
mod visit;

use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::boundary::{Refusal, check_growth, check_samples, ensure};
use crate::bounds::{Birth, Prices, birth};
use crate::boxes::{Condition, Conditions, key, narrowed};
use crate::lattice::Lattice;
use crate::random::Random;
use crate::window::{Tally, Window};
use graph::{Branch, Cost, Id, ROOT};
use policy::{BranchPolicy, Plan};

/// What a user can set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// What one split must buy in accuracy.
    pub split_cost: f64,
    /// Which action to follow.
    pub policy: BranchPolicy,
    /// Samples between two rounds of search.
    pub batch_size: usize,
    /// Exponent of variances, for the policies that draw.
    pub gamma: f64,
    /// Branches with fewer samples are not split.
    pub min_samples: u32,
    /// How many samples are remembered; 0: all, as counts of distinct rows, and none is forgotten.
    pub window: usize,
    /// How many remembered samples the search may look at again for each new one.
    pub effort: f64,
    /// Bytes that window and graph may take.
    pub max_memory: usize,
    /// Seed of the draws.
    pub seed: u64,
}

#[derive(Debug, Default)]
struct Scratch {
    bits: Vec<u64>,
    child_bits: Vec<u64>,
    tally: Tally,
    way: Vec<(Id, Option<usize>)>,
}

/// The learner.
#[derive(Debug, Serialize, Deserialize)]
pub struct BranchSearch {
    settings: Settings,
    prices: Prices,
    fan_out: usize,
    random: Random,
    window: Window,
    /// Samples of a batch that is not complete.
    waiting: Vec<u16>,
    waiting_labels: Vec<u16>,
    branches: Vec<Branch>,
    vacant: Vec<Id>,
    /// Branches by their conditions or, while the window stands still, by their rows: then boxes that hold the same
    /// rows are one branch.
    #[serde(with = "soundness::sorted")]
    index: FxHashMap<u128, Id>,
    by_rows: bool,
    /// Batches since the best tree last changed its shape or lost; that shape, and the fewest errors it has had since.
    calm: u32,
    last_shape: Vec<u16>,
    fewest_errors: u32,
    /// What the last batches spent beyond their effort, below zero.
    credit: i64,
    n_iter: u64,
    looks: u64,
    next_weighing: u64,
    /// What was spent on a window that stands still.
    spent: u64,
    #[serde(skip)]
    lattice: Option<Lattice>,
    #[serde(skip)]
    plan: Plan,
    #[serde(skip)]
    scratch: Scratch,
}

/// Named by the state's first bytes.
const TAG: &str = "tsdt-branches-1";

impl BranchSearch {
    /// Branches with at least this many samples keep their counts while samples come and go.
    const KEEP_TALLY: u32 = 256;
    /// After so many batches with a tree of the same shape, half the effort is spent; after twice as many, half of that; and
    /// so on, for so many times.
    const PATIENCE: u32 = 32;
    const HALVINGS: u32 = 7;
    /// The square of so many standard deviations of a number of errors: that many more are no chance.
    const CHANCE: u64 = 72;
    /// But as long as so great a part of the value may be missing, all of it is spent.
    const WIDE_GAP: f64 = 0.1;

    /// A learner that has seen nothing.
    pub fn new(settings: Settings) -> Result<Self, Refusal> {
        let Settings { split_cost, gamma, effort, .. } = settings;
        ensure((0.0..=1.0).contains(&split_cost), || format!("split_cost is {split_cost}: it must be from 0 to 1"))?;
        ensure(gamma > 0.0 && gamma <= 1.0, || format!("gamma is {gamma}: it must be above 0 and at most 1"))?;
        ensure(effort > 0.0, || format!("effort is {effort}: it must be above 0"))?;
        ensure(settings.batch_size > 0, || "batch_size is 0: it must be at least 1".to_string())?;
        let random = Random::new(settings.seed);
        let window = Window::new(settings.window);
        let mut search = Self {
            prices: Prices::new(split_cost, settings.window),
            settings,
            fan_out: 2,
            random,
            window,
            waiting: Vec::new(),
            waiting_labels: Vec::new(),
            branches: Vec::new(),
            vacant: Vec::new(),
            index: FxHashMap::default(),
            by_rows: false,
            calm: 0,
            last_shape: Vec::new(),
            fewest_errors: 0,
            credit: 0,
            n_iter: 0,
            looks: 0,
            next_weighing: 1024,
            spent: 0,
            lattice: None,
            plan: 0.0,
            scratch: Scratch::default(),
        };
        search.start_over(false);
        Ok(search)
    }

    /// Forgets the graph, not the samples.
    fn start_over(&mut self, by_rows: bool) {
        self.by_rows = by_rows;
        (self.spent, self.lattice) = (0, None);
        self.prices.of_window(self.window.len());
        self.shape_scratch();
        self.branches.clear();
        self.vacant.clear();
        self.index.clear();
        let mut bits = Vec::new();
        self.window.select(&[], &mut bits);
        self.window.count(&bits, &mut self.scratch.tally);
        let root = self.unlooked(Box::new([]), &self.birth(self.scratch.tally.total()));
        self.insert(key(&[]), root);
    }

    fn shape_scratch(&mut self) {
        self.scratch.tally = Tally::shaped_for(&self.window);
        let fan = self.window.arities().iter().zip(self.window.ordered());
        self.fan_out = fan.map(|(&arity, &ordered)| if ordered { 2 } else { arity as usize }).max().unwrap_or(2).max(2);
    }

    /// Makes room for new attributes, categories and classes. In a new attribute all samples so far have code 0.
    pub fn grow(&mut self, arities: &[u32], ordered: &[bool], n_classes: usize) -> Result<(), Refusal> {
        check_growth((self.window.arities(), self.window.n_classes()), (arities, n_classes))?;
        ensure(ordered.len() == arities.len() && ordered.starts_with(self.window.ordered()), || {
            "which attributes are numbers cannot change".to_string()
        })?;
        ensure(arities.len() < usize::from(u16::MAX), || format!("{} attributes: too many", arities.len()))?;
        let (old, new) = (self.window.arities().len(), arities.len());
        if (arities, n_classes) == (self.window.arities(), self.window.n_classes()) {
            return Ok(());
        }
        let rows = self.waiting_labels.len();
        let row = |i: usize| self.waiting[i * old..(i + 1) * old].iter().copied().chain((old..new).map(|_| 0));
        self.waiting = (0..rows).flat_map(row).collect();
        self.window.grow(arities, ordered, n_classes);
        self.lattice = None;
        self.shape_scratch();
        Ok(())
    }

    /// Takes samples in. Every complete batch enters the window, and the search spends its effort.
    pub fn learn(&mut self, codes: &[u16], labels: &[u16]) -> Result<(), Refusal> {
        check_samples(codes, labels, self.window.arities(), self.window.n_classes())?;
        let q = self.window.arities().len();
        let mut taken = 0;
        while taken < labels.len() {
            let room = self.settings.batch_size - self.waiting_labels.len();
            let end = (taken + room).min(labels.len());
            self.waiting.extend_from_slice(&codes[taken * q..end * q]);
            self.waiting_labels.extend_from_slice(&labels[taken..end]);
            taken = end;
            if self.waiting_labels.len() == self.settings.batch_size {
                self.take_batch();
                self.spend_effort();
            }
        }
        Ok(())
    }

    fn take_batch(&mut self) {
        if self.by_rows {
            self.know_by_conditions();
        }
        self.window.add(&self.waiting, &self.waiting_labels);
        self.waiting.clear();
        self.waiting_labels.clear();
        self.prices.of_window(self.window.len());
    }

    /// The window begins to move: rows no longer tell who is who.
    fn know_by_conditions(&mut self) {
        self.by_rows = false;
        self.lattice = None;
        let dead: std::collections::HashSet<Id> = self.vacant.iter().copied().collect();
        let known = self.branches.iter().enumerate().filter(|(id, _)| !dead.contains(&(*id as Id)));
        self.index = known.map(|(id, branch)| (key(&branch.conditions), id as Id)).collect();
    }

    /// Searches between two batches. Where the tree has stayed the same for long and little can be missing, less is spent.
    fn spend_effort(&mut self) {
        let full = (self.settings.effort * self.settings.batch_size as f64) as i64;
        let is_wide = self.gap() >= Self::WIDE_GAP;
        let halvings = u32::BITS - (self.calm / Self::PATIENCE).leading_zeros();
        self.credit += if is_wide { full } else { full >> halvings.min(Self::HALVINGS) };
        if self.credit < 0 {
            self.calm += 1;
            return;
        }
        while self.credit >= 0 && !self.is_proven() {
            self.credit -= self.visit() as i64;
            self.mind_memory();
        }
        self.credit = self.credit.min(0);
        self.note_calm();
    }

    /// See whether the best tree is still what it was: of the same shape, and no worse than chance can make it.
    fn note_calm(&mut self) {
        let (shape, errors) = (self.shape(), self.branches[ROOT as usize].likely.errors);
        let more = u64::from(errors.saturating_sub(self.fewest_errors));
        let is_full = self.window.len() == self.window.capacity();
        let has_lost = is_full && more * more > Self::CHANCE * (u64::from(self.fewest_errors) + 1);
        let is_same = shape == self.last_shape && !has_lost;
        self.fewest_errors = if is_same && is_full { self.fewest_errors.min(errors) } else { errors };
        self.calm = if is_same { self.calm + 1 } else { 0 };
        self.last_shape = shape;
    }

    /// How much the best tree known may fall short of the optimum, as the root was last settled.
    fn gap(&self) -> f64 {
        let root = &self.branches[ROOT as usize];
        let whole = self.prices.error as f64 * self.window.len().max(1) as f64;
        (root.best.loss(self.prices) - root.low).max(0) as f64 / whole
    }

    /// Replaces the window by a table, of any size, and searches nothing yet.
    pub fn load(&mut self, codes: &[u16], labels: &[u16]) -> Result<(), Refusal> {
        check_samples(codes, labels, self.window.arities(), self.window.n_classes())?;
        let (arities, ordered) = (self.window.arities().to_vec(), self.window.ordered().to_vec());
        let mut window =
            Window::new(if self.settings.window == 0 { 0 } else { self.settings.window.max(labels.len()) });
        window.grow(&arities, &ordered, self.window.n_classes());
        window.add(codes, labels);
        self.window = window;
        self.prices = Prices::new(self.settings.split_cost, self.window.capacity());
        self.waiting.clear();
        self.waiting_labels.clear();
        self.start_over(true);
        Ok(())
    }

    /// Goes on without new samples, for so many visits or seconds at the most, or until it has looked at so many samples.
    /// Whether the tree is proven optimal.
    pub fn search(&mut self, visits: u64, seconds: f64, samples: u64) -> bool {
        let limit = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
        let (start, mut made, enough) = (Instant::now(), 0, self.spent.saturating_add(samples));
        while !self.window.is_empty()
            && !self.is_proven()
            && made < visits
            && self.spent < enough
            && start.elapsed() < limit
        {
            self.visit_or_enumerate();
            made += 1;
        }
        self.is_proven()
    }

    /// Visits so far.
    pub fn n_iter(&self) -> u64 {
        self.n_iter
    }

    /// Looks so far: how often the evidence was asked.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Attributes' arities and the number of classes.
    pub fn schema(&self) -> (&[u32], usize) {
        (self.window.arities(), self.window.n_classes())
    }

    /// Samples inside: the window and the incomplete batch.
    pub fn held(&self) -> usize {
        self.window.len() + self.waiting_labels.len()
    }

    /// The samples of the window, oldest first: codes, rows end to end, and labels. None where only counts are kept.
    pub fn samples(&self) -> (Vec<u16>, Vec<u16>) {
        let (mut codes, mut labels) = (Vec::new(), Vec::new());
        for (row, label) in self.window.samples() {
            codes.extend_from_slice(row);
            labels.push(label);
        }
        (codes, labels)
    }

    fn is_proven(&self) -> bool {
        self.branches[ROOT as usize].stamp == self.window.added() && self.is_solved(ROOT)
    }

    fn is_solved(&self, id: Id) -> bool {
        let branch = &self.branches[id as usize];
        branch.low >= branch.best.loss(self.prices)
    }

    fn birth(&self, counts: &[u32]) -> Birth {
        birth(counts, self.fan_out, self.settings.min_samples, self.prices)
    }

    /// By how much a bound of the past may be too high: what the samples that went may have cost, and the errors that
    /// a branch too small to be split then, and not now, was bound to.
    fn slack(&self, added: u64, removed: u64) -> i64 {
        let spared = u64::from(self.settings.min_samples.saturating_sub(2)) * added;
        self.prices.error.saturating_mul((removed + spared) as i64)
    }

    /// Variance of a leaf's share of the value: Eq. (prior-search-leaf-leaf-2), weighted by its share of samples.
    fn leaf_variance(&self, n: u32, errors: u32) -> f64 {
        let (right, wrong) = (1.0 + f64::from(n - errors), 1.0 + f64::from(errors));
        let (total, share) = (right + wrong, f64::from(n) / self.window.len().max(1) as f64);
        share * share * (right * wrong / (total * total * (1.0 + total)))
    }

    fn unlooked(&self, conditions: Conditions, birth: &Birth) -> Branch {
        Branch {
            conditions,
            stamp: self.window.added(),
            low: birth.low,
            rest: i64::MAX,
            best: Cost { errors: birth.errors, splits: 0 },
            likely: Cost { errors: birth.errors, splits: 0 },
            doubt: 0,
            n: birth.n,
            errors: birth.errors,
            variance: self.leaf_variance(birth.n, birth.errors),
            visits: 0,
            choice: Branch::LEAF,
            looked: false,
            actions: Vec::new(),
            tally: None,
        }
    }

    fn insert(&mut self, key: u128, branch: Branch) -> Id {
        let id = self.vacant.pop().unwrap_or(self.branches.len() as Id);
        if id as usize == self.branches.len() {
            self.branches.push(branch);
        } else {
            self.branches[id as usize] = branch;
        }
        self.index.insert(key, id);
        id
    }

    fn key_below(&self, id: Id, condition: Condition) -> u128 {
        key(&narrowed(&self.branches[id as usize].conditions, condition))
    }
}
