//! Disagreements: where people and the LLM judge differ, and what auditors state about it. Statements of people in
//! this study and verdicts from files are read side by side; a person's own statement takes the place of a verdict
//! of the same name from a file.

use super::AuditorView;
use crate::content::{answers, responses};
use crate::history::{Record, records};
use crate::journal::payload;
use crate::standing::Standing;
use crate::{Answer, ImportedAdjudication, Result, StoreError};
use domain::{
    Judgement, Modality, ResponseId, Settlement, Statement, StatementId, StatementKind, Verdict,
    VerdictDetails, VerdictFlags,
};

const DRAFT: &str = "settlement";

/// What is settled about one modality of one response.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// In this study: [`Settlement`] payloads.
    pub standing: Standing,
    /// Read from files.
    pub imported: Vec<ImportedAdjudication>,
}

/// One verdict, from a statement or a file, for export.
#[derive(Debug, Clone, PartialEq)]
pub struct VerdictRow {
    /// Prompt key.
    pub prompt_key: String,
    /// Results folder.
    pub folder: String,
    /// `run_name`.
    pub run_name: String,
    /// The response; none for a verdict from a file.
    pub response: Option<ResponseId>,
    /// Who.
    pub annotator: String,
    /// Which modality.
    pub modality: Modality,
    /// What.
    pub verdict: Verdict,
    /// Why.
    pub comment: String,
    /// Marks, places, and the versions it was given under.
    pub details: VerdictDetails,
    /// Time taken, in seconds: for the whole response where it was judged in this study.
    pub seconds: Option<f64>,
    /// The statement; none for a verdict from a file.
    pub statement: Option<StatementId>,
}

/// The subject of a settlement.
pub fn settlement_subject(response: ResponseId, modality: Modality) -> String {
    format!("{response}/{modality}")
}

impl AuditorView {
    /// Every verdict that counts, from files and from this study (of one folder), for export.
    pub fn each_verdict(
        &mut self,
        folder: Option<&str>,
        mut each: impl FnMut(VerdictRow) -> Result<()>,
    ) -> Result<()> {
        let live = self.live()?;
        let audit = &self.content.audit;
        let slots: std::collections::HashSet<(String, String, String, String)> = live
            .iter()
            .filter_map(|(response, people)| Some((answers::get(audit, *response).ok()??, people)))
            .flat_map(|(a, people)| {
                people.iter().map(move |(person, _)| {
                    (a.folder.clone(), a.prompt_key.clone(), a.run_name.clone(), person.clone())
                })
            })
            .collect();
        answers::each_imported_verdict(audit, folder, &mut |imported| {
            let v = imported.verdict;
            let key = (imported.folder, v.prompt_key, v.model, v.annotator);
            if slots.contains(&key) {
                return Ok(());
            }
            let (folder, prompt_key, run_name, annotator) = key;
            each(VerdictRow {
                prompt_key,
                folder,
                run_name,
                response: None,
                annotator,
                modality: v.modality,
                verdict: v.verdict,
                comment: v.comment,
                details: VerdictDetails {
                    flags: VerdictFlags { ai_background: v.ai_assisted, ..v.details.flags },
                    ..v.details
                },
                seconds: v.seconds,
                statement: None,
            })
        })?;
        let mut standing = Vec::new();
        self.index()?.each_head(&StatementKind::Judgement, |statement| {
            standing.push(statement);
            Ok(())
        })?;
        for statement in standing {
            let Ok(response) = statement.subject.parse::<ResponseId>() else { continue };
            let counts = live.get(&response).is_some_and(|people| {
                people.iter().any(|(p, said)| *p == statement.person.as_str() && said.is_some())
            });
            let Some(answer) = answers::get(&self.content.audit, response)? else { continue };
            if !counts || folder.is_some_and(|folder| folder != answer.folder) {
                continue;
            }
            let judgement: Judgement = payload(&statement)?;
            for verdict in judgement.verdicts {
                each(VerdictRow {
                    prompt_key: answer.prompt_key.clone(),
                    folder: answer.folder.clone(),
                    run_name: answer.run_name.clone(),
                    response: Some(response),
                    annotator: statement.person.to_string(),
                    modality: verdict.modality,
                    verdict: verdict.verdict,
                    comment: verdict.comment,
                    details: VerdictDetails {
                        flags: verdict.flags,
                        anchors: verdict.anchors,
                        ai_asked: verdict.ai_asked,
                        perceived: verdict.perceived,
                        prompt_version: Some(judgement.prompt_version).filter(|version| *version > 0),
                        guidelines_version: Some(judgement.guidelines_version),
                    },
                    seconds: Some(judgement.active_ms as f64 / 1000.0),
                    statement: Some(statement.id),
                })?;
            }
        }
        Ok(())
    }

    /// What is settled about one modality of a response.
    pub fn settled(&mut self, response: ResponseId, modality: Modality) -> Result<Settled> {
        let imported = match self.answer(response)? {
            Some(answer) => {
                answers::imported_adjudications(&self.content.audit, None, Some((&answer, Some(modality))))?
            }
            None => Vec::new(),
        };
        let heads =
            self.index()?.heads(&StatementKind::Settlement, &settlement_subject(response, modality))?;
        Ok(Settled { standing: Standing { heads }, imported })
    }

    /// Every settlement of this study that stands, with the answer it is about.
    pub fn each_settlement(
        &mut self,
        mut each: impl FnMut(Statement, Settlement, Option<Answer>) -> Result<()>,
    ) -> Result<()> {
        let mut standing = Vec::new();
        self.index()?.each_head(&StatementKind::Settlement, |statement| {
            standing.push(statement);
            Ok(())
        })?;
        for statement in standing.into_iter().filter(|s| !s.payload.is_empty()) {
            let settlement: Settlement = payload(&statement)?;
            let answer = self.answer(settlement.response)?;
            each(statement, settlement, answer)?;
        }
        Ok(())
    }

    /// Every settlement from files that stands (of one folder).
    pub fn imported_adjudications(&self, folder: Option<&str>) -> Result<Vec<ImportedAdjudication>> {
        answers::imported_adjudications(&self.content.audit, folder, None)
    }

    /// Settles a disagreement; it is on disk when this returns. `expected`: the settlements the auditor saw
    /// standing ([`Standing::ids`]), of whomever.
    pub fn settle(&mut self, settlement: &Settlement, expected: &[StatementId]) -> Result<Statement> {
        let response = responses::get(&self.content.responses, settlement.response)?
            .ok_or_else(|| StoreError::NotFound { what: "response", id: settlement.response.to_string() })?;
        let judged = self.judged_modalities(&response)?;
        if !judged.contains(settlement.modality) && !response.expected.contains(settlement.modality) {
            return Err(StoreError::Refused(format!(
                "{} was not expected of this response, so there is nothing to settle",
                settlement.modality
            )));
        }
        let subject = settlement_subject(settlement.response, settlement.modality);
        let text = serde_json::to_string(settlement).map_err(StoreError::json("settlement"))?;
        let others = self.statements_of_others(&subject)?;
        let statement = self.own.state(StatementKind::Settlement, &subject, text, expected, &others)?;
        self.behind = true;
        // It is settled; a draft that stays behind would only be shown again.
        let _ = self.own.mine.drop_draft(DRAFT, &subject);
        Ok(statement)
    }
    pub(super) fn statements_of_others(&mut self, subject: &str) -> Result<Vec<Statement>> {
        self.look_around()?;
        let mut all = Vec::new();
        for journal in &self.others {
            all.extend(journal.about(subject)?);
        }
        Ok(all)
    }
    /// Takes back an own settlement, mark, finding or grade; what it had replaced stands again. Not a draw: who may take one back
    /// draws until the sample pleases.
    pub fn retract(&mut self, id: StatementId) -> Result<Statement> {
        if self.own.find(id)?.kind == StatementKind::AuditDraw {
            return Err(StoreError::Refused(
                "a sample that was drawn is looked through; it cannot be taken back".to_owned(),
            ));
        }
        let statement = self.own.retract(id)?;
        self.behind = true;
        Ok(statement)
    }
    /// States again what was taken back.
    pub fn redo(&mut self, id: StatementId) -> Result<Statement> {
        let subject = self.own.find(id)?.subject;
        let others = self.statements_of_others(&subject)?;
        let statement = self.own.redo(id, &others)?;
        self.behind = true;
        Ok(statement)
    }

    /// The person's own settlements and retractions, newest first: up to `limit` of those before `before` (a
    /// statement of an earlier page; none for the first).
    pub fn recent(&self, before: Option<StatementId>, limit: usize) -> Result<Vec<Record>> {
        let mut all = Vec::new();
        for statement in self.own.recent(before, limit)? {
            let about = records(self.own.about(&statement.subject)?);
            all.extend(about.into_iter().find(|record| record.statement.id == statement.id));
        }
        Ok(all)
    }
    /// The own statement with this id, if there is one.
    pub fn own_statement(&self, id: StatementId) -> Result<Option<Statement>> {
        match self.own.find(id) {
            Ok(statement) => Ok(Some(statement)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(e) => Err(e),
        }
    }
    /// The newest own settlement that stands: what "undo" takes back.
    pub fn newest_undoable(&self) -> Result<Option<Statement>> {
        self.own.newest_undoable()
    }

    /// Keeps what is being typed about a modality of a response.
    pub fn save_draft(&mut self, response: ResponseId, modality: Modality, body: &str) -> Result<()> {
        self.own.mine.save_draft(DRAFT, &settlement_subject(response, modality), body)
    }
    /// What was being typed.
    pub fn draft(&self, response: ResponseId, modality: Modality) -> Result<Option<String>> {
        self.own.mine.draft(DRAFT, &settlement_subject(response, modality))
    }
    /// Drops what was being typed.
    pub fn drop_draft(&mut self, response: ResponseId, modality: Modality) -> Result<()> {
        self.own.mine.drop_draft(DRAFT, &settlement_subject(response, modality))
    }
}
