//! A study of 24 prompts and three models, judged and written for by ten people who never meet it: through packages
//! alone, from devices of their own, with an auditor and a lead at home.

use acceptance::{Host, Place, harness};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    path::{Path, PathBuf},
};

const PROMPTS: usize = 24;
const MODELS: [&str; 3] = ["alder", "birch", "cedar"];
const JUDGES: [&str; 6] = ["j1", "j2", "j3", "j4", "j5", "j6"];
const AUTHORS: [&str; 4] = ["a1", "a2", "a3", "a4"];

fn key(n: usize) -> String {
    format!("p{n:02}")
}
fn gold(n: usize) -> &'static [&'static str] {
    if n.is_multiple_of(3) { &["Text", "Image"] } else { &["Text"] }
}
/// The words of one answer, which tell the test, and nobody else, whose it is.
fn words(n: usize, model: usize) -> String {
    format!("Answer {} to the question.", (n * 3 + model) * 7919 % 1009)
}
fn criteria(n: usize) -> Vec<(&'static str, &'static str)> {
    let mut all = vec![
        ("text", "The text names the river that flows through the city."),
        ("text", "The text states the year in which the bridge was opened."),
    ];
    if gold(n).contains(&"Image") {
        all.push(("image", "The image shows a bridge with exactly three arches."));
    }
    all
}

fn imported(place: &Place) -> PathBuf {
    let prompts: Vec<Value> =
        (0..PROMPTS).map(|n| harness::prompt(&key(n), &gold(n).join(","), &criteria(n))).collect();
    place.write("run/dataset.jsonl", harness::lines(&prompts));
    for (at, model) in MODELS.iter().enumerate() {
        let rows: Vec<Value> = (0..PROMPTS)
            .map(|n| {
                let mut row = harness::row(&key(n), model, gold(n));
                row["response_text"] = json!(words(n, at));
                // The LLM judge finds fault with every fifth answer.
                if (n + at) % 5 == 0 {
                    row["rubric_grades"][0]["score"] = json!(0.0);
                }
                row
            })
            .collect();
        place.write(&format!("run/results/main/20260612_09301{at}_{model}.jsonl"), harness::lines(&rows));
    }
    let study = place.study("work");
    place.import(&study, &[&place.path("run")]);
    study
}

fn staff(place: &Place, study: &Path) {
    let people: Vec<Value> = JUDGES
        .iter()
        .map(|name| json!({"name": name, "role": "judge"}))
        .chain(AUTHORS.iter().map(|name| json!({"name": name, "role": "author"})))
        .chain([json!({"name": "ada", "role": "auditor"})])
        .collect();
    let plan = json!({"people": people, "tasks": [
        {"kind": "judge", "who": JUDGES, "overlap": 2, "balance": ["modality", "language"], "seed": 11},
        {"kind": "author", "who": AUTHORS, "overlap": 1, "seed": 12},
    ]});
    let plan = place.write("plan.json", plan.to_string());
    let args = [OsStr::new("assign"), study.as_os_str(), OsStr::new("--plan"), plan.as_os_str()];
    let done = place.json(args);
    let of = |person: &str| {
        let rows = done["tasks"].as_array().unwrap().iter();
        rows.filter(|row| row["person"] == person).map(|row| row["added"].as_u64().unwrap()).sum::<u64>()
    };
    // 72 responses × 2 judges / 6 = 24; 24 prompts / 4 authors = 6.
    assert!(JUDGES.iter().all(|judge| of(judge) == 24), "every judge has as much: {done}");
    assert!(AUTHORS.iter().all(|author| of(author) == 6), "and every author: {done}");
    assert_eq!(done["short"], 0, "every item has its two judges");
    let again = place.json(args);
    let more: u64 = again["tasks"].as_array().unwrap().iter().map(|row| row["added"].as_u64().unwrap()).sum();
    assert_eq!(more, 0, "handing out again adds nothing");
}

fn pack(place: &Place, study: &Path, person: &str, role: &str) -> PathBuf {
    let file = place.path(&format!("out/{person}.assizepack"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    place.text([
        OsStr::new("pack"),
        study.as_os_str(),
        OsStr::new("--for"),
        OsStr::new(person),
        OsStr::new("--role"),
        OsStr::new(role),
        OsStr::new("-o"),
        file.as_os_str(),
    ]);
    file
}
/// Packs what was done in the package `file` on a person's own device.
fn give_back(device: &Place, file: &Path, to: &Path) -> PathBuf {
    device.text([OsStr::new("pack"), file.as_os_str(), OsStr::new("-o"), to.as_os_str()]);
    to.to_owned()
}
fn merge(place: &Place, study: &Path, files: &[&Path]) -> Value {
    let args = [OsStr::new("merge"), study.as_os_str()].into_iter();
    place.json(args.chain(files.iter().map(|file| file.as_os_str())))
}
fn sum(counts: &Value) -> u64 {
    counts.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum()
}

/// What judges said: by judge, prompt, model and modality.
type Said = BTreeMap<String, BTreeMap<(String, String, String), bool>>;

/// Judges up to `most` open items by a rule of the judge's own. Answers how many.
fn judge(host: &Host, name: &str, most: usize, turned: bool, said: &mut Said) -> u64 {
    let mut done = 0;
    while done < most {
        let item = host.call("judge_item", &json!({}))["item"].clone();
        if item.is_null() {
            break;
        }
        let text = item["response"]["text"].as_str().unwrap();
        let (n, model) = (0..PROMPTS)
            .flat_map(|n| (0..MODELS.len()).map(move |model| (n, model)))
            .find(|(n, model)| words(*n, *model) == text)
            .expect("an answer of the study");
        let verdicts: Vec<Value> = item["response"]["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(|modality| {
                let rule = !(n * 5 + model * 3 + name.as_bytes()[1] as usize).is_multiple_of(4);
                let correct = rule != turned;
                let unit = (key(n), MODELS[model].to_owned(), modality.as_str().unwrap().to_owned());
                said.entry(name.to_owned()).or_default().insert(unit, correct);
                let verdict = if correct { "correct" } else { "incorrect" };
                json!({"modality": modality, "verdict": verdict, "comment": "as it seems to me"})
            })
            .collect();
        host.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts, "active_ms": 900}));
        done += 1;
    }
    done as u64
}

/// Writes and hands in every rubric. Answers how many.
fn author(host: &Host) -> u64 {
    let mut done = 0;
    loop {
        let item = host.call("author_item", &json!({}))["item"].clone();
        if item.is_null() {
            return done;
        }
        let rubric = &item["rubric"];
        host.call("save_rubric", &json!({"task": item["task"], "rubric": rubric, "submit": true}));
        done += 1;
    }
}

/// Cohen's κ of two people over what both judged: (p_o − p_e) / (1 − p_e).
fn kappa(
    a: &BTreeMap<(String, String, String), bool>,
    b: &BTreeMap<(String, String, String), bool>,
) -> (usize, f64, f64) {
    let both: Vec<(bool, bool)> = a.iter().filter_map(|(unit, x)| Some((*x, *b.get(unit)?))).collect();
    let n = both.len() as f64;
    let share = |f: &dyn Fn(&(bool, bool)) -> bool| both.iter().filter(|pair| f(pair)).count() as f64 / n;
    let observed = share(&|(x, y)| x == y);
    let (a, b) = (share(&|(x, _)| *x), share(&|(_, y)| *y));
    let expected = a * b + (1.0 - a) * (1.0 - b);
    (both.len(), observed, (observed - expected) / (1.0 - expected))
}

#[test]
fn twelve_people_work_through_packages_alone() {
    let place = Place::new();
    let study = imported(&place);
    staff(&place, &study);
    let mut said = Said::new();
    let mut files: Vec<(PathBuf, u64)> = Vec::new();
    let mut early: Vec<(PathBuf, u64)> = Vec::new();
    let mut devices = Vec::new();
    for name in JUDGES {
        let package = pack(&place, &study, name, "judge");
        let device = Place::new();
        let host = Host::as_person(&device, &package, name, "judge");
        let out = |n: usize| place.path(&format!("back/{name}-{n}.assizepack"));
        std::fs::create_dir_all(place.path("back")).unwrap();
        let mut done = 0;
        // Two of them send half of it ahead.
        if ["j2", "j3"].contains(&name) {
            done += judge(&host, name, 10, false, &mut said);
            early.push((give_back(&device, &package, &out(1)), done));
        }
        done += judge(&host, name, usize::MAX, false, &mut said);
        host.stop();
        assert_eq!(done, 24, "{name} judges everything that was packed");
        files.push((give_back(&device, &package, &out(2)), done));
        // One works on a second device, too, from the same package, and says otherwise about one item.
        if name == "j1" {
            let second = Place::new();
            let host = Host::as_person(&second, &package, name, "judge");
            let mut otherwise = Said::new();
            assert_eq!(judge(&host, name, 1, true, &mut otherwise), 1, "one item");
            host.stop();
            files.push((give_back(&second, &package, &out(3)), 1));
            for unit in otherwise["j1"].keys() {
                assert!(said.get_mut("j1").unwrap().remove(unit).is_some(), "both devices judged it");
            }
        }
        devices.push(device);
    }
    for name in AUTHORS {
        let package = pack(&place, &study, name, "author");
        let device = Place::new();
        let host = Host::as_person(&device, &package, name, "author");
        assert_eq!(author(&host), 6, "{name} writes everything that was packed");
        host.stop();
        // A revision and its handing in, each a statement.
        files.push((give_back(&device, &package, &place.path(&format!("back/{name}.assizepack"))), 12));
        devices.push(device);
    }
    // Shuffled; the early halves come after what they are halves of.
    files.sort_by_key(|(path, _)| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte))) % 101
    });
    for (file, made) in &files {
        let done = merge(&place, &study, &[file]);
        assert_eq!(sum(&done["merged"]), *made, "{}: all that was stated, once: {done}", file.display());
        assert_eq!((&done["held"], &done["already"]), (&json!([]), &json!(0)), "{done}");
    }
    for (file, made) in &early {
        let done = merge(&place, &study, &[file]);
        assert_eq!(
            (sum(&done["merged"]), done["already"].as_u64()),
            (0, Some(*made)),
            "late, and known: {done}"
        );
    }
    let twice: Vec<&Path> = files.iter().take(3).map(|(file, _)| file.as_path()).collect();
    let done = merge(&place, &study, &twice);
    assert_eq!(sum(&done["merged"]), 0, "three of them again change nothing: {done}");
    let again: u64 = files.iter().take(3).map(|(_, made)| made).sum();
    assert_eq!(done["already"], again, "and are known wholly");
    place.check_clean(&study);

    // The fork: both versions, with who made them and where.
    let done = merge(&place, &study, &[&place.path("back/j1-2.assizepack")]);
    let forks = done["forks"].as_array().unwrap();
    assert_eq!(forks.len(), 1, "one item was judged on two devices: {done}");
    let versions = forks[0]["versions"].as_array().unwrap();
    let people: BTreeSet<&str> = versions.iter().map(|v| v["person"].as_str().unwrap()).collect();
    let on: BTreeSet<&str> = versions.iter().map(|v| v["device"].as_str().unwrap()).collect();
    assert_eq!(
        (versions.len(), people, on.len()),
        (2, BTreeSet::from(["j1"]), 2),
        "both, by j1, on two devices"
    );
    assert_ne!(versions[0]["payload"]["verdicts"], versions[1]["payload"]["verdicts"], "which say otherwise");

    // The lead sees all of it as done.
    let host = Host::as_person(&place, &study, "lead", "lead");
    let overview = host.call("overview", &json!({}));
    for person in overview["people"].as_array().unwrap() {
        let name = person["person"].as_str().unwrap();
        if JUDGES.contains(&name) {
            assert_eq!(person["judging"], json!({"done": 24, "total": 24}), "{name}");
        }
        if AUTHORS.contains(&name) {
            assert_eq!(person["authoring"], json!({"done": 6, "total": 6}), "{name}");
        }
    }
    assert_eq!(overview["people"].as_array().unwrap().len(), 12, "twelve people");
    host.stop();

    // Nothing lost, nothing double: every verdict that counts is in the table once.
    let args = |format| [OsStr::new("export"), study.as_os_str(), OsStr::new("--as"), OsStr::new(format)];
    let lines = place.text(args("verdicts")).lines().count() - 1;
    assert_eq!(lines, said.values().map(BTreeMap::len).sum::<usize>(), "as many verdicts as were given");

    // Agreement between people equals what is computed here.
    let found = place.json([
        OsStr::new("agreement"),
        study.as_os_str(),
        OsStr::new("--between"),
        OsStr::new("humans"),
        OsStr::new("--resamples"),
        OsStr::new("0"),
    ]);
    let pairs = found["human_human"].as_object().unwrap();
    let mut units = 0;
    for (pair, result) in pairs {
        let (a, b) = pair.split_once('|').unwrap();
        let (n, observed, kappa) = kappa(&said[a], &said[b]);
        units += n;
        assert_eq!(result["units"], n, "{pair}: what both judged");
        let value = |name: &str| result[name]["value"].as_f64();
        assert!((value("percent_agreement").unwrap() - observed).abs() < 1e-9, "{pair}: {observed}");
        if kappa.is_finite() {
            assert!((value("cohen_kappa").unwrap() - kappa).abs() < 1e-9, "{pair}: {kappa}");
        }
    }
    // 24 prompts, 8 with two modalities: 96 units; each was judged by two, but for the fork's.
    let forked = 96 * 2 - said.values().map(BTreeMap::len).sum::<usize>();
    assert_eq!(units, 96 - forked, "every unit with two judges is in one pair");
}

#[test]
fn an_unworked_package_brings_nothing_and_a_foreign_one_is_refused() {
    let place = Place::new();
    let study = imported(&place);
    staff(&place, &study);
    let package = pack(&place, &study, "j1", "judge");
    let done = merge(&place, &study, &[&package]);
    assert_eq!(
        (&done["merged"], &done["already"], &done["held"], &done["forks"]),
        (&json!({}), &json!(0), &json!([]), &json!([])),
        "the package as it went out"
    );
    let device = Place::new();
    Host::as_person(&device, &package, "j1", "judge").stop();
    let back = give_back(&device, &package, &place.path("j1.back"));
    assert_eq!(merge(&place, &study, &[&back])["merged"], json!({}), "opened, and nothing done");
    // Sealed to the study's key alone: no passphrase is needed, and no other study opens it.
    let mut command = device.command();
    let key = place.path("j1.key");
    command.env_remove("ASSIZE_PASSPHRASE").arg("pack").arg(&package).arg("-o").arg(&key);
    assert!(!command.output().unwrap().status.success(), "the package itself needs its passphrase");
    let folder = device.json([OsStr::new("open"), package.as_os_str()])["path"].as_str().unwrap().to_owned();
    let mut command = device.command();
    command.env_remove("ASSIZE_PASSPHRASE").args(["pack", &folder, "-o"]).arg(&key);
    assert!(command.output().unwrap().status.success(), "the way back needs none");
    let mut command = place.command();
    command.env_remove("ASSIZE_PASSPHRASE").arg("merge").arg(&study).arg(&key).arg("--json");
    let out = command.output().unwrap();
    assert!(out.status.success(), "the lead opens it: {}", String::from_utf8_lossy(&out.stderr));
    let other = place.study("other");
    for file in [&key, &back] {
        let out = place.run([OsStr::new("merge"), other.as_os_str(), file.as_os_str()]);
        assert_eq!(out.status.code(), Some(1), "another study takes nothing from it");
        assert!(!out.stderr.is_empty(), "and says why");
    }
    // Bytes that were altered on the way.
    let mut bytes = std::fs::read(&back).unwrap();
    let last = bytes.len() - 20;
    bytes[last] ^= 1;
    let broken = place.write("broken.assizepack", bytes);
    let out = place.run([OsStr::new("merge"), study.as_os_str(), broken.as_os_str(), OsStr::new("--json")]);
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(1), "an altered package is refused");
    assert_eq!(
        report["held"][0]["reason"], "it was cut off or altered on the way; ask for it once more",
        "with the reason"
    );
}

#[test]
fn a_device_that_forgot_its_work_does_not_continue_the_chain() {
    let place = Place::new();
    let study = imported(&place);
    staff(&place, &study);
    let package = pack(&place, &study, "j1", "judge");
    let device = Place::new();
    let mut said = Said::new();
    let host = Host::as_person(&device, &package, "j1", "judge");
    judge(&host, "j1", 3, false, &mut said);
    host.stop();
    let first = give_back(&device, &package, &place.path("first.back"));
    // The folder is lost, the device's key is not: the same journal begins anew.
    std::fs::remove_dir_all(device.data().join("packages")).unwrap();
    let host = Host::as_person(&device, &package, "j1", "judge");
    judge(&host, "j1", 2, true, &mut said);
    host.stop();
    let second = give_back(&device, &package, &place.path("second.back"));
    assert_eq!(sum(&merge(&place, &study, &[&first])["merged"]), 3, "what came first is taken");
    let args = [OsStr::new("merge"), study.as_os_str(), second.as_os_str(), OsStr::new("--json")];
    let out = place.run(args);
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(1), "what contradicts it is not");
    assert_eq!(sum(&report["merged"]), 0, "nothing of it: {report}");
    let held = &report["held"][0];
    assert!(held["journal"].as_str().unwrap().starts_with("j1."), "the journal is named: {held}");
    assert!(held["reason"].as_str().unwrap().contains("row 1"), "and where it breaks: {held}");
    place.check_clean(&study);
}

#[test]
fn what_content_overtook_is_kept_and_only_that_is_queued_again() {
    let place = Place::new();
    let study = imported(&place);
    staff(&place, &study);
    let device = Place::new();
    let judge_package = pack(&place, &study, "j1", "judge");
    let author_package = pack(&place, &study, "a1", "author");
    let mut said = Said::new();
    let host = Host::as_person(&device, &judge_package, "j1", "judge");
    assert_eq!(judge(&host, "j1", usize::MAX, false, &mut said), 24, "all is judged");
    host.stop();
    let host = Host::as_person(&device, &author_package, "a1", "author");
    let rows = host.call("author_queue", &json!({}))["rows"].as_array().unwrap().clone();
    let written: Vec<String> = rows.iter().map(|row| row["key"].as_str().unwrap().to_owned()).collect();
    author(&host);
    host.stop();
    let judged = give_back(&device, &judge_package, &place.path("j1.back"));
    let wrote = give_back(&device, &author_package, &place.path("a1.back"));

    // Meanwhile: a gold list changes of one prompt that j1 judged, the rubric of one that a1 wrote for.
    let units = &said["j1"];
    let changed_gold = (0..PROMPTS)
        .find(|n| {
            !gold(*n).contains(&"Image")
                && units.keys().any(|(k, ..)| *k == key(*n))
                && !written.contains(&key(*n))
        })
        .expect("j1 judged a response to some prompt that a1 did not write for");
    let changed_rubric = (0..PROMPTS)
        .find(|n| written.contains(&key(*n)) && *n != changed_gold)
        .expect("a1 wrote for some prompt");
    let prompts: Vec<Value> = (0..PROMPTS)
        .map(|n| {
            let mut golds = gold(n).join(",");
            let mut all = criteria(n);
            if n == changed_gold {
                golds += ",Audio";
                all.push(("audio", "The audio says the name of the river aloud."));
            }
            if n == changed_rubric {
                all.push(("text", "The text names the architect of the bridge."));
            }
            harness::prompt(&key(n), &golds, &all)
        })
        .collect();
    let newer = place.write("newer/dataset.jsonl", harness::lines(&prompts));
    place.import(&study, &[&newer]);

    let done = merge(&place, &study, &[&judged, &wrote]);
    assert_eq!(done["merged"]["judgement"], 24, "returned work is kept: {done}");
    let again: BTreeSet<&(String, String, String)> =
        units.keys().filter(|(k, ..)| *k == key(changed_gold)).collect();
    assert!(!again.is_empty(), "some of it is overtaken");
    assert_eq!(
        done["queued_again"],
        again.len() as u64 + 1,
        "the responses to the changed prompt, which expect one modality each, and one rubric: {done}"
    );
    let host = Host::as_person(&place, &study, "j1", "judge");
    let open = host.call("judge_queue", &json!({"filter": "open"}))["rows"].as_array().unwrap().clone();
    assert_eq!(open.len(), again.len(), "nothing else is open");
    let item = host.call("judge_item", &json!({"task": open[0]["task"]}))["item"].clone();
    assert_eq!(item["judgement"]["prompt_version"], 1, "what stands names the version it was made under");
    assert_eq!(item["prompt"]["version"], 2, "the new version is shown");
    assert_eq!(item["response"]["expected"], json!(["Text", "Audio"]), "with what it asks for");
    let mut verdicts = item["judgement"]["verdicts"].as_array().unwrap().clone();
    verdicts.push(json!({"modality": "Audio", "verdict": "incorrect", "comment": "there is none"}));
    host.call("submit_judgement", &json!({"task": item["task"], "verdicts": verdicts}));
    let progress = host.call("judge_item", &json!({}))["progress"].clone();
    assert_eq!(
        progress,
        json!({"done": 24 - again.len() + 1, "total": 24}),
        "judged again under the new version, it is done"
    );
    host.stop();
    let host = Host::as_person(&place, &study, "a1", "author");
    let open = host.call("author_queue", &json!({"filter": "open"}))["rows"].as_array().unwrap().clone();
    assert_eq!(
        (open.len(), &open[0]["key"]),
        (1, &json!(key(changed_rubric))),
        "one rubric is to be looked at"
    );
    host.stop();

    // New guidelines concern what was judged under older ones, if the lead says so.
    let lead = Host::as_person(&place, &study, "lead", "lead");
    let people = |host: &Host| {
        let people = host.call("overview", &json!({}))["people"].as_array().unwrap().clone();
        people.iter().find(|person| person["person"] == "j1").unwrap()["judging"].clone()
    };
    let before = people(&lead);
    lead.call("publish_guidelines", &json!({"markdown": "# Judge\nA typo less.", "ask_again": false}));
    assert_eq!(people(&lead), before, "a typo asks for nothing");
    lead.call(
        "publish_guidelines",
        &json!({"markdown": "# Judge\nOtherwise than before.", "ask_again": true}),
    );
    let after = people(&lead);
    assert_eq!(
        after["total"].as_u64().unwrap() - before["total"].as_u64().unwrap(),
        24 - (again.len() as u64 - 1),
        "every response that j1 judged and that is not open anyway is asked for again, once: {after}"
    );
    assert_eq!(after["done"], before["done"], "and none of that is done yet");
    lead.stop();
    place.check_clean(&study);
}

#[test]
fn reviews_and_the_third_who_settles_travel_in_packages() {
    let place = Place::new();
    let study = imported(&place);
    let people: Vec<Value> = AUTHORS.iter().map(|name| json!({"name": name, "role": "author"})).collect();
    let assign = |plan: Value| {
        let plan = place.write("plan.json", plan.to_string());
        place.json([OsStr::new("assign"), study.as_os_str(), OsStr::new("--plan"), plan.as_os_str()])
    };
    // a1 writes for every prompt, so that a2, a3 and a4 are there to review and to settle.
    assign(json!({"people": people, "tasks": [{"kind": "author", "who": ["a1"], "share": 0.1, "seed": 4}]}));
    let work = |name: &str, round: u32, decide: &dyn Fn(&Host)| {
        let package = pack(&place, &study, name, "author");
        let device = Place::new();
        let host = Host::as_person(&device, &package, name, "author");
        decide(&host);
        host.stop();
        let folder = PathBuf::from(
            device.json([OsStr::new("open"), package.as_os_str()])["path"].as_str().unwrap().to_owned(),
        );
        place.check_clean(&folder);
        let back = give_back(&device, &package, &place.path(&format!("{name}-{round}.back")));
        // The device stays: what was unpacked on it is looked at.
        (merge(&place, &study, &[&back]), folder, device)
    };
    let (done, _, _device) = work("a1", 1, &|host| assert_eq!(author(host), 3, "a tenth of 24, rounded up"));
    assert_eq!(sum(&done["merged"]), 6, "revision and handing in of each: {done}");
    assign(json!({"tasks": [{"kind": "review", "who": ["a2", "a3"], "overlap": 2, "seed": 5}]}));
    let review = |host: &Host, decision: &str, settles: usize| {
        let mut done = 0;
        loop {
            let item = host.call("review_item", &json!({}))["item"].clone();
            if item.is_null() {
                return done;
            }
            assert_eq!(item["author"], "a1", "a1's rubric: {item}");
            assert!(
                item["rubric"]["criteria"].as_array().is_some_and(|all| all.len() >= 2),
                "whole, in the package: {item}"
            );
            assert_eq!(
                item["settles"].as_array().unwrap().len(),
                settles,
                "with what is to be settled: {item}"
            );
            let note = if decision == "accept" { "" } else { "Say which river." };
            host.call(
                "submit_review",
                &json!({"task": item["task"], "decision": decision, "comments": [], "note": note}),
            );
            done += 1;
        }
    };
    let (done, folder, _device) = work("a2", 1, &|host| assert_eq!(review(host, "accept", 0), 3));
    assert_eq!(done["merged"]["review"], 3, "{done}");
    let reviewed: Vec<String> = std::fs::read_dir(folder.join("reviewed"))
        .unwrap_or_else(|error| panic!("{}: {error}", folder.join("reviewed").display()))
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        reviewed.len() == 1 && reviewed[0].starts_with("a1.") && reviewed[0].ends_with(".author.rows"),
        "of others, a reviewer has a1's rubrics alone: {reviewed:?}"
    );
    let (done, folder, _device) = work("a3", 1, &|host| assert_eq!(review(host, "revise", 0), 3));
    let all: Vec<u8> = walk(&folder).iter().flat_map(|path| std::fs::read(path).unwrap()).collect();
    assert!(!all.windows(4).any(|w| w == b"\"a2\""), "nothing of the other reviewer is in a3's package");
    assert_eq!(done["merged"]["review"], 3, "{done}");
    let (done, _, _device) =
        work("a4", 1, &|host| assert_eq!(review(host, "accept", 2), 3, "the third settles"));
    assert_eq!(done["merged"]["review"], 3, "{done}");
    let leaks = place.json([OsStr::new("leaks"), study.as_os_str(), OsStr::new("--for"), OsStr::new("a4")]);
    assert_eq!(leaks["leaks"], json!([]), "who reviews reaches nothing else: {leaks}");
    let package = pack(&place, &study, "a4", "author");
    let leaks = place.json([
        OsStr::new("leaks"),
        study.as_os_str(),
        OsStr::new("--for"),
        OsStr::new("a4"),
        OsStr::new("--package"),
        package.as_os_str(),
    ]);
    assert_eq!(leaks["leaks"], json!([]), "nor in the package: {leaks}");
    place.check_clean(&study);
}

/// Every file below a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files
}
