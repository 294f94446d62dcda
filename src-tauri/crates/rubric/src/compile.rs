//! Meta-rubric -> binary checklist (GAMUT, section 3), by rule.
//!
//! The compiler judges nothing: each item type has fixed rules, each check says which rule made it from which
//! entries, and the same input gives the same bytes. What the paper leaves open is decided here as COMPILER says,
//! the default coverage thresholds above all ([`default_coverage`]). A meta-rubric with any error gives no check at
//! all: half a checklist would be scored as if it were whole. Time and space are linear in the input; the limits in
//! [`limits`] keep a concept that is repeated in every check from making them anything else.

mod convert;
mod coverage;
mod diagnostic;
mod inspect;
pub mod limits;
mod notices;
mod read;
mod rules;
mod seen;
pub(crate) mod text;

pub use convert::{converted, insights_as_items, offered, split};
pub use coverage::default_coverage;
pub use diagnostic::{CODES, Diagnostic, DiagnosticCode, Place};
pub use read::{ReadMetaRubric, read_meta_rubric};

use crate::lints::Severity;
use domain::{Check, MetaRubric, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a meta-rubric compiles to: what `assize compile` prints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compiled {
    /// Items as authored; inside an item requirements, then secondary checks, then insights. Empty after any error.
    pub checks: Vec<Check>,
    /// What is wrong or worth knowing, by item, then what concerns the checklist as a whole.
    pub diagnostics: Vec<Diagnostic>,
}
impl Compiled {
    /// Did it compile?
    pub fn succeeded(&self) -> bool {
        !self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }
    /// How many checks each tier has, by [`Tier::index`].
    pub fn counts(&self) -> [usize; 3] {
        Tier::ALL.map(|tier| self.checks.iter().filter(|check| check.tier == tier).count())
    }
}

/// Compiles a meta-rubric.
pub fn compile(meta_rubric: &MetaRubric) -> Compiled {
    finish(meta_rubric, Vec::new())
}

/// Reads and compiles a file. Whatever the bytes are, the answer is checks, or diagnostics that say why not.
pub fn compile_json(bytes: &[u8]) -> Compiled {
    let read = read_meta_rubric(bytes);
    finish(&read.meta_rubric, read.diagnostics)
}

/// `found` are diagnostics with the position of the item that they come before or belong to.
fn finish(meta_rubric: &MetaRubric, mut found: Vec<(usize, Diagnostic)>) -> Compiled {
    let items = &meta_rubric.items;
    if items.is_empty() && found.is_empty() {
        found.push((0, Diagnostic::whole("MR-01", "The meta-rubric has no items: add at least one.")));
    }
    found.extend(inspect::inspect(items));
    found.sort_by_key(|(at, _)| *at);
    let diagnostics = found.into_iter().map(|(_, diagnostic)| diagnostic).collect();
    let mut compiled = Compiled { checks: Vec::new(), diagnostics };
    if compiled.succeeded() {
        let checks = rules::checks(items);
        compiled.diagnostics.extend(notices::of_checklist(items, &checks));
        if compiled.succeeded() {
            compiled.checks = checks;
        }
    }
    compiled
}
