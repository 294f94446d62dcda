//! What assets say about themselves, where content names them.

use super::{Place, Search, order};
use crate::Failure;
use domain::{BlobHash, ResponseId, Role};
use media::{
    traces::Trace,
    worker::{Input, Pool},
};
use std::collections::{BTreeMap, BTreeSet};
use store::{Folder, LeadView, ReachedCell, ReachedFile};

/// Blobs by what names them.
#[derive(Default)]
pub(super) struct Named {
    inputs: BTreeSet<BlobHash>,
    /// With the responses that they belong to.
    assets: BTreeMap<BlobHash, BTreeSet<ResponseId>>,
}

impl Named {
    /// Does any row name it?
    pub fn holds(&self, hash: &BlobHash) -> bool {
        self.inputs.contains(hash) || self.assets.contains_key(hash)
    }
    /// Takes in a cell that names a blob.
    pub fn take(&mut self, file: &ReachedFile, cell: &ReachedCell<'_>) {
        if cell.column != "blob" || cell.text.is_empty() {
            return;
        }
        let Ok(hash) = cell.text.parse::<BlobHash>() else { return };
        match (file.name.as_str(), cell.table) {
            ("content/study.sqlite", "inputs") | ("content/rubrics.sqlite", "sample_assets") => {
                self.inputs.insert(hash);
            }
            ("content/responses.sqlite", "assets") => {
                self.assets.entry(hash).or_default().extend(cell.row.parse::<ResponseId>().ok());
            }
            _ => {}
        }
    }
}

/// Looks through every blob that the person may open.
pub(super) fn look(
    search: &mut Search,
    lead: Option<&LeadView>,
    pool: &Pool,
    folder: &Folder,
    named: &Named,
    role: Role,
    is_package: bool,
) -> Result<(), Failure> {
    let mut times: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for hash in &named.inputs {
        for trace in traces(search, pool, folder, *hash) {
            // An input is the same for every model: what it shows is part of the prompt.
            let place = if trace.shown { Place::Prompt } else { Place::Form };
            search.text(&trace.text, place, &|| format!("input {hash}: {}", trace.place));
        }
    }
    if role == Role::Judge {
        for (hash, responses) in &named.assets {
            let found = traces(search, pool, folder, *hash);
            let mut made = Vec::new();
            for trace in &found {
                let place = if trace.shown { Place::Answer } else { Place::Form };
                search.text(&trace.text, place, &|| format!("asset {hash}: {}", trace.place));
                if !trace.shown {
                    made.extend(order::times(&trace.text));
                }
            }
            if let (Some(lead), Some(made)) = (lead, made.into_iter().min()) {
                for response in responses {
                    if let Some(answer) = lead.answer(*response)? {
                        times.entry(answer.run_name).or_default().push(made.clone());
                    }
                }
            }
        }
        if let Some(lead) = lead
            && let Some((a, b)) = written_apart(lead, folder, named)?
        {
            // In a study the app writes them all alike; large files that it links keep the time of their run.
            let severity = if is_package { "leak" } else { "warning" };
            let what =
                format!("times of files tell models apart: every file of {a} was written before any of {b}");
            search.add(what, "blobs", severity);
        }
        if let Some((a, b)) = order::apart_in_time(&times) {
            search.leak(
                format!(
                    "times in files tell models apart: every file of {a} says it is older than any of {b}"
                ),
                "assets",
            );
        }
    }
    Ok(())
}

fn traces(search: &mut Search, pool: &Pool, folder: &Folder, hash: BlobHash) -> Vec<Trace> {
    let path = folder.blob_path(&hash);
    if !path.is_file() {
        return Vec::new();
    }
    search.count("blobs", 1);
    match media::traces::traces(pool, Input::Path(path)) {
        Ok(found) => {
            for what in found.unread {
                let place = format!("blob {hash}");
                search.add(format!("this could not be looked through: {what}"), &place, "warning");
            }
            found.texts
        }
        Err(why) => {
            let severity = "warning";
            search.add(
                format!("this file could not be looked through: {why}"),
                &format!("blob {hash}"),
                severity,
            );
            Vec::new()
        }
    }
}

/// Models of which every file was last written before any file of another.
fn written_apart(
    lead: &LeadView,
    folder: &Folder,
    named: &Named,
) -> Result<Option<(String, String)>, Failure> {
    let mut times: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (hash, responses) in &named.assets {
        let written = std::fs::metadata(folder.blob_path(hash)).and_then(|found| found.modified());
        let since = written.ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let Some(since) = since else { continue };
        for response in responses {
            if let Some(answer) = lead.answer(*response)? {
                times.entry(answer.run_name).or_default().push(format!("{:020}", since.as_secs()));
            }
        }
    }
    Ok(order::apart_in_time(&times))
}
