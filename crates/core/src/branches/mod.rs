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
    pub theta: f64,
    pub level: f64,
    order: Vec<(Id, usize)>,
    stack: Vec<Id>,
}

const ROOT: Id = 0;

impl BranchSearch {
    pub fn new(window: Window, prices: Prices, mode: u8) -> Self {
        let fan_out = window.arities().iter().zip(window.ordered()).map(|(&a, &o)| if o { 2 } else { a }).max().unwrap_or(2);
        let mut s = Self {
            window, prices, min_samples: 2, fan_out, branches: vec![], by_rows: FxHashMap::default(), bits: vec![], child_bits: vec![],
            counts: Counts::default(), looks: 0, visits: 0, rng: Rng(1), greed: 0.0, mode, theta: 0.0, level: 8.0, order: vec![], stack: vec![],
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

    #[inline(never)]
    pub fn visit(&mut self) {
        self.visits += 1;
        self.greed = match self.mode {
            0 => 0.0,
            1 => if self.visits % 2 == 0 { 0.0 } else { self.rng.uniform() },
            2 => if self.visits % 2 == 0 { 0.0 } else { 1.0 },
            8 => { let n = f64::from(self.branches[0].n); self.theta = if self.visits % 16 == 0 { n } else { self.level }; 0.0 }
            9 => { let n = f64::from(self.branches[0].n); self.theta = if self.visits % 16 == 0 { n } else { self.level * self.rng.uniform() }; 0.0 }
            3 => self.rng.uniform(),
            5 => { let n = f64::from(self.branches[0].n); self.theta = if self.visits % 4 == 0 { n } else { n.powf(self.rng.uniform()) }; 0.0 }
            6 => { let n = f64::from(self.branches[0].n); self.theta = if self.visits % 8 == 0 { n } else { n.powf(self.rng.uniform()) }; if self.visits % 2 == 0 { 0.0 } else { self.rng.uniform() } }
            7 => { let n = f64::from(self.branches[0].n); self.theta = if self.visits % 16 == 0 { n } else { n.powf(self.rng.uniform() * 0.8) }; 0.0 }
            _ => { let u = self.rng.uniform(); u * u }
        };
        let before = (self.looks, self.loss(self.branches[0].errors, self.branches[0].splits));
        let mut order = std::mem::take(&mut self.order);
        let mut stack = std::mem::take(&mut self.stack);
        order.clear();
        stack.push(ROOT);
        while let Some(id) = stack.pop() {
            if self.solved(id) {
                continue;
            }
            if matches!(self.branches[id as usize].state, State::Fresh) {
                self.look(id);
                order.push((id, usize::MAX));
            } else {
                let a = self.choose(id);
                order.push((id, a));
                self.follow(id, a, &mut stack);
            }
        }
        for &(id, a) in order.iter().rev() {
            self.back_up(id, a);
        }
        self.order = order;
        if self.looks == before.0 { self.level = (self.level * 1.2).min(f64::from(self.branches[0].n)); }
        else if self.loss(self.branches[0].errors, self.branches[0].splits) < before.1 { self.level = (self.level * 0.7).max(8.0); }
        self.stack = stack;
    }

    #[inline(never)]
    fn choose(&mut self, id: Id) -> usize {
        let mut state = std::mem::replace(&mut self.branches[id as usize].state, State::Fresh);
        let b = &self.branches[id as usize];
        let top = self.loss(b.errors, b.splits);
        let State::Open { actions, best } = &mut state else { unreachable!() };
        let mut pick = usize::MAX;
        if self.theta > 0.0 && f64::from(b.n) > self.theta {
            if let Some(i) = *best { self.refresh(&mut actions[i as usize]); if actions[i as usize].low < self.loss(actions[i as usize].errors, actions[i as usize].splits) { pick = i as usize; } }
        }
        let pick = if pick != usize::MAX { pick } else { loop {
            let mut best = usize::MAX;
            let mut score = f64::INFINITY;
            let mut second = i64::MAX;
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
            if best == usize::MAX || !self.refresh(&mut actions[best]) { break best; }
        } };
        self.branches[id as usize].state = state;
        pick
    }

    #[inline(never)]
    fn refresh(&self, a: &mut Action) -> bool {
        let Some(c) = &a.children else { return false };
        let (mut low, mut errors, mut splits) = (self.prices.split + i64::from(c.settled) * self.prices.error, c.settled, 1);
        for l in &c.links {
            let b = &self.branches[l.branch as usize];
            low += b.low; errors += b.errors; splits += b.splits;
        }
        let changed = low != a.low || errors != a.errors || splits != a.splits;
        a.low = low; a.errors = errors; a.splits = splits;
        changed
    }

    #[inline(never)]
    fn follow(&mut self, id: Id, a: usize, stack: &mut Vec<Id>) {
        let State::Open { actions, .. } = &self.branches[id as usize].state else { return };
        if a == usize::MAX { return; }
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

    #[inline(never)]
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
            let key = Window::fingerprint(&child);
            if let Some(&branch) = self.by_rows.get(&key) {
                links.push(Link { condition, branch });
                continue;
            }
            let b = self.window.total(&child, &mut self.counts, self.fan_out, self.min_samples, self.prices);
            if b.n == 0 { continue; }
            if b.low >= b.high {
                settled += b.errors;
                continue;
            }
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

    #[inline(never)]
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

    #[inline(never)]
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

    #[inline(never)]
    fn back_up(&mut self, id: Id, chosen: usize) {
        let mut state = std::mem::replace(&mut self.branches[id as usize].state, State::Fresh);
        if let State::Open { actions, best } = &mut state {
            if chosen != usize::MAX { self.refresh(&mut actions[chosen]); }
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
            if actions.iter().any(|a| a.low >= high && Some(a.split) != keep) { actions.retain(|a| a.low < high || Some(a.split) == keep); }
            *best = keep.map(|s| actions.iter().position(|a| a.split == s).unwrap() as u32);
            let low = low.min(high).max(old);
            if low >= high {
                let best = best.map(|i| Box::new(actions.swap_remove(i as usize)));
                state = State::Solved { best };
            } else if actions.capacity() > 2 * actions.len() { actions.shrink_to_fit(); }
            let b = &mut self.branches[id as usize];
            b.low = low; b.errors = errors; b.splits = splits;
        }
        self.branches[id as usize].state = state;
    }
}
