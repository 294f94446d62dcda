//! Control answers: drafts of answers whose verdicts are known beforehand.
//!
//! One answer meets every check; each of the others is meant to fail one: an option is missing, two steps are swapped,
//! a fact is contradicted. A check on which the good answer and its bad one get the same verdict separates nothing.
//! The drafts are made from the meta-rubric by rule; their author makes prose of them.

use super::extraction::{self, Extraction, FoundOption};
use crate::compile::text::{enumerated, tidy};
use domain::{
    Check, CheckKind, CheckRule, CheckVerdict, Criterion, Element, Item, ItemContent, ItemType, Link,
    MetaRubric, Provenance, Step, Tier, text_hash,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// What a control answer is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlKind {
    /// Meets every check.
    Good,
    /// Says nothing of one entry, option, step, entity or insight, or names too few options.
    Missing,
    /// Presents two steps the other way round.
    Swapped,
    /// Says the opposite of a statement.
    Contradicted,
}

/// A drafted control answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ControlAnswer {
    /// What it is like.
    pub kind: ControlKind,
    /// The check that it is made to fail; none for the good one.
    pub fails: Option<String>,
    /// The draft.
    pub text: String,
    /// The verdict expected on each check, in the order of the checklist. An answer made to fail one check may fail
    /// others with it: without an option, a threshold that demands it cannot be met either.
    pub expected: Vec<CheckVerdict>,
}

/// At most so many checks get a bad answer of their own.
pub const MOST_CONTROLS: usize = 200;

/// Drafts a good answer, and one for each check (the first [`MOST_CONTROLS`]) that fails it. `checks` is what
/// `meta_rubric` compiles to; checks of no item, such as added ones, have no control.
pub fn propose(meta_rubric: &MetaRubric, checks: &[Check]) -> Vec<ControlAnswer> {
    let items: HashMap<&str, &Item> = meta_rubric.items.iter().map(|item| (item.id.as_str(), item)).collect();
    let good = Plan { fault: None, meta_rubric };
    let mut controls = vec![good.answer(checks, ControlKind::Good, None)];
    for check in checks.iter().take(MOST_CONTROLS) {
        let Some(item) = items.get(check.provenance.item.as_str()) else { continue };
        let Some((kind, fault)) = fault(item, check) else { continue };
        let plan = Plan { fault: Some((check.provenance.item.as_str(), fault)), meta_rubric };
        controls.push(plan.answer(checks, kind, Some(check.id.clone())));
    }
    controls
}

/// Drafts for numbered criteria, and the criteria as checks: met or missing, by the hash of their text, so that a verdict stays
/// with its criterion wherever that moves. Empty criteria, and those that say the same again, have none.
pub fn propose_for_criteria(criteria: &[Criterion]) -> (Vec<Check>, Vec<ControlAnswer>) {
    let mut seen = HashSet::new();
    let items: Vec<Item> = criteria
        .iter()
        .filter(|criterion| !criterion.criterion.trim().is_empty())
        .map(|criterion| Item {
            id: text_hash(&criterion.criterion),
            tier: Some(Tier::AnswerCritical),
            content: ItemContent::Simple { text: criterion.criterion.clone() },
            meta_insights: Vec::new(),
            evidence: Vec::new(),
        })
        .filter(|item| seen.insert(item.id.clone()))
        .collect();
    let meta_rubric = MetaRubric { items, ..MetaRubric::default() };
    let checks: Vec<Check> = meta_rubric.items.iter().filter_map(criterion_check).collect();
    let mut controls = propose(&meta_rubric, &checks);
    for verdict in controls.iter_mut().flat_map(|control| &mut control.expected) {
        if *verdict == CheckVerdict::Contradicts {
            *verdict = CheckVerdict::Missing;
        }
    }
    (checks, controls)
}

/// A criterion that stands in a simple item, as a check that is met or not.
fn criterion_check(item: &Item) -> Option<Check> {
    let ItemContent::Simple { text } = &item.content else { return None };
    Some(Check {
        id: item.id.clone(),
        tier: Tier::AnswerCritical,
        kind: CheckKind::Fact,
        n: None,
        verdicts: vec![CheckVerdict::Meets, CheckVerdict::Missing],
        text_sha256: item.id.clone(),
        text: text.clone(),
        provenance: Provenance {
            item: item.id.clone(),
            item_type: ItemType::Simple,
            rule: CheckRule::A1,
            entries: Vec::new(),
            demoted_from: None,
            evidence: Vec::new(),
        },
    })
}

/// What is wrong with one item of an answer.
enum Fault<'a> {
    Without(&'a str),
    Only(usize),
    Order(Vec<&'a str>),
    Opposite(Option<&'a str>),
}

fn fault<'a>(item: &'a Item, check: &'a Check) -> Option<(ControlKind, Fault<'a>)> {
    let first = check.provenance.entries.first().map(String::as_str);
    match check.kind {
        CheckKind::Fact => Some((ControlKind::Contradicted, Fault::Opposite(None))),
        CheckKind::Aspect => Some((ControlKind::Contradicted, Fault::Opposite(first))),
        CheckKind::MetaInsight
        | CheckKind::RelatedEntity
        | CheckKind::ListEntry
        | CheckKind::Option
        | CheckKind::Step
        | CheckKind::OptionalStep => Some((ControlKind::Missing, Fault::Without(first?))),
        CheckKind::Baseline | CheckKind::Coverage => {
            let n = usize::try_from(check.n?).ok()?;
            Some((ControlKind::Missing, Fault::Only(n.checked_sub(1)?)))
        }
        CheckKind::Sequence | CheckKind::FullSequence => {
            let ItemContent::Process { steps, .. } = &item.content else { return None };
            let order = swapped(steps, check.kind == CheckKind::FullSequence)?;
            Some((ControlKind::Swapped, Fault::Order(order)))
        }
    }
}

/// The steps with two neighbours swapped: two required ones, or, for the full order, an optional one with its
/// neighbour, which leaves the order of required steps alone.
fn swapped(steps: &[Step], with_optional: bool) -> Option<Vec<&str>> {
    let mut order: Vec<&str> = steps.iter().map(|step| step.id.as_str()).collect();
    let (one, other) = if with_optional {
        let at = steps.windows(2).position(|pair| !pair[0].required || !pair[1].required)?;
        (at, at + 1)
    } else {
        let mut required = (0..steps.len()).filter(|at| steps[*at].required);
        (required.next()?, required.next()?)
    };
    order.swap(one, other);
    Some(order)
}

struct Plan<'a> {
    fault: Option<(&'a str, Fault<'a>)>,
    meta_rubric: &'a MetaRubric,
}
impl Plan<'_> {
    fn answer(&self, checks: &[Check], kind: ControlKind, fails: Option<String>) -> ControlAnswer {
        let mut text = Vec::new();
        let mut found = HashMap::new();
        for item in &self.meta_rubric.items {
            let fault = self.fault.as_ref().filter(|(id, _)| *id == item.id).map(|(_, fault)| fault);
            found.insert(item.id.as_str(), draft(item, fault, &mut text));
        }
        let expected = checks.iter().map(|check| self.verdict(check, &found)).collect();
        ControlAnswer { kind, fails, text: text.join("\n\n"), expected }
    }

    fn verdict(&self, check: &Check, found: &HashMap<&str, Extraction>) -> CheckVerdict {
        let item = check.provenance.item.as_str();
        let computed = found.get(item).and_then(|found| extraction::computed(check, found));
        computed.unwrap_or_else(|| match &self.fault {
            Some((faulty, fault)) if *faulty == item => match fault {
                Fault::Without(id) if check.provenance.entries.first().is_some_and(|e| e == id) => {
                    CheckVerdict::Missing
                }
                Fault::Opposite(None) if check.kind == CheckKind::Fact => CheckVerdict::Contradicts,
                Fault::Opposite(Some(id))
                    if check.kind == CheckKind::Aspect
                        && check.provenance.entries.first().is_some_and(|e| e == id) =>
                {
                    CheckVerdict::Contradicts
                }
                _ => CheckVerdict::Meets,
            },
            // A check that no item makes: the drafts cannot speak of it.
            _ if !found.contains_key(item) => CheckVerdict::Missing,
            _ => CheckVerdict::Meets,
        })
    }
}

/// Writes an item's part of an answer, and says what it holds.
fn draft(item: &Item, fault: Option<&Fault<'_>>, text: &mut Vec<String>) -> Extraction {
    let mut found = Extraction { item: item.id.clone(), ..Extraction::default() };
    let kept = |id: &str| !matches!(fault, Some(Fault::Without(gone)) if *gone == id);
    match &item.content {
        ItemContent::Simple { text: statement } => {
            let opposite = matches!(fault, Some(Fault::Opposite(None)));
            text.push(said(statement, opposite));
        }
        ItemContent::StrictList { concept, entries: all }
        | ItemContent::FlexibleList { concept, pool: all, .. } => {
            let most = if let Some(Fault::Only(most)) = fault { *most } else { all.len() };
            let named: Vec<&Element> = all.iter().filter(|e| kept(&e.id)).take(most).collect();
            if !named.is_empty() {
                let names: Vec<_> = named.iter().map(|element| enumerated(&element.text)).collect();
                text.push(format!("{}: {}.", sentence(&tidy(concept)), names.join("; ")));
            }
            found.options =
                named.iter().map(|e| FoundOption { id: e.id.clone(), imprecise: false }).collect();
        }
        ItemContent::Process { concept, steps } => {
            let by_id: HashMap<&str, &Step> = steps.iter().map(|step| (step.id.as_str(), step)).collect();
            let order: Vec<&Step> = match fault {
                Some(Fault::Order(order)) => order.iter().filter_map(|id| by_id.get(id).copied()).collect(),
                _ => steps.iter().filter(|step| kept(&step.id)).collect(),
            };
            let numbered: Vec<String> = order
                .iter()
                .enumerate()
                .map(|(at, step)| format!("{}. {}.", at + 1, enumerated(&step.text)))
                .collect();
            text.push(format!("{}:\n{}", sentence(&tidy(concept)), numbered.join("\n")));
            found.steps = order.iter().map(|step| step.id.clone()).collect();
        }
        ItemContent::Relationship { subject, link, related, aspects } => {
            let link = if *link == Link::Contrast { "a counterpart to" } else { "connected to" };
            for entity in related.iter().filter(|entity| kept(&entity.id)) {
                let name = tidy(&entity.text);
                text.push(format!("{} is {link} {}.", sentence(&name), tidy(subject)));
            }
            for aspect in aspects {
                let opposite = matches!(fault, Some(Fault::Opposite(Some(id))) if *id == aspect.id);
                text.push(said(&aspect.text, opposite));
            }
        }
    }
    for insight in item.meta_insights.iter().filter(|insight| kept(&insight.id)) {
        text.push(said(&insight.text, false));
    }
    found
}

/// What an answer would say to meet a statement about it: "States that water boils." -> "Water boils." Where the
/// statement has another form it stands in brackets, for the author to put into words.
fn said(statement: &str, opposite: bool) -> String {
    let statement = tidy(statement);
    let bare = statement.strip_suffix('.').unwrap_or(&statement);
    let claim =
        ["States that ", "Says that ", "Explains that ", "Notes that ", "Mentions that ", "Describes that "]
            .iter()
            .find_map(|lead| bare.strip_prefix(lead));
    match (claim, opposite) {
        (Some(claim), false) => format!("{}.", sentence(claim)),
        (Some(claim), true) => format!("It is not the case that {claim}."),
        (None, _) => identified(bare).map_or_else(
            || {
                let what = if opposite { "says the opposite of" } else { "meets" };
                format!("[a passage that {what}: {bare}]")
            },
            |(what, as_what)| {
                let verb = if opposite { "is not" } else { "is" };
                format!("{} {verb} {as_what}.", sentence(what))
            },
        ),
    }
}

/// "Identifies the pot as a moka pot" -> the pot, a moka pot.
fn identified(statement: &str) -> Option<(&str, &str)> {
    statement.strip_prefix("Identifies ")?.split_once(" as ")
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Verdicts that a judge gave on a control answer, one per check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedControl {
    /// The check it was made to fail; none for a good answer.
    pub fails: Option<String>,
    /// Verdicts in the order of the checklist; none where it was not judged.
    pub verdicts: Vec<Option<CheckVerdict>>,
}

/// How a check did on control answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Separation {
    /// Met by every good answer, and not met by any that was made to fail it.
    Separates,
    /// A good answer does not meet it.
    FailsGood,
    /// An answer that was made to fail it meets it.
    PassesBad,
    /// It was not judged on a good answer and on one made to fail it.
    Untried,
}

/// How each check did, in the order of the checklist. When both faults apply, the good answer is named: an author
/// mends that first.
pub fn separation(checks: &[Check], controls: &[JudgedControl]) -> Vec<Separation> {
    let of = |(at, check): (usize, &Check)| {
        let verdicts = |good: bool| {
            controls
                .iter()
                .filter(move |c| if good { c.fails.is_none() } else { c.fails.as_ref() == Some(&check.id) })
                .filter_map(move |c| c.verdicts.get(at).copied().flatten())
        };
        let met = |verdict| verdict == CheckVerdict::Meets;
        if !verdicts(true).all(met) {
            Separation::FailsGood
        } else if verdicts(false).any(met) {
            Separation::PassesBad
        } else if verdicts(true).next().is_none() || verdicts(false).next().is_none() {
            Separation::Untried
        } else {
            Separation::Separates
        }
    };
    checks.iter().enumerate().map(of).collect()
}
