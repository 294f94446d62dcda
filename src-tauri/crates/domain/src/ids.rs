//! Ids and counts. Ids of imported things are opaque (`HMAC-SHA256` cut to 128 bits, made by `store`), ids of
//! statements are random; both are shown as 32 hex digits and say nothing of model, time or order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} must be {digits} lower-case hex digits, not {found:?}")]
pub struct IdError {
    /// Which kind of id was asked for.
    pub what: &'static str,
    /// How many digits it has.
    pub digits: usize,
    /// What was found instead (cut to 80 characters).
    pub found: String,
}

macro_rules! hex_id {
    ($(#[$doc:meta])* $name:ident, $bytes:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema)]
        #[schemars(transparent)]
        pub struct $name(#[schemars(with = "String")] [u8; $bytes]);

        impl $name {
            /// From raw bytes.
            pub const fn from_bytes(bytes: [u8; $bytes]) -> Self {
                Self(bytes)
            }
            /// The raw bytes.
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), hex::encode(self.0))
            }
        }
        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                let mut bytes = [0_u8; $bytes];
                let lower = !text.bytes().any(|b| b.is_ascii_uppercase());
                if lower && hex::decode_to_slice(text, &mut bytes).is_ok() {
                    Ok(Self(bytes))
                } else {
                    Err(IdError {
                        what: stringify!($name),
                        digits: $bytes * 2,
                        found: text.chars().take(80).collect(),
                    })
                }
            }
        }
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(&hex::encode(self.0))
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

hex_id!(
    /// One study.
    StudyId,
    16
);
hex_id!(
    /// One prompt; opaque. The prompt's own key is [`crate::Prompt::key`].
    PromptId,
    16
);
hex_id!(
    /// One response of one model to one prompt, in one run; opaque.
    ResponseId,
    16
);
hex_id!(
    /// One sample of an interaction benchmark; opaque. Its own key is [`crate::Sample::key`].
    SampleId,
    16
);
hex_id!(
    /// One file that was imported.
    ImportId,
    16
);
hex_id!(
    /// One task in one person's inbox.
    TaskId,
    16
);
hex_id!(
    /// One statement in a journal; random.
    StatementId,
    16
);
hex_id!(
    /// SHA-256 of a blob's bytes.
    BlobHash,
    32
);

/// A count that crosses to TypeScript: 0 to 2^53.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[schemars(transparent)]
#[serde(transparent)]
pub struct Count(#[schemars(range(min = 0, max = 9_007_199_254_740_992_u64))] u64);

impl Count {
    /// The largest count, 2^53.
    pub const MAX: u64 = 1 << 53;
    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}
impl From<u64> for Count {
    /// Saturates at 2^53, which no study reaches.
    fn from(n: u64) -> Self {
        Self(n.min(Self::MAX))
    }
}
impl From<usize> for Count {
    fn from(n: usize) -> Self {
        Self::from(n as u64)
    }
}
impl From<u32> for Count {
    fn from(n: u32) -> Self {
        Self(u64::from(n))
    }
}
impl From<i64> for Count {
    /// SQLite counts are never negative; a negative number becomes 0.
    fn from(n: i64) -> Self {
        Self::from(u64::try_from(n).unwrap_or(0))
    }
}
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
