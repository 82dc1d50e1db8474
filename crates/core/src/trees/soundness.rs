//! Whether a learner that came from bytes can be used: every index leads somewhere, every number means something.

use super::decision::DecisionNode;
use super::search::{Child, SearchNode};
use super::{NONE, TreeSearch};
use crate::belief::Normal;
use crate::boundary::{check_growth, check_samples};
use crate::counts::Shape;

fn is_normal(value: Normal) -> bool {
    value.mean.is_finite() && value.variance.is_finite() && value.variance >= 0.0
}

impl TreeSearch {
    /// Whether the parts agree with each other.
    pub(super) fn is_sound(&mut self) -> bool {
        self.settings.check().is_ok() && self.is_schema_sound() && self.is_decision_sound() && self.is_search_sound()
    }

    fn is_schema_sound(&self) -> bool {
        let (arities, n_classes) = self.schema();
        let (codes, labels) = &self.pending;
        check_growth((&[], 0), (arities, n_classes)).is_ok()
            && Shape::new(arities, n_classes).as_ref() == Some(&self.shape)
            && labels.len() < self.settings.batch_size
            && check_samples(codes, labels, arities, n_classes).is_ok()
    }

    fn is_decision_sound(&mut self) -> bool {
        let distinct = self.decision.index();
        let nodes = &self.decision.nodes;
        distinct
            && nodes.first().is_some_and(|root| root.conditions.is_empty())
            && nodes.iter().enumerate().all(|(id, node)| self.is_node_sound(id as u32, node))
    }

    /// The conditions of a node are of attributes in order, its children have one more, one child for each category.
    fn is_node_sound(&self, id: u32, node: &DecisionNode) -> bool {
        let arities = self.shape.arities();
        let arity = |attribute: u32| arities.get(attribute as usize).copied().unwrap_or(0);
        let is_child = |attribute: u32, code: usize, child: u32| {
            let child = self.decision.nodes.get(child as usize);
            child.is_some_and(|c| c.conditions == self.decision.narrowed(id, attribute, code as u32))
        };
        let full = node.children.iter().all(|(attribute, children)| {
            !self.decision.uses(id, *attribute)
                && arity(*attribute) as usize == children.len()
                && children.iter().enumerate().all(|(code, &child)| is_child(*attribute, code, child))
        });
        node.conditions.iter().all(|&(attribute, code)| code < arity(attribute))
            && node.conditions.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && node.children.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && full
            && self.is_worth_sound(node)
            && node.counts.is_sound(&self.shape)
    }

    /// The worth of splits is a number, or minus infinity where it was never asked.
    fn is_worth_sound(&self, node: &DecisionNode) -> bool {
        let worths = node.grown.iter().chain([&node.best, &node.sure]);
        let chosen = (node.choice as usize) < self.shape.n_attributes();
        node.grown.len() == self.shape.n_attributes()
            && worths.into_iter().all(|&worth| worth < f64::INFINITY)
            && (chosen || node.sure == f64::NEG_INFINITY)
    }

    fn is_search_sound(&self) -> bool {
        let root = self
            .search
            .first()
            .is_some_and(|root| root.parent == NONE && root.leaves.len() == 1 && root.leaves[0].node == 0);
        root && self.search.iter().enumerate().all(|(id, state)| self.is_state_sound(id as u32, state))
    }

    fn is_state_sound(&self, id: u32, state: &SearchNode) -> bool {
        let q = self.shape.n_attributes() as u32;
        let leaf = |node: u32| state.leaves.iter().any(|leaf| leaf.node == node);
        let follows = id == 0
            || (state.parent < id
                && self.follows_from(state)
                && self.search[state.parent as usize].children.iter().any(|child| child.node == id));
        follows
            && is_normal(state.terminal)
            && is_normal(state.posterior)
            && state.leaves.iter().all(|leaf| leaf.treated <= q)
            && state.children.iter().all(|child| leaf(child.leaf) && self.is_child_sound(id, child))
    }

    /// The leaves of a state are those of the state before with one of them split.
    fn follows_from(&self, state: &SearchNode) -> bool {
        let (parent, leaves) = (state.parent, state.leaves.iter().map(|leaf| leaf.node));
        (state.split as usize) < self.decision.len()
            && !self.decision.children(state.split, state.attribute).is_empty()
            && leaves.eq(self.leaves_after(parent, state.split, state.attribute))
    }

    /// A child splits a leaf on an attribute whose worth is known there, and leads to the state that has that split.
    fn is_child_sound(&self, id: u32, child: &Child) -> bool {
        let made = child.node == NONE
            || self
                .search
                .get(child.node as usize)
                .is_some_and(|node| node.parent == id && node.split == child.leaf && node.attribute == child.attribute);
        let worth = self.decision.get(child.leaf).grown.get(child.attribute as usize);
        made && worth.is_some_and(|worth| worth.is_finite()) && child.variance.is_finite() && child.variance >= 0.0
    }
}
