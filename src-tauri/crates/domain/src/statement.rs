//! Statements: the immutable records that people make. `store` writes, chains and signs them.

use crate::{BlobHash, PersonName, StatementId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The five kinds of journal; a person on a device has one file of each kind that they write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalKind {
    /// Rubric revisions.
    Author,
    /// Verdicts.
    Judge,
    /// Reviews of rubrics and items.
    Review,
    /// Settlements.
    Audit,
    /// Assignments.
    Lead,
}
impl JournalKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Author, Self::Judge, Self::Review, Self::Audit, Self::Lead];
    /// The name in file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Judge => "judge",
            Self::Review => "review",
            Self::Audit => "audit",
            Self::Lead => "lead",
        }
    }
}
impl fmt::Display for JournalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
impl FromStr for JournalKind {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|k| k.name() == text)
            .ok_or_else(|| format!("{text:?} is no kind of journal"))
    }
}

/// What a statement says. Kinds of later versions are carried along as `Other`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StatementKind {
    /// [`crate::Judgement`]; subject = response id.
    Judgement,
    /// [`crate::RubricDraft`]; subject = prompt id.
    RubricRevision,
    /// `{"revision": statement id}`: handed in for review; subject = prompt id.
    RubricSubmission,
    /// [`crate::Review`]; subject = `<prompt id>/<author>`.
    Review,
    /// [`crate::Curation`]; subject = `<kind of item>/<item id>/<version>`.
    Curation,
    /// [`crate::AuditDraw`]; subject = `<person>/<first item>`.
    AuditDraw,
    /// [`crate::AuditFinding`]; subject = `<draw>/<item>`.
    AuditFinding,
    /// [`crate::Settlement`]; subject = `<response id>/<Modality>`.
    Settlement,
    /// [`crate::GoldMark`]; subject = prompt id.
    GoldMark,
    /// [`crate::ChecklistGrade`]; subject = response id. In the audit journal: who is blind opens none of those.
    ChecklistGrade,
    /// An assignment by the lead; subject = person.
    Assignment,
    /// [`crate::QuizAttempt`]; subject = `quiz/<version>/<attempt>`. Not taken back.
    QuizAttempt,
    /// [`crate::QualificationRules`]; by the lead, subject = `qualification`.
    QualificationRules,
    /// [`crate::QualificationChange`]; by the lead, subject = `<person>/<Modality>`. These add up.
    QualificationChange,
    /// Work done under older content is to be done again; by the lead, subject = what changed.
    AskAgain,
    /// What an import brought, as a hash; by the lead, subject = the import's id.
    ImportSeal,
    /// Takes back its one parent; subject = that of the parent.
    Retraction,
    /// A kind this version does not know.
    Other(String),
}
impl StatementKind {
    /// The name in the journal.
    pub fn name(&self) -> &str {
        match self {
            Self::Judgement => "judgement",
            Self::RubricRevision => "rubric_revision",
            Self::RubricSubmission => "rubric_submission",
            Self::Review => "review",
            Self::Curation => "curation",
            Self::AuditDraw => "audit_draw",
            Self::AuditFinding => "audit_finding",
            Self::Settlement => "settlement",
            Self::GoldMark => "gold_mark",
            Self::ChecklistGrade => "checklist_grade",
            Self::Assignment => "assignment",
            Self::QuizAttempt => "quiz_attempt",
            Self::QualificationRules => "qualification_rules",
            Self::QualificationChange => "qualification_change",
            Self::AskAgain => "ask_again",
            Self::ImportSeal => "import_seal",
            Self::Retraction => "retraction",
            Self::Other(name) => name,
        }
    }
}
impl From<&str> for StatementKind {
    fn from(name: &str) -> Self {
        match name {
            "judgement" => Self::Judgement,
            "rubric_revision" => Self::RubricRevision,
            "rubric_submission" => Self::RubricSubmission,
            "review" => Self::Review,
            "curation" => Self::Curation,
            "audit_draw" => Self::AuditDraw,
            "audit_finding" => Self::AuditFinding,
            "settlement" => Self::Settlement,
            "gold_mark" => Self::GoldMark,
            "checklist_grade" => Self::ChecklistGrade,
            "assignment" => Self::Assignment,
            "quiz_attempt" => Self::QuizAttempt,
            "qualification_rules" => Self::QualificationRules,
            "qualification_change" => Self::QualificationChange,
            "ask_again" => Self::AskAgain,
            "import_seal" => Self::ImportSeal,
            "retraction" => Self::Retraction,
            other => Self::Other(other.to_owned()),
        }
    }
}
impl Serialize for StatementKind {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}
impl<'de> Deserialize<'de> for StatementKind {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Ok(Self::from(std::borrow::Cow::<'de, str>::deserialize(d)?.as_ref()))
    }
}

/// One row of a journal, as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Number in its journal, from 1.
    pub seq: u64,
    /// Random id.
    pub id: StatementId,
    /// What it says.
    pub kind: StatementKind,
    /// Version of the payload's schema.
    pub schema_version: u32,
    /// What it is about.
    pub subject: String,
    /// Who made it.
    pub person: PersonName,
    /// On which device: the first 16 hex digits of SHA-256 of the device's public key.
    pub device: String,
    /// RFC 3339 in UTC, for display only; order is `seq` and `parents`.
    pub made_at: String,
    /// The statements it replaces or retracts.
    pub parents: Vec<StatementId>,
    /// The payload, JSON text exactly as written (blank when it was blanked on request).
    pub payload: String,
    /// SHA-256 of the payload as written.
    pub payload_sha256: BlobHash,
}
