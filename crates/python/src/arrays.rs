//! What crosses the boundary: NumPy arrays and numbers on their way in, refusals on their way out.

use numpy::ndarray::Dimension;
use numpy::{Element, PyReadonlyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tsdt_core::boundary::Refusal;

/// A refusal is a `ValueError`.
pub fn value_error(refusal: Refusal) -> PyErr {
    PyValueError::new_err(refusal.0)
}

/// What an object is, for a message.
fn describe(value: &Bound<'_, PyAny>) -> String {
    match value.cast::<PyUntypedArray>() {
        Ok(array) => format!("a {} array of shape {:?}", array.dtype(), array.shape()),
        Err(_) => format!("a {}", value.get_type()),
    }
}

fn misfit(name: &str, wanted: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyValueError::new_err(format!(
        "{name} must be a C-contiguous uint16 array of shape {wanted}: got {}",
        describe(value)
    ))
}

/// The rows of a call to `learn`, borrowed for as long as it takes.
pub struct Samples<'py> {
    codes: PyReadonlyArray2<'py, u16>,
    labels: PyReadonlyArray1<'py, u16>,
}

impl<'py> Samples<'py> {
    /// Two arrays that belong together: `codes` of shape (n, q), `labels` of shape (n,).
    pub fn new(codes: &Bound<'py, PyAny>, labels: &Bound<'py, PyAny>, q: usize) -> PyResult<Self> {
        let wanted = format!("(n, {q})");
        let samples = Self {
            codes: codes.extract().map_err(|_| misfit("codes", &wanted, codes))?,
            labels: labels.extract().map_err(|_| misfit("labels", "(n,)", labels))?,
        };
        let (rows, columns) = (samples.codes.shape()[0], samples.codes.shape()[1]);
        let n = samples.labels.shape()[0];
        if columns != q || contiguous(&samples.codes).is_none() {
            return Err(misfit("codes", &wanted, codes));
        }
        if contiguous(&samples.labels).is_none() {
            return Err(misfit("labels", "(n,)", labels));
        }
        if rows != n {
            return Err(PyValueError::new_err(format!(
                "codes has {rows} rows and labels has {n}: each row needs one label"
            )));
        }
        Ok(samples)
    }

    /// Codes, rows end to end, and labels.
    pub fn slices(&self) -> (&[u16], &[u16]) {
        let none: &[u16] = &[];
        (contiguous(&self.codes).unwrap_or(none), contiguous(&self.labels).unwrap_or(none))
    }
}

/// Codes alone, of shape (n, q).
pub fn codes_of<'py>(codes: &Bound<'py, PyAny>, q: usize) -> PyResult<PyReadonlyArray2<'py, u16>> {
    let wanted = format!("(n, {q})");
    let array: PyReadonlyArray2<'py, u16> = codes.extract().map_err(|_| misfit("codes", &wanted, codes))?;
    if array.shape()[1] != q || contiguous(&array).is_none() {
        return Err(misfit("codes", &wanted, codes));
    }
    Ok(array)
}

/// The values in C order, if that is how they lie.
fn contiguous<'a, T: Element, D: Dimension>(array: &'a PyReadonlyArray<'_, T, D>) -> Option<&'a [T]> {
    array.is_c_contiguous().then(|| array.as_slice().ok()).flatten()
}
