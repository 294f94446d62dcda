//! The demo study: made by the same import as any other, at the first opening, from what ships with the app.

use crate::{App, Code, Failure, home, import, wire};
use domain::{PersonName, Role};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use store::{Folder, LeadView};

/// Where the demo's files are.
pub(crate) fn source(app: &App) -> Option<&Path> {
    app.settings.demo_source.as_deref().filter(|folder| folder.join("dataset.jsonl").is_file())
}

fn place(app: &App) -> PathBuf {
    app.settings.data_folder.join("demo/Demo.assize")
}

fn name(text: &str) -> Result<PersonName, Failure> {
    text.parse().map_err(|why: String| Failure::new(Code::Internal, why))
}

/// Opens the demo study as its lead, making it first if it is not there yet or was not finished.
pub(crate) fn open(app: &App) -> Result<wire::JobStarted, Failure> {
    let Some(source) = source(app) else {
        return Err(Failure::new(Code::NotFound, "the demo study was not shipped with this program"));
    };
    let (path, lead) = (place(app), name("lena")?);
    let folder = if path.join("study.assize").is_file() {
        Folder::open(&path, None)?
    } else {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        // What a making that was broken off left behind holds nothing of anybody.
        if path.exists() {
            std::fs::remove_dir_all(&path)?;
        }
        Folder::create(&path, "Demo", None)?
    };
    if folder.people()?.is_empty() {
        folder.found(&lead, "Lena (lead)", &[Role::Auditor])?;
    }
    home::open(app, folder.root())?;
    app.begin(&lead, Role::Lead)?;
    let (source, device, pool) = (source.to_owned(), app.device()?.clone(), Arc::clone(&app.pool));
    app.jobs.start("the demo study", move |job| {
        let mut view = folder.lead(&lead, &device)?;
        let plan = import::Plan { paths: vec![source], ..import::Plan::default() };
        let summary = import::run(&mut view, &pool, &plan, job)?;
        if !job.cancel.is_cancelled() {
            staff(&mut view)?;
        }
        Ok(Some(summary))
    })
}

/// A judge and an author, each with work. Doing it again adds nothing.
fn staff(lead: &mut LeadView) -> Result<(), Failure> {
    let known = lead.people()?;
    for (person, display, role, kind, folder) in [
        ("sam", "Sam (judge)", Role::Judge, wire::WorkKind::Judge, Some("demo")),
        ("noor", "Noor (rubric author)", Role::Author, wire::WorkKind::Author, None),
    ] {
        let person = name(person)?;
        if !known.iter().any(|other| other.name == person) {
            lead.add_person(&person, display, &[role])?;
        }
        let request = wire::HandOutRequest {
            items: None,
            kind,
            people: vec![person.to_string()],
            share: 1.0,
            overlap: 1,
            balance: Vec::new(),
            folder: folder.map(str::to_owned),
            seed: 1,
            until: None,
            golds: 0,
            repeats: 0,
        };
        crate::handout::hand_out(lead, &request, &[person])?;
    }
    Ok(())
}
