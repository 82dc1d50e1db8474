//! The compiled engine as the Python module `tsdt._engine`. It translates and does nothing else.

mod arrays;
mod bins;
mod branches;
mod delimited;
mod trees;

use pyo3::prelude::*;

/// The compiled engine of tsdt: what `tsdt.reference` does in plain Python, the same decisions, faster.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::bins::bin_codes;
    #[pymodule_export]
    use crate::branches::BranchSearch;
    #[pymodule_export]
    use crate::delimited::read_delimited;
    #[pymodule_export]
    use crate::trees::TreeSearch;
}
