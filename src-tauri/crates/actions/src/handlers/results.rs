//! Results: presence and MMI Value, and tables that go out.

use crate::{
    App, Code, Failure, dataset_folder, export, gamut_scores, report, score_details, scores, units, wire,
};
use agreement::{Options, Resampling};

pub(crate) fn results(app: &App, request: wire::ResultsRequest) -> Result<wire::StudyScores, Failure> {
    app.sighted(|view| scores::of_study(view, request.judging.as_deref().unwrap_or_default()))
}

pub(crate) fn gamut_results(app: &App, request: wire::GamutRequest) -> Result<wire::GamutScores, Failure> {
    app.sighted(|view| gamut_scores::of_study(view, &request))
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
    let path = if let Some(path) = request.path.filter(|path| !path.trim().is_empty()) {
        std::path::PathBuf::from(path)
    } else {
        let ending = format!(".{}", export::form(request.form).ending());
        export::beside_the_study(app, export::name(request.what), &ending)?
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

/// A plot that is larger than this is none.
const LARGEST_PLOT: usize = 32 << 20;

pub(crate) fn save_plot(app: &App, request: wire::SavePlotRequest) -> Result<wire::Exported, Failure> {
    let bad = |why: &str| Failure::new(Code::BadRequest, why);
    let stem: String = request
        .name
        .chars()
        .map(|c| if c.is_alphanumeric() || c == ' ' || c == '-' { c } else { '-' })
        .take(80)
        .collect();
    let stem = stem.trim_matches([' ', '-']);
    let (bytes, ending) = match request.png {
        None if request.svg.contains("<svg") => (request.svg.into_bytes(), ".svg"),
        None => return Err(bad("this is no SVG")),
        Some(digits) => {
            let bytes = hex::decode(digits).map_err(|_| bad("a PNG is written in hexadecimal digits"))?;
            if !bytes.starts_with(b"\x89PNG\r\n") {
                return Err(bad("this is no PNG"));
            }
            (bytes, ".png")
        }
    };
    if bytes.len() > LARGEST_PLOT {
        return Err(bad("this plot is too large"));
    }
    let path = export::beside_the_study(app, if stem.is_empty() { "plot" } else { stem }, ending)?;
    export::write(&path, &bytes)?;
    Ok(wire::Exported { path: path.display().to_string(), rows: 1_u64.into() })
}

pub(crate) fn write_report(app: &App, request: wire::ReportRequest) -> Result<wire::Exported, Failure> {
    report::write(app, request)
}
