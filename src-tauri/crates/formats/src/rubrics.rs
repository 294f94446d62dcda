//! Rubrics of other systems, read and written. Every system leaves something out that another has: what is lost is listed
//! ([`Loss`]) before anything is kept or written, and a negative criterion is never turned into a positive one; it
//! becomes a note of what an answer must not say.

mod csv_form;
mod gamut;
mod judge_pack;
mod label_studio;
mod losses;
mod read;
mod send;
mod weighted;
mod write;

pub use judge_pack::{InputFileShown, JudgeTask, write_judge_pack};
pub use label_studio::{LabelTask, label_studio_config, write_label_tasks};
pub use losses::{Loss, LossKind};
pub use read::{RejectedRubric, RubricReading, read_rubrics, recognise_rubrics};
pub use send::{LARGEST_RUBRIC_FILE, send_rubrics};
pub use write::{
    RubricExport, TierPoints, checks_as_criteria, export_losses, structuring_losses, write_health_bench,
    write_rubric_csv,
};

use domain::{Check, Criterion, EvidenceSnippet, ModalityList};
use serde::{Deserialize, Serialize};

/// A rubric format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RubricFormat {
    /// MMI: `{"criteria":[{"id","criterion","modality"}]}`.
    Mmi,
    /// UEval: `text_rubrics` and `image_rubrics`.
    Ueval,
    /// GAMUT's released rows: `{"session_id","question","rubrics":{"Answer_Critical":[…]…}}`.
    Gamut,
    /// A meta-rubric (`metarubric/1`), which compiles to a checklist.
    MetaRubric,
    /// HealthBench: `rubrics` of `{criterion, points, tags}`.
    HealthBench,
    /// Autorubric: `criteria` of `{name, weight, requirement}`, perhaps in sections.
    Autorubric,
    /// ResearchRubrics: `rubrics` of `{criterion, axis, weight}`, or its CSV.
    ResearchRubrics,
    /// Any CSV with a column of criteria.
    Csv,
}
impl RubricFormat {
    /// All, in the order in which they are tried.
    pub const ALL: [Self; 8] = [
        Self::Mmi,
        Self::Ueval,
        Self::Gamut,
        Self::MetaRubric,
        Self::HealthBench,
        Self::Autorubric,
        Self::ResearchRubrics,
        Self::Csv,
    ];
    /// The name on the command line and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mmi => "mmi",
            Self::Ueval => "ueval",
            Self::Gamut => "gamut",
            Self::MetaRubric => "metarubric",
            Self::HealthBench => "healthbench",
            Self::Autorubric => "autorubric",
            Self::ResearchRubrics => "researchrubrics",
            Self::Csv => "csv",
        }
    }
}

/// A rubric for one prompt: flat criteria, or the checks of a binary checklist.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RubricRecord {
    /// The prompt's or question's key; empty if the file has none.
    pub key: String,
    /// The prompt or question; empty if the file has none.
    pub prompt: String,
    /// Expected modalities; empty if the file does not say.
    pub gold: ModalityList,
    /// Criteria, numbered from 1 where the file has no ids.
    pub criteria: Vec<Criterion>,
    /// Checks of a binary checklist.
    pub checks: Vec<Check>,
    /// The meta-rubric as the file has it; whoever compiles it fills `checks`.
    #[serde(default)]
    pub meta_rubric: Option<serde_json::Value>,
    /// Passages that checks or items rest on; their `evidence` names them.
    #[serde(default)]
    pub snippets: Vec<EvidenceSnippet>,
    /// What an answer must not say or do: criteria with negative points, unchanged.
    pub contradictions: Vec<ContradictionNote>,
}

/// A negative criterion, kept as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContradictionNote {
    /// The text, unchanged: meeting it is bad.
    pub text: String,
    /// Its points or weight, below 0.
    pub points: f64,
}
