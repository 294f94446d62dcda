//! Agreement on single checks, where people graded them.

use super::UnitFilter;
use agreement::{Coefficient, CriterionAgreement, Method, Numbers};
use domain::{CheckVerdict, Count, Modality, ResponseId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ask for agreement on single checks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChecksRequest {
    /// Which results, and whose verdicts; set and collapse play no part.
    pub filter: UnitFilter,
    /// The LLM judge; the first by name if none.
    pub judge: Option<String>,
    /// Continue after this place.
    pub after: Option<String>,
    /// At most so many checks (default 100, at most 1000).
    pub limit: Option<u32>,
    /// Resamples of the bootstrap; 10,000 if none, 0 = no interval.
    pub resamples: Option<u32>,
    /// Seed; 1 if none.
    pub seed: Option<u32>,
}

/// What an LLM judge says of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedCheck {
    /// Does the response meet it?
    pub met: bool,
    /// The verdict, on a check of a checklist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<CheckVerdict>,
    /// The score in [0, 1], on a criterion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// What a person says of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonsCheck {
    /// Who.
    pub person: String,
    /// The verdict; only `meets` meets it.
    pub verdict: CheckVerdict,
    /// Why, where they said so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// One check of one response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedItem {
    /// The response.
    pub response: ResponseId,
    /// Whose it is.
    pub model: String,
    /// The judge; none where it graded other words, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgedCheck>,
    /// People, by name.
    pub people: Vec<PersonsCheck>,
}

/// One check over the responses that people graded by it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedRow {
    /// The prompt's key.
    pub key: String,
    /// The check's id; of a criterion its 1-based place.
    pub check: String,
    /// Its text.
    pub text: String,
    /// The modality that a criterion is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modality: Option<Modality>,
    /// The tier of a check of a checklist: `AC`, `V`, `C`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// Judge (rows) and the chosen human (columns); none where not both graded it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_human: Option<CriterionAgreement>,
    /// Responses on which two people or more graded it.
    pub people_units: Count,
    /// Agreement between people on it, met or unmet; the interval draws responses.
    pub people_agreement: Coefficient,
    /// Fleiss' κ of people on it.
    pub people_kappa: Coefficient,
    /// The responses.
    pub items: Vec<CheckedItem>,
}

/// Agreement on single checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChecksAgreement {
    /// LLM judges there are.
    pub judges: Vec<String>,
    /// The one in use.
    pub judge: String,
    /// People who graded.
    pub people: Vec<String>,
    /// Judge (rows) and the chosen human (columns) over all checks, met or unmet.
    pub judge_human: Numbers,
    /// All people among themselves over all checks, met or unmet.
    pub among_people: Numbers,
    /// Judge and human by all four verdicts, over checks of checklists; none where there is nothing to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdicts: Option<Numbers>,
    /// Checks whose people are evenly split, left out where the majority is compared.
    pub ties: Count,
    /// Verdicts given on other words than the check has now, left out.
    pub stale: Count,
    /// The checks asked for, by prompt and place.
    pub rows: Vec<CheckedRow>,
    /// Where the next page begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Checks there are.
    pub total: Count,
    /// How the intervals were made.
    pub method: Method,
}
