//! Delimited text on its way into NumPy arrays.

use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use tsdt_core::delimited::{Column, Kind, read};

/// Read a block of delimited text whose rows are whole. `kinds` has a letter for each column: "n" numbers, "w" words,
/// "-" skipped.
///
/// Returns the number of rows, that of line ends and the columns: numbers as an array; words as an array of places in a
/// list (-1: missing) and that list; None for a skipped one. Returns None where the block has a fault.
#[pyfunction]
pub fn read_delimited<'py>(
    py: Python<'py>,
    block: &[u8],
    delimiter: u8,
    kinds: &str,
    missing: Vec<String>,
) -> PyResult<Option<(usize, usize, Bound<'py, PyList>)>> {
    let kinds: Vec<Kind> = kinds.chars().map(kind_of).collect::<PyResult<_>>()?;
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    let Some(rows) = py.detach(|| read(block, delimiter, &kinds, &missing)) else { return Ok(None) };
    let columns = PyList::empty(py);
    for column in rows.columns {
        match column {
            Column::Skipped => columns.append(py.None())?,
            Column::Numbers(numbers) => columns.append(numbers.into_pyarray(py))?,
            Column::Words(places, words) => columns.append((places.into_pyarray(py), words))?,
        }
    }
    Ok(Some((rows.n_rows, rows.n_lines, columns)))
}

fn kind_of(letter: char) -> PyResult<Kind> {
    match letter {
        'n' => Ok(Kind::Numbers),
        'w' => Ok(Kind::Words),
        '-' => Ok(Kind::Skipped),
        _ => Err(PyValueError::new_err(format!("a column is {letter:?}: it can be \"n\", \"w\" or \"-\""))),
    }
}
