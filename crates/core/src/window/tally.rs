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

    /// All counts, to be kept in the place of others.
    pub fn kept(&self, place: Option<Box<[u32]>>) -> Box<[u32]> {
        let fitting = place.filter(|place| place.len() == self.table.len() + self.total.len());
        let Some(mut place) = fitting else { return [&self.table[..], &self.total[..]].concat().into_boxed_slice() };
        let (table, total) = place.split_at_mut(self.table.len());
        table.copy_from_slice(&self.table);
        total.copy_from_slice(&self.total);
        place
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
        self.shift_slot(row, usize::from(label), if more { 1 } else { u32::MAX });
        if twins != 0 {
            self.shift_slot(row, self.stride - 1, i32::from(twins) as u32);
        }
    }

    fn shift_slot(&mut self, row: &[u16], slot: usize, by: u32) {
        self.total[slot] = self.total[slot].wrapping_add(by);
        for (&offset, &code) in self.offsets.iter().zip(row) {
            let count = &mut self.table[offset + usize::from(code) * self.stride + slot];
            *count = count.wrapping_add(by);
        }
    }
}

fn accumulate(cell: &mut [u32], weights: &[u32], twins: u32) {
    for (c, w) in cell.iter_mut().zip(weights) {
        *c += w;
    }
    cell[weights.len()] += twins;
}
