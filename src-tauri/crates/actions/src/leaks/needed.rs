//! What a package holds beyond what its tasks need: rows that no task leads to, and assets that no row names.

use super::{Search, blobs::Named};
use domain::BlobHash;
use std::collections::{BTreeMap, BTreeSet};
use store::{Folder, ReachedCell, ReachedFile};

/// Ids as they are met, and what names them.
#[derive(Default)]
pub(super) struct Needed {
    prompts: BTreeSet<String>,
    responses: BTreeSet<String>,
    rubrics: BTreeSet<String>,
    /// The prompts of responses.
    asked: BTreeMap<String, String>,
    /// Prompts and responses that tasks name.
    subjects: BTreeSet<String>,
}

impl Needed {
    /// Takes in a cell that is an id or names one.
    pub fn take(&mut self, file: &ReachedFile, cell: &ReachedCell<'_>) {
        let text = cell.text.to_owned();
        match (file.name.as_str(), cell.table, cell.column) {
            ("content/study.sqlite", "prompts", "id") => {
                self.prompts.insert(text);
            }
            ("content/responses.sqlite", "responses", "id") => {
                self.responses.insert(text);
            }
            ("content/responses.sqlite", "responses", "prompt") => {
                self.asked.insert(cell.row.to_owned(), text);
            }
            ("content/rubrics.sqlite", "rubrics", "prompt") => {
                self.rubrics.insert(text);
            }
            (name, "tasks", "subject") if name.starts_with("inbox/") => {
                self.subjects.extend(cell.text.split('/').next().map(str::to_owned));
            }
            _ => {}
        }
    }

    /// Tells of every row that no task leads to.
    pub fn look(&self, search: &mut Search) {
        let needed: BTreeSet<&String> = self
            .subjects
            .iter()
            .chain(self.subjects.iter().filter_map(|subject| self.asked.get(subject)))
            .collect();
        for (what, all, place) in [
            ("response", &self.responses, "content/responses.sqlite"),
            ("prompt", &self.prompts, "content/study.sqlite"),
            ("rubric", &self.rubrics, "content/rubrics.sqlite"),
        ] {
            for id in all.iter().filter(|id| !needed.contains(id)) {
                search.leak(format!("a {what} that no task needs"), &format!("{place}: {id}"));
            }
        }
    }
}

/// Tells of every asset in the folder that no row names.
pub(super) fn unnamed(search: &mut Search, folder: &Folder, named: &Named) {
    let all: Vec<BlobHash> = folder.blobs().all().collect();
    for hash in all.into_iter().filter(|hash| !named.holds(hash)) {
        search.leak("an asset that nothing in the package names", &format!("blob {hash}"));
    }
}
