//! What is wrong with an item before it compiles.

use super::{
    diagnostic::Diagnostic,
    limits,
    text::{excerpt, key, tidy},
};
use domain::{Element, Item, ItemContent, ItemType, Step, Tier};
use std::collections::HashSet;

/// Diagnostics of each item, with its position.
pub(super) fn inspect(items: &[Item]) -> Vec<(usize, Diagnostic)> {
    let mut ids = HashSet::new();
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let mut sheet = Sheet { item, found: Vec::new() };
        if item.id.trim().is_empty() {
            sheet.say("MR-02", format!("Item {} has no id: checks are named after it.", at + 1));
        } else if !ids.insert(item.id.as_str()) {
            sheet.say("MR-02", format!("Item {} repeats the id {}.", at + 1, excerpt(&item.id)));
        }
        sheet.inspect();
        found.extend(sheet.found.into_iter().map(|diagnostic| (at, diagnostic)));
    }
    found
}

struct Sheet<'a> {
    item: &'a Item,
    found: Vec<Diagnostic>,
}

impl Sheet<'_> {
    fn say(&mut self, code: &str, message: impl Into<String>) {
        self.found.push(Diagnostic::of(code, &self.item.id, message));
    }

    fn inspect(&mut self) {
        let item = self.item;
        if item.tier.is_none() {
            self.say("MR-04", "Choose a tier: AC, V or C.");
        }
        match &item.content {
            ItemContent::Simple { text } => self.text("The item", text, limits::TEXT_CHARACTERS),
            ItemContent::StrictList { concept, entries } => {
                self.concept("concept", concept);
                self.elements("entries", entries);
                self.strict_list(entries);
            }
            ItemContent::FlexibleList { concept, pool, baselines, coverage } => {
                self.concept("concept", concept);
                self.elements("pool", pool);
                self.pool(pool, baselines, coverage);
            }
            ItemContent::Process { concept, steps } => {
                self.concept("concept", concept);
                self.process(steps);
            }
            ItemContent::Relationship { subject, related, aspects, .. } => {
                self.concept("subject", subject);
                self.elements("related", related);
                self.elements("aspects", aspects);
                if related.is_empty() {
                    self.say("RE-01", "A relationship needs at least one related entity.");
                }
                if aspects.is_empty() {
                    self.say("RE-02", "A relationship needs at least one aspect, as a full statement.");
                }
                self.repeats("RE-03", "related entity", related);
                self.repeats("RE-03", "aspect", aspects);
            }
        }
        self.insights();
    }

    fn insights(&mut self) {
        let item = self.item;
        let insights = &item.meta_insights;
        let carries = !matches!(item.content.item_type(), ItemType::Simple | ItemType::Relationship);
        if !insights.is_empty() && !carries {
            self.say("MI-01", "Only a list or a process carries a meta-insight: make it an item of its own.");
        }
        self.ids("meta_insights", insights.iter().map(|insight| insight.id.as_str()));
        for insight in insights {
            if insight.tier.is_none() {
                self.say(
                    "MI-02",
                    format!("Choose the tier of insight {}: AC, V or C.", excerpt(&insight.id)),
                );
            }
            self.text(&format!("Insight {}", excerpt(&insight.id)), &insight.text, limits::TEXT_CHARACTERS);
        }
    }

    fn concept(&mut self, name: &str, text: &str) {
        self.text(&format!("The {name}"), text, limits::CONCEPT_CHARACTERS);
    }

    /// A text that is there, of bearable length, with nothing invisible in it.
    fn text(&mut self, what: &str, text: &str, limit: usize) {
        if text.trim().is_empty() {
            self.say("MR-05", format!("{what} has no text."));
        } else if text.len() > limit && text.chars().count() > limit {
            self.say("MR-06", format!("{what} is longer than {limit} characters: shorten it."));
        } else if !text.is_ascii() && text.chars().any(is_invisible) || text.bytes().any(is_control) {
            self.say(
                "MR-08",
                format!(
                    "{what} holds invisible control characters; what is read may differ from what is shown."
                ),
            );
        }
    }

    fn elements(&mut self, name: &str, elements: &[Element]) {
        self.length(name, elements.len());
        self.ids(name, elements.iter().map(|element| element.id.as_str()));
        for element in elements {
            for text in std::iter::once(&element.text).chain(&element.aliases) {
                if needs_a_word(text) {
                    self.text(&format!("{name} {}", excerpt(&element.id)), text, limits::TEXT_CHARACTERS);
                }
            }
        }
    }

    fn length(&mut self, name: &str, length: usize) {
        if length > limits::LIST_ELEMENTS {
            self.say(
                "MR-07",
                format!("\"{name}\" has {length} elements; nobody can judge an answer by so many."),
            );
        }
    }

    /// Every element has an id, and its own.
    fn ids<'i>(&mut self, name: &str, ids: impl Iterator<Item = &'i str>) {
        let mut seen = HashSet::new();
        for (at, id) in ids.enumerate() {
            if id.trim().is_empty() {
                self.say("MR-02", format!("Element {} of \"{name}\" has no id.", at + 1));
            } else if !seen.insert(id) {
                self.say("MR-02", format!("\"{name}\" repeats the id {}.", excerpt(id)));
            }
        }
    }

    fn strict_list(&mut self, entries: &[Element]) {
        match entries.len() {
            0 => self.say("SL-01", "A strict list needs entries."),
            1 => self.say("SL-02", "A strict list of one entry says no more than a simple item."),
            _ => {}
        }
        self.repeats("SL-03", "entry", entries);
    }

    fn pool(&mut self, pool: &[Element], baselines: &[u32], coverage: &[u32]) {
        self.repeats("FL-11", "option", pool);
        let size = pool.len();
        match size {
            0 => return self.say("FL-01", "The pool is empty: add options."),
            1 => {
                return self.say("FL-02", "A pool of one option leaves no choice: make it simple knowledge.");
            }
            _ => {}
        }
        let highest = self.baselines(size, baselines);
        if coverage.is_empty() {
            return;
        }
        let short = size <= SHORT_POOL;
        if short && matches!(self.item.tier, Some(Tier::AnswerCritical | Tier::Valuable)) {
            self.say(
                "FL-09",
                format!(
                    "A pool of up to {SHORT_POOL} options makes one check per option: remove the coverage."
                ),
            );
            return;
        }
        let rising = coverage.windows(2).all(|pair| pair[0] < pair[1]);
        let inside = coverage.iter().all(|t| *t > highest && usize::try_from(*t).is_ok_and(|t| t <= size));
        if !rising || !inside || coverage.len() > 4 {
            self.say(
                "FL-10",
                format!("Coverage takes one to four rising numbers above the baseline ({highest}), at most {size}."),
            );
        }
    }

    /// The highest baseline that a coverage value must exceed.
    fn baselines(&mut self, size: usize, baselines: &[u32]) -> u32 {
        let highest = baselines.iter().copied().max().unwrap_or(0);
        let above = usize::try_from(highest).unwrap_or(usize::MAX);
        if baselines.is_empty() {
            self.say("FL-03", "Say how many options an answer needs: a baseline.");
        } else if baselines.len() > 2 {
            self.say("FL-04", "A flexible list takes one or two baselines; higher numbers are coverage.");
        } else if baselines.contains(&0) {
            self.say("FL-05", "A baseline is a whole number of at least 1.");
        } else {
            if baselines.windows(2).any(|pair| pair[0] >= pair[1]) {
                self.say("FL-06", "The second baseline is to be higher than the first.");
            }
            if above > size {
                self.say("FL-07", format!("A baseline of {highest} cannot be met with {size} options."));
            } else if above == size {
                self.say(
                    "FL-08",
                    format!("A baseline of {highest} demands all {size} options: make it a strict list."),
                );
            }
        }
        highest
    }

    fn process(&mut self, steps: &[Step]) {
        self.length("steps", steps.len());
        self.ids("steps", steps.iter().map(|step| step.id.as_str()));
        for step in steps {
            if needs_a_word(&step.text) {
                self.text(&format!("Step {}", excerpt(&step.id)), &step.text, limits::TEXT_CHARACTERS);
            }
        }
        let required = steps.iter().filter(|step| step.required).count();
        match (steps.len(), required) {
            (0, _) => self.say("PR-01", "A process needs steps."),
            (1, _) => self.say("PR-02", "A process of a single step has no order: make it simple knowledge."),
            (_, 0) => self.say("PR-03", "No step is required, so that all checks stand one tier lower."),
            (_, 1) => {
                self.say(
                    "PR-04",
                    "Only one step is required, so that no order of required steps is checked.",
                );
            }
            _ => {}
        }
        let mut seen = HashSet::new();
        for step in steps.iter().filter(|step| !step.text.trim().is_empty()) {
            if !seen.insert(key(&step.text)) {
                self.say("PR-05", format!("The step {} comes twice.", excerpt(&tidy(&step.text))));
            }
        }
    }

    /// No name of an element may come twice in its list, its own aliases among them.
    fn repeats(&mut self, code: &str, what: &str, elements: &[Element]) {
        let mut seen = HashSet::new();
        for element in elements {
            for text in std::iter::once(&element.text).chain(&element.aliases) {
                if !text.trim().is_empty() && !seen.insert(key(text)) {
                    self.say(code, format!("The {what} {} comes twice.", excerpt(&tidy(text))));
                }
            }
        }
    }
}

/// Up to this size a pool at AC or V makes options (GAMUT, section 3).
pub(super) const SHORT_POOL: usize = 7;

/// Is there anything to say of a text? Spares the common case a formatted name.
fn needs_a_word(text: &str) -> bool {
    text.trim().is_empty()
        || text.len() > limits::TEXT_CHARACTERS
        || !text.is_ascii()
        || text.bytes().any(is_control)
}

const fn is_control(byte: u8) -> bool {
    (byte < 0x20 && !byte.is_ascii_whitespace()) || byte == 0x7f
}

/// Marks, embeddings, overrides and isolates of direction, and characters of no width that part or join unseen.
/// The joiners of Arabic, Indic scripts and emoji (U+200C, U+200D) are spelling.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{80}'..='\u{9f}')
}
