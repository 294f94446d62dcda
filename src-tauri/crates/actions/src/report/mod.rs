//! The report: one page that says what was done, what came out, what was left out, and what it takes to do it again. Numbers come
//! from the functions that the screens use; words about methods from what the study holds, never from what is usual.

mod facts;
mod html;
mod methods;
mod plots;
mod score_parts;
mod score_plots;
mod tables;

use crate::{
    App, Code, Failure, check_agreement, export, gamut_scores, interaction, score_details, scores, units,
    wire,
};
use ::agreement::{AgreementResult, GroupKey, Options, Resampling};
use html::{esc, two};
use std::{fmt::Write as _, path::PathBuf};
use store::AuditorView;
use wire::UnitSet;

/// What a report is about.
pub(crate) struct Report {
    /// The results folder; none in a study that has no results of runs.
    pub folder: Option<String>,
    pub resamples: u32,
    pub seed: u32,
    pub collapse: f64,
}

impl Report {
    fn options(&self) -> Options {
        Options { resamples: self.resamples, seed: u64::from(self.seed), resampling: Resampling::Clusters }
    }
}

/// Scores that belong to no results folder, and agreement on single checks.
struct Scores {
    gamut: wire::GamutScores,
    interaction: Option<wire::InteractionScores>,
    checks: wire::ChecksAgreement,
}

fn scores_of(view: &mut AuditorView, asked: &Report) -> Result<Scores, Failure> {
    let options = asked.options();
    let (resamples, seed) = (Some(asked.resamples), Some(asked.seed));
    let request = wire::ChecksRequest { limit: Some(1000), ..wire::ChecksRequest::default() };
    let folder = asked.folder.as_deref().unwrap_or_default();
    Ok(Scores {
        gamut: gamut_scores::of_study(
            view,
            &wire::GamutRequest { resamples, seed, ..wire::GamutRequest::default() },
        )?,
        interaction: interaction::scores(view, &options)?,
        checks: check_agreement::of_folder(view, folder, &request, &options)?,
    })
}

/// The page, and how many tables and plots it holds.
pub(crate) fn page(app: &App, asked: &Report) -> Result<(String, usize), Failure> {
    let name = app.with_study(|study| Ok(study.folder.name().to_owned()))?;
    let (scores, sources) = app.sighted(|view| {
        let scores = scores_of(view, asked)?;
        Ok((scores, (view.journal_ends()?, view.imports()?)))
    })?;
    let mut body = String::new();
    let _ = writeln!(body, "<h1>{}</h1>", esc(&name));
    let of = asked
        .folder
        .as_deref()
        .map_or_else(String::new, |folder| format!("Results folder {}. ", esc(folder)));
    let _ = writeln!(
        body,
        "<p class=\"sub\">{of}Written {} by Assize {}.</p>",
        esc(&store::now()),
        env!("CARGO_PKG_VERSION")
    );
    let (has_gamut, samples) = (!scores.gamut.is_empty(), scores.interaction.as_ref());
    body.push_str("<nav>");
    for (id, name, is_there) in [
        ("methods", "Methods", asked.folder.is_some()),
        ("agreement", "Agreement", asked.folder.is_some()),
        ("results", "Results", asked.folder.is_some()),
        ("checklists", "Checklists", has_gamut),
        ("samples", "Samples", samples.is_some()),
        ("exclusions", "Exclusions", asked.folder.is_some()),
        ("again", "Doing it again", true),
    ] {
        if is_there {
            let _ = write!(body, "<a href=\"#{id}\">{name}</a>");
        }
    }
    body.push_str("</nav>\n");
    let exclusions = match &asked.folder {
        Some(folder) => of_folder(app, asked, folder, &scores.checks, &mut body)?,
        None => String::new(),
    };
    if has_gamut {
        let _ = writeln!(
            body,
            "<h2 id=\"checklists\">Scores by checklists</h2>\n{}",
            score_parts::gamut(&scores.gamut)
        );
    }
    if let Some(samples) = samples {
        let _ = writeln!(
            body,
            "<h2 id=\"samples\">Accuracy and consistency on samples</h2>\n{}",
            score_parts::interaction(samples)
        );
    }
    body.push_str(&exclusions);
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

/// Methods, agreement and results of a folder; answers with what was left out, which comes later on the page.
fn of_folder(
    app: &App,
    asked: &Report,
    folder: &str,
    checks: &wire::ChecksAgreement,
    body: &mut String,
) -> Result<String, Failure> {
    let set = UnitSet::Produced;
    let (all, facts, dataset, scores, details) = app.sighted(|view| {
        let all = units::of_folder(view, folder, "")?;
        let facts = facts::of(view, folder, set, &all)?;
        let dataset = facts::dataset(view)?;
        let scores = scores::of_study(view, "")?;
        let details = score_details::of_folder(view, folder, "", &asked.options())?;
        Ok((all, facts, dataset, scores, details))
    })?;
    let how = units::Computation {
        by: vec![GroupKey::Modality],
        collapse: asked.collapse,
        sweep: true,
        resamples: asked.resamples,
        seed: asked.seed,
        resampling: Resampling::Clusters,
    };
    let (result, ties) = units::judge_human(&all, set, units::MAJORITY, &how);
    let _ = writeln!(body, "{}", methods::headline(&facts, &result.numbers));
    let _ = writeln!(
        body,
        "<h2 id=\"methods\">Methods</h2>\n{}",
        methods::paragraphs(&facts, &dataset, asked, &result)
    );
    let _ = writeln!(body, "<h2 id=\"agreement\">Agreement of judge and people</h2>");
    if result.numbers.pairable_units.get() == 0 {
        body.push_str(
            "<p>No output was both graded by the LLM judge and judged by a person, so that there is nothing to compare.</p>\n",
        );
    } else {
        judge_and_people(asked, &all, &how, &result, ties, body);
    }
    let _ = writeln!(body, "<h2 id=\"people\">Agreement between people</h2>");
    body.push_str(&tables::human_human(&all, &how));
    body.push_str(&score_parts::checks(checks));
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
    Ok(format!("<h2 id=\"exclusions\">What was left out</h2>\n{}", tables::exclusions(&facts)))
}

/// The judge against people: tables, plots and the sweep.
fn judge_and_people(
    asked: &Report,
    all: &[units::Unit],
    how: &units::Computation,
    result: &AgreementResult,
    ties: u64,
    body: &mut String,
) {
    let set = UnitSet::Produced;
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
    body.push_str(&tables::by_modality(result));
    body.push_str(&tables::judge_as_test(result));
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
    body.push_str(&tables::by_model(all, set, how));
    body.push_str(&tables::by_person(all, set, how));
    if let Some(points) = &numbers.sweep {
        body.push_str(&plots::sweep(
            "Agreement by threshold; the dashed line is the threshold in use",
            points,
            asked.collapse,
        ));
        body.push_str(&tables::sweep(points));
    }
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
    let (folder, has_scores) = app.sighted(|view| {
        let folder = units::choose_folder(view, request.folder.as_deref())?;
        // A study of checklists or samples alone has no results of runs, and something to report all the same.
        let mut has_scores = folder.is_some() || !view.samples()?.is_empty();
        if !has_scores {
            view.each_check_grade(|_| {
                has_scores = true;
                Ok(())
            })?;
        }
        Ok((folder, has_scores))
    })?;
    if !has_scores {
        return Err(Failure::new(Code::NotFound, "there are no results yet; import a run first"));
    }
    let asked = Report {
        folder,
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
