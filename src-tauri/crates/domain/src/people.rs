//! People and their roles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What a person does in a session. A person may hold several roles; a session has exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Writes and reviews rubrics; never sees a response.
    Author,
    /// Judges responses; never sees a rubric, grade, model name or another's verdict.
    Judge,
    /// Settles disagreements; sees everything.
    Auditor,
    /// Imports, assigns, exports; sees everything.
    Lead,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Author, Self::Judge, Self::Auditor, Self::Lead];
    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Judge => "judge",
            Self::Auditor => "auditor",
            Self::Lead => "lead",
        }
    }
}
impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
impl FromStr for Role {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|r| r.name() == text)
            .ok_or_else(|| format!("{text:?} is no role; the roles are author, judge, auditor, lead"))
    }
}

/// A person's name inside a study, safe as a file name: 1 to 64 of `a-z 0-9 _ -`, starting with a letter or
/// digit, and no reserved device name. How the person is addressed on screen is kept beside it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct PersonName(String);

impl PersonName {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
impl fmt::Display for PersonName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl FromStr for PersonName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
        let stem_number = |stem: &str| {
            text.strip_prefix(stem).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
        };
        let ok = !text.is_empty()
            && text.len() <= 64
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
            && !text.starts_with(['_', '-'])
            && !RESERVED.contains(&text)
            && !stem_number("com")
            && !stem_number("lpt");
        if ok {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!(
                "a person's name is 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit; not {:?}",
                text.chars().take(80).collect::<String>()
            ))
        }
    }
}
impl<'de> Deserialize<'de> for PersonName {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
