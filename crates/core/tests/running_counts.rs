//! Running counts against a slow twin that keeps the samples.

use proptest::prelude::*;
use tsdt_core::counts::{Cell, MAX_BLOCK, RunningCounts, Shape};

const ARITIES: [u32; 2] = [3, 2];
const CLASSES: usize = 3;

type Sample = ([u16; 2], u16);

fn samples() -> impl Strategy<Value = Vec<Sample>> {
    prop::collection::vec(((0..3u16, 0..2u16).prop_map(|(a, b)| [a, b]), 0..3u16), 0..80)
}

fn counted(shape: &Shape, samples: &[Sample]) -> RunningCounts {
    let mut counts = RunningCounts::new(shape);
    for (row, label) in samples {
        let places: Vec<u32> = shape.places(row).collect();
        counts.add(shape, &places, *label);
    }
    counts
}

fn majority(counts: &[u32]) -> usize {
    let most = counts.iter().max().expect("there are classes");
    counts.iter().position(|c| c == most).expect("the highest is among them")
}

/// Count the labels one by one and look at all classes each time.
fn check(cell: Cell<'_>, labels: &[u16], n_classes: usize) {
    let (mut counts, mut hits) = (vec![0; n_classes], 0);
    for (i, &label) in labels.iter().enumerate() {
        hits += u32::from(i > 0 && majority(&counts) == label as usize);
        counts[label as usize] += 1;
    }
    assert_eq!((cell.n(), cell.hits()), (labels.len() as u32, hits));
    assert_eq!(cell.by_class(), counts);
    assert_eq!(cell.majority() as usize, majority(&counts));
    assert_eq!(cell.is_pure(), counts.iter().filter(|&&c| c > 0).count() <= 1);
}

fn labels_where(samples: &[Sample], wanted: impl Fn(&[u16; 2]) -> bool) -> Vec<u16> {
    samples.iter().filter(|(row, _)| wanted(row)).map(|(_, label)| *label).collect()
}

proptest! {
    #[test]
    fn every_cell_is_right(samples in samples()) {
        let shape = Shape::new(&ARITIES, CLASSES).expect("small");
        let counts = counted(&shape, &samples);
        prop_assert!(counts.is_sound(&shape));
        check(counts.own(&shape), &labels_where(&samples, |_| true), CLASSES);
        for (i, arity) in ARITIES.into_iter().enumerate() {
            for code in 0..arity {
                let there = labels_where(&samples, |row| u32::from(row[i]) == code);
                check(counts.cell(&shape, i as u32, code), &there, CLASSES);
            }
        }
    }

    #[test]
    fn growth_is_as_if_the_schema_had_been_larger(samples in samples(), when in 0..80usize) {
        let (small, large) = (Shape::new(&[3], 3).expect("small"), Shape::new(&[4, 2], 4).expect("small"));
        let (early, late) = samples.split_at(when.min(samples.len()));
        let before: Vec<Sample> = early.iter().map(|(row, label)| ([row[0], 0], *label)).collect();
        let mut grown = counted(&small, &before); // places of the first attribute only
        grown.grow(&small, &large);
        prop_assert_eq!(&grown, &counted(&large, &before));
        for (row, label) in late {
            let places: Vec<u32> = large.places(row).collect();
            grown.add(&large, &places, *label);
        }
        prop_assert_eq!(grown, counted(&large, &[&before, late].concat()));
    }
}

#[test]
fn a_schema_too_large_for_memory_is_noticed() {
    assert!(Shape::new(&[65_536; 10], 65_536).is_none());
    assert!(Shape::new(&[(MAX_BLOCK / 8) as u32], 4).is_some());
}
