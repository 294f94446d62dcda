//! Round the writing of a rubric: revisions, comparison, files of other systems, templates, precedents.

use super::common::{limit, prompt_start};
use crate::{App, Code, Failure, export, rubric_export, rubric_forms, wire};
use domain::{RubricDraft, StatementKind, WritingForm};
use formats::rubrics::{RubricRecord, read_rubrics, recognise_rubrics, structuring_losses};
use rubric::{lints, precedents::Search, revisions};
use std::collections::HashSet;
use store::{Submission, payload};

/// A rubric file that is read for one prompt is small; a larger one is imported by the lead.
const LARGEST: usize = 8 << 20;

pub(crate) fn rubric_revisions(app: &App, request: wire::OfTask) -> Result<wire::RubricRevisions, Failure> {
    app.author(|view| {
        let item = view.item(request.task)?;
        let records = view.history(request.task)?;
        let handed_in: HashSet<_> = records
            .iter()
            .filter(|record| record.statement.kind == StatementKind::RubricSubmission && !record.retracted)
            .filter_map(|record| payload::<Submission>(&record.statement).ok())
            .map(|submission| submission.revision)
            .collect();
        let mut rows: Vec<wire::RevisionRow> = Vec::new();
        if let Some(rubric) = item.handed_out {
            rows.push(wire::RevisionRow {
                statement: None,
                number: 0_u64.into(),
                made_at: String::new(),
                handed_in: false,
                in_force: item.revision.heads.is_empty(),
                taken_back: false,
                rubric,
            });
        }
        let revisions =
            records.into_iter().filter(|record| record.statement.kind == StatementKind::RubricRevision);
        for (number, record) in (1_u64..).zip(revisions) {
            // One whose content was removed on request has nothing to show.
            if record.blanked {
                continue;
            }
            rows.push(wire::RevisionRow {
                statement: Some(record.statement.id),
                number: number.into(),
                made_at: record.statement.made_at.clone(),
                handed_in: handed_in.contains(&record.statement.id),
                in_force: record.stands,
                taken_back: record.retracted,
                rubric: payload::<RubricDraft>(&record.statement)?,
            });
        }
        rows.reverse();
        Ok(wire::RubricRevisions { rows })
    })
}

pub(crate) fn compare_rubrics(
    _: &App,
    request: wire::CompareRubricsRequest,
) -> Result<wire::ComparedRubrics, Failure> {
    Ok(wire::ComparedRubrics { rows: revisions::compare_criteria(&request.before, &request.after) })
}

pub(crate) fn criterion_templates(
    app: &App,
    request: wire::OfTask,
) -> Result<wire::CriterionTemplates, Failure> {
    app.author(|view| {
        let prompt = view.item(request.task)?.prompt;
        let rows = prompt.gold.iter().flat_map(|modality| lints::templates(modality, &prompt.text));
        let rows = rows.map(|template| wire::TemplateRow {
            kind: template.kind.to_owned(),
            modality: template.modality,
            part: template.part,
            text: template.text.to_owned(),
            suggested: template.suggested,
        });
        Ok(wire::CriterionTemplates { rows: rows.collect() })
    })
}

pub(crate) fn precedents(app: &App, request: wire::PrecedentsRequest) -> Result<wire::Precedents, Failure> {
    let search = Search::of(&request.search);
    let most = limit(request.limit, 20) as usize;
    app.author(|view| {
        let own = view.item(request.task)?.prompt.id;
        let mut found: Vec<(f64, f64, wire::Precedent)> = Vec::new();
        view.each_accepted(|key, rubric| {
            if rubric.prompt == own {
                return Ok(());
            }
            for criterion in rubric.criteria {
                if request.modality.is_some_and(|wanted| criterion.modality != wanted) {
                    continue;
                }
                if let Some(close) = search.closeness(&criterion.criterion) {
                    let row = wire::Precedent { key: key.to_owned(), criterion, found: close.found };
                    found.push((close.found, close.exact, row));
                }
            }
            Ok(())
        })?;
        found.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then_with(|| a.2.key.cmp(&b.2.key))
        });
        let total = found.len();
        let mut seen = HashSet::new();
        let rows = found
            .into_iter()
            .map(|(.., row)| row)
            .filter(|row| seen.insert((row.criterion.criterion.clone(), row.criterion.modality)))
            .take(most)
            .collect();
        Ok(wire::Precedents { rows, total: total.into() })
    })
}

pub(crate) fn read_rubric_file(
    app: &App,
    request: wire::ReadRubricFileRequest,
) -> Result<wire::RubricFileView, Failure> {
    let bytes = request.text.as_bytes();
    if bytes.len() > LARGEST {
        return Err(Failure::new(
            Code::BadRequest,
            "this file has more than 8 MB; ask the lead to import it into the study",
        ));
    }
    let format = recognise_rubrics(bytes).ok_or_else(|| {
        Failure::new(
            Code::BadRequest,
            "this is no rubric file: it is neither JSON with criteria (MMI, UEval, GAMUT, HealthBench, Autorubric, \
             ResearchRubrics) nor a CSV with a column named criterion",
        )
    })?;
    let mut reading =
        read_rubrics(format, bytes).map_err(|error| Failure::new(Code::BadRequest, error.to_string()))?;
    for record in &mut reading.records {
        // One that does not compile is taken as it is, and its author mends it.
        let _ = rubric_forms::compile(record);
    }
    app.author(|view| {
        let prompt = view.item(request.task)?.prompt;
        let losses_flat = rubric_forms::shown(rubric_forms::flattening(&reading.records));
        let losses_structured = rubric_forms::shown(structuring_losses(&reading.records));
        let mut records: Vec<wire::FiledRubric> = reading
            .records
            .into_iter()
            .map(|record| {
                let fits = record.key == prompt.key
                    || (!record.prompt.is_empty() && same(&record.prompt, &prompt.text));
                filed(record, fits)
            })
            .collect();
        records.sort_by_key(|record| !record.fits);
        records.truncate(1000);
        Ok(wire::RubricFileView {
            format: format.name().to_owned(),
            records,
            losses: rubric_forms::shown(reading.losses),
            losses_flat,
            losses_structured,
            rejected: reading
                .rejected
                .into_iter()
                .map(|bad| wire::LineNote { line: bad.line.into(), why: bad.why })
                .collect(),
        })
    })
}

/// The same words, whatever the space between them.
fn same(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

fn filed(record: RubricRecord, fits: bool) -> wire::FiledRubric {
    let form = if rubric_forms::is_structured(&record) { WritingForm::Structured } else { WritingForm::Flat };
    let mut diagnostics =
        record.meta_rubric.as_ref().map_or_else(Vec::new, super::structured::read_diagnostics);
    diagnostics.truncate(200);
    wire::FiledRubric {
        prompt: prompt_start(&record.prompt),
        fits,
        form,
        structured: rubric_forms::structured(&record),
        checks: record.checks.iter().map(super::structured::words).collect(),
        diagnostics,
        contradictions: rubric_forms::contradictions(&record),
        criteria: rubric_forms::flat(&record),
        key: record.key,
    }
}

/// The rubric on screen, as a record to be written.
fn record(app: &App, request: &wire::RubricExportRequest) -> Result<RubricRecord, Failure> {
    app.author(|view| {
        let prompt = view.item(request.task)?.prompt;
        let rubric = &request.rubric;
        Ok(match rubric.as_structured() {
            Some(structured) => RubricRecord {
                checks: super::structured::checks_of(structured),
                ..rubric_forms::record(&prompt, &[], &rubric.contradictions)
            },
            None => rubric_forms::record(&prompt, &rubric.criteria, &rubric.contradictions),
        })
    })
}

pub(crate) fn preview_rubric_export(
    app: &App,
    request: wire::RubricExportRequest,
) -> Result<wire::RubricExportView, Failure> {
    let record = record(app, &request)?;
    let name = format!("{}.{}", rubric_forms::file_stem(&record.key), rubric_forms::ending(request.form));
    let records = [record];
    let text = rubric_forms::text(request.form, &records)?;
    Ok(wire::RubricExportView {
        name,
        text,
        losses: rubric_forms::shown(rubric_forms::losses(request.form, &records)),
    })
}

pub(crate) fn export_rubric(
    app: &App,
    request: wire::RubricExportRequest,
) -> Result<wire::Exported, Failure> {
    let record = record(app, &request)?;
    let rows = record.criteria.len() + record.checks.len();
    let stem = format!("rubric {}", rubric_forms::file_stem(&record.key));
    let ending = format!(".{}", rubric_forms::ending(request.form));
    let path = export::beside_the_study(app, &stem, &ending)?;
    export::write(&path, rubric_forms::text(request.form, &[record])?.as_bytes())?;
    Ok(wire::Exported { path: path.display().to_string(), rows: rows.into() })
}

pub(crate) fn study_rubric_losses(
    app: &App,
    request: wire::StudyRubricsRequest,
) -> Result<wire::StudyRubricLosses, Failure> {
    let losses = app.sighted(|view| rubric_export::losses(view, rubric_export::of_wire(request.form)))?;
    Ok(wire::StudyRubricLosses { losses: rubric_forms::shown(losses) })
}

pub(crate) fn export_study_rubrics(
    app: &App,
    request: wire::StudyRubricsRequest,
) -> Result<wire::Exported, Failure> {
    let form = rubric_export::of_wire(request.form);
    let text = app.sighted(|view| rubric_export::text(view, form))?;
    let (stem, ending) = rubric_export::file_name(form);
    let path = export::beside_the_study(app, stem, ending)?;
    export::write(&path, text.as_bytes())?;
    Ok(wire::Exported { path: path.display().to_string(), rows: text.lines().count().into() })
}
