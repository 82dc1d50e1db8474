//! Bounded memory: when the graph is too large, branches let go of what is cheap to find again. Bounds stay true.

use super::BranchSearch;
use super::graph::{Branch, Id, ROOT};

impl BranchSearch {
    /// Weighs the graph now and then, and lets go of a part of it where it is too heavy.
    pub(super) fn mind_memory(&mut self) {
        if self.looks < self.next_weighing {
            return;
        }
        self.shrink_to(self.settings.max_memory);
        self.next_weighing = self.looks + (self.branches.len() as u64 / 4).max(1024);
    }

    /// Lets go of parts of the graph until it takes no more than so many bytes, or nothing is left to let go.
    pub(super) fn shrink_to(&mut self, most: usize) {
        while self.bytes() > most && self.let_go() {}
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        let branches: usize = self.branches.iter().map(Branch::bytes).sum();
        branches + self.index.len() * 40 + self.window.bytes()
    }

    /// The smaller half of the branches keeps its best action alone: their other actions are one bound from now on. Then
    /// whoever is nobody's child any more goes. False where there was nothing to let go.
    fn let_go(&mut self) -> bool {
        let mut sizes: Vec<u32> = self.branches.iter().filter(|b| b.actions.len() > 1).map(|b| b.n).collect();
        if sizes.is_empty() {
            return false;
        }
        let middle = sizes.len() / 2;
        let (_, &mut limit, _) = sizes.select_nth_unstable(middle);
        for branch in self.branches.iter_mut().filter(|b| b.n <= limit) {
            keep_best(branch);
        }
        self.sweep();
        true
    }

    fn sweep(&mut self) {
        let mut reached = vec![false; self.branches.len()];
        let mut stack: Vec<Id> = vec![ROOT];
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut reached[id as usize], true) {
                let children = self.branches[id as usize].actions.iter().filter_map(|a| a.children.as_ref());
                stack.extend(children.flat_map(|c| &c.links).map(|link| link.branch));
            }
        }
        self.index.retain(|_, id| reached[*id as usize]);
        self.vacant.clear();
        for (id, branch) in self.branches.iter_mut().enumerate().filter(|(id, _)| !reached[*id]) {
            branch.actions = Vec::new();
            branch.conditions = Box::new([]);
            branch.tally = None;
            self.vacant.push(id as Id);
        }
    }
}

fn keep_best(branch: &mut Branch) {
    let mut position = 0;
    let choice = branch.choice;
    let mut rest = branch.rest;
    branch.actions.retain(|action| {
        let keep = position == choice;
        position += 1;
        if !keep {
            rest = rest.min(action.low);
        }
        keep
    });
    branch.rest = rest;
    branch.actions.shrink_to_fit();
    branch.choice = if choice == Branch::LEAF { choice } else { 0 };
    branch.tally = None;
}
