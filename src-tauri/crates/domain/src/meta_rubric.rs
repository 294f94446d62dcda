//! Meta-rubrics (GAMUT, section 3): what an expert writes, and what compiles to a checklist.
//!
//! A meta-rubric may be unfinished: a tier that was not chosen, a list without entries. The compiler says so; the
//! shape holds it, because drafts are kept as they are.

use crate::{ItemType, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The schema that a meta-rubric names.
pub const META_RUBRIC_SCHEMA: &str = "metarubric/1";

fn named_schema() -> String {
    META_RUBRIC_SCHEMA.to_owned()
}

/// A meta-rubric: a question, and the items a good answer is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetaRubric {
    /// Always `metarubric/1`.
    #[serde(default = "named_schema")]
    pub schema: String,
    /// Its id.
    #[serde(default)]
    pub id: String,
    /// The question that is answered.
    #[serde(default)]
    pub question: String,
    /// Items, in the order they are shown.
    pub items: Vec<Item>,
}
impl Default for MetaRubric {
    fn default() -> Self {
        Self { schema: named_schema(), id: String::new(), question: String::new(), items: Vec::new() }
    }
}

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MetaRubricItem")]
pub struct Item {
    /// Unique and stable: check ids are built from it.
    pub id: String,
    /// Its tier; none while it is not chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// What it demands.
    #[serde(flatten)]
    pub content: ItemContent,
    /// What follows from the list or the process as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meta_insights: Vec<MetaInsight>,
    /// Ids of evidence snippets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

/// What an item demands, by type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ItemContent {
    /// Simple knowledge.
    Simple {
        /// A full statement.
        text: String,
    },
    /// Every entry is demanded.
    StrictList {
        /// What the entries are, in the plural.
        concept: String,
        /// Entries.
        entries: Vec<Element>,
    },
    /// A number of options out of a pool is demanded.
    FlexibleList {
        /// What the options are, in the plural.
        concept: String,
        /// Options.
        pool: Vec<Element>,
        /// One or two rising numbers of options that are demanded at the list's own tier.
        baselines: Vec<u32>,
        /// One to four rising higher numbers; empty for the default ones.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        coverage: Vec<u32>,
    },
    /// Steps in order.
    Process {
        /// What is done.
        concept: String,
        /// Steps.
        steps: Vec<Step>,
    },
    /// How a subject stands to other things.
    Relationship {
        /// The one side.
        subject: String,
        /// How they stand to each other.
        #[serde(default)]
        link: Link,
        /// The other side.
        related: Vec<Element>,
        /// Full statements about the relationship.
        aspects: Vec<Element>,
    },
}
impl ItemContent {
    /// The type.
    pub const fn item_type(&self) -> ItemType {
        match self {
            Self::Simple { .. } => ItemType::Simple,
            Self::StrictList { .. } => ItemType::StrictList,
            Self::FlexibleList { .. } => ItemType::FlexibleList,
            Self::Process { .. } => ItemType::Process,
            Self::Relationship { .. } => ItemType::Relationship,
        }
    }
}

/// How the sides of a relationship stand to each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// Connected to each other.
    #[default]
    Connection,
    /// Counterparts.
    Contrast,
}

/// An entry, an option, a related entity or an aspect.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Element {
    /// Unique inside its item, and stable.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Other names of an entry or option; they never count as a second one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Ids of evidence snippets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

/// A step of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Unique inside its item, and stable.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Is it demanded? Yes, unless it says otherwise.
    #[serde(default = "yes")]
    pub required: bool,
    /// Ids of evidence snippets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

const fn yes() -> bool {
    true
}

/// What follows from a list or a process as a whole; its tier is set case by case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MetaInsight {
    /// Unique inside its item, and stable.
    pub id: String,
    /// Its own tier; none while it is not chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// A full statement.
    pub text: String,
    /// Ids of evidence snippets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}
