//! Learning small optimal decision trees from streams. There is no Python in this crate.
//!
//! The files follow the road of a sample: `boundary` (what is let in), `counts` (evidence), `belief`, `policies` and
//! `trees` (search). `random` draws, `state` packs a learner into bytes and back, `delimited` reads CSV, `bins`
//! gives numbers their codes.

pub mod answer;
pub mod belief;
pub mod bins;
pub mod boundary;
pub mod bounds;
pub mod boxes;
pub mod branches;
pub mod counts;
pub mod delimited;
pub mod lattice;
pub mod policies;
pub mod random;
pub mod state;
pub mod trees;
pub mod window;
