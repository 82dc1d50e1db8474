//! Distinct rows: their codes, their weight in each class, and who still needs them.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use super::tally::Tally;

/// The distinct rows of a window. A group is held by each sample in it and by each change that is remembered.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Rows {
    width: usize,
    n_classes: usize,
    codes: Vec<u16>,
    weights: Vec<u32>,
    sizes: Vec<u32>,
    holders: Vec<u32>,
    free: Vec<u32>,
    #[serde(skip)]
    index: HashTable<u32>,
}

fn row_hash(row: &[u16]) -> u64 {
    let mut hasher = FxHasher::default();
    for codes in row.chunks(4) {
        hasher.write_u64(codes.iter().fold(0, |word, &code| word << 16 | u64::from(code)));
    }
    hasher.finish()
}

impl Rows {
    /// Groups, those that are free included.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The groups that someone holds.
    pub fn known(&self) -> impl Iterator<Item = u32> + use<> {
        let held: Vec<u32> = (0..self.len() as u32).filter(|&g| self.is_known(g)).collect();
        held.into_iter()
    }

    pub fn row(&self, group: u32) -> &[u16] {
        &self.codes[group as usize * self.width..][..self.width]
    }

    pub fn weights(&self, group: u32) -> &[u32] {
        &self.weights[group as usize * self.n_classes..][..self.n_classes]
    }

    /// Samples of a group that no tree gets right.
    pub fn twins(&self, group: u32) -> u32 {
        match self.sizes[group as usize] {
            0 | 1 => 0,
            size => size - self.weights(group).iter().max().copied().unwrap_or(0),
        }
    }

    /// Whether someone holds the group.
    pub fn is_known(&self, group: u32) -> bool {
        self.holders[group as usize] > 0
    }

    pub fn bytes(&self) -> usize {
        self.codes.len() * 2 + self.weights.len() * 4 + self.len() * 16
    }

    pub fn grow(&mut self, width: usize, n_classes: usize) {
        self.codes = widened(&self.codes, self.width, width, self.len());
        self.weights = widened(&self.weights, self.n_classes, n_classes, self.len());
        (self.width, self.n_classes) = (width, n_classes);
    }

    pub fn rebuild_index(&mut self) {
        self.index = HashTable::with_capacity(self.len());
        for group in self.known() {
            self.enter(group, row_hash(self.row(group)));
        }
    }

    fn enter(&mut self, group: u32, hash: u64) {
        let (width, codes) = (self.width, &self.codes);
        self.index.insert_unique(hash, group, |&g| row_hash(&codes[g as usize * width..][..width]));
    }

    /// The group of a row, held by one more, and whether it is new.
    pub fn find_or_add(&mut self, row: &[u16]) -> (u32, bool) {
        let (width, codes, hash) = (self.width, &self.codes, row_hash(row));
        let found = self.index.find(hash, |&g| &codes[g as usize * width..][..width] == row).copied();
        let group = found.unwrap_or_else(|| self.add(row, hash));
        self.hold(group);
        (group, found.is_none())
    }

    fn add(&mut self, row: &[u16], hash: u64) -> u32 {
        let group = if let Some(group) = self.free.pop() {
            self.codes[group as usize * self.width..][..self.width].copy_from_slice(row);
            group
        } else {
            self.codes.extend_from_slice(row);
            self.weights.resize(self.weights.len() + self.n_classes, 0);
            self.sizes.push(0);
            self.holders.push(0);
            self.len() as u32 - 1
        };
        self.enter(group, hash);
        group
    }

    /// One more needs the group.
    pub fn hold(&mut self, group: u32) {
        self.holders[group as usize] += 1;
    }

    /// One less needs the group: true when nobody is left.
    pub fn release(&mut self, group: u32) -> bool {
        self.holders[group as usize] -= 1;
        self.holders[group as usize] == 0
    }

    /// Gives the place of a group that nobody holds to whoever comes next.
    pub fn free(&mut self, group: u32) {
        let hash = row_hash(self.row(group));
        if let Ok(entry) = self.index.find_entry(hash, |&other| other == group) {
            entry.remove();
        }
        self.free.push(group);
    }

    /// A sample came to or went from a group. A sample that goes lets go of the group.
    pub fn weigh(&mut self, group: u32, label: u16, came: bool) {
        let g = group as usize;
        let weight = &mut self.weights[g * self.n_classes + usize::from(label)];
        if came {
            *weight += 1;
            self.sizes[g] += 1;
        } else {
            *weight -= 1;
            self.sizes[g] -= 1;
            self.holders[g] -= 1;
        }
    }

    /// Adds a group to counts for all attributes.
    pub fn count(&self, group: u32, tally: &mut Tally) {
        match self.sizes[group as usize] {
            0 => {}
            1 => {
                let label = self.weights(group).iter().position(|&w| w > 0).unwrap_or(0);
                tally.add_one(self.row(group), label);
            }
            _ => tally.add_many(self.row(group), self.weights(group), self.twins(group)),
        }
    }

    /// Adds a group to the counts of one attribute.
    pub fn count_attribute(&self, group: u32, attribute: usize, tally: &mut Tally) {
        if self.sizes[group as usize] > 0 {
            let code = self.codes[group as usize * self.width + attribute];
            tally.add_cell(attribute, code, self.weights(group), self.twins(group));
        }
    }

    /// Whether the fields fit each other, for rows that were read from bytes.
    pub fn is_sound(&self, arities: &[u32], samples: usize) -> bool {
        let n = self.len();
        self.width == arities.len()
            && Some(self.codes.len()) == n.checked_mul(self.width)
            && Some(self.weights.len()) == n.checked_mul(self.n_classes)
            && self.holders.len() == n
            && self.sizes.iter().map(|&size| size as usize).sum::<usize>() == samples
            && (0..n as u32).all(|g| {
                self.weights(g).iter().map(|&w| u64::from(w)).sum::<u64>() == u64::from(self.sizes[g as usize])
            })
            && self.free.iter().all(|&g| (g as usize) < n && self.holders[g as usize] == 0)
            && (0..n as u32).all(|g| self.row(g).iter().zip(arities).all(|(&code, &arity)| u32::from(code) < arity))
    }

    /// Whether weights and holders are those of the samples and changes.
    pub fn adds_up(&self, samples: impl Iterator<Item = (u32, u16)>, changes: impl Iterator<Item = u32>) -> bool {
        let (mut weights, mut holders) = (vec![0u32; self.weights.len()], vec![0u32; self.len()]);
        for (group, label) in samples {
            weights[group as usize * self.n_classes + usize::from(label)] += 1;
            holders[group as usize] += 1;
        }
        changes.for_each(|group| holders[group as usize] += 1);
        let sizes = |g: usize| weights[g * self.n_classes..][..self.n_classes].iter().sum::<u32>();
        weights == self.weights && holders == self.holders && (0..self.len()).all(|g| sizes(g) == self.sizes[g])
    }
}

/// Rows of `old` values each, end to end, made `new` wide; the new places are zero.
fn widened<T: Copy + Default>(values: &[T], old: usize, new: usize, rows: usize) -> Vec<T> {
    let mut result = vec![T::default(); rows * new];
    for row in 0..rows {
        result[row * new..][..old].copy_from_slice(&values[row * old..][..old]);
    }
    result
}
