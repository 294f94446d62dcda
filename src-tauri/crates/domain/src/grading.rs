//! Grading by people against a checklist: what a grader found in a response, and the verdicts on its checks.

use crate::{CheckVerdict, ResponseId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An option or entry that was found in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundOption {
    /// Its id; one that the list has not is passed over.
    pub id: String,
    /// Is it only named imprecisely (the genus, not the species)?
    #[serde(default)]
    pub imprecise: bool,
}

/// What was found of one item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extraction {
    /// Id of the item.
    pub item: String,
    /// Options or entries, in any order; one that comes twice counts once, as precise as it was ever named.
    #[serde(default)]
    pub options: Vec<FoundOption>,
    /// Ids of steps in the order in which the answer presents them. Where a step comes twice its first place counts.
    #[serde(default)]
    pub steps: Vec<String>,
}

/// The verdict of a grader on one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckGrade {
    /// Id of the check.
    pub check: String,
    /// `text_sha256` of the check when it was judged: on other words the verdict is stale.
    pub text_sha256: String,
    /// The verdict.
    pub verdict: CheckVerdict,
    /// What follows from what was found, where that differs from the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<CheckVerdict>,
    /// Why the verdict is another than the computed one; or a remark on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// One grader's verdicts on one response: the payload of a `checklist_grade`; subject = response id. All checks of the
/// checklist at once, so that a response is graded wholly or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChecklistGrade {
    /// The task that it answers.
    pub task: TaskId,
    /// The response.
    pub response: ResponseId,
    /// Version of the prompt that the checklist belongs to.
    pub prompt_version: u32,
    /// One for each check, in the order of the checklist.
    pub grades: Vec<CheckGrade>,
    /// What was found, by item.
    #[serde(default)]
    pub found: Vec<Extraction>,
    /// Rules (`K1` to `K6`) that the verdicts break: they were shown before the verdicts were locked, and stood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incoherent: Vec<String>,
    /// Time spent on it, in milliseconds.
    #[serde(default)]
    pub active_ms: u64,
}

/// A verdict on a check that was read from a file: by an LLM judge, or by whomever the file names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedCheckGrade {
    /// Key of the question: the prompt's.
    pub question: String,
    /// `run_name` of the model that answered.
    pub model: String,
    /// Who judged.
    pub judge: String,
    /// `multimodal`, `text_only`, or another way of asking.
    pub variant: String,
    /// Id of the check.
    pub check: String,
    /// The verdict; none where the evaluator failed.
    pub verdict: Option<CheckVerdict>,
    /// Why.
    pub explanation: String,
}
