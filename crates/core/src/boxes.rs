//! Branches as boxes: each attribute free, held to one category, or to an interval of bins. What is in a box is
//! the window's business; what a box is worth is the search's.

use serde::{Deserialize, Serialize};

/// What an attribute is held to. A category: `low == high`, its code. A number: its bins `low..=high` (from 1), and
/// `missing` tells whether rows without a number (code 0) are in as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Condition {
    /// The attribute.
    pub attribute: u16,
    /// The lowest code.
    pub low: u16,
    /// The highest code.
    pub high: u16,
    /// Whether missing numbers are in.
    pub missing: bool,
}

impl Condition {
    /// An attribute held to one category.
    pub fn category(attribute: u16, code: u16) -> Self {
        Self { attribute, low: code, high: code, missing: false }
    }

    /// Whether a code satisfies the condition.
    pub fn holds(&self, code: u16) -> bool {
        (self.low <= code && code <= self.high) || (code == 0 && self.missing)
    }
}

/// A box: conditions in the order of their attributes, at most one for each.
pub type Conditions = Box<[Condition]>;

/// The box with one more condition; a condition on the same attribute is replaced, for it was wider.
pub fn narrowed(conditions: &[Condition], by: Condition) -> Conditions {
    let at = conditions.partition_point(|c| c.attribute < by.attribute);
    let same = conditions.get(at).is_some_and(|c| c.attribute == by.attribute);
    let mut result = Vec::with_capacity(conditions.len() + 1);
    result.extend_from_slice(&conditions[..at]);
    result.push(by);
    result.extend_from_slice(&conditions[at + usize::from(same)..]);
    result.into_boxed_slice()
}

/// Whether a box is another with one more condition.
pub fn is_narrowed(result: &[Condition], conditions: &[Condition], by: Condition) -> bool {
    let is_other = |c: &&Condition| c.attribute != by.attribute;
    result.contains(&by) && result.iter().filter(is_other).eq(conditions.iter().filter(is_other))
}

/// Whether a row is in a box.
pub fn contains(conditions: &[Condition], row: &[u16]) -> bool {
    conditions.iter().all(|c| c.holds(row[usize::from(c.attribute)]))
}

/// A key of a box: 128 bits, so that different boxes all but never share one.
pub fn key(conditions: &[Condition]) -> u128 {
    let fold = |seed: u64| {
        conditions.iter().fold(seed, |hash, c| {
            let word = u64::from(c.attribute) << 48 | u64::from(c.low) << 32 | u64::from(c.high) << 16;
            let x = (hash ^ word ^ u64::from(c.missing)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let x = (x ^ (x >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
            x ^ (x >> 32)
        })
    };
    u128::from(fold(0x9E37_79B9_7F4A_7C15)) << 64 | u128::from(fold(0xD6E8_FEB8_6659_FD93))
}
