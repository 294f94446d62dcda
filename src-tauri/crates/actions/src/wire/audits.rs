//! Audits of finished work, for auditors and leads alone.

use super::{PromptView, ResponseView};
use domain::{AuditFinding, AuditedWork, Count, Judgement, RubricDraft, StatementId, Stratum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What of one person's work can be audited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditableWork {
    /// Whose.
    pub person: String,
    /// What.
    pub work: AuditedWork,
    /// Finished pieces.
    pub finished: Count,
}

/// One audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditView {
    /// The draw.
    pub draw: StatementId,
    /// Whose work.
    pub person: String,
    /// What work.
    pub work: AuditedWork,
    /// When it was drawn.
    pub made_at: String,
    /// Seed of the draw.
    pub seed: u32,
    /// Error rate to be excluded.
    pub rate: f64,
    /// Confidence.
    pub confidence: f64,
    /// From which strata.
    pub strata: Vec<Stratum>,
    /// The draw that this one enlarges.
    pub escalates: Option<StatementId>,
    /// The draw that enlarges this one.
    pub escalated_by: Option<StatementId>,
    /// What it shows; with an enlarged one, of both together.
    pub outcome: agreement::AuditOutcome,
}

/// All audits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditsView {
    /// What can be audited.
    pub work: Vec<AuditableWork>,
    /// What was drawn, oldest first.
    pub audits: Vec<AuditView>,
}

/// Draw a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DrawAuditRequest {
    /// Whose work.
    pub person: String,
    /// What work.
    pub work: AuditedWork,
    /// Share of the finished work, above 0 to 1; 0.1 if none.
    #[serde(default)]
    pub share: Option<f64>,
    /// So many pieces instead of a share.
    #[serde(default)]
    pub items: Option<u32>,
    /// Error rate to be excluded; 0.1 if none.
    #[serde(default)]
    pub rate: Option<f64>,
    /// Confidence; 0.95 if none.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// Seed of the draw.
    #[serde(default)]
    pub seed: u32,
}

/// Plan a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditPlanRequest {
    /// Error rate to be excluded.
    pub rate: f64,
    /// Confidence; 0.95 if none.
    #[serde(default)]
    pub confidence: Option<f64>,
}

/// How many pieces it takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditPlanView {
    /// Errors that may be found, and the pieces that it then takes.
    pub sizes: Vec<AuditSize>,
}

/// One row of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditSize {
    /// So many errors.
    pub errors: Count,
    /// So many pieces.
    pub items: Count,
}

/// Ask for a piece: the next that was not looked through, or one that was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditItemRequest {
    /// The draw.
    pub draw: StatementId,
    /// The piece; the next open one if none.
    #[serde(default)]
    pub item: Option<StatementId>,
}

/// A piece, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditItemView {
    /// The draw.
    pub draw: StatementId,
    /// The audited statement.
    pub item: StatementId,
    /// 1-based place in the sample.
    pub place: Count,
    /// The one before.
    pub previous: Option<StatementId>,
    /// Whose work.
    pub person: String,
    /// What was asked.
    pub prompt: Option<PromptView>,
    /// The response that was judged.
    pub response: Option<ResponseView>,
    /// The verdicts.
    pub judgement: Option<Judgement>,
    /// The rubric.
    pub rubric: Option<RubricDraft>,
    /// What it compiles to, where it is structured.
    pub checks: Vec<domain::Check>,
    /// What was found of it.
    pub finding: Option<AuditFinding>,
}

/// Reply of `audit_item`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditItemReply {
    /// The piece; none when all were looked through.
    pub item: Option<AuditItemView>,
    /// How the audit stands.
    pub audit: AuditView,
}

/// Accept a piece or return it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubmitAuditRequest {
    /// The draw.
    pub draw: StatementId,
    /// The piece.
    pub item: StatementId,
    /// Is it good?
    pub accepted: bool,
    /// What is wrong; needed to return it.
    #[serde(default)]
    pub feedback: String,
}

/// It is on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditSubmitted {
    /// The statement.
    pub finding: StatementId,
    /// How the audit stands.
    pub audit: AuditView,
    /// The draw that follows, where this one is done and did not suffice.
    pub escalated: Option<StatementId>,
}
