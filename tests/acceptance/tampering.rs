//! `assize check` finds what was altered behind the app's back, and `backup` copies a study that is open.

use crate::at_work::{demo, hand_out, study};
use acceptance::{Host, Place};
use serde_json::json;
use std::{fs, path::PathBuf};

/// A study in which sam has judged one response, with a comment that can be found in the file.
fn judged(place: &Place) -> (PathBuf, PathBuf) {
    let study = study(place, "study", &[&demo()]);
    hand_out(place, &study);
    let host = Host::as_person(place, &study, "sam", "judge");
    let item = &host.call("judge_item", &json!({}))["item"];
    let verdicts: Vec<_> = item["response"]["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|modality| json!({"modality": modality, "verdict": "incorrect", "comment": "the-unaltered-comment"}))
        .collect();
    host.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    host.stop();
    let journals = study.join("journals");
    let journal = fs::read_dir(journals)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.file_name().unwrap().to_string_lossy().starts_with("sam.")
                && path.extension().is_some_and(|e| e == "sqlite")
        })
        .expect("sam's journal");
    (study, journal)
}

fn patch(path: &PathBuf, from: &[u8], to: &[u8]) -> usize {
    let mut bytes = fs::read(path).expect("reads");
    let places: Vec<usize> =
        (0..bytes.len().saturating_sub(from.len())).filter(|at| bytes[*at..].starts_with(from)).collect();
    for at in &places {
        bytes[*at..*at + to.len()].copy_from_slice(to);
    }
    fs::write(path, bytes).expect("writes");
    places.len()
}

#[test]
fn a_statement_altered_by_hand_is_found() {
    let place = Place::new();
    let (study, journal) = judged(&place);
    assert!(place.run(["check".as_ref(), study.as_os_str()]).status.success(), "an untouched study is whole");
    let n = patch(&journal, b"the-unaltered-comment", b"the-altered--- commen");
    assert!(n > 0, "the journal holds the comment in one file after closing");
    let output = place.run(["check".as_ref(), study.as_os_str()]);
    assert_eq!(output.status.code(), Some(1), "damage is exit status 1");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let name = journal.file_name().unwrap().to_string_lossy().into_owned();
    assert!(said.contains(&name), "the report names the journal {name}:\n{said}");
}

#[test]
fn an_altered_asset_is_found() {
    let place = Place::new();
    let study = study(&place, "study", &[&demo()]);
    let folder = fs::read_dir(study.join("blobs")).unwrap().next().unwrap().unwrap().path();
    let blob = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&blob).unwrap();
    bytes[0] ^= 1;
    fs::remove_file(&blob).unwrap();
    fs::write(&blob, bytes).unwrap();
    let output = place.run(["check".as_ref(), study.as_os_str()]);
    assert_eq!(output.status.code(), Some(1), "an asset that is not what its name says is damage");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let name = blob.file_name().unwrap().to_string_lossy().into_owned();
    assert!(said.contains(&name[..16]), "the report names the asset {name}:\n{said}");
}

#[test]
fn an_open_study_is_backed_up_whole_and_the_command_line_works_beside_it() {
    let place = Place::new();
    let study = study(&place, "study", &[]);
    let host = Host::as_person(&place, &study, "lead", "lead");
    let token = host.call("changes", &json!({"since": ""}))["token"].clone();
    place.import(&study, &[&demo()]);
    let changes = host.call("changes", &json!({"since": token}));
    assert!(
        !changes["stale"].as_array().unwrap().is_empty(),
        "the open session learns of the import: {changes}"
    );
    assert_eq!(host.call("overview", &json!({}))["prompts"], 24, "and sees what it brought");
    let copy = place.path("copy");
    let made = place.json(["backup".as_ref(), study.as_os_str(), "-o".as_ref(), copy.as_os_str()]);
    drop(host);
    let copy = PathBuf::from(made["path"].as_str().unwrap());
    place.check_clean(&copy);
    assert_eq!(place.scores(&copy), place.scores(&study), "and says the same");
}
