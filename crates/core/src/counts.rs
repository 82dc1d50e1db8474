//! Running counts of one decision-tree node: n_ijk and the prequential hits m_ij of Section 4.3. They only ever grow.
//!
//! Everything a node counts lies in one block of cells. A cell holds, for some set of samples: how many they are, how
//! many of them the majority before them predicted, the majority class, and the count of each class. The first cell is
//! the node's own; then comes one for each attribute and category.

use serde::{Deserialize, Serialize};

const N: usize = 0;
const HITS: usize = 1;
const BEST: usize = 2;
const CLASSES: usize = 3;

/// How many numbers one node may hold (a gigabyte): a schema beyond it is refused before memory runs out.
pub const MAX_BLOCK: usize = 1 << 28;

/// Attributes, categories and classes known so far, and where their cells lie in a block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    arities: Vec<u32>,
    n_classes: usize,
    starts: Vec<usize>,
    len: usize,
}

impl Shape {
    /// The shape for these arities and classes; None when a block would pass `MAX_BLOCK`.
    pub fn new(arities: &[u32], n_classes: usize) -> Option<Self> {
        let width = n_classes.checked_add(CLASSES)?;
        let mut starts = Vec::with_capacity(arities.len());
        let mut len = width;
        for &arity in arities {
            starts.push(len);
            len = (arity as usize).checked_mul(width)?.checked_add(len)?;
        }
        (len <= MAX_BLOCK).then(|| Self { arities: arities.to_vec(), n_classes, starts, len })
    }

    /// The number of categories of each attribute.
    pub fn arities(&self) -> &[u32] {
        &self.arities
    }

    /// The number of attributes.
    pub fn n_attributes(&self) -> usize {
        self.arities.len()
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    fn width(&self) -> usize {
        self.n_classes + CLASSES
    }

    /// Where each value of a row counts: the start of its cell.
    pub fn places(&self, row: &[u16]) -> impl Iterator<Item = u32> {
        let width = self.width();
        let place = move |(start, &code): (&usize, &u16)| (start + code as usize * width) as u32;
        self.starts.iter().zip(row).map(place)
    }
}

/// The cell of one set of samples.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a>(&'a [u32]);

impl<'a> Cell<'a> {
    /// How many samples.
    pub fn n(self) -> u32 {
        self.0[N]
    }

    /// How many of them were predicted by the majority of those before.
    pub fn hits(self) -> u32 {
        self.0[HITS]
    }

    /// The most frequent class, the first one on a tie.
    pub fn majority(self) -> u32 {
        self.0[BEST]
    }

    /// How many samples of each class.
    pub fn by_class(self) -> &'a [u32] {
        &self.0[CLASSES..]
    }

    /// Whether only one class was seen.
    pub fn is_pure(self) -> bool {
        self.n() == 0 || self.by_class()[self.majority() as usize] == self.n()
    }

    fn is_sound(self) -> bool {
        let (n, total) = (u64::from(self.n()), self.by_class().iter().map(|&c| u64::from(c)).sum::<u64>());
        let highest = self.by_class().iter().max();
        n == total && self.hits() <= self.n() && self.by_class().get(self.majority() as usize) == highest
    }
}

/// Count one sample of class `y`. A hit is a prediction made before the sample was counted; the first one has none.
#[inline]
fn count(cell: &mut [u32], y: usize) {
    let best = cell[BEST] as usize;
    cell[HITS] += u32::from(cell[N] > 0 && best == y);
    cell[N] += 1;
    cell[CLASSES + y] += 1;
    let (mine, most) = (cell[CLASSES + y], cell[CLASSES + best]);
    if mine > most || (mine == most && y < best) {
        cell[BEST] = y as u32;
    }
}

/// Counts of the samples that a node has seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunningCounts {
    block: Vec<u32>,
}

impl RunningCounts {
    /// Nothing seen yet.
    pub fn new(shape: &Shape) -> Self {
        Self { block: vec![0; shape.len] }
    }

    /// One sample, by the places of its values. A node that has counted 2^32 - 1 samples counts no more.
    pub fn add(&mut self, shape: &Shape, places: &[u32], y: u16) {
        if self.block[N] == u32::MAX {
            return;
        }
        let (width, y) = (shape.width(), y as usize);
        count(&mut self.block[..width], y);
        for &place in places {
            let place = place as usize;
            count(&mut self.block[place..place + width], y);
        }
    }

    /// All samples of the node.
    pub fn own(&self, shape: &Shape) -> Cell<'_> {
        Cell(&self.block[..shape.width()])
    }

    /// The samples of the node with category `code` in `attribute`.
    pub fn cell(&self, shape: &Shape, attribute: u32, code: u32) -> Cell<'_> {
        let start = shape.starts[attribute as usize] + code as usize * shape.width();
        Cell(&self.block[start..start + shape.width()])
    }

    /// The cells of an attribute, one for each category.
    pub fn cells(&self, shape: &Shape, attribute: u32) -> impl Iterator<Item = Cell<'_>> {
        let (start, arity) = (shape.starts[attribute as usize], shape.arities[attribute as usize]);
        let cells = &self.block[start..start + arity as usize * shape.width()];
        cells.chunks_exact(shape.width()).map(Cell)
    }

    /// Make room for new classes, categories and attributes. In a new attribute every sample so far has code 0, missing.
    pub fn grow(&mut self, old: &Shape, new: &Shape) {
        let grown = &mut vec![0; new.len];
        let width = old.width();
        let mut copy = |cells: &[u32], start: usize| {
            for (k, cell) in cells.chunks_exact(width).enumerate() {
                let start = start + k * new.width();
                grown[start..start + width].copy_from_slice(cell);
            }
        };
        copy(&self.block[..width], 0);
        for (i, &start) in new.starts.iter().enumerate() {
            match old.starts.get(i) {
                Some(&from) => copy(&self.block[from..from + old.arities[i] as usize * width], start),
                None => copy(&self.block[..width], start),
            }
        }
        self.block = std::mem::take(grown);
    }

    /// Whether the block has the given shape and its numbers agree with each other.
    pub fn is_sound(&self, shape: &Shape) -> bool {
        let whole = |i: u32| self.cells(shape, i).map(|cell| u64::from(cell.n())).sum::<u64>();
        self.block.len() == shape.len
            && self.block.chunks_exact(shape.width()).all(|cell| Cell(cell).is_sound() || cell.iter().all(|&v| v == 0))
            && (0..shape.n_attributes() as u32).all(|i| whole(i) == u64::from(self.own(shape).n()))
    }
}
