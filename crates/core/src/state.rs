//! A learner as bytes: a tag that names its kind and version, a checksum, then the fields in postcard's format.

use crate::boundary::{Refusal, ensure};
use serde::{Serialize, de::DeserializeOwned};

/// FNV-1a, 64 bits: enough to notice bytes that were cut or changed by accident.
fn checksum(bytes: &[u8]) -> [u8; 8] {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, step).to_le_bytes()
}

/// The bytes of a learner.
pub fn pack<T: Serialize>(tag: &str, learner: &T) -> Result<Vec<u8>, Refusal> {
    let body = postcard::to_stdvec(learner).map_err(|error| Refusal(format!("the state cannot be packed: {error}")))?;
    Ok([tag.as_bytes(), &checksum(&body), &body].concat())
}

/// The learner of some bytes. What the fields say of each other is the caller's to check.
pub fn unpack<T: DeserializeOwned>(tag: &str, bytes: &[u8]) -> Result<T, Refusal> {
    let rest = bytes.strip_prefix(tag.as_bytes());
    let rest =
        rest.ok_or_else(|| Refusal(format!("this is not a state of the compiled engine: it must begin with {tag:?}")))?;
    let altered = || Refusal("the state is cut short or was altered".to_string());
    let (sum, body) = rest.split_at_checked(8).ok_or_else(altered)?;
    ensure(sum == checksum(body), || altered().0)?;
    postcard::from_bytes(body).map_err(|_| altered())
}
