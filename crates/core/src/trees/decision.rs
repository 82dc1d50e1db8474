//! Decision nodes: the nodes of decision trees, shared by all trees that contain them. Never copied, never dropped.

use super::NONE;
use crate::counts::{Cell, RunningCounts, Shape};
use serde::{Deserialize, Serialize};

/// A node of decision trees: its counts, and its children by the attribute that splits it.
#[derive(Debug, Serialize, Deserialize)]
pub struct DecisionNode {
    /// The node above, `NONE` for the root.
    pub parent: u32,
    /// The attribute that splits the parent.
    pub attribute: u32,
    /// The category of that attribute here.
    pub code: u32,
    /// How many attributes are held to a category here: the depth.
    pub depth: u32,
    /// What was seen here.
    pub counts: RunningCounts,
    /// The children by attribute, attributes in ascending order, children by category.
    pub children: Vec<(u32, Vec<u32>)>,
}

/// All decision nodes, the root first, parents before children.
#[derive(Debug, Serialize, Deserialize)]
pub struct DecisionNodes {
    pub(super) nodes: Vec<DecisionNode>,
}

impl DecisionNodes {
    /// Only a root.
    pub fn new(shape: &Shape) -> Self {
        let mut nodes = Self { nodes: Vec::new() };
        nodes.push(shape, NONE, NONE, 0);
        nodes
    }

    fn push(&mut self, shape: &Shape, parent: u32, attribute: u32, code: u32) -> u32 {
        self.nodes.push(DecisionNode {
            parent,
            attribute,
            code,
            depth: self.nodes.get(parent as usize).map_or(0, |node| node.depth + 1),
            counts: RunningCounts::new(shape),
            children: Vec::new(),
        });
        (self.nodes.len() - 1) as u32
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// One of them.
    pub fn get(&self, node: u32) -> &DecisionNode {
        &self.nodes[node as usize]
    }

    /// One of them, to count samples.
    pub fn counts_mut(&mut self, node: u32) -> &mut RunningCounts {
        &mut self.nodes[node as usize].counts
    }

    /// The children that a split on `attribute` has made; none when it was never made.
    pub fn children(&self, node: u32, attribute: u32) -> &[u32] {
        let children = &self.get(node).children;
        match children.binary_search_by_key(&attribute, |split| split.0) {
            Ok(k) => &children[k].1,
            Err(_) => &[],
        }
    }

    /// Split a node on an attribute: every category gets the child that it has not yet.
    pub fn split(&mut self, shape: &Shape, node: u32, attribute: u32) -> &[u32] {
        let made = self.children(node, attribute).len() as u32;
        let arity = shape.arities()[attribute as usize];
        let more: Vec<u32> = (made..arity).map(|code| self.push(shape, node, attribute, code)).collect();
        let children = &mut self.nodes[node as usize].children;
        let k = children.binary_search_by_key(&attribute, |split| split.0).unwrap_or_else(|k| {
            children.insert(k, (attribute, Vec::new()));
            k
        });
        children[k].1.extend(more);
        &children[k].1
    }

    /// The samples in a node. The parent's counts know them best: they are at least as many.
    pub fn evidence(&self, shape: &Shape, node: u32) -> Cell<'_> {
        let node = self.get(node);
        match self.nodes.get(node.parent as usize) {
            None => node.counts.own(shape),
            Some(parent) => parent.counts.cell(shape, node.attribute, node.code),
        }
    }

    /// The share of its parent's samples that a node gets: one factor of the chain rule for p(l), Section 4.4.
    pub fn share(&self, shape: &Shape, node: u32) -> f64 {
        match self.nodes.get(self.get(node).parent as usize) {
            None => 1.0,
            Some(parent) => match parent.counts.own(shape).n() {
                0 => 0.0,
                n => f64::from(self.evidence(shape, node).n()) / f64::from(n),
            },
        }
    }

    /// Whether a split could help, by the samples seen today.
    pub fn is_splittable(&self, shape: &Shape, node: u32, min_samples: u32) -> bool {
        let (depth, own) = (self.get(node).depth as usize, self.get(node).counts.own(shape));
        !own.is_pure() && own.n() >= min_samples && depth < shape.n_attributes()
    }

    /// Whether the path to a node has tested an attribute.
    pub fn uses(&self, node: u32, attribute: u32) -> bool {
        let above = |node: &&DecisionNode| self.nodes.get(node.parent as usize);
        std::iter::successors(Some(self.get(node)), above).any(|node| node.attribute == attribute)
    }

    /// Make room for new classes, categories and attributes: new categories get their children.
    pub fn grow(&mut self, old: &Shape, new: &Shape) {
        for node in &mut self.nodes {
            node.counts.grow(old, new);
        }
        for node in 0..self.nodes.len() {
            let attributes: Vec<u32> = self.nodes[node].children.iter().map(|split| split.0).collect();
            for attribute in attributes {
                self.split(new, node as u32, attribute);
            }
        }
    }
}
