//! How long the things take that an author waits for. `cargo bench -p rubric`.
//!
//! Aims, on one core: 1,813 meta-rubrics of 15 checks compile in under 50 ms; a criterion is linted in under 1 ms; the
//! rubrics of a study with 7,165 criteria in under 2 s.

use domain::Modality;
use rubric::{
    compile::{compile, compile_json, read_meta_rubric},
    lints::{LintCriterion, LintInput, lint},
};
use serde_json::json;
use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

/// Time that this thread has had on a core, where the system says (Linux): a busy machine does not lengthen it.
fn on_core() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The median of several runs.
fn timed(runs: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let (start, before) = (Instant::now(), on_core());
            work();
            on_core()
                .zip(before)
                .map_or_else(|| start.elapsed(), |(after, before)| after.saturating_sub(before))
        })
        .collect();
    times.sort();
    times[runs / 2]
}

/// A meta-rubric of 15 checks, of four types.
fn meta_rubric(number: usize) -> Vec<u8> {
    let option =
        |at: usize| json!({"id": format!("p{at}"), "text": format!("way {at} of keeping cup {number} warm")});
    json!({"schema": "metarubric/1", "id": format!("q{number}"), "question": "How is it made?", "items": [
        {"id": "m1", "type": "simple", "tier": "AC", "text": format!("Identifies number {number} as a moka pot.")},
        {"id": "m2", "type": "process", "tier": "AC", "concept": "brewing with it", "steps": [
            {"id": "s1", "text": "Fill the lower chamber with water up to the safety valve"},
            {"id": "s2", "text": "Fill the basket with ground coffee without tamping it"},
            {"id": "s3", "text": "Take the pot off the heat when the flow starts to sputter"},
            {"id": "s4", "text": "Cool the base under running water", "required": false}]},
        {"id": "m3", "type": "flexible_list", "tier": "V", "concept": "ways to keep a cup warm", "baselines": [2],
         "pool": [option(1), option(2), option(3), option(4)]},
        {"id": "m4", "type": "relationship", "tier": "V", "subject": "moka pot coffee", "link": "contrast",
         "related": [{"id": "r1", "text": "machine espresso"}],
         "aspects": [{"id": "a1", "text": "States that it brews at roughly 1 to 2 bar of pressure."}]},
        {"id": "m5", "type": "simple", "tier": "C", "text": "States that Alfonso Bialetti sold it from 1933 on."},
    ]})
    .to_string()
    .into_bytes()
}

/// Criteria that do not repeat each other, some of them with something for the lints to say.
fn rubrics(criteria: usize) -> Vec<LintInput> {
    let texts = [
        "Delivers an image of a harbour.",
        "Shows at least three boats, such as a dinghy, a yacht, or a ferry.",
        "The title at the top reads \"Harbour Days\" in capitals.",
        "The crane stands left of the lighthouse and the sky behind it is orange.",
        "Matches the description given in the accompanying text.",
        "The layout is appealing and has no spelling errors, as the user requested.",
    ];
    (0..criteria / texts.len())
        .map(|number| LintInput {
            prompt: Some("Draw a poster of the harbour for our festival.".to_owned()),
            gold: Some(vec![Modality::Image]),
            criteria: (1..)
                .zip(texts)
                .map(|(id, text)| LintCriterion {
                    id: id.to_string(),
                    criterion: format!("{} ({number})", text.trim_end_matches('.')),
                    modality: "image".to_owned(),
                    has_weight: false,
                })
                .collect(),
        })
        .collect()
}

fn main() {
    let files: Vec<Vec<u8>> = (0..1_813).map(meta_rubric).collect();
    let read: Vec<_> = files.iter().map(|file| read_meta_rubric(file).meta_rubric).collect();
    assert!(read.iter().all(|m| compile(m).checks.len() == 15), "15 checks each");
    let compiling = timed(9, || read.iter().for_each(|m| drop(black_box(compile(m)))));
    println!("1,813 meta-rubrics of 15 checks, compiled: {compiling:?}");
    let from_files = timed(9, || files.iter().for_each(|file| drop(black_box(compile_json(file)))));
    println!("the same, read from JSON and compiled: {from_files:?}");

    let pool: Vec<_> =
        (0..100_000).map(|at| json!({"id": at.to_string(), "text": format!("option {at}")})).collect();
    let item = json!({"id": "m", "type": "flexible_list", "tier": "AC", "concept": "things", "pool": pool, "baselines": [1]});
    let large = json!({"items": [item]}).to_string().into_bytes();
    println!("one pool of 100,000 options: {:?}", timed(5, || drop(black_box(compile_json(&large)))));

    let study = rubrics(7_165);
    let one = LintInput { criteria: study[0].criteria[5..].to_vec(), ..study[0].clone() };
    let thousand = timed(9, || (0..1_000).for_each(|_| drop(black_box(lint(&one)))));
    println!("one criterion, linted: {:?}", thousand / 1_000);
    let all = timed(3, || study.iter().for_each(|rubric| drop(black_box(lint(rubric)))));
    println!("7,164 criteria in rubrics of six, linted: {all:?}");
}
