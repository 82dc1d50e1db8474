//! A learner as bytes and back: what is read is checked before it is believed.

use super::graph::{Branch, ROOT};
use super::{BranchSearch, TAG};
use crate::boundary::{Refusal, check_samples, ensure};
use crate::boxes::Condition;
use crate::state::{pack, unpack};

impl BranchSearch {
    /// The learner as bytes.
    pub fn state(&self) -> Result<Vec<u8>, Refusal> {
        pack(TAG, self)
    }

    /// The learner of some bytes: it goes on exactly as the one that was packed would have.
    pub fn from_state(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut search: Self = unpack(TAG, bytes)?;
        ensure(search.is_sound(), || "the state is cut short or was altered".to_string())?;
        search.window.rebuild();
        search.shape_scratch();
        Ok(search)
    }

    fn is_sound(&self) -> bool {
        let (arities, n_classes) = self.schema();
        let settings = &self.settings;
        self.window.is_sound()
            && settings.batch_size > self.waiting_labels.len()
            && self.prices.error > 0
            && self.prices.split >= 0
            && check_samples(&self.waiting, &self.waiting_labels, arities, n_classes).is_ok()
            && self.branches.get(ROOT as usize).is_some_and(|root| root.conditions.is_empty())
            && self.branches.iter().all(|branch| self.is_sound_branch(branch))
            && self.index.values().chain(&self.vacant).all(|&id| (id as usize) < self.branches.len())
    }

    fn is_sound_branch(&self, branch: &Branch) -> bool {
        let links = branch.actions.iter().filter_map(|action| action.children.as_ref()).flat_map(|c| &c.links);
        let splits = branch.actions.iter().all(|action| {
            let attribute = usize::from(action.split.attribute);
            self.window.arities().get(attribute).is_some_and(|&arity| {
                if self.window.ordered()[attribute] { u32::from(action.split.cut) < arity } else { true }
            })
        });
        splits
            && branch.stamp <= self.window.added()
            && branch.errors <= branch.n
            && (branch.choice == Branch::LEAF || (branch.choice as usize) < branch.actions.len())
            && branch.conditions.iter().all(|condition| self.is_sound_condition(condition))
            && branch.conditions.is_sorted_by(|a, b| a.attribute < b.attribute)
            && links.into_iter().all(|link| (link.branch as usize) < self.branches.len())
    }

    fn is_sound_condition(&self, condition: &Condition) -> bool {
        let arity = self.window.arities().get(usize::from(condition.attribute));
        condition.low <= condition.high + 1 && arity.is_some_and(|&arity| u32::from(condition.high) < arity)
    }
}

/// The index as a sorted list: equal learners are equal bytes.
pub mod sorted {
    use super::super::graph::Id;
    use rustc_hash::FxHashMap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the index.
    pub fn serialize<S: Serializer>(index: &FxHashMap<u128, Id>, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries: Vec<(u128, Id)> = index.iter().map(|(&key, &id)| (key, id)).collect();
        entries.sort_unstable();
        entries.serialize(serializer)
    }

    /// Reads the index.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FxHashMap<u128, Id>, D::Error> {
        Ok(Vec::<(u128, Id)>::deserialize(deserializer)?.into_iter().collect())
    }
}
