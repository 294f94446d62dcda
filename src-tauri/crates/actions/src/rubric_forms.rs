//! Rubrics in the forms of other systems: what is written, and what each form has no place for.

use crate::{Code, Failure, wire};
use domain::{
    BesideCriteria, Contradiction, Criterion, Item, ItemContent, MetaRubric, Modality, Prompt,
    StructuredRubric, Tier,
};
use formats::{
    rubric_json,
    rubrics::{
        ContradictionNote, Loss, LossKind, RubricExport, RubricRecord, TierPoints, checks_as_criteria,
        export_losses, write_health_bench, write_rubric_csv,
    },
};

use rubric::lints::Severity;

/// What checks are worth where a form knows points alone: GAMUT's weights of the tiers, in tenths.
const TIER_POINTS: TierPoints = TierPoints { answer_critical: 6.0, valuable: 3.0, context: 1.0 };

/// Criteria of a prompt as a record to be written.
pub(crate) fn record(
    prompt: &Prompt,
    criteria: &[Criterion],
    contradictions: &[Contradiction],
) -> RubricRecord {
    RubricRecord {
        key: prompt.key.clone(),
        prompt: prompt.text.clone(),
        gold: prompt.gold.clone(),
        criteria: criteria.to_vec(),
        checks: Vec::new(),
        meta_rubric: None,
        snippets: Vec::new(),
        contradictions: notes(contradictions),
    }
}

/// What an answer must not say, as a record has it.
pub(crate) fn notes(contradictions: &[Contradiction]) -> Vec<ContradictionNote> {
    let note = |note: &Contradiction| {
        Some(ContradictionNote { text: note.text.clone(), points: note.points.parse().ok()? })
    };
    contradictions.iter().filter_map(note).collect()
}

/// Fills the checks of a record that holds a meta-rubric. The error says why it does not compile.
pub(crate) fn compile(record: &mut RubricRecord) -> Result<Option<MetaRubric>, String> {
    let Some(value) = &record.meta_rubric else { return Ok(None) };
    let bytes = serde_json::to_vec(value).map_err(|error| error.to_string())?;
    let read = rubric::compile::read_meta_rubric(&bytes);
    let compiled = rubric::compile::compile_json(&bytes);
    if !compiled.succeeded() {
        let errors: Vec<_> =
            compiled.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
        let first = errors.first().map_or_else(String::new, |e| format!("{}: {}", e.code, e.message));
        let errors = domain::counted(errors.len(), "error", "errors");
        return Err(format!("it does not compile ({errors}); {first}"));
    }
    record.checks = compiled.checks;
    Ok(Some(read.meta_rubric))
}

/// The criteria of a record; the checks of a checklist become criteria of text, behind them.
pub(crate) fn flat(record: &RubricRecord) -> Vec<Criterion> {
    let mut criteria = record.criteria.clone();
    criteria.extend(checks_as_criteria(&record.checks, Modality::Text));
    if !record.checks.is_empty() {
        for (number, criterion) in (1..).zip(&mut criteria) {
            let number: u32 = number;
            criterion.id = number.to_string();
        }
    }
    criteria
}

/// What an answer must not say, as a draft keeps it.
pub(crate) fn contradictions(record: &RubricRecord) -> Vec<Contradiction> {
    let note =
        |note: &ContradictionNote| Contradiction { text: note.text.clone(), points: note.points.to_string() };
    record.contradictions.iter().map(note).collect()
}

/// A record as a meta-rubric: the one that it holds, or an item of simple knowledge for each check, at its tier, or for each
/// criterion, at a tier that its author is still to choose. None when there is nothing to make it from.
pub(crate) fn structured(record: &RubricRecord) -> Option<StructuredRubric> {
    let meta_rubric = if let Some(value) = &record.meta_rubric {
        rubric::compile::read_meta_rubric(&serde_json::to_vec(value).ok()?).meta_rubric
    } else {
        let simple = |id: &str, tier: Option<Tier>, text: &str, evidence: &[String]| Item {
            id: id.to_owned(),
            tier,
            content: ItemContent::Simple { text: text.to_owned() },
            meta_insights: Vec::new(),
            evidence: evidence.to_vec(),
        };
        let checks = record
            .checks
            .iter()
            .map(|check| simple(&check.id, Some(check.tier), &check.text, &check.provenance.evidence));
        // Ids of criteria may repeat in files.
        let criteria = (1..).zip(&record.criteria).map(|(number, criterion): (u32, _)| {
            simple(&format!("m{number}"), None, &criterion.criterion, &[])
        });
        MetaRubric {
            id: record.key.clone(),
            question: record.prompt.clone(),
            items: checks.chain(criteria).collect(),
            ..MetaRubric::default()
        }
    };
    let snippets = record.snippets.clone();
    let made = StructuredRubric { meta_rubric, snippets, ..StructuredRubric::default() };
    (!made.meta_rubric.items.is_empty()).then_some(made)
}

/// Is a record structured by itself, so that its author goes on with it as such?
pub(crate) fn is_structured(record: &RubricRecord) -> bool {
    record.meta_rubric.is_some() || !record.checks.is_empty()
}

/// What a record says beside its criteria: the author of its prompt goes on with it.
pub(crate) fn beside(record: &RubricRecord) -> BesideCriteria {
    BesideCriteria {
        structured: is_structured(record).then(|| structured(record)).flatten(),
        contradictions: contradictions(record),
    }
}

/// What [`flat`] loses of checklists.
pub(crate) fn flattening(records: &[RubricRecord]) -> Vec<Loss> {
    let checklists: Vec<RubricRecord> = records
        .iter()
        .filter(|record| !record.checks.is_empty())
        .map(|record| RubricRecord { checks: record.checks.clone(), ..RubricRecord::default() })
        .collect();
    export_losses(&checklists, RubricExport::Mmi)
}

const fn form(form: wire::RubricForm) -> RubricExport {
    match form {
        wire::RubricForm::Mmi => RubricExport::Mmi,
        wire::RubricForm::Csv => RubricExport::Csv,
        wire::RubricForm::HealthBench => RubricExport::HealthBench,
    }
}

/// The ending of a file in this form.
pub(crate) const fn ending(form: wire::RubricForm) -> &'static str {
    match form {
        wire::RubricForm::Mmi => "json",
        wire::RubricForm::Csv => "csv",
        wire::RubricForm::HealthBench => "jsonl",
    }
}

/// A key as part of a file's name.
pub(crate) fn file_stem(key: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let stem: String = key.chars().take(60).map(safe).collect();
    if stem.is_empty() { "rubric".to_owned() } else { stem }
}

/// What writing `records` in a form loses.
pub(crate) fn losses(to: wire::RubricForm, records: &[RubricRecord]) -> Vec<Loss> {
    export_losses(records, form(to))
}

fn internal(error: &impl std::fmt::Display) -> Failure {
    Failure::new(Code::Internal, error.to_string())
}

/// Rubrics as text. In MMI's form one rubric is `{"criteria":[…]}` with its prompt and gold list before it; several are a
/// list of those.
pub(crate) fn text(form: wire::RubricForm, records: &[RubricRecord]) -> Result<String, Failure> {
    let mut out = Vec::new();
    match form {
        wire::RubricForm::Mmi => return mmi(records),
        wire::RubricForm::Csv => write_rubric_csv(records, &mut out)?,
        wire::RubricForm::HealthBench => write_health_bench(records, &TIER_POINTS, &mut out)?,
    }
    String::from_utf8(out).map_err(|error| internal(&error))
}

#[derive(serde::Serialize)]
struct MmiRubric<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    prompt_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    prompt: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    output_modalities: Vec<&'static str>,
    criteria: serde_json::Value,
}

fn mmi(records: &[RubricRecord]) -> Result<String, Failure> {
    let mut all = Vec::with_capacity(records.len());
    for record in records {
        let mut criteria: serde_json::Value =
            serde_json::from_str(&rubric_json(&flat(record))?).map_err(|error| internal(&error))?;
        all.push(MmiRubric {
            prompt_id: &record.key,
            prompt: &record.prompt,
            output_modalities: record.gold.iter().map(Modality::lower).collect(),
            criteria: criteria["criteria"].take(),
        });
    }
    let text = match all.as_slice() {
        [one] => serde_json::to_string_pretty(one),
        all => serde_json::to_string_pretty(all),
    };
    Ok(text.map_err(|error| internal(&error))? + "\n")
}

/// Losses as they cross.
pub(crate) fn shown(losses: Vec<Loss>) -> Vec<wire::LossView> {
    let code = |kind: LossKind| match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(code)) => code,
        _ => String::new(),
    };
    losses
        .into_iter()
        .map(|loss| wire::LossView {
            kind: code(loss.kind),
            what: loss.kind.what().to_owned(),
            count: loss.count.into(),
            example: loss.example,
        })
        .collect()
}
