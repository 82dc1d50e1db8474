//! The AND/OR graph: branches, their actions, and who is whose child. It holds knowledge and decides nothing.

use serde::{Deserialize, Serialize};

use crate::bounds::Prices;
use crate::boxes::{Condition, Conditions};

/// The place of a branch in the graph.
pub type Id = u32;

/// The root: the box of all rows.
pub const ROOT: Id = 0;

/// A split of a branch: by all categories of an attribute, or (numbers) at a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The attribute.
    pub attribute: u16,
    /// Numbers: the last bin of the left side; the last of all: numbers against missing ones. Categories: [`Split::BY_CATEGORY`].
    pub cut: u16,
    /// Numbers: the side of the missing ones, 0 or 1, or [`Split::NONE_MISSING`].
    pub missing: u8,
}

impl Split {
    /// The cut of a split by category.
    pub const BY_CATEGORY: u16 = u16::MAX;
    /// Nothing is missing in the branch.
    pub const NONE_MISSING: u8 = 2;

    /// A split by all categories of an attribute.
    pub fn by_category(attribute: u16) -> Self {
        Self { attribute, cut: Self::BY_CATEGORY, missing: Self::NONE_MISSING }
    }

    /// The two sides of a cut in a branch that holds the attribute to `within`. Missing numbers that come after a look
    /// that saw none go left.
    pub fn sides(&self, within: Condition) -> [Condition; 2] {
        let high = self.cut.clamp(within.low - 1, within.high);
        let left = Condition { high, missing: within.missing && self.missing != 1, ..within };
        [left, Condition { low: high + 1, missing: within.missing && self.missing == 1, ..within }]
    }

    /// What each child adds to a branch that holds the attribute to `within`, in order: one for each of `arity`
    /// categories, or the two sides of a cut.
    pub fn conditions(&self, within: Condition, arity: u32) -> Vec<Condition> {
        if self.cut == Self::BY_CATEGORY {
            (0..arity as u16).map(|code| Condition::category(self.attribute, code)).collect()
        } else {
            self.sides(within).to_vec()
        }
    }
}

/// A tree by what it costs: its errors and its splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Samples that it gets wrong.
    pub errors: u32,
    /// Its splits.
    pub splits: u32,
}

impl Cost {
    /// The loss of the tree.
    pub fn loss(self, prices: Prices) -> i64 {
        i64::from(self.errors) * prices.error + i64::from(self.splits) * prices.split
    }
}

/// A child that matters: its place among the children of its split (a category's code, or a cut's side), its branch.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Link {
    /// The place.
    pub place: u16,
    /// The child.
    pub branch: Id,
}

/// The children of an action, once it has been chosen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Children {
    /// Errors of the children that stay leaves whatever happens.
    pub settled: u32,
    /// Variance of their value.
    pub variance: f64,
    /// The others.
    pub links: Box<[Link]>,
}

/// An action of a branch: a split, and what it is worth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Action {
    /// The split.
    pub split: Split,
    /// The best tree known under it, this split included: what it costs at most.
    pub best: Cost,
    /// What it is likely to cost, where its parts have not been counted since some samples came.
    pub likely: Cost,
    /// Errors that it may have besides, for all that is known.
    pub doubt: u32,
    /// The least that any tree under it loses.
    pub low: i64,
    /// Variance of its value, for the policies that draw.
    pub variance: f64,
    /// Its children, made when it is first chosen.
    pub children: Option<Box<Children>>,
}

/// A branch: a box of the attribute space, and what is known of the trees on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// The box.
    pub conditions: Conditions,
    /// The samples that had come when it was last counted.
    pub stamp: u64,
    /// The least that any tree on it loses.
    pub low: i64,
    /// The least that any action loses that is not in `actions`.
    pub rest: i64,
    /// The best tree known: what it costs at most.
    pub best: Cost,
    /// What the chosen tree is likely to cost, and errors that it may have besides.
    pub likely: Cost,
    /// See [`Action::doubt`].
    pub doubt: u32,
    /// Samples.
    pub n: u32,
    /// Errors of the majority class.
    pub errors: u32,
    /// Variance of the best tree's value.
    pub variance: f64,
    /// How often it was visited.
    pub visits: u32,
    /// The position of the chosen action, or [`Branch::LEAF`].
    pub choice: u32,
    /// Whether its actions were ever counted.
    pub looked: bool,
    /// The actions that may still be best.
    pub actions: Vec<Action>,
    /// Its counts, kept where the samples change and counting anew is dear.
    #[serde(skip)]
    pub tally: Option<Box<[u32]>>,
}

impl Branch {
    /// The choice to stay a leaf.
    pub const LEAF: u32 = u32::MAX;

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        let links: usize =
            self.actions.iter().filter_map(|a| a.children.as_ref()).map(|c| 48 + 12 * c.links.len()).sum();
        let tally = self.tally.as_ref().map_or(0, |t| 4 * t.len());
        size_of::<Self>()
            + 16
            + 8 * self.conditions.len()
            + size_of::<Action>() * self.actions.capacity()
            + links
            + tally
    }
}
