//! Journals: appending, changing, taking back, merging, and finding what was altered.

use super::*;
use crate::{Device, Severity};
use proptest::prelude::*;

struct Bench {
    _place: tempfile::TempDir,
    folder: Folder,
    device: Device,
    ann: PersonName,
}
fn bench() -> Bench {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = Folder::create(&place.path().join("s.assize"), "S", None).expect("a study");
    let device = Device::in_folder(&place.path().join("device")).expect("a key");
    Bench { folder, device, ann: "ann".parse().expect("a name"), _place: place }
}
fn own(b: &Bench) -> Own {
    Own::open(&b.folder, &b.ann, &b.device, JournalKind::Judge).expect("opens")
}
fn say(own: &mut Own, subject: &str, text: &str, over: &[StatementId]) -> Result<Statement> {
    own.state(StatementKind::Judgement, subject, format!("{{\"say\":\"{text}\"}}"), over, &[])
}

#[test]
fn the_engine_keeps_committed_writes() {
    assert!(rusqlite::version_number() >= 3_051_003, "older engines can lose committed writes in WAL mode");
}

#[test]
fn change_undo_redo_survive_a_restart() {
    let b = bench();
    let mut session = own(&b);
    let first = say(&mut session, "x", "one", &[]).expect("states");
    let second = say(&mut session, "x", "two", &[first.id]).expect("changes");
    assert!(
        matches!(say(&mut session, "x", "three", &[first.id]), Err(StoreError::Stale { .. })),
        "made on what no longer stands"
    );
    session.retract(second.id).expect("takes back");
    assert!(session.retract(second.id).is_err(), "only once");
    session.close().expect("closes");
    let mut session = own(&b);
    let standing = session.standing(&StatementKind::Judgement, "x").expect("reads");
    assert_eq!(standing.ids(), [first.id], "taking back the change brought the first one back");
    let again = session.redo(second.id, &[]).expect("redoes");
    assert_eq!(again.payload, second.payload, "redoing states the same bytes");
    let standing = session.standing(&StatementKind::Judgement, "x").expect("reads");
    assert_eq!(standing.ids(), [again.id], "and it stands alone");
    assert!(session.mine.verify().expect("verifies").is_empty(), "everything is as signed");
}

#[test]
fn statements_cannot_be_changed_through_the_engine() {
    let b = bench();
    let mut session = own(&b);
    say(&mut session, "x", "one", &[]).expect("states");
    for sql in [
        "UPDATE statements SET payload = '{}'",
        "DELETE FROM statements",
        "INSERT OR REPLACE INTO statements SELECT * FROM statements",
        "DROP TRIGGER statements_stay",
        "UPDATE meta SET person = 'bob'",
        "ATTACH ':memory:' AS other",
        "PRAGMA writable_schema = 1",
    ] {
        assert!(session.mine.connection.execute_batch(sql).is_err(), "{sql} must be refused");
    }
}

fn alter(b: &Bench, sql: &str) {
    let name = b.folder.journals(|_| true).expect("lists").remove(0);
    let raw = Connection::open(b.folder.journal_path(&name)).expect("opens past the store");
    raw.execute_batch("DROP TRIGGER statements_do_not_change; DROP TRIGGER statements_stay").expect("drops");
    raw.execute_batch(sql).expect("alters");
}

#[test]
fn whatever_is_altered_by_hand_is_found() {
    for sql in [
        "UPDATE statements SET payload = '{\"say\":\"no\"}' WHERE seq = 2",
        "UPDATE statements SET subject = 'y' WHERE seq = 3",
        "UPDATE statements SET made_at = '1999' WHERE seq = 1",
        "UPDATE statements SET signature = zeroblob(64) WHERE seq = 3",
        "UPDATE statements SET parents = '[ ]' WHERE seq = 1",
        "DELETE FROM statements WHERE seq = 2",
    ] {
        let b = bench();
        let mut session = own(&b);
        for subject in ["a", "b", "c"] {
            say(&mut session, subject, "one", &[]).expect("states");
        }
        session.close().expect("closes");
        assert!(b.folder.check().expect("checks").problems.is_empty(), "an honest study has no problems");
        alter(&b, sql);
        let report = b.folder.check().expect("checks");
        assert!(report.is_damaged(), "{sql} must be found");
        assert!(report.problems[0].file.starts_with("journals/ann."), "and the file named: {report:?}");
    }
}

#[test]
fn a_blanked_payload_is_gone_and_the_rest_verifies() {
    let b = bench();
    let mut session = own(&b);
    let secret = say(&mut session, "x", "CANARY-TO-REMOVE", &[]).expect("states");
    say(&mut session, "y", "kept", &[]).expect("states");
    session.close().expect("closes");
    let name = b.folder.journals(|_| true).expect("lists").remove(0);
    b.folder.blank(&name, secret.id).expect("blanks");
    let report = b.folder.check().expect("checks");
    assert!(!report.is_damaged(), "the chain goes through the hash of the payload: {report:?}");
    assert_eq!(report.problems.len(), 1, "the blank is reported");
    assert_eq!(report.problems[0].severity, Severity::Warning, "as a warning");
    let bytes = std::fs::read(b.folder.journal_path(&name)).expect("reads");
    assert!(
        !bytes.windows(16).any(|w| w == b"CANARY-TO-REMOVE"),
        "the bytes are overwritten, not only unlinked"
    );
    let mut session = own(&b);
    say(&mut session, "z", "more", &[]).expect("the journal goes on after it");
    assert!(
        session.mine.connection.execute_batch("UPDATE statements SET payload = ''").is_err(),
        "the trigger is back"
    );
}

#[test]
fn a_backup_of_an_open_study_is_a_study() {
    let b = bench();
    let mut session = own(&b);
    say(&mut session, "x", "one", &[]).expect("states");
    let target = b.folder.root().with_file_name("copy.assize");
    b.folder.backup(&target, |_| Ok(())).expect("copies while the journal is open");
    let copy = Folder::open(&target, None).expect("opens");
    let report = copy.check().expect("checks");
    assert_eq!(
        (report.statements, report.problems.len()),
        (1, 0),
        "whole, with the statement in it: {report:?}"
    );
    assert!(b.folder.backup(&target, |_| Ok(())).is_err(), "an earlier backup is never overwritten");
}

#[test]
fn an_altered_index_is_found_and_repaired() {
    let b = bench();
    let mut session = own(&b);
    say(&mut session, "x", "one", &[]).expect("states");
    let mut index = crate::index::Index::open(&b.folder, "auditor").expect("opens");
    index.refresh(&session.all(), None).expect("fills");
    assert_eq!(
        index.tally(&StatementKind::Judgement).expect("counts"),
        [(b.ann.clone(), 1)],
        "one subject judged"
    );
    drop(index);
    Connection::open(b.folder.cache_path("auditor"))
        .expect("opens")
        .execute_batch("DELETE FROM heads")
        .expect("alters");
    let report = b.folder.check().expect("checks");
    assert!(!report.is_damaged() && report.problems.len() == 1, "a warning: it can be made anew: {report:?}");
    assert!(b.folder.repair().expect("repairs").problems.is_empty(), "and is");
    std::fs::write(
        b.folder.cache_path("auditor"),
        b"not a database at all, but long enough to be read as one",
    )
    .expect("breaks");
    let mut index = crate::index::Index::open(&b.folder, "auditor").expect("a broken index is dropped");
    index.refresh(&session.all(), None).expect("fills");
    assert_eq!(index.heads(&StatementKind::Judgement, "x").expect("reads").len(), 1, "and made anew");
}

#[test]
fn two_devices_that_change_apart_fork() {
    let b = bench();
    let other = Device::in_folder(&b.folder.root().with_file_name("other")).expect("a second device");
    let mut here = own(&b);
    let mut there = Own::open(&b.folder, &b.ann, &other, JournalKind::Judge).expect("opens");
    say(&mut here, "x", "here", &[]).expect("states");
    say(&mut there, "x", "there", &[]).expect_err("sees the first one: the folder is shared");
    let elsewhere = std::mem::take(&mut there.elsewhere);
    say(&mut there, "x", "there", &[]).expect("states, not knowing of the first one");
    drop(elsewhere);
    here.look_around().expect("finds the other journal");
    let standing = here.standing(&StatementKind::Judgement, "x").expect("reads");
    assert!(standing.is_fork() && standing.current().is_none(), "two stand, and none is guessed");
    say(&mut here, "x", "settled", &standing.ids()).expect("states over both");
    assert!(!here.standing(&StatementKind::Judgement, "x").expect("reads").is_fork(), "the fork is settled");
}

#[test]
fn tasks_are_handed_out_once() {
    let b = bench();
    let me = crate::Me { person: b.ann.clone(), display: "Ann".into(), roles: vec![domain::Role::Judge] };
    let mut inbox = crate::Inbox::create(&b.folder, &me).expect("makes");
    let task = |subject: &str| crate::NewTask {
        kind: crate::TaskKind::Judge,
        subject: subject.into(),
        subject_version: 1,
        cause: StatementId::from_bytes([7; 16]),
        note: String::new(),
    };
    assert_eq!(inbox.add_tasks(&[task("b"), task("a")]).expect("adds"), 2, "two are new");
    assert_eq!(
        inbox.add_tasks(&[task("a"), task("b"), task("c")]).expect("adds"),
        1,
        "a replay adds only what lacked"
    );
    let mut order = Vec::new();
    inbox
        .each_task(crate::TaskKind::Judge, |t| {
            order.push((t.position, t.subject));
            Ok(())
        })
        .expect("reads");
    assert_eq!(order, [(1, "b".into()), (2, "a".into()), (3, "c".into())], "in the order first handed out");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn rows_merge_exactly_once_in_any_order(cuts in proptest::collection::vec((0_usize..8, 1_usize..8), 1..20)) {
        let b = bench();
        let mut session = own(&b);
        for n in 0..8 {
            say(&mut session, &n.to_string(), "one", &[]).expect("states");
        }
        let rows = session.mine.rows_after(0, 100).expect("reads");
        let target = Folder::create(&b.folder.root().with_file_name("t.assize"), "T", None).expect("a study");
        std::fs::copy(b.folder.marker_path(), target.marker_path()).expect("the same study elsewhere");
        let target = Folder::open(target.root(), None).expect("opens");
        let mut copy = Journal::open_to_merge(&target, session.mine.name().clone(), *session.mine.public_key())
            .expect("opens");
        let mut have = 0;
        for (from, len) in cuts {
            let part = &rows[from..(from + len).min(rows.len())];
            match copy.merge(part) {
                Ok(merged) => {
                    prop_assert!(from as u64 <= have, "only rows that continue are taken");
                    have += merged.added;
                }
                Err(StoreError::Gap { .. }) => prop_assert!(from as u64 > have, "only a gap is held"),
                Err(e) => prop_assert!(false, "honest rows are never refused: {e}"),
            }
            prop_assert_eq!(&copy.rows_after(0, 100).expect("reads")[..], &rows[..usize::try_from(have).expect("small")],
                "what is here is the beginning of the source, each row once");
        }
        copy.merge(&rows).expect("all of it at last");
        let mut forged = rows[3].clone();
        forged.statement.subject = "forged".into();
        prop_assert!(copy.merge(&[forged]).is_err(), "another row under a known number is refused");
    }
}
