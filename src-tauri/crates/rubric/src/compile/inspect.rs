//! What is wrong with an item before it compiles.

use super::{
    diagnostic::Diagnostic,
    limits,
    seen::Seen,
    text::{Survey, excerpt, key, tidy},
};
use domain::{Element, Item, ItemContent, ItemType, Step, Tier};

/// Diagnostics of each item, with its position.
pub(super) fn inspect(items: &[Item]) -> Vec<(usize, Diagnostic)> {
    let mut ids = Seen::default();
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let mut sheet = Sheet { at, item, found: Vec::new() };
        if item.id.trim().is_empty() {
            sheet.say("MR-02", format!("Item {} has no id: checks are named after it.", at + 1));
        } else if !ids.insert(item.id.as_str()) {
            sheet.say("MR-02", format!("Item {} repeats the id {}.", at + 1, excerpt(&item.id)));
        } else if hides(&item.id) {
            sheet.say("MR-08", hidden(&format!("The id of item {}", at + 1)));
        }
        sheet.inspect();
        found.extend(sheet.found.into_iter().map(|diagnostic| (at, diagnostic)));
    }
    found
}

struct Sheet<'a> {
    at: usize,
    item: &'a Item,
    found: Vec<Diagnostic>,
}

impl Sheet<'_> {
    fn say(&mut self, code: &str, message: impl Into<String>) {
        self.say_of("", None, code, message);
    }

    /// Says it of a field, or of one element of it.
    fn say_of(
        &mut self,
        field: &'static str,
        element: Option<usize>,
        code: &str,
        message: impl Into<String>,
    ) {
        self.found.push(Diagnostic::of(code, &self.item.id, message).at(self.at, field, element));
    }

    fn inspect(&mut self) {
        let item = self.item;
        if item.tier.is_none() {
            self.say_of("tier", None, "MR-04", "Choose a tier: AC, V or C.");
        }
        match &item.content {
            ItemContent::Simple { text } => {
                self.text(("text", None), "The item", text, limits::TEXT_CHARACTERS);
            }
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
                    self.say_of(
                        "related",
                        None,
                        "RE-01",
                        "A relationship needs at least one related entity.",
                    );
                }
                if aspects.is_empty() {
                    self.say_of(
                        "aspects",
                        None,
                        "RE-02",
                        "A relationship needs at least one aspect, as a full statement.",
                    );
                }
                self.repeats("related", "RE-03", "related entity", related);
                self.repeats("aspects", "RE-03", "aspect", aspects);
            }
        }
        self.insights();
    }

    fn insights(&mut self) {
        let item = self.item;
        let insights = &item.meta_insights;
        let carries = !matches!(item.content.item_type(), ItemType::Simple | ItemType::Relationship);
        if !insights.is_empty() && !carries {
            self.say_of(
                "meta_insights",
                None,
                "MI-01",
                "Only a list or a process carries a meta-insight: make it an item of its own.",
            );
        }
        self.ids("meta_insights", insights.iter().map(|insight| insight.id.as_str()));
        for (at, insight) in insights.iter().enumerate() {
            let place = ("meta_insights", Some(at));
            if insight.tier.is_none() {
                self.say_of(
                    place.0,
                    place.1,
                    "MI-02",
                    format!("Choose the tier of insight {}: AC, V or C.", excerpt(&insight.id)),
                );
            }
            if needs_a_word(&insight.text) {
                let what = format!("Insight {}", excerpt(&insight.id));
                self.text(place, &what, &insight.text, limits::TEXT_CHARACTERS);
            }
        }
    }

    fn concept(&mut self, name: &'static str, text: &str) {
        if needs_a_word(text) || text.len() > limits::CONCEPT_CHARACTERS {
            self.text((name, None), &format!("The {name}"), text, limits::CONCEPT_CHARACTERS);
        }
    }

    /// A text that is there, of bearable length, with nothing invisible in it.
    fn text(&mut self, place: (&'static str, Option<usize>), what: &str, text: &str, limit: usize) {
        let (field, element) = place;
        if text.chars().all(|c| c.is_whitespace() || is_invisible(c) || c.is_control()) {
            self.say_of(field, element, "MR-05", format!("{what} has no text."));
        } else if text.len() > limit && text.chars().count() > limit {
            let message = format!("{what} is longer than {limit} characters: shorten it.");
            self.say_of(field, element, "MR-06", message);
        } else if hides(text) {
            self.say_of(field, element, "MR-08", hidden(what));
        }
    }

    fn elements(&mut self, name: &'static str, elements: &[Element]) {
        self.length(name, elements.len());
        self.ids(name, elements.iter().map(|element| element.id.as_str()));
        for (at, element) in elements.iter().enumerate() {
            for text in std::iter::once(&element.text).chain(&element.aliases) {
                if needs_a_word(text) {
                    let what = format!("{name} {}", excerpt(&element.id));
                    self.text((name, Some(at)), &what, text, limits::TEXT_CHARACTERS);
                }
            }
        }
    }

    fn length(&mut self, name: &'static str, length: usize) {
        if length > limits::LIST_ELEMENTS {
            self.say_of(
                name,
                None,
                "MR-07",
                format!("\"{name}\" has {length} elements; nobody can judge an answer by so many."),
            );
        }
    }

    /// Every element has an id, and its own.
    fn ids<'i>(&mut self, name: &'static str, ids: impl Iterator<Item = &'i str>) {
        let mut seen = Seen::default();
        for (at, id) in ids.enumerate() {
            if id.trim().is_empty() {
                self.say_of(name, Some(at), "MR-02", format!("Element {} of \"{name}\" has no id.", at + 1));
            } else if !seen.insert(id) {
                self.say_of(name, Some(at), "MR-02", format!("\"{name}\" repeats the id {}.", excerpt(id)));
            } else if hides(id) {
                self.say_of(
                    name,
                    Some(at),
                    "MR-08",
                    hidden(&format!("The id of element {} of \"{name}\"", at + 1)),
                );
            }
        }
    }

    fn strict_list(&mut self, entries: &[Element]) {
        match entries.len() {
            0 => self.say_of("entries", None, "SL-01", "A strict list needs entries."),
            1 => self.say_of(
                "entries",
                None,
                "SL-02",
                "A strict list of one entry says no more than a simple item.",
            ),
            _ => {}
        }
        self.repeats("entries", "SL-03", "entry", entries);
    }

    fn pool(&mut self, pool: &[Element], baselines: &[u32], coverage: &[u32]) {
        self.repeats("pool", "FL-11", "option", pool);
        let size = pool.len();
        match size {
            0 => return self.say_of("pool", None, "FL-01", "The pool is empty: add options."),
            1 => {
                return self.say_of(
                    "pool",
                    None,
                    "FL-02",
                    "A pool of one option leaves no choice: make it simple knowledge.",
                );
            }
            _ => {}
        }
        let highest = self.baselines(size, baselines);
        if coverage.is_empty() {
            return;
        }
        let short = size <= SHORT_POOL;
        if short && matches!(self.item.tier, Some(Tier::AnswerCritical | Tier::Valuable)) {
            self.say_of(
                "coverage",
                None,
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
            self.say_of(
                "coverage",
                None,
                "FL-10",
                format!("Coverage takes one to four rising numbers above the baseline ({highest}), at most {size}."),
            );
        }
    }

    /// The highest baseline that a coverage value must exceed.
    fn baselines(&mut self, size: usize, baselines: &[u32]) -> u32 {
        const BASELINES: &str = "baselines";
        let highest = baselines.iter().copied().max().unwrap_or(0);
        let above = usize::try_from(highest).unwrap_or(usize::MAX);
        if baselines.is_empty() {
            self.say_of(BASELINES, None, "FL-03", "Say how many options an answer needs: a baseline.");
        } else if baselines.len() > 2 {
            self.say_of(
                BASELINES,
                None,
                "FL-04",
                "A flexible list takes one or two baselines; higher numbers are coverage.",
            );
        } else if baselines.contains(&0) {
            self.say_of(BASELINES, None, "FL-05", "A baseline is a whole number of at least 1.");
        } else {
            if baselines.windows(2).any(|pair| pair[0] >= pair[1]) {
                self.say_of(BASELINES, None, "FL-06", "The second baseline is to be higher than the first.");
            }
            if above > size {
                self.say_of(
                    BASELINES,
                    None,
                    "FL-07",
                    format!("A baseline of {highest} cannot be met with {size} options."),
                );
            } else if above == size {
                self.say_of(
                    BASELINES,
                    None,
                    "FL-08",
                    format!("A baseline of {highest} demands all {size} options: make it a strict list."),
                );
            }
        }
        highest
    }

    fn process(&mut self, steps: &[Step]) {
        const STEPS: &str = "steps";
        self.length(STEPS, steps.len());
        self.ids(STEPS, steps.iter().map(|step| step.id.as_str()));
        for (at, step) in steps.iter().enumerate() {
            if needs_a_word(&step.text) {
                let what = format!("Step {}", excerpt(&step.id));
                self.text(("steps", Some(at)), &what, &step.text, limits::TEXT_CHARACTERS);
            }
        }
        let required = steps.iter().filter(|step| step.required).count();
        match (steps.len(), required) {
            (0, _) => self.say_of(STEPS, None, "PR-01", "A process needs steps."),
            (1, _) => self.say_of(
                STEPS,
                None,
                "PR-02",
                "A process of a single step has no order: make it simple knowledge.",
            ),
            (_, 0) => self.say_of(
                STEPS,
                None,
                "PR-03",
                "No step is required, so that all checks stand one tier lower.",
            ),
            (_, 1) => {
                self.say_of(
                    STEPS,
                    None,
                    "PR-04",
                    "Only one step is required, so that no order of required steps is checked.",
                );
            }
            _ => {}
        }
        let mut seen = Seen::default();
        for (at, step) in steps.iter().enumerate().filter(|(_, step)| !step.text.trim().is_empty()) {
            if !seen.insert(key(&step.text)) {
                let message = format!("The step {} comes twice.", excerpt(&tidy(&step.text)));
                self.say_of(STEPS, Some(at), "PR-05", message);
            }
        }
    }

    /// No name of an element may come twice in its list, its own aliases among them.
    fn repeats(&mut self, field: &'static str, code: &str, what: &str, elements: &[Element]) {
        let mut seen = Seen::default();
        for (at, element) in elements.iter().enumerate() {
            for text in std::iter::once(&element.text).chain(&element.aliases) {
                if !text.trim().is_empty() && !seen.insert(key(text)) {
                    let message = format!("The {what} {} comes twice.", excerpt(&tidy(text)));
                    self.say_of(field, Some(at), code, message);
                }
            }
        }
    }
}

/// Up to this size a pool at AC or V makes options (GAMUT, section 3).
pub(super) const SHORT_POOL: usize = 7;

/// Is there anything to say of a text? Spares the common case a formatted name.
fn needs_a_word(text: &str) -> bool {
    text.len() > limits::TEXT_CHARACTERS || !Survey::of(text).is_plain()
}

/// Is there anything in it that is not seen?
fn hides(text: &str) -> bool {
    text.bytes().any(is_control) || (!text.is_ascii() && text.chars().any(is_invisible))
}

fn hidden(what: &str) -> String {
    format!("{what} holds invisible control characters; what is read may differ from what is shown.")
}

const fn is_control(byte: u8) -> bool {
    (byte < 0x20 && !byte.is_ascii_whitespace()) || byte == 0x7f
}

/// Marks, embeddings, overrides and isolates of direction, and characters of no width that part or join unseen.
/// The joiners of Arabic, Indic scripts and emoji (U+200C, U+200D) are spelling.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{80}'..='\u{9f}')
}
