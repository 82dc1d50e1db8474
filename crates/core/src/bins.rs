//! From numbers to the codes of their bins.

use pulp::Arch;

/// With so many edges or fewer, comparing numbers with all of them is quicker than a search among them.
const FEW: usize = 32;

/// Numbers that are compared at once.
const MANY: usize = 32;

/// The bin of each number, counted from 1; 0 for NaN. The edges are in ascending order; an edge is in the bin below it.
pub fn bin_codes(numbers: &[f64], edges: &[f64]) -> Vec<u16> {
    let mut codes = Vec::with_capacity(numbers.len());
    let (many, rest) = numbers.as_chunks::<MANY>();
    let one = |number: f64| edges.partition_point(|&edge| edge < number) as u64;
    Arch::new().dispatch(|| {
        for chunk in many {
            let below = if edges.len() <= FEW { counted_below(chunk, edges) } else { chunk.map(one) };
            codes.extend(chunk.iter().zip(below).map(code));
        }
    });
    codes.extend(rest.iter().map(|number| code((number, one(*number)))));
    codes
}

/// How many edges are below each number.
#[inline(always)]
fn counted_below(numbers: &[f64; MANY], edges: &[f64]) -> [u64; MANY] {
    let mut below = [0; MANY];
    for &edge in edges {
        for (count, &number) in below.iter_mut().zip(numbers) {
            *count += u64::from(edge < number);
        }
    }
    below
}

#[inline(always)]
fn code((number, below): (&f64, u64)) -> u16 {
    if number.is_nan() { 0 } else { below as u16 + 1 }
}
