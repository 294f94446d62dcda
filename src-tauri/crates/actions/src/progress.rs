//! How far work is, and who waits for whom.

use crate::{Failure, wire};
use domain::{PersonName, StatementKind, TaskId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::{LeadView, TaskKind};
use wire::WaitReason;

/// Who is waited for and why: how many items, and who waits.
type Waits = BTreeMap<(WaitReason, PersonName), (u64, BTreeSet<String>)>;

fn wait(
    waits: &mut Waits,
    reason: WaitReason,
    person: &PersonName,
    blocks: impl IntoIterator<Item = String>,
) {
    let entry = waits.entry((reason, person.clone())).or_default();
    entry.0 += 1;
    entry.1.extend(blocks.into_iter().filter(|name| *name != person.as_str()));
}

/// Person by person, and what keeps somebody from going on.
pub(crate) fn work(lead: &mut LeadView) -> Result<wire::Work, Failure> {
    let mut waits = Waits::new();
    let expired = lead.expired(&store::now())?;
    for one in &expired {
        for _ in &one.subjects {
            wait(&mut waits, WaitReason::Expired, &one.person, []);
        }
    }
    judging(lead, &mut waits)?;
    writing(lead, &mut waits)?;
    reviewing(lead, &mut waits)?;
    for fork in lead.forks(None)? {
        let people: BTreeSet<&PersonName> = fork.versions.iter().map(|v| &v.statement.person).collect();
        for person in people {
            wait(&mut waits, WaitReason::Fork, person, []);
        }
    }
    let last = last_statements(lead)?;
    let people = lead.progress()?.into_iter().map(|own| {
        let of = |counts: store::TaskCounts| wire::Progress {
            done: counts.done.into(),
            total: counts.total.into(),
        };
        let over: usize =
            expired.iter().filter(|e| e.person == own.person.name).map(|e| e.subjects.len()).sum();
        wire::PersonProgress {
            judging: of(own.judging),
            authoring: of(own.authoring),
            reviewing: of(own.reviewing),
            curating: of(own.curating),
            grading: of(own.grading),
            last_at: last.get(&own.person.name).cloned(),
            expired: over.into(),
            person: own.person.name.to_string(),
            display: own.person.display,
            roles: own.person.roles,
        }
    });
    let people = people.collect();
    let mut rows: Vec<wire::Wait> = waits
        .into_iter()
        .map(|((reason, person), (items, blocks))| wire::Wait {
            reason,
            person: person.to_string(),
            items: items.into(),
            blocks: blocks.into_iter().collect(),
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.items.get()));
    Ok(wire::Work { people, waits: rows })
}

/// When the newest statement of each person was made.
fn last_statements(lead: &mut LeadView) -> Result<HashMap<PersonName, String>, Failure> {
    let mut last: HashMap<PersonName, String> = HashMap::new();
    for kind in [
        StatementKind::Judgement,
        StatementKind::RubricRevision,
        StatementKind::RubricSubmission,
        StatementKind::Review,
        StatementKind::Settlement,
    ] {
        lead.each_standing(&kind, |statement| {
            let at = last.entry(statement.person).or_default();
            if *at < statement.made_at {
                *at = statement.made_at;
            }
            Ok(())
        })?;
    }
    Ok(last)
}

/// Responses that somebody judged and others still have open.
fn judging(lead: &mut LeadView, waits: &mut Waits) -> Result<(), Failure> {
    let mut judged: HashMap<String, Vec<PersonName>> = HashMap::new();
    lead.each_standing(&StatementKind::Judgement, |statement| {
        judged.entry(statement.subject).or_default().push(statement.person);
        Ok(())
    })?;
    // Nobody waits for what measures its person.
    let measuring: HashSet<(PersonName, String)> =
        lead.hidden_jobs()?.into_iter().map(|job| (job.person, job.response.to_string())).collect();
    for person in lead.people()? {
        for subject in lead.subjects_of(TaskKind::Judge, &person.name)? {
            if measuring.contains(&(person.name.clone(), subject.clone())) {
                continue;
            }
            let Some(by) = judged.get(&subject).filter(|by| !by.contains(&person.name)) else { continue };
            wait(waits, WaitReason::OtherVerdict, &person.name, by.iter().map(ToString::to_string));
        }
    }
    Ok(())
}

/// Tasks of a kind that somebody has and did not do: person, subject, and whether it came with a note.
fn open_tasks(lead: &mut LeadView, kind: TaskKind) -> Result<Vec<(PersonName, String, bool)>, Failure> {
    let mut tasks: Vec<(PersonName, TaskId, String, bool)> = Vec::new();
    for person in lead.people()? {
        lead.each_task_of(kind, &person.name, |task| {
            tasks.push((person.name.clone(), task.id, task.subject, !task.note.is_empty()));
            Ok(())
        })?;
    }
    let mut open = Vec::new();
    for (person, id, subject, noted) in tasks {
        if !lead.is_answered(&subject, id)? {
            open.push((person, subject, noted));
        }
    }
    Ok(open)
}

/// Rubrics that are to be written, or that came back.
fn writing(lead: &mut LeadView, waits: &mut Waits) -> Result<(), Failure> {
    for (person, _, came_back) in open_tasks(lead, TaskKind::Author)? {
        let reason = if came_back { WaitReason::Revision } else { WaitReason::Rubric };
        wait(waits, reason, &person, []);
    }
    Ok(())
}

/// Rubrics that were handed in and lack a review.
fn reviewing(lead: &mut LeadView, waits: &mut Waits) -> Result<(), Failure> {
    for (person, subject, _) in open_tasks(lead, TaskKind::Review)? {
        let author = subject.split_once('/').map(|(_, author)| author.to_owned());
        wait(waits, WaitReason::Review, &person, author);
    }
    Ok(())
}
