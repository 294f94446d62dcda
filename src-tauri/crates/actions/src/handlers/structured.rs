//! Structured authoring: checklists as they are typed, conversions, and revisions side by side. All of it is computed by
//! `rubric`; only the revisions are read from the author's own journal.

use crate::{App, Code, Failure, wire};
use domain::{Check, RubricDraft, StatementId, StatementKind, StructuredRubric, TaskId, Tier};
use rubric::{
    compare::{self, CheckChange, GivenVerdict},
    compile::{self, Compiled, Diagnostic},
    gamut::{self, ScoringRule, controls::JudgedControl},
    lints::Severity,
    patches::{self, Patched},
};
use std::collections::{HashMap, HashSet};
use store::{AuthorView, Submission, payload};

/// A position as it crosses; lists that long are refused long before.
fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn checklist(rubric: &StructuredRubric) -> (Compiled, Patched) {
    let compiled = compile::compile(&rubric.meta_rubric);
    let patched = if compiled.succeeded() {
        patches::apply(&compiled.checks, &rubric.patches)
    } else {
        Patched::default() // an error leaves no check that a patch could lose
    };
    (compiled, patched)
}

/// The checks that a structured rubric asks, patches applied; none while it does not compile.
pub(crate) fn checks_of(rubric: &StructuredRubric) -> Vec<Check> {
    checklist(rubric).1.checks
}

pub(crate) fn compile_rubric(
    _: &App,
    request: wire::CompileRubricRequest,
) -> Result<wire::CompiledRubric, Failure> {
    Ok(compiled(&request.rubric))
}

fn compiled(rubric: &StructuredRubric) -> wire::CompiledRubric {
    let (compiled, patched) = checklist(rubric);
    let counts = Tier::ALL.map(|tier| patched.checks.iter().filter(|check| check.tier == tier).count());
    let rule = ScoringRule::default();
    let leverage = gamut::leverage_when_missing(counts.map(position), &rule);
    let shares = rule.shares(counts.map(|count| count > 0)).unwrap_or_default();

    let mut about: HashMap<&str, Vec<u32>> = HashMap::new();
    for (at, patch) in rubric.patches.iter().enumerate() {
        if !patched.unplaced.iter().any(|unplaced| unplaced.patch == at) {
            about.entry(patch.check.as_str()).or_default().push(position(at));
        }
    }
    let outdated: HashSet<u32> = patched.outdated.iter().map(|at| position(*at)).collect();
    let one = |both: compare::ComparedCheck| {
        let made = both.before.and_then(|at| compiled.checks.get(at));
        let asked = both.after.and_then(|at| patched.checks.get(at));
        let check = asked.or(made)?;
        let own = about.get(check.id.as_str()).cloned().unwrap_or_default();
        Some(wire::CompiledCheck {
            compiled: made.filter(|made| made.text != check.text || made.tier != check.tier).map(words),
            compiled_sha256: made.map(|made| made.text_sha256.clone()),
            outdated: own.iter().any(|at| outdated.contains(at)),
            patches: own,
            suppressed: asked.is_none(),
            leverage: asked.and_then(|check| leverage[check.tier.index()]),
            check: check.clone(),
        })
    };
    wire::CompiledRubric {
        compiles: compiled.succeeded(),
        checks: compare::compare(&compiled.checks, &patched.checks).into_iter().filter_map(one).collect(),
        tiers: Tier::ALL
            .map(|tier| wire::TierWeight {
                tier,
                checks: counts[tier.index()].into(),
                share: shares[tier.index()],
            })
            .to_vec(),
        diagnostics: compiled.diagnostics.iter().map(diagnostic).collect(),
        unplaced: patched
            .unplaced
            .iter()
            .map(|unplaced| wire::UnplacedPatch { patch: position(unplaced.patch), why: unplaced.why })
            .collect(),
    }
}

pub(super) fn words(check: &Check) -> wire::CheckWords {
    wire::CheckWords { text: check.text.clone(), tier: check.tier }
}

/// What the compiler says of a meta-rubric as its file has it, of what cannot be read as well.
pub(super) fn read_diagnostics(file: &serde_json::Value) -> Vec<wire::RubricDiagnostic> {
    let compiled = serde_json::to_vec(file).map(|bytes| compile::compile_json(&bytes)).unwrap_or_default();
    compiled.diagnostics.iter().map(diagnostic).collect()
}

fn diagnostic(found: &Diagnostic) -> wire::RubricDiagnostic {
    let fix = if found.code == "MI-01" {
        Some(wire::Conversion::Insights)
    } else {
        compile::offered(&found.code).map(|to| wire::Conversion::Type { to })
    };
    wire::RubricDiagnostic {
        severity: match found.severity {
            Severity::Error => wire::LintSeverity::Error,
            Severity::Warning => wire::LintSeverity::Warning,
            Severity::Info => wire::LintSeverity::Info,
        },
        code: found.code.clone(),
        item: found.place.map(|place| position(place.item)),
        field: found.place.map_or("", |place| place.field).to_owned(),
        element: found.place.and_then(|place| place.element).map(position),
        message: found.message.clone(),
        fix,
    }
}

pub(crate) fn convert_item(
    _: &App,
    request: wire::ConvertItemRequest,
) -> Result<wire::ConvertedItem, Failure> {
    let item = &request.item;
    let items = match &request.how {
        wire::Conversion::Type { to } => compile::converted(item, *to).map(|item| vec![item]),
        wire::Conversion::Split { core, rest_id } => {
            let core: Vec<&str> = core.iter().map(String::as_str).collect();
            compile::split(item, &core, rest_id).map(|(strict, rest)| vec![strict, rest])
        }
        wire::Conversion::Insights => Some(compile::insights_as_items(item)),
    };
    Ok(wire::ConvertedItem { items })
}

pub(crate) fn rehearse_rubric(
    _: &App,
    request: wire::RehearseRubricRequest,
) -> Result<wire::Rehearsal, Failure> {
    rehearsed(&request.rubric)
}

fn rehearsed(rubric: &StructuredRubric) -> Result<wire::Rehearsal, Failure> {
    let checks = checklist(rubric).1.checks;
    may_be_rehearsed(checks.len())?;
    let drafted = gamut::controls::propose(&rubric.meta_rubric, &checks);
    Ok(judged(checks, drafted, &rubric.rehearsal))
}

/// Each drafted answer says all that the good one says: so many checks are more than anybody reads, and gigabytes to draft.
const MOST_REHEARSED: usize = 1_000;

fn may_be_rehearsed(checks: usize) -> Result<(), Failure> {
    if checks <= MOST_REHEARSED {
        return Ok(());
    }
    let why = format!("a rehearsal takes up to {MOST_REHEARSED} checks, and this rubric comes to {checks}");
    Err(Failure::new(Code::BadRequest, why))
}

pub(crate) fn rehearse_criteria(
    _: &App,
    request: wire::RehearseCriteriaRequest,
) -> Result<wire::Rehearsal, Failure> {
    may_be_rehearsed(request.criteria.len())?;
    let (checks, drafted) = gamut::controls::propose_for_criteria(&request.criteria);
    Ok(judged(checks, drafted, &request.rehearsal))
}

/// Drafts with what their author put in other words, the verdicts that still stand, and what these tell of the checks.
fn judged(
    checks: Vec<Check>,
    drafted: Vec<gamut::controls::ControlAnswer>,
    rehearsal: &[domain::RehearsedAnswer],
) -> wire::Rehearsal {
    let said: HashMap<Option<&str>, &domain::RehearsedAnswer> =
        rehearsal.iter().map(|answer| (answer.fails.as_deref(), answer)).collect();
    let controls: Vec<wire::RehearsalAnswer> = drafted
        .into_iter()
        .map(|control| {
            let own = said.get(&control.fails.as_deref());
            let given: Vec<GivenVerdict> =
                own.iter().flat_map(|answer| &answer.verdicts).map(given_verdict).collect();
            let reworded = own.map(|answer| &answer.text).filter(|text| !text.is_empty());
            wire::RehearsalAnswer {
                kind: control.kind,
                text: reworded.unwrap_or(&control.text).clone(),
                draft: control.text,
                given: compare::standing(&checks, &given),
                expected: control.expected,
                fails: control.fails,
            }
        })
        .collect();
    let given: Vec<JudgedControl> = controls
        .iter()
        .map(|control| JudgedControl { fails: control.fails.clone(), verdicts: control.given.clone() })
        .collect();
    wire::Rehearsal { separation: gamut::controls::separation(&checks, &given), checks, controls }
}

fn given_verdict(said: &domain::RehearsedVerdict) -> GivenVerdict {
    GivenVerdict { check: said.check.clone(), text_sha256: said.text_sha256.clone(), verdict: said.verdict }
}

/// A rubric that does not compile has no check to judge by, and is not handed in.
pub(super) fn may_be_handed_in(rubric: Option<&StructuredRubric>) -> Result<(), Failure> {
    let none = StructuredRubric::default();
    let compiled = compiled(rubric.unwrap_or(&none));
    let errors: Vec<&wire::RubricDiagnostic> =
        compiled.diagnostics.iter().filter(|found| found.severity == wire::LintSeverity::Error).collect();
    let Some(first) = errors.first() else { return Ok(()) };
    Err(Failure::new(
        Code::LintErrors,
        format!(
            "{} be mended before the rubric is handed in{}: {}",
            domain::counted(errors.len(), "error must", "errors must"),
            if errors.len() > 1 { "; the first" } else { "" },
            first.message
        ),
    )
    .with(serde_json::json!({
        "findings": errors.len(), "item": first.item, "field": first.field, "element": first.element, "rule": first.code,
    })))
}

/// One's own revisions of a task's rubric that were not taken back, the oldest first, with what each holds.
fn revisions(
    view: &mut AuthorView,
    task: TaskId,
) -> Result<Vec<(wire::ChecklistRevision, RubricDraft)>, Failure> {
    let records = view.history(task)?;
    let mut handed_in = HashSet::new();
    for record in records.iter().filter(|r| r.statement.kind == StatementKind::RubricSubmission && !r.blanked)
    {
        if !record.retracted {
            handed_in.insert(payload::<Submission>(&record.statement)?.revision);
        }
    }
    let mut all = Vec::new();
    for record in &records {
        let statement = &record.statement;
        if statement.kind != StatementKind::RubricRevision || record.retracted || record.blanked {
            continue;
        }
        let draft = payload::<RubricDraft>(statement)?;
        let checks = draft.as_structured().map_or(0, |rubric| checklist(rubric).1.checks.len());
        let line = wire::ChecklistRevision {
            revision: statement.id,
            number: (all.len() + 1).into(),
            made_at: statement.made_at.clone(),
            in_force: record.stands,
            handed_in: handed_in.contains(&statement.id),
            form: draft.form,
            checks: checks.into(),
        };
        all.push((line, draft));
    }
    Ok(all)
}

pub(crate) fn compare_checklists(
    app: &App,
    request: wire::CompareChecklistsRequest,
) -> Result<wire::ChecklistComparison, Failure> {
    let all = app.author(|view| revisions(view, request.task))?;
    let held = |id: StatementId| {
        all.iter().find(|(line, _)| line.revision == id).ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                format!("you have no revision {id} of this rubric; it may be taken back"),
            )
        })
    };
    let before = match request.before {
        Some(id) => Some(held(id)?),
        None => all.iter().rev().find(|(line, _)| line.in_force),
    };
    let after = request.after.map(held).transpose()?;
    let nothing = StructuredRubric::default();
    let earlier = before.and_then(|(_, draft)| draft.structured.as_ref()).unwrap_or(&nothing);
    let later = match after {
        Some((_, draft)) => draft.structured.as_ref(),
        None => request.rubric.as_ref(),
    }
    .unwrap_or(&nothing);
    let ((old, was), (new, now)) = (checklist(earlier), checklist(later));
    let checks = compare::compare(&was.checks, &now.checks)
        .into_iter()
        .map(|both| wire::ComparedWords {
            stale: matches!(both.change, CheckChange::Changed | CheckChange::Gone),
            before: both.before.and_then(|at| was.checks.get(at)).map(words),
            after: both.after.and_then(|at| now.checks.get(at)).map(words),
            change: both.change,
            id: both.id,
        })
        .collect();
    Ok(wire::ChecklistComparison {
        before: before.map(|(line, _)| line.revision),
        after: after.map(|(line, _)| line.revision),
        before_compiles: old.succeeded(),
        after_compiles: new.succeeded(),
        checks,
        revisions: all.into_iter().rev().map(|(line, _)| line).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rubric(value: serde_json::Value) -> StructuredRubric {
        serde_json::from_value(value).expect("a structured rubric")
    }

    /// A flexible list at V of three options with a baseline of 2 (one check at V, three at C), and a statement at AC.
    fn sample() -> serde_json::Value {
        json!({"meta_rubric": {"items": [
            {"id": "m1", "type": "simple", "tier": "AC", "text": "States that water boils at 100 °C at sea level."},
            {"id": "m2", "type": "flexible_list", "tier": "V", "concept": "uses of steam", "baselines": [2],
             "pool": [{"id": "p1", "text": "heating"}, {"id": "p2", "text": "turbines"}, {"id": "p3", "text": "cleaning"}]},
        ]}})
    }

    #[test]
    fn shares_and_leverage_are_those_of_the_checks_that_are_asked() {
        let plain = compiled(&rubric(sample()));
        let ids: Vec<&str> = plain.checks.iter().map(|c| c.check.id.as_str()).collect();
        assert_eq!(
            ids,
            ["m1.fact", "m2.base.2", "m2.opt.p1", "m2.opt.p2", "m2.opt.p3"],
            "as COMPILER has them"
        );
        let shares: Vec<f64> = plain.tiers.iter().map(|tier| tier.share).collect();
        assert!((shares[0] - 0.6).abs() < 1e-12 && (shares[1] - 0.3).abs() < 1e-12, "all tiers have checks");
        let gain = plain.checks[2].leverage.expect("it is asked").meets;
        assert!((gain - 0.1 / 3.0).abs() < 1e-12, "a third of Context, and Context is a tenth");

        let mut patched = sample();
        patched["patches"] = json!([
            {"check": "m2.opt.p3", "edit": {"kind": "suppress"}, "author": "noor", "reason": "too easy"},
            {"check": "m2.opt.p2", "edit": {"kind": "retier", "tier": "V"}, "author": "noor", "reason": "it matters"},
            {"check": "m2.opt.p9", "edit": {"kind": "suppress"}, "author": "noor", "reason": "gone"},
        ]);
        let patched = compiled(&rubric(patched));
        let third = &patched.checks[4];
        assert!(third.suppressed && third.leverage.is_none(), "it stays in the list, and is not asked");
        assert_eq!(third.patches, [0], "and says which patch it was");
        assert_eq!(
            patched.checks[3].compiled.as_ref().map(|c| c.tier),
            Some(Tier::Context),
            "as it was compiled"
        );
        let gain = patched.checks[3].leverage.expect("it is asked").meets;
        assert!((gain - 0.15).abs() < 1e-12, "one of two Valuable checks: half of 0.3");
        assert_eq!(patched.unplaced.len(), 1, "the patch on a check that never was has no place");
        assert_eq!(patched.unplaced[0].patch, 2, "and is named by its position");
    }

    #[test]
    fn diagnostics_name_the_field_and_the_element() {
        let mut broken = sample();
        broken["meta_rubric"]["items"][1]["baselines"] = json!([3]);
        broken["meta_rubric"]["items"][1]["pool"][1]["text"] = json!("Heating.");
        broken["meta_rubric"]["items"][0]["tier"] = json!(null);
        let found = compiled(&rubric(broken));
        assert!(!found.compiles && found.checks.is_empty(), "any error leaves no checks");
        let places: Vec<(&str, Option<u32>, &str, Option<u32>)> = found
            .diagnostics
            .iter()
            .map(|d| (d.code.as_str(), d.item, d.field.as_str(), d.element))
            .collect();
        assert_eq!(
            places,
            [
                ("MR-04", Some(0), "tier", None),
                ("FL-11", Some(1), "pool", Some(1)),
                ("FL-08", Some(1), "baselines", None),
            ],
            "an editor can go there"
        );
        assert_eq!(
            found.diagnostics[2].fix,
            Some(wire::Conversion::Type { to: domain::ItemType::StrictList }),
            "a baseline that demands everything offers a strict list"
        );
    }

    #[test]
    fn a_rubric_with_errors_is_not_handed_in() {
        assert!(may_be_handed_in(Some(&rubric(sample()))).is_ok(), "it compiles");
        let refused = may_be_handed_in(None).expect_err("nothing was written");
        assert_eq!(refused.code, Code::LintErrors, "as with lints");
        assert_eq!(refused.details["rule"], "MR-01", "there are no items");
    }

    #[test]
    fn a_rehearsal_says_which_checks_tell_good_from_bad() {
        use gamut::controls::Separation::{FailsGood, PassesBad, Separates, Untried};
        let plain = rehearsed(&rubric(sample())).expect("few checks");
        let made: Vec<Option<&str>> = plain.controls.iter().map(|c| c.fails.as_deref()).collect();
        let wanted = ["m1.fact", "m2.base.2", "m2.opt.p1", "m2.opt.p2", "m2.opt.p3"].map(Some);
        assert_eq!(made[0], None, "the good answer comes first");
        assert_eq!(made[1..], wanted, "then one for each check");
        assert!(
            plain.separation.iter().all(|s| *s == gamut::controls::Separation::Untried),
            "nothing was judged yet"
        );

        let hash = |at: usize| plain.checks[at].text_sha256.clone();
        let verdict = |at: usize, verdict: &str| json!({"check": plain.checks[at].id, "text_sha256": hash(at), "verdict": verdict});
        let mut judged = sample();
        let mut stale = verdict(3, "meets");
        stale["text_sha256"] = json!("0000000000000000");
        judged["rehearsal"] = json!([
            {"verdicts": [verdict(0, "meets"), verdict(2, "partial"), verdict(4, "meets"), stale]},
            {"fails": "m1.fact", "text": "Water boils at 90 °C.", "verdicts": [verdict(0, "contradicts")]},
            {"fails": "m2.opt.p1", "verdicts": [verdict(2, "missing")]},
            {"fails": "m2.opt.p2", "verdicts": [verdict(3, "missing")]},
            {"fails": "m2.opt.p3", "verdicts": [verdict(4, "meets")]},
        ]);
        let judged = rehearsed(&rubric(judged)).expect("few checks");
        assert_eq!(
            judged.separation,
            [Separates, Untried, FailsGood, Untried, PassesBad],
            "a verdict on other words counts no more, so that the fourth is untried"
        );
        assert_eq!(judged.controls[1].text, "Water boils at 90 °C.", "the author's words stand");
        assert_ne!(judged.controls[1].draft, judged.controls[1].text, "and the draft is kept beside them");
    }
}
