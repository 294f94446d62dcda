//! Results: presence and MMI Value, and tables that go out.

use crate::{App, Failure, dataset_folder, export, score_details, scores, units, wire};
use agreement::{Options, Resampling};

pub(crate) fn results(app: &App, request: wire::ResultsRequest) -> Result<wire::StudyScores, Failure> {
    app.sighted(|view| scores::of_study(view, request.judging.as_deref().unwrap_or_default()))
}

pub(crate) fn result_details(
    app: &App,
    request: wire::ResultDetailsRequest,
) -> Result<wire::ResultDetails, Failure> {
    let options = Options {
        resamples: request.resamples.unwrap_or(10_000).min(100_000),
        seed: u64::from(request.seed.unwrap_or(1)),
        resampling: Resampling::Clusters,
    };
    app.sighted(|view| {
        let folder = units::choose_folder(view, request.folder.as_deref())?.unwrap_or_default();
        score_details::of_folder(view, &folder, request.judging.as_deref().unwrap_or_default(), &options)
    })
}

pub(crate) fn export_table(app: &App, request: wire::ExportRequest) -> Result<wire::Exported, Failure> {
    let table = export::table(app, request.what)?;
    let path = match request.path.filter(|path| !path.trim().is_empty()) {
        Some(path) => std::path::PathBuf::from(path),
        None => {
            let ending = format!(".{}", export::form(request.form).ending());
            export::beside_the_study(app, export::name(request.what), &ending)?
        }
    };
    let rows = table.rows.len();
    export::write(&path, &export::bytes(&table, export::form(request.form))?)?;
    Ok(wire::Exported { path: path.display().to_string(), rows: rows.into() })
}

pub(crate) fn export_dataset(
    app: &App,
    request: wire::ExportDatasetRequest,
) -> Result<wire::Exported, Failure> {
    let path = match request.path.filter(|path| !path.trim().is_empty()) {
        Some(path) => std::path::PathBuf::from(path),
        None => export::beside_the_study(app, "dataset", "")?,
    };
    dataset_folder::write(app, &path, request.files)
}
