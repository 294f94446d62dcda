//! What tasks tell by themselves: marks, and their order.

use super::{Search, order};
use crate::Failure;
use std::collections::{BTreeMap, HashMap};
use store::{JudgeNote, LeadView, ReachedCell, TaskKind};

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
        assert_eq!(found("author", "{\"modality\":\"Text\"}"), 0, "an author's note says what was sent back");
    }
}
