//! The answer: unroll the highest posterior mean (Lines 23 to 25) into a tree in preorder.

use super::{NONE, TreeSearch};
use crate::answer::AnswerNode;
use crate::belief::argmax;
use rustc_hash::FxHashMap;

impl TreeSearch {
    /// The tree of the highest posterior mean.
    pub fn tree(&self) -> Vec<AnswerNode> {
        self.unrolled(&self.best_splits())
    }

    fn best_splits(&self) -> FxHashMap<u32, u32> {
        let (mut splits, mut values, mut state) = (FxHashMap::default(), Vec::new(), 0);
        while state != NONE {
            let node = &self.search[state as usize];
            node.values(self.settings.split_cost, &mut values);
            let k = argmax(values.iter().map(|value| value.mean));
            if k == 0 {
                break;
            }
            let child = &node.children[k - 1];
            splits.insert(child.leaf, child.attribute);
            state = child.node;
        }
        splits
    }

    /// The counts of a node are those of its parent's table; empty categories are left out.
    fn unrolled(&self, splits: &FxHashMap<u32, u32>) -> Vec<AnswerNode> {
        let mut answer: Vec<AnswerNode> = Vec::new();
        let own = self.decision.get(0).counts.own(&self.shape);
        let mut stack = vec![(0, own, None)];
        while let Some((node, cell, parent)) = stack.pop() {
            let at = answer.len();
            if let Some(parent) = parent {
                let parent: &mut AnswerNode = &mut answer[parent];
                parent.children.push(at as u32);
            }
            let split = splits.get(&node);
            answer.push(AnswerNode {
                attribute: split.map_or(-1, |&attribute| i64::from(attribute)),
                counts: cell.by_class().to_vec(),
                ..AnswerNode::default()
            });
            let Some(&attribute) = split else { continue };
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
