//! What belongs here: what a package holds and brings back, file by file; the whole way from outside is an acceptance
//! test.

use super::*;
use crate::content::import::tests::{asset, file, prompt, row, source};
use crate::{Begun, Blobs, Device, Handout, ReachedFile, TaskKind, each_cell};
use domain::{Judgement, ModalityVerdict, ResponseId, Verdict, VerdictFlags};
use serde_json::json;
use std::path::Path;

struct Place {
    dir: tempfile::TempDir,
    folder: Folder,
    device: Device,
    responses: Vec<ResponseId>,
}

fn name(text: &str) -> PersonName {
    text.parse().unwrap()
}
fn secret() -> Passphrase {
    Passphrase::new("three dry towels".to_owned()).unwrap()
}

/// Two prompts with a response each; joe judges the first, kim the second.
fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::create(&dir.path().join("demo.assize"), "Demo", None).unwrap();
    let device = Device::in_folder(&dir.path().join("device")).unwrap();
    folder.found(&name("lena"), "Lena", &[]).unwrap();
    let mut lead = folder.lead(&name("lena"), &device).unwrap();
    for person in ["joe", "kim"] {
        lead.add_person(&name(person), person, &[Role::Judge]).unwrap();
    }
    let (first, _) = lead.blobs().put(&mut b"PNG of the first".as_slice()).unwrap();
    let (second, _) = lead.blobs().put(&mut b"PNG of the second".as_slice()).unwrap();
    let fresh = |begun| match begun {
        Begun::Fresh(import) => import,
        _ => panic!("a new study has imported nothing"),
    };
    let mut import = fresh(lead.begin_import(&source(1, "dataset", "")).unwrap());
    import.put_prompt(1, &prompt("p1", "the first question"), &[]).unwrap();
    import.put_prompt(2, &prompt("p2", "the second question"), &[]).unwrap();
    import.complete(1, 1, &json!({})).unwrap();
    let mut import = fresh(lead.begin_import(&source(2, "rows", "run/a")).unwrap());
    import.put_row(&file(""), &row("p1", 1, "the first answer"), vec![asset(first)]).unwrap();
    import.put_row(&file(""), &row("p2", 2, "the second answer"), vec![asset(second)]).unwrap();
    import.complete(1, 1, &json!({})).unwrap();
    let mut responses = Vec::new();
    for (person, key) in [("joe", "p1"), ("kim", "p2")] {
        let response = lead.answers_to(key).unwrap()[0].response;
        let handout = Handout { subject: response.to_string(), version: 1 };
        lead.assign(TaskKind::Judge, &name(person), &[handout], None).unwrap();
        responses.push(response);
    }
    lead.close().unwrap();
    Place { dir, folder, device, responses }
}

impl Place {
    fn pack(&self, person: &str) -> PathBuf {
        let path = self.dir.path().join(format!("{person}.assizepack"));
        let mut lead = self.folder.lead(&name("lena"), &self.device).unwrap();
        lead.pack(&name(person), Role::Judge, Seal::Passphrase(&secret()), &path).unwrap();
        path
    }
    fn open(&self, package: &Path, away: &str) -> Folder {
        let path = open_package(
            package,
            Some(&secret()),
            &PackageKey::of_device(&self.device).unwrap(),
            &self.dir.path().join(away),
        )
        .unwrap();
        Folder::open(&path, None).unwrap()
    }
}

fn judge(folder: &Folder, person: &str, device: &Device, verdict: Verdict) {
    let mut view = folder.judge(&name(person), device).unwrap();
    let task = view.tasks(None, 0, 1).unwrap().remove(0);
    let item = view.item(task.id).unwrap();
    let verdicts = item
        .response
        .expected
        .iter()
        .map(|modality| ModalityVerdict {
            modality,
            verdict,
            comment: String::new(),
            flags: VerdictFlags::default(),
            anchors: Vec::new(),
            ai_asked: String::new(),
            perceived: String::new(),
        })
        .collect();
    let judgement = Judgement {
        response: item.response.id,
        verdicts,
        noted: Vec::new(),
        active_ms: 1,
        idle_ms: 0,
        exposures: Vec::new(),
        guidelines_version: 0,
        prompt_version: 1,
    };
    view.judge(task.id, &judgement, &item.standing.ids()).unwrap();
    view.close().unwrap();
}

#[test]
fn a_package_holds_the_rows_of_its_tasks_and_no_others() {
    let place = place();
    let package = place.pack("joe");
    let folder = place.open(&package, "joe");
    let mut view = folder.judge(&name("joe"), &place.device).unwrap();
    let task = view.next_open(0).unwrap().expect("the task came along");
    let item = view.item(task.id).unwrap();
    assert_eq!(item.response.id, place.responses[0], "joe's own item");
    assert_eq!(item.response.text, "the first answer", "whole");
    assert_eq!(task.cause.as_bytes(), &[0; 16], "not with whom it was handed out");
    let blob = item.response.assets[0].blob.expect("the asset has bytes");
    assert!(view.readable(&blob).unwrap().is_some(), "with its asset");
    view.close().unwrap();
    for file in folder.reached_in_package(&name("joe"), Role::Judge).unwrap() {
        let bytes = fs::read(&file.path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(file.granted, "nothing but what a judge may have: {}", file.name);
        assert!(!text.contains("second"), "{}: nothing of the other prompt and response", file.name);
        assert!(!text.contains("kim") && !text.contains("lena"), "{}: nobody else is named", file.name);
    }
    assert_eq!(Blobs::of(folder.root()).all().count(), 1, "nor the other's asset");
    assert!(folder.check().unwrap().problems.is_empty(), "what was unsealed is whole");
    assert!(
        matches!(folder.auditor(&name("joe"), &place.device), Err(StoreError::NoRole { .. })),
        "one role only"
    );
}

#[test]
fn work_comes_back_once_and_a_later_package_brings_news_without_losing_it() {
    let place = place();
    let package = place.pack("joe");
    let away = Device::in_folder(&place.dir.path().join("joes-device")).unwrap();
    let folder = place.open(&package, "joe");
    judge(&folder, "joe", &away, Verdict::Correct);
    let back = place.dir.path().join("back");
    assert_eq!(folder.pack_to_return(None, &back).unwrap().statements, 1, "one statement goes back");

    let mut lead = place.folder.lead(&name("lena"), &place.device).unwrap();
    let key = lead.package_key().unwrap();
    let returned = Returned::read(&back, None, &key).unwrap();
    let done = lead.merge(&returned).unwrap();
    assert_eq!((done.merged.get("judgement"), done.already), (Some(&1), 0), "the statement is new");
    let done = lead.merge(&returned).unwrap();
    assert_eq!((done.merged.len(), done.already), (0, 1), "the second time it is known");

    // More work for joe, packed anew.
    let handout = Handout { subject: place.responses[1].to_string(), version: 1 };
    lead.assign(TaskKind::Judge, &name("joe"), &[handout], None).unwrap();
    lead.close().unwrap();
    let later = place.pack("joe");
    judge(&folder, "joe", &away, Verdict::Incorrect);
    let renewed = place.open(&later, "joe");
    assert_eq!(renewed.root(), folder.root(), "it goes into the folder that joe works in");
    let mut view = renewed.judge(&name("joe"), &away).unwrap();
    let counts = view.counts().unwrap();
    assert_eq!((counts.total, counts.done), (2, 1), "the new task is there, the old one is done");
    assert_eq!(
        view.recent(None, 9).unwrap().len(),
        2,
        "both statements are there, the packed and the later one"
    );
    view.close().unwrap();
}

#[test]
fn a_journal_of_somebody_else_is_not_taken() {
    let place = place();
    let package = place.pack("joe");
    let folder = place.open(&package, "joe");
    judge(&folder, "joe", &place.device, Verdict::Correct);
    let back = place.dir.path().join("back");
    folder.pack_to_return(None, &back).unwrap();
    let mut lead = place.folder.lead(&name("lena"), &place.device).unwrap();
    let key = lead.package_key().unwrap();
    let mut returned = Returned::read(&back, None, &key).unwrap();
    // Joe's journal in a package that says it is kim's: its ticket does not fit.
    returned.mark.person = name("kim");
    assert!(matches!(lead.merge(&returned), Err(StoreError::Refused(_))), "the ticket is joe's");
    // With kim's ticket, the journal still is joe's.
    returned.mark.ticket = lead.ticket(&name("kim"), Role::Judge);
    let done = lead.merge(&returned).unwrap();
    assert_eq!((done.merged.len(), done.held.len()), (0, 1), "and is held: {done:?}");
}

#[test]
fn what_a_file_has_beyond_its_form_is_told() {
    let place = place();
    let path = place.folder.content("responses");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE batches (n INTEGER, model TEXT); INSERT INTO batches VALUES (7, 'quillon');
             ALTER TABLE responses ADD COLUMN imported_at TEXT; UPDATE responses SET imported_at = '2026-06-12'",
        )
        .unwrap();
    drop(connection);
    let file = ReachedFile { name: "content/responses.sqlite".to_owned(), path, granted: true };
    let mut cells = Vec::new();
    let beyond = each_cell(&file, |cell| {
        cells.push(format!("{}.{} {}", cell.table, cell.column, cell.text));
        Ok(())
    })
    .unwrap();
    assert!(beyond.iter().any(|what| what == "table batches"), "a table: {beyond:?}");
    assert!(beyond.iter().any(|what| what == "table responses (imported_at)"), "a column: {beyond:?}");
    assert!(cells.contains(&"batches.model quillon".to_owned()), "and their values are read as well");
}

#[test]
fn a_package_sealed_to_a_device_opens_there_alone() {
    let place = place();
    let joes = Device::in_folder(&place.dir.path().join("joes-device")).unwrap();
    let key = PackageKey::of_device(&joes).unwrap();
    let path = place.dir.path().join("joe.assizepack");
    let mut lead = place.folder.lead(&name("lena"), &place.device).unwrap();
    lead.pack(&name("joe"), Role::Judge, Seal::Key(&key.public()), &path).unwrap();
    lead.close().unwrap();
    assert!(!takes_passphrase(&path).unwrap(), "no passphrase is asked for");
    assert!(takes_passphrase(&place.pack("kim")).unwrap(), "as it is for a package that has one");
    let other = PackageKey::of_device(&place.device).unwrap();
    let parent = place.dir.path().join("away");
    assert!(
        matches!(open_package(&path, None, &other, &parent), Err(StoreError::Refused(_))),
        "not elsewhere"
    );
    let opened = open_package(&path, None, &key, &parent).unwrap();
    let folder = Folder::open(&opened, None).unwrap();
    judge(&folder, "joe", &joes, Verdict::Correct);
}

#[test]
fn a_file_that_was_cut_off_or_altered_on_the_way_says_so() {
    let place = place();
    let package = place.pack("joe");
    let whole = fs::read(&package).unwrap();
    let key = PackageKey::of_device(&place.device).unwrap();
    let broken = place.dir.path().join("broken.assizepack");
    let mut told = Vec::new();
    let header = whole.windows(4).position(|w| w == b"\n---").unwrap();
    for length in [0, header, header + 100, whole.len() / 2, whole.len() - 1] {
        told.push((format!("{length} bytes of {}", whole.len()), whole[..length].to_vec()));
    }
    let mut altered = whole.clone();
    altered[header + 120] ^= 1;
    told.push(("one byte altered".to_owned(), altered));
    for (what, bytes) in told {
        fs::write(&broken, bytes).unwrap();
        let why = open_package(&broken, Some(&secret()), &key, &place.dir.path().join("away")).unwrap_err();
        assert!(why.to_string().contains("cut off or altered"), "opening {what}: {why}");
        // What lies behind the journals is not read at home.
        if let Err(why) = Returned::read(&broken, Some(&secret()), &key) {
            assert!(why.to_string().contains("cut off or altered"), "merging {what}: {why}");
        }
    }
    fs::write(&broken, &whole[..header + 100]).unwrap();
    assert!(Returned::read(&broken, Some(&secret()), &key).is_err(), "nothing is taken of half a journal");
    assert!(
        place.open(&package, "away").package().unwrap().is_some(),
        "the whole one opens in the same place"
    );
}
