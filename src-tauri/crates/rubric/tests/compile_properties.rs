//! What holds of every checklist, whatever the meta-rubric.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on says so by failing

use domain::{
    CheckKind, CheckRule, Element, Item, ItemContent, ItemType, Link, MetaInsight, MetaRubric, Step, Tier,
    text_hash,
};
use proptest::prelude::*;
use rubric::{
    compile::{CODES, compile, compile_json, converted, default_coverage, insights_as_items, offered, split},
    lints::Severity,
};
use std::collections::BTreeSet;

fn tier() -> impl Strategy<Value = Tier> {
    (0..3_usize).prop_map(|at| Tier::ALL[at])
}

fn texts(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Element>> {
    // Words that differ by their number, so that most lists repeat nothing.
    (proptest::collection::vec("[a-zé;. ]{0,6}", sizes), any::<bool>()).prop_map(|(texts, aliases)| {
        texts
            .into_iter()
            .enumerate()
            .map(|(at, text)| Element {
                id: format!("e{at}"),
                text: format!("thing{at} {text}"),
                aliases: if aliases && at % 2 == 0 { vec![format!("alias{at}")] } else { Vec::new() },
                evidence: if at % 3 == 0 { vec![format!("s{at}")] } else { Vec::new() },
            })
            .collect()
    })
}

fn content() -> impl Strategy<Value = ItemContent> {
    prop_oneof![
        "[A-Z][a-z ]{0,20}".prop_map(|text| ItemContent::Simple { text }),
        texts(1..9).prop_map(|entries| ItemContent::StrictList { concept: "things".to_owned(), entries }),
        (texts(2..40), 0.0..1.0_f64, any::<bool>()).prop_map(|(pool, share, second)| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of a small size
            let baseline = 1 + (share * (pool.len() - 1) as f64) as u32;
            let next = usize::try_from(baseline + 1).unwrap();
            let baselines =
                if second && next < pool.len() { vec![baseline, baseline + 1] } else { vec![baseline] };
            ItemContent::FlexibleList { concept: "things".to_owned(), pool, baselines, coverage: Vec::new() }
        }),
        proptest::collection::vec(any::<bool>(), 2..9).prop_map(|required| ItemContent::Process {
            concept: "doing it".to_owned(),
            steps: required
                .into_iter()
                .enumerate()
                .map(|(at, required)| Step {
                    id: format!("s{at}"),
                    text: format!("step {at}"),
                    required,
                    evidence: Vec::new(),
                })
                .collect(),
        }),
        (texts(1..4), texts(1..4), any::<bool>()).prop_map(|(related, aspects, contrast)| {
            ItemContent::Relationship {
                subject: "it".to_owned(),
                link: if contrast { Link::Contrast } else { Link::Connection },
                related,
                aspects,
            }
        }),
    ]
}

fn meta_rubric() -> impl Strategy<Value = MetaRubric> {
    let item = (tier(), content(), proptest::option::of(tier()));
    proptest::collection::vec(item, 1..7).prop_map(|items| MetaRubric {
        items: items
            .into_iter()
            .enumerate()
            .map(|(at, (tier, content, insight))| {
                let carries = !matches!(content.item_type(), ItemType::Simple | ItemType::Relationship);
                let insight = insight.filter(|_| carries).map(|tier| MetaInsight {
                    id: "i".to_owned(),
                    tier: Some(tier),
                    text: format!("Says why ({at})."),
                    evidence: Vec::new(),
                });
                Item {
                    id: format!("m{at}"),
                    tier: Some(tier),
                    content,
                    meta_insights: insight.into_iter().collect(),
                    evidence: vec!["s0".to_owned()],
                }
            })
            .collect(),
        ..MetaRubric::default()
    })
}

/// The count that B3 gives for an item.
fn expected_count(item: &Item) -> usize {
    let own = match &item.content {
        ItemContent::Simple { .. } => 1,
        ItemContent::StrictList { entries, .. } => entries.len(),
        ItemContent::FlexibleList { pool, baselines, .. } => {
            let highest = usize::try_from(*baselines.iter().max().unwrap()).unwrap();
            let short = pool.len() <= 7 && item.tier != Some(Tier::Context);
            let gap = pool.len() - highest;
            let thresholds = if gap <= 2 {
                1
            } else if gap <= 8 {
                2
            } else {
                3
            };
            baselines.len() + if short { pool.len() } else { thresholds }
        }
        ItemContent::Process { steps, .. } => {
            let required = steps.iter().filter(|s| s.required).count();
            steps.len() + usize::from(required >= 2) + usize::from(required < steps.len())
        }
        ItemContent::Relationship { related, aspects, .. } => related.len() + aspects.len(),
    };
    own + item.meta_insights.len()
}

proptest! {
    #[test]
    fn every_checklist(meta_rubric in meta_rubric()) {
        let compiled = compile(&meta_rubric);
        let errors: Vec<_> = compiled.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        // A random baseline may be the whole pool, and that is all that can be wrong here.
        prop_assert!(errors.iter().all(|d| d.code == "FL-08"), "{:?}", errors);
        if !errors.is_empty() {
            prop_assert!(compiled.checks.is_empty(), "no half a checklist");
            return Ok(());
        }
        let item = |id: &str| meta_rubric.items.iter().find(|item| item.id == id).unwrap();
        let ids: BTreeSet<&str> = compiled.checks.iter().map(|c| c.id.as_str()).collect();
        prop_assert_eq!(ids.len(), compiled.checks.len(), "ids are unique");
        prop_assert_eq!(
            compiled.checks.len(),
            meta_rubric.items.iter().map(expected_count).sum::<usize>(),
            "as many checks as B3 counts"
        );
        for check in &compiled.checks {
            let from = &check.provenance;
            let of = item(&from.item);
            prop_assert!(check.id.starts_with(&format!("{}.", from.item)), "named after its item");
            prop_assert_eq!(from.item_type, of.content.item_type(), "of its item's type");
            prop_assert!(from.rule == CheckRule::S1 || !from.entries.is_empty(), "says which entries");
            prop_assert_eq!(&from.evidence[0], "s0", "the item's evidence comes with it");
            if check.kind != CheckKind::MetaInsight {
                prop_assert!(check.tier >= of.tier.unwrap(), "never above its parent");
                prop_assert_eq!(from.demoted_from.is_some(), check.tier != of.tier.unwrap() || from.demoted_from == Some(Tier::Context), "demoted or not");
            }
            prop_assert!(check.text.ends_with('.') && !check.text.contains("  "), "{:?}", check.text);
            prop_assert_eq!(&check.text_sha256, &text_hash(&check.text), "its own hash");
            if let (CheckKind::Coverage, ItemContent::FlexibleList { pool, baselines, .. }) = (check.kind, &of.content) {
                let n = check.n.unwrap();
                prop_assert!(n > *baselines.iter().max().unwrap(), "above the baseline");
                prop_assert!(usize::try_from(n).unwrap() <= pool.len(), "within the pool");
            }
        }
    }

    #[test]
    fn the_order_of_entries_changes_no_id(meta_rubric in meta_rubric(), turn in 0..9_usize) {
        let mut turned = meta_rubric.clone();
        let by = turn % turned.items.len();
        turned.items.rotate_left(by);
        for item in &mut turned.items {
            match &mut item.content {
                ItemContent::StrictList { entries: all, .. }
                | ItemContent::FlexibleList { pool: all, .. } => all.reverse(),
                ItemContent::Process { steps, .. } => steps.reverse(),
                ItemContent::Relationship { related, aspects, .. } => {
                    related.reverse();
                    aspects.reverse();
                }
                ItemContent::Simple { .. } => {}
            }
        }
        let ids = |meta_rubric: &MetaRubric| -> BTreeSet<(String, Tier)> {
            compile(meta_rubric).checks.into_iter().map(|c| (c.id, c.tier)).collect()
        };
        prop_assert_eq!(ids(&meta_rubric), ids(&turned), "the same checks in the same tiers");
    }

    #[test]
    fn the_same_input_gives_the_same_bytes(meta_rubric in meta_rubric()) {
        let file = serde_json::to_vec(&meta_rubric).unwrap();
        let once = serde_json::to_vec(&compile_json(&file)).unwrap();
        prop_assert_eq!(&once, &serde_json::to_vec(&compile_json(&file)).unwrap(), "twice from the file");
        prop_assert_eq!(&once, &serde_json::to_vec(&compile(&meta_rubric)).unwrap(), "and once from what it holds");
        let read: MetaRubric = serde_json::from_slice(&file).unwrap();
        prop_assert_eq!(read, meta_rubric, "what is written reads back");
    }

    #[test]
    fn coverage_lies_within_baseline_and_pool(pool in 2..400_usize, share in 0.0..1.0_f64) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of a small size
        let baseline = 1 + (share * (pool - 2) as f64) as usize;
        let thresholds = default_coverage(pool, baseline);
        prop_assert!(!thresholds.is_empty(), "always one");
        prop_assert!(thresholds.iter().all(|t| *t > baseline && *t <= pool), "{:?}", thresholds);
        prop_assert!(thresholds.windows(2).all(|pair| pair[0] < pair[1]), "rising: {:?}", thresholds);
        prop_assert!(pool - baseline <= 2 || *thresholds.last().unwrap() < pool, "not the whole of a large pool");
    }
}

#[test]
fn coverage_examples_of_the_specification() {
    for (pool, baseline, expected) in [
        (8, 2, vec![4, 6]),
        (10, 3, vec![6, 8]),
        (12, 3, vec![6, 8, 10]),
        (20, 2, vec![7, 11, 16]),
        (30, 3, vec![10, 17, 24]),
        (3, 1, vec![2]),
        (5, 1, vec![3, 4]),
        (5, 5, vec![]),
    ] {
        assert_eq!(default_coverage(pool, baseline), expected, "({pool}, {baseline})");
    }
}

fn list(content: ItemContent) -> Item {
    Item {
        id: "m".to_owned(),
        tier: Some(Tier::Valuable),
        content,
        meta_insights: Vec::new(),
        evidence: Vec::new(),
    }
}

fn element(id: &str, text: &str) -> Element {
    Element { id: id.to_owned(), text: text.to_owned(), ..Element::default() }
}

fn flexible(texts: &[&str], baselines: &[u32]) -> Item {
    let pool = texts.iter().enumerate().map(|(at, text)| element(&format!("p{at}"), text)).collect();
    list(ItemContent::FlexibleList {
        concept: "things".to_owned(),
        pool,
        baselines: baselines.to_vec(),
        coverage: Vec::new(),
    })
}

fn codes(item: &Item) -> Vec<String> {
    let meta_rubric = MetaRubric { items: vec![item.clone()], ..MetaRubric::default() };
    let compiled = compile(&meta_rubric);
    compiled.diagnostics.into_iter().filter(|d| d.severity != Severity::Info).map(|d| d.code).collect()
}

#[test]
fn what_a_diagnostic_offers_settles_it() {
    let single_step = list(ItemContent::Process {
        concept: "brewing".to_owned(),
        steps: vec![Step {
            id: "s".to_owned(),
            text: "Boil".to_owned(),
            required: true,
            evidence: Vec::new(),
        }],
    });
    let strict_of_one = converted(&flexible(&["salt"], &[1]), ItemType::StrictList).unwrap();
    for (item, code) in [
        (flexible(&["salt"], &[1]), "FL-02"),
        (flexible(&["salt", "pepper"], &[2]), "FL-08"),
        (single_step, "PR-02"),
        (strict_of_one, "SL-02"),
    ] {
        assert_eq!(codes(&item), [code], "the case shows it");
        let mended = converted(&item, offered(code).expect("it offers a type")).expect("which it can take");
        assert_eq!(codes(&mended), Vec::<String>::new(), "{code} is settled");
        assert_eq!((&mended.id, mended.tier), (&item.id, item.tier), "and the item is the same one");
    }
    assert!(CODES.iter().filter(|c| offered(c.code).is_some()).count() == 4, "the four that were tried");
}

#[test]
fn conversions_lose_no_element() {
    let item = flexible(&["salt", "pepper"], &[1]);
    assert_eq!(converted(&item, ItemType::Simple), None, "two options are no single statement");
    for to in [ItemType::StrictList, ItemType::Process, ItemType::Relationship] {
        let there = converted(&item, to).unwrap();
        assert_eq!(there.content.item_type(), to, "of the type that was asked for");
        assert_eq!(converted(&there, ItemType::FlexibleList).unwrap(), item, "there and back");
    }
    let (core, rest) = split(&item, &["p0"], "m-rest").unwrap();
    assert_eq!(core.content.item_type(), ItemType::StrictList, "the core is required");
    assert_eq!((rest.id.as_str(), codes(&rest)), ("m-rest", vec!["FL-02".to_owned()]), "one is left");
    assert_eq!(split(&item, &["p0", "p1"], "r"), None, "nothing would be left");
    let mut told = flexible(&["salt", "pepper"], &[1]);
    told.content = ItemContent::Simple { text: "Names salt.".to_owned() };
    told.meta_insights = vec![MetaInsight {
        id: "i".to_owned(),
        tier: Some(Tier::Context),
        text: "Why.".to_owned(),
        evidence: Vec::new(),
    }];
    assert_eq!(codes(&told), ["MI-01"], "a simple item carries no insight");
    let parts = insights_as_items(&told);
    assert_eq!(
        parts.iter().map(|p| (p.id.as_str(), p.tier)).collect::<Vec<_>>(),
        [("m", Some(Tier::Valuable)), ("m-i", Some(Tier::Context))],
        "an item of its own"
    );
    assert!(parts.iter().all(|part| codes(part).is_empty()), "and both compile");
}
