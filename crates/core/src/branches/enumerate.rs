//! Where the search has cost more than solving all boxes would, all boxes are solved.

use super::BranchSearch;
use super::graph::{Action, Branch, Cost, Id, ROOT, Split};
use crate::lattice::{Lattice, Space};

impl BranchSearch {
    /// A search that has cost less than this goes on in any case.
    const CHEAP: u64 = 1 << 16;
    /// Boxes that are solved for the price of looking at one sample.
    const BOXES_FOR_A_SAMPLE: u64 = 4;

    /// One visit, or one step through all boxes where that is the shorter way to the optimum.
    pub(super) fn visit_or_enumerate(&mut self) {
        if !self.is_enumeration_due() {
            self.spent += self.visit();
            self.mind_memory();
            return;
        }
        self.n_iter += 1;
        let mut lattice = self.lattice.take().unwrap_or_else(|| {
            self.shrink_to(self.settings.max_memory - self.space().bytes());
            Lattice::new(&self.space(), self.window.distinct_rows())
        });
        if lattice.step() {
            self.adopt(ROOT, &lattice);
        } else {
            self.lattice = Some(lattice);
        }
    }

    fn is_enumeration_due(&self) -> bool {
        self.by_rows
            && self.spent >= Self::CHEAP
            && !self.window.ordered().contains(&true)
            && self.space().is_small(self.spent * Self::BOXES_FOR_A_SAMPLE, self.settings.max_memory / 4 * 3)
    }

    fn space(&self) -> Space<'_> {
        Space {
            arities: self.window.arities(),
            n_classes: self.window.n_classes(),
            min_samples: self.settings.min_samples,
            prices: self.prices,
            n: self.window.len(),
        }
    }

    /// Enters the best tree of a branch, and that nothing is better.
    fn adopt(&mut self, id: Id, lattice: &Lattice) {
        let branch = &self.branches[id as usize];
        let held = branch.conditions.iter().map(|c| (usize::from(c.attribute), usize::from(c.low)));
        let best = lattice.best_split(held, branch.errors).map(|attribute| self.adopted(id, attribute, lattice));
        let branch = &mut self.branches[id as usize];
        let cost = best.as_ref().map_or(Cost { errors: branch.errors, splits: 0 }, |action| action.best);
        branch.rest = cost.loss(self.prices);
        (branch.actions, branch.choice) = (best.into_iter().collect(), Branch::LEAF);
        self.settle(id);
    }

    fn adopted(&mut self, id: Id, attribute: usize, lattice: &Lattice) -> Action {
        let split = Split::by_category(attribute as u16);
        let (children, _) = self.make_children(id, split, &mut Vec::new());
        for link in &children.links {
            if !self.is_solved(link.branch) {
                self.adopt(link.branch, lattice);
            }
        }
        let none = Cost { errors: 0, splits: 0 };
        let children = Some(Box::new(children));
        let mut action = Action { split, best: none, likely: none, doubt: 0, low: 0, variance: 0.0, children };
        self.refresh(&mut action);
        action
    }
}
