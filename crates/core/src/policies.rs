//! Policies: which of several actions to try next. Each sees what is believed of the actions and nothing else.

use crate::belief::{Normal, argmax};
use crate::random::{Random, natural_log};
use serde::{Deserialize, Serialize};

/// One time in ten epsilon-greedy takes any action.
const EPSILON: f64 = 0.1;

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Policy {
    /// Draw a value from each posterior, take the highest.
    Thompson,
    /// The highest upper confidence value: the mean plus sqrt(2 ln t) standard deviations.
    Ucb,
    /// The highest mean, but one time in ten any action.
    EpsilonGreedy,
}

impl Policy {
    /// The policies in the words of the Python surface.
    pub const NAMES: [(&'static str, Self); 3] =
        [("thompson", Self::Thompson), ("ucb", Self::Ucb), ("epsilon-greedy", Self::EpsilonGreedy)];

    /// A position among `posteriors` (not empty), given how often the choice was made before.
    pub fn choose(self, posteriors: &[Normal], visits: u64, random: &mut Random) -> usize {
        match self {
            Self::Thompson => argmax(posteriors.iter().map(|p| p.mean + p.variance.sqrt() * random.normal())),
            Self::Ucb => {
                let width = (2.0 * natural_log(1.0 + visits as f64)).sqrt();
                argmax(posteriors.iter().map(|p| p.mean + width * p.variance.sqrt()))
            }
            Self::EpsilonGreedy if random.uniform() < EPSILON => random.below(posteriors.len()),
            Self::EpsilonGreedy => argmax(posteriors.iter().map(|p| p.mean)),
        }
    }
}
