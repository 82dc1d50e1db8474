//! The answer of a search: a decision tree as a list of nodes in preorder.

/// A node of the answer. A leaf has no children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerNode {
    /// The attribute that splits the node, -1 for a leaf.
    pub attribute: i64,
    /// Numbers: codes up to this one go to the first child, the others to the second. -1 for categories.
    pub cut: i64,
    /// Numbers: the child that takes missing ones, -1 where none was seen.
    pub missing: i64,
    /// Categories: those that were seen, one for each child.
    pub codes: Vec<u32>,
    /// Where the children are in the answer.
    pub children: Vec<u32>,
    /// Samples of each class.
    pub counts: Vec<u32>,
}

impl Default for AnswerNode {
    fn default() -> Self {
        Self { attribute: -1, cut: -1, missing: -1, codes: Vec::new(), children: Vec::new(), counts: Vec::new() }
    }
}
