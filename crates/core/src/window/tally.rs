//! Counts of a box: for each attribute and code, the samples of each class and, last, the twins among them.

use super::Window;

/// The counts of one box. A *cell* is one category of one attribute: its class counts, then its twins.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    offsets: Vec<usize>,
    stride: usize,
    table: Vec<u32>,
    total: Vec<u32>,
}

impl Tally {
    /// Room for the counts of a window's boxes.
    pub fn shaped_for(window: &Window) -> Self {
        let stride = window.n_classes() + 1;
        let mut at = 0;
        let mut offsets = Vec::with_capacity(window.arities().len());
        for &arity in window.arities() {
            offsets.push(at);
            at += arity as usize * stride;
        }
        Self { offsets, stride, table: vec![0; at], total: vec![0; stride] }
    }

    /// Classes and one.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The whole box.
    pub fn total(&self) -> &[u32] {
        &self.total
    }

    /// One category of one attribute.
    pub fn cell(&self, attribute: usize, code: usize) -> &[u32] {
        &self.table[self.offsets[attribute] + code * self.stride..][..self.stride]
    }

    pub(super) fn cell_mut(&mut self, attribute: usize, code: usize) -> &mut [u32] {
        &mut self.table[self.offsets[attribute] + code * self.stride..][..self.stride]
    }

    pub(super) fn total_mut(&mut self) -> &mut [u32] {
        &mut self.total
    }

    /// All counts, to be kept.
    pub fn kept(&self) -> Box<[u32]> {
        [&self.table[..], &self.total[..]].concat().into_boxed_slice()
    }

    /// Takes kept counts; false where they are of another shape.
    pub fn restore(&mut self, kept: &[u32]) -> bool {
        if kept.len() != self.table.len() + self.total.len() {
            return false;
        }
        let (table, total) = kept.split_at(self.table.len());
        self.table.copy_from_slice(table);
        self.total.copy_from_slice(total);
        true
    }

    pub(super) fn clear(&mut self) {
        self.table.fill(0);
        self.total.fill(0);
    }

    pub(super) fn clear_attribute(&mut self, attribute: usize) {
        let end = self.offsets.get(attribute + 1).copied().unwrap_or(self.table.len());
        self.table[self.offsets[attribute]..end].fill(0);
    }

    pub(super) fn add_one(&mut self, row: &[u16], label: usize) {
        self.total[label] += 1;
        for (&offset, &code) in self.offsets.iter().zip(row) {
            self.table[offset + usize::from(code) * self.stride + label] += 1;
        }
    }

    pub(super) fn add_many(&mut self, row: &[u16], weights: &[u32], twins: u32) {
        accumulate(&mut self.total, weights, twins);
        for (&offset, &code) in self.offsets.iter().zip(row) {
            accumulate(&mut self.table[offset + usize::from(code) * self.stride..][..self.stride], weights, twins);
        }
    }

    pub(super) fn add_cell(&mut self, attribute: usize, code: u16, weights: &[u32], twins: u32) {
        accumulate(self.cell_mut(attribute, usize::from(code)), weights, twins);
    }

    /// One sample more or less, and a change of the twins.
    pub(super) fn shift(&mut self, row: &[u16], label: u16, more: bool, twins: i8) {
        let (label, last) = (usize::from(label), self.stride - 1);
        let step = if more { 1 } else { u32::MAX };
        let twins = i32::from(twins) as u32;
        self.total[label] = self.total[label].wrapping_add(step);
        self.total[last] = self.total[last].wrapping_add(twins);
        for (&offset, &code) in self.offsets.iter().zip(row) {
            let cell = &mut self.table[offset + usize::from(code) * self.stride..][..self.stride];
            cell[label] = cell[label].wrapping_add(step);
            if twins != 0 {
                cell[last] = cell[last].wrapping_add(twins);
            }
        }
    }
}

fn accumulate(cell: &mut [u32], weights: &[u32], twins: u32) {
    for (c, w) in cell.iter_mut().zip(weights) {
        *c += w;
    }
    cell[weights.len()] += twins;
}
