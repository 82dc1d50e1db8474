//! What must hold of draws and beliefs, whatever the numbers.

use proptest::prelude::*;
use tsdt_core::belief::{
    Normal, Trial, argmax, best_mean, beta_normal, cautious_mean, clark, clark_maximum, node_mean, node_posterior,
};
use tsdt_core::policies::Policy;
use tsdt_core::random::{Random, natural_log, normal_quantile};

fn normal() -> impl Strategy<Value = Normal> {
    (-1.0..2.0, 0.0..1.0).prop_map(|(mean, variance)| Normal { mean, variance })
}

fn scored_and_hits() -> impl Strategy<Value = (u32, u32)> {
    (0..100_000u32).prop_flat_map(|scored| (Just(scored), 0..=scored))
}

proptest! {
    #[test]
    fn the_quantile_rises(a in 1e-15..1.0f64, b in 1e-15..1.0f64) {
        let (low, high) = (a.min(b), a.max(b));
        prop_assert!(normal_quantile(low) <= normal_quantile(high) + 1e-12);
    }

    #[test]
    fn the_quantile_is_symmetric(k in 0..(1u64 << 51)) {
        let p = (k as f64 + 0.5) / (1u64 << 52) as f64; // 1 - p is exact
        prop_assert_eq!(normal_quantile(p), -normal_quantile(1.0 - p));
    }

    #[test]
    fn the_logarithm_of_a_product(a in 1e-100..1e100f64, b in 1e-100..1e100f64) {
        prop_assert!((natural_log(a * b) - natural_log(a) - natural_log(b)).abs() < 1e-11);
        prop_assert!((natural_log(a) - libm::log(a)).abs() < 1e-12);
    }

    #[test]
    fn draws_stay_in_their_range(seed: u64, n in 1..1000usize) {
        let mut random = Random::new(seed);
        for _ in 0..50 {
            let u = random.uniform();
            prop_assert!(0.0 < u && u < 1.0);
            prop_assert!(random.below(n) < n);
            prop_assert!(random.normal().abs() < 9.0);
        }
    }

    #[test]
    fn a_posterior_is_between_0_and_1((scored, hits) in scored_and_hits()) {
        let Normal { mean, variance } = beta_normal(scored, hits);
        prop_assert!(0.0 < mean && mean < 1.0);
        prop_assert!(0.0 < variance && variance <= 1.0 / 12.0);
    }

    #[test]
    fn fewer_tests_make_a_posterior_wider((n, hits) in scored_and_hits(), a in 0.0..1e5f64, b in 0.0..1e5f64) {
        let (few, many) = (node_posterior(n + 1, hits, a.min(b)), node_posterior(n + 1, hits, a.max(b)));
        prop_assert_eq!(few.mean, many.mean);
        prop_assert!(few.variance >= many.variance * (1.0 - 1e-12));
        prop_assert!(many.variance >= node_posterior(n + 1, hits, f64::INFINITY).variance * (1.0 - 1e-12));
    }

    #[test]
    fn a_tree_is_as_certain_as_it_was_put_to_the_test(n in 1..100_000u32, p in 0.0..1.0f64, seen in 0.0..1e6f64) {
        prop_assert_eq!(Trial::Simulated(seen).samples(n, p), p * seen);
        prop_assert!(Trial::Never.samples(n, p) <= f64::from(n));
        prop_assert_eq!(Trial::Full.samples(n, p), f64::INFINITY);
    }

    #[test]
    fn caution_fades_with_samples((n, hits) in scored_and_hits()) {
        let doubt = |scored, hits| node_mean(scored + 1, hits) - cautious_mean(scored + 1, hits);
        prop_assert!(0.0 < doubt(n, hits));
        prop_assert!(doubt(100 * n + 1000, 100 * hits + 500) < doubt(n, hits));
    }

    #[test]
    fn the_maximum_is_no_less_than_either(first in normal(), second in normal()) {
        let both = clark(first, second);
        prop_assert!(both.mean >= first.mean.max(second.mean) - 1e-12);
        prop_assert!(both.variance >= 0.0 && both.variance <= first.variance.max(second.variance) + 1e-12);
        let other = clark(second, first);
        prop_assert!((both.mean - other.mean).abs() < 1e-12);
    }

    #[test]
    fn backups_of_many(values in prop::collection::vec(normal(), 1..20)) {
        let best = best_mean(&values);
        prop_assert!(values.iter().all(|value| value.mean <= best.mean));
        prop_assert!(clark_maximum(&values).mean >= best.mean - 1e-9);
    }

    #[test]
    fn policies_choose_what_there_is(values in prop::collection::vec(normal(), 1..20), visits: u32, seed: u64) {
        let mut random = Random::new(seed);
        for (_, policy) in Policy::NAMES {
            prop_assert!(policy.choose(&values, u64::from(visits), &mut random) < values.len());
        }
    }
}

#[test]
fn twenty_equal_children_are_worth_more_than_one() {
    let child = Normal { mean: 0.5, variance: 0.05 * 0.05 };
    let most = clark_maximum(&[child; 20]);
    assert!((most.mean - 0.593).abs() < 0.002, "{}", most.mean);
}

#[test]
fn the_first_of_equals_is_taken() {
    assert_eq!(argmax([1.0, 3.0, 3.0]), 1);
    assert_eq!(argmax([]), 0);
}

#[test]
fn the_generator_is_splitmix64() {
    let mut random = Random::new(1_234_567);
    assert_eq!([(); 3].map(|()| random.bits()), [6457827717110365317, 3203168211198807973, 9817491932198370423]);
}
