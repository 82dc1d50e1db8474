//! `BranchSearch`: the search over branches.

use crate::arrays::{Samples, codes_of, value_error};
use crate::trees::{Node, answer_of, by_name, count, node_of};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tsdt_core::answer::AnswerNode;
use tsdt_core::branches::policy::BranchPolicy;
use tsdt_core::branches::{BranchSearch as Core, Settings};

/// Codes of shape (n, q) and labels, on their way out.
type HeldSamples<'py> = (Bound<'py, PyArray2<u16>>, Bound<'py, PyArray1<u16>>);

/// The search over branches: exact on its window, with a certificate.
#[pyclass(module = "tsdt._engine")]
pub struct BranchSearch {
    core: Core,
}

#[pymethods]
impl BranchSearch {
    #[new]
    #[pyo3(signature = (split_cost, policy="mixed", batch_size=100, gamma=0.75, min_samples=2, window=100_000,
                        effort=200.0, max_memory=1 << 30, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "these are the settings, by name")]
    fn new(
        split_cost: f64,
        policy: &str,
        batch_size: i64,
        gamma: f64,
        min_samples: i64,
        window: i64,
        effort: f64,
        max_memory: i64,
        seed: u64,
    ) -> PyResult<Self> {
        let settings = Settings {
            split_cost,
            policy: by_name("policy", policy, &BranchPolicy::NAMES)?,
            batch_size: count("batch_size", batch_size)?,
            gamma,
            min_samples: count("min_samples", min_samples)?,
            window: count("window", window)?,
            effort,
            max_memory: count("max_memory", max_memory)?,
            seed,
        };
        Ok(Self { core: Core::new(settings).map_err(value_error)? })
    }

    /// Make room for new categories, classes and attributes.
    fn grow(&mut self, py: Python<'_>, arities: Vec<i64>, ordered: Vec<bool>, n_classes: i64) -> PyResult<()> {
        let arities = arities.into_iter().map(|arity| count("arity", arity)).collect::<PyResult<Vec<u32>>>()?;
        let n_classes = count("n_classes", n_classes)?;
        py.detach(|| self.core.grow(&arities, &ordered, n_classes)).map_err(value_error)
    }

    /// Take samples in; every complete batch enters the window, and the search spends its effort.
    fn learn(&mut self, codes: &Bound<'_, PyAny>, labels: &Bound<'_, PyAny>) -> PyResult<()> {
        let samples = Samples::new(codes, labels, self.core.schema().0.len())?;
        let (rows, marks) = samples.slices();
        codes.py().detach(|| self.core.learn(rows, marks)).map_err(value_error)
    }

    /// Replace the window by a whole table, of any size; search nothing yet.
    fn load(&mut self, codes: &Bound<'_, PyAny>, labels: &Bound<'_, PyAny>) -> PyResult<()> {
        let samples = Samples::new(codes, labels, self.core.schema().0.len())?;
        let (rows, marks) = samples.slices();
        codes.py().detach(|| self.core.load(rows, marks)).map_err(value_error)
    }

    /// Go on without new samples, for so many visits or seconds at the most, or until it has looked at so many samples;
    /// whether the tree is proven optimal.
    #[pyo3(signature = (visits, seconds, samples=u64::MAX))]
    fn search(&mut self, py: Python<'_>, visits: u64, seconds: f64, samples: u64) -> bool {
        py.detach(|| self.core.search(visits, seconds, samples))
    }

    /// Value, upper bound and whether they are equal, all on the window.
    fn certificate(&self, py: Python<'_>) -> (f64, f64, bool) {
        let certificate = py.detach(|| self.core.certificate());
        (certificate.value, certificate.upper, certificate.proven)
    }

    /// The best tree known, as the seam's list of nodes.
    fn tree(&self, py: Python<'_>) -> Vec<Node> {
        py.detach(|| self.core.tree()).into_iter().map(node_of).collect()
    }

    /// Samples inside: the window and the incomplete batch.
    fn held(&self) -> usize {
        self.core.held()
    }

    /// The samples of the window, oldest first: codes of shape (n, q) and labels; none where only counts are kept.
    fn samples<'py>(&self, py: Python<'py>) -> PyResult<HeldSamples<'py>> {
        let (codes, labels) = py.detach(|| self.core.samples());
        let shape = [labels.len(), self.core.schema().0.len()];
        Ok((PyArray1::from_vec(py, codes).reshape(shape)?, PyArray1::from_vec(py, labels)))
    }

    /// Give numeric attributes new bins: codes has a row for each sample held, a column for each attribute.
    fn recode(&mut self, attributes: Vec<usize>, codes: &Bound<'_, PyAny>, arities: Vec<i64>) -> PyResult<()> {
        let arities = arities.into_iter().map(|arity| count("arity", arity)).collect::<PyResult<Vec<u32>>>()?;
        let rows = codes_of(codes, attributes.len())?;
        let values = rows.as_slice()?;
        codes.py().detach(|| self.core.recode(&attributes, values, &arities)).map_err(value_error)
    }

    /// Put a tree that was found elsewhere into the graph, as far as its splits are actions there.
    fn plant(&mut self, py: Python<'_>, tree: Vec<Node>) -> PyResult<()> {
        let nodes: Vec<AnswerNode> = tree.into_iter().map(answer_of).collect();
        py.detach(|| self.core.plant_tree(&nodes)).map_err(value_error)
    }

    /// How many visits were made.
    #[getter]
    fn n_iter(&self) -> u64 {
        self.core.n_iter()
    }

    /// How often the evidence was asked.
    #[getter]
    fn looks(&self) -> u64 {
        self.core.looks()
    }

    /// Bytes that window and graph take, about.
    #[getter]
    fn bytes(&self) -> usize {
        self.core.bytes()
    }

    /// The learner as bytes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.core.state().map_err(value_error)?))
    }

    /// The learner of some bytes: it goes on exactly as the one that was packed would have.
    #[staticmethod]
    fn from_state(state: &[u8]) -> PyResult<Self> {
        Core::from_state(state).map(|core| Self { core }).map_err(|refusal| PyValueError::new_err(refusal.to_string()))
    }
}
