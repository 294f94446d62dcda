//! Every record about one item: who, when, what it replaced, and what became of it.

use crate::standing::{Fate, Node, fates};
use domain::Statement;

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The statement as it was made.
    pub statement: Statement,
    /// Does it stand now?
    pub stands: bool,
    /// Did its author take it back?
    pub retracted: bool,
    /// Was its payload removed on request?
    pub blanked: bool,
}

/// The records about one subject; order of display is that of `made_at`, then journal order.
pub(crate) fn records(mut statements: Vec<Statement>) -> Vec<Record> {
    statements.sort_by(|a, b| (&a.made_at, &a.device, a.seq).cmp(&(&b.made_at, &b.device, b.seq)));
    let nodes: Vec<Node<'_>> = statements.iter().map(Node::from).collect();
    let fates = fates(&nodes);
    statements
        .into_iter()
        .zip(fates)
        .map(|(statement, fate)| Record {
            stands: fate == Fate::Stands,
            retracted: fate == Fate::Retracted,
            blanked: statement.payload.is_empty(),
            statement,
        })
        .collect()
}
