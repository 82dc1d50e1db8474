//! Bit columns over groups: one for each attribute and code, and the weights of groups cut into bit planes.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::rows::Rows;
use super::tally::Tally;
use crate::boxes::Condition;

type Bits = Vec<u64>;

/// Numbers have cumulative columns: column c > 0 holds the bins 1 to c, column 0 the missing ones.
#[derive(Debug, Default)]
pub struct Columns {
    ordered: Vec<bool>,
    columns: Vec<Vec<Bits>>,
    /// For each class and, last, for the twins: the weights' binary digits, lowest first.
    planes: Vec<Vec<Bits>>,
    words: usize,
}

impl Columns {
    pub fn new(arities: &[u32], ordered: &[bool], n_classes: usize) -> Self {
        let columns = arities.iter().map(|&arity| vec![Bits::new(); arity as usize]).collect();
        Self { ordered: ordered.to_vec(), columns, planes: vec![Vec::new(); n_classes + 1], words: 0 }
    }

    pub fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().chain(&self.planes).map(Vec::len).sum();
        columns * self.words * 8
    }

    fn make_room(&mut self, group: u32) {
        let words = group as usize / 64 + 1;
        if words > self.words {
            self.words = words;
            self.columns.iter_mut().chain(&mut self.planes).flatten().for_each(|bits| bits.resize(words, 0));
        }
    }

    /// Sets or clears a group's bits in the columns of categories; those of numbers wait for [`Columns::arrange`].
    pub fn mark(&mut self, group: u32, row: &[u16], present: bool) {
        self.make_room(group);
        for ((columns, &ordered), &code) in self.columns.iter_mut().zip(&self.ordered).zip(row) {
            if !ordered {
                put(&mut columns[usize::from(code)], group, present);
            }
        }
    }

    /// Sets the bits of some groups, in ascending order, in the columns of numbers: a word of all columns at a time.
    pub fn arrange(&mut self, groups: &[u32], rows: &Rows) {
        let mut bins = Vec::new();
        for run in groups.chunk_by(|a, b| a / 64 == b / 64) {
            let (word, moved) = (run[0] as usize / 64, run.iter().fold(0, |bits, group| bits | bit_of(*group)));
            for (attribute, columns) in self.columns.iter_mut().enumerate().filter(|(k, _)| self.ordered[*k]) {
                bins.clear();
                bins.resize(columns.len(), 0);
                for &group in run.iter().filter(|&&group| rows.is_known(group)) {
                    bins[usize::from(rows.row(group)[attribute])] |= bit_of(group);
                }
                let mut below = 0;
                for (code, (column, bin)) in columns.iter_mut().zip(&bins).enumerate() {
                    below = if code > 1 { below | bin } else { *bin };
                    column[word] = column[word] & !moved | below;
                }
            }
        }
    }

    /// Writes a group's weight in a class, or its twins, into the planes of that slot.
    pub fn weigh(&mut self, group: u32, slot: usize, weight: u32) {
        self.make_room(group);
        let planes = &mut self.planes[slot];
        while planes.len() < (u32::BITS - weight.leading_zeros()) as usize {
            planes.push(vec![0; self.words]);
        }
        for (digit, bits) in planes.iter_mut().enumerate() {
            put(bits, group, weight >> digit & 1 == 1);
        }
    }

    /// What counting some attributes bit by bit costs, in additions of counting row by row.
    pub fn cost(&self, attributes: Range<usize>) -> usize {
        let columns: usize = self.columns[attributes].iter().map(|c| c.len().max(1) - 1).sum();
        let planes: usize = self.planes.iter().map(Vec::len).sum();
        columns * planes * self.words / 12
    }

    pub fn select(&self, conditions: &[Condition], groups: usize, bits: &mut Bits) {
        bits.clear();
        bits.resize(self.words, !0);
        if let (Some(last), tail @ 1..) = (bits.last_mut(), groups % 64) {
            *last = (1 << tail) - 1;
        }
        conditions.iter().for_each(|condition| self.restrict(condition, bits));
    }

    pub fn restrict(&self, condition: &Condition, bits: &mut [u64]) {
        let columns = &self.columns[usize::from(condition.attribute)];
        let high = &columns[usize::from(condition.high)];
        if !self.ordered[usize::from(condition.attribute)] {
            bits.iter_mut().zip(high).for_each(|(b, h)| *b &= h);
            return;
        }
        let keep = if condition.missing { !0 } else { 0 };
        let missing = &columns[0];
        if condition.low <= 1 {
            bits.iter_mut().zip(high).zip(missing).for_each(|((b, h), m)| *b &= h | (m & keep));
        } else {
            let below = &columns[usize::from(condition.low) - 1];
            let sides = high.iter().zip(below).zip(missing);
            bits.iter_mut().zip(sides).for_each(|(b, ((h, l), m))| *b &= (h & !l) | (m & keep));
        }
    }

    /// Counts some attributes by population: the digits of the weights of the groups in `bits`, column by column.
    pub fn count(&self, bits: &[u64], attributes: Range<usize>, tally: &mut Tally) {
        Arch::new().dispatch(ByPopulation { columns: self, bits, attributes: attributes.clone(), tally });
        attributes.filter(|&attribute| self.ordered[attribute]).for_each(|attribute| self.undo_sums(attribute, tally));
    }

    /// Turns the cumulative counts of a number into counts of bins. (The last one is already "all but the missing".)
    fn undo_sums(&self, attribute: usize, tally: &mut Tally) {
        for code in (2..self.columns[attribute].len()).rev() {
            let below = tally.cell(attribute, code - 1).to_vec();
            tally.cell_mut(attribute, code).iter_mut().zip(below).for_each(|(c, b)| *c -= b);
        }
    }
}

/// Counting by population, as one piece of work that is compiled for the instructions of the machine it runs on.
struct ByPopulation<'a> {
    columns: &'a Columns,
    bits: &'a [u64],
    attributes: Range<usize>,
    tally: &'a mut Tally,
}

impl WithSimd for ByPopulation<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut within = vec![0; self.bits.len()];
        for (slot, planes) in self.columns.planes.iter().enumerate() {
            for (digit, plane) in planes.iter().enumerate() {
                let mut all = 0;
                for ((w, b), p) in within.iter_mut().zip(self.bits).zip(plane) {
                    *w = b & p;
                    all += w.count_ones();
                }
                if all > 0 {
                    self.tally.total_mut()[slot] += all << digit;
                    count_plane(self.columns, &within, self.attributes.clone(), (slot, digit, all), self.tally);
                }
            }
        }
    }
}

#[inline(always)]
fn count_plane(
    columns: &Columns,
    within: &[u64],
    attributes: Range<usize>,
    (slot, digit, all): (usize, usize, u32),
    tally: &mut Tally,
) {
    for attribute in attributes {
        let codes = &columns.columns[attribute];
        let (mut rest, last) = (all, codes.len() - 1);
        for (code, column) in codes[..last].iter().enumerate() {
            let count: u32 = within.iter().zip(column).map(|(a, b)| (a & b).count_ones()).sum();
            tally.cell_mut(attribute, code)[slot] += count << digit;
            rest -= if columns.ordered[attribute] && code > 0 { 0 } else { count };
        }
        tally.cell_mut(attribute, last)[slot] += rest << digit;
    }
}

fn bit_of(group: u32) -> u64 {
    1 << (group % 64)
}

fn put(bits: &mut Bits, group: u32, present: bool) {
    let word = &mut bits[group as usize / 64];
    *word = if present { *word | bit_of(group) } else { *word & !bit_of(group) };
}

/// How many groups there are.
pub fn population(bits: &[u64]) -> u32 {
    Arch::new().dispatch(|| bits.iter().map(|b| b.count_ones()).sum())
}

/// Every group in turn.
pub fn each(bits: &[u64], mut act: impl FnMut(u32)) {
    for (i, &word) in bits.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            act(i as u32 * 64 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}

/// A fingerprint of a set of groups: 128 bits, so that different sets all but never share one.
pub fn fingerprint(bits: &[u64]) -> u128 {
    let (mut a, mut b) = (0u64, 0u64);
    for (i, &word) in bits.iter().enumerate().filter(|&(_, &word)| word != 0) {
        a = a.wrapping_add(mixed(word ^ (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        b = b.wrapping_add(mixed(word.rotate_left(31) ^ (i as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93)));
    }
    u128::from(a) << 64 | u128::from(b)
}

/// The finaliser of SplitMix64.
fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
