//! Lints of a flat rubric (MMI, Appendix D): what can be seen in its words without understanding its subject.
//!
//! Rules stand in one registry ([`Rule::all`]); each is a plain function over criteria that were split into words
//! once. English only. Rules are tuned on cases in `tests/fixtures/lints`, never on the printed sets, which some
//! heuristic rules break; that is why those are warnings an author can dismiss.

mod crossing;
mod finding;
mod form;
mod heuristic;
mod kinds;
mod lexicon;
mod mend;
mod parts;
mod pattern;
mod reference;
mod rule;
mod shape;
mod templates;
mod words;

pub use finding::{Edit, Finding, Fix, LintCriterion, LintInput, LintReport, Severity, Span, SplitPart};
pub use parts::{Part, content_words, in_order, parts};
pub use rule::{Rule, RuleClass};
pub use templates::{Template, templates};

/// All findings on a rubric, in order of criteria; those on the rubric as a whole come first.
pub fn lint(input: &LintInput) -> LintReport {
    let sheet = rule::Sheet::of(input);
    let mut findings: Vec<Finding> = Rule::all().iter().flat_map(|rule| rule.run(&sheet)).collect();
    findings.sort_by_key(|f| (f.at, std::cmp::Reverse(f.severity)));
    LintReport { findings }
}
