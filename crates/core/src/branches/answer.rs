//! The answer: the best tree known, and how far it can be from the optimum.

use super::BranchSearch;
use super::graph::{Action, Branch, Id, ROOT, Split};
use crate::answer::AnswerNode;
use crate::boxes::{Condition, Conditions, narrowed};

/// Value of the tree, and the most that any tree is worth, both on the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// Accuracy of the tree less the price of its splits.
    pub value: f64,
    /// No tree is worth more.
    pub upper: f64,
    /// Whether the two are equal, in whole numbers.
    pub proven: bool,
}

/// A part of the rows on its way into the answer, with its branch where it may be split further.
#[derive(Clone, Debug)]
struct Part {
    conditions: Conditions,
    branch: Option<Id>,
    counts: Vec<u32>,
    place: u16,
}

impl BranchSearch {
    /// The best tree known, in preorder, with the class counts of the window.
    pub fn tree(&self) -> Vec<AnswerNode> {
        let mut nodes: Vec<AnswerNode> = Vec::new();
        let all = self.window.class_counts(&[], &mut Vec::new());
        let mut stack = vec![(Part { conditions: Box::new([]), branch: Some(ROOT), counts: all, place: 0 }, None)];
        while let Some((part, parent)) = stack.pop() {
            let at = nodes.len();
            if let Some(parent) = parent {
                let parent: &mut AnswerNode = &mut nodes[parent];
                parent.children.push(at as u32);
                parent.codes.extend((parent.cut < 0).then_some(u32::from(part.place)));
            }
            let (split, parts) = self.split_of(&part);
            let (attribute, cut, missing) = split.map_or((-1, -1, -1), described);
            nodes.push(AnswerNode { attribute, cut, missing, counts: part.counts, ..AnswerNode::default() });
            stack.extend(parts.into_iter().rev().map(|part| (part, Some(at))));
        }
        nodes
    }

    /// The first split of a part that separates something now, and what it separates: splits that no longer do are
    /// passed over.
    fn split_of(&self, part: &Part) -> (Option<Split>, Vec<Part>) {
        let mut part = part.clone();
        while part.counts.iter().sum::<u32>() >= self.settings.min_samples
            && let Some(action) = part.branch.and_then(|id| self.best_action(id))
        {
            let mut parts = self.parts(&part.conditions, action);
            if parts.len() > 1 {
                return (Some(self.as_of_now(action.split, &part.conditions)), parts);
            }
            let Some(only) = parts.pop() else { break };
            part = only;
        }
        (None, Vec::new())
    }

    /// The attributes that split the best tree known, the root's first.
    pub(super) fn shape(&self) -> Vec<u16> {
        let (mut shape, mut stack) = (Vec::new(), vec![ROOT]);
        while let Some(id) = stack.pop() {
            if let Some(action) = self.best_action(id) {
                shape.push(action.split.attribute);
                stack.extend(action.children.iter().flat_map(|children| &children.links).map(|link| link.branch));
            }
        }
        shape
    }

    /// A split with the side of missing numbers, where some have come since it was looked at.
    fn as_of_now(&self, split: Split, conditions: &[Condition]) -> Split {
        if split.cut == Split::BY_CATEGORY || split.missing != Split::NONE_MISSING {
            return split;
        }
        let within = self.held_to(conditions, usize::from(split.attribute));
        let missing = Condition { low: within.high + 1, ..within };
        let counts = self.window.class_counts(&narrowed(conditions, missing), &mut Vec::new());
        Split { missing: if counts.iter().any(|&c| c > 0) { 0 } else { Split::NONE_MISSING }, ..split }
    }

    fn best_action(&self, id: Id) -> Option<&Action> {
        let branch = &self.branches[id as usize];
        (branch.choice != Branch::LEAF).then(|| &branch.actions[branch.choice as usize])
    }

    /// The children of an action that hold samples.
    fn parts(&self, conditions: &[Condition], action: &Action) -> Vec<Part> {
        let attribute = usize::from(action.split.attribute);
        let all = action.split.conditions(self.held_to(conditions, attribute), self.window.arities()[attribute]);
        let links = action.children.as_ref().map_or(&[][..], |children| &children.links);
        let part = |(place, condition): (usize, &Condition)| {
            let conditions = narrowed(conditions, *condition);
            let counts = self.window.class_counts(&conditions, &mut Vec::new());
            let branch = links.iter().find(|link| usize::from(link.place) == place).map(|link| link.branch);
            Part { conditions, branch, counts, place: place as u16 }
        };
        all.iter().enumerate().map(part).filter(|part| part.counts.iter().any(|&c| c > 0)).collect()
    }

    /// How far the answer can be from the optimum.
    pub fn certificate(&self) -> Certificate {
        let root = &self.branches[ROOT as usize];
        let (added, removed) = self.window.changes(root.stamp);
        let low = (root.low - self.slack(added, removed)).max(0);
        let nodes = self.tree();
        let leaves = nodes.iter().filter(|node| node.attribute < 0);
        let errors: u32 =
            leaves.map(|leaf| leaf.counts.iter().sum::<u32>() - leaf.counts.iter().max().unwrap_or(&0)).sum();
        let splits = nodes.iter().filter(|node| node.attribute >= 0).count() as i64;
        let loss = i64::from(errors) * self.prices.error + splits * self.prices.split;
        let whole = self.prices.error as f64 * self.window.len().max(1) as f64;
        let worth = |loss: i64| 1.0 - loss as f64 / whole;
        Certificate { value: worth(loss), upper: worth(low.min(loss)), proven: low >= loss }
    }
}

fn described(split: Split) -> (i64, i64, i64) {
    if split.cut == Split::BY_CATEGORY {
        return (i64::from(split.attribute), -1, -1);
    }
    let missing = if split.missing == Split::NONE_MISSING { -1 } else { i64::from(split.missing) };
    (i64::from(split.attribute), i64::from(split.cut), missing)
}
