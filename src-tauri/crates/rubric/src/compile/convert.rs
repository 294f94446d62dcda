//! Conversions between item types: those that a diagnostic offers, and those an author asks for.
//!
//! Ids stay, so that verdicts stay attached wherever the same kind of check is made again.

use super::text::{tidy, with_period};
use domain::{Element, Item, ItemContent, ItemType, Link, Step};

/// The type that a diagnostic offers to make the item; none where only the author knows what to do.
pub fn offered(code: &str) -> Option<ItemType> {
    match code {
        "FL-02" | "PR-02" | "SL-02" => Some(ItemType::Simple),
        "FL-08" => Some(ItemType::StrictList),
        _ => None,
    }
}

/// The item as one of another type; none when that would drop elements, as simple knowledge holds a single statement.
///
/// What the new type has no place for is gone: thresholds outside flexible lists, aliases outside lists, whether a
/// step is required outside processes. Meta-insights stay, and [`insights_as_items`] is there for types without.
pub fn converted(item: &Item, to: ItemType) -> Option<Item> {
    let parts = Parts::of(&item.content);
    let content = match to {
        _ if to == item.content.item_type() => item.content.clone(),
        ItemType::Simple => ItemContent::Simple { text: parts.statement()? },
        ItemType::StrictList => ItemContent::StrictList { concept: parts.concept, entries: parts.elements },
        ItemType::FlexibleList => ItemContent::FlexibleList {
            concept: parts.concept,
            pool: parts.elements,
            baselines: vec![1],
            coverage: Vec::new(),
        },
        ItemType::Process => ItemContent::Process {
            concept: parts.concept,
            steps: parts.elements.into_iter().map(step).collect(),
        },
        ItemType::Relationship => ItemContent::Relationship {
            subject: parts.concept,
            link: Link::Connection,
            related: parts.elements,
            aspects: parts.aspects,
        },
    };
    Some(Item { content, ..item.clone() })
}

/// A list with a required core and an optional rest as two items, for one item never mixes them (GAMUT, section 3):
/// a strict list of the entries in `core`, under the item's id, and a flexible list of the rest under `rest_id`,
/// with a baseline of 1. None for other types, and when either half would be empty. Insights stay with the core.
pub fn split(item: &Item, core: &[&str], rest_id: &str) -> Option<(Item, Item)> {
    let (ItemContent::StrictList { concept, entries: all }
    | ItemContent::FlexibleList { concept, pool: all, .. }) = &item.content
    else {
        return None;
    };
    let (entries, pool): (Vec<Element>, Vec<Element>) =
        all.iter().cloned().partition(|element| core.contains(&element.id.as_str()));
    if entries.is_empty() || pool.is_empty() {
        return None;
    }
    let strict =
        Item { content: ItemContent::StrictList { concept: concept.clone(), entries }, ..item.clone() };
    let rest = Item {
        id: rest_id.to_owned(),
        meta_insights: Vec::new(),
        content: ItemContent::FlexibleList {
            concept: concept.clone(),
            pool,
            baselines: vec![1],
            coverage: Vec::new(),
        },
        ..item.clone()
    };
    Some((strict, rest))
}

/// The item without its insights, then each insight as simple knowledge at its own tier, with the item's id and its own
/// for an id: the way out of MI-01.
pub fn insights_as_items(item: &Item) -> Vec<Item> {
    let bare = Item { meta_insights: Vec::new(), ..item.clone() };
    let insights = item.meta_insights.iter().map(|insight| Item {
        id: format!("{}-{}", item.id, insight.id),
        tier: insight.tier,
        content: ItemContent::Simple { text: insight.text.clone() },
        meta_insights: Vec::new(),
        evidence: insight.evidence.clone(),
    });
    std::iter::once(bare).chain(insights).collect()
}

fn step(element: Element) -> Step {
    Step { id: element.id, text: element.text, required: true, evidence: element.evidence }
}

/// What types have in common.
struct Parts {
    from: ItemType,
    concept: String,
    elements: Vec<Element>,
    aspects: Vec<Element>,
}
impl Parts {
    fn of(content: &ItemContent) -> Self {
        let from = content.item_type();
        let (concept, elements, aspects) = match content.clone() {
            ItemContent::Simple { text } => {
                let only = Element { id: "e1".to_owned(), text, ..Element::default() };
                (String::new(), vec![only], Vec::new())
            }
            ItemContent::StrictList { concept, entries: elements }
            | ItemContent::FlexibleList { concept, pool: elements, .. } => (concept, elements, Vec::new()),
            ItemContent::Process { concept, steps } => {
                let element = |step: Step| Element {
                    id: step.id,
                    text: step.text,
                    evidence: step.evidence,
                    aliases: Vec::new(),
                };
                (concept, steps.into_iter().map(element).collect(), Vec::new())
            }
            ItemContent::Relationship { subject, related, aspects, .. } => (subject, related, aspects),
        };
        Self { from, concept, elements, aspects }
    }

    /// All of it as one statement, in the words that its only check would have had.
    fn statement(&self) -> Option<String> {
        let only = match (self.elements.as_slice(), self.aspects.as_slice()) {
            ([], []) => return Some(String::new()),
            ([only], []) | ([], [only]) => only,
            _ => return None,
        };
        let (concept, text) = (tidy(&self.concept), tidy(&only.text));
        Some(match self.from {
            ItemType::Simple => only.text.clone(),
            ItemType::Relationship if !self.aspects.is_empty() => only.text.clone(),
            ItemType::Relationship => with_period(format!("Names {text} as connected to {concept}")),
            ItemType::StrictList | ItemType::FlexibleList => {
                with_period(format!("Mentions, as one of the {concept}: {text}"))
            }
            ItemType::Process => with_period(format!("States this step of {concept}: {text}")),
        })
    }
}
