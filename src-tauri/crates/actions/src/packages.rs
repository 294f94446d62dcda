//! Work packages, as the command line and the command table ask for them: out to one person, opened there, packed to
//! return, and taken in.

use crate::{
    App, Code, Failure, command_line,
    handlers::{person, statement_about, statement_summary},
    home, regrading, wire,
};
use domain::{PersonName, Role};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Mutex,
};
use store::{Folder, LeadView, MergedPackage, PackageKey, Packed, Passphrase, Returned, Seal, StoreError};

/// Where the passphrase is looked for when nobody can be asked.
const PASSPHRASE: &str = "ASSIZE_PASSPHRASE";

/// The ending of packages, by which the system knows what opens them.
const ENDING: &str = "assizepack";

/// How a host asks for a passphrase: what for, and whether going without is possible. None when there is none.
pub type Ask<'a> = &'a (dyn Fn(&str, bool) -> Option<String> + Sync);

/// The passphrase of the environment, if there is one.
pub fn environment(_: &str, _: bool) -> Option<String> {
    std::env::var(PASSPHRASE).ok().filter(|text| !text.is_empty())
}

fn passphrase(text: Option<String>) -> Result<Option<Passphrase>, Failure> {
    Ok(text.filter(|text| !text.is_empty()).map(Passphrase::new).transpose()?)
}

/// The study at `path`; where that is a sealed package, the study that it is unsealed into, which is made or brought
/// up to date in the app's own folder.
pub fn resolve(app: &App, path: &Path, ask: Ask<'_>) -> Result<PathBuf, Failure> {
    if !store::is_package(path) {
        return Ok(path.to_owned());
    }
    Ok(store::open_package(
        path,
        passphrase_of(path, ask)?.as_ref(),
        &device_key(app)?,
        &app.settings.data_folder.join("packages"),
    )?)
}

/// The passphrase of a sealed file; not asked for where a key opens it.
pub(crate) fn passphrase_of(path: &Path, ask: Ask<'_>) -> Result<Option<Passphrase>, Failure> {
    if !store::takes_passphrase(path)? {
        return Ok(None);
    }
    passphrase(ask(&format!("Passphrase of {}", path.display()), false))
}

/// The key of this device, to which packages for its people can be sealed.
pub(crate) fn device_key(app: &App) -> Result<PackageKey, Failure> {
    Ok(PackageKey::of_device(app.device()?)?)
}

/// Where packages are written: with their ending, in a folder that is there, and over nothing but another package.
pub(crate) fn target(path: &str) -> Result<PathBuf, Failure> {
    let mut path = PathBuf::from(path.trim());
    if path.file_name().is_none() {
        return Err(Failure::new(Code::BadRequest, "where to? name a file"));
    }
    if path.extension().is_none_or(|end| end != ENDING) {
        let mut name = path.into_os_string();
        name.push(".");
        name.push(ENDING);
        path = name.into();
    }
    if path.exists() && !store::is_package(&path) {
        return Err(Failure::new(Code::Exists, format!("{}: something else has this name", path.display())));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::from(error).about(&folder.display().to_string()))?;
    }
    Ok(path)
}

/// What `assize pack` is asked.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// A study, a folder that was unsealed from a package, or the package itself.
    pub study: PathBuf,
    /// For whom; a package knows.
    pub person: Option<String>,
    /// In which role; a package knows.
    pub role: Option<Role>,
    /// Seal it to this public key (`age1…`) instead of a passphrase.
    pub key: Option<String>,
    /// The file to write.
    pub output: PathBuf,
}

/// Packs what goes out to a person, or, in a package, the work that goes back.
pub fn pack(app: &App, options: &PackOptions, ask: Ask<'_>) -> Result<wire::PackReport, Failure> {
    let study = resolve(app, &options.study, ask)?;
    let folder = Folder::open(&study, None)?;
    if let Some(mark) = folder.package()? {
        let other = options.person.as_ref().is_some_and(|name| *name != mark.person.as_str())
            || options.role.is_some_and(|role| role != mark.role);
        if other {
            return Err(Failure::new(
                Code::BadRequest,
                format!("this package is for {} as {}, and for nobody else", mark.person, mark.role),
            ));
        }
        let given =
            passphrase(ask("Passphrase for the way back (empty: only the study's lead can open it)", true))?;
        let packed = folder.pack_to_return(given.as_ref(), &options.output)?;
        return Ok(report(&packed, &options.output));
    }
    let (Some(name), Some(role)) = (&options.person, options.role) else {
        return Err(Failure::new(Code::BadRequest, "for whom? give --for NAME and --role judge or author"));
    };
    let name = person(name)?;
    command_line::open_as_lead(app, &study)?;
    let given = match &options.key {
        Some(_) => None,
        None => passphrase(ask(&format!("Passphrase that seals the package for {name}"), false))?,
    };
    let to = match (&options.key, &given) {
        (Some(key), _) => Seal::Key(key),
        (None, Some(given)) => Seal::Passphrase(given),
        (None, None) => return Err(StoreError::Sealed(options.output.clone()).into()),
    };
    let packed = app.lead(|lead| Ok(lead.pack(&name, role, to, &options.output)?))?;
    Ok(report(&packed, &options.output))
}

pub(crate) fn report(packed: &Packed, path: &Path) -> wire::PackReport {
    wire::PackReport {
        path: path.display().to_string(),
        person: packed.mark.person.to_string(),
        role: packed.mark.role,
        returned: packed.mark.returned,
        tasks: packed.tasks.into(),
        statements: packed.statements.into(),
        blobs: packed.blobs.into(),
        bytes: packed.bytes.into(),
    }
}

/// Takes packages into a study, in whatever order they are given.
pub fn merge(app: &App, study: &Path, files: &[PathBuf], ask: Ask<'_>) -> Result<wire::MergeReport, Failure> {
    command_line::open_as_lead(app, study)?;
    app.lead(|lead| merge_into(lead, files, ask))
}

pub(crate) fn merge_into(
    lead: &mut LeadView,
    files: &[PathBuf],
    ask: Ask<'_>,
) -> Result<wire::MergeReport, Failure> {
    let mut report = wire::MergeReport::default();
    let open_before = lead.open_again()?;
    let mut people = BTreeSet::new();
    let key = lead.package_key()?;
    unseal(files, &key, ask, |file, read| {
        // Most reasons name the file, which stands beside them here.
        let named = format!("{}: ", file.display());
        let held = |journal: Option<String>, reason: String| wire::HeldView {
            file: file.display().to_string(),
            journal,
            reason: match reason.strip_prefix(&named) {
                Some(rest) => rest.to_owned(),
                None => reason,
            },
        };
        let merged = read.and_then(|package| {
            people.insert(package.mark.person.clone());
            lead.merge(&package)
        });
        match merged {
            Ok(merged) => {
                report.held.extend(
                    merged.held.iter().map(|(journal, reason)| held(Some(journal.clone()), reason.clone())),
                );
                add(&mut report, &merged);
            }
            // What is wrong with one package keeps no other out; what is wrong with the disk does.
            Err(error) if error.is_full() || error.is_busy() => return Err(error.into()),
            Err(error) => report.held.push(held(None, error.to_string())),
        }
        Ok(())
    })?;
    let added = lead.catch_up()? + regrading::queue(lead)?;
    let open_again = lead.open_again()?;
    report.queued_again = (added + open_again.difference(&open_before).count() as u64).into();
    let people: Vec<PersonName> = people.into_iter().collect();
    report.forks = forks(lead, Some(&people))?;
    Ok(report)
}

fn add(report: &mut wire::MergeReport, merged: &MergedPackage) {
    for (kind, n) in &merged.merged {
        let sum = report.merged.get(kind).map_or(0, |n| n.get()) + n;
        report.merged.insert(kind.clone(), sum.into());
    }
    report.already = (report.already.get() + merged.already).into();
}

/// Unseals all of them, several at once and while those before are taken: a passphrase is slow to try, by design. It is asked
/// for once. `take` gets them in the order of `files`; its error ends the rest.
fn unseal(
    files: &[PathBuf],
    key: &PackageKey,
    ask: Ask<'_>,
    mut take: impl FnMut(&PathBuf, Result<Returned, StoreError>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let asked: Mutex<Option<Option<String>>> = Mutex::new(None);
    let once = || {
        let mut asked = asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        asked.get_or_insert_with(|| ask("Passphrase of the packages", false)).clone()
    };
    let one = |file: &PathBuf| match Returned::read(file, None, key) {
        Err(StoreError::Sealed(path)) => match once() {
            Some(text) => Returned::read(file, Some(&Passphrase::new(text)?), key),
            None => Err(StoreError::Sealed(path)),
        },
        other => other,
    };
    let at_once = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).min(8);
    let next = Mutex::new(files.iter().enumerate());
    std::thread::scope(|scope| {
        // Few wait unsealed, so that many packages take no more memory than some.
        let (ready, unsealed) = std::sync::mpsc::sync_channel(at_once);
        for _ in 0..at_once.min(files.len()) {
            let (ready, next, one) = (ready.clone(), &next, &one);
            scope.spawn(move || {
                loop {
                    let found = next.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
                    let Some((at, file)) = found else { return };
                    // Nobody listens any more once one could not be taken.
                    if ready.send((at, one(file))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(ready);
        let mut early = BTreeMap::new();
        for (at, file) in files.iter().enumerate() {
            let read = loop {
                if let Some(read) = early.remove(&at) {
                    break read;
                }
                let Ok((other, read)) = unsealed.recv() else {
                    return Err(Failure::new(Code::Internal, "unsealing broke off"));
                };
                early.insert(other, read);
            };
            take(file, read)?;
        }
        Ok(())
    })
}

/// Forks with what they are about, of these people or of everyone.
pub(crate) fn forks(
    lead: &mut LeadView,
    people: Option<&[PersonName]>,
) -> Result<Vec<wire::ForkView>, Failure> {
    let mut all = Vec::new();
    for fork in lead.forks(people)? {
        let Some(first) = fork.versions.first() else { continue };
        let about = statement_about(lead, &first.statement)?;
        let versions = fork
            .versions
            .iter()
            .map(|version| {
                let statement = &version.statement;
                wire::ForkVersionView {
                    statement: statement.id,
                    person: statement.person.to_string(),
                    device: statement.device.clone(),
                    made_at: statement.made_at.clone(),
                    summary: statement_summary(statement),
                    payload: serde_json::from_str(&statement.payload).unwrap_or_default(),
                }
            })
            .collect();
        all.push(wire::ForkView { kind: fork.kind, subject: fork.subject, about, versions });
    }
    Ok(all)
}

/// A study folder made or brought up to date from a package: `assize open`.
pub fn open(app: &App, file: &Path, ask: Ask<'_>) -> Result<command_line::Made, Failure> {
    if !store::is_package(file) {
        return Err(Failure::new(Code::BadRequest, format!("{}: this is no sealed package", file.display())));
    }
    let path = resolve(app, file, ask)?;
    home::open(app, &path)?;
    Ok(command_line::Made { path: path.display().to_string() })
}
