//! Decision nodes: the nodes of decision trees, shared by all trees that contain them. Never copied, never dropped.
//!
//! A node is what its samples have in common, whatever the order in which a tree asks for it.

use super::NONE;
use crate::belief::{cautious_mean, node_mean};
use crate::counts::{Cell, RunningCounts, Shape};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Attributes held to a category, in the order of the attributes.
pub type Conditions = Box<[(u32, u32)]>;

/// A node of decision trees: its counts, its children by the attribute that splits it, and what splits are worth.
#[derive(Debug, Serialize, Deserialize)]
pub struct DecisionNode {
    /// What the samples here have in common.
    pub conditions: Conditions,
    /// What was seen here.
    pub counts: RunningCounts,
    /// The children by attribute, attributes in ascending order, children by category.
    pub children: Vec<(u32, Vec<u32>)>,
    /// By attribute: what a sample here is worth with a split on it and the best that is known below, prices taken off;
    /// minus infinity where that was never asked.
    pub grown: Vec<f64>,
    /// The highest of those.
    pub best: f64,
    /// What a sample here is worth, cautiously, in the subtree for which that is highest.
    pub sure: f64,
    /// The attribute that splits the node in that subtree.
    pub choice: u32,
}

/// All decision nodes, the root first.
#[derive(Debug, Serialize, Deserialize)]
pub struct DecisionNodes {
    pub(super) nodes: Vec<DecisionNode>,
    /// Each node by its conditions.
    #[serde(skip)]
    index: FxHashMap<Conditions, u32>,
}

/// What a leaf has seen, or with another tree's samples if those are more.
fn more<'a>(cell: Cell<'a>, own: Cell<'a>) -> Cell<'a> {
    if own.n() > cell.n() { own } else { cell }
}

impl DecisionNodes {
    /// Only a root.
    pub fn new(shape: &Shape) -> Self {
        let mut nodes = Self { nodes: Vec::new(), index: FxHashMap::default() };
        nodes.find(shape, Box::default());
        nodes
    }

    /// The node with some conditions, made if it is new.
    fn find(&mut self, shape: &Shape, conditions: Conditions) -> u32 {
        let made = self.nodes.len() as u32;
        let found = *self.index.entry(conditions.clone()).or_insert(made);
        if found == made {
            self.nodes.push(DecisionNode {
                conditions,
                counts: RunningCounts::new(shape),
                children: Vec::new(),
                grown: vec![f64::NEG_INFINITY; shape.n_attributes()],
                best: f64::NEG_INFINITY,
                sure: f64::NEG_INFINITY,
                choice: NONE,
            });
        }
        found
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

    /// The conditions of a child.
    pub fn narrowed(&self, node: u32, attribute: u32, code: u32) -> Conditions {
        let mut conditions = self.get(node).conditions.to_vec();
        conditions.insert(conditions.partition_point(|c| c.0 < attribute), (attribute, code));
        conditions.into()
    }

    /// Split a node on an attribute: every category gets the child that it has not yet.
    pub fn split(&mut self, shape: &Shape, node: u32, attribute: u32) {
        let made = self.children(node, attribute).len() as u32;
        for code in made..shape.arities()[attribute as usize] {
            let conditions = self.narrowed(node, attribute, code);
            let child = self.find(shape, conditions);
            let children = &mut self.nodes[node as usize].children;
            match children.binary_search_by_key(&attribute, |split| split.0) {
                Ok(k) => children[k].1.push(child),
                Err(k) => children.insert(k, (attribute, vec![child])),
            }
        }
    }

    /// The samples in a node, of which those in a cell of the node above are some. The more there are the better.
    pub fn evidence<'a>(&'a self, shape: &Shape, node: u32, cell: Cell<'a>) -> Cell<'a> {
        match self.nodes.get(node as usize) {
            Some(node) => more(cell, node.counts.own(shape)),
            None => cell,
        }
    }

    /// Whether a split could help, by the samples seen today.
    pub fn is_splittable(&self, shape: &Shape, node: u32, min_samples: u32) -> bool {
        let (depth, own) = (self.get(node).conditions.len(), self.get(node).counts.own(shape));
        !own.is_pure() && own.n() >= min_samples && depth < shape.n_attributes()
    }

    /// Whether an attribute is held to a category in a node.
    pub fn uses(&self, node: u32, attribute: u32) -> bool {
        self.get(node).conditions.iter().any(|c| c.0 == attribute)
    }

    /// What a sample in a node is worth: in a leaf with this evidence, or with the best subtree known.
    pub fn worth(&self, node: u32, evidence: Cell<'_>) -> f64 {
        let best = self.nodes.get(node as usize).map_or(f64::NEG_INFINITY, |node| node.best);
        node_mean(evidence.n(), evidence.hits()).max(best)
    }

    /// The same, cautiously, in the surest subtree known.
    fn sure(&self, node: u32, evidence: Cell<'_>) -> f64 {
        let sure = self.nodes.get(node as usize).map_or(f64::NEG_INFINITY, |node| node.sure);
        cautious_mean(evidence.n(), evidence.hits()).max(sure)
    }

    /// The attribute that splits a node in the surest tree; None where that has a leaf.
    pub fn choice(&self, node: u32, evidence: Cell<'_>) -> Option<u32> {
        let node = self.nodes.get(node as usize)?;
        (node.sure > cautious_mean(evidence.n(), evidence.hits())).then_some(node.choice)
    }

    /// Look anew at what the splits of a node are worth, each with its price taken off.
    pub fn reckon(&mut self, shape: &Shape, node: u32, price: f64) {
        let (mut best, mut sure, mut choice) = (f64::NEG_INFINITY, f64::NEG_INFINITY, NONE);
        for attribute in 0..shape.n_attributes() as u32 {
            if self.uses(node, attribute) {
                continue;
            }
            let (worth, surely) = self.worth_of_split(shape, node, attribute);
            self.nodes[node as usize].grown[attribute as usize] = worth - price;
            best = best.max(worth - price);
            if surely - price > sure {
                (sure, choice) = (surely - price, attribute);
            }
        }
        let node = &mut self.nodes[node as usize];
        (node.best, node.sure, node.choice) = (best, sure, choice);
    }

    /// What a sample in a node is worth with a split, and cautiously so.
    fn worth_of_split(&self, shape: &Shape, node: u32, attribute: u32) -> (f64, f64) {
        let (counts, made) = (&self.get(node).counts, self.children(node, attribute));
        let n = f64::from(counts.own(shape).n());
        let (mut worth, mut sure) = (0.0, 0.0);
        for (code, cell) in counts.cells(shape, attribute).enumerate() {
            let child = made.get(code).copied().unwrap_or(NONE);
            let (share, evidence) = (f64::from(cell.n()) / n, self.evidence(shape, child, cell));
            worth += share * self.worth(child, evidence);
            sure += share * self.sure(child, evidence);
        }
        (worth, sure)
    }

    /// Make room for new classes, categories and attributes: new categories get their children.
    pub fn grow(&mut self, old: &Shape, new: &Shape) {
        for node in &mut self.nodes {
            node.counts.grow(old, new);
            node.grown.resize(new.n_attributes(), f64::NEG_INFINITY);
        }
        for node in 0..self.nodes.len() {
            let attributes: Vec<u32> = self.nodes[node].children.iter().map(|split| split.0).collect();
            for attribute in attributes {
                self.split(new, node as u32, attribute);
            }
        }
    }

    /// Find nodes by their conditions again; whether no two have the same.
    pub fn index(&mut self) -> bool {
        self.index = self.nodes.iter().zip(0..).map(|(node, id)| (node.conditions.clone(), id)).collect();
        self.index.len() == self.nodes.len()
    }
}
