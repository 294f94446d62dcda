//! Work packages, and the proof of what a person can reach.

use super::home::person;
use crate::{App, Code, Failure, home, leaks, packages, wire};
use domain::JudgingRules;
use std::path::{Path, PathBuf};
use store::Passphrase;

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

pub(crate) fn open_package(app: &App, request: wire::OpenPackageRequest) -> Result<wire::Standing, Failure> {
    let path = packages::resolve(app, Path::new(&request.path), &|_, _| given(&request.passphrase))?;
    home::open(app, &path)?;
    Ok(app.standing())
}

pub(crate) fn pack(app: &App, request: wire::PackRequest) -> Result<wire::PackReport, Failure> {
    let name = person(&request.person)?;
    let passphrase = Passphrase::new(request.passphrase)?;
    let path = PathBuf::from(&request.path);
    let packed = app.lead(|lead| Ok(lead.pack(&name, request.role, &passphrase, &path)?))?;
    Ok(packages::report(&packed, &path))
}

pub(crate) fn pack_to_return(app: &App, request: wire::ReturnRequest) -> Result<wire::PackReport, Failure> {
    let passphrase = given(&request.passphrase).map(Passphrase::new).transpose()?;
    let path = PathBuf::from(&request.path);
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

pub(crate) fn scan_leaks(app: &App, request: wire::LeaksRequest) -> Result<wire::LeakReport, Failure> {
    let name = person(&request.person)?;
    app.lead(|lead| leaks::of_session(lead, &app.pool, &name))
}

pub(crate) fn publish_guidelines(
    app: &App,
    request: wire::PublishGuidelinesRequest,
) -> Result<wire::Written<wire::Guidelines>, Failure> {
    let (own, body) =
        JudgingRules::read(&request.markdown).map_err(|why| Failure::new(Code::BadRequest, why))?;
    let rules = request.rules.unwrap_or(own);
    if rules.least_played_percent > 100 || rules.least_pages_percent > 100 {
        return Err(Failure::new(Code::BadRequest, "a share of something is at most 100 percent"));
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
