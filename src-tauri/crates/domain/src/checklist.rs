//! Binary checklists (GAMUT, section 3): what a meta-rubric compiles to, and the verdicts that are given by them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{fmt, str::FromStr};

/// The first 16 hex digits of the SHA-256 of a text's UTF-8: enough to tell whether a check was reworded.
pub fn text_hash(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    // By hand: a checklist has thousands of texts, and the general encoder costs more than the digest of a short one.
    let digest = Sha256::digest(text.as_bytes());
    let mut hash = String::with_capacity(16);
    for byte in &digest[..8] {
        hash.push(char::from(DIGITS[usize::from(byte >> 4)]));
        hash.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    hash
}

/// How much a check matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Tier {
    /// Answer-Critical: the answer fails without it.
    #[serde(rename = "AC")]
    AnswerCritical,
    /// Valuable: a good answer has it.
    #[serde(rename = "V")]
    Valuable,
    /// Context: nice to know.
    #[serde(rename = "C")]
    Context,
}
impl Tier {
    /// All three, the weightiest first.
    pub const ALL: [Self; 3] = [Self::AnswerCritical, Self::Valuable, Self::Context];
    /// The code in files: `AC`, `V`, `C`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::AnswerCritical => "AC",
            Self::Valuable => "V",
            Self::Context => "C",
        }
    }
    /// The name for people: `Answer-Critical`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AnswerCritical => "Answer-Critical",
            Self::Valuable => "Valuable",
            Self::Context => "Context",
        }
    }
    /// Position in [`Tier::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
    /// One level lower; Context has no tier beneath it and stays (GAMUT, section 3).
    #[must_use]
    pub const fn lowered(self) -> Self {
        match self {
            Self::AnswerCritical => Self::Valuable,
            Self::Valuable | Self::Context => Self::Context,
        }
    }
}
impl FromStr for Tier {
    type Err = String;
    /// Takes the code exactly as files have it.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|tier| tier.code() == text).ok_or_else(|| {
            format!("{:?} is no tier; write AC, V or C", text.chars().take(40).collect::<String>())
        })
    }
}
impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// What a check asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// A statement.
    Fact,
    /// An entry of a strict list.
    ListEntry,
    /// At least N options, as the author demands.
    Baseline,
    /// One option of a short flexible list.
    Option,
    /// A higher count of options than any baseline.
    Coverage,
    /// A required step.
    Step,
    /// An optional step.
    OptionalStep,
    /// The order of the required steps.
    Sequence,
    /// The order of all steps.
    FullSequence,
    /// The other side of a relationship.
    RelatedEntity,
    /// One aspect of a relationship.
    Aspect,
    /// What follows from a list or process as a whole.
    MetaInsight,
}
impl CheckKind {
    /// Does the check count options, so that its verdict follows from which were found?
    pub const fn is_threshold(self) -> bool {
        matches!(self, Self::Baseline | Self::Coverage)
    }
    /// Does the check ask for an order, so that its verdict follows from the order in which steps were found?
    pub const fn is_sequence(self) -> bool {
        matches!(self, Self::Sequence | Self::FullSequence)
    }
}

/// The five types of a meta-rubric's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemType {
    /// Simple knowledge.
    Simple,
    /// A list of which every entry is demanded.
    StrictList,
    /// A pool of which a number is demanded.
    FlexibleList,
    /// Steps in order.
    Process,
    /// Something connected to, or contrasted with, other things.
    Relationship,
}
impl ItemType {
    /// All five, in the order of the specification.
    pub const ALL: [Self; 5] =
        [Self::Simple, Self::StrictList, Self::FlexibleList, Self::Process, Self::Relationship];
    /// The name in files: `strict_list`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::StrictList => "strict_list",
            Self::FlexibleList => "flexible_list",
            Self::Process => "process",
            Self::Relationship => "relationship",
        }
    }
}

/// The rule that made a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum CheckRule {
    /// Simple knowledge, unchanged.
    S1,
    /// An entry of a strict list.
    L1,
    /// The first baseline.
    F1,
    /// The second baseline.
    F2,
    /// An option of a short list.
    F3,
    /// A coverage threshold of a long list.
    F4,
    /// A coverage threshold of a short list at Context.
    F5,
    /// A required step.
    P1,
    /// An optional step.
    P2,
    /// The order of required steps.
    P3,
    /// The order of all steps.
    P4,
    /// A related entity.
    R1,
    /// An aspect.
    R2,
    /// A meta-insight.
    M1,
    /// No item stands behind the check: it was added by hand, or imported as a binary check.
    A1,
}

/// Where a check comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// Id of the item.
    pub item: String,
    /// Its type.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// The rule that fired.
    pub rule: CheckRule,
    /// Ids of the entries, options, steps, aspects or insights that the check speaks of, in the order it names them.
    pub entries: Vec<String>,
    /// The item's tier, when the check is demoted from it (at Context it stays where it is); else null.
    pub demoted_from: Option<Tier>,
    /// Ids of evidence snippets: those of the item, then those of the entries, each once.
    pub evidence: Vec<String>,
}

/// One check: a single question with a single verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// Built from item and entry ids, never from positions, so that verdicts stay attached when things move.
    pub id: String,
    /// Its tier.
    pub tier: Tier,
    /// What it asks for.
    pub kind: CheckKind,
    /// The statement that a judge compares with the answer.
    pub text: String,
    /// How many options a threshold check demands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// The verdicts that are allowed, where not all four are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<CheckVerdict>,
    /// The first 16 hex digits of the SHA-256 of `text`: another hash makes older verdicts stale.
    pub text_sha256: String,
    /// Where it comes from.
    pub provenance: Provenance,
}
impl Check {
    /// May this verdict be given on this check?
    pub fn allows(&self, verdict: CheckVerdict) -> bool {
        self.verdicts.is_empty() || self.verdicts.contains(&verdict)
    }
}

/// A verdict on a check (GAMUT, section 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// The answer meets it.
    Meets,
    /// The answer meets it in part.
    #[serde(alias = "partially")]
    Partial,
    /// The answer is silent on it.
    Missing,
    /// The answer says the opposite.
    Contradicts,
}
impl CheckVerdict {
    /// All four, best first.
    pub const ALL: [Self; 4] = [Self::Meets, Self::Partial, Self::Missing, Self::Contradicts];
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meets => "meets",
            Self::Partial => "partial",
            Self::Missing => "missing",
            Self::Contradicts => "contradicts",
        }
    }
    /// Position in [`CheckVerdict::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}
impl FromStr for CheckVerdict {
    type Err = String;
    /// Case and surrounding space do not matter; `partially` is `partial`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.trim().to_ascii_lowercase();
        let found = Self::ALL.into_iter().find(|v| v.name() == wanted);
        found.or_else(|| (wanted == "partially").then_some(Self::Partial)).ok_or_else(|| {
            format!(
                "{:?} is no verdict on a check; write meets, partial, missing or contradicts",
                text.chars().take(40).collect::<String>()
            )
        })
    }
}
