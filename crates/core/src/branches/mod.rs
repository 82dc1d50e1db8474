//! The search over branches.

pub mod graph;

use rustc_hash::FxHashMap;

use crate::bounds::{Birth, Prices, birth};
use crate::boxes::{Condition, narrowed};
use crate::window::{Counts, Window};
use graph::{Action, Branch, Children, Id, Link, Split, State};

/// splitmix
pub struct Rng(pub u64);
impl Rng {
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / 9007199254740992.0
    }
}

pub struct BranchSearch {
    pub window: Window,
    pub prices: Prices,
    pub min_samples: u32,
    pub fan_out: usize,
    pub branches: Vec<Branch>,
    by_rows: FxHashMap<u128, Id>,
    bits: Vec<u64>,
    child_bits: Vec<u64>,
    counts: Counts,
    pub looks: u64,
    pub visits: u64,
    pub rng: Rng,
    pub greed: f64,
    pub mode: u8,
    order: Vec<Id>,
    stack: Vec<Id>,
}

const ROOT: Id = 0;

impl BranchSearch {
    pub fn new(window: Window, prices: Prices, mode: u8) -> Self {
        let fan_out = window.arities().iter().zip(window.ordered()).map(|(&a, &o)| if o { 2 } else { a }).max().unwrap_or(2);
        let mut s = Self {
            window, prices, min_samples: 2, fan_out, branches: vec![], by_rows: FxHashMap::default(), bits: vec![], child_bits: vec![],
            counts: Counts::default(), looks: 0, visits: 0, rng: Rng(1), greed: 0.0, mode, order: vec![], stack: vec![],
        };
        s.counts.shape(&s.window);
        s.window.select(&[], &mut s.bits);
        s.window.count(&s.bits, &mut s.counts);
        let b = birth(s.counts.total(), s.fan_out, s.min_samples, s.prices);
        s.branches.push(Branch { conditions: Box::new([]), low: b.low, errors: b.errors, splits: 0, n: b.n, visits: 0, stamp: 0, state: State::Fresh });
        s
    }

    pub fn loss(&self, errors: u32, splits: u32) -> i64 {
        i64::from(errors) * self.prices.error + i64::from(splits) * self.prices.split
    }

    pub fn solved(&self, id: Id) -> bool {
        let b = &self.branches[id as usize];
        b.low >= self.loss(b.errors, b.splits)
    }

    pub fn visit(&mut self) {
        self.visits += 1;
        self.greed = match self.mode {
            0 => 0.0,
            1 => if self.visits % 2 == 0 { 0.0 } else { self.rng.uniform() },
            2 => if self.visits % 2 == 0 { 0.0 } else { 1.0 },
            3 => self.rng.uniform(),
            _ => { let u = self.rng.uniform(); u * u }
        };
        let mut order = std::mem::take(&mut self.order);
        let mut stack = std::mem::take(&mut self.stack);
        order.clear();
        stack.push(ROOT);
        while let Some(id) = stack.pop() {
            if self.solved(id) {
                continue;
            }
            order.push(id);
            if matches!(self.branches[id as usize].state, State::Fresh) {
                self.look(id);
            } else {
                let a = self.choose(id);
                self.follow(id, a, &mut stack);
            }
        }
        for &id in order.iter().rev() {
            self.back_up(id);
        }
        self.order = order;
        self.stack = stack;
    }

    fn choose(&mut self, id: Id) -> usize {
        let b = &self.branches[id as usize];
        let State::Open { actions, .. } = &b.state else { return 0 };
        let mut best = 0;
        let mut score = f64::INFINITY;
        let mut second = i64::MAX;
        let top = self.loss(b.errors, b.splits);
        for (i, a) in actions.iter().enumerate() {
            if a.low >= top { continue; }
            let high = self.loss(a.errors, a.splits);
            let s = a.low as f64 + self.greed * (high - a.low) as f64;
            if s < score || (s == score && high < second) {
                score = s;
                best = i;
                second = high;
            }
        }
        best
    }

    fn follow(&mut self, id: Id, a: usize, stack: &mut Vec<Id>) {
        let State::Open { actions, .. } = &self.branches[id as usize].state else { return };
        if actions[a].children.is_none() {
            let children = self.make_children(id, actions[a].split);
            let State::Open { actions, .. } = &mut self.branches[id as usize].state else { return };
            actions[a].children = Some(Box::new(children));
        }
        let State::Open { actions, .. } = &self.branches[id as usize].state else { return };
        if let Some(c) = &actions[a].children {
            stack.extend(c.links.iter().map(|l| l.branch));
        }
    }

    fn conditions_of(&self, id: Id, split: Split) -> Vec<Condition> {
        let a = usize::from(split.attribute);
        if split.cut == Split::BY_CATEGORY {
            return (0..self.window.arities()[a] as u16).map(|j| Condition::category(split.attribute, j)).collect();
        }
        let c = self.branches[id as usize].conditions.iter().find(|c| c.attribute == split.attribute);
        let (low, high) = c.map_or((1, self.window.arities()[a] as u16 - 1), |c| (c.low, c.high));
        vec![
            Condition { attribute: split.attribute, low, high: split.cut, missing: split.missing == 0 },
            Condition { attribute: split.attribute, low: split.cut + 1, high, missing: split.missing == 1 },
        ]
    }

    fn make_children(&mut self, id: Id, split: Split) -> Children {
        let mut bits = std::mem::take(&mut self.bits);
        let mut child = std::mem::take(&mut self.child_bits);
        self.window.select(&self.branches[id as usize].conditions, &mut bits);
        let mut settled = 0;
        let mut links = vec![];
        for condition in self.conditions_of(id, split) {
            child.clear();
            child.extend_from_slice(&bits);
            self.window.restrict(&condition, &mut child);
            let b = self.window.total(&child, &mut self.counts, self.fan_out, self.min_samples, self.prices);
            if b.n == 0 { continue; }
            if b.low >= b.high {
                settled += b.errors;
                continue;
            }
            let key = Window::fingerprint(&child);
            let next = self.branches.len() as Id;
            let branch = *self.by_rows.entry(key).or_insert(next);
            if branch == next {
                self.branches.push(Branch {
                    conditions: narrowed(&self.branches[id as usize].conditions, condition),
                    low: b.low, errors: b.errors, splits: 0, n: b.n, visits: 0, stamp: 0, state: State::Fresh,
                });
            }
            links.push(Link { condition, branch });
        }
        self.bits = bits;
        self.child_bits = child;
        Children { settled, links: links.into_boxed_slice() }
    }

    fn look(&mut self, id: Id) {
        self.looks += 1;
        let mut bits = std::mem::take(&mut self.bits);
        self.window.select(&self.branches[id as usize].conditions, &mut bits);
        self.window.count(&bits, &mut self.counts);
        self.bits = bits;
        let mut actions = vec![];
        let b = &self.branches[id as usize];
        for i in 0..self.window.arities().len() {
            let condition = b.conditions.iter().find(|c| usize::from(c.attribute) == i);
            if self.window.ordered()[i] {
                self.cuts(b.n, i, condition, &mut actions);
            } else if condition.is_none() {
                self.categories(b.n, i, &mut actions);
            }
        }
        let b = &mut self.branches[id as usize];
        b.state = State::Open { actions, best: None };
    }

    fn categories(&self, n: u32, i: usize, actions: &mut Vec<Action>) {
        let mut low = self.prices.split;
        let mut errors = 0;
        for j in 0..self.window.arities()[i] {
            let b = birth(self.counts.cell(i, j), self.fan_out, self.min_samples, self.prices);
            if b.n == n { return; }
            low += b.low;
            errors += b.errors;
        }
        let split = Split { attribute: i as u16, cut: Split::BY_CATEGORY, missing: Split::NONE_MISSING };
        actions.push(Action { split, splits: 1, errors, variance: 0.0, low, children: None });
    }

    fn cuts(&self, _n: u32, i: usize, condition: Option<&Condition>, actions: &mut Vec<Action>) {
        let k = self.counts.stride;
        let (low, high, missing) = condition.map_or((1, self.window.arities()[i] as u16 - 1, true), |c| (c.low, c.high, c.missing));
        let zero = vec![0u32; k];
        let gone = if missing { self.counts.cell(i, 0) } else { &zero };
        let any_missing = gone.iter().any(|&c| c > 0);
        let mut right = vec![0u32; k];
        for c in low..=high { for (r, x) in right.iter_mut().zip(self.counts.cell(i, c as usize)) { *r += x; } }
        let mut left = vec![0u32; k];
        for cut in low..high {
            let cell = self.counts.cell(i, cut as usize);
            if cell.iter().all(|&c| c == 0) { continue; }
            for ((l, r), x) in left.iter_mut().zip(&mut right).zip(cell) { *l += x; *r -= x; }
            if right.iter().all(|&c| c == 0) { break; }
            let sides: &[u8] = if any_missing { &[0, 1] } else { &[Split::NONE_MISSING] };
            for &side in sides {
                let plus = |x: &[u32], add: bool| -> Birth {
                    if add { let v: Vec<u32> = x.iter().zip(gone).map(|(a, b)| a + b).collect(); birth(&v, self.fan_out, self.min_samples, self.prices) }
                    else { birth(x, self.fan_out, self.min_samples, self.prices) }
                };
                let (l, r) = (plus(&left, side == 0), plus(&right, side == 1));
                let split = Split { attribute: i as u16, cut, missing: side };
                actions.push(Action { split, splits: 1, errors: l.errors + r.errors, variance: 0.0, low: self.prices.split + l.low + r.low, children: None });
            }
        }
    }

    fn back_up(&mut self, id: Id) {
        let mut state = std::mem::replace(&mut self.branches[id as usize].state, State::Fresh);
        if let State::Open { actions, best } = &mut state {
            for a in actions.iter_mut() {
                if let Some(c) = &a.children {
                    let (mut low, mut errors, mut splits) = (self.prices.split + i64::from(c.settled) * self.prices.error, c.settled, 1);
                    for l in &c.links {
                        let b = &self.branches[l.branch as usize];
                        low += b.low; errors += b.errors; splits += b.splits;
                    }
                    a.low = low; a.errors = errors; a.splits = splits;
                }
            }
            let b = &self.branches[id as usize];
            let mut high = self.loss(b.errors, b.splits);
            let mut low = i64::MAX;
            for (i, a) in actions.iter().enumerate() {
                let h = self.loss(a.errors, a.splits);
                if h < high { high = h; *best = Some(i as u32); }
                low = low.min(a.low);
            }
            let old = b.low;
            let (mut errors, mut splits) = (b.errors, b.splits);
            if let Some(i) = *best { errors = actions[i as usize].errors; splits = actions[i as usize].splits; }
            // close
            let keep = best.map(|i| actions[i as usize].split);
            actions.retain(|a| a.low < high || Some(a.split) == keep);
            *best = keep.map(|s| actions.iter().position(|a| a.split == s).unwrap() as u32);
            let low = low.min(high).max(old);
            if low >= high {
                let best = best.map(|i| Box::new(actions.swap_remove(i as usize)));
                state = State::Solved { best };
            } else { actions.shrink_to_fit(); }
            let b = &mut self.branches[id as usize];
            b.low = low; b.errors = errors; b.splits = splits;
        }
        self.branches[id as usize].state = state;
    }
}
