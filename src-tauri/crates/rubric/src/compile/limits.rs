//! Bounds that keep compiling linear, and checks such that somebody can judge by them.

/// The longest concept or subject, in characters; it stands in every check of its item.
pub const CONCEPT_CHARACTERS: usize = 1_000;
/// The longest statement, entry or step, in characters.
pub const TEXT_CHARACTERS: usize = 10_000;
/// From this many elements in one list on, the author is told that nobody can judge by it.
pub const LIST_ELEMENTS: usize = 1_000;
/// The longest option that is looked for inside other options (FL-12), in words.
pub const CONTAINED_WORDS: usize = 8;
