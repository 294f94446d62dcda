//! Lints of a flat rubric (MMI, Appendix D): what can be seen in its words without understanding its subject.

mod finding;

pub use finding::{Edit, Finding, Fix, LintCriterion, LintInput, LintReport, Severity, Span};
