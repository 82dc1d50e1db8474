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

impl BranchSearch {
    /// The best tree known, in preorder, with the class counts of the window.
    pub fn tree(&self) -> Vec<AnswerNode> {
        let mut nodes: Vec<AnswerNode> = Vec::new();
        let mut stack: Vec<(Conditions, Option<Id>, Option<usize>)> = vec![(Box::new([]), Some(ROOT), None)];
        let mut bits = Vec::new();
        while let Some((conditions, branch, parent)) = stack.pop() {
            let counts = self.window.class_counts(&conditions, &mut bits);
            if parent.is_some() && counts.iter().all(|&c| c == 0) {
                continue;
            }
            let at = nodes.len();
            if let Some(parent) = parent {
                nodes[parent].children.push(at as u32);
                let own = conditions_of(&nodes[parent], &conditions);
                nodes[parent].codes.extend(own);
            }
            nodes.push(AnswerNode { counts, ..AnswerNode::default() });
            if let Some(action) = branch.and_then(|id| self.best_action(id)) {
                (nodes[at].attribute, nodes[at].cut, nodes[at].missing) = described(action.split);
                let children = self.children_of(&conditions, action);
                stack.extend(children.into_iter().rev().map(|(box_, child)| (box_, child, Some(at))));
            }
        }
        nodes
    }

    fn best_action(&self, id: Id) -> Option<&Action> {
        let branch = &self.branches[id as usize];
        (branch.choice != Branch::LEAF).then(|| &branch.actions[branch.choice as usize])
    }

    fn children_of(&self, conditions: &[Condition], action: &Action) -> Vec<(Conditions, Option<Id>)> {
        let attribute = action.split.attribute;
        let all: Vec<Condition> = if action.split.cut == Split::BY_CATEGORY {
            let codes = 0..self.window.arities()[usize::from(attribute)] as u16;
            codes.map(|code| Condition::category(attribute, code)).collect()
        } else {
            let held = conditions.iter().find(|c| c.attribute == attribute).copied();
            let within = held.unwrap_or_else(|| self.unbounded(usize::from(attribute)));
            action.split.sides(within).to_vec()
        };
        let links = action.children.as_ref().map_or(&[][..], |children| &children.links);
        let branch = |c: &Condition| links.iter().find(|link| link.condition == *c).map(|link| link.branch);
        all.iter().map(|c| (narrowed(conditions, *c), branch(c))).collect()
    }

    /// How far the answer can be from the optimum.
    pub fn certificate(&self) -> Certificate {
        let root = &self.branches[ROOT as usize];
        let (added, removed) = self.window.changes(root.stamp);
        let low = (root.low - self.slack(added, removed)).max(0);
        let nodes = self.tree();
        let leaves = nodes.iter().filter(|node| node.attribute < 0);
        let errors: u32 = leaves.map(|leaf| leaf.counts.iter().sum::<u32>() - leaf.counts.iter().max().unwrap_or(&0)).sum();
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

/// The code of a child of a categorical split.
fn conditions_of(parent: &AnswerNode, conditions: &[Condition]) -> Option<u32> {
    let own = conditions.iter().find(|c| i64::from(c.attribute) == parent.attribute)?;
    (parent.cut < 0).then_some(u32::from(own.low))
}
