//! Opening and making studies, and remembering which were opened.

use crate::{App, Code, Failure, wire};
use domain::{PersonName, Role};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};
use store::Folder;

const RECENT: &str = "recent.json";
const REMEMBERED: usize = 20;

#[derive(Serialize, Deserialize)]
struct Remembered {
    path: String,
    name: String,
    opened_at: String,
}

/// Where the app keeps what belongs to this device: `$XDG_DATA_HOME/assize`, or what stands for it elsewhere.
pub fn default_data_folder() -> PathBuf {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("ASSIZE_DATA")
        .or_else(|| named("XDG_DATA_HOME").map(|folder| folder.join("assize")))
        .or_else(|| named("APPDATA").map(|folder| folder.join("Assize")))
        .or_else(|| named("HOME").map(|folder| folder.join(".local/share/assize")))
        .unwrap_or_else(|| PathBuf::from(".assize-data"))
}

/// `NAME` becomes `NAME.assize`.
pub fn with_ending(path: &Path) -> PathBuf {
    if path.extension().is_some_and(|end| end == "assize") {
        return path.to_owned();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".assize");
    name.into()
}

fn read_recent(app: &App) -> Vec<Remembered> {
    fs::read(app.settings.data_folder.join(RECENT))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}

/// Studies that were opened before. A list that cannot be read is an empty one: it is a convenience.
pub(crate) fn recent(app: &App) -> wire::RecentStudies {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let documents = home.join("Documents");
    wire::RecentStudies {
        studies: read_recent(app)
            .into_iter()
            .map(|study| wire::RecentStudy {
                exists: Path::new(&study.path).join("study.assize").is_file(),
                path: study.path,
                name: study.name,
                opened_at: study.opened_at,
            })
            .collect(),
        suggested_folder: if documents.is_dir() { documents } else { home }.display().to_string(),
    }
}

fn remember(app: &App, folder: &Folder) {
    let path = folder.root().display().to_string();
    let mut studies = read_recent(app);
    studies.retain(|study| study.path != path);
    studies.insert(0, Remembered { path, name: folder.name().to_owned(), opened_at: store::now() });
    studies.truncate(REMEMBERED);
    // Not being able to remember must not keep anyone from working.
    if fs::create_dir_all(&app.settings.data_folder).is_ok()
        && let Ok(text) = serde_json::to_vec_pretty(&studies)
    {
        let part = app.settings.data_folder.join("recent.json.part");
        if fs::write(&part, text).is_ok() {
            let _ = fs::rename(part, app.settings.data_folder.join(RECENT));
        }
    }
}

/// Opens the study at `path` for everyone to choose who they are.
pub(crate) fn open(app: &App, path: &Path) -> Result<(), Failure> {
    // A package is opened by its own folder, with the passphrase of the environment.
    let path = crate::packages::resolve(app, path, &crate::packages::environment)?;
    let path = fs::canonicalize(&path).unwrap_or(path);
    let folder = Folder::open(&path, None)?;
    remember(app, &folder);
    app.put_study(Some(folder));
    Ok(())
}

/// Makes a study with one person, who leads it.
pub(crate) fn create(path: &Path, name: Option<&str>) -> Result<Folder, Failure> {
    let path = with_ending(path);
    let name = name.map(str::trim).filter(|name| !name.is_empty()).map_or_else(
        || path.file_stem().map_or_else(|| "Study".to_owned(), |stem| stem.to_string_lossy().into_owned()),
        str::to_owned,
    );
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .map_err(|error| Failure::from(error).about(&format!("{}", parent.display())))?;
    }
    let folder = Folder::create(&path, &name, None)?;
    folder.found(
        &FIRST.parse().map_err(|why: String| Failure::new(Code::Internal, why))?,
        "Lead",
        &[Role::Auditor],
    )?;
    Ok(folder)
}

/// The first person of a new study.
const FIRST: &str = "lead";

/// The first person who leads the study. Inboxes are opened one by one until there is one.
pub(crate) fn lead_of(folder: &Folder) -> Result<PersonName, Failure> {
    for person in folder.people()? {
        if folder.person(&person)?.roles.contains(&Role::Lead) {
            return Ok(person);
        }
    }
    Err(Failure::new(Code::NotFound, "this study has no lead; open it as the person it was handed to"))
}

/// The study as the UI sees it.
pub(crate) fn study_view(folder: &Folder) -> wire::StudyView {
    wire::StudyView {
        id: folder.study(),
        name: folder.name().to_owned(),
        path: folder.root().display().to_string(),
        people: folder
            .people()
            .unwrap_or_default()
            .into_iter()
            .map(|person| wire::PersonChoice { name: person.to_string() })
            .collect(),
        package: folder.package().ok().flatten().map(|mark| wire::PackageView {
            person: mark.person.to_string(),
            role: mark.role,
            made_at: mark.made_at,
        }),
        warnings: folder
            .synced_by()
            .map(|client| {
                format!("This folder seems to be synchronised by {client}, which can copy a file half-written. Keep studies outside it, or back up with assize backup.")
            })
            .into_iter()
            .collect(),
    }
}
