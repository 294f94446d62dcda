//! What follows from what a judge found: computed verdicts, coherence, control answers, patches, comparison.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use CheckVerdict::{Contradicts, Meets, Missing, Partial};
use domain::{Check, CheckVerdict, ChecklistEdit, ChecklistPatch, MetaRubric, Tier, text_hash};
use rubric::{
    compare::{CheckChange, GivenVerdict, compare, standing},
    compile::{compile, read_meta_rubric},
    gamut::{
        coherence::incoherences,
        controls::{ControlKind, JudgedControl, Separation, propose, separation},
        extraction::{Extraction, FoundOption, computed, sequence, threshold},
    },
    patches::{UnplacedWhy, apply},
};
use serde_json::json;

fn tea() -> MetaRubric {
    let file = json!({"schema": "metarubric/1", "id": "tea", "question": "How is tea made?", "items": [
        {"id": "f", "type": "simple", "tier": "AC", "text": "States that tea is an infusion."},
        {"id": "l", "type": "flexible_list", "tier": "AC", "concept": "kinds of tea", "baselines": [1, 2], "pool": [
            {"id": "g", "text": "green"}, {"id": "b", "text": "black"}, {"id": "w", "text": "white"}]},
        {"id": "p", "type": "process", "tier": "AC", "concept": "brewing", "steps": [
            {"id": "1", "text": "Boil water"}, {"id": "2", "text": "Warm the pot", "required": false},
            {"id": "3", "text": "Add leaves"}, {"id": "4", "text": "Pour"}]},
        {"id": "r", "type": "relationship", "tier": "V", "subject": "tea", "link": "contrast",
         "related": [{"id": "c", "text": "coffee"}], "aspects": [{"id": "a", "text": "States that coffee has more caffeine."}]},
    ]});
    read_meta_rubric(file.to_string().as_bytes()).meta_rubric
}

fn checks() -> Vec<Check> {
    let compiled = compile(&tea());
    assert!(compiled.succeeded(), "{:?}", compiled.diagnostics);
    compiled.checks
}

fn ids(all: &[&str]) -> Vec<String> {
    all.iter().map(|id| (*id).to_owned()).collect()
}

#[test]
fn thresholds_count_what_is_listed() {
    let pool = ids(&["a", "b", "c"]);
    let found = |all: &[(&str, bool)]| -> Vec<FoundOption> {
        all.iter()
            .map(|(id, imprecise)| FoundOption { id: (*id).to_owned(), imprecise: *imprecise })
            .collect()
    };
    let verdict = |n, all| threshold(n, &pool, &found(all));
    assert_eq!(verdict(2, &[("a", false), ("c", false)]), Meets, "two of two");
    assert_eq!(verdict(2, &[("a", false), ("x", false)]), Missing, "off the list neither helps nor hurts");
    assert_eq!(verdict(2, &[("a", false), ("a", false)]), Missing, "one option twice is one");
    assert_eq!(verdict(2, &[("a", false), ("b", true)]), Partial, "one named imprecisely");
    assert_eq!(verdict(2, &[("a", false), ("b", true), ("b", false)]), Meets, "precise at last");
    assert_eq!(verdict(3, &[("a", false), ("b", false)]), Missing, "one too few is not partial");
}

#[test]
fn sequences_compare_orders() {
    let order = ids(&["1", "2", "3", "4"]);
    let verdict = |found: &[&str]| sequence(&order, &ids(found));
    assert_eq!(verdict(&["1", "3", "4"]), Meets, "steps left out do not fail it");
    assert_eq!(verdict(&["1", "x", "4"]), Meets, "nor do extra steps");
    assert_eq!(verdict(&["3"]), Missing, "fewer than two steps have no order");
    assert_eq!(verdict(&["x", "y"]), Missing, "steps of something else");
    assert_eq!(verdict(&["1", "4", "3"]), Contradicts, "two are reversed");
    assert_eq!(verdict(&["1", "3", "1"]), Meets, "the first place of a step counts");
}

#[test]
fn verdicts_follow_from_an_extraction() {
    let checks = checks();
    let found = Extraction { item: "p".to_owned(), steps: ids(&["3", "1", "2"]), ..Extraction::default() };
    let verdicts: Vec<(&str, Option<CheckVerdict>)> = checks
        .iter()
        .filter(|c| c.provenance.item == "p")
        .map(|c| (c.id.as_str(), computed(c, &found)))
        .collect();
    let expected = [
        ("p.step.1", Some(Meets)),
        ("p.step.2", Some(Meets)),
        ("p.step.3", Some(Meets)),
        ("p.step.4", Some(Missing)),
        ("p.seq.required", Some(Contradicts)),
        ("p.seq.full", Some(Contradicts)),
    ];
    assert_eq!(verdicts, expected, "leaves before water");
    assert!(
        checks.iter().filter(|c| c.provenance.item != "p").all(|c| computed(c, &found).is_none()),
        "only its item"
    );
}

fn breaches(given: &[(&str, CheckVerdict)]) -> Vec<String> {
    let checks = checks();
    for (id, _) in given {
        assert!(checks.iter().any(|c| c.id == *id), "{id} is a check, so that the case can fail");
    }
    let verdicts: Vec<Option<CheckVerdict>> =
        checks.iter().map(|c| given.iter().find(|(id, _)| *id == c.id).map(|(_, v)| *v)).collect();
    incoherences(&checks, &verdicts).into_iter().map(|i| format!("{} {}", i.rule, i.checks[0])).collect()
}

#[test]
fn verdicts_that_cannot_all_be_true() {
    let none: [&str; 0] = [];
    assert_eq!(breaches(&[("l.opt.g", Meets), ("l.base.1", Missing)]), ["K1 l.base.1"], "one met is one met");
    assert_eq!(breaches(&[("l.opt.g", Meets), ("l.base.2", Missing)]), none, "one is not two");
    assert_eq!(
        breaches(&[("l.opt.g", Missing), ("l.opt.b", Missing), ("l.opt.w", Partial), ("l.base.2", Meets)]),
        ["K2 l.base.2"],
        "two are met, and one may be"
    );
    assert_eq!(breaches(&[("l.opt.g", Missing), ("l.base.2", Meets)]), none, "the others are not judged yet");
    assert_eq!(
        breaches(&[("l.base.2", Meets), ("l.base.1", Missing)]),
        ["K3 l.base.1"],
        "two are more than one"
    );
    assert_eq!(
        breaches(&[
            ("p.step.1", Missing),
            ("p.step.3", Missing),
            ("p.step.4", Meets),
            ("p.seq.required", Meets)
        ]),
        ["K4 p.seq.required"],
        "an order of one"
    );
    assert_eq!(
        breaches(&[("p.seq.full", Meets), ("p.seq.required", Contradicts)]),
        ["K5 p.seq.required"],
        "the whole is in order, and so is the part"
    );
    assert_eq!(
        breaches(&[
            ("p.step.1", Missing),
            ("p.step.3", Missing),
            ("p.step.4", Missing),
            ("p.seq.required", Contradicts)
        ]),
        ["K6 p.seq.required"],
        "no steps, no order"
    );
    assert_eq!(breaches(&[("p.step.1", Missing), ("p.seq.required", Missing)]), none, "coherent");
}

#[test]
fn controls_are_drafted_from_the_checks() {
    let checks = checks();
    let controls = propose(&tea(), &checks);
    assert_eq!(controls.len(), checks.len() + 1, "a good one, and one for each check");
    assert_eq!(controls[0].kind, ControlKind::Good, "the good one first");
    assert!(
        controls[0].expected.iter().all(|v| *v == Meets),
        "it meets everything: {:?}",
        controls[0].expected
    );
    assert_eq!(
        controls[0].text,
        "Tea is an infusion.\n\nKinds of tea: green; black; white.\n\nBrewing:\n1. Boil water.\n2. Warm the pot.\n3. Add leaves.\n4. Pour.\n\nCoffee is a counterpart to tea.\n\nCoffee has more caffeine.",
        "a draft"
    );
    for control in &controls[1..] {
        let fails = control.fails.as_deref().unwrap();
        let at = checks.iter().position(|c| c.id == fails).unwrap();
        assert_ne!(control.expected[at], Meets, "{fails} fails on its own answer");
    }
    let of = |id: &str| controls.iter().find(|c| c.fails.as_deref() == Some(id)).unwrap();
    let verdict = |on: &str, id: &str| of(on).expected[checks.iter().position(|c| c.id == id).unwrap()];
    assert!(of("f.fact").text.starts_with("It is not the case that tea is an infusion."), "contradicted");
    assert_eq!(verdict("f.fact", "f.fact"), Contradicts, "and said to be");
    assert_eq!(verdict("l.opt.g", "l.base.2"), Meets, "without green two are left");
    assert_eq!(verdict("l.base.2", "l.base.1"), Meets, "one is named");
    assert_eq!(verdict("p.seq.full", "p.seq.required"), Meets, "only an optional step moved");
    assert_eq!(verdict("p.seq.required", "p.seq.required"), Contradicts, "two required steps are swapped");
    assert!(
        of("p.seq.required").text.contains("1. Add leaves.\n2. Warm the pot.\n3. Boil water."),
        "swapped"
    );
}

#[test]
fn checks_that_do_not_separate_are_named() {
    let checks = &checks()[..3];
    let control = |fails: Option<usize>, verdicts: [Option<CheckVerdict>; 3]| JudgedControl {
        fails: fails.map(|at| checks[at].id.clone()),
        verdicts: verdicts.to_vec(),
    };
    let judged = [
        control(None, [Some(Meets), Some(Partial), Some(Meets)]),
        control(Some(0), [Some(Missing), Some(Meets), Some(Meets)]),
        control(Some(1), [Some(Meets), Some(Missing), Some(Meets)]),
        control(Some(2), [Some(Meets), Some(Meets), Some(Meets)]),
    ];
    let expected = [Separation::Separates, Separation::FailsGood, Separation::PassesBad];
    assert_eq!(separation(checks, &judged), expected, "each of the three outcomes");
    assert_eq!(separation(checks, &judged[..1])[0], Separation::Untried, "no bad answer was judged");
}

fn patch(check: &str, edit: ChecklistEdit) -> ChecklistPatch {
    ChecklistPatch {
        check: check.to_owned(),
        edit,
        on_text_sha256: None,
        author: "noor".to_owned(),
        reason: "a reason".to_owned(),
    }
}

#[test]
fn patches_are_applied_by_id_and_the_lost_ones_named() {
    let checks = checks();
    let reword = |text: &str| ChecklistEdit::Reword { text: text.to_owned() };
    let add = |after: Option<&str>| ChecklistEdit::Add {
        text: "Names  a pot".to_owned(),
        tier: Tier::Context,
        after: after.map(str::to_owned),
    };
    let patches = [
        patch("f.fact", reword("States that tea is made with hot water")),
        patch("l.opt.g", ChecklistEdit::Suppress),
        patch("l.opt.b", ChecklistEdit::Retier { tier: Tier::Context }),
        patch("pot", add(Some("f.fact"))),
        patch("gone.fact", ChecklistEdit::Suppress),
        patch("l.opt.g", reword("Green tea.")),
        patch("f.fact", add(None)),
        patch("f.fact", reword("  ")),
        ChecklistPatch {
            on_text_sha256: Some("0000000000000000".to_owned()),
            ..patch("r.aspect.a", reword("X."))
        },
        patch("last", add(Some("gone.fact"))),
    ];
    let patched = apply(&checks, &patches);
    let lost: Vec<(usize, UnplacedWhy)> = patched.unplaced.iter().map(|u| (u.patch, u.why)).collect();
    let expected = [
        (4, UnplacedWhy::CheckGone),
        (5, UnplacedWhy::Suppressed),
        (6, UnplacedWhy::IdTaken),
        (7, UnplacedWhy::EmptyText),
    ];
    assert_eq!(lost, expected, "each that has no place, and why");
    assert_eq!(patched.outdated, [8], "made on other words, and said to be");
    let found: Vec<&str> = patched.checks.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(found[..4], ["f.fact", "pot", "l.base.1", "l.base.2"], "added after its check");
    assert_eq!(found.last(), Some(&"last"), "at the end when its anchor is gone");
    assert!(!found.contains(&"l.opt.g"), "suppressed");
    let text = "States that tea is made with hot water.";
    assert_eq!(
        (patched.checks[0].text.as_str(), patched.checks[0].text_sha256.as_str()),
        (text, text_hash(text).as_str()),
        "reworded, with its hash"
    );
    assert_eq!(patched.checks[1].text, "Names a pot.", "an added text is put in form");
    let black = patched.checks.iter().find(|c| c.id == "l.opt.b").unwrap();
    assert_eq!(black.tier, Tier::Context, "another tier");
    assert_eq!(apply(&checks, &[]).checks, checks, "no patches, no change");
}

#[test]
fn two_checklists_are_compared_by_id_and_hash() {
    let before = checks();
    let mut changed = tea();
    changed.items.swap(0, 2);
    let domain::ItemContent::FlexibleList { pool, .. } = &mut changed.items[1].content else {
        panic!("the list")
    };
    pool.remove(0);
    pool.push(domain::Element { id: "o".to_owned(), text: "oolong".to_owned(), ..Default::default() });
    changed.items[2].tier = Some(Tier::Valuable);
    let after = compile(&changed).checks;
    let compared = compare(&before, &after);
    let of = |id: &str| compared.iter().find(|c| c.id == id).unwrap();
    assert_eq!(of("p.step.1").change, CheckChange::Same, "moving changes nothing");
    assert_eq!(of("l.opt.g").change, CheckChange::Gone, "green is gone");
    assert_eq!(of("l.opt.o").change, CheckChange::New, "oolong is new");
    assert_eq!(of("l.opt.b").change, CheckChange::Same, "black is as it was");
    assert_eq!(of("l.base.1").change, CheckChange::Changed, "its enumeration has other options");
    assert_eq!(
        (of("f.fact").change, of("f.fact").tiers),
        (CheckChange::Same, Some((Tier::AnswerCritical, Tier::Valuable))),
        "the tier alone"
    );
    assert_eq!(compared.len(), after.len() + 1, "all of the later one, and what is gone");
    let at = |id: &str| compared.iter().position(|c| c.id == id).unwrap();
    assert_eq!(at("l.opt.g"), at("l.base.2") + 1, "what is gone stands where it stood");
    let given: Vec<GivenVerdict> = before
        .iter()
        .map(|c| GivenVerdict { check: c.id.clone(), text_sha256: c.text_sha256.clone(), verdict: Meets })
        .collect();
    for (check, verdict) in after.iter().zip(standing(&after, &given)) {
        let same = of(&check.id).change == CheckChange::Same;
        assert_eq!(verdict, same.then_some(Meets), "{}: a verdict stands on the same words alone", check.id);
    }
}

#[test]
fn criteria_have_control_answers_that_stay_with_them() {
    let criterion = |id: &str, text: &str| domain::Criterion {
        id: id.to_owned(),
        criterion: text.to_owned(),
        modality: domain::Modality::Text,
    };
    let first = [
        criterion("1", "States that water boils at 100 \u{b0}C at sea level."),
        criterion("2", " "),
        criterion("3", "Shows a kettle."),
    ];
    let (checks, controls) = rubric::gamut::controls::propose_for_criteria(&first);
    assert_eq!(checks.len(), 2, "an empty one asks nothing");
    let said: Vec<&str> = controls.iter().map(|control| control.text.as_str()).collect();
    assert_eq!(
        said,
        [
            "Water boils at 100 \u{b0}C at sea level.\n\n[a passage that meets: Shows a kettle]",
            "It is not the case that water boils at 100 \u{b0}C at sea level.\n\n[a passage that meets: Shows a kettle]",
            "Water boils at 100 \u{b0}C at sea level.\n\n[a passage that says the opposite of: Shows a kettle]",
        ],
        "a good answer, and one that fails each"
    );
    assert_eq!(
        controls[1].expected,
        [CheckVerdict::Missing, CheckVerdict::Meets],
        "a criterion is met or it is not"
    );
    let moved: Vec<domain::Criterion> = first.iter().rev().cloned().collect();
    let (again, _) = rubric::gamut::controls::propose_for_criteria(&moved);
    assert_eq!(again[1].id, checks[0].id, "a verdict stays with the words, wherever they move");
}
