//! What people decide: blind verdicts, and the settlement of disagreements.

use crate::{Anchor, BlobHash, Count, Modality, ResponseId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// There is nothing in between (MMI, appendix E).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The modality is right.
    Correct,
    /// It is not, or it was not returned.
    Incorrect,
}
impl Verdict {
    /// The name in files: `correct` or `incorrect`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Incorrect => "incorrect",
        }
    }
    /// `Correct` when true.
    pub const fn from_bool(correct: bool) -> Self {
        if correct { Self::Correct } else { Self::Incorrect }
    }
}
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
impl FromStr for Verdict {
    type Err = String;
    /// Case and surrounding space do not matter.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "correct" => Ok(Self::Correct),
            "incorrect" => Ok(Self::Incorrect),
            _ => Err(format!(
                "{:?} is no verdict; write correct or incorrect",
                text.chars().take(80).collect::<String>()
            )),
        }
    }
}

/// What a judge may mark beside the verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VerdictFlags {
    /// An AI was asked for background knowledge.
    pub ai_background: bool,
    /// A link does not open.
    pub broken_link: bool,
    /// The app could not play or render the asset here.
    pub cannot_show: bool,
    /// The judge is in doubt.
    pub doubt: bool,
    /// It had to fit another modality of the response and does not.
    pub misaligned: bool,
}

/// The verdict on one expected modality.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModalityVerdict {
    /// Which modality.
    pub modality: Modality,
    /// Correct or incorrect.
    pub verdict: Verdict,
    /// Why, in a line.
    #[serde(default)]
    pub comment: String,
    /// Marks.
    #[serde(default)]
    pub flags: VerdictFlags,
    /// Where the comment points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<Anchor>,
    /// What an AI was asked for background knowledge.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ai_asked: String,
    /// How the judge perceived it, where less was played or seen than the study asks for: by captions, a transcript, a
    /// screen reader, another program.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub perceived: String,
}

/// A remark on a modality that came back and was not asked for. It is no verdict and counts nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModalityNote {
    /// Which modality.
    pub modality: Modality,
    /// The remark.
    pub comment: String,
    /// Where it points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<Anchor>,
}

/// What plays a sound or a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// The app's own decoder, to the sound card: exact to the sample.
    SoundCard,
    /// The window's web view, through the system's codecs.
    WebView,
}

/// What the judge saw or heard of one asset before the verdicts were given, as the app measured it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exposure {
    /// The asset; none for the response's own text.
    #[serde(default)]
    pub asset: Option<BlobHash>,
    /// What played it, in the order of first use.
    #[serde(default)]
    pub engines: Vec<Engine>,
    /// How much of it was played, in milliseconds; a part that was played twice counts once.
    #[serde(default)]
    pub played_ms: Count,
    /// Its length as the player knew it, in milliseconds; none when unknown.
    #[serde(default)]
    pub length_ms: Option<Count>,
    /// Which stretches were played, in milliseconds: sorted, without overlap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<(Count, Count)>,
    /// Which pages, slides or sheets were seen, from 1: sorted, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Count>,
    /// How many there are; none where the view has no pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_count: Option<Count>,
    /// How long a picture was in view while the judge was active, in milliseconds.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub visible_ms: Count,
    /// How long of this it was enlarged, in milliseconds.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub enlarged_ms: Count,
    /// How far down a text was in view, percent of its height; none where the view has no such measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scrolled_percent: Option<u8>,
    /// Why it could not be played or shown here, by code.
    #[serde(default)]
    pub failure: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn is_nothing(count: &Count) -> bool {
    count.get() == 0
}

impl Exposure {
    /// Was at least this share of its length played? An asset that could not be played asks for nothing.
    pub fn was_played(&self, percent: u8) -> bool {
        let length = self.length_ms.map_or(0, Count::get);
        self.failure.is_some() || (length > 0 && enough(self.played_ms.get(), length, percent))
    }
    /// Was at least this share of its pages seen? A document that could not be shown asks for nothing.
    pub fn was_seen(&self, percent: u8) -> bool {
        let pages = self.page_count.map_or(0, Count::get);
        self.failure.is_some() || (pages > 0 && enough(self.pages.len() as u64, pages, percent))
    }
    /// Was this picture in view for so long? One that could not be shown asks for nothing.
    pub fn was_looked_at(&self, seconds: u8) -> bool {
        self.failure.is_some() || self.visible_ms.get() >= u64::from(seconds) * 1_000
    }
    /// Was this text in view down to this share of it?
    pub fn was_read(&self, percent: u8) -> bool {
        self.failure.is_some() || self.scrolled_percent.is_some_and(|scrolled| scrolled >= percent)
    }
}
fn enough(done: u64, of: u64, percent: u8) -> bool {
    u128::from(done) * 100 >= u128::from(of) * u128::from(percent)
}

/// One judge's verdicts on one response, all expected modalities at once: the payload of a `judgement`
/// statement, so that a response is judged wholly or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// The response.
    pub response: ResponseId,
    /// One verdict for every expected modality, in the order they were shown.
    pub verdicts: Vec<ModalityVerdict>,
    /// Remarks on modalities that were not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noted: Vec<ModalityNote>,
    /// Active time on the item, in milliseconds.
    pub active_ms: u64,
    /// Time that the item was on screen without a sign of life, in milliseconds; never part of the active time.
    #[serde(default)]
    pub idle_ms: u64,
    /// Version of the guidelines it was given under; 0 when the study has none.
    #[serde(default)]
    pub guidelines_version: u32,
    /// Version of the prompt it was given under.
    #[serde(default)]
    pub prompt_version: u32,
    /// What was played and seen of the assets, and by what; assets of which nothing is known are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exposures: Vec<Exposure>,
}

/// What a verdict says beyond the columns of MMI's `human_verdicts.csv`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct VerdictDetails {
    /// Marks.
    pub flags: VerdictFlags,
    /// Where the comment points.
    pub anchors: Vec<Anchor>,
    /// What an AI was asked for background knowledge.
    pub ai_asked: String,
    /// How it was perceived, if not by playing or seeing it in the app.
    pub perceived: String,
    /// Version of the prompt that it was given under; none when not known.
    pub prompt_version: Option<u32>,
    /// Version of the guidelines that it was given under, 0 for the built-in ones; none when not known.
    pub guidelines_version: Option<u32>,
}

/// A human verdict read from a file (`human_verdicts.csv`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HumanVerdict {
    /// Who judged.
    pub annotator: String,
    /// Prompt key.
    pub prompt_key: String,
    /// `run_name` of the model.
    pub model: String,
    /// Which modality.
    pub modality: Modality,
    /// The verdict.
    pub verdict: Verdict,
    /// Comment.
    pub comment: String,
    /// Declared AI help.
    pub ai_assisted: bool,
    /// Time taken, seconds.
    pub seconds: Option<f64>,
    /// What the file says beyond these.
    #[serde(default)]
    pub details: VerdictDetails,
}

/// Why a judge and people differed (codes of the Disagreements screen).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The LLM judge is wrong.
    JudgeError,
    /// The person is wrong.
    HumanError,
    /// The rubric asks for more than a good answer needs.
    RubricTooStrict,
    /// The rubric misses something that matters.
    RubricGap,
    /// The prompt is ambiguous or subjective.
    Subjective,
    /// An edit that does not respect its input.
    InputFidelity,
    /// Two modalities that do not agree with each other.
    CrossModality,
    /// The asset itself is damaged.
    AssetFault,
    /// The judge call failed.
    EvaluatorError,
    /// Capturing the asset failed.
    CaptureFailure,
    /// The gold modality list is wrong.
    WrongGold,
}
impl Cause {
    /// All causes, in the order of the screen.
    pub const ALL: [Self; 11] = [
        Self::JudgeError,
        Self::HumanError,
        Self::RubricTooStrict,
        Self::RubricGap,
        Self::Subjective,
        Self::InputFidelity,
        Self::CrossModality,
        Self::AssetFault,
        Self::EvaluatorError,
        Self::CaptureFailure,
        Self::WrongGold,
    ];
    /// The code in files: `judge_error`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::JudgeError => "judge_error",
            Self::HumanError => "human_error",
            Self::RubricTooStrict => "rubric_too_strict",
            Self::RubricGap => "rubric_gap",
            Self::Subjective => "subjective",
            Self::InputFidelity => "input_fidelity",
            Self::CrossModality => "cross_modality",
            Self::AssetFault => "asset_fault",
            Self::EvaluatorError => "evaluator_error",
            Self::CaptureFailure => "capture_failure",
            Self::WrongGold => "wrong_gold",
        }
    }
}
impl FromStr for Cause {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.trim();
        Self::ALL.into_iter().find(|c| c.code() == wanted).ok_or_else(|| {
            let codes: Vec<_> = Self::ALL.iter().map(|c| c.code()).collect();
            format!(
                "{:?} is no cause; the causes are {}",
                wanted.chars().take(80).collect::<String>(),
                codes.join(", ")
            )
        })
    }
}

/// An auditor's settlement of one disagreement: the payload of a `settlement` statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settlement {
    /// The response.
    pub response: ResponseId,
    /// The modality in dispute.
    pub modality: Modality,
    /// What it is, finally.
    pub verdict: Verdict,
    /// Whose fault it was.
    pub cause: Cause,
    /// Note.
    #[serde(default)]
    pub note: String,
    /// Is the rubric sent back to its author (without the response)?
    #[serde(default)]
    pub send_rubric_back: bool,
}

/// A settlement read from a file (`adjudications.csv`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Prompt key.
    pub prompt_key: String,
    /// `run_name` of the model.
    pub model: String,
    /// Which modality.
    pub modality: Modality,
    /// What the LLM judge said.
    pub judge: Verdict,
    /// What most people said.
    pub human_majority: Option<Verdict>,
    /// What it is, finally.
    pub verdict: Verdict,
    /// Cause.
    pub cause: Cause,
    /// Note.
    pub note: String,
    /// Who settled it.
    pub adjudicator: String,
    /// Date as written.
    pub date: String,
}
