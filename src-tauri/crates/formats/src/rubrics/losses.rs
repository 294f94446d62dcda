//! What a file has that is not carried over.

use serde::{Deserialize, Serialize};

/// A kind of loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// Weights or points: all criteria of a modality weigh the same.
    Weights,
    /// Negative criteria, kept as notes of what an answer must not say.
    NegativeCriteria,
    /// Tags, axes, categories or sections.
    Tags,
    /// Answer options with values of their own: a criterion is met or it is not.
    AnswerOptions,
    /// The modality was not said; it is taken to be text.
    ModalityAssumed,
    /// Names of criteria.
    Names,
    /// Reference answers and completions.
    ReferenceAnswers,
    /// Tiers.
    Tiers,
    /// Thresholds and sequences, which stay as texts alone.
    ComputedChecks,
    /// The four verdicts, which become two.
    FourVerdicts,
    /// Where a check comes from.
    Provenance,
    /// Modalities: the format has none.
    Modalities,
    /// Notes of what an answer must not say: the format has no negative criteria.
    ContradictionNotes,
    /// Who says what in a conversation of several turns.
    Turns,
    /// Whatever else stands beside a criterion.
    OtherFields,
}

impl LossKind {
    /// What it is, for people.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Weights => "weights or points: all criteria of a modality weigh the same",
            Self::NegativeCriteria => {
                "negative criteria: they are not criteria here and not turned round, only noted as what an answer must not say"
            }
            Self::Tags => "tags, axes, categories or sections",
            Self::AnswerOptions => "answer options with values of their own: a criterion is met or it is not",
            Self::ModalityAssumed => "no modality is said: it is taken to be text",
            Self::Names => "names of criteria",
            Self::ReferenceAnswers => "reference answers and completions",
            Self::Tiers => "tiers",
            Self::ComputedChecks => "thresholds and sequences: they stay as texts alone",
            Self::FourVerdicts => "four verdicts: they become two",
            Self::Provenance => "where a check comes from",
            Self::Modalities => "modalities: there is no place for them but a tag",
            Self::ContradictionNotes => "notes of what an answer must not say: there is no place for them",
            Self::Turns => "who says what in a conversation: its turns become one prompt",
            Self::OtherFields => "other fields beside a criterion or in an item",
        }
    }
}

/// How much is lost of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// What.
    pub kind: LossKind,
    /// How many criteria, checks or records it concerns.
    pub count: u64,
    /// One of them, for showing.
    pub example: String,
}

/// Losses as they are met, each kind once.
#[derive(Debug, Default)]
pub(super) struct Losses(Vec<Loss>);
impl Losses {
    pub fn add(&mut self, kind: LossKind, example: &str) {
        if let Some(loss) = self.0.iter_mut().find(|loss| loss.kind == kind) {
            loss.count += 1;
            return;
        }
        self.0.push(Loss { kind, count: 1, example: example.chars().take(120).collect() });
    }
    /// By kind.
    pub fn done(mut self) -> Vec<Loss> {
        self.0.sort_by_key(|loss| loss.kind);
        self.0
    }
}
