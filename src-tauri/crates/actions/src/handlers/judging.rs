//! Judging: the blind side.

use super::common::{
    cursor, limit, page_ends, prompt_start, prompt_view, response_view, unknown_prompt, wanted,
};
use crate::{App, Code, Failure, wire};
use domain::{
    Anchor, AssetState, BlobHash, CommentRule, Exposure, Judgement, JudgingRules, Modality, ModalityNote,
    ModalityVerdict, TaskId, Verdict,
};
use store::{JudgeItem, JudgeView, Task, payload};

/// No response and prompt have more assets than this.
const MOST_EXPOSURES: usize = 1_000;
/// No asset is played in more pieces, and no document has more pages.
const MOST_PIECES: usize = 10_000;
/// No comment points to more places.
const MOST_ANCHORS: usize = 50;
/// How many items are fetched before they are shown.
const AHEAD: u32 = 3;
const MOST_SNIPPETS: usize = 50;
const LONGEST_SNIPPET: usize = 1_000;

fn progress(view: &mut JudgeView) -> Result<wire::Progress, Failure> {
    let counts = view.counts()?;
    Ok(wire::Progress { done: counts.done.into(), total: counts.total.into() })
}

pub(crate) fn judge_queue(
    app: &App,
    request: wire::QueueRequest,
) -> Result<wire::Page<wire::JudgeTask>, Failure> {
    app.judge(|view| {
        let done = wanted(request.filter);
        let limit = limit(request.limit, 100);
        let tasks = view.tasks(done, cursor(request.after.as_deref())?, limit)?;
        let (total, next) = page_ends(&tasks, view.counts()?, done, limit);
        let mut rows = Vec::with_capacity(tasks.len());
        for task in tasks {
            let item = view.item(task.id)?;
            rows.push(wire::JudgeTask {
                task: task.id,
                place: task.position.into(),
                prompt: item.prompt.as_ref().map_or_else(String::new, |prompt| prompt_start(&prompt.text)),
                expected: item.response.expected.iter().collect(),
                done: task.done,
                draft: item.draft.is_some(),
            });
        }
        Ok(wire::Page { rows, next, total: total.into() })
    })
}

fn task(view: &mut JudgeView, task: Option<TaskId>) -> Result<Option<Task>, Failure> {
    Ok(match task {
        Some(id) => match view.task(id) {
            Ok(task) => Some(task),
            Err(store::StoreError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        },
        None => view.next_open(0)?,
    })
}

pub(crate) fn judge_item(app: &App, request: wire::TaskRequest) -> Result<wire::JudgeItemReply, Failure> {
    app.judge(|view| {
        let progress = progress(view)?;
        let Some(task) = task(view, request.task)? else {
            return Ok(wire::JudgeItemReply { item: None, progress });
        };
        let item = view.item(task.id)?;
        let before = if task.position > 1 { view.tasks(None, task.position - 2, 1)?.pop() } else { None };
        let after = view.tasks(None, task.position, 1)?.pop();
        let judgement = item.standing.current().map(payload::<Judgement>).transpose()?;
        let ahead: Vec<TaskId> = view
            .open_ahead(task.position, AHEAD + 1)?
            .into_iter()
            .map(|open| open.id)
            .filter(|open| *open != task.id)
            .take(AHEAD as usize)
            .collect();
        let (guidelines_version, rules) = view.rules()?;
        Ok(wire::JudgeItemReply {
            item: Some(wire::JudgeItem {
                task: task.id,
                place: task.position.into(),
                progress,
                previous: before.map(|task| task.id),
                next: after.map(|task| task.id),
                next_open: ahead.first().copied(),
                ahead,
                prompt: item.prompt.map_or_else(unknown_prompt, prompt_view),
                response: response_view(item.response),
                judgement,
                standing: item.standing.ids(),
                draft: item.draft.as_deref().and_then(|body| serde_json::from_str(body).ok()),
                comment_rule: rules.comments,
                least_played_percent: rules.least_played_percent,
                least_pages_percent: rules.least_pages_percent,
                least_text_percent: rules.least_text_percent,
                least_picture_seconds: rules.least_picture_seconds,
                returned: task.returned().map(|returned| returned.feedback),
                guidelines_version,
            }),
            progress,
        })
    })
}

pub(crate) fn save_judgement_draft(
    app: &App,
    request: wire::SaveJudgementDraftRequest,
) -> Result<wire::Saved, Failure> {
    app.judge(|view| {
        match &request.draft {
            Some(draft) => {
                let body = serde_json::to_string(draft)
                    .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
                view.save_draft(request.task, &body)?;
            }
            None => view.drop_draft(request.task)?,
        }
        Ok(wire::Saved {})
    })
}

pub(crate) fn judge_snippets(app: &App, _: wire::Nothing) -> Result<wire::Snippets, Failure> {
    app.judge(|view| {
        Ok(view.snippets()?.and_then(|body| serde_json::from_str(&body).ok()).unwrap_or_default())
    })
}

pub(crate) fn save_judge_snippets(app: &App, request: wire::Snippets) -> Result<wire::Saved, Failure> {
    if request.texts.len() > MOST_SNIPPETS
        || request.texts.iter().any(|text| text.chars().count() > LONGEST_SNIPPET)
    {
        return Err(Failure::new(Code::BadRequest, "at most 50 texts of at most 1,000 characters are kept"));
    }
    app.judge(|view| {
        let body = serde_json::to_string(&request)
            .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        view.save_snippets(&body)?;
        Ok(wire::Saved {})
    })
}

fn missing(modality: Modality, what: &str, why: &str) -> Failure {
    Failure::new(Code::Incomplete, format!("{modality} {why}"))
        .with(serde_json::json!({"modality": modality, "missing": what}))
}

/// Is everything said that the study asks for? The first thing that is not is named, with its modality.
fn complete(
    item: &JudgeItem,
    rules: JudgingRules,
    verdicts: &[ModalityVerdict],
    exposures: &[Exposure],
) -> Result<(), Failure> {
    for modality in item.response.expected.iter() {
        let Some(given) = verdicts.iter().find(|given| given.modality == modality) else {
            return Err(missing(modality, "verdict", "has no verdict yet"));
        };
        let wanted = match rules.comments {
            CommentRule::Never => false,
            CommentRule::Incorrect => given.verdict == Verdict::Incorrect,
            CommentRule::Always => true,
        };
        if wanted && given.comment.trim().is_empty() {
            return Err(missing(modality, "comment", "needs a short comment that says why"));
        }
        if given.flags.ai_background && given.ai_asked.trim().is_empty() {
            return Err(missing(modality, "ai_asked", "was judged with an AI's help: say what it was asked"));
        }
        let declared = given.flags.cannot_show || !given.perceived.trim().is_empty();
        if !declared && !is_perceived(item, modality, rules, exposures) {
            return Err(missing(
                modality,
                "exposure",
                "was played or seen less than the study asks for; go on with it, or say how you perceived it",
            ));
        }
    }
    Ok(())
}

/// Was as much of the modality played and seen as the study asks for?
fn is_perceived(item: &JudgeItem, modality: Modality, rules: JudgingRules, exposures: &[Exposure]) -> bool {
    let JudgingRules { least_played_percent: played, least_pages_percent: pages, .. } = rules;
    let (text, picture) = (rules.least_text_percent, rules.least_picture_seconds);
    if modality == Modality::Text && text > 0 && !item.response.text.trim().is_empty() {
        let read = exposures.iter().find(|exposure| exposure.asset.is_none());
        if !read.is_some_and(|exposure| exposure.was_read(text)) {
            return false;
        }
    }
    let shown = item.response.assets.iter().filter(|asset| {
        asset.modality == modality && matches!(asset.state, AssetState::Ok | AssetState::Mismatch)
    });
    shown.filter_map(|asset| asset.blob).all(|blob| {
        let exposure = exposures.iter().find(|exposure| exposure.asset == Some(blob));
        match modality {
            Modality::Audio | Modality::Video if played > 0 => {
                exposure.is_some_and(|exposure| exposure.was_played(played))
            }
            Modality::Image if picture > 0 => {
                exposure.is_some_and(|exposure| exposure.was_looked_at(picture))
            }
            Modality::Document if pages > 0 => exposure.is_some_and(|exposure| exposure.was_seen(pages)),
            _ => true,
        }
    })
}

/// Do the anchors point into this response or the inputs of its prompt?
fn anchored<'a>(
    item: &JudgeItem,
    anchors: impl Iterator<Item = (Modality, &'a [Anchor])>,
) -> Result<(), Failure> {
    let inputs = item.prompt.iter().flat_map(|prompt| prompt.inputs.iter().filter_map(|input| input.blob));
    let known: Vec<BlobHash> =
        item.response.assets.iter().filter_map(|asset| asset.blob).chain(inputs).collect();
    for (modality, anchors) in anchors {
        let bad = |why: &str| Failure::new(Code::BadRequest, format!("{modality}: {why}"));
        if anchors.len() > MOST_ANCHORS {
            return Err(bad("a comment points to at most 50 places"));
        }
        for anchor in anchors {
            if anchor.asset.is_some_and(|asset| !known.contains(&asset)) {
                return Err(bad("a place lies in an asset that this item has not got"));
            }
            if let Some(why) = anchor.problem() {
                return Err(bad(&format!("a place {why}")));
            }
        }
    }
    Ok(())
}

/// Remarks are on what was not asked for, each modality once, and say something.
fn remarks(item: &JudgeItem, noted: &[ModalityNote]) -> Result<(), Failure> {
    for (at, note) in noted.iter().enumerate() {
        let why = if item.response.expected.iter().any(|modality| modality == note.modality) {
            "is expected: it gets a verdict"
        } else if note.comment.trim().is_empty() && note.anchors.is_empty() {
            "is noted without a word"
        } else if noted[..at].iter().any(|other| other.modality == note.modality) {
            "is noted twice"
        } else {
            continue;
        };
        return Err(Failure::new(Code::BadRequest, format!("{} {why}", note.modality)));
    }
    Ok(())
}

pub(crate) fn submit_judgement(
    app: &App,
    request: wire::SubmitJudgementRequest,
) -> Result<wire::Written<wire::Submitted>, Failure> {
    app.judge(|view| {
        let item = view.item(request.task)?;
        let pieces = |one: &Exposure| one.played.len() > MOST_PIECES || one.pages.len() > MOST_PIECES;
        if request.exposures.len() > MOST_EXPOSURES || request.exposures.iter().any(pieces) {
            return Err(Failure::new(Code::BadRequest, "a response has not that many assets or pages"));
        }
        let (guidelines_version, rules) = view.rules()?;
        if request.guidelines_version.is_some_and(|seen| seen != guidelines_version) {
            return Err(Failure::new(
                Code::Stale,
                format!(
                    "the guidelines are at version {guidelines_version} now; look at what is new, then submit"
                ),
            )
            .with(serde_json::json!({"guidelines_version": guidelines_version})));
        }
        complete(&item, rules, &request.verdicts, &request.exposures)?;
        remarks(&item, &request.noted)?;
        let verdicts = request.verdicts.iter().map(|given| (given.modality, given.anchors.as_slice()));
        let noted = request.noted.iter().map(|note| (note.modality, note.anchors.as_slice()));
        anchored(&item, verdicts.chain(noted))?;
        let judgement = Judgement {
            response: item.response.id,
            verdicts: request.verdicts.clone(),
            noted: request.noted.clone(),
            active_ms: request.active_ms.get(),
            idle_ms: request.idle_ms.get(),
            guidelines_version,
            prompt_version: item.prompt.as_ref().map_or(0, |prompt| prompt.version),
            exposures: request.exposures.clone(),
        };
        let replaced = request.replaces.clone().unwrap_or_else(|| item.standing.ids());
        let statement = view.judge(request.task, &judgement, &replaced)?;
        let next_open = view.next_open(item.task.position)?.map(|task| task.id);
        Ok(wire::Written {
            value: wire::Submitted { statement: statement.id, next_open, progress: progress(view)? },
            stale: vec![wire::Stale::JudgeQueue, wire::Stale::History],
        })
    })
}
