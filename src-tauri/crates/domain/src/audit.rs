//! Audits of finished work: a seeded sample of one person's work, drawn alike from each stratum, is looked through by an auditor, who
//! accepts each piece or returns it with feedback. Until it is returned nobody but auditors and leads knows that it was drawn.

use crate::{Count, PersonName, StatementId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditedWork {
    /// Verdicts on responses.
    Judging,
    /// Rubrics that were handed in.
    Authoring,
}

/// One stratum of a draw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stratum {
    /// What its pieces have in common, such as the modalities that are asked for.
    pub label: String,
    /// Finished pieces in it.
    pub finished: Count,
    /// Of these in the sample.
    pub drawn: Count,
}

/// A drawn sample: the payload of an `audit_draw`; subject = `<person>/<first item>`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditDraw {
    /// Whose work.
    pub person: PersonName,
    /// What work.
    pub work: AuditedWork,
    /// The statements drawn, in the order in which they are audited.
    pub items: Vec<StatementId>,
    /// How much finished work there was.
    pub finished: Count,
    /// From which strata.
    pub strata: Vec<Stratum>,
    /// Seed of the draw.
    pub seed: u32,
    /// The error rate that the audit is to exclude, between 0 and 1.
    pub rate: f64,
    /// With which confidence, between 0 and 1.
    pub confidence: f64,
    /// The draw that did not suffice and that this one enlarges: its items count on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalates: Option<StatementId>,
}

/// What an auditor says of one piece: the payload of an `audit_finding`; subject = `<draw>/<item>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditFinding {
    /// The draw.
    pub draw: StatementId,
    /// The statement that was audited.
    pub item: StatementId,
    /// Is it good? If not, it goes back.
    pub accepted: bool,
    /// What is wrong, for the person; kept from them where it is accepted.
    #[serde(default)]
    pub feedback: String,
}
