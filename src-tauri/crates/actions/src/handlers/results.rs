//! Results: presence and MMI Value, and tables that go out.

use crate::{
    App, Code, Failure, dataset_folder, export, gamut_scores, report, score_details, scores, units, wire,
};
use agreement::{Options, Resampling};
use formats::{Cell, Table};

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

/// A name from the screen as the name of a file, without ending.
fn stem(name: &str, usual: &str) -> String {
    let stem: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() || c == ' ' || c == '-' { c } else { '-' })
        .take(80)
        .collect();
    let stem = stem.trim_matches([' ', '-']);
    if stem.is_empty() { usual } else { stem }.to_owned()
}

pub(crate) fn save_plot(app: &App, request: wire::SavePlotRequest) -> Result<wire::Exported, Failure> {
    let bad = |why: &str| Failure::new(Code::BadRequest, why);
    let stem = stem(&request.name, "plot");
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
    let path = export::beside_the_study(app, &stem, ending)?;
    export::write(&path, &bytes)?;
    Ok(wire::Exported { path: path.display().to_string(), rows: 1_u64.into() })
}

/// A table with more cells than this is on no screen.
const MOST_CELLS: usize = 5_000_000;

pub(crate) fn save_table(app: &App, request: wire::SaveTableRequest) -> Result<wire::Exported, Failure> {
    let bad = |why: &str| Failure::new(Code::BadRequest, why);
    let wire::SaveTableRequest { name, columns, rows, form } = request;
    if columns.is_empty() || columns.len().saturating_mul(rows.len()) > MOST_CELLS {
        return Err(bad("a table has a column or more, and no more cells than a screen"));
    }
    // A file of columns cannot have one name twice: the second is told from the first by its place.
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    for column in &columns {
        let head = if column.name.trim().is_empty() { "column" } else { column.name.as_str() };
        let mut own = head.to_owned();
        let mut place = 2;
        while names.contains(&own) {
            own = format!("{head} {place}");
            place += 1;
        }
        names.push(own);
    }
    let mut table = Table::new(names);
    for row in rows {
        if row.texts.len() != columns.len() || row.numbers.len() != columns.len() {
            return Err(bad("every row has a cell for each column"));
        }
        let cells = columns.iter().zip(row.texts).zip(row.numbers);
        table.rows.push(
            cells
                .map(|((column, text), number)| if column.numeric { Cell::from(number) } else { text.into() })
                .collect(),
        );
    }
    let form = export::form(form);
    let path = export::beside_the_study(app, &stem(&name, "table"), &format!(".{}", form.ending()))?;
    export::write(&path, &export::bytes(&table, form)?)?;
    Ok(wire::Exported { path: path.display().to_string(), rows: table.rows.len().into() })
}

pub(crate) fn write_report(app: &App, request: wire::ReportRequest) -> Result<wire::Exported, Failure> {
    report::write(app, request)
}
