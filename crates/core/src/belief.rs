//! Belief: what counts say of values. Where the counts come from is not known here.

use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, SQRT_2};

/// A Normal posterior.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Normal {
    /// The expected value.
    pub mean: f64,
    /// The variance.
    pub variance: f64,
}

/// The Normal with the first two moments of Beta(1 + hits, 1 + scored - hits): Eqs. (alpha) to (leaf-leaf-2).
pub fn beta_normal(scored: u32, hits: u32) -> Normal {
    let alpha = 1.0 + f64::from(hits);
    let beta = 1.0 + (f64::from(scored) - f64::from(hits));
    let total = alpha + beta;
    Normal { mean: alpha / total, variance: alpha * beta / (total * total * (1.0 + total)) }
}

/// How far a tree was put to the test. What leaves learned in other trees counts for means, not for certainty.
#[derive(Clone, Copy, Debug)]
pub enum Trial {
    /// As far as all that its leaves know.
    Full,
    /// So many samples were simulated in the tree itself.
    Simulated(f64),
    /// Never: it is known as a split of a leaf alone.
    Never,
}

impl Trial {
    /// How many samples count in a leaf of n samples and probability p.
    pub fn samples(self, n: u32, p: f64) -> f64 {
        match self {
            Self::Full => f64::INFINITY,
            Self::Simulated(seen) => p * seen,
            Self::Never => f64::from(n).sqrt(),
        }
    }
}

/// The posterior of a node's accuracy after n samples: the first one scores nothing (the sums start at i = 2). The
/// variance is as wide as if no more than `tested` samples had scored.
pub fn node_posterior(n: u32, hits: u32, tested: f64) -> Normal {
    let scored = n.saturating_sub(1);
    let Normal { mean, variance } = beta_normal(scored, hits);
    let narrow = tested < f64::from(scored);
    Normal { mean, variance: if narrow { mean * (1.0 - mean) / (tested + 3.0) } else { variance } }
}

/// The mean of that posterior alone.
pub fn node_mean(n: u32, hits: u32) -> f64 {
    beta_normal(n.saturating_sub(1), hits).mean
}

/// How many standard deviations below its mean a value is taken for where it must not be overrated.
const CAUTION: f64 = 3.0;

/// The mean less its doubt: by chance the best of many looks better than it is.
pub fn cautious_mean(n: u32, hits: u32) -> f64 {
    let Normal { mean, variance } = beta_normal(n.saturating_sub(1), hits);
    mean - CAUTION * variance.sqrt()
}

/// The exponent that keeps a variance from collapsing too soon (appendix on experiments).
pub fn widen(variance: f64, gamma: f64) -> f64 {
    libm::pow(variance, gamma)
}

/// A sum of independent Normals, each with a weight: Eqs. (prior-search-leaf-1) and (prior-search-leaf-2).
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedSum {
    /// The mean of the sum.
    pub mean: f64,
    variance: f64,
}

impl WeightedSum {
    /// Add one term.
    pub fn add(&mut self, weight: f64, value: Normal) {
        self.mean += weight * value.mean;
        self.variance += weight * weight * value.variance;
    }

    /// The sum as a posterior, its variance widened by the exponent gamma.
    pub fn widened(self, gamma: f64) -> Normal {
        Normal { mean: self.mean, variance: widen(self.variance, gamma) }
    }
}

/// Clark's Normal for the maximum of two: Eqs. (clark-mu), (clark-sigma), with the square root in sigma_m.
pub fn clark(first: Normal, second: Normal) -> Normal {
    let (m1, v1, m2, v2) = (first.mean, first.variance, second.mean, second.variance);
    let spread = (v1 + v2).sqrt();
    if spread == 0.0 {
        return Normal { mean: if m2 > m1 { m2 } else { m1 }, variance: 0.0 };
    }
    let a = (m1 - m2) / spread;
    let (below, above) = (0.5 * libm::erfc(-a / SQRT_2), 0.5 * libm::erfc(a / SQRT_2));
    let density = libm::exp(-0.5 * a * a) / (2.0 * PI).sqrt();
    let mean = m1 * below + m2 * above + density * spread;
    let square = (m1 * m1 + v1) * below + (m2 * m2 + v2) * above + (m1 + m2) * spread * density;
    Normal { mean, variance: (square - mean * mean).max(0.0) }
}

/// The nested maximum of Appendix C, folded from the last value to the first. `values` is not empty.
pub fn clark_maximum(values: &[Normal]) -> Normal {
    let (last, others) = values.split_last().expect("a state has a terminal child");
    others.iter().rev().fold(*last, |result, value| clark(*value, result))
}

/// Fast-TSDT: the value with the highest mean, the first one on a tie, Eq. (theta-fast-tsdt).
pub fn best_mean(values: &[Normal]) -> Normal {
    values[argmax(values.iter().map(|value| value.mean))]
}

/// The position of the highest value, the first one on a tie; 0 when there is none.
pub fn argmax(values: impl IntoIterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, value) in values.into_iter().enumerate() {
        if value > best.1 {
            best = (i, value);
        }
    }
    best.0
}
