//! The registry of rules, and what a rule sees.

use super::{
    crossing,
    finding::{Edit, Finding, Fix, LintInput, Severity, Span},
    form, heuristic, kinds, mend, reference, shape,
    words::{Found, Words},
};
use domain::Modality;

/// How sure a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleClass {
    /// Mechanical: precision and recall of at least 0.90 are expected.
    Mechanical,
    /// Heuristic: 0.80; an author dismisses it with a reason.
    Heuristic,
}

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id.
    pub id: &'static str,
    /// How sure it is.
    pub class: RuleClass,
    /// How much a finding matters.
    pub severity: Severity,
    /// Why it exists, in a sentence.
    pub why: &'static str,
    /// What it says where it has nothing more exact to say.
    pub(super) message: &'static str,
    pub(super) check: Check,
}

/// Looks at one criterion.
pub(super) type LineCheck = fn(&Line<'_>, &Sheet<'_>) -> Option<Hit>;

#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// Looks at one criterion.
    Line(LineCheck),
    /// Looks at the rubric as a whole.
    Sheet(fn(&Sheet<'_>) -> Vec<Hit>),
}

/// One criterion, read once.
pub(super) struct Line<'a> {
    pub at: usize,
    pub id: &'a str,
    pub text: &'a str,
    pub tag: &'a str,
    /// The tag's modality, in whatever case it is written.
    pub modality: Option<Modality>,
    pub has_weight: bool,
    pub words: Words<'a>,
}

impl<'a> Line<'a> {
    /// The same criterion with another text: what a fix would make of it.
    pub fn with_text<'t>(&self, text: &'t str) -> Line<'t>
    where
        'a: 't,
    {
        Line {
            at: self.at,
            id: self.id,
            text,
            tag: self.tag,
            modality: self.modality,
            has_weight: self.has_weight,
            words: Words::of(text),
        }
    }
    /// The same criterion with another tag.
    pub fn with_modality(&self, modality: Modality) -> Line<'a> {
        Line { tag: modality.lower(), modality: Some(modality), ..self.with_text(self.text) }
    }
}

/// A rubric, read once.
pub(super) struct Sheet<'a> {
    pub lines: Vec<Line<'a>>,
    pub gold: Option<&'a [Modality]>,
    pub prompt: Option<Words<'a>>,
}

impl<'a> Sheet<'a> {
    pub fn of(input: &'a LintInput) -> Self {
        let line = |(at, c): (usize, &'a super::LintCriterion)| Line {
            at,
            id: &c.id,
            text: &c.criterion,
            tag: &c.modality,
            modality: c.modality.parse().ok(),
            has_weight: c.has_weight,
            words: Words::of(&c.criterion),
        };
        Self {
            lines: input.criteria.iter().enumerate().map(line).collect(),
            gold: input.gold.as_deref(),
            prompt: input.prompt.as_deref().map(Words::of),
        }
    }

    /// The criteria of one modality, in order.
    pub fn of_modality(&self, modality: Modality) -> Vec<&Line<'a>> {
        self.lines.iter().filter(|l| l.modality == Some(modality)).collect()
    }
}

/// What a rule answers.
#[derive(Default)]
pub(super) struct Hit {
    pub at: Option<usize>,
    pub modality: Option<Modality>,
    pub words: Option<Found>,
    pub message: Option<String>,
    pub fix: Option<Fix>,
}

impl Hit {
    pub fn words(found: Found) -> Self {
        Self { words: Some(found), ..Self::default() }
    }
    pub fn at(line: &Line<'_>) -> Self {
        Self { at: Some(line.at), modality: line.modality, ..Self::default() }
    }
    pub fn say(mut self, message: String) -> Self {
        self.message = Some(message);
        self
    }
    pub fn mend(mut self, label: &str, edit: Edit) -> Self {
        self.fix = Some(Fix { label: label.to_owned(), edit });
        self
    }
    pub fn mend_text(self, label: &str, line: &Line<'_>, text: Option<String>) -> Self {
        match text {
            Some(text) => self.mend(label, Edit::Text { at: position(line.at), text }),
            None => self,
        }
    }
}

/// A position as findings carry it.
pub(super) fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Rule {
    /// All rules, mechanical ones first.
    pub const fn all() -> &'static [Self] {
        RULES
    }

    pub(super) fn run(&self, sheet: &Sheet<'_>) -> Vec<Finding> {
        let hits = match self.check {
            Check::Sheet(check) => check(sheet),
            Check::Line(check) => sheet
                .lines
                .iter()
                .filter_map(|line| {
                    let hit = mend::mended(self.id, check, line, sheet, check(line, sheet)?);
                    Some(Hit { at: Some(line.at), modality: line.modality, ..hit })
                })
                .collect(),
        };
        hits.into_iter().map(|hit| self.finding(hit, sheet)).collect()
    }

    fn finding(&self, hit: Hit, sheet: &Sheet<'_>) -> Finding {
        let line = hit.at.and_then(|at| sheet.lines.get(at));
        let span = line.zip(hit.words).and_then(|(line, (from, to))| {
            let first = line.words.all.get(from)?;
            let last = line.words.all.get(to.checked_sub(1)?)?;
            Some(Span { start: first.start, end: last.end.max(first.end) })
        });
        Finding {
            rule: self.id.to_owned(),
            severity: self.severity,
            prompt: None,
            criterion: line.map(|l| l.id.to_owned()),
            at: hit.at.map(position),
            modality: hit.modality,
            span,
            message: hit.message.unwrap_or_else(|| self.message.to_owned()),
            why: self.why.to_owned(),
            fix: hit.fix,
        }
    }
}

const fn rule(
    id: &'static str,
    class: RuleClass,
    severity: Severity,
    check: Check,
    message: &'static str,
    why: &'static str,
) -> Rule {
    Rule { id, class, severity, why, message, check }
}

use Check::{Line as L, Sheet as S};
use RuleClass::{Heuristic as H, Mechanical as M};
use Severity::{Error, Info, Warning};

/// MMI, Appendix D, in its order; then the rules of our own.
static RULES: &[Rule] = &[
    rule(
        "modality-tag",
        M,
        Error,
        L(shape::modality_tag),
        "Tag each criterion with exactly one of the five modalities, in lower case.",
        "A criterion is graded against one output, and the tag says which.",
    ),
    rule(
        "not-gold",
        M,
        Error,
        L(shape::not_gold),
        "This prompt does not expect this modality. Flag the gold list, or move the requirement.",
        "Grades of a modality that is not expected count nowhere.",
    ),
    rule(
        "uncovered-modality",
        M,
        Error,
        S(shape::uncovered_modality),
        "This modality is expected but has no criteria.",
        "An expected modality without criteria drops out of the score.",
    ),
    rule(
        "ids",
        M,
        Error,
        S(shape::ids),
        "Number criteria from 1 across all modalities.",
        "Grades are matched to criteria by number; a repeat or a gap makes the match ambiguous.",
    ),
    rule(
        "weight-leak",
        M,
        Error,
        L(form::weight_leak),
        "All criteria in a modality weigh the same. Remove the weight.",
        "A judge who reads a weight grades more mildly or more strictly; the score ignores it.",
    ),
    rule(
        "question-form",
        M,
        Warning,
        L(form::question_form),
        "Write a statement about the output, not a question.",
        "\"Yes\" to a question is not the same as \"true\" of a statement once it is negated or compound.",
    ),
    rule(
        "instruction-form",
        M,
        Warning,
        L(form::instruction_form),
        "Describe what the output does; do not instruct it.",
        "A grader checks a description; an instruction is addressed to somebody else.",
    ),
    rule(
        "prompt-reference",
        M,
        Warning,
        L(reference::prompt_reference),
        "A grader must not need the prompt. State the property itself.",
        "The judge of one output may not have the request before it.",
    ),
    rule(
        "input-reference",
        M,
        Warning,
        L(reference::input_reference),
        "Checkable only by looking at an input. Name the property the output must have.",
        "Graders see the output, not what was uploaded.",
    ),
    rule(
        "cross-modality",
        M,
        Warning,
        L(crossing::cross_modality),
        "Assert the fact in each modality; never compare two outputs.",
        "Each output is graded alone, often by different people.",
    ),
    rule(
        "negative-form",
        M,
        Warning,
        L(form::negative_form),
        "Say what the output shows instead.",
        "An empty output satisfies every \"does not\".",
    ),
    rule(
        "delivery-missing",
        M,
        Warning,
        S(shape::delivery_missing),
        "Start with one criterion that the output exists and is of the right kind.",
        "Without it an absent output can pass on content it never had.",
    ),
    rule(
        "delivery-on-text",
        M,
        Warning,
        L(shape::delivery_on_text),
        "Text normally has no delivery criterion.",
        "Text is nearly always there: the criterion is a free point.",
    ),
    rule(
        "delivery-restated",
        M,
        Warning,
        S(shape::delivery_restated),
        "Delivery is already asserted by an earlier criterion.",
        "The same property would be counted twice.",
    ),
    rule(
        "criteria-order",
        M,
        Warning,
        S(shape::criteria_order),
        "Order: delivery, integrity, content, craft.",
        "Graders who open a broken file should learn so first.",
    ),
    rule(
        "craft-limit",
        M,
        Warning,
        S(shape::craft_limit),
        "At most two craft criteria.",
        "Craft counts where usefulness depends on it; more of it drowns the content.",
    ),
    rule(
        "criteria-count",
        M,
        Info,
        S(shape::criteria_count),
        "Target 4-12; a small edit may need fewer.",
        "Too few make a coarse score, too many an unreliable one.",
    ),
    rule(
        "near-duplicate",
        M,
        Warning,
        S(shape::near_duplicate),
        "Two criteria reward the same content.",
        "The same property would be counted twice.",
    ),
    rule(
        "exact-speech",
        M,
        Warning,
        L(form::exact_speech),
        "Grade what is said, not its exact wording.",
        "Speech that says the same in other words is as good, and a verbatim check punishes it.",
    ),
    rule(
        "cross-criterion",
        M,
        Warning,
        L(reference::cross_criterion),
        "Each criterion stands alone.",
        "A judge sees one criterion at a time.",
    ),
    rule(
        "compound",
        H,
        Warning,
        L(heuristic::compound),
        "Looks like more than one fact.",
        "Half-true has no grade.",
    ),
    rule(
        "unsettled-answer",
        H,
        Warning,
        L(heuristic::unsettled_answer),
        "Which value? A grader must not work it out.",
        "Two graders work out two answers.",
    ),
    rule(
        "subjective",
        H,
        Warning,
        L(heuristic::subjective),
        "An impression. Name what can be seen or heard.",
        "Graders differ in taste, not in sight.",
    ),
    rule(
        "vague-quantity",
        H,
        Warning,
        L(heuristic::vague_quantity),
        "How many, or how much?",
        "A degree has no yes or no.",
    ),
    rule(
        "time-unanchored",
        H,
        Warning,
        L(heuristic::time_unanchored),
        "Will change. Give the date.",
        "A rubric outlives the day on which it was written.",
    ),
    rule(
        "technique",
        H,
        Warning,
        L(heuristic::technique),
        "State the property, not how it was made.",
        "An output does not show its tools.",
    ),
    rule(
        "unachievable",
        H,
        Warning,
        L(kinds::unachievable),
        "This modality cannot show this.",
        "A criterion that no output can meet only lowers every score.",
    ),
    rule(
        "open-set",
        H,
        Warning,
        L(heuristic::open_set),
        "Which ones count? List acceptable ones with \"such as\" or \"or\".",
        "Without a set each grader has one of their own.",
    ),
    rule(
        "closed-set",
        H,
        Warning,
        L(heuristic::closed_set),
        "Is this the only acceptable answer?",
        "A good answer that the author did not think of fails.",
    ),
    rule(
        "nested-modality",
        H,
        Warning,
        L(kinds::nested_modality),
        "This belongs to the modality that carries it.",
        "What is inside a video is graded with the video.",
    ),
    rule(
        "sub-kind",
        H,
        Warning,
        L(kinds::sub_kind),
        "The request names a kind of file; say so.",
        "A document of the wrong kind would pass delivery.",
    ),
    rule(
        "boilerplate",
        H,
        Warning,
        L(heuristic::boilerplate),
        "Would fit any prompt.",
        "Padding lifts every score alike.",
    ),
    rule(
        "conditional",
        H,
        Warning,
        L(heuristic::conditional),
        "If the condition never holds, graders disagree on pass or fail.",
        "A condition that no answer triggers splits judges on an untouched criterion.",
    ),
    rule(
        "measurable",
        H,
        Info,
        L(kinds::measurable),
        "This can be measured. Measure instead of asking?",
        "Judges misjudge durations and counts that a program reads exactly.",
    ),
    rule(
        "too-long",
        H,
        Warning,
        L(heuristic::too_long),
        "Too long for one yes or no.",
        "A long criterion is several, and a judge forgets half.",
    ),
];
