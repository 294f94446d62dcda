//! What belongs here: the main job over a temporary study, from import to a rubric sent back, through the views
//! of all four roles.

use super::*;
use crate::content::import::tests::{asset, file, prompt, row, source, verdict};
use crate::{Begun, Judging, Standing};
use domain::{Cause, Judgement, Modality, ModalityVerdict, ResponseId, Verdict, VerdictFlags};
use serde_json::json;

struct Place {
    folder: Folder,
    device: Device,
    _dir: tempfile::TempDir,
}

fn name(text: &str) -> PersonName {
    text.parse().unwrap()
}

/// A study with a lead, an author, a judge and an auditor, one prompt, one run of it, and a verdict from a file.
fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(&dir.path().join("demo.assize"), "Demo", None).unwrap();
    let device = Device::in_folder(&dir.path().join("device")).unwrap();
    folder.found(&name("lena"), "Lena", &[]).unwrap();
    let mut lead = folder.lead(&name("lena"), &device).unwrap();
    for (person, role) in [("ann", Role::Author), ("joe", Role::Judge), ("ada", Role::Auditor)] {
        lead.add_person(&name(person), person, &[role]).unwrap();
    }
    let (blob, _) = lead.blobs().put(&mut b"PNG".as_slice()).unwrap();
    let fresh = |begun| match begun {
        Begun::Fresh(import) => import,
        _ => panic!("a new study has imported nothing"),
    };
    let mut import = fresh(lead.begin_import(&source(1, "dataset", "")).unwrap());
    import.put_prompt(1, &prompt("p1", "one"), &[]).unwrap();
    import.complete(1, 1, &json!({})).unwrap();
    let mut import = fresh(lead.begin_import(&source(2, "rows", "CANARY-folder/a")).unwrap());
    import.put_row(&file(""), &row("p1", 1, "answer"), vec![asset(blob)]).unwrap();
    import.complete(1, 1, &json!({})).unwrap();
    let mut import = fresh(lead.begin_import(&source(3, "verdicts", "CANARY-folder")).unwrap());
    let (line, mut from_file) = verdict(2, Verdict::Incorrect);
    import.put_verdict(line, "CANARY-folder", &from_file).unwrap();
    from_file.annotator = "joe".to_owned();
    import.put_verdict(3, "CANARY-folder", &from_file).unwrap();
    import.complete(3, 3, &json!({})).unwrap();
    lead.close().unwrap();
    Place { folder, device, _dir: dir }
}

impl Place {
    fn lead(&self) -> LeadView {
        self.folder.lead(&name("lena"), &self.device).unwrap()
    }
    fn response(&self) -> ResponseId {
        self.lead().answers_to("p1").unwrap()[0].response
    }
    /// Joe gets the response and judges both modalities correct.
    fn judged(&self) -> ResponseId {
        let response = self.response();
        let handout = Handout { subject: response.to_string(), version: 1 };
        self.lead().assign(TaskKind::Judge, &name("joe"), &[handout], None).unwrap();
        let mut judge = self.folder.judge(&name("joe"), &self.device).unwrap();
        let task = judge.next_open(0).unwrap().expect("the task was handed out");
        let verdicts = judge
            .item(task.id)
            .unwrap()
            .response
            .expected
            .iter()
            .map(|modality| ModalityVerdict {
                modality,
                verdict: Verdict::Correct,
                comment: String::new(),
                flags: VerdictFlags::default(),
                anchors: Vec::new(),
                ai_asked: String::new(),
                perceived: String::new(),
            })
            .collect();
        let judgement = Judgement {
            response,
            verdicts,
            noted: Vec::new(),
            active_ms: 1500,
            idle_ms: 0,
            guidelines_version: 0,
            prompt_version: 1,
            exposures: Vec::new(),
        };
        judge.judge(task.id, &judgement, &[]).unwrap();
        response
    }
}

fn settlement(response: ResponseId) -> Settlement {
    Settlement {
        response,
        modality: Modality::Text,
        verdict: Verdict::Correct,
        cause: Cause::RubricTooStrict,
        note: "CANARY-note".to_owned(),
        send_rubric_back: true,
    }
}

#[test]
fn a_person_who_judges_here_takes_the_place_of_their_verdict_from_a_file() {
    let place = place();
    let response = place.judged();
    let mut ada = place.folder.auditor(&name("ada"), &place.device).unwrap();
    let mut cells = Vec::new();
    ada.agreement_cells(Judging::default(), |cell| {
        cells.push(cell);
        Ok(())
    })
    .unwrap();
    assert_eq!(cells.len(), 2, "Text has grades and verdicts, Image a verdict without grades");
    let text = &cells[0];
    assert_eq!(
        (text.modality, text.response),
        (Modality::Text, response),
        "the row's own order of modalities"
    );
    let judge = text.judge.expect("Text was graded");
    assert_eq!((judge.grades, judge.mean, judge.min), (2, 0.75, 0.5), "scores 1 and 0.5");
    assert!(text.detection.lenient(), "Text was detected natively");
    let said: Vec<_> = text.verdicts.iter().map(|v| (&*v.annotator, v.verdict, v.live)).collect();
    assert_eq!(
        said,
        [("CANARY-annotator", Verdict::Incorrect, false), ("joe", Verdict::Correct, true)],
        "joe's own verdict counts, not the one read from a file under that name"
    );
    assert_eq!(cells[1].verdicts.len(), 1, "only joe judged Image");
    let mut rows = Vec::new();
    ada.each_verdict(None, |row| {
        rows.push((row.annotator, row.modality, row.statement.is_some()));
        Ok(())
    })
    .unwrap();
    assert_eq!(
        rows,
        [
            ("CANARY-annotator".to_owned(), Modality::Text, false),
            ("joe".to_owned(), Modality::Text, true),
            ("joe".to_owned(), Modality::Image, true)
        ],
        "the export holds the verdicts that count, and no other"
    );
}

#[test]
fn score_rows_are_those_that_stand() {
    let place = place();
    let lead = place.lead();
    let files = lead.judged_files(None).unwrap();
    assert_eq!(files.len(), 1, "one result file was imported");
    let mut rows = Vec::new();
    lead.score_rows(&files[0], |row| {
        rows.push(row);
        Ok(())
    })
    .unwrap();
    assert_eq!(rows.len(), 1, "it has one row");
    assert_eq!(rows[0].run_name, "CANARY-run", "the run's name is the row's");
    assert!(rows[0].presence.of(Modality::Text).native, "detection is kept by modality");
    assert!(!rows[0].presence.of(Modality::Image).lenient(), "what was not detected is not");
    assert_eq!(rows[0].cells.iter().flatten().count(), 1, "only Text has grades");
}

#[test]
fn a_settlement_sends_the_rubric_back_without_the_response_and_can_be_taken_back() {
    let place = place();
    let response = place.judged();
    let mut ada = place.folder.auditor(&name("ada"), &place.device).unwrap();
    let stated = ada.settle(&settlement(response), &[]).unwrap();
    let settled = ada.settled(response, Modality::Text).unwrap();
    assert_eq!(settled.standing.ids(), [stated.id], "the settlement stands");
    assert!(
        matches!(ada.settle(&settlement(response), &[]), Err(StoreError::Stale { .. })),
        "who has not seen what stands cannot settle over it"
    );

    place.lead().close().unwrap();
    let mut ann = place.folder.author(&name("ann"), &place.device).unwrap();
    let tasks = ann.tasks(TaskKind::Author, None, 0, 10).unwrap();
    assert_eq!(tasks.len(), 1, "opening the lead's session made the author's task");
    let note = tasks[0].sent_back().unwrap().expect("a settlement caused it");
    assert_eq!(note.cause, Cause::RubricTooStrict, "the author sees the cause");
    assert_eq!(note.criteria.len(), 1, "and the one criterion of two that the judge did not count as met");
    assert!(
        !tasks[0].note.contains("CANARY-note"),
        "but not what the auditor wrote while looking at the response"
    );
    assert!(!tasks[0].note.contains(&response.to_string()), "nor which response it was");
    assert_eq!(place.lead().catch_up().unwrap(), 0, "the same settlement makes no second task");

    assert_eq!(ada.own_statement(stated.id).unwrap().as_ref(), Some(&stated), "it is the auditor's own");
    ada.retract(stated.id).unwrap();
    let settled = ada.settled(response, Modality::Text).unwrap();
    assert_eq!(settled.standing, Standing::default(), "taken back, nothing stands");
    assert_eq!(ada.newest_undoable().unwrap(), None, "and there is nothing more to undo");
    ada.redo(stated.id).unwrap();
    assert_eq!(
        ada.settled(response, Modality::Text).unwrap().standing.heads.len(),
        1,
        "stated again, it stands again"
    );
}

#[test]
fn an_assignment_that_was_stated_and_not_carried_out_is_carried_out_later() {
    let place = place();
    let response = place.response();
    let mut lead = place.lead();
    let assignment = Assignment {
        kind: TaskKind::Judge.name().to_owned(),
        handouts: vec![Handout { subject: response.to_string(), version: 1 }],
        until: None,
        released: Vec::new(),
    };
    let new = NewStatement {
        kind: StatementKind::Assignment,
        schema_version: 1,
        subject: "joe".to_owned(),
        parents: vec![],
        payload: serde_json::to_string(&assignment).unwrap(),
    };
    // As after a kill between the statement and the inbox.
    lead.journal.append(&lead.device.clone(), &new, |_| Ok(())).unwrap();
    lead.close().unwrap();
    let lead = place.lead();
    assert_eq!(
        Inbox::open(&place.folder, &name("joe")).unwrap().count(TaskKind::Judge).unwrap(),
        1,
        "it is there now"
    );
    lead.close().unwrap();
    assert_eq!(place.lead().catch_up().unwrap(), 0, "and is not made twice");
}

#[test]
fn progress_counts_what_is_done() {
    let place = place();
    place.judged();
    let mut lead = place.lead();
    let progress = lead.progress().unwrap();
    let joe = progress.iter().find(|p| p.person.name == name("joe")).unwrap();
    assert_eq!((joe.judging.total, joe.judging.done), (1, 1), "joe had one response and judged it");
    assert_eq!(
        lead.subjects_of(TaskKind::Judge, &name("joe")).unwrap().len(),
        1,
        "joe's one task has one subject"
    );
    let counts = lead.folder_counts("CANARY-folder").unwrap();
    assert_eq!(
        (counts.responses.get(), counts.verdicts.get()),
        (1, 2),
        "one response; two verdicts from the file"
    );
    let overview = lead.overview().unwrap();
    assert_eq!((overview.prompts.get(), overview.responses.get()), (1, 1), "one prompt, one response");
    assert_eq!(overview.judged, [(name("joe"), 1_u64.into())], "joe judged one response");
}

#[test]
fn a_study_is_founded_once_and_roles_are_kept() {
    let place = place();
    assert!(
        place.folder.found(&name("eve"), "Eve", &[]).is_err(),
        "a study with a lead takes no second founder"
    );
    assert!(
        matches!(place.folder.lead(&name("joe"), &place.device), Err(StoreError::NoRole { .. })),
        "a judge is no lead"
    );
    assert!(
        matches!(place.folder.auditor(&name("joe"), &place.device), Err(StoreError::NoRole { .. })),
        "nor an auditor"
    );
}

#[test]
fn a_published_rubric_is_handed_out_and_found_prompts_fit_the_search() {
    let place = place();
    let mut lead = place.lead();
    let prompt = lead.prompt_with_key("p1").unwrap().expect("it was imported");
    let before = lead.rubric(prompt.id, 1).unwrap().expect("it came with the dataset");
    let mut criteria = before.criteria.clone();
    criteria[0].criterion = "Says so.".to_owned();
    assert_eq!(lead.publish_rubric(prompt.id, 1, &criteria).unwrap(), 2, "other content is a new version");
    assert_eq!(
        lead.publish_rubric(prompt.id, 1, &criteria).unwrap(),
        2,
        "the same content is the same version"
    );
    assert_eq!(
        lead.rubric(prompt.id, 1).unwrap().unwrap().source,
        RubricSource::Published,
        "it is handed out"
    );
    assert_eq!(lead.prompts("", 10, Some("ONE")).unwrap().len(), 1, "search has no case");
    assert_eq!(lead.prompts("", 10, Some("two")).unwrap().len(), 0, "and finds only what fits");
    assert_eq!(lead.prompts("p1", 10, None).unwrap().len(), 0, "after the last key there is no more");
    assert_eq!(lead.publish_guidelines("# Judge well").unwrap(), 1, "the first guidelines are version 1");
    assert_eq!(lead.publish_guidelines("# Judge well").unwrap(), 1, "the same text is no new version");
    assert_eq!(lead.publish_guidelines("# Judge better").unwrap(), 2, "another is");
}

/// Alters the study's audit file by hand and asks a check what is wrong.
fn altered(sql: &str) -> Vec<String> {
    let place = place();
    place.lead().close().unwrap();
    assert!(place.folder.check().unwrap().problems.is_empty(), "an untouched study is whole");
    let audit = rusqlite::Connection::open(place.folder.content("audit")).unwrap();
    assert!(audit.execute(sql, []).unwrap() > 0, "something is altered: {sql}");
    drop(audit);
    let report = place.folder.check().unwrap();
    report.problems.into_iter().map(|problem| format!("{}: {}", problem.file, problem.what)).collect()
}

#[test]
fn imported_rows_that_are_altered_by_hand_are_found() {
    for sql in [
        "UPDATE human_verdicts SET verdict = CASE verdict WHEN 'correct' THEN 'incorrect' ELSE 'correct' END",
        "UPDATE human_verdicts SET comment = comment || ' indeed'",
        "UPDATE human_verdicts SET state = 2",
        "UPDATE cells SET mean = mean / 2, min = 0",
        "UPDATE judged_details SET grades = '[]'",
        "UPDATE runs SET run_name = 'another-model'",
        "UPDATE slots SET response = NULL",
        "UPDATE imports SET sha256 = zeroblob(32)",
    ] {
        let found = altered(sql);
        assert!(
            found.iter().any(|what| what.starts_with("content/audit.sqlite") && what.contains("by hand")),
            "{sql}: {found:?}"
        );
    }
    let gone = altered("DELETE FROM human_verdicts WHERE line = 3");
    assert!(gone.iter().any(|what| what.contains("1 rows")), "a row that was removed is counted: {gone:?}");
}

#[test]
fn what_is_not_done_in_time_is_free_for_others() {
    let place = place();
    let response = place.response();
    let handout = Handout { subject: response.to_string(), version: 1 };
    let mut lead = place.lead();
    let until = "2026-01-01T00:00:00.000Z";
    let (before, after) = ("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.001Z");
    lead.assign(TaskKind::Judge, &name("joe"), &[handout], Some(until)).unwrap();
    assert!(lead.expired(before).unwrap().is_empty(), "its time is not over");
    let over = lead.expired(after).unwrap();
    assert_eq!(over.len(), 1, "now it is");
    assert_eq!((over[0].person.as_str(), over[0].subjects.len()), ("joe", 1), "one task of joe");
    // Joe's session has seen the task already.
    let mut judge = place.folder.judge(&name("joe"), &place.device).unwrap();
    assert_eq!(judge.counts().unwrap().total, 1, "it is in joe's queue");
    lead.release_expired(TaskKind::Judge, after).unwrap();
    assert!(judge.changes().unwrap().tasks, "the session sees that its tasks changed");
    assert_eq!(judge.counts().unwrap().total, 0, "and it leaves the queue");
    judge.close().unwrap();
    assert!(lead.subjects_of(TaskKind::Judge, &name("joe")).unwrap().is_empty(), "others may get it");
    assert!(lead.expired(after).unwrap().is_empty(), "nothing is left to take back");
    lead.close().unwrap();
    assert_eq!(place.lead().catch_up().unwrap(), 0, "and a new session does not bring it back");
    assert!(place.folder.check().unwrap().problems.is_empty(), "the study is whole");
}

#[test]
fn what_was_done_in_time_stays() {
    let place = place();
    let response = place.response();
    let handout = Handout { subject: response.to_string(), version: 1 };
    place.lead().assign(TaskKind::Judge, &name("joe"), &[handout], Some("2026-01-01T00:00:00.000Z")).unwrap();
    let mut judge = place.folder.judge(&name("joe"), &place.device).unwrap();
    let task = judge.next_open(0).unwrap().unwrap();
    let item = judge.item(task.id).unwrap();
    let verdicts = item
        .response
        .expected
        .iter()
        .map(|modality| ModalityVerdict {
            modality,
            verdict: Verdict::Correct,
            comment: String::new(),
            flags: VerdictFlags::default(),
            ai_asked: String::new(),
            perceived: String::new(),
            anchors: Vec::new(),
        })
        .collect();
    let judgement = Judgement {
        response,
        verdicts,
        noted: Vec::new(),
        active_ms: 1,
        idle_ms: 0,
        exposures: Vec::new(),
        guidelines_version: 0,
        prompt_version: 1,
    };
    judge.judge(task.id, &judgement, &[]).unwrap();
    judge.close().unwrap();
    let mut lead = place.lead();
    assert!(lead.expired("2026-06-01T00:00:00.000Z").unwrap().is_empty(), "nothing is over that is done");
}

/// Makes a content file one of its first form, with what is in it of that.
fn as_at_first(folder: &Folder, name: &'static str, schema: &crate::sqlite::Schema) {
    let path = folder.content(name);
    let now = path.with_extension("now");
    std::fs::rename(&path, &now).unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(schema.migrations[0]).unwrap();
    file.pragma_update(None, "application_id", schema.application_id).unwrap();
    file.pragma_update(None, "user_version", 1).unwrap();
    file.execute("ATTACH ?1 AS now", [now.to_string_lossy()]).unwrap();
    let list = |sql: &str| -> Vec<String> {
        let mut query = file.prepare(sql).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap()
    };
    file.pragma_update(None, "foreign_keys", false).unwrap();
    for table in list("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    {
        let columns = list(&format!("SELECT name FROM pragma_table_info('{table}')")).join(", ");
        file.execute(&format!("INSERT INTO main.{table} ({columns}) SELECT {columns} FROM now.{table}"), [])
            .unwrap();
    }
    file.execute_batch("DETACH now").unwrap();
    drop(file);
    std::fs::remove_file(now).unwrap();
}

#[test]
fn a_study_from_before_is_checked_copied_and_brought_up_to_date() {
    let place = place();
    place.judged();
    place.lead().close().unwrap();
    as_at_first(&place.folder, "audit", &crate::content::AUDIT);
    as_at_first(&place.folder, "rubrics", &crate::content::RUBRICS);
    as_at_first(&place.folder, "study", &crate::content::STUDY);
    let report = place.folder.check().unwrap();
    assert!(!report.is_damaged(), "nothing of it is lost: {:?}", report.problems);
    let told: Vec<&str> = report.problems.iter().map(|problem| problem.file.as_str()).collect();
    let mut told = told;
    told.sort_unstable();
    assert_eq!(
        told,
        ["content/audit.sqlite", "content/rubrics.sqlite", "content/study.sqlite"],
        "each is said to be older"
    );
    assert!(report.statements > 0 && report.blobs > 0, "and everything was looked at");

    let copy = place.folder.root().with_file_name("copy.assize");
    place.folder.backup(&copy, |_| Ok(())).unwrap();
    let copied = Folder::open(&copy, None).unwrap().check().unwrap();
    let counted = |report: &crate::Report| (report.problems.clone(), report.statements, report.blobs);
    assert_eq!(counted(&copied), counted(&report), "the copy is what it is a copy of");

    let audit = rusqlite::Connection::open(place.folder.content("audit")).unwrap();
    audit.execute("UPDATE human_verdicts SET comment = 'altered'", []).unwrap();
    drop(audit);
    assert!(
        place.folder.check().unwrap().is_damaged(),
        "what is altered in an older file is found all the same"
    );

    Folder::open(&copy, None).unwrap().lead(&name("lena"), &place.device).unwrap().close().unwrap();
    let now = Folder::open(&copy, None).unwrap().check().unwrap();
    assert_eq!(now.problems, [], "a lead's session brings it up to date");
}

#[test]
fn who_works_blind_changes_no_form_of_the_study_but_of_their_own_package() {
    let place = place();
    let package = place.folder.root().with_file_name("joe.assizepack");
    let passphrase = crate::Passphrase::new("three dry towels".to_owned()).unwrap();
    place.judged();
    let mut lead = place.lead();
    lead.pack(&name("joe"), Role::Judge, crate::Seal::Passphrase(&passphrase), &package).unwrap();
    lead.close().unwrap();
    as_at_first(&place.folder, "study", &crate::content::STUDY);
    let before = std::fs::read(place.folder.content("study")).unwrap();
    let refused = |error: StoreError| {
        assert!(matches!(error, StoreError::OlderFile { .. }), "{error}");
        assert!(error.to_string().contains("let the lead open the study once"), "{error}");
    };
    refused(place.folder.judge(&name("joe"), &place.device).map(|_| ()).unwrap_err());
    refused(place.folder.author(&name("ann"), &place.device).map(|_| ()).unwrap_err());
    let now = std::fs::read(place.folder.content("study")).unwrap();
    assert!(now == before, "the study's file is as it was");
    place.lead().close().unwrap();
    place.folder.judge(&name("joe"), &place.device).unwrap().close().unwrap();

    let key = crate::PackageKey::of_device(&place.device).unwrap();
    let away = place.folder.root().with_file_name("away");
    let opened = crate::open_package(&package, Some(&passphrase), &key, &away).unwrap();
    let opened = Folder::open(&opened, None).unwrap();
    as_at_first(&opened, "study", &crate::content::STUDY);
    opened.judge(&name("joe"), &place.device).unwrap().close().unwrap();
    assert_eq!(opened.check().unwrap().problems, [], "in a package there is no lead who could");
}

#[test]
fn what_left_the_gold_list_takes_nothing_away_from_a_judgement() {
    let study = crate::sqlite::open_in_memory(&crate::content::STUDY).unwrap();
    let id = PromptId::from_bytes([7; 16]);
    let versions: [(&str, &[Modality]); 6] = [
        ("one", &[Modality::Text, Modality::Image]),
        ("one", &[Modality::Text]),
        ("one", &[Modality::Text, Modality::Audio]),
        ("two", &[Modality::Text, Modality::Audio]),
        ("two", &[Modality::Audio]),
        ("two", &[Modality::Audio]),
    ];
    for ((text, gold), version) in versions.into_iter().zip(1..) {
        let prompt = domain::Prompt {
            id,
            version,
            key: "p".to_owned(),
            text: text.to_owned(),
            // A language that is told later is no other question.
            language: if version == 6 { "en" } else { "und" }.to_owned(),
            input_modalities: [Modality::Text].into_iter().collect(),
            gold: gold.iter().copied().collect(),
            inputs: Vec::new(),
        };
        crate::content::prompts::put(&study, &prompt).unwrap();
    }
    let since = |version| crate::content::prompts::judged_since(&study, id, version).unwrap();
    assert_eq!(
        [1, 2, 3, 4, 5, 6].map(since),
        [1, 1, 3, 4, 4, 4],
        "an image that left asks for nothing, a sound that came does, and so does another question"
    );
    let asked = |version, expected: &[Modality]| {
        let now = crate::content::prompts::get(&study, id, Some(version)).unwrap().unwrap();
        let list = expected.iter().copied().collect();
        crate::content::prompts::expected(&study, &now, &list).unwrap().as_slice().to_vec()
    };
    assert_eq!(asked(1, &[Modality::Text]), [Modality::Text], "in its first version, what its row expects");
    assert_eq!(asked(2, &[Modality::Text, Modality::Image]), [Modality::Text]);
    assert_eq!(asked(4, &[Modality::Text, Modality::Image]), [Modality::Text, Modality::Audio]);
    assert_eq!(
        asked(4, &[Modality::Video]),
        [Modality::Video, Modality::Audio],
        "what was never in the list stays"
    );
}

fn two_items() -> (domain::Quiz, domain::QuizKey) {
    let item = |id: &str| domain::QuizItem {
        id: id.to_owned(),
        statement: "It is so.".to_owned(),
        question: "Why?".to_owned(),
        options: vec!["a".to_owned(), "b".to_owned()],
        section: String::new(),
    };
    let right = |id: &str| domain::KeyedAnswer {
        item: id.to_owned(),
        is_true: true,
        choice: 1,
        explanation: "CANARY-key".to_owned(),
    };
    let quiz = domain::Quiz {
        title: "Quiz".to_owned(),
        items: vec![item("q1"), item("q2")],
        ..domain::Quiz::default()
    };
    (quiz, domain::QuizKey { answers: vec![right("q1"), right("q2")] })
}

#[test]
fn a_quiz_is_marked_once_and_its_result_comes_with_the_next_attempt() {
    let place = place();
    let joe = name("joe");
    let mut lead = place.lead();
    let (quiz, key) = two_items();
    assert!(lead.give_quiz(&joe).is_err(), "there is none yet");
    assert_eq!(lead.publish_quiz(&quiz, &key).unwrap(), 1);
    assert_eq!(lead.publish_quiz(&quiz, &key).unwrap(), 1, "the same again is the same version");
    assert!(lead.give_quiz(&joe).unwrap(), "joe gets it");
    assert!(!lead.give_quiz(&joe).unwrap(), "and has it then");
    lead.close().unwrap();

    let hand_in = |choice: u32| {
        let mut judge = place.folder.judge(&joe, &place.device).unwrap();
        let open = judge.quiz_tasks().unwrap().into_iter().find(|task| !task.task.done).unwrap().task;
        assert_eq!(judge.quiz(open.subject_version).unwrap().as_ref(), Some(&quiz), "it can be read");
        let said = |id: &str, choice| domain::QuizAnswer { item: id.to_owned(), is_true: true, choice };
        let attempt = domain::QuizAttempt {
            task: open.id,
            version: 1,
            answers: vec![said("q1", 1), said("q2", choice)],
            practised: Vec::new(),
        };
        let statement = judge.hand_in_quiz(&attempt).unwrap();
        assert!(judge.hand_in_quiz(&attempt).is_err(), "once");
        assert!(judge.retract(statement.id).is_err(), "for good");
        assert!(judge.newest_undoable().unwrap().is_none(), "so that undo does not reach for it");
        judge.close().unwrap();
        statement.id
    };
    let first = hand_in(0);
    for _ in 0..2 {
        place.lead().close().unwrap();
    }
    let mut judge = place.folder.judge(&joe, &place.device).unwrap();
    let tasks = judge.quiz_tasks().unwrap();
    assert_eq!(tasks.len(), 2, "marked once, however often a lead comes");
    let note = tasks[1].note.clone().unwrap();
    assert_eq!((note.attempt, note.over, note.result.right, note.result.passed), (first, false, 1, false));
    assert_eq!((tasks[0].task.done, tasks[1].task.done), (true, false), "another attempt is open");
    judge.close().unwrap();
    hand_in(1);
    place.lead().close().unwrap();
    let mut judge = place.folder.judge(&joe, &place.device).unwrap();
    let tasks = judge.quiz_tasks().unwrap();
    let last = tasks.last().unwrap();
    assert!(last.note.as_ref().is_some_and(|note| note.over && note.result.passed), "passed: {last:?}");
    assert!(tasks.iter().all(|task| task.task.done), "nothing is left to hand in");
    let opened: Vec<String> = judge
        .files()
        .iter()
        .map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
        .collect();
    assert!(opened.iter().all(|bytes| !bytes.contains("CANARY-key")), "no key lies in what a judge opens");
}

#[test]
fn a_response_given_again_is_the_same_under_another_id_and_counts_for_nothing() {
    let place = place();
    let original = place.judged();
    let joe = name("joe");
    let cells = |lead: &mut LeadView| {
        let mut all = Vec::new();
        lead.agreement_cells(Judging::default(), |cell| {
            all.push(cell);
            Ok(())
        })
        .unwrap();
        all
    };
    let mut lead = place.lead();
    let before = cells(&mut lead);
    let again = lead.repeat_id(&joe, original);
    assert_ne!(again, original, "an id of its own");
    assert_eq!(again, lead.repeat_id(&joe, original), "the same whenever it is asked for");
    let job = domain::HiddenJob {
        person: joe.clone(),
        response: again,
        kind: domain::HiddenJobKind::Repeat,
        original,
    };
    lead.hide_jobs(std::slice::from_ref(&job)).unwrap();
    lead.hide_jobs(std::slice::from_ref(&job)).unwrap();
    assert_eq!(lead.hidden_jobs().unwrap(), [job], "marked once");
    let shown = lead.response(again).unwrap().unwrap();
    assert_eq!(domain::Response { id: original, ..shown }, lead.response(original).unwrap().unwrap());
    assert!(lead.answer(again).unwrap().is_none(), "it is nobody's answer, so that no score counts it");
    assert_eq!(cells(&mut lead), before, "and agreement is what it was");
    // What measures a person is no annotation: with the original marked as known, joe's verdict no longer counts.
    let gold = domain::HiddenJob {
        person: joe.clone(),
        response: original,
        kind: domain::HiddenJobKind::Gold,
        original,
    };
    let live = |all: &[crate::AgreementCell]| {
        all.iter().flat_map(|cell| &cell.verdicts).filter(|said| said.live).count()
    };
    assert!(live(&before) > 0, "joe's verdict counts before");
    lead.hide_jobs(&[gold]).unwrap();
    assert_eq!(live(&cells(&mut lead)), 0, "and not after");
    // Known answers are versions: a withdrawn one is none.
    let said = Some(Verdict::Correct);
    assert!(lead.state_gold(original, Modality::Text, said, "why").unwrap());
    assert!(!lead.state_gold(original, Modality::Text, said, "why").unwrap(), "the same again adds nothing");
    assert_eq!(lead.gold_answers().unwrap().len(), 1);
    assert!(lead.state_gold(original, Modality::Text, None, "").unwrap());
    assert!(lead.gold_answers().unwrap().is_empty(), "withdrawn");
}
