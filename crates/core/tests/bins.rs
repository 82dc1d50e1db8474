//! Codes of bins: the number of edges below a number, and one.

use proptest::prelude::*;
use tsdt_core::bins::bin_codes;

proptest! {
    #[test]
    fn a_code_counts_the_edges_below(numbers in prop::collection::vec(-9i8..9, 0..50), edges in prop::collection::btree_set(-9i16..60, 0..50)) {
        let edges: Vec<f64> = edges.into_iter().map(f64::from).collect();
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        let counted = |number: &f64| edges.iter().filter(|&edge| edge < number).count() as u16 + 1;
        prop_assert_eq!(bin_codes(&numbers, &edges), numbers.iter().map(counted).collect::<Vec<_>>());
    }
}

#[test]
fn nan_and_infinity() {
    assert_eq!(bin_codes(&[f64::NAN, f64::NEG_INFINITY, f64::INFINITY], &[0.0, 1.0]), [0, 1, 3]);
}
