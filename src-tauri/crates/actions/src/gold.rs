//! Gold lists that auditors mark wrong: what stands, and marking one. A mark changes no score and no agreement: the gold list is
//! content, so that it counts as it is until the dataset brings another version of the prompt.

use crate::{Code, Failure, wire};
use domain::{GoldMark, Modality, ModalityList, Prompt};
use std::collections::BTreeSet;
use store::{AuditorView, payload};

/// The marked modalities that are in the gold list, and those that are missing from it.
pub(crate) fn sides(gold: &ModalityList, wrong: &[Modality]) -> (Vec<Modality>, Vec<Modality>) {
    Modality::ALL.into_iter().filter(|modality| wrong.contains(modality)).partition(|m| gold.contains(*m))
}

/// What is marked of a prompt's gold list as it stands; none where nothing is, or where it is found right after all.
pub(crate) fn mark_on(
    view: &mut AuditorView,
    prompt: &Prompt,
) -> Result<Option<wire::GoldMarkView>, Failure> {
    let standing = view.gold_mark(prompt.id)?;
    // Two auditors who marked it without knowing of each other: the newest is shown, both are in the history.
    let Some(statement) = standing.heads.last().filter(|s| !s.payload.is_empty()) else { return Ok(None) };
    let mark = payload::<GoldMark>(statement)?;
    if mark.wrong.is_empty() || mark.prompt_version != prompt.version {
        return Ok(None);
    }
    let (extra, lacking) = sides(&prompt.gold, &mark.wrong);
    Ok(Some(wire::GoldMarkView {
        statement: statement.id,
        extra,
        lacking,
        reason: mark.reason,
        person: statement.person.to_string(),
        made_at: statement.made_at.clone(),
    }))
}

/// The keys of the prompts whose gold list is marked wrong.
pub(crate) fn marked_keys(view: &mut AuditorView) -> Result<BTreeSet<String>, Failure> {
    let mut keys = BTreeSet::new();
    for (_, mark) in view.gold_marks()? {
        keys.extend(view.prompt(mark.prompt)?.map(|prompt| prompt.key));
    }
    Ok(keys)
}

/// Marks the gold list of a response's prompt.
pub(crate) fn mark(
    view: &mut AuditorView,
    request: &wire::MarkGoldRequest,
) -> Result<domain::StatementId, Failure> {
    let id = request.response;
    let answer =
        view.answer(id)?.ok_or_else(|| Failure::new(Code::NotFound, format!("there is no response {id}")))?;
    let prompt = view.prompt_with_key(&answer.prompt_key)?.ok_or_else(|| {
        Failure::new(
            Code::NotFound,
            format!("the dataset has no prompt {}, and so no gold list of it", answer.prompt_key),
        )
    })?;
    let reason = request.reason.trim().to_owned();
    if !request.wrong.is_empty() && reason.is_empty() {
        return Err(Failure::new(Code::Incomplete, "say why the gold list is wrong")
            .with(serde_json::json!({"missing": "reason"})));
    }
    let standing = view.gold_mark(prompt.id)?;
    if request.wrong.is_empty() && standing.heads.is_empty() {
        return Err(Failure::new(Code::Incomplete, "name at least one modality that is wrong in the list")
            .with(serde_json::json!({"missing": "wrong"})));
    }
    let mark = GoldMark {
        prompt: prompt.id,
        prompt_version: prompt.version,
        wrong: Modality::ALL.into_iter().filter(|modality| request.wrong.contains(modality)).collect(),
        reason,
        response: Some(id),
    };
    Ok(view.mark_gold(&mark, &standing.ids())?.id)
}
