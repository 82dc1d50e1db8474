//! The boundary: what an engine refuses, in words that name the value, where it was and what would have been right.

use std::fmt;

/// Why an input was refused. Nothing of the input was taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// A refusal unless `right`.
pub fn ensure(right: bool, words: impl FnOnce() -> String) -> Result<(), Refusal> {
    if right { Ok(()) } else { Err(Refusal(words())) }
}

/// Codes and labels are sixteen bits wide, so no attribute has more categories and no problem more classes.
const MAX_CODES: usize = 1 << 16;

/// Attributes, categories and classes may be added, never taken away.
pub fn check_growth(old: (&[u32], usize), new: (&[u32], usize)) -> Result<(), Refusal> {
    let ((before, classes_before), (arities, n_classes)) = (old, new);
    ensure(arities.len() >= before.len(), || {
        format!("{} attributes after {}: they may be added, never taken away", arities.len(), before.len())
    })?;
    for (i, &arity) in arities.iter().enumerate() {
        let least = before.get(i).copied().unwrap_or(1);
        ensure(arity >= least && arity as usize <= MAX_CODES, || {
            format!("attribute {i} has arity {arity}: it must be from {least} to {MAX_CODES}")
        })?;
    }
    ensure(n_classes >= classes_before && n_classes <= MAX_CODES, || {
        format!("n_classes is {n_classes}: it must be from {classes_before} to {MAX_CODES}")
    })
}

/// Every code below its attribute's arity, every label below the number of classes. Rows of `codes` lie end to end.
pub fn check_samples(codes: &[u16], labels: &[u16], arities: &[u32], n_classes: usize) -> Result<(), Refusal> {
    let q = arities.len();
    ensure(codes.len() == labels.len() * q, || {
        format!("{} codes for {} rows of {q} attributes", codes.len(), labels.len())
    })?;
    for (i, &arity) in arities.iter().enumerate() {
        let bad = codes.iter().skip(i).step_by(q).position(|&code| u32::from(code) >= arity);
        if let Some(row) = bad {
            let code = codes[row * q + i];
            return Err(Refusal(format!(
                "code {code} in row {row}, column {i}: attribute {i} has the codes 0 to {} (call grow first)",
                arity - 1
            )));
        }
    }
    match labels.iter().position(|&label| label as usize >= n_classes) {
        None => Ok(()),
        Some(row) => {
            Err(Refusal(format!("label {} in row {row}: there are {n_classes} classes (call grow first)", labels[row])))
        }
    }
}
