//! The report: one page that says what was done, what came out, what was left out, and what it takes to do it again. Numbers come
//! from the functions that the screens use; words about methods from what the study holds, never from what is usual.

mod facts;
mod html;
mod methods;
mod plots;
mod tables;

use crate::{App, Code, Failure, export, score_details, scores, units, wire};
use ::agreement::{GroupKey, Options, Resampling};
use html::{esc, two};
use std::{fmt::Write as _, path::PathBuf};
use wire::UnitSet;

/// What a report is about.
pub(crate) struct Report {
    pub folder: String,
    pub resamples: u32,
    pub seed: u32,
    pub collapse: f64,
}

/// The page, and how many tables and plots it holds.
pub(crate) fn page(app: &App, asked: &Report) -> Result<(String, usize), Failure> {
    let name = app.with_study(|study| Ok(study.folder.name().to_owned()))?;
    let set = UnitSet::Produced;
    let folder = &asked.folder;
    let options =
        Options { resamples: asked.resamples, seed: u64::from(asked.seed), resampling: Resampling::Clusters };
    let (all, facts, dataset, scores, details, sources) = app.sighted(|view| {
        let all = units::of_folder(view, folder, "")?;
        let facts = facts::of(view, folder, set, &all)?;
        let dataset = facts::dataset(view)?;
        let scores = scores::of_study(view, "")?;
        let details = score_details::of_folder(view, folder, "", &options)?;
        let sources = (view.journal_ends()?, view.imports()?);
        Ok((all, facts, dataset, scores, details, sources))
    })?;
    let how = units::Computation {
        by: vec![GroupKey::Modality],
        collapse: asked.collapse,
        sweep: true,
        resamples: asked.resamples,
        seed: asked.seed,
    };
    let (result, ties) = units::judge_human(&all, set, units::MAJORITY, &how);
    let mut body = String::new();
    let _ = writeln!(body, "<h1>{}</h1>", esc(&name));
    let _ = writeln!(
        body,
        "<p class=\"sub\">Results folder {}. Written {} by Assize {}.</p>",
        esc(folder),
        esc(&store::now()),
        env!("CARGO_PKG_VERSION")
    );
    body.push_str(
        "<nav><a href=\"#methods\">Methods</a><a href=\"#agreement\">Agreement</a><a href=\"#results\">Results</a>\
         <a href=\"#exclusions\">Exclusions</a><a href=\"#again\">Doing it again</a></nav>\n",
    );
    let _ = writeln!(body, "{}", methods::headline(&facts, &result.numbers));
    let _ = writeln!(
        body,
        "<h2 id=\"methods\">Methods</h2>\n{}",
        methods::paragraphs(&facts, &dataset, asked, &result)
    );
    let _ = writeln!(body, "<h2 id=\"agreement\">Agreement of judge and people</h2>");
    let numbers = &result.numbers;
    for note in &numbers.notes {
        let _ = writeln!(body, "<p class=\"hint\">{}</p>", esc(note));
    }
    if ties > 0 {
        let _ = writeln!(
            body,
            "<p class=\"hint\">{ties} {} left out because people are evenly split.</p>",
            if ties == 1 { "output is" } else { "outputs are" }
        );
    }
    body.push_str(&tables::by_modality(&result));
    body.push_str(&tables::judge_as_test(&result));
    if let Some(confusion) = &numbers.confusion
        && let [first, second] = confusion.counts.as_slice()
        && let ([a, b], [c, d]) = (first.as_slice(), second.as_slice())
    {
        body.push_str(&plots::mosaic(
            "Judge against the majority of people; area is count",
            [[a.get(), b.get()], [c.get(), d.get()]],
        ));
    }
    body.push_str(&tables::coefficients(numbers));
    body.push_str(&plots::forest("All coefficients with 95 % intervals", &tables::estimates(numbers), two));
    body.push_str(&tables::by_model(&all, set, &how));
    body.push_str(&tables::by_person(&all, set, &how));
    if let Some(points) = &numbers.sweep {
        body.push_str(&plots::sweep(
            "Agreement by threshold; the dashed line is the threshold in use",
            points,
            asked.collapse,
        ));
        body.push_str(&tables::sweep(points));
    }
    let _ = writeln!(body, "<h2 id=\"people\">Agreement between people</h2>");
    body.push_str(&tables::human_human(&all, &how));
    body.push_str(&tables::causes(&facts.settled));
    let _ = writeln!(body, "<h2 id=\"results\">Results</h2>");
    if let Some(runs) = scores.runs.get(folder) {
        body.push_str(&tables::presence(runs, &details));
        body.push_str(&tables::presence_by_modality(runs));
        body.push_str(&plots::forest(
            "Modality presence (mean F1) by model, with 95 % intervals",
            &tables::by_score(runs, &details, "mps"),
            html::percent,
        ));
        body.push_str(&tables::routes_plot(&details));
        body.push_str(&tables::mmi_value(runs, &details));
        body.push_str(&plots::forest(
            "MMI Value by model, with 95 % intervals",
            &tables::by_score(runs, &details, "mmi_value.all"),
            html::percent,
        ));
        body.push_str(&tables::grid(&details));
    }
    let _ = writeln!(body, "<h2 id=\"exclusions\">What was left out</h2>");
    body.push_str(&tables::exclusions(&facts));
    let _ = writeln!(body, "<h2 id=\"again\">Doing it again</h2>");
    body.push_str(&methods::again(app, asked, &sources)?);
    let parts = body.matches("<table>").count() + body.matches("<figure>").count();
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{}</title><style>{}</style></head><body>\n{body}</body></html>\n",
        esc(&name),
        include_str!("page.css"),
    );
    Ok((page, parts))
}

/// Writes a report; a new file beside the study if no path is given.
pub(crate) fn write(app: &App, request: wire::ReportRequest) -> Result<wire::Exported, Failure> {
    let collapse = request.collapse.unwrap_or(1.0);
    if !(collapse > 0.0 && collapse <= 1.0) {
        return Err(Failure::new(
            Code::BadRequest,
            format!("a collapse threshold lies above 0 and up to 1, not {collapse}"),
        ));
    }
    let folder = app.sighted(|view| units::choose_folder(view, request.folder.as_deref()))?;
    let asked = Report {
        folder: folder
            .ok_or_else(|| Failure::new(Code::NotFound, "there are no results yet; import a run first"))?,
        resamples: request.resamples.unwrap_or(10_000).min(100_000),
        seed: request.seed.unwrap_or(1),
        collapse,
    };
    let (page, parts) = page(app, &asked)?;
    let path = match request.path.filter(|path| !path.trim().is_empty()) {
        Some(path) => PathBuf::from(path),
        None => export::beside_the_study(app, "report", ".html")?,
    };
    export::write(&path, page.as_bytes())?;
    Ok(wire::Exported { path: path.display().to_string(), rows: parts.into() })
}
