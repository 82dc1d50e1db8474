//! `TreeSearch`: the search over trees.

use crate::arrays::{Samples, value_error};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tsdt_core::answer::AnswerNode;
use tsdt_core::policies::Policy;
use tsdt_core::trees::{Backup, Settings, TreeSearch as Core};

/// A node as the seam has it.
pub type Node = (i64, i64, i64, Vec<u32>, Vec<u32>, Vec<u32>);

/// The value behind a name, or a refusal that lists the names.
pub fn by_name<T: Copy>(parameter: &str, name: &str, names: &[(&str, T)]) -> PyResult<T> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(|(known, _)| *known).collect();
        PyValueError::new_err(format!("{parameter} is {name:?}: it must be one of {known:?}"))
    })
}

/// A whole number from Python that must not be negative.
pub fn count<T: TryFrom<i64>>(name: &str, value: i64) -> PyResult<T> {
    T::try_from(value).map_err(|_| PyValueError::new_err(format!("{name} is {value}: out of range")))
}

/// A node as the seam has it.
pub fn node_of(node: AnswerNode) -> Node {
    (node.attribute, node.cut, node.missing, node.codes, node.children, node.counts)
}

/// A node of Python as one of the engine.
pub fn answer_of((attribute, cut, missing, codes, children, counts): Node) -> AnswerNode {
    AnswerNode { attribute, cut, missing, codes, children, counts }
}

/// TSDT (`backup="clark"`) and Fast-TSDT (`backup="fast"`).
#[pyclass(module = "tsdt._engine")]
pub struct TreeSearch {
    core: Core,
}

#[pymethods]
impl TreeSearch {
    #[new]
    #[pyo3(signature = (split_cost, backup="fast", policy="thompson", batch_size=100, gamma=0.75, min_samples=2, seed=0))]
    fn new(
        split_cost: f64,
        backup: &str,
        policy: &str,
        batch_size: i64,
        gamma: f64,
        min_samples: i64,
        seed: u64,
    ) -> PyResult<Self> {
        let settings = Settings {
            split_cost,
            backup: by_name("backup", backup, &Backup::NAMES)?,
            policy: by_name("policy", policy, &Policy::NAMES)?,
            batch_size: count("batch_size", batch_size)?,
            gamma,
            min_samples: count("min_samples", min_samples)?,
            seed,
        };
        let core = Core::new(settings).map_err(value_error)?;
        Ok(Self { core })
    }

    /// Make room for new categories, classes and attributes. Bins of numbers are categories here.
    fn grow(&mut self, py: Python<'_>, arities: Vec<i64>, ordered: Vec<bool>, n_classes: i64) -> PyResult<()> {
        if ordered.len() != arities.len() {
            let words = format!("{} arities and {} values of ordered: one each", arities.len(), ordered.len());
            return Err(PyValueError::new_err(words));
        }
        let arities = arities.into_iter().map(|arity| count("arity", arity)).collect::<PyResult<Vec<u32>>>()?;
        let n_classes = count("n_classes", n_classes)?;
        py.detach(|| self.core.grow(&arities, n_classes)).map_err(value_error)
    }

    /// Take samples in; every complete batch makes one iteration of Algorithm 1.
    fn learn(&mut self, codes: &Bound<'_, PyAny>, labels: &Bound<'_, PyAny>) -> PyResult<()> {
        let samples = Samples::new(codes, labels, self.core.schema().0.len())?;
        let (rows, marks) = samples.slices();
        codes.py().detach(|| self.core.learn(rows, marks)).map_err(value_error)
    }

    /// The tree of the highest posterior mean, as the seam's list of nodes.
    fn tree(&self) -> Vec<Node> {
        self.core.tree().into_iter().map(node_of).collect()
    }

    /// Mean and variance of each search node and of its terminal child, in the order of their making.
    fn posteriors(&self) -> Vec<(f64, f64, f64, f64)> {
        let all = self.core.posteriors();
        all.map(|(own, terminal)| (own.mean, own.variance, terminal.mean, terminal.variance)).collect()
    }

    /// How many iterations were made.
    #[getter]
    fn n_iter(&self) -> u64 {
        self.core.n_iter()
    }

    /// The positions chosen in the last selection, 0 is the terminal child.
    #[getter]
    fn last_path(&self) -> Vec<u32> {
        self.core.last_path().to_vec()
    }

    /// Seconds spent since the learner was made or loaded: selection, simulation, expansion, backup.
    fn timings(&self) -> (f64, f64, f64, f64) {
        let t = self.core.timings();
        (t.selection.as_secs_f64(), t.simulation.as_secs_f64(), t.expansion.as_secs_f64(), t.backup.as_secs_f64())
    }

    /// The learner as bytes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.core.state().map_err(value_error)?))
    }

    /// The learner of some bytes: it goes on exactly as the one that was packed would have.
    #[staticmethod]
    fn from_state(state: &[u8]) -> PyResult<Self> {
        let core = Core::from_state(state).map_err(value_error)?;
        Ok(Self { core })
    }
}
