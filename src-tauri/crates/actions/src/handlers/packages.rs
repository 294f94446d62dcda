//! Work packages, and the proof of what a person can reach.

use super::home::person;
use crate::{App, Code, Failure, export, home, leaks, packages, wire};
use domain::JudgingRules;
use std::path::{Path, PathBuf};
use store::{Passphrase, Seal};

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

pub(crate) fn open_package(app: &App, request: wire::OpenPackageRequest) -> Result<wire::Standing, Failure> {
    let path = PathBuf::from(&request.path);
    if !store::is_package(&path) {
        return Err(Failure::new(Code::BadRequest, format!("{}: this is no sealed package", path.display())));
    }
    let path = packages::resolve(app, &path, &|_, _| given(&request.passphrase))?;
    home::open(app, &path)?;
    // It holds the work of one person in one role.
    app.begin_as_packed()?;
    Ok(app.standing())
}

pub(crate) fn file_to_open(app: &App, _: wire::Nothing) -> Result<wire::FileToOpen, Failure> {
    Ok(wire::FileToOpen { path: app.take_asked_for().map(|path| path.display().to_string()) })
}

pub(crate) fn device_key(app: &App, _: wire::Nothing) -> Result<wire::DeviceKey, Failure> {
    Ok(wire::DeviceKey { device: app.device()?.id().to_owned(), key: packages::device_key(app)?.public() })
}

pub(crate) fn choose_files(
    app: &App,
    request: wire::ChooseFilesRequest,
) -> Result<wire::ChosenFiles, Failure> {
    let chosen = app.file_chooser().map(|choose| choose(&request)).unwrap_or_default();
    Ok(wire::ChosenFiles {
        paths: chosen.iter().map(|path| path.display().to_string()).collect(),
        has_dialogs: app.file_chooser().is_some(),
    })
}

pub(crate) fn pack(app: &App, request: wire::PackRequest) -> Result<wire::PackReport, Failure> {
    let name = person(&request.person)?;
    let key = request.key.as_deref().map(str::trim).filter(|key| !key.is_empty());
    let passphrase = given(&request.passphrase).map(Passphrase::new).transpose()?;
    let to = match (key, &passphrase) {
        (Some(key), None) => Seal::Key(key),
        (None, Some(passphrase)) => Seal::Passphrase(passphrase),
        _ => {
            return Err(Failure::new(
                Code::BadRequest,
                "a package is sealed to a passphrase or to a key: give one of them",
            ));
        }
    };
    let path = packages::target(&request.path)?;
    let packed = app.lead(|lead| Ok(lead.pack(&name, request.role, to, &path)?))?;
    Ok(packages::report(&packed, &path))
}

pub(crate) fn pack_to_return(app: &App, request: wire::ReturnRequest) -> Result<wire::PackReport, Failure> {
    let passphrase = given(&request.passphrase).map(Passphrase::new).transpose()?;
    let path = packages::target(&request.path)?;
    let packed = app.with_study(|study| Ok(study.folder.pack_to_return(passphrase.as_ref(), &path)?))?;
    Ok(packages::report(&packed, &path))
}

pub(crate) fn merge(
    app: &App,
    request: wire::MergeRequest,
) -> Result<wire::Written<wire::MergeReport>, Failure> {
    use wire::Stale::{Agreement, Disagreements, History, JudgeQueue, Overview, Results};
    if request.paths.is_empty() {
        return Err(Failure::new(Code::BadRequest, "which packages? name at least one"));
    }
    let files: Vec<PathBuf> = request.paths.iter().map(PathBuf::from).collect();
    let value = app.lead(|lead| packages::merge_into(lead, &files, &|_, _| given(&request.passphrase)))?;
    Ok(wire::Written { value, stale: vec![Overview, Disagreements, Agreement, Results, History, JudgeQueue] })
}

pub(crate) fn forks(app: &App, _: wire::Nothing) -> Result<wire::Forks, Failure> {
    app.lead(|lead| Ok(wire::Forks { forks: packages::forks(lead, None)? }))
}

fn scanned(app: &App, request: &wire::LeaksRequest) -> Result<wire::LeakReport, Failure> {
    let name = person(&request.person)?;
    match request.package.as_deref().map(str::trim).filter(|path| !path.is_empty()) {
        Some(package) => leaks::of_sealed(app, Path::new(package), &name, &|_, _| given(&request.passphrase)),
        None => app.lead(|lead| leaks::of_session(lead, &app.pool, &name)),
    }
}

pub(crate) fn scan_leaks(app: &App, request: wire::LeaksRequest) -> Result<wire::LeakReport, Failure> {
    scanned(app, &request)
}

pub(crate) fn save_blindness_report(
    app: &App,
    request: wire::LeaksRequest,
) -> Result<wire::Exported, Failure> {
    let report = scanned(app, &request)?;
    let package = request.package.as_deref().map(Path::new);
    let study = app.with_study(|study| Ok(study.folder.name().to_owned()))?;
    let text = leaks::report_text(&request.person, &report, Some((&study, package)));
    let path = export::beside_the_study(app, &format!("Blindness of {}", request.person), ".txt")?;
    export::write(&path, text.as_bytes())?;
    Ok(wire::Exported {
        path: path.display().to_string(),
        rows: (report.leaks.len() + report.warnings.len()).into(),
    })
}

pub(crate) fn publish_guidelines(
    app: &App,
    request: wire::PublishGuidelinesRequest,
) -> Result<wire::Written<wire::Guidelines>, Failure> {
    let (own, body) =
        JudgingRules::read(&request.markdown).map_err(|why| Failure::new(Code::BadRequest, why))?;
    let rules = request.rules.unwrap_or(own);
    let shares = [rules.least_played_percent, rules.least_pages_percent, rules.least_text_percent];
    if shares.iter().any(|percent| *percent > 100) {
        return Err(Failure::new(Code::BadRequest, "a share of something is at most 100 percent"));
    }
    if rules.least_picture_seconds > domain::MOST_PICTURE_SECONDS {
        return Err(Failure::new(Code::BadRequest, "nobody is held at a picture for more than 60 seconds"));
    }
    if request.rules.is_none() && request.markdown.trim().is_empty() {
        return Err(Failure::new(Code::BadRequest, "guidelines without a word or a rule guide nobody"));
    }
    // The defaults are said only where nothing else would be.
    let plain = rules == JudgingRules::default() && !body.trim().is_empty();
    let markdown = if plain { body.to_owned() } else { rules.head() + body };
    app.lead(|lead| {
        let version = if request.ask_again {
            lead.publish_guidelines_and_ask_again(&markdown)?
        } else {
            lead.publish_guidelines(&markdown)?
        };
        Ok(wire::Written {
            value: wire::Guidelines { version, markdown: body.to_owned(), rules },
            stale: vec![wire::Stale::Overview, wire::Stale::JudgeQueue, wire::Stale::History],
        })
    })
}
