//! Malformed inputs, by their numbers in the quirks list of the format's description: each is refused or repaired as
//! written there, on the whole way through `assize import`, and a refusal leaves the study as it was. The readers' own
//! tests look at each quirk from inside; here stands what a person gets to know and what the study says afterwards.

use crate::at_work::ask;
use acceptance::{Host, Place, assize_program, fixtures, harness};
use harness::{asset, grade, lines, prompt, row};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

const FILE: &str = "20260101_000000_m.jsonl";

/// A study and what became of one file of it.
struct Imported {
    place: Place,
    study: PathBuf,
    /// The entry of the file that the test is about.
    file: Value,
    succeeded: bool,
}

impl Imported {
    /// A study with the prompts p1 to p11, and then this result file.
    fn rows(text: impl AsRef<[u8]>) -> Self {
        Self::run(text, |_| {})
    }
    /// The same with more files beside the result file.
    fn run(text: impl AsRef<[u8]>, more: impl FnOnce(&Place)) -> Self {
        let place = Place::new();
        let study = place.study("study");
        let data: Vec<Value> =
            (1..=11).map(|n| prompt(&format!("p{n}"), "Text", &[("Text", "Answers.")])).collect();
        let dataset = place.write("run/dataset.jsonl", lines(&data));
        place.import(&study, &[&dataset]);
        let path = place.write(&format!("run/results/main/{FILE}"), text);
        more(&place);
        Self::finish(place, study, &path)
    }
    /// An empty study, and then this dataset.
    fn dataset(text: impl AsRef<[u8]>) -> Self {
        let place = Place::new();
        let study = place.study("study");
        let path = place.write("run/dataset.jsonl", text);
        Self::finish(place, study, &path)
    }
    fn finish(place: Place, study: PathBuf, path: &Path) -> Self {
        let (succeeded, summary) = place.try_import(&study, &[path]);
        place.check_clean(&study);
        Self { file: summary["files"][0].clone(), place, study, succeeded }
    }

    fn added(&self, kind: &str) -> u64 {
        self.file["added"][kind].as_u64().unwrap_or(0)
    }
    /// Is there a note of that kind (`rejected`, `warnings`) on that line with that in it?
    fn notes(&self, kind: &str, line: u64, part: &str) -> bool {
        let notes = self.file[kind].as_array().unwrap();
        notes.iter().any(|note| note["line"] == line && note["why"].as_str().unwrap().contains(part))
    }
    #[track_caller]
    fn rejected(&self, line: u64, part: &str) {
        assert!(self.notes("rejected", line, part), "line {line} is refused for {part:?}: {}", self.file);
    }
    #[track_caller]
    fn warned(&self, line: u64, part: &str) {
        assert!(self.notes("warnings", line, part), "line {line} is warned of for {part:?}: {}", self.file);
    }
    #[track_caller]
    fn silent(&self) {
        // Line 0 is about the file: these runs are not of all eleven prompts, and that is said.
        let notes = ["rejected", "warnings"].map(|kind| self.file[kind].as_array().unwrap().iter());
        let of_rows: Vec<&Value> = notes.into_iter().flatten().filter(|note| note["line"] != 0).collect();
        assert!(of_rows.is_empty(), "there is nothing to say about its rows: {of_rows:?}");
    }
    /// The run's figures.
    fn scores(&self) -> Value {
        self.place.scores(&self.study)["runs"]["main"]["overall"].clone()
    }
    /// The responses as a judge sees them, by the prompt's key.
    fn responses(&self) -> BTreeMap<String, Value> {
        let plan = json!({"people": [{"name": "sam", "role": "judge"}], "tasks": [{"kind": "judge", "who": ["sam"]}]});
        let plan = self.place.write("plan.json", plan.to_string());
        self.place.json(["assign".as_ref(), self.study.as_os_str(), "--plan".as_ref(), plan.as_os_str()]);
        let host = Host::as_person(&self.place, &self.study, "sam", "judge");
        let queue = host.call("judge_queue", &json!({}));
        let tasks = queue["rows"].as_array().unwrap().iter();
        tasks
            .map(|task| {
                let item = host.call("judge_item", &json!({"task": task["task"]}))["item"].clone();
                (item["prompt"]["key"].as_str().unwrap().to_owned(), item["response"].clone())
            })
            .collect()
    }
}

fn text_row(key: &str) -> Value {
    row(key, "m", &["Text"])
}
/// A row with some keys replaced.
fn with(mut row: Value, more: Value) -> Value {
    let Value::Object(more) = more else { panic!("an object") };
    row.as_object_mut().unwrap().extend(more);
    row
}
fn without(mut row: Value, keys: &[&str]) -> Value {
    for key in keys {
        row.as_object_mut().unwrap().remove(*key);
    }
    row
}

#[test]
fn q1_q2_q3_bom_line_ends_blank_lines_and_a_cut_end() {
    let three = [text_row("p1"), text_row("p2"), text_row("p3")].map(|row| harness::line(&row));
    let text = format!("\u{feff}{}\r\n\r\n   \n{}\n{}", three[0], three[1], &three[2][..three[2].len() / 2]);
    let done = Imported::rows(text);
    assert_eq!(done.added("responses"), 2, "the whole rows go in, the first behind its BOM");
    done.rejected(5, "1 incomplete row");
    assert_eq!(done.file["rejected"].as_array().unwrap().len(), 1, "nothing else is refused: {}", done.file);
    assert!(
        !done.file["warnings"].to_string().contains("incomplete"),
        "and that is said once: {}",
        done.file
    );
    assert_eq!(done.scores()["rows"], 2, "scores count what is there");

    let done = Imported::dataset(format!(
        "\u{feff}{}\r\n\n{}",
        prompt("p1", "Text", &[]),
        prompt("p2", "Text", &[])
    ));
    assert_eq!(done.added("prompts"), 2, "the same in a dataset, and a missing last line end is no fault");
    done.silent();
}

#[test]
fn q4_q5_glued_rows_are_recovered_and_what_is_no_row_is_refused_by_line() {
    let (a, b) = (harness::line(&text_row("p1")), harness::line(&text_row("p2")));
    let text = format!("{}{a}\n[1, 2]\n\"p3\"\n{{\"run_name\": \"m\"}}\n{b}\nno json at all\n", &b[..200]);
    let done = Imported::rows(text);
    assert_eq!(done.added("responses"), 2, "the glued row and the whole one go in");
    done.warned(1, "fragments of other rows");
    for line in [2, 3] {
        done.rejected(line, "no object");
    }
    done.rejected(4, "prompt_id");
    done.rejected(6, "no JSON");
    assert!(done.succeeded, "an import with refused rows succeeds for the rest");
}

#[test]
fn q6_q35_scores_that_are_no_numbers_are_cut_read_or_0_and_reported() {
    let grades: Vec<Value> = (1..=6).map(|n| grade(n, "Text", "Answers.", 1.0)).collect();
    let mut text = with(text_row("p1"), json!({"rubric_grades": grades, "raw_response": "RAW"})).to_string();
    for score in ["NaN", "1.5", "-2", "\"0.5\"", "null", "Infinity"] {
        text = text.replacen("\"score\":1.0", &format!("\"score\":{score}"), 1);
    }
    let text = text.replace("\"RAW\"", "{\"logprobs\": [NaN, -Infinity, Infinity]}");
    let done = Imported::rows(text + "\n");
    assert_eq!(done.added("responses"), 1, "bare NaN and Infinity do not stop the row: {}", done.file);
    for part in [
        "grade 1: the score is no finite",
        "grade 2: the score 1.5 lies outside",
        "grade 3: the score -2 lies outside",
        "grade 4: the score 0.5 is written as text",
        "grade 5",
        "grade 6: the score is no finite",
    ] {
        done.warned(1, part);
    }
    let value = done.scores()["mmi_value"]["all"].as_f64().unwrap();
    assert!((value - 1.5 / 6.0).abs() < 1e-9, "0, 1, 0, 0.5, 0, 0 are the scores: {value}");
}

#[test]
fn q7_q8_q45_odd_characters_stay_in_the_text() {
    let odd = "a\u{2028}b\u{2029}c\u{85}d\u{0}e\u{1c}f שלום **x** <b>";
    let first = with(text_row("p1"), json!({"response_text": odd})).to_string();
    let second = text_row("p2").to_string().replace("The answer to p2.", r"lone \ud83d end");
    let done = Imported::rows(format!("{first}\n{second}\n"));
    assert_eq!(done.added("responses"), 2, "lines end at LF alone");
    let responses = done.responses();
    assert_eq!(responses["p1"]["text"], odd, "every character is kept");
    assert_eq!(responses["p2"]["text"], "lone \u{fffd} end", "half a character is replaced");
}

/// The most memory a process and its children held, in kB, sampled while it runs.
fn peak_memory(child: &mut std::process::Child) -> BTreeMap<u32, u64> {
    let mut peaks = BTreeMap::new();
    let high = |pid: u32| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    while child.try_wait().unwrap().is_none() {
        let tree = fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten();
        let children = tree.flat_map(|task| {
            let list = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>()
        });
        for pid in children.chain([child.id()]) {
            if let Some(kb) = high(pid) {
                let peak: &mut u64 = peaks.entry(pid).or_default();
                *peak = kb.max(*peak);
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    peaks
}

#[test]
fn q9_a_row_of_a_hundred_megabytes_needs_no_more_than_itself() {
    let place = Place::new();
    let study = place.study("study");
    let huge = "QUJD".repeat(25 << 20);
    let first = with(text_row("p1"), json!({"raw_response": {"inline": "HUGE"}})).to_string();
    let path = place.write(
        &format!("run/results/main/{FILE}"),
        format!("{}\n{}\n", first.replace("HUGE", &huge), text_row("p2")),
    );
    drop(huge);
    let size_kb = fs::metadata(&path).unwrap().len() / 1024;
    assert!(size_kb > 100_000, "the row is as large as the test says");
    let mut child = place
        .command()
        .args(["import".as_ref(), study.as_os_str(), path.as_os_str(), "--json".as_ref()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let peaks = peak_memory(&mut child);
    let done = child.wait_with_output().unwrap();
    let summary: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(summary["files"][0]["added"]["responses"], 2, "both rows go in: {summary}");
    assert!(peaks.len() > 1, "a worker was seen beside {}: {peaks:?}", assize_program().display());
    // The line itself, once more for growing its buffer, and the program.
    for (pid, kb) in &peaks {
        assert!(*kb < 3 * size_kb, "process {pid} held {kb} kB for a row of {size_kb} kB");
    }
    place.check_clean(&study);
}

#[test]
fn q10_q36_old_rows_get_defaults_and_scores_from_their_flags() {
    let mut old = without(
        text_row("p1"),
        &[
            "judge_model",
            "judge_reasoning",
            "judge_used",
            "output_assets",
            "tool_calls",
            "request",
            "f1",
            "recall",
            "precision",
            "f1_strict",
            "recall_strict",
            "precision_strict",
            "all_pass_lenient",
            "all_pass_strict",
            "rubric_used",
            "rubric_score",
            "rubric_grades",
            "rubric_judge_model",
            "rubric_evaluator_errors",
            "produced_modalities",
        ],
    );
    old["per_modality"] = json!({"Text": {"detected_native": true, "detected_via_url": false}});
    let mut graded = grade(1, "Text", "Answers.", 0.0);
    graded["explanation"] = json!("Judge error: 503");
    let graded = without(graded, &["evaluator_error", "payload_status"]);
    let done = Imported::rows(lines(&[
        old,
        with(text_row("p2"), json!({"rubric_grades": [graded], "rubric_score": 0.0})),
    ]));
    done.silent();
    let scores = done.scores();
    assert_eq!(
        (&scores["mps"], &scores["pass_rate"]),
        (&json!(1.0), &json!(1.0)),
        "flags alone give the scores"
    );
    assert_eq!(scores["evaluator_error_grades"], 0, "an evaluator error is not guessed from its wording");
}

#[test]
fn q11_stored_scores_that_disagree_are_computed_anew_and_reported() {
    let done = Imported::rows(lines(&[with(text_row("p1"), json!({"f1": 0.25, "rubric_score": 0.125}))]));
    done.warned(1, "f1 = 0.25");
    done.warned(1, "rubric_score = 0.125");
    assert_eq!(done.scores()["mps"], 1.0, "the computed value is used");
    assert_eq!(done.scores()["mmi_value"]["all"], 1.0, "for grades too");
}

#[test]
fn q12_q13_q37_q38_q39_q40_modalities_that_are_odd() {
    let rows = [
        with(text_row("p1"), json!({"expected_modalities": ["Text", "Smell"]})),
        with(row("p2", "m", &["Text", "Video"]), json!({"expected_modalities": ["text", " Video ", "Text"]})),
        with(
            text_row("p3"),
            json!({"rubric_grades": [grade(1, "Text", "Answers.", 0.5), grade(2, "Audio", "Sounds.", 1.0)], "rubric_score": 0.5}),
        ),
        with(
            text_row("p4"),
            json!({"expected_modalities": [], "rubric_grades": [], "rubric_score": null, "recall": 0.0, "f1": 0.0, "all_pass_lenient": false}),
        ),
        with(
            row("p5", "m", &["Text", "Image"]),
            json!({"rubric_grades": [grade(1, "Text", "Answers.", 1.0)]}),
        ),
    ];
    let done = Imported::rows(lines(&rows));
    assert_eq!(done.added("responses"), 5, "all rows go in: {}", done.file);
    done.warned(1, "Smell");
    done.warned(2, "\"text\" is read as Text");
    let scores = done.scores();
    let lenient = scores["per_modality"]["lenient"].as_object().unwrap();
    assert_eq!(lenient.len(), 5, "there is no sixth column");
    assert_eq!(
        lenient["Text"]["expected"], 4,
        "Q39, Q13: text, Text and Text twice are one; Q40: nothing is expected of p4"
    );
    assert_eq!(lenient["Video"]["expected"], 1, "spaces are dropped");
    let value = &scores["mmi_value"];
    assert_eq!(
        value["by_modality"]["Audio"],
        Value::Null,
        "Q37: a grade of what is not expected does not count"
    );
    assert_eq!(value["by_modality"]["Image"], Value::Null, "Q38: what has no criteria drops out");
    // p1 1, p2 1, p3 0.5, p5 1; p4 has none.
    assert!(
        (value["all"].as_f64().unwrap() - 3.5 / 4.0).abs() < 1e-9,
        "and the rest makes the mean: {value}"
    );
    assert!(
        !done.responses().contains_key("p4"),
        "Q40: a response of which nothing is expected is not handed to people"
    );
    let done = Imported::dataset(lines(&[prompt("p1", "text , VIDEO", &[]), prompt("p2", "Smell", &[])]));
    assert_eq!(done.added("prompts"), 1, "Q13 in a dataset");
    done.rejected(2, "output_modalities");
}

#[test]
fn q14_q20_q22_q23_q24_q25_q28_assets_that_are_odd() {
    let home = "20260101_000000_m_assets";
    let image = ["Image"];
    let at = |key: &str, name: &str| format!("{home}/{key}/{name}");
    let other_hash = with(
        asset(0, "p3", "Image", "image/png", &at("p3", "a.png")),
        json!({"sha256": "ab".repeat(32), "size_bytes": 999}),
    );
    let escape =
        |key: &str, path: &str| with(asset(0, key, "Image", "image/png", ""), json!({"local_path": path}));
    let rows = [
        // Q14, Q28: the same id twice, both kept in their places.
        with(
            row("p1", "m", &image),
            json!({"output_assets": [asset(0, "p1", "Image", "image/png", &at("p1", "a.png")), asset(0, "p1", "Image", "image/png", &at("p1", "b.png"))]}),
        ),
        with(
            row("p2", "m", &image),
            json!({"output_assets": [asset(0, "p2", "Image", "image/png", &at("p2", "gone.png"))]}),
        ),
        with(row("p3", "m", &image), json!({"output_assets": [other_hash]})),
        with(
            row("p4", "m", &image),
            json!({"output_assets": [asset(0, "p4", "Image", "image/png", &at("p4", "empty.png")), asset(1, "p4", "Image", "image/png", &at("p4", "cut.png"))]}),
        ),
        with(
            row("p5", "m", &["Audio"]),
            json!({"output_assets": [asset(0, "p5", "Audio", "audio/wav", &at("p5", "sound.bin"))]}),
        ),
        with(
            row("p6", "m", &["Video"]),
            json!({"output_assets": [asset(0, "p6", "Video", "text/html", &at("p6", "page"))]}),
        ),
        with(row("p7", "m", &image), json!({"output_assets": [escape("p7", "/etc/passwd")]})),
        with(
            row("p8", "m", &image),
            json!({"output_assets": [escape("p8", &format!("/x/{home}/../../../secret.png"))]}),
        ),
        with(
            row("p9", "m", &image),
            json!({"output_assets": [escape("p9", &format!("C:\\runs\\{home}\\p9\\a.png"))]}),
        ),
        // Q21: a link that leads out of the folder.
        with(
            row("p10", "m", &image),
            json!({"output_assets": [asset(0, "p10", "Image", "image/png", &at("p10", "link.png"))]}),
        ),
        // Q27: a link into the world.
        with(
            row("p11", "m", &image),
            json!({"output_assets": [with(asset(0, "p11", "Image", "", ""), json!({"local_path": "", "delivery": "external_url", "capture_status": "reference_only", "source_url": "https://example.org/a.png"}))]}),
        ),
    ];
    let png = fs::read(fixtures().join("generated/results/large").join(first_png())).unwrap();
    let done = Imported::run(lines(&rows), |place| {
        let folder = |name: &str| format!("run/results/main/{home}/{name}");
        place.write(&folder("p1/a.png"), &png);
        place.write(&folder("p1/b.png"), [png.as_slice(), b"x"].concat());
        place.write(&folder("p3/a.png"), &png);
        place.write(&folder("p4/empty.png"), b"");
        place.write(&folder("p4/cut.png"), &png[..20]);
        place.write(&folder("p5/sound.bin"), fs::read(fixtures().join("media/tone.wav")).unwrap());
        place.write(&folder("p6/page"), b"<!doctype html><html><script>1</script></html>");
        place.write(&folder("p9/a.png"), &png);
        place.write("run/secret.png", b"secret");
        let link = place.write(&folder("p10/link.png"), b"");
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(place.path("run/secret.png"), link).unwrap();
    });
    assert_eq!(done.added("responses"), 11, "every row goes in: {}", done.file);
    done.warned(1, "asset id is used twice");
    done.warned(2, "the captured file is missing");
    done.warned(3, "size or SHA-256");
    done.warned(7, "counts as missing");
    assert!(!done.file.to_string().contains("/etc/passwd"), "a foreign path is not even told");
    let responses = done.responses();
    let of = |key: &str, n: usize| responses[key]["assets"][n].clone();
    assert_ne!(of("p1", 0)["blob"], of("p1", 1)["blob"], "Q14: two files, two assets, by position");
    for key in ["p2", "p7", "p8", "p10"] {
        assert_eq!(
            (&of(key, 0)["state"], &of(key, 0)["blob"]),
            (&json!("missing"), &Value::Null),
            "{key}: nothing is opened"
        );
    }
    assert_eq!(of("p3", 0)["state"], "mismatch", "Q23: the file is shown, with a mark");
    assert!(of("p3", 0)["blob"].is_string(), "and not dropped");
    assert_eq!(
        (&of("p4", 0)["state"], &of("p4", 1)["state"]),
        (&json!("ok"), &json!("ok")),
        "Q24: broken media go in"
    );
    assert_eq!(of("p5", 0)["format"], "wav", "Q25: bytes say what it is, not the name");
    assert_eq!(
        (&of("p6", 0)["format"], &of("p6", 0)["modality"]),
        (&json!("html"), &json!("Video")),
        "Q25: shown as what it is, under the recorded modality"
    );
    assert_eq!(of("p9", 0)["state"], "ok", "Q20: a Windows path is rebased by its tail");
    assert_eq!(
        (&of("p11", 0)["state"], &of("p11", 0)["link"]),
        (&json!("reference_only"), &json!("https://example.org/a.png")),
        "Q27: a link stays a link"
    );
    let secret = "secret".as_bytes();
    for entry in walk(&done.study.join("blobs")) {
        assert_ne!(fs::read(&entry).unwrap(), secret, "Q20, Q21: what lies outside was not copied in");
    }
    // Q26: what could run comes out as text that cannot.
    let host = Host::as_person(&done.place, &done.study, "sam", "judge");
    let page = of("p6", 0)["blob"].as_str().unwrap().to_owned();
    assert_eq!(host.blob(&page).status, 200, "the judge may see it");
    let reply = ask(&host, "document", &json!({"blob": page, "name": "x.html"})).unwrap();
    assert_eq!(reply.0, 200, "and read it as a document");
}

/// A small real PNG of the fixtures.
fn first_png() -> PathBuf {
    let folder = fixtures().join("generated/results/large");
    let all = walk(&folder);
    let png = all.iter().find(|path| path.extension().is_some_and(|end| end == "png")).unwrap();
    png.strip_prefix(folder).unwrap().to_owned()
}
fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn q15_q16_what_comes_twice() {
    let wrong = with(
        text_row("p1"),
        json!({"response_text": "the earlier one", "rubric_grades": [grade(1, "Text", "Answers.", 0.0)], "rubric_score": 0.0}),
    );
    let cut = harness::line(&text_row("p1"));
    let rows = lines(&[wrong, text_row("p2"), text_row("p1")]);
    let done = Imported::rows(rows + &cut[..90]);
    assert_eq!(done.added("responses"), 2, "what is replaced at once was never added: {}", done.file);
    assert_eq!(done.scores()["rows"], 2, "one response for each prompt");
    done.warned(1, "replaced by the one of line 3");
    assert_eq!(
        done.responses()["p1"]["text"],
        "The answer to p1.",
        "the last whole row wins, not the cut one"
    );
    assert_eq!(done.scores()["mmi_value"]["all"], 1.0, "with its grades");

    let one = prompt("p1", "Text", &[("Text", "Answers.")]);
    let other = with(one.clone(), json!({"prompt_text": "Something else."}));
    let done = Imported::dataset(lines(&[one.clone(), prompt("p2", "Text", &[]), one, other]));
    assert_eq!(done.added("prompts"), 2, "an identical record is no second prompt");
    done.rejected(4, "line 1");
    let kept =
        done.place.text(["export".as_ref(), done.study.as_os_str(), "--as".as_ref(), "mmi_dataset".as_ref()]);
    assert!(!kept.contains("Something else."), "the first is kept");
}

#[test]
fn q17_q18_q19_runs_that_do_not_fit_the_dataset() {
    let rows = [
        text_row("p1"),
        text_row("unknown"),
        row("p2", "m", &["Text", "Audio"]),
        with(
            text_row("p3"),
            json!({"rubric_grades": [grade(1, "Text", "Quite another criterion.", 0.5)], "rubric_score": 0.5}),
        ),
    ];
    let done = Imported::rows(lines(&rows));
    assert_eq!(done.added("responses"), 4, "Q17: a row without a prompt goes in");
    assert_eq!(done.scores()["rows"], 4, "and counts");
    let scores = done.scores();
    assert_eq!(
        scores["per_modality"]["lenient"]["Audio"]["expected"], 1,
        "Q18: scored by the row's own list"
    );
    assert_eq!(scores["mmi_value"]["by_modality"]["Text"], 0.875, "Q19: graded as it was, never anew");
    let grades =
        done.place.text(["export".as_ref(), done.study.as_os_str(), "--as".as_ref(), "grades".as_ref()]);
    assert!(grades.contains("Quite another criterion."), "Q19: the text that was graded is what is shown");
    done.warned(2, "\"unknown\": the dataset has no such prompt");
    done.warned(3, "expected modalities Text, Audio, the dataset now says Text");
    done.warned(4, "the grades at 1 are of other criteria");
    done.warned(0, "8 prompts of the dataset have no response here: \"p10\", \"p11\", \"p4\"");
    assert!(!done.notes("warnings", 1, ""), "a row that fits is not spoken of: {}", done.file);

    // The other way round: first the run, then the dataset.
    let place = Place::new();
    let study = place.study("study");
    let run = place.write(&format!("run/results/main/{FILE}"), lines(&rows));
    let first = place.import(&study, &[&run])["files"][0].clone();
    assert_eq!(first["warnings"], json!([]), "without any dataset there is nothing to hold it against");
    let data: Vec<Value> =
        (1..=3).map(|n| prompt(&format!("p{n}"), "Text", &[("Text", "Answers.")])).collect();
    let dataset = place.write("run/dataset.jsonl", lines(&data));
    let second = place.import(&study, &[&dataset])["files"][0]["warnings"].to_string();
    for part in [
        format!("main/{FILE} line 3: it was run with the expected modalities Text, Audio"),
        format!("main/{FILE} line 4: graded by another version of the rubric"),
        format!("main/{FILE}: 1 prompt with a response is in no dataset: \\\"unknown\\\""),
    ] {
        assert!(second.contains(&part), "{part:?} is said when the dataset comes: {second}");
    }
}

#[test]
fn files_that_come_later_are_taken_by_importing_again() {
    let place = Place::new();
    let study = place.study("study");
    let data =
        with(prompt("p1", "Text", &[]), json!({"input_files": "late.txt", "input_modalities": "Text"}));
    let dataset = place.write("run/dataset.jsonl", lines(&[data]));
    let home = "20260101_000000_m_assets";
    let image = with(
        row("p1", "m", &["Image"]),
        json!({"output_assets": [asset(0, "p1", "Image", "image/png", &format!("{home}/p1/a.png"))]}),
    );
    let run = place.write(&format!("run/results/main/{FILE}"), lines(&[image]));
    let files = |again: &Value| {
        let files = again["files"].as_array().unwrap();
        files.iter().map(|file| (file["added"].clone(), file["unchanged"].clone())).collect::<Vec<_>>()
    };
    place.import(&study, &[&dataset, &run]);
    let again = place.import(&study, &[&dataset, &run]);
    assert_eq!(files(&again)[0].0, json!({}), "as long as they are missing, nothing is new: {again}");
    place.write("run/input_files/late.txt", b"late");
    let picture = fs::read(fixtures().join("generated/results/large").join(first_png())).unwrap();
    place.write(&format!("run/results/main/{home}/p1/a.png"), &picture);
    let again = place.import(&study, &[&dataset, &run]);
    assert_eq!(walk(&study.join("blobs")).len(), 2, "both files are kept now: {again}");
    assert!(!again.to_string().contains("missing"), "and none is missing: {again}");
    let again = place.import(&study, &[&dataset, &run]);
    assert!(
        files(&again).iter().all(|(added, _)| *added == json!({})),
        "and once more adds nothing: {again}"
    );
    place.check_clean(&study);
}

#[test]
fn q31_q32_q33_q34_names_of_prompts_models_and_runs() {
    let long = "x".repeat(3000);
    let keys = ["a/b", "a b", "A b", "ü ß", "..", long.as_str()];
    let place = Place::new();
    let study = place.study("study");
    let folder = "run/results/main";
    let file = |name: &str, rows: &[Value]| place.write(&format!("{folder}/{name}"), lines(rows));
    let all: Vec<Value> = keys.iter().map(|key| row(key, "m", &["Text"])).collect();
    file("20260101_000000_m.jsonl", &all);
    file("20260101_000000_m_rejudged.jsonl", &[row("a/b", "m", &["Text"])]);
    file("20260101_000000_x_m.jsonl", &[row("a/b", "x/m", &["Text"])]);
    file("20260101_000000_y_rejudged.jsonl", &[row("a/b", "y_rejudged", &["Text"])]);
    file(
        "20260202_000000_m.jsonl",
        &[with(row("a/b", "m", &["Text"]), json!({"response_text": "another run"}))],
    );
    let manifest = fs::read(fixtures().join("generated/results/large/run_manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_slice(&manifest).unwrap();
    manifest["run_timestamp"] = json!("20260202_000000");
    manifest["prompt_count"] = json!(7);
    place.write(&format!("{folder}/run_manifest.json"), manifest.to_string());
    place.import(&study, &[&place.path("run")]);
    let scores = place.scores(&study);
    let files = &scores["runs"]["main"]["files"];
    let facts = |name: &str| {
        (files[name]["run_name"].clone(), files[name]["variant"] == "", files[name]["rows"].clone())
    };
    assert_eq!(
        facts("20260101_000000_m.jsonl"),
        (json!("m"), true, json!(6)),
        "Q31: six keys are six prompts"
    );
    assert_eq!(facts("20260101_000000_m_rejudged.jsonl"), (json!("m"), false, json!(1)), "a variant of m");
    assert_eq!(
        facts("20260101_000000_x_m.jsonl"),
        (json!("x/m"), true, json!(1)),
        "Q32: the row says the name"
    );
    assert_eq!(
        facts("20260101_000000_y_rejudged.jsonl"),
        (json!("y_rejudged"), true, json!(1)),
        "Q32: a model, no variant"
    );
    assert_eq!(
        facts("20260202_000000_m.jsonl"),
        (json!("m"), true, json!(1)),
        "Q33: another time is another run"
    );
    let host = Host::as_person(&place, &study, "lead", "lead");
    let folder = host.call("overview", &json!({}))["folders"][0].clone();
    assert_eq!(folder["responses"], 9, "variants are no responses of their own");
    assert!(
        folder["expected_rows"].as_u64().unwrap() > 9,
        "Q34: the manifest says that rows are missing: {folder}"
    );
    host.stop();
    place.check_clean(&study);
}

#[test]
fn q44_archives_are_refused_and_the_study_is_as_it_was() {
    let done = Imported::rows(lines(&[text_row("p1")]));
    let before = done.place.dump(&done.study);
    let mut archive = b"PK\x03\x04".to_vec();
    archive.resize(200, 7);
    let zip = done.place.write("run.zip", archive);
    let gz = done.place.write("rows.jsonl.gz", b"\x1f\x8b\x08\x00aaaaaaaaaaaaaa");
    for path in [zip, gz] {
        let (succeeded, summary) = done.place.try_import(&done.study, &[&path]);
        assert!(!succeeded, "an archive is no import");
        let why = summary["files"][0]["rejected"][0]["why"].as_str().unwrap();
        assert!(why.contains("unpack"), "the refusal says what to do: {why}");
    }
    for (name, bytes) in [
        ("noise.jsonl", b"\x00\x01\x02\x03\xff\xfe".as_slice()),
        ("broken.parquet", b"PAR1 and then nothing of the kind PAR1"),
        ("empty.jsonl", b""),
        ("other.csv", b"a,b\n1,2\n"),
        ("page.html", b"<html></html>"),
    ] {
        let path = done.place.write(name, bytes);
        let (_, summary) = done.place.try_import(&done.study, &[&path]);
        let file = &summary["files"][0];
        assert_eq!(file["added"], json!({}), "{name} adds nothing: {file}");
        let said =
            [&file["rejected"], &file["warnings"]].iter().any(|notes| !notes.as_array().unwrap().is_empty());
        assert!(said, "{name} is not passed over in silence: {file}");
    }
    assert_eq!(done.place.dump(&done.study), before, "the study is as it was");
    done.place.check_clean(&done.study);
}

#[test]
fn q46_q47_q48_columns_of_parquet_and_missing_inputs() {
    let place = Place::new();
    let study = place.study("study");
    let done = place.import(&study, &[&fixtures().join("parquet/odd-columns.parquet")]);
    let file = &done["files"][0];
    assert_eq!(
        (&file["added"]["prompts"], &file["rejected"]),
        (&json!(4), &json!([])),
        "every record goes in: {file}"
    );
    let text = place.text(["export".as_ref(), study.as_os_str(), "--as".as_ref(), "mmi_dataset".as_ref()]);
    let prompts: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |key: &str| prompts.iter().find(|prompt| prompt["prompt_id"] == key).unwrap();
    assert_eq!(of("p2")["input_files"], "", "Q46: null is missing, not the text nan");
    assert!(
        !of("p2")["rubrics"].as_str().unwrap_or_default().contains("nan"),
        "Q46: and so is a null rubric"
    );
    assert_eq!(
        walk(&study.join("blobs")).len(),
        3,
        "Q47: a struct, raw bytes and a list of structs are unpacked"
    );

    let data = [with(
        prompt("p1", "Text", &[]),
        json!({"input_files": "here.txt\ngone.png", "input_modalities": "Text, Image"}),
    )];
    let dataset = place.write("run/dataset.jsonl", lines(&data));
    place.write("run/input_files/here.txt", b"here");
    let missing = place.study("missing");
    let done = place.import(&missing, &[&dataset]);
    assert_eq!(done["files"][0]["added"]["prompts"], 1, "Q48: the prompt goes in");
    let warnings = done["files"][0]["warnings"].to_string();
    assert!(
        warnings.contains("gone.png") && !warnings.contains("here.txt"),
        "and what is missing is said: {warnings}"
    );
}

#[test]
fn input_names_that_lead_out_of_the_folder_are_refused_by_line() {
    let names = ["../x.png", "/etc/passwd", "C:\\x.png", "a\\..\\..\\x"];
    let rows: Vec<Value> = names
        .iter()
        .enumerate()
        .map(|(n, name)| with(prompt(&format!("p{n}"), "Text", &[]), json!({"input_files": name})))
        .chain([prompt("good", "Text", &[])])
        .collect();
    let done = Imported::dataset(lines(&rows));
    assert_eq!(done.added("prompts"), 1, "only the good record goes in: {}", done.file);
    for line in 1..=4 {
        done.rejected(line, "input_files");
    }
}

#[test]
fn verdict_files_are_refused_row_by_row_or_as_a_whole() {
    let done = Imported::rows(lines(&[text_row("p1"), text_row("p2")]));
    let before = done.place.dump(&done.study);
    let header = "annotator,prompt_id,model,modality,verdict,comment,ai_assisted,seconds\n";
    let whole = done.place.write("foreign.csv", format!("{header}ann,p1,other-model,Text,correct,,no,1\n"));
    let (succeeded, summary) = done.place.try_import(&done.study, &[&whole]);
    assert!(!succeeded, "verdicts on a run that is not there belong nowhere: {summary}");
    assert_eq!(done.place.dump(&done.study), before, "a file refused as a whole leaves the study as it was");
    let mixed = done.place.write(
        "mixed.csv",
        format!("{header}ann,p1,m, text ,CORRECT,\"a, \"\"b\"\"\nc\",no,1\nann,p2,m,Text,maybe,,no,1\nann,p2,m,Smell,correct,,no,1\nann,p2,m,Text,incorrect,no,no,2\nann,p2,m,Text,correct,yes,no,3\n"),
    );
    let file = done.place.import(&done.study, &[&mixed])["files"][0].clone();
    let refused: Vec<u64> =
        file["rejected"].as_array().unwrap().iter().map(|note| note["line"].as_u64().unwrap()).collect();
    assert_eq!(refused, [4, 5], "each with the line that it starts at: {file}");
    assert_eq!(file["added"]["verdicts"], 2, "the last row of a repeated one wins: {file}");
    let verdicts =
        done.place.text(["export".as_ref(), done.study.as_os_str(), "--as".as_ref(), "verdicts".as_ref()]);
    assert!(
        verdicts.contains("a, \"\"b\"\"\nc"),
        "commas, quotes and line ends in comments survive: {verdicts}"
    );
}
