//! Evidence from a window: the last samples, as bit columns over their distinct rows. It answers one question:
//! for this box, how many samples of each class by attribute and category? It does not know why it is asked.

use std::collections::VecDeque;
use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use crate::boxes::Condition;

/// A sample that came or went: its row's group, its class.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Sample {
    group: u32,
    label: u16,
}

/// The window. Identical rows share a *group* with a weight for each class, so that the rows that no tree can get
/// right (*twins*) are known: all of a group's weight but its heaviest class.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Window {
    arities: Vec<usize>,
    ordered: Vec<bool>,
    n_classes: usize,
    capacity: usize,
    live: VecDeque<Sample>,
    gone: VecDeque<Sample>,
    added: u64,
    removed: u64,
    codes: Vec<u16>,
    weights: Vec<u32>,
    sizes: Vec<u32>,
    references: Vec<u32>,
    free: Vec<u32>,
    #[serde(skip)]
    index: HashTable<u32>,
    #[serde(skip)]
    columns: Vec<Vec<Vec<u64>>>,
}

fn row_hash(row: &[u16]) -> u64 {
    let mut hasher = FxHasher::default();
    for &code in row {
        hasher.write_u16(code);
    }
    hasher.finish()
}

impl Window {
    /// An empty window over the last `capacity` samples.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, ..Self::default() }
    }

    /// How many samples are in.
    pub fn len(&self) -> usize {
        self.live.len()
    }

    /// Whether nothing is in.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// How many samples came so far.
    pub fn added(&self) -> u64 {
        self.added
    }

    /// How many samples went so far.
    pub fn removed(&self) -> u64 {
        self.removed
    }

    /// How many codes each attribute has.
    pub fn arities(&self) -> &[usize] {
        &self.arities
    }

    /// Which attributes are numbers.
    pub fn ordered(&self) -> &[bool] {
        &self.ordered
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    fn n_attributes(&self) -> usize {
        self.arities.len()
    }

    fn n_groups(&self) -> usize {
        self.sizes.len()
    }

    /// Words of a bit column.
    pub fn words(&self) -> usize {
        self.n_groups().div_ceil(64)
    }

    fn row(&self, group: u32) -> &[u16] {
        let q = self.n_attributes();
        &self.codes[group as usize * q..][..q]
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        let columns: usize = self.arities.iter().sum::<usize>() * self.words() * 8;
        columns + self.codes.len() * 2 + self.weights.len() * 4 + self.n_groups() * 20 + self.live.len() * 8
    }

    /// Makes room for new attributes, categories and classes. In a new attribute all samples so far have code 0.
    pub fn grow(&mut self, arities: &[usize], ordered: &[bool], n_classes: usize) {
        let (q, new_q, k) = (self.n_attributes(), arities.len(), self.n_classes);
        if new_q > q {
            let rows = self.n_groups();
            let mut codes = Vec::with_capacity(rows * new_q);
            for g in 0..rows {
                codes.extend_from_slice(&self.codes[g * q..(g + 1) * q]);
                codes.resize((g + 1) * new_q, 0);
            }
            self.codes = codes;
        }
        if n_classes > k {
            let mut weights = vec![0; self.n_groups() * n_classes];
            for g in 0..self.n_groups() {
                weights[g * n_classes..][..k].copy_from_slice(&self.weights[g * k..][..k]);
            }
            self.weights = weights;
        }
        self.arities = arities.to_vec();
        self.ordered = ordered.to_vec();
        self.n_classes = n_classes;
        self.rebuild();
    }

    /// Rebuilds what follows from the rows: the index and the bit columns.
    pub fn rebuild(&mut self) {
        let words = self.words();
        self.columns = self.arities.iter().map(|&k| vec![vec![0; words]; k]).collect();
        self.index = HashTable::with_capacity(self.n_groups());
        for group in 0..self.n_groups() as u32 {
            if self.references[group as usize] > 0 {
                self.mark(group, true);
                self.enter(group);
            }
        }
    }

    fn enter(&mut self, group: u32) {
        let (q, codes) = (self.n_attributes(), &self.codes);
        let hash_of = |g: &u32| row_hash(&codes[*g as usize * q..][..q]);
        self.index.insert_unique(hash_of(&group), group, hash_of);
    }

    /// Sets or clears a group's bits. Numbers have cumulative columns: column c > 0 holds the bins 1 to c.
    fn mark(&mut self, group: u32, present: bool) {
        let (word, bit) = (group as usize / 64, 1u64 << (group % 64));
        for attribute in 0..self.n_attributes() {
            let code = usize::from(self.codes[group as usize * self.arities.len() + attribute]);
            let last = if self.ordered[attribute] && code > 0 { self.arities[attribute] - 1 } else { code };
            for column in &mut self.columns[attribute][code..=last] {
                if present {
                    column[word] |= bit;
                } else {
                    column[word] &= !bit;
                }
            }
        }
    }

    fn group_of(&mut self, row: &[u16]) -> u32 {
        let (q, codes) = (self.n_attributes(), &self.codes);
        let hash = row_hash(row);
        if let Some(&group) = self.index.find(hash, |&g| &codes[g as usize * q..][..q] == row) {
            return group;
        }
        let group = self.new_group(row);
        self.mark(group, true);
        self.enter(group);
        group
    }

    fn new_group(&mut self, row: &[u16]) -> u32 {
        if let Some(group) = self.free.pop() {
            let q = row.len();
            self.codes[group as usize * q..][..q].copy_from_slice(row);
            return group;
        }
        let group = self.n_groups() as u32;
        self.codes.extend_from_slice(row);
        self.weights.resize(self.weights.len() + self.n_classes, 0);
        self.sizes.push(0);
        self.references.push(0);
        let words = self.words();
        for column in self.columns.iter_mut().flatten() {
            column.resize(words, 0);
        }
        group
    }

    /// Takes a sample in; where the window is full the oldest one goes.
    pub fn add(&mut self, row: &[u16], label: u16) {
        if self.live.len() == self.capacity {
            self.remove_oldest();
        }
        let group = self.group_of(row);
        self.weigh(group, label, true);
        self.references[group as usize] += 1;
        self.live.push_back(Sample { group, label });
        self.added += 1;
    }

    fn weigh(&mut self, group: u32, label: u16, more: bool) {
        let g = group as usize;
        let weight = &mut self.weights[g * self.n_classes + usize::from(label)];
        if more {
            *weight += 1;
            self.sizes[g] += 1;
        } else {
            *weight -= 1;
            self.sizes[g] -= 1;
        }
    }

    fn remove_oldest(&mut self) {
        if let Some(sample) = self.live.pop_front() {
            self.weigh(sample.group, sample.label, false);
            self.gone.push_back(sample);
            self.removed += 1;
            while self.gone.len() > self.memory_of_the_gone() {
                self.forget();
            }
        }
    }

    /// How many samples that went are still known, for branches that catch up with what changed.
    fn memory_of_the_gone(&self) -> usize {
        (self.capacity / 8).max(1024)
    }

    fn forget(&mut self) {
        if let Some(sample) = self.gone.pop_front() {
            let g = sample.group as usize;
            self.references[g] -= 1;
            if self.references[g] == 0 {
                let (q, codes) = (self.n_attributes(), &self.codes);
                let row = &codes[g * q..][..q];
                if let Ok(entry) = self.index.find_entry(row_hash(row), |&other| other == sample.group) {
                    entry.remove();
                }
                self.mark(sample.group, false);
                self.free.push(sample.group);
            }
        }
    }

    /// The groups in a box, as bits.
    pub fn select(&self, conditions: &[Condition], bits: &mut Vec<u64>) {
        bits.clear();
        match conditions.split_first() {
            None => bits.resize(self.words(), !0),
            Some((first, rest)) => {
                self.start(first, bits);
                for condition in rest {
                    self.restrict(condition, bits);
                }
            }
        }
        let tail = self.n_groups() % 64;
        if tail > 0 && conditions.is_empty() {
            *bits.last_mut().expect("a tail has a word") = (1 << tail) - 1;
        }
    }

    fn start(&self, condition: &Condition, bits: &mut Vec<u64>) {
        let columns = &self.columns[usize::from(condition.attribute)];
        if self.ordered[usize::from(condition.attribute)] {
            bits.resize(self.words(), !0);
            self.restrict(condition, bits);
        } else {
            bits.extend_from_slice(&columns[usize::from(condition.low)]);
        }
    }

    /// Keeps the groups that satisfy a condition.
    pub fn restrict(&self, condition: &Condition, bits: &mut [u64]) {
        let columns = &self.columns[usize::from(condition.attribute)];
        let high = &columns[usize::from(condition.high)];
        if !self.ordered[usize::from(condition.attribute)] {
            bits.iter_mut().zip(high).for_each(|(b, h)| *b &= h);
        } else if condition.low <= 1 {
            let missing = &columns[0];
            let keep = if condition.missing { !0 } else { 0 };
            bits.iter_mut().zip(high).zip(missing).for_each(|((b, h), m)| *b &= h | (m & keep));
        } else {
            let (below, missing) = (&columns[usize::from(condition.low) - 1], &columns[0]);
            let keep = if condition.missing { !0 } else { 0 };
            bits.iter_mut()
                .zip(high)
                .zip(below)
                .zip(missing)
                .for_each(|(((b, h), l), m)| *b &= (h & !l) | (m & keep));
        }
    }

    /// A fingerprint of a set of groups: equal sets have equal ones, and different sets all but never do.
    pub fn fingerprint(bits: &[u64]) -> u128 {
        let (mut a, mut b) = (0u64, 0u64);
        for (i, &word) in bits.iter().enumerate() {
            if word != 0 {
                let x = (word ^ (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let x = (x ^ (x >> 32)).wrapping_mul(0x94D0_49BB_1331_11EB);
                a = a.wrapping_add(x ^ (x >> 29));
                let y = (word.rotate_left(31) ^ (i as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93))
                    .wrapping_mul(0xA076_1D64_78BD_642F);
                let y = (y ^ (y >> 33)).wrapping_mul(0xE703_7ED1_A0B4_28DB);
                b = b.wrapping_add(y ^ (y >> 31));
            }
        }
        u128::from(a) << 64 | u128::from(b)
    }

    /// Adds up the samples of the groups in `bits`: see [`Counts`].
    pub fn count(&self, bits: &[u64], counts: &mut Counts) {
        counts.clear();
        for (i, &word) in bits.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let group = i as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                self.count_group(group, counts);
            }
        }
    }

    /// Totals only.
    #[inline(never)]
    pub fn total(&self, bits: &[u64], counts: &mut Counts, fan_out: usize, min: u32, prices: crate::bounds::Prices) -> crate::bounds::Birth {
        counts.total.fill(0);
        let k = self.n_classes;
        for (i, &word) in bits.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let g = i * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let w = &self.weights[g * k..][..k];
                let mut max = 0;
                for (t, &x) in counts.total.iter_mut().zip(w) { *t += x; max = max.max(x); }
                counts.total[k] += self.sizes[g] - max;
            }
        }
        crate::bounds::birth(&counts.total, fan_out, min, prices)
    }

    fn count_group(&self, group: u32, counts: &mut Counts) {
        let size = self.sizes[group as usize];
        if size == 0 {
            return;
        }
        let k = self.n_classes;
        let weights = &self.weights[group as usize * k..][..k];
        let row = self.row(group);
        if size == 1 {
            let label = weights.iter().position(|&w| w > 0).unwrap_or(0);
            counts.add_one(row, label);
        } else {
            let twins = size - weights.iter().max().copied().unwrap_or(0);
            counts.add_many(row, weights, twins);
        }
    }
}

/// Counts of a box: for each attribute and code, the samples of each class and, last, the twins among them.
#[derive(Debug, Default)]
pub struct Counts {
    offsets: Vec<u32>,
    /// Classes and one: the stride of a cell.
    pub stride: usize,
    table: Vec<u32>,
    total: Vec<u32>,
}

impl Counts {
    /// Room for the counts of a window's boxes.
    pub fn shape(&mut self, window: &Window) {
        self.stride = window.n_classes() + 1;
        self.offsets.clear();
        let mut at = 0;
        for &arity in window.arities() {
            self.offsets.push(at as u32);
            at += arity * self.stride;
        }
        self.table.resize(at, 0);
        self.total.resize(self.stride, 0);
    }

    fn clear(&mut self) {
        self.table.fill(0);
        self.total.fill(0);
    }

    fn add_one(&mut self, row: &[u16], label: usize) {
        self.total[label] += 1;
        for (&offset, &code) in self.offsets.iter().zip(row) {
            self.table[offset as usize + usize::from(code) * self.stride + label] += 1;
        }
    }

    fn add_many(&mut self, row: &[u16], weights: &[u32], twins: u32) {
        let k = weights.len();
        for (total, w) in self.total.iter_mut().zip(weights) {
            *total += w;
        }
        self.total[k] += twins;
        for (&offset, &code) in self.offsets.iter().zip(row) {
            let at = offset as usize + usize::from(code) * self.stride;
            let cell = &mut self.table[at..=at + k];
            for (c, w) in cell.iter_mut().zip(weights) {
                *c += w;
            }
            cell[k] += twins;
        }
    }

    /// The whole box: class counts, then twins.
    pub fn total(&self) -> &[u32] {
        &self.total
    }

    /// One category of one attribute: class counts, then twins.
    pub fn cell(&self, attribute: usize, code: usize) -> &[u32] {
        &self.table[self.offsets[attribute] as usize + code * self.stride..][..self.stride]
    }
}
