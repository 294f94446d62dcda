//! What stands: the present, computed from statements. Pure.
//!
//! A statement is *live* when no retraction by its own author takes it back. A live statement *stands* (is a head)
//! when no live statement of its kind descends from it through `parents`. So taking back a change brings the one
//! before it back, and two statements made without knowledge of each other both stand: a fork, shown, never guessed.
//!
//! A judgement, revision or submission is replaced by its own author only; a settlement by any auditor. A
//! retraction cannot be taken back: to redo is to state again.

use domain::{PersonName, Statement, StatementId, StatementKind};
use std::collections::{HashMap, HashSet};

/// What matters of a statement here.
#[derive(Debug, Clone)]
pub(crate) struct Node<'a> {
    pub id: StatementId,
    pub kind: &'a str,
    pub person: &'a str,
    pub parents: &'a [StatementId],
}
impl<'a> From<&'a Statement> for Node<'a> {
    fn from(s: &'a Statement) -> Self {
        Self { id: s.id, kind: s.kind.name(), person: s.person.as_str(), parents: &s.parents }
    }
}

/// What became of each statement about one subject, in the order given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stands.
    Stands,
    /// A later one took its place.
    Replaced,
    /// Its author took it back.
    Retracted,
    /// It is itself a retraction.
    Retraction,
}

/// The fates of all statements about one subject.
pub(crate) fn fates(nodes: &[Node<'_>]) -> Vec<Fate> {
    let at: HashMap<StatementId, usize> = nodes.iter().enumerate().map(|(i, n)| (n.id, i)).collect();
    let retraction = StatementKind::Retraction;
    let mut fates = vec![Fate::Stands; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        if node.kind != retraction.name() {
            continue;
        }
        fates[i] = Fate::Retraction;
        for target in node.parents.iter().filter_map(|p| at.get(p)) {
            if nodes[*target].kind != retraction.name() && nodes[*target].person == node.person {
                fates[*target] = Fate::Retracted;
            }
        }
    }
    // Who replaces whom: one walk per group, from all live statements of the group to their ancestors.
    let mut groups: HashMap<(&str, Option<&str>), Vec<usize>> = HashMap::new();
    for (i, node) in nodes.iter().enumerate() {
        if fates[i] == Fate::Stands {
            groups.entry(group(node)).or_default().push(i);
        }
    }
    for (key, live) in groups {
        let mut seen = HashSet::new();
        let mut walk: Vec<&StatementId> = live.iter().flat_map(|i| nodes[*i].parents).collect();
        while let Some(id) = walk.pop() {
            let Some(&i) = at.get(id) else { continue };
            if !seen.insert(i) {
                continue;
            }
            if fates[i] == Fate::Stands && group(&nodes[i]) == key {
                fates[i] = Fate::Replaced;
            }
            walk.extend(nodes[i].parents);
        }
    }
    fates
}

/// Statements that can replace each other.
fn group<'a>(node: &Node<'a>) -> (&'a str, Option<&'a str>) {
    let shared = [
        StatementKind::Settlement,
        StatementKind::Assignment,
        StatementKind::AuditFinding,
        StatementKind::GoldMark,
        StatementKind::QualificationRules,
    ]
    .iter()
    .any(|kind| kind.name() == node.kind);
    (node.kind, if shared { None } else { Some(node.person) })
}

/// What stands about one subject, of one kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// The statements that stand; none when nothing was said or all was taken back.
    pub heads: Vec<Statement>,
}
impl Standing {
    /// What stands of `kind` among all `statements` about one subject.
    pub(crate) fn of(kind: &StatementKind, statements: &[Statement]) -> Self {
        let nodes: Vec<Node<'_>> = statements.iter().map(Node::from).collect();
        let heads = statements
            .iter()
            .zip(fates(&nodes))
            .filter(|(s, fate)| *fate == Fate::Stands && s.kind == *kind)
            .map(|(s, _)| s.clone())
            .collect();
        Self { heads }
    }
    /// The one statement that stands; none for nothing, and none for a fork.
    pub fn current(&self) -> Option<&Statement> {
        match self.heads.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }
    /// Do several stand, of which the person must choose?
    pub fn is_fork(&self) -> bool {
        self.heads.len() > 1
    }
    /// Their ids: what a new statement names as its parents.
    pub fn ids(&self) -> Vec<StatementId> {
        self.heads.iter().map(|s| s.id).collect()
    }
    /// The part that `person` said.
    #[must_use]
    pub fn by(&self, person: &PersonName) -> Self {
        Self { heads: self.heads.iter().filter(|s| s.person == *person).cloned().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u8) -> StatementId {
        StatementId::from_bytes([n; 16])
    }
    /// (id, kind, person, parents) to fates.
    fn run(rows: &[(u8, &str, &str, &[u8])]) -> Vec<Fate> {
        let parents: Vec<Vec<StatementId>> =
            rows.iter().map(|r| r.3.iter().map(|p| id(*p)).collect()).collect();
        let nodes: Vec<Node<'_>> = rows
            .iter()
            .zip(&parents)
            .map(|(r, p)| Node { id: id(r.0), kind: r.1, person: r.2, parents: p })
            .collect();
        fates(&nodes)
    }
    use Fate::{Replaced, Retracted, Retraction, Stands};

    #[test]
    fn change_undo_redo() {
        let a = (1, "judgement", "ann", &[][..]);
        let b = (2, "judgement", "ann", &[1][..]);
        let undo = (3, "retraction", "ann", &[2][..]);
        let redo = (4, "judgement", "ann", &[1][..]);
        assert_eq!(run(&[a, b]), [Replaced, Stands], "the later one names the earlier as its parent");
        assert_eq!(
            run(&[a, b, undo]),
            [Stands, Retracted, Retraction],
            "undoing a change brings back what was"
        );
        assert_eq!(
            run(&[a, b, undo, redo]),
            [Replaced, Retracted, Retraction, Stands],
            "redoing is stating again over what stands"
        );
        let through = (5, "judgement", "ann", &[3][..]);
        assert_eq!(
            run(&[a, b, undo, through]),
            [Replaced, Retracted, Retraction, Stands],
            "descent goes through statements that were taken back"
        );
    }

    #[test]
    fn two_children_of_one_parent_are_a_fork() {
        let rows = [
            (1, "judgement", "ann", &[][..]),
            (2, "judgement", "ann", &[1][..]),
            (3, "judgement", "ann", &[1][..]),
            (4, "judgement", "ann", &[2, 3][..]),
        ];
        assert_eq!(run(&rows[..3]), [Replaced, Stands, Stands], "neither device knew of the other's change");
        assert_eq!(run(&rows), [Replaced, Replaced, Replaced, Stands], "a statement over both settles it");
    }

    #[test]
    fn nobody_replaces_or_retracts_another_judges_verdict() {
        let ann = (1, "judgement", "ann", &[][..]);
        assert_eq!(
            run(&[ann, (2, "judgement", "bob", &[1][..])]),
            [Stands, Stands],
            "each judge's verdict is theirs"
        );
        assert_eq!(
            run(&[ann, (2, "retraction", "bob", &[1][..])]),
            [Stands, Retraction],
            "and so is taking it back"
        );
        let settled = (1, "settlement", "ann", &[][..]);
        assert_eq!(
            run(&[settled, (2, "settlement", "bob", &[1][..])]),
            [Replaced, Stands],
            "a settlement is the auditors' common word"
        );
    }

    #[test]
    fn kinds_do_not_replace_each_other_and_cycles_end() {
        assert_eq!(
            run(&[(1, "rubric_revision", "ann", &[][..]), (2, "rubric_submission", "ann", &[1][..])]),
            [Stands, Stands],
            "handing a revision in does not end it"
        );
        assert_eq!(
            run(&[(1, "judgement", "ann", &[2][..]), (2, "judgement", "ann", &[1][..])]),
            [Replaced, Replaced],
            "a forged cycle has no head, and the walk ends"
        );
    }
}
