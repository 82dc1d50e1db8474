//! New bins: the window's rows are written anew, and the best tree is planted again in a fresh graph.

use super::BranchSearch;
use super::graph::{Id, ROOT, Split};
use crate::answer::AnswerNode;
use crate::boundary::{Refusal, ensure};
use crate::window::Window;

impl BranchSearch {
    /// Gives numeric attributes new bins. `codes` has a row for each sample held, oldest first, and a column for each
    /// of the attributes. The best tree stays, at the cuts that are nearest in samples.
    pub fn recode(&mut self, attributes: &[usize], codes: &[u16], arities: &[u32]) -> Result<(), Refusal> {
        self.check_recoding(attributes, codes, arities)?;
        let tree = self.moved_tree(attributes, codes, arities);
        let (q, width) = (self.window.arities().len(), attributes.len());
        let mut all = self.window.arities().to_vec();
        attributes.iter().zip(arities).for_each(|(&attribute, &arity)| all[attribute] = arity);
        let mut window = Window::new(self.window.capacity());
        window.grow(&all, self.window.ordered(), self.window.n_classes());
        let (mut rows, labels) = self.samples();
        for (row, new) in rows.chunks_mut(q).zip(codes.chunks(width)) {
            attributes.iter().zip(new).for_each(|(&attribute, &code)| row[attribute] = code);
        }
        window.add(&rows, &labels);
        let waiting = codes.chunks(width).skip(self.window.len());
        for (row, new) in self.waiting.chunks_mut(q).zip(waiting) {
            attributes.iter().zip(new).for_each(|(&attribute, &code)| row[attribute] = code);
        }
        self.window = window;
        self.start_over(self.by_rows);
        self.plant(&tree);
        Ok(())
    }

    fn check_recoding(&self, attributes: &[usize], codes: &[u16], arities: &[u32]) -> Result<(), Refusal> {
        let (held, width) = (self.held(), attributes.len());
        ensure(self.window.capacity() > 0, || {
            "without a window no sample is kept that could be given new bins".into()
        })?;
        ensure(width > 0 && arities.len() == width, || format!("{width} attributes and {} arities", arities.len()))?;
        let known = |&i: &usize| self.window.ordered().get(i).copied().unwrap_or(false);
        ensure(attributes.iter().all(known), || "only numeric attributes have bins".to_string())?;
        ensure(arities.iter().all(|&arity| (2..=1 << 15).contains(&arity)), || {
            "a number has at least one bin and at most 32767".to_string()
        })?;
        ensure(codes.len() == held * width, || {
            format!("{} codes for {held} samples held and {width} attributes", codes.len())
        })?;
        let within = |(i, &code): (usize, &u16)| u32::from(code) < arities[i % width];
        ensure(codes.iter().enumerate().all(within), || "a code is not below its arity".to_string())
    }

    /// The best tree with its cuts moved to the new bins.
    fn moved_tree(&self, attributes: &[usize], codes: &[u16], arities: &[u32]) -> Vec<AnswerNode> {
        let mut tree = self.tree();
        for (column, (&attribute, &arity)) in attributes.iter().zip(arities).enumerate() {
            let old: Vec<u64> =
                below(self.window.samples().map(|(row, _)| row[attribute]), self.window.arities()[attribute]);
            let new = below(codes.iter().skip(column).step_by(attributes.len()).copied(), arity);
            for node in tree.iter_mut().filter(|node| node.attribute == attribute as i64) {
                let mass = old[node.cut as usize];
                let cuts = 1..arity.max(3) as usize - 1;
                let nearest = cuts.min_by_key(|&cut| new.get(cut).copied().unwrap_or(u64::MAX).abs_diff(mass));
                node.cut = nearest.unwrap_or(1) as i64;
            }
        }
        tree
    }

    /// Puts a tree into the graph that was found elsewhere, so far as its splits are actions here.
    pub fn plant_tree(&mut self, tree: &[AnswerNode]) -> Result<(), Refusal> {
        for (at, node) in tree.iter().enumerate() {
            let below = |&child: &u32| (child as usize) > at && (child as usize) < tree.len();
            ensure(node.children.iter().all(below), || format!("node {at} has the children {:?}", node.children))?;
        }
        ensure(!tree.is_empty(), || "a tree has at least one node".to_string())?;
        if !self.window.is_empty() {
            self.plant(tree);
        }
        Ok(())
    }

    /// Puts a tree into the graph, so far as its splits are actions there.
    pub(super) fn plant(&mut self, tree: &[AnswerNode]) {
        let mut way: Vec<(Id, Option<usize>)> = Vec::new();
        let mut stack: Vec<(Id, usize)> = vec![(ROOT, 0)];
        while let Some((id, at)) = stack.pop() {
            self.bring_up_to_date(id);
            let node = &tree[at];
            let is_it = |split: Split| {
                i64::from(split.attribute) == node.attribute && (node.cut < 0 || i64::from(split.cut) == node.cut)
            };
            let position = self.branches[id as usize].actions.iter().position(|action| is_it(action.split));
            way.push((id, position));
            if let Some(position) = position {
                self.follow(id, position, &mut Vec::new());
                let children = self.branches[id as usize].actions[position].children.iter().flat_map(|c| &c.links);
                stack.extend(children.filter_map(|link| child_at(node, link.place).map(|at| (link.branch, at))));
            }
        }
        while let Some((id, position)) = way.pop() {
            self.back_up(id, position);
        }
    }
}

/// Which child of a node has a place.
fn child_at(node: &AnswerNode, place: u16) -> Option<usize> {
    let position =
        if node.cut < 0 { node.codes.iter().position(|&code| code == u32::from(place))? } else { usize::from(place) };
    node.children.get(position).map(|&at| at as usize)
}

/// How many codes (missing ones aside) are at most c, for each c.
fn below(codes: impl Iterator<Item = u16>, arity: u32) -> Vec<u64> {
    let mut counts = vec![0; arity as usize];
    codes.filter(|&code| code > 0).for_each(|code| counts[usize::from(code)] += 1);
    counts
        .iter()
        .scan(0, |sum, &count| {
            *sum += count;
            Some(*sum)
        })
        .collect()
}
