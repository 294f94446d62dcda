//! The five modalities, in the order that MMI prints them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// One of the five modalities of MMI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Modality {
    /// Prose.
    Text,
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// A file: pdf, docx, xlsx, pptx, csv, txt.
    Document,
}

/// The text is no modality.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no modality; the five are Text, Image, Audio, Video, Document")]
pub struct ModalityError(pub String);

impl Modality {
    /// All five, in order.
    pub const ALL: [Self; 5] = [Self::Text, Self::Image, Self::Audio, Self::Video, Self::Document];

    /// The name as MMI writes it: `Text`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "Text",
            Self::Image => "Image",
            Self::Audio => "Audio",
            Self::Video => "Video",
            Self::Document => "Document",
        }
    }
    /// The name in lower case, as rubrics write it: `text`.
    pub const fn lower(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Document => "document",
        }
    }
    /// Position in [`Self::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Modality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Modality {
    type Err = ModalityError;
    /// Case and surrounding space do not matter (MMI quirk Q13).
    fn from_str(text: &str) -> Result<Self, ModalityError> {
        let wanted = text.trim();
        Self::ALL
            .into_iter()
            .find(|m| m.name().eq_ignore_ascii_case(wanted))
            .ok_or_else(|| ModalityError(wanted.chars().take(80).collect()))
    }
}

/// Expected modalities: a set that keeps its order (quirk Q39).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ModalityList(Vec<Modality>);

impl ModalityList {
    /// The modalities, in order, each once.
    pub fn as_slice(&self) -> &[Modality] {
        &self.0
    }
    /// Is `modality` in the list?
    pub fn contains(&self, modality: Modality) -> bool {
        self.0.contains(&modality)
    }
    /// Are these the same modalities, in whatever order?
    pub fn same_as(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|modality| other.contains(modality))
    }
    /// Is nothing expected?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// How many are expected.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// This list once what `before` became `now` is done to it: without what was removed there, and with what was added
    /// there at its end.
    #[must_use]
    pub fn changed_like(&self, before: &Self, now: &Self) -> Self {
        let stays = self.iter().filter(|modality| !before.contains(*modality) || now.contains(*modality));
        stays.chain(now.iter().filter(|modality| !before.contains(*modality))).collect()
    }
    /// The modalities, in order.
    pub fn iter(&self) -> impl Iterator<Item = Modality> + '_ {
        self.0.iter().copied()
    }
}
impl FromIterator<Modality> for ModalityList {
    fn from_iter<I: IntoIterator<Item = Modality>>(all: I) -> Self {
        let mut list = Vec::new();
        for modality in all {
            if !list.contains(&modality) {
                list.push(modality);
            }
        }
        Self(list)
    }
}
