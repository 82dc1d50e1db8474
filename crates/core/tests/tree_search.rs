//! The search over trees from outside: it learns, it refuses, and its states hold against anything.

use proptest::prelude::*;
use tsdt_core::policies::Policy;
use tsdt_core::random::Random;
use tsdt_core::trees::{Backup, Settings, TreeSearch};

fn settings(seed: u64) -> Settings {
    Settings {
        split_cost: 0.05,
        backup: Backup::Fast,
        policy: Policy::Thompson,
        batch_size: 100,
        gamma: 0.75,
        min_samples: 2,
        seed,
    }
}

/// Rows of q bits whose label says whether the first two are equal.
fn xnor(q: usize, n: usize, seed: u64) -> (Vec<u16>, Vec<u16>) {
    let mut random = Random::new(seed);
    let codes: Vec<u16> = (0..n * q).map(|_| random.below(2) as u16).collect();
    let labels = codes.chunks_exact(q).map(|row| u16::from(row[0] == row[1])).collect();
    (codes, labels)
}

fn taught(q: usize, n: usize, settings: Settings) -> TreeSearch {
    let mut search = TreeSearch::new(settings).expect("these settings are right");
    let (codes, labels) = xnor(q, n, 7);
    search.grow(&vec![2; q], 2).expect("growth from nothing");
    search.learn(&codes, &labels).expect("samples of that shape");
    search
}

#[test]
fn xnor_among_ten_is_found() {
    for backup in [Backup::Fast, Backup::Clark] {
        for seed in 0..5 {
            let tree = taught(10, 40_000, Settings { backup, ..settings(seed) }).tree();
            let splits: Vec<i64> = tree.iter().map(|node| node.attribute).filter(|&i| i >= 0).collect();
            assert_eq!(splits.len(), 3);
            assert!(splits.iter().all(|&attribute| attribute < 2));
        }
    }
}

#[test]
fn nothing_of_a_refused_call_is_kept() {
    let mut search = taught(3, 250, settings(0));
    let before = search.state().expect("a state");
    assert!(search.learn(&[0, 0, 2], &[0]).is_err());
    assert!(search.learn(&[0, 0], &[0]).is_err());
    assert!(search.learn(&[0, 0, 0], &[2]).is_err());
    assert!(search.grow(&[2, 2], 2).is_err());
    assert!(search.grow(&[2, 2, 1], 2).is_err());
    assert!(search.grow(&[65_536; 40], 65_536).is_err());
    assert_eq!(search.state().expect("a state"), before);
}

/// FNV-1a over the body, as `state` writes it: with it an altered body gets past the checksum.
fn sealed(state: &[u8]) -> Vec<u8> {
    let head = state.iter().position(|&b| b == b'\n').expect("a tag") + 1;
    let body = &state[head + 8..];
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let sum = body.iter().fold(0xCBF2_9CE4_8422_2325, step).to_le_bytes();
    [&state[..head], &sum, body].concat()
}

#[test]
fn the_seal_is_the_one_in_use() {
    let state = taught(3, 250, settings(0)).state().expect("a state");
    assert_eq!(sealed(&state), state);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_altered_state_is_refused_or_can_be_used(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut state = taught(4, 1250, Settings { batch_size: 50, ..settings(1) }).state().expect("a state");
        let whole = state.len();
        for (place, value) in changes {
            state[place.index(whole - 21) + 21] = value;
        }
        if let Ok(mut search) = TreeSearch::from_state(&sealed(&state)) {
            let q = search.schema().0.len();
            let _ = search.learn(&vec![0; 120 * q], &[0; 120]);
            let _ = search.tree();
        }
    }
}
