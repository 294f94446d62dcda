//! The lead's overview, people and work.

use super::common::limit;
use crate::{
    App, Failure,
    app::View,
    units::{self, Computation},
    wire,
};
use domain::Role;
use std::collections::BTreeMap;
use store::{AuditorView, Progress};

fn progress_of(app: &App) -> Result<Vec<Progress>, Failure> {
    app.with_session(|session| match &mut session.view {
        View::Lead(lead) => Ok(lead.progress()?),
        // Inboxes are opened by their person and the lead; an auditor sees people without their queues.
        _ => Ok(Vec::new()),
    })
}

pub(crate) fn overview(app: &App, _: wire::Nothing) -> Result<wire::Overview, Failure> {
    let progress = progress_of(app)?;
    app.sighted(|view| {
        let facts = view.overview()?;
        let folders = folders(view)?;
        let main = units::choose_folder(view, None)?;
        let mut disagreements = wire::Progress::default();
        let (mut percent, mut pi) = (None, None);
        if let Some(folder) = &main {
            let all = units::of_folder(view, folder, "")?;
            let how = Computation {
                by: Vec::new(),
                collapse: 1.0,
                sweep: false,
                resamples: 2_000,
                seed: 1,
                resampling: agreement::Resampling::Clusters,
            };
            let (result, _) = units::judge_human(&all, wire::UnitSet::Produced, units::MAJORITY, &how);
            if result.numbers.pairable_units.get() > 0 {
                percent = Some(result.numbers.percent_agreement);
                pi = Some(result.numbers.scott_pi);
            }
            let (mut total, mut done) = (0_u64, 0_u64);
            for unit in all.iter().filter(|unit| unit.is_in(wire::UnitSet::Produced)) {
                if let (Some(judge), Some(human)) = (unit.judge_says(1.0), unit.human_says(units::MAJORITY))
                    && judge != human
                {
                    total += 1;
                    let settled = view.settled(unit.response, unit.modality)?;
                    done += u64::from(!settled.standing.heads.is_empty() || !settled.imported.is_empty());
                }
            }
            disagreements = wire::Progress { done: done.into(), total: total.into() };
        }
        let people = people(view, progress, &facts)?;
        let verdicts = folders.iter().map(|folder| folder.verdicts.get()).sum::<u64>();
        let imports = view.imports()?;
        let mut next_steps = Vec::new();
        let mut step = |wanted: bool, code: &str| {
            if wanted {
                next_steps.push(code.to_owned());
            }
        };
        let has = |role: Role| people.iter().any(|person| person.roles.contains(&role));
        let tasks = |of: fn(&wire::PersonWork) -> wire::Progress| {
            people.iter().any(|person| of(person).total.get() > 0)
        };
        let nothing = facts.prompts.get() == 0 && facts.responses.get() == 0;
        step(nothing, "import");
        let staffed = has(Role::Judge) && has(Role::Author);
        step(!nothing && !staffed, "add_people");
        step(has(Role::Judge) && facts.responses.get() > 0 && !tasks(|p| p.judging), "hand_out_judging");
        step(has(Role::Author) && facts.prompts.get() > 0 && !tasks(|p| p.authoring), "hand_out_authoring");
        step(disagreements.total > disagreements.done, "settle");
        step(!view.gold_marks()?.is_empty(), "mend_gold");
        step(facts.responses.get() > 0, "see_results");
        Ok(wire::Overview {
            prompts: facts.prompts,
            prompts_with_rubric: prompts_with_rubric(view)?.into(),
            responses: facts.responses,
            folders,
            verdicts: verdicts.into(),
            disagreements,
            percent_agreement: percent,
            scott_pi: pi,
            people,
            next_steps,
            unfinished_imports: imports
                .iter()
                .filter(|i| i.completed_at.is_none())
                .map(|i| i.path.clone())
                .collect(),
            import_notes: notes(&imports),
        })
    })
}

fn prompts_with_rubric(view: &AuditorView) -> Result<u64, Failure> {
    let (mut n, mut after) = (0, String::new());
    loop {
        let page = view.prompts(&after, 500, None)?;
        let Some(last) = page.last() else { return Ok(n) };
        after.clone_from(&last.key);
        for prompt in &page {
            n += u64::from(
                view.rubric(prompt.id, prompt.version)?.is_some_and(|rubric| !rubric.criteria.is_empty()),
            );
        }
    }
}

fn folders(view: &mut AuditorView) -> Result<Vec<wire::FolderView>, Failure> {
    let mut rows: BTreeMap<String, wire::FolderView> = BTreeMap::new();
    let empty = |folder: &str| wire::FolderView {
        folder: folder.to_owned(),
        models: Vec::new(),
        responses: 0_u64.into(),
        expected_rows: None,
        verdicts: 0_u64.into(),
    };
    for run in view.runs()? {
        let row = rows.entry(run.folder.clone()).or_insert_with(|| empty(&run.folder));
        row.responses = (row.responses.get() + run.responses.get()).into();
        if !row.models.contains(&run.run_name) {
            row.models.push(run.run_name);
        }
    }
    for (folder, _, manifest) in view.manifests()? {
        if let Some(row) = rows.get_mut(&folder) {
            let prompts = manifest["prompt_count"].as_u64().unwrap_or(0);
            row.expected_rows = (prompts > 0).then(|| (prompts * row.models.len() as u64).into());
        }
    }
    let mut verdicts: BTreeMap<String, u64> = BTreeMap::new();
    view.each_verdict(None, |verdict| {
        *verdicts.entry(verdict.folder).or_default() += 1;
        Ok(())
    })?;
    for (folder, row) in &mut rows {
        row.verdicts = verdicts.get(folder).copied().unwrap_or(0).into();
    }
    Ok(rows.into_values().collect())
}

fn people(
    view: &AuditorView,
    progress: Vec<Progress>,
    facts: &store::Overview,
) -> Result<Vec<wire::PersonWork>, Failure> {
    let imported = |name: &str| {
        facts.imported_verdicts.iter().find(|(person, _)| person == name).map_or(0, |(_, n)| n.get())
    };
    let mut rows: Vec<wire::PersonWork> = view
        .people()?
        .into_iter()
        .map(|person| {
            let own = progress.iter().find(|own| own.person.name == person.name);
            let of = |counts: Option<store::TaskCounts>| {
                counts.map_or_else(wire::Progress::default, |counts| wire::Progress {
                    done: counts.done.into(),
                    total: counts.total.into(),
                })
            };
            wire::PersonWork {
                imported_verdicts: imported(person.name.as_str()).into(),
                person: person.name.to_string(),
                display: person.display,
                roles: person.roles,
                judging: of(own.map(|own| own.judging)),
                authoring: of(own.map(|own| own.authoring)),
                reviewing: of(own.map(|own| own.reviewing)),
                curating: of(own.map(|own| own.curating)),
                grading: of(own.map(|own| own.grading)),
            }
        })
        .collect();
    for (name, n) in &facts.imported_verdicts {
        if !rows.iter().any(|row| row.person == *name) {
            rows.push(wire::PersonWork {
                person: name.clone(),
                display: name.clone(),
                roles: Vec::new(),
                judging: wire::Progress::default(),
                authoring: wire::Progress::default(),
                reviewing: wire::Progress::default(),
                curating: wire::Progress::default(),
                grading: wire::Progress::default(),
                imported_verdicts: *n,
            });
        }
    }
    Ok(rows)
}

/// What a lead should know of the imports: per file, how much was refused or odd.
fn notes(imports: &[store::Imported]) -> Vec<String> {
    imports
        .iter()
        .filter(|import| import.completed_at.is_some())
        .filter_map(|import| {
            let (rows, remarks) = (
                |n: usize| domain::counted(n, "row", "rows"),
                |n: usize| domain::counted(n, "remark", "remarks"),
            );
            let length = |name: &str| import.report[name].as_array().map_or(0, Vec::len);
            let (rejected, warnings) = (length("rejected"), length("warnings"));
            let name = std::path::Path::new(&import.path).file_name()?.to_string_lossy().into_owned();
            match (rejected, warnings) {
                (0, 0) => None,
                (0, warnings) => Some(format!("{name}: {}", remarks(warnings))),
                (rejected, 0) => Some(format!("{name}: {} refused", rows(rejected))),
                (rejected, warnings) => {
                    Some(format!("{name}: {} refused, {}", rows(rejected), remarks(warnings)))
                }
            }
        })
        .collect()
}

pub(crate) fn prompts(
    app: &App,
    request: wire::PromptsRequest,
) -> Result<wire::Page<wire::PromptRow>, Failure> {
    app.sighted(|view| {
        let limit = limit(request.limit, 100);
        let search = (!request.search.trim().is_empty()).then(|| request.search.trim());
        let found = view.prompts(request.after.as_deref().unwrap_or_default(), limit, search)?;
        let next =
            (found.len() == limit as usize).then(|| found.last().map(|prompt| prompt.key.clone())).flatten();
        let total = if search.is_none() { view.overview()?.prompts.get() } else { found.len() as u64 };
        let mut rows = Vec::with_capacity(found.len());
        for prompt in found {
            rows.push(wire::PromptRow {
                id: prompt.id,
                responses: view.answers_to(&prompt.key)?.len().into(),
                text: super::common::prompt_start(&prompt.text),
                key: prompt.key,
            });
        }
        Ok(wire::Page { rows, next, total: total.into() })
    })
}
