//! Draws: one small generator that gives the same numbers in both engines and on every machine.
//!
//! Only additions, multiplications, divisions and square roots of IEEE doubles are used. What is done with the draws
//! is the policies' matter.

use serde::{Deserialize, Serialize};

/// Numerator and denominator of a rational function, highest power first.
type Ratio = ([f64; 8], [f64; 8]);

// Wichura (1988), Algorithm AS 241, PPND16: the centre and two tails.
#[expect(clippy::excessive_precision, reason = "the digits as published")]
const CENTRE: Ratio = (
    [
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ],
    [
        5226.495278852854561,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ],
);
#[expect(clippy::excessive_precision, reason = "the digits as published")]
const TAIL: Ratio = (
    [
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ],
    [
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ],
);
#[expect(clippy::excessive_precision, reason = "the digits as published")]
const FAR_TAIL: Ratio = (
    [
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ],
    [
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ],
);

#[inline]
fn ratio((numerator, denominator): &Ratio, x: f64) -> f64 {
    let (mut top, mut bottom) = (0.0, 0.0);
    for (a, b) in numerator.iter().zip(denominator) {
        top = top * x + a;
        bottom = bottom * x + b;
    }
    top / bottom
}

/// The logarithm of a positive number, from its exponent and an odd series in (m - 1) / (m + 1).
pub fn natural_log(x: f64) -> f64 {
    let (mut m, mut e) = libm::frexp(x); // x = m * 2^e, m in [0.5, 1)
    if m < std::f64::consts::FRAC_1_SQRT_2 {
        (m, e) = (m * 2.0, e - 1);
    }
    let s = (m - 1.0) / (m + 1.0);
    let (square, mut total) = (s * s, 0.0);
    for odd in [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        total = total * square + 1.0 / odd;
    }
    f64::from(e) * std::f64::consts::LN_2 + 2.0 * s * total
}

/// The value below which a standard Normal falls with probability `p` (AS 241).
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if (-0.425..=0.425).contains(&q) {
        return q * ratio(&CENTRE, 0.180625 - q * q);
    }
    let r = (-natural_log(if q < 0.0 { p } else { 1.0 - p })).sqrt();
    let x = if r <= 5.0 { ratio(&TAIL, r - 1.6) } else { ratio(&FAR_TAIL, r - 5.0) };
    if q < 0.0 { -x } else { x }
}

/// `SplitMix64`: 64 bits of state, any seed is a good seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number strictly between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0) // 2^-52: exact, never 0, never 1
    }

    /// A draw from the standard Normal.
    pub fn normal(&mut self) -> f64 {
        normal_quantile(self.uniform())
    }

    /// A whole number from 0 to `n` - 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64) as usize
    }
}
