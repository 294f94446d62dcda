//! Intervals of the scores of a folder, how modalities came back, and the grid of inputs and outputs.
//!
//! The figures themselves are those of [`crate::scores`]; here each is taken as a mean over prompts, so that prompts can be
//! resampled. A test holds the two against each other.

use crate::{Failure, scores, traits, units, wire};
use ::agreement::{Method, Options, mean_with_interval};
use domain::Modality;
use rubric::scores::{
    Grades, ScoredRow, Strictness, collapse, detected, mmi_value, mmi_value_without, presence_scores,
};
use std::collections::{BTreeMap, HashMap};
use store::{AuditorView, ScoreRow};

/// A sum and how many terms it has.
type Term = [f64; 2];
/// What the rows of one prompt add to each figure, by the figure's place in [`paths`].
type Terms = Vec<Term>;

/// The paths of all figures with an interval, in the order of [`terms`].
fn paths() -> Vec<String> {
    let mut all: Vec<String> = ["precision", "recall", "f1", "pass_rate"].map(str::to_owned).to_vec();
    all.extend(["precision_strict", "recall_strict", "f1_strict", "pass_rate_strict"].map(str::to_owned));
    all.extend(["mps", "input_failure_rate", "mmi_value.all", "mmi_value.excl_document"].map(str::to_owned));
    all.extend(Modality::ALL.map(|modality| format!("mmi_value.by_modality.{modality}")));
    for reading in ["lenient", "strict"] {
        for modality in Modality::ALL {
            all.extend(
                ["precision", "recall", "f1"].map(|name| format!("per_modality.{reading}.{modality}.{name}")),
            );
        }
    }
    all
}

fn of_row(value: Option<f64>) -> Term {
    value.map_or([0.0, 0.0], |value| [value, 1.0])
}
fn flag(flag: bool) -> f64 {
    f64::from(u8::from(flag))
}

/// What one row adds to each figure.
fn terms(row: &ScoredRow<'_>) -> Terms {
    let lenient = presence_scores(row, Strictness::Lenient);
    let strict = presence_scores(row, Strictness::Strict);
    let mut all = Terms::new();
    for scores in [lenient, strict] {
        let values = [scores.precision, scores.recall, scores.f1, flag(scores.pass)];
        all.extend(values.map(|value| [value, 1.0]));
    }
    all.push([lenient.f1, 1.0]);
    all.push([flag(row.failed), 1.0]);
    all.push(of_row(mmi_value(row)));
    all.push(of_row(mmi_value_without(row, Modality::Document)));
    all.extend(Modality::ALL.map(|modality| of_row(collapse(row, modality).map(|unit| unit.mean))));
    for strictness in [Strictness::Lenient, Strictness::Strict] {
        for modality in Modality::ALL {
            let (expected, found) = (flag(row.expects(modality)), flag(detected(row, modality, strictness)));
            let both = expected * found;
            all.extend([[both, found], [both, expected], [2.0 * both, expected + found]]);
        }
    }
    all
}

/// Figures by prompt, and routes by modality.
#[derive(Default)]
struct Sums {
    by_prompt: HashMap<String, Terms>,
    routes: [wire::RouteCounts; 5],
}

fn more(count: &mut domain::Count) {
    *count = (count.get() + 1).into();
}

impl Sums {
    fn add(&mut self, prompt: &str, row: &ScoredRow<'_>, terms: &Terms) {
        let own = self.by_prompt.entry(prompt.to_owned()).or_insert_with(|| vec![[0.0; 2]; terms.len()]);
        for (sum, term) in own.iter_mut().zip(terms) {
            sum[0] += term[0];
            sum[1] += term[1];
        }
        for modality in Modality::ALL.into_iter().filter(|modality| row.expects(*modality)) {
            let counts = &mut self.routes[modality.index()];
            more(&mut counts.expected);
            let route = if row.failed { "absent" } else { units::route(row.presence.of(modality)) };
            more(match route {
                "native" => &mut counts.native,
                "url" => &mut counts.url,
                "judge" => &mut counts.judge,
                _ => &mut counts.absent,
            });
        }
    }

    fn details(&self, file: String, model: String, options: &Options) -> wire::FileDetails {
        let mut details = wire::FileDetails {
            file,
            model,
            ci95: BTreeMap::new(),
            undefined_resamples: BTreeMap::new(),
            routes: Modality::ALL
                .into_iter()
                .map(|modality| wire::ModalityRoutes { modality, counts: self.routes[modality.index()] })
                .filter(|routes| routes.counts.expected.get() > 0)
                .collect(),
        };
        for (at, path) in paths().into_iter().enumerate() {
            let clusters: Vec<Term> =
                self.by_prompt.values().filter_map(|terms| terms.get(at).copied()).collect();
            let mean = mean_with_interval(&clusters, options);
            if let Some(undefined) = mean.undefined_resamples {
                details.undefined_resamples.insert(path.clone(), undefined);
            }
            if let Some(ends) = mean.ci95 {
                details.ci95.insert(path, ends);
            }
        }
        details
    }
}

/// Runs `each` with what a score needs of a row.
pub(crate) fn scored(row: &ScoreRow, each: impl FnOnce(&ScoredRow<'_>)) {
    let units = row.cells.map(|cell| cell.map(|cell| scores::graded(&cell)));
    each(&ScoredRow {
        expected: row.expected.as_slice(),
        presence: row.presence,
        failed: row.failed,
        error_type: None,
        grades: Grades::Summed(&units),
    });
}

/// Presence and MMI Value of some prompts.
#[derive(Default)]
struct GridSums {
    f1: Term,
    value: Term,
}

/// The details of a folder under a judging (`""` for the base files).
pub(crate) fn of_folder(
    view: &mut AuditorView,
    folder: &str,
    judging: &str,
    options: &Options,
) -> Result<wire::ResultDetails, Failure> {
    let judging = scores::normal(judging);
    let mut overall = Sums::default();
    let mut by_prompt: HashMap<String, GridSums> = HashMap::new();
    let mut files = Vec::new();
    for file in view.judged_files(Some(folder))? {
        if scores::normal(&file.variant) != judging {
            continue;
        }
        let mut sums = Sums::default();
        let mut model = String::new();
        view.score_rows(&file, |row| {
            if model.is_empty() {
                model.clone_from(&row.run_name);
            }
            scored(&row, |scored| {
                let terms = terms(scored);
                sums.add(&row.prompt_key, scored, &terms);
                overall.add(&row.prompt_key, scored, &terms);
                let grid = by_prompt.entry(row.prompt_key.clone()).or_default();
                let value = of_row(mmi_value(scored));
                grid.f1 = [grid.f1[0] + presence_scores(scored, Strictness::Lenient).f1, grid.f1[1] + 1.0];
                grid.value = [grid.value[0] + value[0], grid.value[1] + value[1]];
            });
            Ok(())
        })?;
        files.push(sums.details(file.file, model, options));
    }
    Ok(wire::ResultDetails {
        folder: folder.to_owned(),
        files,
        overall: overall.details(String::new(), String::new(), options),
        grid: grid(view, &by_prompt)?,
        method: Method::of_prompts(options),
    })
}

fn grid(view: &AuditorView, scores: &HashMap<String, GridSums>) -> Result<Vec<wire::GridCell>, Failure> {
    let mut cells: BTreeMap<(String, String), (u64, GridSums)> = BTreeMap::new();
    traits::each_prompt(view, |prompt| {
        let key = (traits::combination(&prompt.input_modalities), traits::combination(&prompt.gold));
        let (prompts, sums) = cells.entry(key).or_default();
        *prompts += 1;
        if let Some(own) = scores.get(&prompt.key) {
            for (sum, term) in [(&mut sums.f1, own.f1), (&mut sums.value, own.value)] {
                *sum = [sum[0] + term[0], sum[1] + term[1]];
            }
        }
    })?;
    let mean = |[sum, terms]: Term| (terms > 0.0).then(|| sum / terms);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a sum of ones
    let rows = |sums: &GridSums| sums.f1[1] as u64;
    Ok(cells
        .into_iter()
        .map(|((inputs, outputs), (prompts, sums))| wire::GridCell {
            inputs,
            outputs,
            prompts: prompts.into(),
            rows: rows(&sums).into(),
            f1: mean(sums.f1),
            mmi_value: mean(sums.value),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    //! The terms add up to the figures of a run.
    use super::*;
    use domain::{Detection, Presence};
    use rubric::scores::{GradedUnit, RunScores};

    fn unit(mean: f64) -> GradedUnit {
        GradedUnit { criteria: 2, mean, min: 0.0, evaluator_errors: 0, gradeable: true }
    }

    #[test]
    fn every_path_is_a_figure_of_the_run_and_has_its_value() {
        let native = Detection { native: true, ..Detection::default() };
        let url = Detection { via_url: true, ..Detection::default() };
        let rows = [
            (vec![Modality::Text, Modality::Image], [native, url, Detection::default(), native, url], false),
            (vec![Modality::Audio], [native, url, Detection::default(), native, url], false),
            (vec![Modality::Text, Modality::Document], [native, native, url, native, url], false),
            (vec![Modality::Video], [Detection::default(); 5], true),
        ];
        let graded = [Some(unit(0.25)), Some(unit(1.0)), None, Some(unit(0.5)), Some(unit(0.0))];
        let mut run = RunScores::new();
        let mut sums = vec![[0.0; 2]; paths().len()];
        for (expected, presence, failed) in &rows {
            let row = ScoredRow {
                expected,
                presence: Presence(*presence),
                failed: *failed,
                error_type: None,
                grades: Grades::Summed(&graded),
            };
            run.push(&row);
            for (sum, term) in sums.iter_mut().zip(terms(&row)) {
                *sum = [sum[0] + term[0], sum[1] + term[1]];
            }
        }
        let figures = serde_json::to_value(run.figures()).unwrap();
        for (path, [sum, count]) in paths().iter().zip(sums) {
            let figure = path.split('.').fold(&figures, |here, step| &here[step]);
            let wanted = if count > 0.0 { serde_json::json!(sum / count) } else { serde_json::Value::Null };
            let close = match (figure.as_f64(), wanted.as_f64()) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-12,
                (a, b) => a == b,
            };
            assert!(close, "{path} is {figure} in the run, and {wanted} by its terms");
        }
    }
}
