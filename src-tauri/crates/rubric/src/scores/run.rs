//! Folding rows into the scores of a run: one pass, constant memory.
//!
//! Choice: sums are kept compensated (Neumaier), so that a run of any length, in any order, gives the same figures
//! to far better than the 1e-9 that stored scores are compared with.

use super::{
    BinaryFigures, ByModality, MmiValueFigures, ModalityPresenceFigures, PresenceFigures, RunFigures,
    ScoredRow, Strictness, collapse, detected, mmi_value, mmi_value_without, presence_scores,
};
use domain::Modality;
use std::collections::BTreeMap;

/// A compensated sum and how many terms it has.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    lost: f64,
    terms: u64,
}

impl Mean {
    fn push(&mut self, value: f64) {
        self.add(value);
        self.terms += 1;
    }
    fn add(&mut self, value: f64) {
        let next = self.sum + value;
        self.lost +=
            if self.sum.abs() >= value.abs() { (self.sum - next) + value } else { (value - next) + self.sum };
        self.sum = next;
    }
    fn merge(&mut self, other: &Self) {
        self.add(other.sum);
        self.lost += other.lost;
        self.terms += other.terms;
    }
    fn value(&self) -> Option<f64> {
        (self.terms > 0).then(|| (self.sum + self.lost) / self.terms as f64)
    }
}

/// Means and counts under one reading of presence.
#[derive(Debug, Clone, Copy, Default)]
struct PresenceSums {
    precision: Mean,
    recall: Mean,
    f1: Mean,
    passed: u64,
    counts: ByModality<Counts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    expected: u64,
    detected: u64,
    both: u64,
}

impl PresenceSums {
    fn push(&mut self, row: &ScoredRow<'_>, strictness: Strictness) {
        let scores = presence_scores(row, strictness);
        self.precision.push(scores.precision);
        self.recall.push(scores.recall);
        self.f1.push(scores.f1);
        self.passed += u64::from(scores.pass);
        for modality in Modality::ALL {
            let (is_expected, is_found) = (row.expects(modality), detected(row, modality, strictness));
            let counts = self.counts.of_mut(modality);
            counts.expected += u64::from(is_expected);
            counts.detected += u64::from(is_found);
            counts.both += u64::from(is_expected && is_found);
        }
    }
    fn merge(&mut self, other: &Self) {
        self.precision.merge(&other.precision);
        self.recall.merge(&other.recall);
        self.f1.merge(&other.f1);
        self.passed += other.passed;
        for modality in Modality::ALL {
            let (mine, theirs) = (self.counts.of_mut(modality), other.counts.of(modality));
            mine.expected += theirs.expected;
            mine.detected += theirs.detected;
            mine.both += theirs.both;
        }
    }
}

/// What a run has shown so far; give it every row once, then ask for [`RunScores::figures`].
#[derive(Debug, Clone, Default)]
pub struct RunScores {
    rows: u64,
    error_types: BTreeMap<String, u64>,
    errors: u64,
    lenient: PresenceSums,
    strict: PresenceSums,
    value: Mean,
    value_without_document: Mean,
    value_by_modality: ByModality<Mean>,
    correct: ByModality<u64>,
    evaluator_errors: u64,
    grades: u64,
}

impl RunScores {
    /// Nothing seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in one row.
    pub fn push(&mut self, row: &ScoredRow<'_>) {
        self.rows += 1;
        if row.failed {
            self.errors += 1;
            *self.error_types.entry(row.error_type.unwrap_or_default().to_owned()).or_default() += 1;
        }
        self.lenient.push(row, Strictness::Lenient);
        self.strict.push(row, Strictness::Strict);
        if let Some(value) = mmi_value(row) {
            self.value.push(value);
        }
        if let Some(value) = mmi_value_without(row, Modality::Document) {
            self.value_without_document.push(value);
        }
        for modality in Modality::ALL {
            if let Some(unit) = collapse(row, modality) {
                self.value_by_modality.of_mut(modality).push(unit.mean);
                *self.correct.of_mut(modality) += u64::from(unit.correct(1.0));
            }
        }
        self.evaluator_errors += row.grades.evaluator_errors();
        self.grades += row.grades.count();
    }

    /// Takes in everything that another accumulator has seen: runs add up to the overall figures.
    pub fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.errors += other.errors;
        for (kind, count) in &other.error_types {
            *self.error_types.entry(kind.clone()).or_default() += count;
        }
        self.lenient.merge(&other.lenient);
        self.strict.merge(&other.strict);
        self.value.merge(&other.value);
        self.value_without_document.merge(&other.value_without_document);
        for modality in Modality::ALL {
            self.value_by_modality.of_mut(modality).merge(other.value_by_modality.of(modality));
            *self.correct.of_mut(modality) += other.correct.of(modality);
        }
        self.evaluator_errors += other.evaluator_errors;
        self.grades += other.grades;
    }

    /// Failed rows by kind of failure (`timeout`, `provider_error`, …).
    pub const fn error_types(&self) -> &BTreeMap<String, u64> {
        &self.error_types
    }

    /// The scores of everything seen so far.
    pub fn figures(&self) -> RunFigures {
        let mut undefined = Undefined::default();
        let no_rows = "no rows";
        let share = |count: u64| (self.rows > 0).then(|| count as f64 / self.rows as f64);
        let no_grades = "no row has grades of an expected modality";
        let f1 = undefined.note("f1", self.lenient.f1.value(), no_rows);
        RunFigures {
            rows: self.rows,
            errors: self.errors,
            precision: undefined.note("precision", self.lenient.precision.value(), no_rows),
            recall: undefined.note("recall", self.lenient.recall.value(), no_rows),
            f1,
            precision_strict: undefined.note("precision_strict", self.strict.precision.value(), no_rows),
            recall_strict: undefined.note("recall_strict", self.strict.recall.value(), no_rows),
            f1_strict: undefined.note("f1_strict", self.strict.f1.value(), no_rows),
            mps: undefined.note("mps", f1, no_rows),
            pass_rate: undefined.note("pass_rate", share(self.lenient.passed), no_rows),
            pass_rate_strict: undefined.note("pass_rate_strict", share(self.strict.passed), no_rows),
            input_failure_rate: undefined.note("input_failure_rate", share(self.errors), no_rows),
            per_modality: PresenceFigures {
                lenient: undefined.presence("lenient", &self.lenient.counts),
                strict: undefined.presence("strict", &self.strict.counts),
            },
            mmi_value: MmiValueFigures {
                rows: self.value.terms,
                all: undefined.note("mmi_value.all", self.value.value(), no_grades),
                excl_document: undefined.note(
                    "mmi_value.excl_document",
                    self.value_without_document.value(),
                    "no row has grades of an expected modality other than Document",
                ),
                by_modality: ByModality::from_fn(|m| {
                    let mean = self.value_by_modality.of(m).value();
                    undefined.note(&format!("mmi_value.by_modality.{m}"), mean, "no row has grades of it")
                }),
            },
            binary: ByModality::from_fn(|m| {
                let (correct, graded) = (*self.correct.of(m), self.value_by_modality.of(m).terms);
                let rate = ratio(correct, graded);
                BinaryFigures {
                    correct,
                    graded,
                    rate: undefined.note(&format!("binary.{m}.rate"), rate, "no row has grades of it"),
                }
            }),
            evaluator_error_grades: self.evaluator_errors,
            criteria_graded: self.grades,
            undefined: undefined.0,
        }
    }
}

fn ratio(numerator: u64, denominator: u64) -> Option<f64> {
    (denominator > 0).then(|| numerator as f64 / denominator as f64)
}

/// Collects why figures are missing.
#[derive(Default)]
struct Undefined(BTreeMap<String, String>);

impl Undefined {
    fn note(&mut self, path: &str, value: Option<f64>, reason: &str) -> Option<f64> {
        if value.is_none() {
            self.0.insert(path.to_owned(), reason.to_owned());
        }
        value
    }

    fn presence(
        &mut self,
        reading: &str,
        counts: &ByModality<Counts>,
    ) -> ByModality<ModalityPresenceFigures> {
        ByModality::from_fn(|m| {
            let Counts { expected, detected, both } = *counts.of(m);
            let path = |key: &str| format!("per_modality.{reading}.{m}.{key}");
            ModalityPresenceFigures {
                expected,
                detected,
                tp: both,
                precision: self.note(&path("precision"), ratio(both, detected), "never detected"),
                recall: self.note(&path("recall"), ratio(both, expected), "never expected"),
                f1: self.note(
                    &path("f1"),
                    ratio(2 * both, expected + detected),
                    "never expected, never detected",
                ),
            }
        })
    }
}
