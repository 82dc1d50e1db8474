//! Evidence from a window: the last samples, and one question about them: for this box, how many samples of each class
//! by attribute and category? It does not know why it is asked.
//!
//! Identical rows share a *group* with a weight for each class; bit columns (`columns`) run over groups. So the rows
//! that no tree can get right, the *twins*, are known: of each group all but its heaviest class.

mod columns;
mod rows;
pub mod tally;

use std::collections::VecDeque;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::boxes::{Condition, contains};
use columns::Columns;
pub use columns::fingerprint;
use rows::Rows;
pub use tally::Tally;

/// A sample in the window: its group and its class.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Sample {
    group: u32,
    label: u16,
}

/// A sample that came or went, and by how much that changed the twins of its group.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Event {
    sample: Sample,
    came: bool,
    twins: i8,
}

/// What fetching a row costs, in additions.
const FETCH: usize = 4;

/// The last `capacity` samples or, where that is 0, all samples, as the counts of their distinct rows only.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Window {
    ordered: Vec<bool>,
    arities: Vec<u32>,
    capacity: usize,
    len: usize,
    live: VecDeque<Sample>,
    /// The last changes, oldest first, for branches that catch up.
    events: VecDeque<Event>,
    added: u64,
    rows: Rows,
    #[serde(skip)]
    columns: Columns,
    /// Groups that got or lost their row since the columns of numbers were last arranged.
    #[serde(skip)]
    moved: Vec<u32>,
}

impl Window {
    /// An empty window.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, ..Self::default() }
    }

    /// How many samples are in.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is in.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many samples are in when it is full; 0: it never is.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many samples came so far: the clock of what is known of branches.
    pub fn added(&self) -> u64 {
        self.added
    }

    /// How many samples had gone when `added` had come.
    fn removed_at(&self, added: u64) -> u64 {
        if self.capacity == 0 { 0 } else { added.saturating_sub(self.capacity as u64) }
    }

    /// How many samples came and went since `stamp` had come.
    pub fn changes(&self, stamp: u64) -> (u64, u64) {
        (self.added - stamp, self.removed_at(self.added) - self.removed_at(stamp))
    }

    /// How many codes each attribute has.
    pub fn arities(&self) -> &[u32] {
        &self.arities
    }

    /// Which attributes are numbers.
    pub fn ordered(&self) -> &[bool] {
        &self.ordered
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.rows.n_classes()
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.bytes() + self.live.len() * 8 + self.events.len() * 12
    }

    /// Makes room for new attributes, categories and classes. In a new attribute all samples so far have code 0.
    pub fn grow(&mut self, arities: &[u32], ordered: &[bool], n_classes: usize) {
        self.arities = arities.to_vec();
        self.ordered = ordered.to_vec();
        self.rows.grow(arities.len(), n_classes);
        self.rebuild();
    }

    /// Rebuilds what follows from the rows.
    pub fn rebuild(&mut self) {
        self.rows.rebuild_index();
        self.columns = Columns::new(&self.arities, &self.ordered, self.rows.n_classes());
        for group in self.rows.known() {
            self.mark(group, true);
            for (slot, &weight) in self.rows.weights(group).iter().chain([&self.rows.twins(group)]).enumerate() {
                self.columns.weigh(group, slot, weight);
            }
        }
        self.arrange();
    }

    /// Takes samples in, rows end to end; where the window is full the oldest ones go.
    pub fn add(&mut self, codes: &[u16], labels: &[u16]) {
        let width = self.arities.len();
        for (i, &label) in labels.iter().enumerate() {
            self.add_one(&codes[i * width..][..width], label);
        }
        self.arrange();
    }

    fn add_one(&mut self, row: &[u16], label: u16) {
        if self.len == self.capacity
            && let Some(oldest) = self.live.pop_front()
        {
            self.change(oldest, false);
            self.len -= 1;
        }
        let (group, new) = self.rows.find_or_add(row);
        if new {
            self.mark(group, true);
        }
        let sample = Sample { group, label };
        if self.capacity > 0 {
            self.live.push_back(sample);
        }
        self.len += 1;
        self.change(sample, true);
        self.added += 1;
    }

    fn mark(&mut self, group: u32, present: bool) {
        self.columns.mark(group, self.rows.row(group), present);
        self.moved.push(group);
    }

    /// Brings the columns of numbers up to date, for many groups at once.
    fn arrange(&mut self) {
        self.moved.sort(); // they come in runs
        self.moved.dedup();
        self.columns.arrange(&self.moved, &self.rows);
        self.moved.clear();
    }

    fn change(&mut self, sample: Sample, came: bool) {
        let (before, slot) = (self.rows.twins(sample.group), usize::from(sample.label));
        self.rows.weigh(sample.group, sample.label, came);
        self.columns.weigh(sample.group, slot, self.rows.weights(sample.group)[slot]);
        let after = self.rows.twins(sample.group);
        if after != before {
            self.columns.weigh(sample.group, self.n_classes(), after);
        }
        let twins = (i64::from(after) - i64::from(before)) as i8;
        self.rows.hold(sample.group);
        self.events.push_back(Event { sample, came, twins });
        while self.events.len() > self.memory_of_events() {
            self.forget_event();
        }
    }

    /// Changes older than this are forgotten: catching up with more costs more than counting anew.
    fn memory_of_events(&self) -> usize {
        if self.capacity == 0 { 1 << 14 } else { (self.capacity / 4).clamp(256, 1 << 14) }
    }

    fn forget_event(&mut self) {
        if let Some(event) = self.events.pop_front() {
            let group = event.sample.group;
            if self.rows.release(group) {
                self.mark(group, false);
                self.rows.free(group);
            }
        }
    }

    /// The groups in a box, as bits.
    pub fn select(&self, conditions: &[Condition], bits: &mut Vec<u64>) {
        self.columns.select(conditions, self.rows.len(), bits);
    }

    /// Keeps the groups that satisfy a condition.
    pub fn restrict(&self, condition: &Condition, bits: &mut [u64]) {
        self.columns.restrict(condition, bits);
    }

    /// Counts of the groups in `bits`, for all attributes: bit by bit or row by row, whichever is cheaper.
    pub fn count(&self, bits: &[u64], tally: &mut Tally) {
        tally.clear();
        if !self.count_by_bits(bits, 0..self.arities.len(), tally) {
            columns::each(bits, |group| self.rows.count(group, tally));
        }
    }

    /// Counts of the groups in `bits` for one attribute; the others' are left as they were.
    pub fn count_attribute(&self, bits: &[u64], attribute: usize, tally: &mut Tally) {
        tally.clear_attribute(attribute);
        if !self.count_by_bits(bits, attribute..attribute + 1, tally) {
            columns::each(bits, |group| self.rows.count_attribute(group, attribute, tally));
        }
    }

    /// Counts bit by bit where that is cheaper than row by row.
    fn count_by_bits(&self, bits: &[u64], attributes: Range<usize>, tally: &mut Tally) -> bool {
        let additions = if self.len > 2 * self.rows.len() { self.n_classes() + 1 } else { 1 };
        let by_rows = columns::population(bits) as usize * (attributes.len() * additions + FETCH);
        let cheaper = self.columns.cost(attributes.clone()) < by_rows;
        if cheaper {
            self.columns.count(bits, attributes, tally);
        }
        cheaper
    }

    /// Class counts of a box.
    pub fn class_counts(&self, conditions: &[Condition], bits: &mut Vec<u64>) -> Vec<u32> {
        self.select(conditions, bits);
        let mut counts = vec![0; self.n_classes()];
        columns::each(bits, |group| {
            counts.iter_mut().zip(self.rows.weights(group)).for_each(|(c, w)| *c += w);
        });
        counts
    }

    /// Brings a box's counts from the time of `stamp` to now. False where that is not known any more or costs more than
    /// `budget` events: then the counts are as they were.
    pub fn catch_up(&self, conditions: &[Condition], stamp: u64, budget: usize, tally: &mut Tally) -> bool {
        let (added, removed) = self.changes(stamp);
        let since = (added + removed) as usize;
        if since > self.events.len() || since > budget {
            return false;
        }
        for event in self.events.range(self.events.len() - since..) {
            let row = self.rows.row(event.sample.group);
            if contains(conditions, row) {
                tally.shift(row, event.sample.label, event.came, event.twins);
            }
        }
        true
    }

    /// The samples held, oldest first: rows and labels. None where only counts are kept.
    pub fn samples(&self) -> impl Iterator<Item = (&[u16], u16)> {
        self.live.iter().map(|s| (self.rows.row(s.group), s.label))
    }

    /// The distinct rows, with their samples by class.
    pub fn distinct_rows(&self) -> impl Iterator<Item = (&[u16], &[u32])> {
        self.rows.known().map(|group| (self.rows.row(group), self.rows.weights(group)))
    }

    /// Whether the parts of a window that was read from bytes fit each other.
    pub fn is_sound(&self) -> bool {
        let n = self.rows.len() as u32;
        let mut samples = self.live.iter().chain(self.events.iter().map(|e| &e.sample));
        let full = if self.capacity > 0 { self.live.len() == self.len } else { self.live.is_empty() };
        full && self.ordered.len() == self.arities.len()
            && (self.capacity == 0 || self.len <= self.capacity)
            && self.len as u64 <= self.added
            && self.rows.is_sound(&self.arities, self.len)
            && samples.all(|s| s.group < n && usize::from(s.label) < self.n_classes())
            && (self.capacity == 0 || self.is_held_as_needed())
    }

    /// Whether rows are held, and weigh, as the samples and the changes need.
    fn is_held_as_needed(&self) -> bool {
        let samples = self.live.iter().map(|s| (s.group, s.label));
        self.rows.adds_up(samples, self.events.iter().map(|e| e.sample.group))
    }
}
