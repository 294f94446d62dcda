//! Grades that a changed checklist overtook: what a person graded stays, and names the words that it was given on; the
//! response is queued for them again once a check of the checklist in force has no grade on its own words. Checks that are
//! gone ask for nothing.

use crate::{Failure, checklists};
use domain::{Check, ChecklistGrade, Statement};
use std::collections::{HashMap, hash_map::Entry};
use store::LeadView;

/// Does a check wait for its grade?
fn is_overtaken(checks: &[Check], grade: &ChecklistGrade) -> bool {
    let given: HashMap<&str, &str> =
        grade.grades.iter().map(|given| (given.check.as_str(), given.text_sha256.as_str())).collect();
    checks.iter().any(|check| given.get(check.id.as_str()).is_none_or(|words| *words != check.text_sha256))
}

/// Queues again what is overtaken. Answers how many tasks are new.
pub(crate) fn queue(lead: &mut LeadView) -> Result<u64, Failure> {
    let mut graded: Vec<(Statement, ChecklistGrade)> = Vec::new();
    lead.each_checklist_grade(|statement, grade| {
        graded.push((statement, grade));
        Ok(())
    })?;
    let mut checks: HashMap<domain::PromptId, Vec<Check>> = HashMap::new();
    let mut overtaken = Vec::new();
    for (statement, grade) in graded {
        let Some(id) = lead.response(grade.response)?.and_then(|response| response.prompt) else { continue };
        let now = match checks.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(match lead.prompt(id)? {
                Some(prompt) => checklists::of_prompt(lead, &prompt)?.checks,
                None => Vec::new(),
            }),
        };
        if is_overtaken(now, &grade) {
            overtaken.push(statement);
        }
    }
    Ok(lead.grade_again(&overtaken)?)
}
