//! Plans: who is to be in the study, and what goes to whom.

use crate::{App, Code, Failure, handout, wire};
use domain::{Count, ItemKind, Role};
use serde::{Deserialize, Serialize};
use std::{fs, path::Path};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    #[serde(default)]
    people: Vec<PlanPerson>,
    #[serde(default)]
    tasks: Vec<PlanTask>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanPerson {
    name: String,
    role: Role,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanTask {
    kind: String,
    who: Vec<String>,
    #[serde(default = "whole")]
    share: f64,
    #[serde(default = "once")]
    overlap: u32,
    /// Which items, for curating.
    #[serde(default)]
    items: Option<ItemKind>,
    #[serde(default)]
    balance: Vec<String>,
    #[serde(default)]
    seed: u32,
    /// Until when it is theirs alone.
    #[serde(default)]
    until: Option<String>,
    /// Jobs with a known answer, mixed into each judge's work.
    #[serde(default)]
    golds: u32,
    /// Responses given to each judge a second time.
    #[serde(default)]
    repeats: u32,
}

const fn whole() -> f64 {
    1.0
}
const fn once() -> u32 {
    1
}

/// New tasks by person and kind.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AssignedReport {
    /// The rows.
    pub tasks: Vec<AssignedRow>,
    /// Items that got fewer people than asked for: nobody else may have them, because who writes a rubric does not
    /// judge its responses, or for what is in `held_back`.
    pub short: Count,
    /// Tasks that were taken back before, because their time was over.
    #[serde(default)]
    pub released: Count,
    /// What people did not get because they are not qualified for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_back: Vec<wire::HeldBack>,
}

/// New tasks of one person.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AssignedRow {
    /// The person.
    pub person: String,
    /// `judge`, `author`, `review`, `curate` or `grade`.
    pub kind: String,
    /// How many are new.
    pub added: Count,
}

/// Makes people and assignments from a plan.
pub fn assign(app: &App, plan: &Path) -> Result<AssignedReport, Failure> {
    let about = |why: String| Failure::new(Code::BadRequest, format!("{}: {why}", plan.display()));
    let bytes = fs::read(plan).map_err(|error| Failure::from(error).about(&plan.display().to_string()))?;
    let plan: Plan =
        serde_json::from_slice(&bytes).map_err(|error| about(format!("line {}: {error}", error.line())))?;
    // Everything is looked at before anything is handed out.
    let mut wanted = Vec::new();
    for task in plan.tasks {
        let kind = match task.kind.as_str() {
            "judge" => wire::WorkKind::Judge,
            "author" => wire::WorkKind::Author,
            "review" => wire::WorkKind::Review,
            "curate" => wire::WorkKind::Curate,
            "grade" | "grading" => wire::WorkKind::Grade,
            other => {
                return Err(about(format!(
                    "tasks of kind {other:?} cannot be handed out, because nobody could do them yet; write judge, author, \
                     review, curate or grade"
                )));
            }
        };
        let balance = task
            .balance
            .iter()
            .map(|by| match by.as_str() {
                "modality" => Ok(wire::Balance::Modality),
                "language" => Ok(wire::Balance::Language),
                other => Err(about(format!("\"balance\": {other:?} is none; write modality or language"))),
            })
            .collect::<Result<_, _>>()?;
        wanted.push(wire::HandOutRequest {
            kind,
            people: task.who,
            share: task.share,
            overlap: task.overlap,
            balance,
            items: task.items,
            folder: None,
            seed: task.seed,
            until: task.until,
            golds: task.golds,
            repeats: task.repeats,
        });
    }
    if plan.people.is_empty() && wanted.is_empty() {
        return Err(about("this plan names no people and no tasks: there is nothing to do".to_owned()));
    }
    let known = app.lead(|lead| Ok(lead.people()?))?;
    for (at, request) in wanted.iter().enumerate() {
        let entry = |failure: Failure| about(format!("tasks, entry {}: {}", at + 1, failure.message));
        let role = handout::role_for(request.kind);
        for person in crate::handlers::checked(request).map_err(entry)? {
            let here = known.iter().any(|one| one.name == person && one.roles.contains(&role));
            let comes = plan.people.iter().any(|one| one.name == person.as_str() && one.role == role);
            if !here && !comes {
                return Err(entry(handout::not_in_role(&person, role)));
            }
        }
    }
    for one in &plan.people {
        crate::handlers::person(&one.name)
            .map_err(|failure| about(format!("people: {}", failure.message)))?;
    }
    for one in plan.people {
        crate::call::add_person(
            app,
            wire::AddPersonRequest { name: one.name, display: String::new(), roles: vec![one.role] },
        )?;
    }
    let mut report = AssignedReport::default();
    for request in wanted {
        let kind = match request.kind {
            wire::WorkKind::Judge => "judge",
            wire::WorkKind::Author => "author",
            wire::WorkKind::Review => "review",
            wire::WorkKind::Curate => "curate",
            wire::WorkKind::Grade => "grade",
        };
        let done = crate::call::hand_out(app, request)?;
        report.short = (report.short.get() + done.value.short.get()).into();
        let released: u64 = done.value.released.iter().map(|row| row.added.get()).sum();
        report.released = (report.released.get() + released).into();
        report.held_back.extend(done.value.held_back);
        report.tasks.extend(done.value.tasks.into_iter().map(|row| AssignedRow {
            person: row.person,
            kind: kind.to_owned(),
            added: row.added,
        }));
    }
    Ok(report)
}
