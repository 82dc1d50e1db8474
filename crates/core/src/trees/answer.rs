//! The answer: every node is split as is best by all that is known of it (Lines 23 to 25), in preorder.

use super::{NONE, TreeSearch};
use crate::answer::AnswerNode;

impl TreeSearch {
    /// The best tree known, in preorder. The counts of a node are those of its parent's table; empty categories are left
    /// out.
    pub fn tree(&self) -> Vec<AnswerNode> {
        let mut answer: Vec<AnswerNode> = Vec::new();
        let own = self.decision.get(0).counts.own(&self.shape);
        let mut stack = vec![(0, own, None)];
        while let Some((node, cell, parent)) = stack.pop() {
            let at = answer.len();
            if let Some(parent) = parent {
                let parent: &mut AnswerNode = &mut answer[parent];
                parent.children.push(at as u32);
            }
            let split = self.decision.choice(node, self.decision.evidence(&self.shape, node, cell));
            answer.push(AnswerNode {
                attribute: split.map_or(-1, i64::from),
                counts: cell.by_class().to_vec(),
                ..AnswerNode::default()
            });
            let Some(attribute) = split else { continue };
            let made = self.decision.children(node, attribute);
            let cells = self.decision.get(node).counts.cells(&self.shape, attribute).enumerate();
            let seen: Vec<_> = cells.filter(|(_, cell)| cell.n() > 0).collect();
            answer[at].codes = seen.iter().map(|(code, _)| *code as u32).collect();
            let child = |&(code, cell)| (made.get(code).copied().unwrap_or(NONE), cell, Some(at));
            stack.extend(seen.iter().rev().map(child));
        }
        answer
    }
}
