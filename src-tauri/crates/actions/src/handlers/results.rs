//! Results: presence and MMI Value, and tables that go out.

use crate::{App, Failure, export, scores, wire};

pub(crate) fn results(app: &App, request: wire::ResultsRequest) -> Result<wire::StudyScores, Failure> {
    app.sighted(|view| scores::of_study(view, request.judging.as_deref().unwrap_or_default()))
}

pub(crate) fn export_table(app: &App, request: wire::ExportRequest) -> Result<wire::Exported, Failure> {
    let table = export::table(app, request.what)?;
    let path = match request.path.filter(|path| !path.trim().is_empty()) {
        Some(path) => std::path::PathBuf::from(path),
        None => export::beside_the_study(app, request.what)?,
    };
    let rows = table.rows.len();
    export::write(&path, &export::csv(&table)?)?;
    Ok(wire::Exported { path: path.display().to_string(), rows: rows.into() })
}
