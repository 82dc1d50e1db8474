//! Every box of a small space, solved bottom up: where there are not too many boxes, this is the shortest way to a proof.
//!
//! A box holds each attribute to one category or to none in particular; written as digits, the last category plus one
//! for "any", boxes are numbers, and every child of a box has a smaller number than the box. It knows no graph.

use crate::bounds::Prices;

/// A table and its prices, as the lattice needs them.
#[derive(Debug)]
pub struct Space<'a> {
    /// Categories of each attribute.
    pub arities: &'a [u32],
    /// How many classes there are.
    pub n_classes: usize,
    /// Boxes with fewer samples are not split.
    pub min_samples: u32,
    /// What errors and splits cost.
    pub prices: Prices,
    /// Samples.
    pub n: usize,
}

impl Space<'_> {
    /// Whether there are at most so many boxes, they fit into so many bytes, and their losses into a word each.
    pub fn is_small(&self, most_boxes: u64, bytes: usize) -> bool {
        let (error, split) = self.units();
        let boxes = boxes(self.arities);
        let most_loss = error.saturating_mul(self.n as i64).saturating_add(split);
        boxes as u64 <= most_boxes && self.bytes() <= bytes && most_loss < i64::from(u32::MAX)
    }

    /// What the losses of all boxes take.
    pub fn bytes(&self) -> usize {
        boxes(self.arities).saturating_mul(size_of::<u32>())
    }

    /// The prices in the smallest whole numbers.
    fn units(&self) -> (i64, i64) {
        let common = greatest_common_divisor(self.prices.error, self.prices.split);
        (self.prices.error / common, self.prices.split / common)
    }
}

/// The least loss of every box, as far as they are known.
#[derive(Debug)]
pub struct Lattice {
    arities: Vec<usize>,
    /// What one more in an attribute's digit adds to the number of a box.
    strides: Vec<usize>,
    min_samples: u32,
    error: u32,
    split: u32,
    losses: Vec<u32>,
    /// For each level, the class counts of all cells of the attributes from there on, within the digits before.
    counts: Vec<Vec<u32>>,
    /// Attributes before this are stepped through, the others are swept in one step.
    swept: usize,
    /// The digits of the attributes that are stepped through, and the first that is new.
    digits: Vec<usize>,
    turned: usize,
    /// Attributes held to nothing in the box at hand.
    free: Vec<usize>,
}

/// About how many boxes one step solves.
const STEP: usize = 1 << 15;

fn boxes(arities: &[u32]) -> usize {
    arities.iter().fold(1, |product, &arity| product.saturating_mul(arity as usize + 1))
}

impl Lattice {
    /// Nothing solved yet. The space must have been found small.
    pub fn new<'a>(space: &Space<'_>, rows: impl Iterator<Item = (&'a [u16], &'a [u32])>) -> Self {
        let (error, split) = space.units();
        let arities: Vec<usize> = space.arities.iter().map(|&arity| arity as usize).collect();
        let mut strides = vec![1; arities.len()];
        let mut cells = vec![space.n_classes; arities.len() + 1];
        for i in (0..arities.len()).rev() {
            cells[i] = cells[i + 1] * arities[i];
            if i > 0 {
                strides[i - 1] = strides[i] * (arities[i] + 1);
            }
        }
        let mut counts: Vec<Vec<u32>> = cells.iter().map(|&n| vec![0; n]).collect();
        for (row, weights) in rows {
            let cell: usize = row.iter().zip(&cells[1..]).map(|(&code, size)| usize::from(code) * size).sum();
            counts[0][cell..cell + space.n_classes].iter_mut().zip(weights).for_each(|(c, w)| *c += w);
        }
        let swept = strides.iter().position(|&stride| stride < STEP).unwrap_or(0);
        Self {
            losses: vec![0; boxes(space.arities)],
            min_samples: space.min_samples.max(2),
            error: error as u32,
            split: split as u32,
            counts,
            digits: vec![0; swept],
            swept,
            turned: 0,
            free: Vec::new(),
            strides,
            arities,
        }
    }

    /// Solves the next boxes. True when all are solved.
    pub fn step(&mut self) -> bool {
        let empty = (self.turned..self.swept).find(|&level| !self.restrict(level, self.digits[level]));
        if let Some(empty) = empty {
            self.digits[empty + 1..].copy_from_slice(&self.arities[empty + 1..self.swept]); // no samples, no loss
        } else {
            let number = self.digits.iter().zip(&self.strides).map(|(digit, stride)| digit * stride).sum();
            self.free = (0..self.swept).filter(|&level| self.digits[level] == self.arities[level]).collect();
            self.sweep(self.swept, number);
        }
        self.turn()
    }

    /// The next digits: true where there are none.
    fn turn(&mut self) -> bool {
        for level in (0..self.swept).rev() {
            if self.digits[level] < self.arities[level] {
                self.digits[level] += 1;
                self.turned = level;
                return false;
            }
            self.digits[level] = 0;
        }
        true
    }

    /// Counts of a level within a digit of the level before: whether there are any samples.
    fn restrict(&mut self, level: usize, digit: usize) -> bool {
        let (above, below) = self.counts.split_at_mut(level + 1);
        let (from, to) = (&above[level], &mut below[0]);
        let size = to.len();
        if digit < self.arities[level] {
            to.copy_from_slice(&from[digit * size..(digit + 1) * size]);
        } else {
            to.copy_from_slice(&from[..size]);
            for part in from.chunks_exact(size).skip(1) {
                to.iter_mut().zip(part).for_each(|(t, p)| *t += p);
            }
        }
        to.iter().any(|&c| c > 0)
    }

    fn sweep(&mut self, level: usize, number: usize) {
        if level == self.arities.len() {
            self.losses[number] = self.least(number);
            return;
        }
        for digit in 0..=self.arities[level] {
            if !self.restrict(level, digit) {
                continue;
            }
            if digit == self.arities[level] {
                self.free.push(level);
            }
            self.sweep(level + 1, number + digit * self.strides[level]);
        }
        self.free.pop(); // the last digit is "any"
    }

    /// The least loss of a box whose children are solved.
    fn least(&self, number: usize) -> u32 {
        let classes = &self.counts[self.arities.len()];
        let n: u32 = classes.iter().sum();
        let leaf = (n - classes.iter().max().copied().unwrap_or(0)) * self.error;
        if leaf <= self.split || n < self.min_samples {
            return leaf;
        }
        self.free.iter().map(|&attribute| self.split_loss(number, attribute)).fold(leaf, u32::min)
    }

    /// What a box loses when it is split by an attribute that it holds to nothing.
    fn split_loss(&self, number: usize, attribute: usize) -> u32 {
        let (stride, arity) = (self.strides[attribute], self.arities[attribute]);
        let first = number - arity * stride;
        (0..arity).fold(self.split, |sum, digit| sum + self.losses[first + digit * stride])
    }

    /// The best split of a box that is given by its conditions (attribute, code), with `errors` of its majority class;
    /// none where it is best left alone. All boxes must be solved.
    pub fn best_split(&self, conditions: impl Iterator<Item = (usize, usize)>, errors: u32) -> Option<usize> {
        let mut free: Vec<bool> = vec![true; self.arities.len()];
        let mut number = self.losses.len() - 1;
        for (attribute, code) in conditions {
            free[attribute] = false;
            number -= (self.arities[attribute] - code) * self.strides[attribute];
        }
        let least = self.losses[number];
        if least == errors * self.error {
            return None;
        }
        (0..self.arities.len()).find(|&i| free[i] && self.split_loss(number, i) == least)
    }
}

fn greatest_common_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
