//! GAMUT's released rows: the binary level, as a third-party loader reads it. No public file has the meta level.

use super::{
    RubricRecord,
    losses::LossKind,
    read::{Fields, Reading, key, nested, prompt, text},
};
use domain::{Check, CheckKind, CheckRule, EvidenceSnippet, ItemType, Provenance, Tier, text_hash};
use serde_json::Value;
use std::collections::HashSet;

/// The lists of a row by tier.
pub(super) const TIERS: [(&str, Tier); 3] =
    [("Answer_Critical", Tier::AnswerCritical), ("Valuable", Tier::Valuable), ("Context", Tier::Context)];

pub(super) fn read(line: u64, fields: &Fields, reading: &mut Reading) {
    let Some(Value::Object(tiers)) = nested(fields, "rubrics") else {
        return reading
            .reject(line, "\"rubrics\" is to be an object with Answer_Critical, Valuable and Context");
    };
    let mut record = RubricRecord { key: key(fields), prompt: prompt(fields), ..RubricRecord::default() };
    let mut ids = HashSet::new();
    for (name, tier) in TIERS {
        for (at, element) in tiers.get(name).and_then(Value::as_array).into_iter().flatten().enumerate() {
            let Some(element) = element.as_object() else {
                reading.reject(line, format!("element {} of \"{name}\" is no object", at + 1));
                continue;
            };
            let Some(ingredient) = text(element, "Ingredient") else {
                reading
                    .reject(line, format!("element {} of \"{name}\" has no text in \"Ingredient\"", at + 1));
                continue;
            };
            let handle = text(element, "Handle").unwrap_or_else(|| (at + 1).to_string());
            // Handles are the authors' own; a repeated one is told apart by its place.
            let mut id = format!("{}.{handle}", tier.code());
            if !ids.insert(id.clone()) {
                id = format!("{id}.{}", at + 1);
                ids.insert(id.clone());
            }
            record.checks.push(check(id, tier, ingredient, citations(element)));
        }
    }
    let passages = tiers.get("Snippets").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (at, passage) in passages.iter().enumerate() {
        match snippet(at, passage) {
            Some(snippet) if record.snippets.iter().all(|known| known.id != snippet.id) => {
                record.snippets.push(snippet);
            }
            _ => reading.losses.add(LossKind::OtherFields, &format!("{}: Snippets {}", record.key, at + 1)),
        }
    }
    cite(&mut record);
    if record.checks.is_empty() {
        return reading.reject(line, "the row has no check");
    }
    reading.records.push(record);
}

/// A snippet of a row. No public description names its fields, so that any of the usual ones will do.
pub(super) fn snippet(at: usize, value: &Value) -> Option<EvidenceSnippet> {
    if let Some(passage) = value.as_str() {
        let (id, passage) = (format!("S{}", at + 1), passage.trim().to_owned());
        let held = !passage.is_empty();
        return held.then(|| EvidenceSnippet { id, passage, ..EvidenceSnippet::default() });
    }
    let fields = value.as_object()?;
    let one_of = |names: &[&str]| {
        names.iter().find_map(|wanted| {
            let (name, _) = fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
            text(fields, name)
        })
    };
    let snippet = EvidenceSnippet {
        id: one_of(&["handle", "id", "citation", "snippet_id"]).unwrap_or_else(|| format!("S{}", at + 1)),
        address: one_of(&["address", "url", "link", "source", "title"]).unwrap_or_default(),
        passage: one_of(&["passage", "text", "snippet", "quote", "content"]).unwrap_or_default(),
        read_on: one_of(&["read_on", "date", "accessed", "date_read"]).unwrap_or_default(),
    };
    (!snippet.address.is_empty() || !snippet.passage.is_empty()).then_some(snippet)
}

/// A citation that names no snippet is an address itself.
fn cite(record: &mut RubricRecord) {
    let mut known: HashSet<String> = record.snippets.iter().map(|snippet| snippet.id.clone()).collect();
    for citation in record.checks.iter().flat_map(|check| &check.provenance.evidence) {
        if known.insert(citation.clone()) {
            let (id, address) = (citation.clone(), citation.clone());
            record.snippets.push(EvidenceSnippet { id, address, ..EvidenceSnippet::default() });
        }
    }
}

fn citations(element: &Fields) -> Vec<String> {
    let specifics = element.get("Specifics").and_then(Value::as_array).into_iter().flatten();
    let cited = |specific: &Value| match specific.get("Citation")? {
        Value::String(citation) => Some(citation.clone()),
        Value::Number(citation) => Some(citation.to_string()),
        _ => None,
    };
    specifics.filter_map(cited).collect()
}

/// A check without an item behind it: an imported one.
pub(super) fn check(id: String, tier: Tier, text: String, evidence: Vec<String>) -> Check {
    Check {
        provenance: Provenance {
            item: id.clone(),
            item_type: ItemType::Simple,
            rule: CheckRule::A1,
            entries: Vec::new(),
            demoted_from: None,
            evidence,
        },
        id,
        tier,
        kind: CheckKind::Fact,
        n: None,
        verdicts: Vec::new(),
        text_sha256: text_hash(&text),
        text,
    }
}
