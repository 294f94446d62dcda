//! Reading a meta-rubric from JSON, leniently: what can be read is read, and what cannot is said.
//!
//! A field that is missing or empty stays empty here; whether it may be is the compiler's to say, because a draft
//! that was never a file can have the same gap.

use super::{diagnostic::Diagnostic, text::excerpt};
use domain::{
    Element, Item, ItemContent, ItemType, Link, META_RUBRIC_SCHEMA, MetaInsight, MetaRubric, Step, Tier,
};
use serde_json::{Map, Value};

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadMetaRubric {
    /// All that could be read.
    pub meta_rubric: MetaRubric,
    /// What could not be, each with the position of the item that it belongs to or stands before.
    pub diagnostics: Vec<(usize, Diagnostic)>,
}

/// Reads a meta-rubric (`schemas/files/meta-rubric`), UTF-8 with or without a mark. Never fails: a file that is no
/// meta-rubric at all gives an empty one and the reason.
pub fn read_meta_rubric(bytes: &[u8]) -> ReadMetaRubric {
    let refuse = |why: String| ReadMetaRubric {
        meta_rubric: MetaRubric::default(),
        diagnostics: vec![(0, Diagnostic::whole("MR-00", why))],
    };
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let file: Value = match serde_json::from_slice(bytes) {
        Ok(file) => file,
        Err(error) => return refuse(format!("The file is no JSON that can be read: {error}.")),
    };
    let Value::Object(file) = file else {
        return refuse(
            "The file is no JSON object: a meta-rubric is {\"schema\", \"id\", \"question\", \"items\"}."
                .to_owned(),
        );
    };
    match file.get("schema") {
        None | Some(Value::Null) => {}
        Some(Value::String(schema)) if schema == META_RUBRIC_SCHEMA => {}
        Some(other) => {
            return refuse(format!(
                "The schema is {}, and this version reads \"{META_RUBRIC_SCHEMA}\".",
                excerpt(&other.to_string())
            ));
        }
    }
    let mut reader = Reader { at: 0, item: String::new(), diagnostics: Vec::new() };
    let mut meta_rubric =
        MetaRubric { id: text(&file, "id"), question: text(&file, "question"), ..MetaRubric::default() };
    for (position, item) in reader.list(&file, "items").iter().enumerate() {
        reader.item.clear();
        if let Some(item) = reader.item(position, item) {
            meta_rubric.items.push(item);
        }
        reader.at = meta_rubric.items.len();
    }
    ReadMetaRubric { meta_rubric, diagnostics: reader.diagnostics }
}

struct Reader {
    at: usize,
    item: String,
    diagnostics: Vec<(usize, Diagnostic)>,
}

type Fields = Map<String, Value>;

/// A text; a number is taken as it is written, anything else is no text.
fn text(fields: &Fields, name: &str) -> String {
    fields.get(name).and_then(loose_text).unwrap_or_default()
}

fn loose_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn tier(fields: &Fields) -> Option<Tier> {
    fields.get("tier").and_then(Value::as_str).and_then(|code| code.parse().ok())
}

impl Reader {
    fn say(&mut self, code: &str, message: String) {
        self.diagnostics.push((self.at, Diagnostic::of(code, &self.item, message)));
    }

    /// A list; missing or null is an empty one, one value alone is a list of one.
    fn list<'a>(&mut self, fields: &'a Fields, name: &str) -> &'a [Value] {
        match fields.get(name) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(list)) => list,
            Some(one @ (Value::String(_) | Value::Number(_))) => std::slice::from_ref(one),
            Some(other) => {
                self.say("MR-05", format!("\"{name}\" is to be a list and is {}.", kind(other)));
                &[]
            }
        }
    }

    fn texts(&mut self, fields: &Fields, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for value in self.list(fields, name) {
            match loose_text(value) {
                Some(text) => texts.push(text),
                None => self.say("MR-05", format!("\"{name}\" is to hold texts and holds {}.", kind(value))),
            }
        }
        texts
    }

    /// Whole numbers; what is none is read as 0, which no rule accepts.
    fn counts(&mut self, fields: &Fields, name: &str) -> Vec<u32> {
        self.list(fields, name).iter().map(whole_number).collect()
    }

    fn objects<'a>(&mut self, fields: &'a Fields, name: &str) -> Vec<&'a Fields> {
        let mut objects = Vec::new();
        for (position, value) in self.list(fields, name).iter().enumerate() {
            match value {
                Value::Object(object) => objects.push(object),
                other => self.say(
                    "MR-05",
                    format!(
                        "Element {} of \"{name}\" is to be {{\"id\", \"text\"}} and is {}.",
                        position + 1,
                        kind(other)
                    ),
                ),
            }
        }
        objects
    }

    fn elements(&mut self, fields: &Fields, name: &str) -> Vec<Element> {
        let objects = self.objects(fields, name);
        objects.into_iter().map(|object| self.element(object)).collect()
    }

    fn element(&mut self, object: &Fields) -> Element {
        Element {
            id: text(object, "id"),
            text: text(object, "text"),
            aliases: self.texts(object, "aliases"),
            evidence: self.texts(object, "evidence"),
        }
    }

    fn step(&mut self, object: &Fields) -> Step {
        let required = match object.get("required") {
            None | Some(Value::Null) => true,
            Some(Value::Bool(required)) => *required,
            Some(other) => {
                self.say("MR-05", format!("\"required\" is to be true or false and is {}.", kind(other)));
                true
            }
        };
        Step {
            id: text(object, "id"),
            text: text(object, "text"),
            required,
            evidence: self.texts(object, "evidence"),
        }
    }

    fn item(&mut self, position: usize, value: &Value) -> Option<Item> {
        let Value::Object(fields) = value else {
            self.say("MR-05", format!("Item {} is to be an object and is {}.", position + 1, kind(value)));
            return None;
        };
        let id = text(fields, "id");
        self.item.clone_from(&id);
        let named = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let Some(item_type) = ItemType::ALL.into_iter().find(|t| t.name() == named) else {
            let known = ItemType::ALL.map(ItemType::name).join(", ");
            let given = match fields.get("type") {
                None | Some(Value::Null) => "has no type".to_owned(),
                Some(other) => {
                    format!("has the type {}", excerpt(other.as_str().unwrap_or(&other.to_string())))
                }
            };
            self.say("MR-03", format!("Item {} {given}; the types are {known}.", position + 1));
            return None;
        };
        let content = match item_type {
            ItemType::Simple => ItemContent::Simple { text: text(fields, "text") },
            ItemType::StrictList => ItemContent::StrictList {
                concept: text(fields, "concept"),
                entries: self.elements(fields, "entries"),
            },
            ItemType::FlexibleList => ItemContent::FlexibleList {
                concept: text(fields, "concept"),
                pool: self.elements(fields, "pool"),
                baselines: self.counts(fields, "baselines"),
                coverage: self.counts(fields, "coverage"),
            },
            ItemType::Process => {
                let objects = self.objects(fields, "steps");
                ItemContent::Process {
                    concept: text(fields, "concept"),
                    steps: objects.into_iter().map(|object| self.step(object)).collect(),
                }
            }
            ItemType::Relationship => ItemContent::Relationship {
                subject: text(fields, "subject"),
                link: match fields.get("link").and_then(Value::as_str) {
                    Some("contrast") => Link::Contrast,
                    _ => Link::Connection,
                },
                related: self.elements(fields, "related"),
                aspects: self.elements(fields, "aspects"),
            },
        };
        let insights = self.objects(fields, "meta_insights");
        let meta_insights = insights
            .into_iter()
            .map(|object| MetaInsight {
                id: text(object, "id"),
                tier: tier(object),
                text: text(object, "text"),
                evidence: self.texts(object, "evidence"),
            })
            .collect();
        Some(Item {
            id,
            tier: tier(fields),
            content,
            meta_insights,
            evidence: self.texts(fields, "evidence"),
        })
    }
}

/// `2` and `2.0` are 2; what is negative, broken, or no number at all is 0; what is too large is the largest.
fn whole_number(value: &Value) -> u32 {
    if let Some(whole) = value.as_u64() {
        return u32::try_from(whole).unwrap_or(u32::MAX);
    }
    match value.as_f64() {
        Some(number) if number >= 0.0 && number.fract() == 0.0 => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a cast of a float saturates
            let whole = number as u32;
            whole
        }
        _ => 0,
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
