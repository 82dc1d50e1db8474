//! Bounds: how little a box can lose, by its counts alone. A loss is a whole number: `errors * unit + splits * price`.

use serde::{Deserialize, Serialize};

/// What an error and a split weigh, in the whole numbers in which losses are kept. `split_cost = price / (unit * N)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prices {
    /// One error.
    pub error: i64,
    /// One split, at the present size of the window.
    pub split: i64,
    /// One split for each sample of the window.
    pub split_per_sample: i64,
}

impl Prices {
    /// The prices of a split cost, exact where it has at most twelve decimals and as exact as there is room for a window
    /// of so many samples (0: four thousand million).
    pub fn new(split_cost: f64, capacity: usize) -> Self {
        let mut error = 1i64;
        let most = if capacity == 0 { 1 << 32 } else { capacity as i64 };
        let room = i64::MAX / 8 / most;
        let rounded = |error: i64| (split_cost * error as f64).round();
        while rounded(error) / error as f64 != split_cost && error < 1_000_000_000_000 && error <= room / 10 {
            error *= 10;
        }
        Self { error, split: 0, split_per_sample: rounded(error) as i64 }
    }

    /// Sets the price of a split for a window of `n` samples.
    pub fn of_window(&mut self, n: usize) {
        self.split = self.split_per_sample * n as i64;
    }
}

/// What the counts of a box say before anything else is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Birth {
    /// Samples.
    pub n: u32,
    /// Errors of the majority class.
    pub errors: u32,
    /// Samples that some tree gets right: all but the twins.
    pub separable: u32,
    /// The least that any tree on the box loses.
    pub low: i64,
    /// What the majority class loses.
    pub high: i64,
}

/// Bounds of a box from its class counts and twins (last). `fan_out` is the most children that a split can have.
///
/// Staying a leaf loses the errors. Splitting s times costs s prices and leaves at most `1 + s (fan_out - 1)` leaves,
/// which get at most as many of the largest classes right, and never the twins.
pub fn birth(counts: &[u32], fan_out: usize, min_samples: u32, prices: Prices) -> Birth {
    let (classes, twins) = (&counts[..counts.len() - 1], counts[counts.len() - 1]);
    let n: u32 = classes.iter().sum();
    let errors = n - classes.iter().max().copied().unwrap_or(0);
    let high = i64::from(errors) * prices.error;
    let mut low = high;
    if n >= min_samples.max(2) && errors > twins {
        low = low.min(least_after_splits(classes, twins, n, fan_out, prices));
    }
    Birth { n, errors, separable: n - twins, low, high }
}

fn least_after_splits(classes: &[u32], twins: u32, n: u32, fan_out: usize, prices: Prices) -> i64 {
    let present = classes.iter().filter(|&&c| c > 0).count();
    if present <= fan_out {
        return prices.split + i64::from(twins) * prices.error;
    }
    let mut sorted = classes.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let mut least = i64::MAX;
    let (mut right, mut taken) = (0, 0);
    for splits in 1.. {
        let leaves = (1 + splits * (fan_out - 1)).min(present);
        right += sorted[taken..leaves].iter().sum::<u32>();
        taken = leaves;
        let errors = (n - right).max(twins);
        least = least.min(splits as i64 * prices.split + i64::from(errors) * prices.error);
        if leaves == present {
            break;
        }
    }
    least
}
