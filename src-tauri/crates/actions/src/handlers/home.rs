//! Home: studies, people, sessions, jobs.

use crate::{App, Code, Failure, demo, home, import, wire};
use domain::PersonName;
use std::path::{Path, PathBuf};
use store::Folder;

pub(crate) fn app_facts(app: &App, _: wire::Nothing) -> Result<wire::AppFacts, Failure> {
    let mut warnings = Vec::new();
    let sandbox = match app.pool.sandbox() {
        Ok(sandbox) => Some(sandbox),
        Err(failure) => {
            warnings.push(wire::AppWarning {
                code: "no_worker".to_owned(),
                message: format!("nothing can be imported or shown: {failure}"),
            });
            None
        }
    };
    Ok(wire::AppFacts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        demo_available: demo::source(app).is_some(),
        start_with_demo: app.settings.start_with_demo,
        warnings,
        media_base: app.media_base().to_owned(),
        sandbox,
    })
}

pub(crate) fn recent_studies(app: &App, _: wire::Nothing) -> Result<wire::RecentStudies, Failure> {
    Ok(home::recent(app))
}

pub(crate) fn choose_folder(app: &App, _: wire::Nothing) -> Result<wire::ChosenFolder, Failure> {
    Ok(wire::ChosenFolder {
        path: app.chooser().and_then(|choose| choose()).map(|path| path.display().to_string()),
        has_dialogs: app.chooser().is_some(),
    })
}

pub(crate) fn create_study(app: &App, request: wire::CreateStudyRequest) -> Result<wire::Standing, Failure> {
    let folder = home::create(Path::new(&request.path), request.name.as_deref())?;
    home::open(app, folder.root())?;
    Ok(app.standing())
}

pub(crate) fn open_study(app: &App, request: wire::OpenStudyRequest) -> Result<wire::Standing, Failure> {
    home::open(app, Path::new(&request.path))?;
    Ok(app.standing())
}

pub(crate) fn close_study(app: &App, _: wire::Nothing) -> Result<wire::Standing, Failure> {
    app.sound.stop();
    app.put_study(None);
    Ok(app.standing())
}

pub(crate) fn person_roles(app: &App, request: wire::PersonRequest) -> Result<wire::PersonRoles, Failure> {
    let person = person(&request.person)?;
    app.with_study(|study| {
        // A blind session opens no inbox but its own; who changes over ends the session first.
        if study.session.as_ref().is_some_and(|session| {
            matches!(session.role, domain::Role::Judge | domain::Role::Author) && session.person != person
        }) {
            return Err(Failure::new(Code::NotAllowed, "end the session before you look for another person"));
        }
        let me = study.folder.person(&person)?;
        Ok(wire::PersonRoles { person: me.person.to_string(), display: me.display, roles: me.roles })
    })
}

pub(crate) fn begin_session(
    app: &App,
    request: wire::BeginSessionRequest,
) -> Result<wire::Standing, Failure> {
    app.sound.stop();
    app.begin(&person(&request.person)?, request.role)?;
    Ok(app.standing())
}

pub(crate) fn end_session(app: &App, _: wire::Nothing) -> Result<wire::Standing, Failure> {
    app.sound.stop();
    app.with_study(|study| {
        study.session = None;
        Ok(())
    })?;
    Ok(app.standing())
}

pub(crate) fn standing(app: &App, _: wire::Nothing) -> Result<wire::Standing, Failure> {
    Ok(app.standing())
}

pub(crate) fn job(app: &App, request: wire::JobRequest) -> Result<wire::JobView, Failure> {
    let view = app.jobs.get(request.job.get())?.view();
    Ok(as_seen(app, view))
}

/// A job as the session may see it: an import names files, models and people, which a judge or author must not learn
/// from what a lead did at the same window before.
fn as_seen(app: &App, view: wire::JobView) -> wire::JobView {
    let role = app.with_session(|session| Ok(session.role));
    if !matches!(role, Ok(domain::Role::Judge | domain::Role::Author)) {
        return view;
    }
    let error = view.error.map(|failure| Failure::new(failure.code, "it failed; the lead can see why"));
    wire::JobView { doing: String::new(), import: None, error, ..view }
}

pub(crate) fn cancel_job(app: &App, request: wire::JobRequest) -> Result<wire::JobView, Failure> {
    let job = app.jobs.get(request.job.get())?;
    job.cancel.cancel();
    Ok(as_seen(app, job.view()))
}

pub(crate) fn open_demo(app: &App, _: wire::Nothing) -> Result<wire::JobStarted, Failure> {
    demo::open(app)
}

pub(crate) fn study_from_run(
    app: &App,
    request: wire::StudyFromRunRequest,
) -> Result<wire::JobStarted, Failure> {
    if request.sources.is_empty() {
        return Err(Failure::new(Code::BadRequest, "which files or folder? name at least one"));
    }
    for source in &request.sources {
        if !Path::new(source).exists() {
            return Err(Failure::new(Code::NotFound, format!("{source}: there is no such file or folder")));
        }
    }
    let folder = home::create(Path::new(&request.path), request.name.as_deref())?;
    home::open(app, folder.root())?;
    app.begin(&home::lead_of(&folder)?, domain::Role::Lead)?;
    let plan = import::Plan {
        paths: request.sources.iter().map(PathBuf::from).collect(),
        ..import::Plan::default()
    };
    start(app, &folder, plan)
}

pub(crate) fn start_import(
    app: &App,
    request: wire::StartImportRequest,
) -> Result<wire::JobStarted, Failure> {
    if request.paths.is_empty() {
        return Err(Failure::new(Code::BadRequest, "which files or folder? name at least one"));
    }
    for path in &request.paths {
        if !Path::new(path).exists() {
            return Err(Failure::new(Code::NotFound, format!("{path}: there is no such file or folder")));
        }
    }
    let folder = app.with_study(|study| Ok(study.folder.clone()))?;
    let plan = import::Plan {
        paths: request.paths.iter().map(PathBuf::from).collect(),
        input_files: request.input_files.map(PathBuf::from),
        folder: request.folder,
        dry_run: request.dry_run,
        ..import::Plan::default()
    };
    start(app, &folder, plan)
}

/// Imports on a thread, with a view of its own, so that the session goes on meanwhile.
fn start(app: &App, folder: &Folder, plan: import::Plan) -> Result<wire::JobStarted, Failure> {
    let person = app.with_session(|session| Ok(session.person.clone()))?;
    let (folder, device, pool) = (folder.clone(), app.device()?.clone(), std::sync::Arc::clone(&app.pool));
    app.jobs.start("import", move |job| {
        let mut lead = folder.lead(&person, &device)?;
        let summary = import::run(&mut lead, &pool, &plan, job)?;
        if job.cancel.is_cancelled() || import::succeeded(&summary) {
            Ok(Some(summary))
        } else {
            job.change(|view| view.import = Some(summary.clone()));
            Err(import::nothing(&summary))
        }
    })
}

/// A person's name from a request.
pub(crate) fn person(name: &str) -> Result<PersonName, Failure> {
    name.parse().map_err(|why: String| Failure::new(Code::BadRequest, why))
}
