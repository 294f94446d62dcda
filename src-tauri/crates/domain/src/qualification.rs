//! Qualification: who may judge what, as people show it by a quiz, by jobs whose answers are known, and by jobs that they had before.
//! Marks of such jobs are known to leads and auditors alone.

use crate::{Modality, PersonName, ResponseId, StatementId, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a person stands with one modality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualificationState {
    /// Not there yet: the quiz, or the first known jobs.
    Learning,
    /// Works.
    Live,
    /// Gets no new work.
    Paused,
    /// Was paused, and shows it again: the quiz where it is asked for, then known jobs.
    Recertify,
}
impl QualificationState {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Learning => "learning",
            Self::Live => "live",
            Self::Paused => "paused",
            Self::Recertify => "recertify",
        }
    }
}

/// What a study asks of those who judge: the payload of `qualification_rules`; subject = `qualification`. A later one replaces
/// the one before; what people did is read by the rules that stand. A study that never stated any asks for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct QualificationRules {
    /// Is the quiz to be passed first?
    pub quiz: bool,
    /// Share of the quiz's items that has to be right, above 0 to 1.
    pub quiz_pass: f64,
    /// How often the quiz is offered again by itself; after that a lead gives it.
    pub quiz_attempts: u32,
    /// Does who was paused pass the quiz again?
    pub quiz_again: bool,
    /// Known jobs that decide on entry, for each modality.
    pub entry_golds: u32,
    /// Share of these that has to be right.
    pub entry_accuracy: f64,
    /// Known jobs that the rolling accuracy is over.
    pub window: u32,
    /// Below this rolling accuracy over a full window a person is paused.
    pub keep_accuracy: f64,
    /// Confidence of the intervals.
    pub confidence: f64,
}
impl Default for QualificationRules {
    /// The quiz and 95 % to enter as GAMUT's annotators had them (section 4, appendix C); it names no numbers of jobs: 20 is the
    /// least of which 95 % is a whole number.
    fn default() -> Self {
        Self {
            quiz: true,
            quiz_pass: 0.9,
            quiz_attempts: 3,
            quiz_again: true,
            entry_golds: 20,
            entry_accuracy: 0.95,
            window: 20,
            keep_accuracy: 0.9,
            confidence: 0.95,
        }
    }
}
impl QualificationRules {
    /// What cannot be asked for, as a sentence.
    pub fn problem(&self) -> Option<String> {
        for (what, share) in [
            ("the quiz's pass mark", self.quiz_pass),
            ("the accuracy to enter", self.entry_accuracy),
            ("the accuracy to keep", self.keep_accuracy),
        ] {
            if !(share > 0.0 && share <= 1.0) {
                return Some(format!("{what} lies above 0 and up to 1, not {share}"));
            }
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Some(format!("a confidence lies between 0 and 1, not {}", self.confidence));
        }
        for (what, n) in [("the known jobs to enter", self.entry_golds), ("the window", self.window)] {
            if !(1..=1_000).contains(&n) {
                return Some(format!("{what} are 1 to 1,000, not {n}"));
            }
        }
        (!(1..=100).contains(&self.quiz_attempts))
            .then(|| format!("the quiz is offered 1 to 100 times, not {}", self.quiz_attempts))
    }
}

/// What a lead decides by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualificationMove {
    /// Let somebody work who has shown it elsewhere.
    Admit,
    /// Give no new work.
    Pause,
    /// Have it shown again.
    Recertify,
}
impl QualificationMove {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admit => "admit",
            Self::Pause => "pause",
            Self::Recertify => "recertify",
        }
    }
}

/// A decision by hand: the payload of `qualification_change`; subject = `<person>/<Modality>`. These add up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QualificationChange {
    /// Whom.
    pub person: PersonName,
    /// For which modality.
    pub modality: Modality,
    /// What.
    pub change: QualificationMove,
    /// Why.
    pub reason: String,
    /// The person's last statement that the lead knew of: what comes behind it counts after the change. The order of two people's
    /// clocks decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<StatementId>,
}

/// A known answer to one modality of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoldAnswer {
    /// The response.
    pub response: ResponseId,
    /// Which modality.
    pub modality: Modality,
    /// What is right.
    pub verdict: Verdict,
    /// Why, or where it is from.
    #[serde(default)]
    pub why: String,
}

/// What a hidden job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HiddenJobKind {
    /// Its answer is known.
    Gold,
    /// Its person had it before, under another id.
    Repeat,
}
impl HiddenJobKind {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gold => "gold",
            Self::Repeat => "repeat",
        }
    }
}

/// A job that measures its person. What they say of it is no annotation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HiddenJob {
    /// Whose.
    pub person: PersonName,
    /// The response that they are given: of a repeat, under an id of its own.
    pub response: ResponseId,
    /// What it is.
    pub kind: HiddenJobKind,
    /// The response that it shows; of a gold job the same.
    pub original: ResponseId,
}
