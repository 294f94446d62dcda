//! Lints of a rubric as the editor wants them: spans in UTF-16 code units, fixes as the criteria they lead to.

use crate::wire;
use domain::{BlobHash, Criterion, Modality, ModalityList, RubricDraft};
use rubric::lints::{Edit, Finding, LintInput, Severity, Span, SplitPart};
use sha2::{Digest, Sha256};

/// Findings on a draft, without those that its author dismissed for the text as it stands.
pub(crate) fn of_draft(draft: &RubricDraft, prompt: &str, gold: &ModalityList) -> Vec<wire::LintFinding> {
    rubric::lints::lint(&LintInput::from_draft(draft, Some(prompt), Some(gold.as_slice())))
        .findings
        .into_iter()
        .filter(|finding| !dismissed(finding, draft))
        .map(|finding| shown(finding, draft))
        .collect()
}

/// The lints of a draft that its author dismissed, each with the dismissal that keeps it quiet.
pub(crate) fn kept(draft: &RubricDraft, prompt: &str, gold: &ModalityList) -> Vec<wire::KeptLint> {
    let found =
        rubric::lints::lint(&LintInput::from_draft(draft, Some(prompt), Some(gold.as_slice()))).findings;
    let kept = found.into_iter().filter(|finding| dismissed(finding, draft)).filter_map(|finding| {
        let hash = held_by(&finding, draft);
        let dismissal = draft.dismissals.iter().find(|d| d.rule == finding.rule && d.text_sha256 == hash)?;
        Some(wire::KeptLint { criterion: finding.at, message: finding.message, dismissal: dismissal.clone() })
    });
    kept.collect()
}

fn text_hash(text: &str) -> BlobHash {
    BlobHash::from_bytes(Sha256::digest(text.as_bytes()).into())
}

/// What a dismissal holds for: the SHA-256 of the criterion's text; where the finding is about no criterion, of the
/// modality it is about, or of the whole rubric.
fn held_by(finding: &Finding, draft: &RubricDraft) -> BlobHash {
    match criterion(finding, draft) {
        Some(criterion) => text_hash(&criterion.criterion),
        None => text_hash(&format!("\0{}", finding.modality.map_or("the rubric", Modality::name))),
    }
}

fn criterion<'a>(finding: &Finding, draft: &'a RubricDraft) -> Option<&'a Criterion> {
    draft.criteria.get(finding.at? as usize)
}

/// Only what is a matter of judgement can be dismissed.
fn dismissed(finding: &Finding, draft: &RubricDraft) -> bool {
    if finding.severity == Severity::Error {
        return false;
    }
    let hash = held_by(finding, draft);
    draft
        .dismissals
        .iter()
        .any(|d| d.rule == finding.rule && d.text_sha256 == hash && !d.reason.trim().is_empty())
}

fn shown(finding: Finding, draft: &RubricDraft) -> wire::LintFinding {
    let text_sha256 = held_by(&finding, draft);
    let text = criterion(&finding, draft).map_or("", |c| &c.criterion);
    let span = finding.span.map(|span| utf16(text, span));
    let fix = finding.fix.map(|fix| {
        let (criteria, focus) = applied(&draft.criteria, &fix.edit);
        wire::LintFix { label: fix.label, criteria, focus }
    });
    wire::LintFinding {
        rule: finding.rule,
        severity: match finding.severity {
            Severity::Error => wire::LintSeverity::Error,
            Severity::Warning => wire::LintSeverity::Warning,
            Severity::Info => wire::LintSeverity::Info,
        },
        criterion: finding.at,
        modality: finding.modality,
        span,
        message: finding.message,
        why: finding.why,
        fix,
        text_sha256,
    }
}

/// Characters to UTF-16 code units: first, and length.
fn utf16(text: &str, span: Span) -> (u32, u32) {
    let units = |from: u32, to: u32| -> u32 {
        let all = text.chars().skip(from as usize).take(to.saturating_sub(from) as usize);
        all.map(|c| u32::try_from(c.len_utf16()).unwrap_or(2)).sum()
    };
    (units(0, span.start), units(span.start, span.end))
}

/// The criteria after an edit, numbered from 1 again where their number changed, and the one to go to.
fn applied(criteria: &[Criterion], edit: &Edit) -> (Vec<Criterion>, Option<u32>) {
    let mut all = criteria.to_vec();
    let index = |at: u32| (at as usize).min(criteria.len());
    let focus = match edit {
        Edit::Text { at, text } => {
            if let Some(criterion) = all.get_mut(*at as usize) {
                criterion.criterion.clone_from(text);
            }
            Some(*at)
        }
        Edit::Modality { at, modality } => {
            if let Some(criterion) = all.get_mut(*at as usize) {
                criterion.modality = *modality;
            }
            Some(*at)
        }
        Edit::Insert { at, text, modality } => {
            all.insert(
                index(*at),
                Criterion { id: String::new(), criterion: text.clone(), modality: *modality },
            );
            Some(*at)
        }
        Edit::Move { at, to } => {
            if (*at as usize) < all.len() {
                let moved = all.remove(*at as usize);
                let to = (*to as usize).min(all.len());
                all.insert(to, moved);
            }
            Some(*to)
        }
        Edit::Delete { at } => {
            if (*at as usize) < all.len() {
                all.remove(*at as usize);
            }
            None
        }
        Edit::Split { at, parts } => {
            if (*at as usize) < all.len() {
                let part = |part: &SplitPart| Criterion {
                    id: String::new(),
                    criterion: part.text.clone(),
                    modality: part.modality,
                };
                all.splice(*at as usize..=*at as usize, parts.iter().map(part));
            }
            Some(*at)
        }
        Edit::Renumber => None,
    };
    if !matches!(edit, Edit::Text { .. } | Edit::Modality { .. }) {
        for (at, criterion) in all.iter_mut().enumerate() {
            criterion.id = (at + 1).to_string();
        }
    }
    (all, focus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::LintDismissal;

    fn draft(texts: &[&str]) -> RubricDraft {
        let criteria = texts.iter().enumerate().map(|(at, text)| Criterion {
            id: (at + 1).to_string(),
            criterion: (*text).to_owned(),
            modality: Modality::Text,
        });
        RubricDraft { criteria: criteria.collect(), ..RubricDraft::default() }
    }

    #[test]
    fn a_dismissal_holds_until_the_text_changes() {
        let gold: ModalityList = [Modality::Text].into_iter().collect();
        let question = "Does the answer name the river 🙂 Thames?";
        let mut rubric = draft(&[question]);
        let found = |rubric: &RubricDraft| {
            of_draft(rubric, "Which river?", &gold)
                .into_iter()
                .find(|finding| finding.rule == "question-form")
        };
        assert!(found(&rubric).is_some(), "a question is no criterion");
        rubric.dismissals.push(LintDismissal {
            rule: "question-form".to_owned(),
            text_sha256: text_hash(question),
            reason: "quoted from the study".to_owned(),
        });
        assert!(found(&rubric).is_none(), "the author said why it stays");
        rubric.criteria[0].criterion.push('?');
        assert!(found(&rubric).is_some(), "the reason was given for another text");
    }

    #[test]
    fn what_is_about_no_criterion_is_dismissed_for_one_modality_alone() {
        let gold: ModalityList = [Modality::Text, Modality::Image, Modality::Audio].into_iter().collect();
        let found = of_draft(&draft(&["Names the river Thames."]), "Which river?", &gold);
        let held: std::collections::BTreeMap<Option<Modality>, BlobHash> = found
            .iter()
            .filter(|finding| finding.criterion.is_none())
            .map(|finding| (finding.modality, finding.text_sha256))
            .collect();
        assert!(held.len() > 1, "two modalities have no criterion: {held:?}");
        let different: std::collections::BTreeSet<&BlobHash> = held.values().collect();
        assert_eq!(different.len(), held.len(), "a dismissal about one does not hold for another: {held:?}");
    }

    #[test]
    fn a_fix_leads_to_whole_criteria() {
        let rubric = draft(&["a", "b", "c"]);
        let (moved, focus) = applied(&rubric.criteria, &Edit::Move { at: 0, to: 2 });
        let shown: Vec<_> = moved.iter().map(|c| (c.id.as_str(), c.criterion.as_str())).collect();
        assert_eq!(shown, [("1", "b"), ("2", "c"), ("3", "a")], "moved and numbered anew");
        assert_eq!(focus, Some(2), "the cursor follows the criterion");
        assert_eq!(utf16("a🙂b", Span { start: 2, end: 3 }), (3, 1), "an emoji is two code units");
    }
}
