//! `assize`: the same program as the window, without the window. Every command calls the same actions; this crate
//! only reads arguments, shows progress, and prints.
//!
//! Exit status: 0 on success, 1 where the work failed (the reason on stderr), 2 on wrong usage.

mod args;
mod passphrase;
mod print;
mod progress;
mod qualify;

use actions::{App, Failure, Settings, command_line as run, leaks, packages};
use args::{Args, Command, MediaCommand};
use clap::{CommandFactory, Parser};
use serde::Serialize;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    let args = Args::parse();
    if matches!(args.command, Command::Worker) {
        return match media::worker::serve(actions::worker_registry()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("assize worker: {error}");
                ExitCode::FAILURE
            }
        };
    }
    match go(args) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {}", failure.message);
            ExitCode::FAILURE
        }
    }
}

fn app() -> Result<App, Failure> {
    Ok(App::new(Settings {
        data_folder: actions::default_data_folder(),
        demo_source: None,
        worker: std::env::current_exe()?,
        start_with_demo: false,
    }))
}

/// Prints to stdout; a reader that closed the pipe early is no error.
fn out(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn pretty<T: Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new(actions::Code::Internal, error.to_string()))
}

fn json<T: Serialize>(value: &T) -> Result<(), Failure> {
    out(&(pretty(value)? + "\n"));
    Ok(())
}

fn write_file(path: Option<&PathBuf>, text: &str) -> Result<(), Failure> {
    match path {
        None => out(text),
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::from(error).about(&path.display().to_string()))?,
    }
    Ok(())
}

/// The checklist goes to `output` or stdout, diagnostics for people to stderr. With `--json` stdout has the JSON in any case.
fn compile(file: &Path, output: Option<&PathBuf>, as_json: bool) -> Result<ExitCode, Failure> {
    let compiled = run::compile(file)?;
    if as_json || output.is_none() {
        json(&compiled)?;
    }
    if output.is_some() {
        write_file(output, &(pretty(&compiled)? + "\n"))?;
    }
    if !as_json {
        eprint!("{}", print::diagnostics(&compiled.diagnostics));
    }
    if compiled.succeeded() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("error: {} does not compile", file.display());
    Ok(ExitCode::FAILURE)
}

fn go(args: Args) -> Result<ExitCode, Failure> {
    let as_json = args.json;
    match args.command {
        Command::New { study, name } => {
            let made = run::new_study(&study, name.as_deref())?;
            if as_json { json(&made)? } else { out(&format!("{}\n", made.path)) }
        }
        Command::Import { study, paths, format, input_files, folder, annotator, dry_run } => {
            let app = app()?;
            run::open_as_lead(&app, &study)?;
            let request = run::ImportOptions { paths, format, input_files, folder, annotator, dry_run };
            let done = progress::with_bar(|job| run::import(&app, &request, job))?;
            app.close();
            if as_json {
                json(&done)?;
            } else {
                out(&print::import(&done));
            }
            return Ok(if run::import_succeeded(&done) {
                ExitCode::SUCCESS
            } else {
                eprintln!("error: nothing could be imported");
                ExitCode::FAILURE
            });
        }
        Command::Export { study, format, form, output, files } => {
            if format == "list" {
                let formats = run::export_formats();
                if as_json { json(&formats)? } else { out(&print::formats(&formats)) }
            } else {
                let study = study.ok_or_else(|| {
                    Failure::new(actions::Code::BadRequest, "which study? assize export STUDY --as FORMAT")
                })?;
                let app = app()?;
                run::open_as_lead(&app, &study)?;
                // Said before anything is written.
                eprint!("{}", print::losses(&format, &run::export_losses(&app, &format)?));
                let bytes = run::export(&app, &run::ExportOptions { format, form, output, files })?;
                app.close();
                if let Some(bytes) = bytes {
                    let _ = std::io::stdout().write_all(&bytes);
                }
            }
        }
        Command::Lint { target } => {
            let app = app()?;
            let report = run::lint(&app, &target)?;
            app.close();
            if as_json { json(&report)? } else { out(&print::lints(&report)) }
        }
        Command::Compile { file, output } => return compile(&file, output.as_ref(), as_json),
        Command::Score { study, table, judging } => {
            let app = app()?;
            run::open_as_lead(&app, &study)?;
            let scores = run::scores(&app, judging)?;
            app.close();
            if as_json { json(&scores)? } else { out(&print::scores(&scores, table)) }
        }
        Command::Criteria { study, triples, human, folder, set } => {
            let bad = |why: String| Failure::new(actions::Code::BadRequest, why);
            let set = set.as_deref().map(str::parse).transpose().map_err(bad)?.unwrap_or_default();
            let filter = actions::wire::UnitFilter { human, folder, set, ..Default::default() };
            let app = app()?;
            let found = run::criteria(&app, study.as_deref(), triples.as_deref(), filter)?;
            app.close();
            if as_json { json(&found)? } else { out(&print::criteria(&found)) }
        }
        Command::Curation { study, items } => {
            let app = app()?;
            run::open_as_lead(&app, &study)?;
            let stands = actions::call::curation(&app, actions::wire::CurationRequest { items })?;
            app.close();
            if as_json { json(&stands)? } else { out(&print::curation(&stands)) }
        }
        Command::Agreement(wanted) => {
            let app = app()?;
            let result = run::agreement(&app, &wanted.options()?)?;
            app.close();
            if as_json { json(&result)? } else { out(&print::agreement(&result)) }
        }
        Command::Report { study, output, folder, collapse, resamples, seed } => {
            let app = app()?;
            run::open_as_lead(&app, &study)?;
            let request = actions::wire::ReportRequest {
                folder,
                resamples: Some(resamples),
                seed: Some(seed),
                collapse: Some(collapse),
                path: Some(output.display().to_string()),
            };
            let done = run::report(&app, request)?;
            app.close();
            if as_json { json(&done)? } else { out(&format!("{}\n", done.path)) }
        }
        Command::Check { study, repair } => {
            let report = run::check(&study, repair)?;
            if as_json {
                json(&report)?;
            } else {
                out(&print::check(&report));
            }
            if report.problems.iter().any(|problem| problem.severity == "damage") {
                eprintln!("error: {} is damaged", study.display());
                return Ok(ExitCode::FAILURE);
            }
        }
        Command::Backup { study, output } => {
            let made = run::backup(&study, &output)?;
            if as_json { json(&made)? } else { out(&format!("{}\n", made.path)) }
        }
        Command::Assign { study, plan } => {
            let app = app()?;
            run::open_as_lead(&app, &study)?;
            let done = run::assign(&app, &plan)?;
            app.close();
            if as_json { json(&done)? } else { out(&print::assigned(&done)) }
        }
        Command::Qualify { command } => {
            let app = app()?;
            let view = qualify::run(&app, command)?;
            app.close();
            if as_json { json(&view)? } else { out(&print::qualification(&view)) }
        }
        Command::Guidelines {
            study,
            file,
            comments,
            least_played,
            least_pages,
            least_text,
            least_picture,
            ask_again,
        } => {
            let app = app()?;
            run::open_as_lead(&app, &study)?;
            let request = run::GuidelinesOptions {
                file,
                comments,
                least_played,
                least_pages,
                least_text,
                least_picture,
                ask_again,
            };
            let done = run::guidelines(&app, &request)?;
            app.close();
            if as_json { json(&done)? } else { out(&print::guidelines(&done)) }
        }
        Command::Key => {
            let app = app()?;
            let key = actions::call::device_key(&app, actions::wire::Nothing {})?;
            if as_json { json(&key)? } else { out(&format!("{}\n", key.key)) }
        }
        Command::Pack { study, person, role, key, output } => {
            let app = app()?;
            let options = packages::PackOptions { study, person, role, key, output };
            let done = packages::pack(&app, &options, &passphrase::ask)?;
            app.close();
            if as_json { json(&done)? } else { out(&print::packed(&done)) }
        }
        Command::Open { package } => {
            let app = app()?;
            let made = packages::open(&app, &package, &passphrase::ask)?;
            app.close();
            if as_json { json(&made)? } else { out(&format!("{}\n", made.path)) }
        }
        Command::Merge { study, packages: files } => {
            let app = app()?;
            let done = packages::merge(&app, &study, &files, &passphrase::ask)?;
            app.close();
            if as_json {
                json(&done)?;
            } else {
                out(&print::merged(&done));
            }
            for held in &done.held {
                eprintln!("error: {}: {}", held.file, held.reason);
            }
            if !done.held.is_empty() {
                return Ok(ExitCode::FAILURE);
            }
        }
        Command::Leaks { study, person, package } => {
            let app = app()?;
            let options = leaks::LeaksOptions { study, person, package };
            let report = leaks::scan(&app, &options, &passphrase::ask)?;
            app.close();
            if as_json { json(&report)? } else { out(&leaks::report_text(&options.person, &report, None)) }
        }
        Command::Media { command } => {
            let app = app()?;
            match command {
                MediaCommand::Probe { files } => {
                    let probes = run::probe(&app, &files)?;
                    if as_json { json(&probes)? } else { out(&print::probes(&probes)) }
                }
                MediaCommand::Text { file } => {
                    let text = run::document_text(&app, &file)?;
                    text.missing.iter().for_each(|missing| eprintln!("warning: {missing}"));
                    if as_json { json(&text)? } else { out(&text.text) }
                }
                MediaCommand::Peaks { file, columns } => json(&run::peaks(&app, &file, columns)?)?,
                MediaCommand::Thumb { file, output } => {
                    let size = run::thumbnail(&app, &file, &output)?;
                    if as_json { json(&size)? } else { out(&format!("{}\n", output.display())) }
                }
            }
        }
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Args::command(), "assize", &mut std::io::stdout());
        }
        Command::Worker => {}
    }
    Ok(ExitCode::SUCCESS)
}
