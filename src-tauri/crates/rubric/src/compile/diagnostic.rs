//! What the compiler says, and its codes.

use crate::lints::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that is wrong, or worth knowing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// An error stops the whole meta-rubric; the rest does not.
    pub severity: Severity,
    /// One of [`CODES`].
    pub code: String,
    /// The item it is about; absent when it is about the meta-rubric as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// What is wrong and what to do.
    pub message: String,
    /// Where it is, for an editor; files name the item alone.
    #[serde(skip)]
    pub place: Option<Place>,
}

/// A place in a meta-rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Position of the item.
    pub item: usize,
    /// Field of the item, as files name it; empty when it is about the item as a whole.
    pub field: &'static str,
    /// Position in the field, where it is a list and one element is meant.
    pub element: Option<usize>,
}

impl Diagnostic {
    pub(super) fn whole(code: &str, message: impl Into<String>) -> Self {
        let known = CODES.iter().find(|known| known.code == code);
        let severity = known.map_or(Severity::Error, |known| known.severity);
        Self { severity, code: code.to_owned(), item: None, message: message.into(), place: None }
    }
    pub(super) fn at(self, item: usize, field: &'static str, element: Option<usize>) -> Self {
        Self { place: Some(Place { item, field, element }), ..self }
    }
    pub(super) fn of(code: &str, item: &str, message: impl Into<String>) -> Self {
        let item = (!item.trim().is_empty()).then(|| item.chars().take(200).collect());
        Self { item, ..Self::whole(code, message) }
    }
}

/// A code, what it stands for, and how much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagnosticCode {
    /// The code.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it stands for.
    pub meaning: &'static str,
}

const fn error(code: &'static str, meaning: &'static str) -> DiagnosticCode {
    DiagnosticCode { code, severity: Severity::Error, meaning }
}
const fn warning(code: &'static str, meaning: &'static str) -> DiagnosticCode {
    DiagnosticCode { code, severity: Severity::Warning, meaning }
}
const fn info(code: &'static str, meaning: &'static str) -> DiagnosticCode {
    DiagnosticCode { code, severity: Severity::Info, meaning }
}

/// All codes.
pub const CODES: &[DiagnosticCode] = &[
    error("MR-00", "not a meta-rubric that can be read"),
    error("MR-01", "no items"),
    error("MR-02", "an id is missing or repeated"),
    error("MR-03", "unknown type"),
    error("MR-04", "tier not AC, V or C"),
    error("MR-05", "a field is missing or of the wrong type"),
    error("MR-06", "a text is too long"),
    warning("MR-07", "more elements than anybody can judge by"),
    warning("MR-08", "invisible control characters in a text"),
    error("MI-01", "insight on a simple item or relationship"),
    error("MI-02", "insight without a tier"),
    error("SL-01", "strict list without entries"),
    warning("SL-02", "strict list of one entry"),
    error("SL-03", "repeated entry"),
    error("FL-01", "empty pool"),
    error("FL-02", "pool of one"),
    error("FL-03", "no baseline"),
    error("FL-04", "more than two baselines"),
    error("FL-05", "baseline not a whole number of at least 1"),
    error("FL-06", "baselines do not rise"),
    error("FL-07", "baseline above the pool"),
    error("FL-08", "baseline equals the pool"),
    error("FL-09", "coverage on a short list that makes options"),
    error("FL-10", "coverage values not rising, not above the baseline, beyond the pool, or over four"),
    error("FL-11", "repeated option"),
    info("FL-12", "one option contains another"),
    info("FL-13", "an option with \"and\""),
    error("PR-01", "no steps"),
    error("PR-02", "a single step"),
    warning("PR-03", "no required step"),
    warning("PR-04", "one required step"),
    error("PR-05", "repeated step"),
    error("RE-01", "no related entity"),
    error("RE-02", "no aspect"),
    error("RE-03", "repeated aspect or related entity"),
    warning("CK-01", "the same check text twice"),
    info("CK-02", "a tier without checks"),
    info("CK-03", "the same entry in a strict and in a flexible list"),
];
