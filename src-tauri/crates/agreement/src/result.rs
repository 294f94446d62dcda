//! The shape of an agreement result (`--json`, the Agreement screen, the report): one shape for a study, for
//! finished judgements and for any table. Numbers are finite or `null` with the reason beside them.

use domain::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// One coefficient with its uncertainty. `value` is `null` exactly when `undefined` says why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coefficient {
    /// The value; `null` when it is not defined.
    pub value: Option<f64>,
    /// Why there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// Percentile bootstrap interval, 95 %, lower end first; absent without resamples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<[f64; 2]>,
    /// Analytic standard error over units (they are taken as independent, unlike in the interval).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub se: Option<f64>,
    /// How many resamples left the coefficient undefined; the interval is over the others. Absent when none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined_resamples: Option<Count>,
    /// What a reader has to know beside the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Counts of two raters' label pairs, rows first rater (the judge), columns second (the human).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confusion {
    /// The declared categories in order.
    pub labels: Vec<String>,
    /// `counts[row][column]`, over units that both rated.
    pub counts: Vec<Vec<Count>>,
}

/// The judge as a test of correctness, the human as the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeTest {
    /// Both say correct.
    pub tp: Count,
    /// The judge alone says correct.
    pub fp: Count,
    /// Both say incorrect.
    pub tn: Count,
    /// The human alone says correct.
    #[serde(rename = "fn")]
    pub fn_: Count,
    /// TP / (TP + FN).
    pub sensitivity: Coefficient,
    /// TN / (TN + FP).
    pub specificity: Coefficient,
}

/// One threshold of the sweep: the judge says correct iff the mean criterion score reaches it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SweepPoint {
    /// 0.05, 0.10 … 1.00; at 1.00 every score must be 1.
    pub threshold: f64,
    /// Share of units on which judge and human agree.
    pub percent_agreement: Option<f64>,
    /// Scott's π.
    pub scott_pi: Option<f64>,
    /// Cohen's κ.
    pub cohen_kappa: Option<f64>,
    /// `[[a, b], [c, d]]` as in [`Confusion`].
    pub counts: [[Count; 2]; 2],
    /// Why a number of this row is `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// Everything that is said about one set of units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Numbers {
    /// Rows of the table.
    pub units: Count,
    /// Columns of the table.
    pub raters: Count,
    /// Units with two ratings or more.
    pub pairable_units: Count,
    /// Two raters only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confusion: Option<Confusion>,
    /// Judge against human only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_as_test: Option<JudgeTest>,
    /// Mean over pairable units of the share of agreeing pairs.
    pub percent_agreement: Coefficient,
    /// Share of agreeing pairs, every pair weighing the same; three raters or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent_agreement_pooled_pairs: Option<Coefficient>,
    /// Share of the units rated by all on which all agree; three raters or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent_agreement_all_raters: Option<Coefficient>,
    /// Scott's π; two raters.
    pub scott_pi: Coefficient,
    /// Cohen's κ; two raters.
    pub cohen_kappa: Coefficient,
    /// Cohen's κ, linear weights; ordinal and interval tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohen_kappa_linear: Option<Coefficient>,
    /// Cohen's κ, quadratic weights; ordinal and interval tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohen_kappa_quadratic: Option<Coefficient>,
    /// Fleiss' κ.
    pub fleiss_kappa: Coefficient,
    /// Conger's κ, by each rater's own margin; three raters or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conger_kappa: Option<Coefficient>,
    /// Krippendorff's α at the table's level.
    pub krippendorff_alpha: Coefficient,
    /// Gwet's AC1.
    pub gwet_ac1: Coefficient,
    /// Gwet's AC2, linear weights; undefined on nominal tables of three categories or more.
    pub gwet_ac2_linear: Coefficient,
    /// Gwet's AC2, quadratic weights; undefined on nominal tables of three categories or more.
    pub gwet_ac2_quadratic: Coefficient,
    /// Brennan and Prediger's coefficient.
    pub brennan_prediger: Coefficient,
    /// 2 × observed agreement − 1; two categories.
    pub pabak: Coefficient,
    /// (a − d) / n, a = both say the first category; two raters and two categories.
    pub prevalence: Option<f64>,
    /// (b − c) / n, b = the first rater alone says the first category; two raters and two categories.
    pub bias: Option<f64>,
    /// Why `prevalence` and `bias` are `null`.
    #[serde(default, rename = "undefined", skip_serializing_if = "Option::is_none")]
    pub indices_undefined: Option<String>,
    /// What a reader has to know before the numbers, such as that there are few units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The threshold sweep, when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Vec<SweepPoint>>,
}

/// By what units can be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GroupKey {
    /// Modality that was judged.
    Modality,
    /// Model that answered.
    Model,
    /// Person who judged.
    Annotator,
    /// Tag of the prompt.
    Tag,
    /// How the modality was detected.
    DetectionRoute,
    /// Version of the rubric that was graded.
    RubricVersion,
}
impl GroupKey {
    /// All keys.
    pub const ALL: [Self; 6] =
        [Self::Modality, Self::Model, Self::Annotator, Self::Tag, Self::DetectionRoute, Self::RubricVersion];
    /// The name in JSON and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modality => "modality",
            Self::Model => "model",
            Self::Annotator => "annotator",
            Self::Tag => "tag",
            Self::DetectionRoute => "detection_route",
            Self::RubricVersion => "rubric_version",
        }
    }
}
impl FromStr for GroupKey {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.trim();
        Self::ALL.into_iter().find(|key| key.name() == wanted).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|key| key.name()).collect();
            format!(
                "{:?} is nothing to split by; choose from {}",
                wanted.chars().take(80).collect::<String>(),
                names.join(", ")
            )
        })
    }
}

/// Which units a row of `by` is about; one field is set per key that was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// Modality that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modality: Option<String>,
    /// Model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Person who judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotator: Option<String>,
    /// Tag of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// How the modality was detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detection_route: Option<String>,
    /// Version of the rubric that was graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric_version: Option<String>,
}
impl Group {
    /// The group of one label.
    pub fn of(key: GroupKey, label: impl Into<String>) -> Self {
        let mut group = Self::default();
        let label = Some(label.into());
        match key {
            GroupKey::Modality => group.modality = label,
            GroupKey::Model => group.model = label,
            GroupKey::Annotator => group.annotator = label,
            GroupKey::Tag => group.tag = label,
            GroupKey::DetectionRoute => group.detection_route = label,
            GroupKey::RubricVersion => group.rubric_version = label,
        }
        group
    }
}

/// The numbers of one group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroupAgreement {
    /// Which group.
    #[serde(flatten)]
    pub group: Group,
    /// Its numbers.
    #[serde(flatten)]
    pub numbers: Numbers,
}

/// How the intervals were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Method {
    /// In words: `cluster bootstrap by prompt, percentile`.
    pub interval: String,
    /// How many resamples; 0 = no interval.
    pub resamples: Count,
    /// The seed they were drawn with.
    pub seed: Count,
}

/// An agreement result: all units, then by group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgreementResult {
    /// Over all units.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// By group, when asked for: every label of the first key, then of the second …, each key on its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<GroupAgreement>,
    /// How the intervals were made.
    pub method: Method,
}
