//! What is worth knowing of a checklist that compiles.

use super::{
    diagnostic::{Diagnostic, Place},
    limits,
    text::{excerpt, key, tidy, words},
};
use domain::{Check, Element, Item, ItemContent, ItemType, Tier};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// FL-12, FL-13 by item; then CK-01, CK-03; then CK-02. An id that two checks share is an error (MR-02).
pub(super) fn of_checklist(items: &[Item], checks: &[Check]) -> Vec<Diagnostic> {
    let mut found = if may_clash(items) { clashing_ids(checks) } else { Vec::new() };
    if !found.is_empty() {
        place(items, &mut found);
        return found; // errors: there is no checklist to say more of
    }
    for (position, item) in items.iter().enumerate() {
        if let ItemContent::FlexibleList { pool, .. } = &item.content {
            contained_options((position, item), pool, &mut found);
            joined_options((position, item), pool, &mut found);
        }
    }
    repeated_checks(checks, &mut found);
    shared_entries(items, &mut found);
    for tier in Tier::ALL {
        if !checks.is_empty() && !checks.iter().any(|check| check.tier == tier) {
            let message = format!("No {} check: its weight is shared over the other tiers.", tier.name());
            found.push(Diagnostic::whole("CK-02", message));
        }
    }
    place(items, &mut found);
    found
}

/// FL-12: an answer that names the longer option may or may not have named the shorter one.
fn contained_options((position, item): (usize, &Item), pool: &[Element], found: &mut Vec<Diagnostic>) {
    let names: Vec<Vec<Cow<'_, str>>> = pool
        .iter()
        .map(|option| {
            std::iter::once(&option.text).chain(&option.aliases).map(|name| words(key(name))).collect()
        })
        .collect();
    let mut owners: HashMap<&str, usize> = HashMap::new();
    let mut lengths = [false; limits::CONTAINED_WORDS + 1];
    for (owner, names) in names.iter().enumerate() {
        for name in names.iter().filter(|name| !name.is_empty()) {
            let count = name.split(' ').take(limits::CONTAINED_WORDS + 1).count();
            if count <= limits::CONTAINED_WORDS {
                lengths[count] = true;
                owners.entry(name).or_insert(owner);
            }
        }
    }
    for (at, names) in names.iter().enumerate() {
        let within = names.iter().find_map(|name| contained(name, at, &lengths, &owners));
        if let Some(other) = within {
            let message = format!(
                "{} contains {}: does an answer that names the first name both?",
                excerpt(&tidy(&pool[at].text)),
                excerpt(&tidy(&pool[other].text))
            );
            found.push(Diagnostic::of("FL-12", &item.id, message).at(position, "pool", Some(at)));
        }
    }
}

/// Another option whose whole name is a run of words of `name`. A run of n words is looked up only when some option
/// has n words, so that the work is bounded by [`limits::CONTAINED_WORDS`] per word.
fn contained(
    name: &str,
    own: usize,
    lengths: &[bool; limits::CONTAINED_WORDS + 1],
    owners: &HashMap<&str, usize>,
) -> Option<usize> {
    let spaces: Vec<usize> = name.match_indices(' ').map(|(at, _)| at).collect();
    let starts = std::iter::once(0).chain(spaces.iter().map(|at| at + 1));
    for (first, start) in starts.enumerate() {
        for count in (1..=limits::CONTAINED_WORDS).filter(|count| lengths[*count]) {
            let last = first + count - 1;
            if last > spaces.len() {
                break;
            }
            let end = spaces.get(last).copied().unwrap_or(name.len());
            if let Some(owner) = owners.get(&name[start..end]).filter(|owner| **owner != own) {
                return Some(*owner);
            }
        }
    }
    None
}

/// FL-13: "ginger and garlic" is one option to its author and may be half of one, or two, to a judge.
fn joined_options((position, item): (usize, &Item), pool: &[Element], found: &mut Vec<Diagnostic>) {
    for (at, option) in pool.iter().enumerate() {
        // Most options have not even the letters.
        let letters = option.text.as_bytes().windows(3).any(|three| three.eq_ignore_ascii_case(b"and"));
        let joined = letters
            && option.text.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("and"));
        if joined {
            let message = format!(
                "{} has an \u{201c}and\u{201d}: is it one option or two?",
                excerpt(&tidy(&option.text))
            );
            found.push(Diagnostic::of("FL-13", &item.id, message).at(position, "pool", Some(at)));
        }
    }
}

/// Ids of checks are those of items and elements, each its own in its list, between periods: only one that holds a period
/// itself can make two alike.
fn may_clash(items: &[Item]) -> bool {
    let holds_period = |id: &String| id.contains('.');
    items.iter().any(|item| {
        holds_period(&item.id)
            || item.meta_insights.iter().any(|insight| holds_period(&insight.id))
            || match &item.content {
                ItemContent::Simple { .. } => false,
                ItemContent::StrictList { entries: all, .. }
                | ItemContent::FlexibleList { pool: all, .. } => all.iter().any(|e| holds_period(&e.id)),
                ItemContent::Process { steps, .. } => steps.iter().any(|step| holds_period(&step.id)),
                ItemContent::Relationship { related, aspects, .. } => {
                    related.iter().chain(aspects).any(|element| holds_period(&element.id))
                }
            }
    })
}

/// MR-02: ids that hold periods can make one check id out of two.
fn clashing_ids(checks: &[Check]) -> Vec<Diagnostic> {
    let mut ids: HashSet<&str> = HashSet::with_capacity(checks.len());
    let clashing = checks.iter().filter(|check| !ids.insert(&check.id));
    clashing
        .map(|check| {
            let id = excerpt(&check.id);
            let message = format!("Two checks would have the id {id}: change an id that holds a period.");
            Diagnostic::of("MR-02", &check.provenance.item, message)
        })
        .collect()
}

/// What is said of a check has the place of the item that made it.
fn place(items: &[Item], found: &mut [Diagnostic]) {
    let mut homeless = found.iter_mut().filter(|diagnostic| diagnostic.place.is_none()).peekable();
    if homeless.peek().is_none() {
        return;
    }
    let at: HashMap<&str, usize> =
        items.iter().enumerate().map(|(at, item)| (item.id.as_str(), at)).collect();
    for diagnostic in homeless {
        let item = diagnostic.item.as_ref().and_then(|id| at.get(id.as_str()));
        diagnostic.place = item.map(|at| Place { item: *at, field: "", element: None });
    }
}

/// CK-01. Both checks stay: the author records a suppression.
fn repeated_checks(checks: &[Check], found: &mut Vec<Diagnostic>) {
    // Half of each hash, as a number: where none of those is repeated, no text is.
    let half = |check: &Check| {
        let half = check.text_sha256.as_bytes().first_chunk::<8>();
        half.map_or(0, |half| u64::from_be_bytes(*half))
    };
    let mut halves: Vec<u64> = checks.iter().map(half).collect();
    halves.sort_unstable();
    if halves.windows(2).all(|pair| pair[0] != pair[1]) {
        return;
    }
    // Hashes are shorter to look up than texts; equal ones are compared in full.
    let mut texts: HashMap<&str, &Check> = HashMap::with_capacity(checks.len());
    for check in checks {
        if let Some(first) = texts.get(check.text_sha256.as_str()).filter(|first| first.text == check.text) {
            let message =
                format!("{} has the same text as {}: keep one and suppress the other.", check.id, first.id);
            found.push(Diagnostic::of("CK-01", &check.provenance.item, message));
        } else {
            texts.insert(&check.text_sha256, check);
        }
    }
}

/// CK-03: what the strict list demands is not what remains of the concept.
fn shared_entries(items: &[Item], found: &mut Vec<Diagnostic>) {
    let is_flexible = |item: &Item| item.content.item_type() == ItemType::FlexibleList;
    if !items.iter().any(is_flexible) {
        return;
    }
    let mut demanded: HashMap<Cow<'_, str>, &str> = HashMap::new();
    for item in items {
        if let ItemContent::StrictList { entries, .. } = &item.content {
            for entry in entries {
                demanded.entry(key(&entry.text)).or_insert(&item.id);
            }
        }
    }
    if demanded.is_empty() {
        return;
    }
    for (position, item) in items.iter().enumerate() {
        if let ItemContent::FlexibleList { pool, .. } = &item.content {
            for (at, option) in pool.iter().enumerate() {
                if let Some(list) = demanded.get(&key(&option.text)) {
                    let message = format!(
                        "{} is demanded by the strict list {list} as well: it would count twice.",
                        excerpt(&tidy(&option.text))
                    );
                    found.push(Diagnostic::of("CK-03", &item.id, message).at(position, "pool", Some(at)));
                }
            }
        }
    }
}
