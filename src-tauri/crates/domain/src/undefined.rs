//! A number that may not be defined.

use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};

/// A value, or the reason why there is none. Never NaN, never a stand-in. As JSON inside a larger object it is
/// written by its owner; on its own it is `{"value": 0.5}` or `{"value": null, "undefined": "reason"}`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Defined {
    /// A finite number.
    Value(f64),
    /// Why there is none.
    Undefined(String),
}
impl Defined {
    /// The number, if there is one.
    pub const fn value(&self) -> Option<f64> {
        match self {
            Self::Value(v) => Some(*v),
            Self::Undefined(_) => None,
        }
    }
    /// `numerator / denominator`, undefined with `reason` when the denominator is 0.
    pub fn ratio(numerator: f64, denominator: f64, reason: &str) -> Self {
        if denominator == 0.0 {
            Self::Undefined(reason.to_owned())
        } else {
            Self::Value(numerator / denominator)
        }
    }
}
impl Serialize for Defined {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("value", &self.value())?;
        if let Self::Undefined(reason) = self {
            map.serialize_entry("undefined", reason)?;
        }
        map.end()
    }
}
