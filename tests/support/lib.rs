//! What the acceptance tests share: a place of their own on disk, the two programs run from outside as a person would
//! run them, and harness runs written row by row. Nothing here knows how a study is stored.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "only tests use this crate"
)]

pub mod harness;
mod host;
mod place;

pub use host::{Host, Reply};
pub use place::{PASSPHRASE, Place, assize_program, dev_program, fixtures, root, seconds_from_now};

/// Are two JSON values the same, numbers to 1e-9? Answers where they first differ; what only `found` has does not count.
pub fn differs(wanted: &serde_json::Value, found: &serde_json::Value, at: &str) -> Option<String> {
    use serde_json::Value;
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => wanted.iter().find_map(|(key, value)| {
            let here = format!("{at}/{key}");
            match found.get(key) {
                Some(found) => differs(value, found, &here),
                None => Some(format!("{here} is missing; wanted {value}")),
            }
        }),
        (Value::Array(wanted), Value::Array(found)) if wanted.len() == found.len() => {
            wanted.iter().zip(found).enumerate().find_map(|(n, (a, b))| differs(a, b, &format!("{at}/{n}")))
        }
        (Value::Number(wanted), Value::Number(found)) => {
            let (a, b) = (wanted.as_f64().unwrap(), found.as_f64().unwrap());
            ((a - b).abs() > 1e-9).then(|| format!("{at}: wanted {a}, found {b}"))
        }
        _ => (wanted != found).then(|| format!("{at}: wanted {wanted}, found {found}")),
    }
}

/// How many figures a JSON value holds: a comparison over none of them would say nothing.
pub fn figures(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::Object(map) => map.values().map(figures).sum(),
        serde_json::Value::Array(list) => list.iter().map(figures).sum(),
        _ => 1,
    }
}
