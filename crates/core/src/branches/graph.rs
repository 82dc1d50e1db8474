//! The AND/OR graph: branches, their actions, and who is whose child. It holds knowledge and decides nothing.

use serde::{Deserialize, Serialize};

use crate::boxes::{Condition, Conditions};

/// The place of a branch in the graph.
pub type Id = u32;

/// A split of a branch: by all categories of an attribute, or (numbers) at a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The attribute.
    pub attribute: u16,
    /// Numbers: the last bin of the left side. Categories: [`Split::BY_CATEGORY`].
    pub cut: u16,
    /// Numbers: the side of the missing ones, 0 or 1, or [`Split::NONE_MISSING`].
    pub missing: u8,
}

impl Split {
    /// The cut of a split by category.
    pub const BY_CATEGORY: u16 = u16::MAX;
    /// Nothing is missing in the branch.
    pub const NONE_MISSING: u8 = 2;
}

/// A child that matters: the condition that leads to it, and its branch.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Link {
    /// What the child adds to the conditions of its parent.
    pub condition: Condition,
    /// The child.
    pub branch: Id,
}

/// What is known of the children of an action once it has been chosen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Children {
    /// Errors of the children that stay leaves whatever happens.
    pub settled: u32,
    /// The others.
    pub links: Box<[Link]>,
}

/// An action of a branch: a split, and what it is worth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Action {
    /// The split.
    pub split: Split,
    /// The best tree known under it: splits, this one included.
    pub splits: u32,
    /// The best tree known under it: errors.
    pub errors: u32,
    /// Variance of its value, for the policies that draw.
    pub variance: f32,
    /// The least that any tree under it loses.
    pub low: i64,
    /// Its children, made when it is first chosen.
    pub children: Option<Box<Children>>,
}

/// How far the search is with a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum State {
    /// Never looked at.
    Fresh,
    /// Looked at: its actions that may still be best, and which of them is (none: a leaf).
    Open { actions: Vec<Action>, best: Option<u32> },
    /// Solved: its best action (none: a leaf).
    Solved { best: Option<Box<Action>> },
}

/// A branch: a box of the attribute space, and what is known of the trees on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// The box.
    pub conditions: Conditions,
    /// The least that any tree on it loses.
    pub low: i64,
    /// The best tree known: errors.
    pub errors: u32,
    /// The best tree known: splits.
    pub splits: u32,
    /// Samples.
    pub n: u32,
    /// How often it was visited.
    pub visits: u32,
    /// The samples that had come when it was last counted.
    pub stamp: u64,
    /// How far the search is with it.
    pub state: State,
}
