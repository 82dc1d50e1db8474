//! Numbers and edges on their way to the codes of bins.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use tsdt_core::bins;

/// The bin of each number, counted from 1; 0 for NaN. The edges are in ascending order.
#[pyfunction]
pub fn bin_codes<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, f64>,
    edges: PyReadonlyArray1<'py, f64>,
) -> Bound<'py, PyArray1<u16>> {
    let edges = edges.as_array().to_vec();
    let codes = match numbers.as_slice() {
        Ok(numbers) => py.detach(|| bins::bin_codes(numbers, &edges)),
        Err(_) => bins::bin_codes(&numbers.as_array().to_vec(), &edges), // they lie apart
    };
    codes.into_pyarray(py)
}
