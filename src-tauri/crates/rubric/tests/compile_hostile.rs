//! Malformed and hostile meta-rubrics: diagnostics, never a panic. The corpus (`tests/fixtures/fuzz/meta-rubric`) is replayed
//! whole and mutated by a fixed seed; `ASSIZE_FUZZ_SECONDS=600 cargo test -p rubric --test compile_hostile`
//! goes on for longer, from a seed that it prints.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use domain::text_hash;
use rubric::{
    compile::{CODES, Compiled, compile_json},
    gamut::controls::propose,
    lints::Severity,
};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

fn codes(file: &[u8]) -> Vec<String> {
    let compiled = sound(file);
    compiled.diagnostics.into_iter().filter(|d| d.severity != Severity::Info).map(|d| d.code).collect()
}

/// Compiles, and checks what must hold of any answer.
fn sound(file: &[u8]) -> Compiled {
    let compiled = compile_json(file);
    assert!(compiled.succeeded() || compiled.checks.is_empty(), "an error leaves no check");
    assert!(!compiled.checks.is_empty() || !compiled.diagnostics.is_empty(), "nothing is not an answer");
    for diagnostic in &compiled.diagnostics {
        let known = CODES.iter().find(|known| known.code == diagnostic.code).expect("a code of the list");
        assert_eq!(known.severity, diagnostic.severity, "{}: as severe as the list says", known.code);
        assert!(
            diagnostic.message.len() < 2_000,
            "a message that can be shown: {}",
            diagnostic.message.len()
        );
    }
    let mut ids = HashSet::new();
    for check in &compiled.checks {
        assert!(ids.insert(check.id.as_str()), "{}: an id of its own", check.id);
        assert_eq!(check.text_sha256, text_hash(&check.text), "{}: its hash", check.id);
    }
    compiled
}

#[allow(clippy::needless_pass_by_value)] // called with what `json!` makes
fn rubric(items: Value) -> Vec<u8> {
    json!({"schema": "metarubric/1", "id": "t", "question": "q", "items": items}).to_string().into_bytes()
}

fn simple(field: &str, value: Value) -> Vec<u8> {
    let mut item = json!({"id": "m1", "type": "simple", "tier": "AC", "text": "States that it is so."});
    item[field] = value;
    rubric(json!([item]))
}

#[test]
fn files_that_are_no_meta_rubric() {
    for file in [
        "",
        "   ",
        "null",
        "[]",
        "\"text\"",
        "{",
        "{\"items\":[",
        "{\"items\":NaN}",
        "{\"items\":Infinity}",
        "{\"schema\":\"metarubric/2\",\"items\":[]}",
        "{\"schema\":7}",
        "{\"id\":\"\\ud800\"}",
    ] {
        assert_eq!(codes(file.as_bytes()), ["MR-00"], "{file}");
    }
    assert_eq!(codes(b"\xff\xfe{\0}\0"), ["MR-00"], "UTF-16");
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    assert_eq!(codes(deep.as_bytes()), ["MR-00"], "nested beyond any reader's stack");
    assert_eq!(codes(format!("{{\"items\":{deep}}}").as_bytes()), ["MR-00"], "the same further in");
    assert_eq!(codes(b"{}"), ["MR-01"], "no items");
    assert_eq!(codes(b"{\"items\":[]}"), ["MR-01"], "none in the list");
    assert_eq!(codes(b"{\"items\":{}}"), ["MR-05"], "no list");
    assert_eq!(codes(b"{\"items\":[null,3]}"), ["MR-05", "MR-05"], "no objects");
    let mut marked = b"\xEF\xBB\xBF".to_vec();
    marked.extend(simple("text", json!("So.")));
    assert_eq!(codes(&marked), Vec::<String>::new(), "a byte order mark is no fault");
}

#[test]
fn wrong_types_are_named() {
    for (field, value, expected) in [
        ("id", json!(null), "MR-02"),
        ("id", json!(" "), "MR-02"),
        ("id", json!({}), "MR-02"),
        ("type", json!("Simple"), "MR-03"),
        ("type", json!(null), "MR-03"),
        ("type", json!("meta_insight"), "MR-03"),
        ("tier", json!("ac"), "MR-04"),
        ("tier", json!(1), "MR-04"),
        ("tier", json!(null), "MR-04"),
        ("text", json!(null), "MR-05"),
        ("text", json!("  "), "MR-05"),
        ("text", json!(["a"]), "MR-05"),
        ("text", json!(" \u{200b}\u{a0}\u{202e}"), "MR-05"),
        ("id", json!("\u{202e}m1"), "MR-08"),
        ("evidence", json!({}), "MR-05"),
        ("evidence", json!([[]]), "MR-05"),
        ("text", json!("a".repeat(10_000_000)), "MR-06"),
        ("text", json!("States that \u{202e}it is so."), "MR-08"),
        ("text", json!("Nul \0 inside."), "MR-08"),
        ("meta_insights", json!([{"id": "i", "tier": "V", "text": "So."}]), "MI-01"),
    ] {
        let shown: String = value.to_string().chars().take(40).collect();
        assert_eq!(codes(&simple(field, value)), [expected], "{field}: {shown}");
    }
    let item = json!({"id": "m1", "type": "simple", "tier": "AC", "text": "States that it is so."});
    assert_eq!(codes(&rubric(json!([item, item]))), ["MR-02"], "an id comes twice");
}

fn with(base: Value, field: &str, value: Value) -> Vec<u8> {
    let mut item = base;
    item[field] = value;
    rubric(json!([item]))
}

#[test]
fn each_code_of_the_specification() {
    let options = |n: usize| -> Value {
        (1..=n).map(|at| json!({"id": format!("p{at}"), "text": format!("option {at}")})).collect()
    };
    let flexible = |n: usize| json!({"id": "m", "type": "flexible_list", "tier": "V", "concept": "things", "pool": options(n), "baselines": [2]});
    let cases = [
        (with(flexible(5), "pool", json!([])), "FL-01"),
        (with(flexible(5), "pool", json!(null)), "FL-01"),
        (with(flexible(1), "baselines", json!([1])), "FL-02"),
        (with(flexible(5), "baselines", json!([])), "FL-03"),
        (with(flexible(5), "baselines", json!([1, 2, 3])), "FL-04"),
        (with(flexible(5), "baselines", json!([2.5])), "FL-05"),
        (with(flexible(5), "baselines", json!([-1])), "FL-05"),
        (with(flexible(5), "baselines", json!(["2"])), "FL-05"),
        (with(flexible(5), "baselines", json!([3, 2])), "FL-06"),
        (with(flexible(5), "baselines", json!([2, 2])), "FL-06"),
        (with(flexible(5), "baselines", json!([6])), "FL-07"),
        (with(flexible(5), "baselines", json!([1e300])), "FL-07"),
        (with(flexible(5), "baselines", json!([2, 5])), "FL-08"),
        (with(flexible(7), "coverage", json!([4])), "FL-09"),
        (with(flexible(9), "coverage", json!([4, 3])), "FL-10"),
        (with(flexible(9), "coverage", json!([2, 3])), "FL-10"),
        (with(flexible(9), "coverage", json!([10])), "FL-10"),
        (with(flexible(9), "coverage", json!([3, 4, 5, 6, 7])), "FL-10"),
        (with(flexible(9), "coverage", json!([3.5])), "FL-10"),
        (with(flexible(5), "meta_insights", json!([{"id": "i", "text": "So."}])), "MI-02"),
        (with(flexible(5), "meta_insights", json!([{"id": "i", "tier": "X", "text": "So."}])), "MI-02"),
        (with(flexible(5), "concept", json!("")), "MR-05"),
        (with(flexible(5), "concept", json!("x".repeat(1_001))), "MR-06"),
    ];
    for (at, (file, expected)) in cases.iter().enumerate() {
        assert_eq!(codes(file), [*expected], "flexible list {at}");
    }
    let strict =
        json!({"id": "m", "type": "strict_list", "tier": "V", "concept": "things", "entries": options(3)});
    let process = json!({"id": "m", "type": "process", "tier": "V", "concept": "it", "steps": options(3)});
    let related = json!({"id": "m", "type": "relationship", "tier": "V", "subject": "it", "related": options(2), "aspects": options(2)});
    let step = |id: &str, required: bool| json!({"id": id, "text": format!("do {id}"), "required": required});
    let cases = [
        (with(strict.clone(), "entries", json!([])), "SL-01"),
        (with(strict.clone(), "entries", options(1)), "SL-02"),
        (
            with(
                strict.clone(),
                "entries",
                json!([{"id": "a", "text": "Straße"}, {"id": "b", "text": "the STRASSE."}]),
            ),
            "SL-03",
        ),
        (
            with(strict.clone(), "entries", json!([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}])),
            "MR-02",
        ),
        (with(strict.clone(), "entries", json!([{"text": "x"}, {"id": "a", "text": "y"}])), "MR-02"),
        (with(strict, "entries", json!([{"id": "a", "text": "x"}, "y", {"id": "b", "text": "z"}])), "MR-05"),
        (with(process.clone(), "steps", json!([])), "PR-01"),
        (with(process.clone(), "steps", options(1)), "PR-02"),
        (with(process.clone(), "steps", json!([step("a", false)])), "PR-02"),
        (with(process.clone(), "steps", json!([step("a", false), step("b", false)])), "PR-03"),
        (with(process.clone(), "steps", json!([step("a", true), step("b", false)])), "PR-04"),
        (
            with(
                process.clone(),
                "steps",
                json!([{"id": "a", "text": "Stir."}, {"id": "b", "text": "stir"}]),
            ),
            "PR-05",
        ),
        (
            with(
                process,
                "steps",
                json!([{"id": "a", "text": "x", "required": "no"}, {"id": "b", "text": "y"}]),
            ),
            "MR-05",
        ),
        (with(related.clone(), "related", json!([])), "RE-01"),
        (with(related.clone(), "aspects", json!([])), "RE-02"),
        (
            with(related.clone(), "aspects", json!([{"id": "a", "text": "So."}, {"id": "b", "text": "so"}])),
            "RE-03",
        ),
        (with(related, "related", json!([{"id": "a", "text": "x"}, {"id": "b", "text": "X"}])), "RE-03"),
    ];
    for (at, (file, expected)) in cases.iter().enumerate() {
        assert_eq!(codes(file), [*expected], "case {at}");
    }
}

#[test]
fn notices_are_given_and_stop_nothing() {
    let entry = |id: &str, text: &str| json!({"id": id, "text": text});
    let compiled = sound(&rubric(json!([
        {"id": "s", "type": "strict_list", "tier": "AC", "concept": "things", "entries": [entry("a", "salt"), entry("b", "oil")]},
        {"id": "f", "type": "flexible_list", "tier": "AC", "concept": "things", "baselines": [1], "pool": [
            entry("a", "milk"), entry("b", "oat milk"), entry("c", "milkweed"), entry("d", "ginger and garlic"), entry("e", "The salt.")]},
    ])));
    let found: Vec<(&str, &str)> =
        compiled.diagnostics.iter().map(|d| (d.code.as_str(), d.item.as_deref().unwrap_or("-"))).collect();
    let expected = [("FL-12", "f"), ("FL-13", "f"), ("CK-03", "f"), ("CK-02", "-")];
    assert_eq!(found, expected, "oat milk holds milk, milkweed does not; salt stands twice; no Context");
    assert_eq!(compiled.checks.len(), 2 + 1 + 5, "all checks are there");
    let clash = sound(&rubric(json!([
        {"id": "m.opt.x", "type": "simple", "tier": "AC", "text": "One."},
        {"id": "m", "type": "strict_list", "tier": "AC", "concept": "c", "entries": [entry("a", "x"), entry("b", "y")]},
        {"id": "m.entry.a.fact", "type": "simple", "tier": "AC", "text": "Two."},
    ])));
    assert!(clash.succeeded(), "ids with periods are ids: {:?}", clash.diagnostics);
    let clash = sound(&rubric(json!([
        {"id": "m.entry.a", "type": "simple", "tier": "AC", "text": "One."},
        {"id": "m", "type": "strict_list", "tier": "AC", "concept": "c", "entries": [entry("a.fact", "x"), entry("b", "y")]},
    ])));
    assert_eq!(
        clash.diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(),
        ["MR-02"],
        "unless they make one check id twice"
    );
}

#[test]
fn large_and_odd_input_stays_cheap() {
    let options = |n: usize| -> Value {
        (0..n).map(|at| json!({"id": at.to_string(), "text": format!("a b c {at} a b")})).collect()
    };
    let item = |pool: Value| json!([{"id": "m", "type": "flexible_list", "tier": "AC", "concept": "things", "pool": pool, "baselines": [3]}]);
    let many = sound(&rubric(item(options(100_000))));
    assert_eq!(many.checks.len(), 4, "one baseline, three thresholds");
    assert_eq!(many.diagnostics.iter().filter(|d| d.code == "MR-07").count(), 1, "and the author is told");
    let first = &many.checks[0].text;
    assert!(first.contains("; (aa) a b c 26 a b; (ab) "), "letters go on");
    let mut one_long = options(5);
    one_long[0]["text"] = json!("word ".repeat(2_000_000));
    assert_eq!(codes(&rubric(item(one_long))), ["MR-06"], "10 MB in one option");
    let odd = sound(&rubric(item(json!([
        {"id": "1", "text": "שלום"}, {"id": "2", "text": "e\u{301}te\u{301}"}, {"id": "3", "text": "été"},
        {"id": "4", "text": "👩‍👩‍👧"}, {"id": "5", "text": "a\u{300}\u{301}\u{302}\u{303}".repeat(50)}]))));
    assert_eq!(
        odd.diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(),
        ["FL-11"],
        "composed or not, it is one word"
    );
}

/// A stream of well mixed numbers (SplitMix64).
struct Draws(u64);
impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }
}

fn corpus() -> Vec<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures");
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join("fuzz/meta-rubric"))
        .expect("corpus")
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 20, "the corpus is there");
    let mut corpus: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    for name in ["01-moka-pot", "02-monarch-caterpillar", "04-qr-code"] {
        let case: Value =
            serde_json::from_slice(&fs::read(root.join(format!("gamut/{name}.json"))).unwrap()).unwrap();
        corpus.push(case["meta_rubric"].to_string().into_bytes());
    }
    corpus
}

const ODD: [&str; 22] = [
    "null",
    "true",
    "0",
    "-1",
    "2.5",
    "1e308",
    "1e400",
    "NaN",
    "\"\"",
    "\" \"",
    "[]",
    "{}",
    "[[]]",
    "\"AC\"",
    "\"C\"",
    "\"process\"",
    "\"flexible_list\"",
    "\"\\u202e\"",
    "\"\\ud800\"",
    "\"e\\u0301;.\"",
    "\"the \"",
    "4294967296",
];

/// Changes a value somewhere in a JSON document, so that the mutant gets past the reader.
fn mutate_value(value: &mut Value, depth: usize, draws: &mut Draws) {
    let leaf = depth == 0 || draws.below(6) == 0;
    match value {
        Value::Array(list) if !list.is_empty() && !leaf => {
            let (at, other) = (draws.below(list.len()), draws.below(list.len()));
            match draws.below(8) {
                0 => drop(list.remove(at)),
                1 => {
                    let copy = list[at].clone();
                    list.insert(other, copy);
                }
                2 => list.swap(at, other),
                _ => mutate_value(&mut list[at], depth - 1, draws),
            }
        }
        Value::Object(object) if !object.is_empty() && !leaf => {
            let key = object.keys().nth(draws.below(object.len())).unwrap().clone();
            if draws.below(10) == 0 {
                object.remove(&key);
            } else {
                mutate_value(object.get_mut(&key).unwrap(), depth - 1, draws);
            }
        }
        Value::String(text) if draws.below(2) == 0 => {
            let piece =
                [" and ", ";", ".", "the ", "\u{301}", "\u{5d0}", "\0", "ß", "  ", "AC"][draws.below(10)];
            let at =
                text.char_indices().map(|(at, _)| at).nth(draws.below(text.chars().count())).unwrap_or(0);
            text.insert_str(at, piece);
        }
        other => *other = serde_json::from_str(ODD[draws.below(ODD.len())]).unwrap_or(Value::Null),
    }
}

fn mutate_bytes(file: &mut Vec<u8>, draws: &mut Draws) {
    if file.is_empty() {
        return;
    }
    let at = draws.below(file.len());
    let end = (at + draws.below(40)).min(file.len());
    match draws.below(5) {
        0 => file[at] ^= 1 << draws.below(8),
        1 => drop(file.drain(at..end)),
        2 => {
            let copy = file[at..end].to_vec();
            file.splice(at..at, copy);
        }
        3 => drop(file.splice(at..end, ODD[draws.below(ODD.len())].bytes())),
        _ => file.truncate(at),
    }
}

fn mutant(corpus: &[Vec<u8>], draws: &mut Draws) -> Vec<u8> {
    let mut file = corpus[draws.below(corpus.len())].clone();
    let changes = 1 + draws.below(5);
    if draws.below(3) > 0
        && let Ok(mut value) = serde_json::from_slice::<Value>(&file)
    {
        for _ in 0..changes {
            mutate_value(&mut value, 8, draws);
        }
        return value.to_string().into_bytes();
    }
    for _ in 0..changes {
        mutate_bytes(&mut file, draws);
    }
    file
}

fn run(file: &[u8]) {
    let compiled = sound(file);
    if compiled.succeeded() {
        let read = rubric::compile::read_meta_rubric(file);
        let controls = propose(&read.meta_rubric, &compiled.checks);
        assert!(
            controls.iter().all(|c| c.expected.len() == compiled.checks.len()),
            "a verdict on each check"
        );
    }
}

/// 2,000 mutants, and for `ASSIZE_FUZZ_SECONDS` on, from `ASSIZE_FUZZ_SEED`, where these are set.
#[test]
fn the_corpus_and_its_mutants_are_answered() {
    let wish = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = Duration::from_secs(wish("ASSIZE_FUZZ_SECONDS").unwrap_or(0));
    let corpus = corpus();
    for file in &corpus {
        run(file);
    }
    let (start, mut draws) = (Instant::now(), Draws(wish("ASSIZE_FUZZ_SEED").unwrap_or(1)));
    let (mut runs, mut compiled) = (0, 0);
    while runs < 2_000 || start.elapsed() < seconds {
        let file = mutant(&corpus, &mut draws);
        if let Err(panic) = std::panic::catch_unwind(|| run(&file)) {
            eprintln!("{}", String::from_utf8_lossy(&file));
            std::panic::resume_unwind(panic);
        }
        compiled += usize::from(compile_json(&file).succeeded());
        runs += 1;
    }
    println!("{runs} mutants, {compiled} compiled");
    assert!(compiled * 20 > runs, "enough mutants get through to be compiled: {compiled} of {runs}");
}
