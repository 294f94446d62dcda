//! What a lint is given and what it answers.

use domain::{Modality, RubricDraft};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Likely a mistake; the author may dismiss it with a reason.
    Warning,
    /// The rubric cannot be used like this.
    Error,
}

/// One criterion as its file or editor has it: nothing is refused before it is linted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LintCriterion {
    /// Its id, as written.
    #[serde(default)]
    pub id: String,
    /// Its text.
    #[serde(default)]
    pub criterion: String,
    /// Its modality, as written.
    #[serde(default)]
    pub modality: String,
    /// Did it come with a field of its own for a weight (`weight`, `points`, …)?
    #[serde(skip)]
    pub has_weight: bool,
}

/// Field names that carry a weight.
const WEIGHT_FIELDS: [&str; 7] =
    ["weight", "weights", "points", "max_points", "importance", "priority", "max_score"];

impl<'de> Deserialize<'de> for LintCriterion {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut fields = BTreeMap::<String, Option<Loose>>::deserialize(from)?;
        let has_weight = WEIGHT_FIELDS.iter().any(|name| fields.get(*name).is_some_and(Option::is_some));
        let mut text = |name: &str| fields.remove(name).flatten().and_then(Loose::text).unwrap_or_default();
        Ok(Self { id: text("id"), criterion: text("criterion"), modality: text("modality"), has_weight })
    }
}

/// A rubric to lint: the FILE of `assize lint FILE`, or an author's draft. Rules that need the prompt or the gold
/// list are silent without them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintInput {
    /// The prompt; an empty one counts as none.
    #[serde(default, deserialize_with = "prompt_text")]
    pub prompt: Option<String>,
    /// The gold modalities, as a list or a comma-separated text, in any case; names of no modality are left out.
    #[serde(default, rename = "output_modalities", deserialize_with = "gold_list")]
    pub gold: Option<Vec<Modality>>,
    /// The criteria, in order.
    #[serde(default, deserialize_with = "null_as_none")]
    pub criteria: Vec<LintCriterion>,
}

impl LintInput {
    /// An author's draft, with the prompt's text and its gold list.
    pub fn from_draft(draft: &RubricDraft, prompt: Option<&str>, gold: Option<&[Modality]>) -> Self {
        Self {
            prompt: prompt.filter(|p| !p.trim().is_empty()).map(str::to_owned),
            gold: gold.filter(|g| !g.is_empty()).map(<[Modality]>::to_vec),
            criteria: draft
                .criteria
                .iter()
                .map(|c| LintCriterion {
                    id: c.id.clone(),
                    criterion: c.criterion.clone(),
                    modality: c.modality.lower().to_owned(),
                    has_weight: false,
                })
                .collect(),
        }
    }
}

/// Part of a criterion's text, in characters (Unicode scalar values), end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// First character.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// A change to the rubric that would settle a finding. Positions count criteria from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Edit {
    /// Replace a criterion's text.
    Text {
        /// Which criterion.
        at: u32,
        /// Its new text. `___` stands for what only the author knows.
        text: String,
    },
    /// Give a criterion another tag.
    Modality {
        /// Which criterion.
        at: u32,
        /// Its new tag.
        modality: Modality,
    },
    /// Insert a criterion before position `at`.
    Insert {
        /// Where.
        at: u32,
        /// Its text.
        text: String,
        /// Its tag.
        modality: Modality,
    },
    /// Move a criterion.
    Move {
        /// From this position
        at: u32,
        /// to this one (its index after the move).
        to: u32,
    },
    /// Delete a criterion.
    Delete {
        /// Which criterion.
        at: u32,
    },
    /// Put several criteria in the place of one.
    Split {
        /// Which criterion.
        at: u32,
        /// What stands there instead, in order.
        parts: Vec<SplitPart>,
    },
    /// Number all criteria from 1.
    Renumber,
}

/// One of the criteria that a criterion is split into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SplitPart {
    /// Its text.
    pub text: String,
    /// Its tag.
    pub modality: Modality,
}

/// A mend that the author can take with one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fix {
    /// What it does, in a few words.
    pub label: String,
    /// The change.
    pub edit: Edit,
}

/// One thing a lint has seen. `prompt` and `criterion` name it for a reader; `at` and `span` for an editor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Id of the rule, such as `question-form`.
    pub rule: String,
    /// How much it matters.
    pub severity: Severity,
    /// The prompt's key; none outside a study. The linter leaves it empty for its caller to fill.
    pub prompt: Option<String>,
    /// The criterion's id as written; none when the finding is about the rubric as a whole.
    pub criterion: Option<String>,
    /// Position of the criterion in the rubric, from 0.
    pub at: Option<u32>,
    /// The modality it is about, where there is exactly one.
    pub modality: Option<Modality>,
    /// The words it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// What is wrong and what to do, for the author.
    pub message: String,
    /// Why the rule exists.
    pub why: String,
    /// A mend, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// What `assize lint --json` prints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintReport {
    /// All findings, in order of criteria.
    pub findings: Vec<Finding>,
}

/// Any JSON value, of which only the scalar forms matter here.
#[derive(Deserialize)]
#[serde(untagged)]
enum Loose {
    Text(String),
    Integer(i64),
    Number(f64),
    Flag(bool),
    List(Vec<Loose>),
    Other(serde::de::IgnoredAny),
}

impl Loose {
    fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Integer(number) => Some(number.to_string()),
            Self::Number(number) => Some(number.to_string()),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::List(items) => {
                let texts: Vec<String> = items.into_iter().filter_map(Self::text).collect();
                Some(texts.join(", "))
            }
            Self::Other(_) => None,
        }
    }
}

fn prompt_text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<Loose>::deserialize(from)?.and_then(Loose::text);
    Ok(text.filter(|t| !t.trim().is_empty()))
}

fn gold_list<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Modality>>, D::Error> {
    let Some(text) = Option::<Loose>::deserialize(from)?.and_then(Loose::text) else {
        return Ok(None);
    };
    let mut gold = Vec::new();
    for name in text.split([',', ';', '|']) {
        if let Ok(modality) = name.trim_matches(['[', ']', '"', '\'', ' ']).parse::<Modality>()
            && !gold.contains(&modality)
        {
            gold.push(modality);
        }
    }
    Ok((!gold.is_empty()).then_some(gold))
}

fn null_as_none<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<LintCriterion>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
