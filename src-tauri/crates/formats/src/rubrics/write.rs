//! Rubrics written for others, and what each form has no place for.

use super::{
    RubricRecord,
    losses::{Loss, LossKind, Losses},
    weighted::MODALITY_TAG,
};
use crate::Sheet;
use domain::{Check, CheckKind, Criterion, Modality, Tier};
use serde::Serialize;
use std::io::{self, Write};

/// A form to write rubrics in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RubricExport {
    /// MMI rubric JSON ([`crate::rubric_json`]); checks through [`checks_as_criteria`].
    Mmi,
    /// CSV.
    Csv,
    /// JSONL in the form of HealthBench.
    HealthBench,
    /// Label Studio tasks.
    LabelStudio,
    /// The judge prompt pack.
    JudgePack,
}

/// What would be lost by writing `records` in a form, by kind: to be shown before it is written.
pub fn export_losses(records: &[RubricRecord], form: RubricExport) -> Vec<Loss> {
    use RubricExport::{Csv, HealthBench, JudgePack, LabelStudio, Mmi};
    let mut losses = Losses::default();
    for record in records {
        for note in &record.contradictions {
            // HealthBench has negative points of its own; nobody else has a place for them.
            if form != HealthBench {
                losses.add(LossKind::ContradictionNotes, &note.text);
            }
        }
        for criterion in &record.criteria {
            if form == HealthBench && criterion.modality != Modality::Text {
                losses.add(LossKind::Modalities, &criterion.criterion);
            }
        }
        for check in &record.checks {
            if matches!(form, Mmi | LabelStudio | JudgePack) {
                losses.add(LossKind::Tiers, &check.text);
            }
            if check.kind.is_threshold() || check.kind.is_sequence() {
                losses.add(LossKind::ComputedChecks, &check.text);
            }
            if matches!(form, Mmi | HealthBench | JudgePack) {
                losses.add(LossKind::FourVerdicts, &check.text);
            }
            if matches!(form, Mmi | Csv | HealthBench | LabelStudio | JudgePack)
                && check.kind != CheckKind::Fact
            {
                losses.add(LossKind::Provenance, &check.text);
            }
        }
    }
    losses.done()
}

/// What would be lost by taking `records` as meta-rubrics: an item has no modality.
pub fn structuring_losses(records: &[RubricRecord]) -> Vec<Loss> {
    let mut losses = Losses::default();
    for criterion in records.iter().flat_map(|record| &record.criteria) {
        if criterion.modality != Modality::Text {
            losses.add(LossKind::Modalities, &criterion.criterion);
        }
    }
    losses.done()
}

/// Checks as criteria of one modality, numbered from 1: what MMI has a place for.
pub fn checks_as_criteria(checks: &[Check], modality: Modality) -> Vec<Criterion> {
    let criterion = |(number, check): (usize, &Check)| Criterion {
        id: number.to_string(),
        criterion: check.text.clone(),
        modality,
    };
    (1..).zip(checks).map(criterion).collect()
}

/// Writes CSV: one row per criterion or check. What [`super::read_rubrics`] reads back.
pub fn write_rubric_csv(records: &[RubricRecord], output: &mut dyn Write) -> io::Result<()> {
    let has_checks = records.iter().any(|record| !record.checks.is_empty());
    let has_criteria = records.iter().any(|record| !record.criteria.is_empty());
    let mut columns = vec!["prompt_id", "prompt", "id"];
    if has_criteria || !has_checks {
        columns.push("modality");
    }
    if has_checks {
        columns.extend(["tier", "kind", "n"]);
    }
    columns.push("criterion");
    let mut sheet = Sheet::new(output, &columns)?;
    for record in records {
        for criterion in &record.criteria {
            let mut row =
                vec![record.key.as_str().into(), record.prompt.as_str().into(), criterion.id.as_str().into()];
            row.push(criterion.modality.lower().into());
            if has_checks {
                row.extend([crate::Cell::Missing, crate::Cell::Missing, crate::Cell::Missing]);
            }
            row.push(criterion.criterion.as_str().into());
            sheet.row(&row)?;
        }
        for check in &record.checks {
            let mut row =
                vec![record.key.as_str().into(), record.prompt.as_str().into(), check.id.as_str().into()];
            if has_criteria {
                row.push(crate::Cell::Missing);
            }
            let kind = serde_json::to_value(check.kind)?;
            row.extend([
                check.tier.code().into(),
                kind.as_str().unwrap_or_default().into(),
                check.n.map(u64::from).into(),
                check.text.as_str().into(),
            ]);
            sheet.row(&row)?;
        }
    }
    Ok(())
}

/// What a check of each tier is worth in points: tiers map to points only by a table that somebody chose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TierPoints {
    /// Points of an Answer-Critical check.
    pub answer_critical: f64,
    /// Points of a Valuable check.
    pub valuable: f64,
    /// Points of a Context check.
    pub context: f64,
}
impl TierPoints {
    const fn of(&self, tier: Tier) -> f64 {
        match tier {
            Tier::AnswerCritical => self.answer_critical,
            Tier::Valuable => self.valuable,
            Tier::Context => self.context,
        }
    }
}

#[derive(Serialize)]
struct HealthBenchRow<'a> {
    prompt_id: &'a str,
    prompt: [Message<'a>; 1],
    rubrics: Vec<HealthBenchRubric<'a>>,
}
#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}
#[derive(Serialize)]
struct HealthBenchRubric<'a> {
    criterion: &'a str,
    points: f64,
    tags: Vec<String>,
}

/// Writes JSONL in the form of HealthBench: one prompt per line. Criteria are worth 1 point each, checks what `points`
/// says, notes what their file said; modality and tier become tags.
pub fn write_health_bench(
    records: &[RubricRecord],
    points: &TierPoints,
    output: &mut dyn Write,
) -> io::Result<()> {
    for record in records {
        let criteria = record.criteria.iter().map(|criterion| HealthBenchRubric {
            criterion: &criterion.criterion,
            points: 1.0,
            tags: vec![format!("{MODALITY_TAG}{}", criterion.modality.lower())],
        });
        let checks = record.checks.iter().map(|check| HealthBenchRubric {
            criterion: &check.text,
            points: points.of(check.tier),
            tags: vec![format!("tier:{}", check.tier)],
        });
        let notes = record.contradictions.iter().map(|note| HealthBenchRubric {
            criterion: &note.text,
            points: note.points,
            tags: Vec::new(),
        });
        let row = HealthBenchRow {
            prompt_id: &record.key,
            prompt: [Message { role: "user", content: &record.prompt }],
            rubrics: criteria.chain(checks).chain(notes).collect(),
        };
        serde_json::to_writer(&mut *output, &row)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}
