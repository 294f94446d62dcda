//! What was met before.

use std::{collections::HashSet, hash::Hash};

/// Up to so many are looked through; more are hashed. Most lists of a rubric are shorter.
const FEW: usize = 12;

/// A set that looks through a few, and hashes many, so that neither short lists nor long ones cost more than they must.
pub(super) struct Seen<T> {
    few: Vec<T>,
    many: HashSet<T>,
}
impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self { few: Vec::new(), many: HashSet::new() }
    }
}
impl<T: Eq + Hash> Seen<T> {
    /// Remembers a value; false when it was there already.
    pub fn insert(&mut self, value: T) -> bool {
        if !self.many.is_empty() {
            return self.many.insert(value);
        }
        if self.few.contains(&value) {
            return false;
        }
        self.few.push(value);
        if self.few.len() > FEW {
            self.many.extend(self.few.drain(..));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_new_once_in_short_lists_and_in_long_ones() {
        let mut seen = Seen::default();
        for value in 0..3 * FEW {
            assert!(seen.insert(value), "{value} is new");
            assert!(!seen.insert(value), "{value} was just there");
            assert!(!seen.insert(0), "and so was the first");
        }
    }
}
