//! What tasks tell by themselves: marks, and their order.

use super::{Search, order};
use crate::Failure;
use domain::{HiddenJobKind, PersonName, StatementId};
use std::collections::{BTreeMap, HashMap};
use store::{JudgeNote, LeadView, QuizNote, ReachedCell, TaskKind};

/// A value of the inbox, kept.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    column: String,
    row: String,
    text: String,
}
impl Cell {
    pub fn of(cell: &ReachedCell<'_>) -> Self {
        Self { column: cell.column.to_owned(), row: cell.row.to_owned(), text: cell.text.to_owned() }
    }
}

/// Marks on tasks: a job whose answer is known looks like any other.
pub(super) fn marks(search: &mut Search, tasks: &[Cell]) {
    let mut kinds: HashMap<&str, &str> = HashMap::new();
    for cell in tasks.iter().filter(|cell| cell.column == "kind") {
        kinds.insert(&cell.row, &cell.text);
    }
    for cell in tasks {
        let at = format!("inbox: tasks.{} of {}", cell.column, cell.row);
        let kind = kinds.get(cell.row.as_str()).copied().unwrap_or_default();
        match cell.column.as_str() {
            "kind" if cell.text.parse::<TaskKind>().is_err() => {
                search.leak(format!("a task of its own kind: {}", cell.text), &at);
            }
            "note"
                if kind == TaskKind::Judge.name()
                    && !cell.text.is_empty()
                    && JudgeNote::read(&cell.text).is_none()
                    && store::returned_note(&cell.text).is_none() =>
            {
                search.leak("a mark on one task", &at);
            }
            "note"
                if kind == TaskKind::Quiz.name()
                    && !cell.text.is_empty()
                    && serde_json::from_str::<QuizNote>(&cell.text).is_err() =>
            {
                search.leak("a quiz's task that tells more than what came of it", &at);
            }
            _ => {}
        }
    }
}

/// Does the order of the judge's tasks tell models apart?
pub(super) fn in_order(search: &mut Search, lead: &LeadView, tasks: &[Cell]) -> Result<(), Failure> {
    let mut rows: BTreeMap<&str, (u64, &str, &str)> = BTreeMap::new();
    for cell in tasks {
        let row = rows.entry(&cell.row).or_default();
        match cell.column.as_str() {
            "position" => row.0 = cell.text.parse().unwrap_or(0),
            "subject" => row.1 = &cell.text,
            "kind" => row.2 = &cell.text,
            _ => {}
        }
    }
    let mut queue: Vec<(u64, &str)> = rows
        .values()
        .filter(|(_, _, kind)| *kind == TaskKind::Judge.name())
        .map(|(position, subject, _)| (*position, *subject))
        .collect();
    queue.sort_unstable();
    let mut models = Vec::with_capacity(queue.len());
    for (_, subject) in queue {
        if let Ok(response) = subject.parse()
            && let Some(answer) = lead.answer(response)?
        {
            models.push(answer.run_name);
        }
    }
    if let Some(why) = order::suspicious(&models) {
        search.leak(format!("the order of the tasks tells models apart: {why}"), "inbox: tasks.position");
    }
    Ok(())
}

/// Do the places of jobs that measure their person, or what they were handed out with, tell them from others?
pub(super) fn hidden_jobs(search: &mut Search, lead: &LeadView, person: &PersonName) -> Result<(), Failure> {
    let mut hidden: HashMap<String, HiddenJobKind> = HashMap::new();
    let mut twice = 0;
    for job in lead.hidden_jobs()?.into_iter().filter(|job| job.person == *person) {
        twice += u64::from(job.kind == HiddenJobKind::Repeat);
        hidden.insert(job.response.to_string(), job.kind);
    }
    let mut together: BTreeMap<StatementId, Vec<Option<HiddenJobKind>>> = BTreeMap::new();
    lead.each_task_of(TaskKind::Judge, person, |task| {
        together.entry(task.cause).or_default().push(hidden.get(&task.subject).copied());
        Ok(())
    })?;
    let place = "inbox: tasks";
    for tasks in together.values().filter(|tasks| tasks.len() > 1) {
        if tasks.iter().all(Option::is_some) {
            search.leak("jobs that measure their person were handed out by themselves", place);
        }
        // A repeat comes after what it repeats; only known jobs can lie anywhere.
        let kinds: Vec<String> = tasks
            .iter()
            .filter(|kind| **kind != Some(HiddenJobKind::Repeat))
            .map(|kind| if kind.is_some() { "known" } else { "work" }.to_owned())
            .collect();
        if let Some(why) = order::suspicious(&kinds) {
            search.leak(format!("the order of the tasks tells known jobs from others: {why}"), place);
        }
    }
    if twice > 0 {
        search.add(
            format!(
                "{twice} answers are given twice: who compares all answers with each other can tell these"
            ),
            "content/responses.sqlite",
            "warning",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! What belongs here: marks on tasks, which no import can plant.
    use super::super::secrets::Secrets;
    use super::*;

    fn tasks(kind: &str, note: &str) -> Vec<Cell> {
        [("kind", kind), ("note", note)]
            .into_iter()
            .map(|(column, text)| Cell {
                column: column.to_owned(),
                row: "t1".to_owned(),
                text: text.to_owned(),
            })
            .collect()
    }
    fn found(kind: &str, note: &str) -> usize {
        let mut search = Search::new(Secrets::of_nothing().unwrap());
        marks(&mut search, &tasks(kind, note));
        search.leaks.len()
    }

    #[test]
    fn a_job_whose_answer_is_known_looks_like_any_other() {
        assert_eq!(found("judge", ""), 0, "a task without a note");
        assert_eq!(found("judge", "{\"guidelines\":2}"), 0, "asked again under newer guidelines");
        assert_eq!(found("judge", "{\"known\":true}"), 1, "any other note marks it");
        assert_eq!(found("known", ""), 1, "and so does a kind of its own");
        let result = r#""result":{"right":9,"of":10,"needed":9,"passed":true}"#;
        let attempt = r#""attempt":"00000000000000000000000000000001""#;
        let note = format!("{{{attempt},{result},\"over\":true}}");
        assert_eq!(found("quiz", &note), 0, "what came of a quiz");
        let telling = format!("{{{attempt},{result},\"over\":true,\"wrong\":[\"q3\"]}}");
        assert_eq!(found("quiz", &telling), 1, "and no more than that");
        assert_eq!(found("author", "{\"modality\":\"Text\"}"), 0, "an author's note says what was sent back");
    }
}
