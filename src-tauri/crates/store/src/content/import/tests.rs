//! What belongs here: imports over a temporary study, stopped at every step, twice, in any order; and that the
//! files a blind person opens hold nothing of what they must not see.

use super::*;
use crate::content::{prompts, responses, rubrics};
use crate::sqlite::Access;
use domain::{
    Asset, AssetState, Criterion, Detection, Failure, Grade, HumanVerdict, InputAsset, JudgedRow, Modality,
    ModalityList, PayloadStatus, Presence, PromptId, PromptRecord, ResponseId, RowAsset, StoredScores,
    Verdict,
};
use serde_json::json;

struct Study {
    content: Content,
    blobs: Blobs,
    dir: tempfile::TempDir,
}

fn study() -> Study {
    let dir = tempfile::tempdir().unwrap();
    crate::content::create(dir.path()).unwrap();
    // The secret is fixed, so that two studies can be compared.
    let audit = sqlite_file(&dir, "audit");
    Connection::open(audit).unwrap().execute("UPDATE meta SET secret = ?1", [[7_u8; 32]]).unwrap();
    Study { content: Content::open(dir.path(), Access::Write).unwrap(), blobs: Blobs::of(dir.path()), dir }
}

fn sqlite_file(dir: &tempfile::TempDir, name: &str) -> std::path::PathBuf {
    dir.path().join("content").join(format!("{name}.sqlite"))
}

pub(crate) fn source(content: u8, format: &str, scope: &str) -> ImportSource {
    ImportSource {
        sha256: BlobHash::from_bytes([content; 32]),
        format: format.to_owned(),
        scope: scope.to_owned(),
        path: format!("somewhere/{scope}"),
        options: json!({}),
    }
}

fn list(names: &[Modality]) -> ModalityList {
    names.iter().copied().collect()
}

pub(crate) fn prompt(key: &str, text: &str) -> PromptRecord {
    PromptRecord {
        key: key.to_owned(),
        text: text.to_owned(),
        input_modalities: list(&[Modality::Text]),
        gold: list(&[Modality::Text, Modality::Image]),
        input_files: vec!["in.png".to_owned()],
        criteria: vec![Criterion {
            id: "1".to_owned(),
            criterion: format!("CANARY-criterion of {key}"),
            modality: Modality::Text,
        }],
        beside: domain::BesideCriteria::default(),
        language: None,
    }
}

pub(crate) fn row(key: &str, line: u64, text: &str) -> JudgedRow {
    let mut presence = Presence::default();
    presence.0[0] = Detection { native: true, ..Detection::default() };
    JudgedRow {
        line,
        offset: line * 1000,
        length: 900,
        prompt_key: key.to_owned(),
        run_name: "CANARY-run".to_owned(),
        provider: "CANARY-provider".to_owned(),
        model: "CANARY-model".to_owned(),
        expected: list(&[Modality::Text, Modality::Image]),
        presence,
        judge_used: true,
        judge_model: "CANARY-judge".to_owned(),
        judge_reasoning: "CANARY-reasoning".to_owned(),
        failure: None,
        response_text: text.to_owned(),
        assets: vec![RowAsset {
            asset_id: "CANARY-asset".to_owned(),
            modality: Modality::Image,
            source_type: "CANARY-source".to_owned(),
            delivery: "provider_inline".to_owned(),
            mime_type: "image/CANARY".to_owned(),
            tail: Some("CANARY_assets/p/x.png".to_owned()),
            source_url: "https://canary.test/CANARY".to_owned(),
            sha256: String::new(),
            size_bytes: 3,
            capture_status: "captured".to_owned(),
            error: "CANARY-error".to_owned(),
        }],
        rubric_used: true,
        rubric_judge_model: "CANARY-rubric-judge".to_owned(),
        grades: [1.0, 0.5]
            .iter()
            .zip(1..)
            .map(|(score, index)| Grade {
                index,
                id: index.to_string(),
                criterion: "CANARY-criterion graded".to_owned(),
                modality: Some(Modality::Text),
                modality_raw: "Text".to_owned(),
                score: *score,
                explanation: "CANARY-explanation".to_owned(),
                evaluator_error: false,
                payload: PayloadStatus::Gradeable,
                input_media_skipped: vec![],
            })
            .collect(),
        stored: StoredScores::default(),
    }
}

pub(crate) fn asset(blob: BlobHash) -> Asset {
    Asset {
        position: 0,
        modality: Modality::Image,
        state: AssetState::Ok,
        blob: Some(blob),
        bytes: 3,
        format: "png".to_owned(),
        link: Some("https://canary.test/CANARY-link".to_owned()),
    }
}

pub(crate) fn file(variant: &str) -> RunFile {
    RunFile {
        folder: "CANARY-folder".to_owned(),
        file: format!("20260101_000000_CANARY{variant}.jsonl"),
        variant: variant.to_owned(),
        timestamp: "20260101_000000".to_owned(),
    }
}

pub(crate) fn verdict(line: u64, verdict: Verdict) -> (u64, HumanVerdict) {
    let verdict = HumanVerdict {
        annotator: "CANARY-annotator".to_owned(),
        prompt_key: "p1".to_owned(),
        model: "CANARY-run".to_owned(),
        modality: Modality::Text,
        verdict,
        comment: "CANARY-comment".to_owned(),
        ai_assisted: false,
        seconds: Some(4.0),
        details: domain::VerdictDetails::default(),
    };
    (line, verdict)
}

/// One file's rows, in the order of the file.
#[derive(Clone)]
enum Item {
    Prompt(u64, PromptRecord),
    Row(RunFile, Box<JudgedRow>),
    Verdict(u64, HumanVerdict),
}

fn files() -> Vec<(ImportSource, Vec<Item>)> {
    let row = |key, line, text| Item::Row(file(""), Box::new(row(key, line, text)));
    vec![
        (
            source(1, "dataset", ""),
            vec![
                Item::Prompt(1, prompt("p1", "one")),
                Item::Prompt(2, prompt("p2", "two")),
                Item::Prompt(3, prompt("p3", "three")),
            ],
        ),
        (
            source(2, "rows", "CANARY-folder/a"),
            vec![
                row("p1", 1, "first"),
                row("p2", 2, "other"),
                row("p1", 3, "first"),
                row("p1", 4, "last"),
                row("p9", 5, "orphan"),
            ],
        ),
        (
            source(3, "verdicts", "CANARY-folder"),
            [verdict(2, Verdict::Correct), verdict(3, Verdict::Incorrect)]
                .map(|(l, v)| Item::Verdict(l, v))
                .to_vec(),
        ),
    ]
}

impl Study {
    fn begin(&self, source: &ImportSource) -> (Option<Import<'_>>, usize) {
        match Import::begin(&self.content, &self.blobs, source).unwrap() {
            Begun::AlreadyDone(_) => (None, 0),
            Begun::Fresh(import) => (Some(import), 0),
            Begun::Resume { import, offset, .. } => (Some(import), usize::try_from(offset).unwrap()),
        }
    }

    fn put(&self, import: &mut Import<'_>, item: &Item) -> Result<Put> {
        let (blob, _) = self.blobs.put(&mut b"PNG".as_slice())?;
        match item {
            Item::Prompt(line, record) => {
                let input = InputAsset {
                    name: "in.png".to_owned(),
                    blob: Some(blob),
                    bytes: 3,
                    format: "png".to_owned(),
                };
                import.put_prompt(*line, record, &[input])
            }
            Item::Row(file, row) => import.put_row(file, row, vec![asset(blob)]),
            Item::Verdict(line, verdict) => import.put_verdict(*line, "CANARY-folder", verdict),
        }
    }

    /// Imports a file in chunks of two; the offset counts items. Stops, as a kill would, before step `stop`.
    fn import(&self, source: &ImportSource, items: &[Item], stop: Option<u32>) -> Result<Vec<Put>> {
        let (Some(mut import), from) = self.begin(source) else { return Ok(vec![]) };
        import.stop_before = stop;
        let mut puts = Vec::new();
        for (at, item) in items.iter().enumerate().skip(from) {
            puts.push(self.put(&mut import, item)?);
            if at % 2 == 1 {
                import.commit_chunk(at as u64 + 1, at as u64 + 1, &json!({"seen": at + 1}))?;
            }
        }
        import.complete(items.len() as u64, items.len() as u64, &json!({"seen": items.len()}))?;
        Ok(puts)
    }

    /// Everything that the four files hold, as text, but for times.
    fn dump(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (connection, tables) in [
            (&self.content.study, vec!["prompts", "inputs"]),
            (&self.content.responses, vec!["responses", "assets"]),
            (&self.content.rubrics, vec!["rubrics", "heads"]),
            (
                &self.content.audit,
                vec![
                    "prompt_versions",
                    "prompt_origins",
                    "prompt_heads",
                    "runs",
                    "run_files",
                    "slots",
                    "judged",
                    "cells",
                    "judged_details",
                    "human_verdicts",
                ],
            ),
        ] {
            for table in tables {
                let mut query = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
                let columns = query.column_count();
                let mut rows = query.query([]).unwrap();
                while let Some(row) = rows.next().unwrap() {
                    let cells: Vec<_> = (0..columns)
                        .map(|c| format!("{:?}", row.get::<_, rusqlite::types::Value>(c).unwrap()))
                        .collect();
                    lines.push(format!("{table}: {}", cells.join(" ")));
                }
            }
        }
        lines
    }

    fn standing(&self, key: &str) -> Option<String> {
        let id: Option<[u8; 16]> = self
            .content
            .audit
            .query_row("SELECT response FROM slots WHERE prompt_key = ?1", [key], |row| row.get(0))
            .optional()
            .unwrap()
            .flatten();
        id.map(|id| {
            responses::get(&self.content.responses, ResponseId::from_bytes(id)).unwrap().unwrap().text
        })
    }
}

fn imported() -> Study {
    let study = study();
    for (source, items) in files() {
        study.import(&source, &items, None).unwrap();
    }
    study
}

#[test]
fn the_last_row_of_a_prompt_wins_and_a_repeated_one_adds_nothing() {
    let study = study();
    let all = files();
    study.import(&all[0].0, &all[0].1, None).unwrap();
    let puts = study.import(&all[1].0, &all[1].1, None).unwrap();
    assert_eq!(
        puts,
        [Put::Added, Put::Added, Put::Unchanged, Put::Added, Put::Added],
        "the third row repeats the first one's words; the fourth says something new of the same prompt"
    );
    assert_eq!(study.standing("p1").as_deref(), Some("last"), "the last complete row wins (quirk Q15)");
    assert_eq!(study.standing("p9").as_deref(), Some("orphan"), "a row without a prompt is kept (quirk Q17)");
    let counts: (i64, i64) = study
        .content
        .audit
        .query_row("SELECT sum(state = 1), sum(state = 2) FROM judged", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!(counts, (3, 1), "p1, p2 and p9 stand; the first row of p1 is superseded");
}

#[test]
fn importing_again_adds_nothing() {
    let study = imported();
    let before = study.dump();
    for (source, items) in files() {
        assert!(study.begin(&source).0.is_none(), "the same bytes in the same place are known as done");
        let renamed = ImportSource { sha256: BlobHash::from_bytes([99; 32]), ..source };
        let puts = study.import(&renamed, &items, None).unwrap();
        assert!(
            !puts.contains(&Put::Added) || matches!(items[0], Item::Row(..) | Item::Verdict(..)),
            "a dataset with the same records and other bytes brings nothing new: {puts:?}"
        );
    }
    let kept = |lines: &[String], table: &str| {
        lines.iter().filter(|l| l.starts_with(table)).cloned().collect::<Vec<_>>()
    };
    let after = study.dump();
    for table in ["prompts:", "inputs:", "responses:", "assets:", "rubrics:", "heads:", "slots:"] {
        assert_eq!(kept(&before, table), kept(&after, table), "what people see of {table} is as it was");
    }
}

#[test]
fn an_import_stopped_at_any_step_resumes_to_the_same_study() {
    let want = imported().dump();
    let all = files();
    let mut stops = 0;
    for (which, (source, items)) in all.iter().enumerate() {
        for stop in 0.. {
            let study = study();
            for (source, items) in &all[..which] {
                study.import(source, items, None).unwrap();
            }
            let stopped = study.import(source, items, Some(stop)).is_err();
            stops += u32::from(stopped);
            if stopped && study.begin(source).0.is_some() {
                let visible: i64 = study
                    .content
                    .audit
                    .query_row(
                        "SELECT (SELECT count(*) FROM judged WHERE import = n AND state > 0)
                              + (SELECT count(*) FROM human_verdicts WHERE import = n AND state > 0)
                              + (SELECT count(*) FROM prompt_heads WHERE prompt IN (SELECT prompt FROM prompt_origins WHERE import = n))
                         FROM imports ORDER BY n DESC LIMIT 1",
                        [],
                        |row| row.get(0),
                    )
                    .unwrap();
                assert_eq!(
                    visible, 0,
                    "without the completion mark nothing of the import shows (step {stop})"
                );
            }
            for (source, items) in &all[which..] {
                study.import(source, items, None).unwrap();
            }
            let got = study.dump();
            let differing = want.iter().zip(&got).find(|(want, got)| want != got);
            assert_eq!(
                differing, None,
                "stopped before step {stop} of file {which}, resumed: the same study"
            );
            assert_eq!(want.len(), got.len(), "and nothing more or less in it");
            if !stopped {
                break;
            }
        }
    }
    assert!(stops > 20, "every file was stopped at every step it has, {stops} in all");
}

#[test]
fn an_abandoned_import_leaves_nothing() {
    let study = study();
    let all = files();
    study.import(&all[0].0, &all[0].1, None).unwrap();
    let before = study.dump();
    let changed = [Item::Prompt(1, prompt("p1", "changed")), Item::Prompt(2, prompt("p7", "new"))];
    for (source, items) in [(source(8, "dataset", ""), changed.to_vec()), all[1].clone()] {
        let (import, _) = study.begin(&source);
        let mut import = import.unwrap();
        for item in &items {
            study.put(&mut import, item).unwrap();
        }
        import.commit_chunk(7, 7, &json!({})).unwrap();
        import.abandon().unwrap();
    }
    let left: Vec<_> = study
        .dump()
        .into_iter()
        .filter(|l| !["runs:", "run_files:", "slots:"].iter().any(|t| l.starts_with(t)))
        .collect();
    assert_eq!(
        left, before,
        "prompts, responses and rubrics that only the abandoned import brought are gone"
    );
    assert_eq!(study.standing("p1"), None, "no response stands in a slot that was only begun");
}

#[test]
fn a_changed_prompt_is_a_new_version_and_a_changed_rubric_is_handed_out() {
    let study = imported();
    let mut other_rubric = prompt("p2", "two");
    other_rubric.criteria[0].criterion = "other".to_owned();
    let items = [
        Item::Prompt(1, prompt("p1", "one, changed")),
        Item::Prompt(2, other_rubric),
        Item::Prompt(3, prompt("p3", "three")),
    ];
    let puts = study.import(&source(9, "dataset", ""), &items, None).unwrap();
    assert_eq!(puts, [Put::Added, Put::Added, Put::Unchanged], "p3 says what it said");
    let id = |key: &str| PromptId::from_bytes(study.content.secret.id("prompt", &[key.as_bytes()]));
    let text =
        |version| prompts::get(&study.content.study, id("p1"), version).unwrap().map(|p| (p.version, p.text));
    assert_eq!(text(None), Some((2, "one, changed".to_owned())), "the newest version is the changed one");
    assert_eq!(text(Some(1)), Some((1, "one".to_owned())), "the old version stays: statements name it");
    let rubric = rubrics::handed_out(&study.content.rubrics, id("p2"), 1).unwrap().unwrap();
    assert_eq!(
        (rubric.version, rubric.criteria[0].criterion.as_str()),
        (2, "other"),
        "the prompt is the same, its rubric is new"
    );
}

#[test]
fn a_prompt_given_twice_with_other_content_is_a_conflict_and_the_first_stays() {
    let study = study();
    let items = [
        Item::Prompt(1, prompt("p1", "one")),
        Item::Prompt(2, prompt("p1", "one")),
        Item::Prompt(3, prompt("p1", "two")),
    ];
    let puts = study.import(&source(1, "dataset", ""), &items, None).unwrap();
    assert_eq!(puts[..2], [Put::Added, Put::Unchanged], "an identical record is the same prompt (quirk Q16)");
    assert!(
        matches!(&puts[2], Put::Conflict(why) if why.contains("line 1")),
        "it names the line that stays: {:?}",
        puts[2]
    );
    let id = PromptId::from_bytes(study.content.secret.id("prompt", &[b"p1"]));
    assert_eq!(
        prompts::get(&study.content.study, id, Some(1)).unwrap().unwrap().text,
        "one",
        "the first is kept"
    );
    let head: u32 =
        study.content.audit.query_row("SELECT version FROM prompt_heads", [], |r| r.get(0)).unwrap();
    assert_eq!(head, 1, "the version that stands is the first");
}

#[test]
fn a_variant_judges_the_response_that_stands_in_either_order() {
    let base = |study: &Study| {
        study
            .import(
                &source(2, "rows", "f/base"),
                &[Item::Row(file(""), Box::new(row("p1", 1, "base")))],
                None,
            )
            .unwrap();
    };
    let variant = |study: &Study| {
        let row = row("p1", 1, "filled from raw");
        study
            .import(&source(3, "rows", "f/var"), &[Item::Row(file("_rejudged"), Box::new(row))], None)
            .unwrap();
    };
    for variant_first in [false, true] {
        let study = study();
        if variant_first {
            variant(&study);
            assert_eq!(
                study.standing("p1").as_deref(),
                Some("filled from raw"),
                "alone, the variant's row stands"
            );
        }
        base(&study);
        if !variant_first {
            variant(&study);
            let n: i64 = study
                .content
                .responses
                .query_row("SELECT count(*) FROM responses", [], |r| r.get(0))
                .unwrap();
            assert_eq!(n, 1, "a variant is another judging, not another response (MMI-FORMAT 6)");
        }
        assert_eq!(study.standing("p1").as_deref(), Some("base"), "the base file's response stands");
    }
}

#[test]
fn the_same_file_under_another_folder_is_another_run() {
    let study = imported();
    let elsewhere = RunFile { folder: "second".to_owned(), ..file("") };
    study
        .import(&source(2, "rows", "second/a"), &[Item::Row(elsewhere, Box::new(row("p1", 4, "last")))], None)
        .unwrap();
    let pairs = [("p1".to_owned(), "CANARY-run".to_owned())];
    assert_eq!(
        folders_holding(&study.content.audit, &pairs).unwrap(),
        ["CANARY-folder", "second"],
        "both folders hold that prompt of that run"
    );
    let pairs = [pairs[0].clone(), ("p2".to_owned(), "CANARY-run".to_owned())];
    assert_eq!(
        folders_holding(&study.content.audit, &pairs).unwrap(),
        ["CANARY-folder"],
        "only the first holds both"
    );
}

#[test]
fn a_row_that_names_a_missing_blob_is_refused() {
    let study = study();
    let (import, _) = study.begin(&source(1, "rows", "f/a"));
    let refused =
        import.unwrap().put_row(&file(""), &row("p1", 1, "x"), vec![asset(BlobHash::from_bytes([5; 32]))]);
    assert!(matches!(refused, Err(StoreError::BlobMissing(_))), "a blob is on disk before any row names it");
}

#[test]
fn blind_files_hold_no_marker_of_what_must_not_be_seen() {
    let study = imported();
    let mut failed = row("p3", 1, "");
    failed.failure = Some(Failure { kind: "CANARY-kind".to_owned(), message: "CANARY-message".to_owned() });
    study.import(&source(5, "rows", "f/x"), &[Item::Row(file(""), Box::new(failed))], None).unwrap();
    let dir = study.dir;
    drop(study.content);
    let bytes = |name: &str| {
        ["", "-wal"]
            .iter()
            .filter_map(|suffix| std::fs::read(format!("{}{suffix}", sqlite_file(&dir, name).display())).ok())
            .flatten()
            .collect::<Vec<u8>>()
    };
    let marked = |name: &str| bytes(name).windows(6).any(|w| w.eq_ignore_ascii_case(b"CANARY"));
    assert!(
        marked("audit") && marked("rubrics"),
        "the markers are in the files that may hold them, so the search works"
    );
    assert!(
        !marked("responses"),
        "no model, run, path, metadata, error, grade or verdict is in the judge's file"
    );
    assert!(!marked("study"), "nor in the file that everyone opens");
    let rubrics = bytes("rubrics");
    assert!(
        !rubrics.windows(10).any(|w| w == b"CANARY-run" || w == b"CANARY-mod"),
        "authors' file names no model"
    );
    assert!(
        bytes("responses").windows(5).any(|w| w == b"other"),
        "the answers are there, so the file was read"
    );
}
