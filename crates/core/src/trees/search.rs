//! Search nodes: the states, each a whole decision tree, and what their children are worth.

use super::{NONE, TreeSearch};
use crate::belief::Normal;
use serde::{Deserialize, Serialize};

/// A split child in the search tree: the parent's tree with `leaf` split on `attribute`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Child {
    /// The decision node that the child splits.
    pub leaf: u32,
    /// On what.
    pub attribute: u32,
    /// How uncertain its worth is as long as it was never selected.
    pub variance: f64,
    /// Its search node, made when it is first selected.
    pub node: u32,
}

/// A leaf of a state's tree, and how many attributes children were made for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Leaf {
    /// The decision node.
    pub node: u32,
    /// Attributes treated.
    pub treated: u32,
}

/// A state: a decision tree, given by the state before it and the split that makes the difference.
#[derive(Debug, Serialize, Deserialize)]
pub struct SearchNode {
    /// The state before, `NONE` for the root.
    pub parent: u32,
    /// The leaf of that state that is split here.
    pub split: u32,
    /// On which attribute.
    pub attribute: u32,
    /// The leaves from left to right.
    pub leaves: Vec<Leaf>,
    /// What the tree as it is is worth: the terminal child.
    pub terminal: Normal,
    /// What the state is worth.
    pub posterior: Normal,
    /// The split children.
    pub children: Vec<Child>,
    /// How often the state was on the path.
    pub visits: u64,
    /// How often it was the end of the path.
    pub simulated: u64,
}

impl SearchNode {
    /// A state never visited.
    pub fn new(parent: u32, split: u32, attribute: u32, leaves: Vec<u32>, prior: Normal) -> Self {
        Self {
            parent,
            split,
            attribute,
            leaves: leaves.into_iter().map(|node| Leaf { node, treated: 0 }).collect(),
            terminal: prior,
            posterior: prior,
            children: Vec::new(),
            visits: 0,
            simulated: 0,
        }
    }
}

impl TreeSearch {
    /// The state behind a split child, whose leaf is split already; made if it is new.
    pub(super) fn enter(&mut self, state: u32, k: usize, prior: Normal) -> u32 {
        let Child { leaf, attribute, node, .. } = self.search[state as usize].children[k];
        if node != NONE {
            return node;
        }
        let made = self.search.len() as u32;
        let leaves = self.leaves_after(state, leaf, attribute);
        self.search.push(SearchNode::new(state, leaf, attribute, leaves, prior));
        self.search[state as usize].children[k].node = made;
        made
    }

    /// The leaves of a state's tree once one of them is split.
    pub(super) fn leaves_after(&self, state: u32, split: u32, attribute: u32) -> Vec<u32> {
        let mut leaves = Vec::new();
        for leaf in &self.search[state as usize].leaves {
            if leaf.node == split {
                leaves.extend_from_slice(self.decision.children(split, attribute));
            } else {
                leaves.push(leaf.node);
            }
        }
        leaves
    }

    /// New categories gave splits new children: they are leaves, untreated, of every state that has such a split.
    pub(super) fn grow_leaves(&mut self) {
        for state in 1..self.search.len() {
            let SearchNode { parent, split, attribute, .. } = self.search[state];
            let nodes = self.leaves_after(parent, split, attribute);
            let mut old = self.search[state].leaves.iter().peekable();
            let keep = |node| match old.next_if(|leaf| leaf.node == node) {
                Some(leaf) => *leaf,
                None => Leaf { node, treated: 0 },
            };
            self.search[state].leaves = nodes.into_iter().map(keep).collect();
        }
    }
}
