//! Samples of an interaction benchmark (MIBench): a question with options over an image, a text, or both, and the
//! contexts that another modality gives it.

use crate::InputAsset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $what:literal, {$($(#[$each:meta])* $variant:ident = $text:literal),+ $(,)?}) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$each])* $variant),+
        }
        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The name in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
        impl FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|one| one.name() == text.trim()).ok_or_else(|| {
                    let names: Vec<&str> = Self::ALL.iter().map(|one| one.name()).collect();
                    format!(
                        concat!("{:?} is no ", $what, "; write {}"),
                        text.chars().take(80).collect::<String>(),
                        names.join(", ")
                    )
                })
            }
        }
    };
}

named!(
    /// Which modality a sample turns on.
    Pattern, "pattern", {
        /// The image holds the answer; contexts are texts.
        Vision = "vision",
        /// The text holds the answer; contexts are images.
        Text = "text",
        /// Only both together do.
        Synergy = "synergy",
    }
);

named!(
    /// What a context from the other modality does to a sample.
    ContextKind, "kind of context", {
        /// Leads to the right answer.
        CorrectGuidance = "correct_guidance",
        /// Tells of the whole.
        GlobalDescription = "global_description",
        /// Tells of a part.
        LocalDescription = "local_description",
        /// Has nothing to do with it.
        Unrelated = "unrelated",
        /// Leads to a wrong answer.
        Misleading = "misleading",
    }
);

/// A context: one of an image and a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SampleContext {
    /// What it does.
    pub kind: ContextKind,
    /// The image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<InputAsset>,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A sample in one version. The version and the opaque id stand beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sample {
    /// `sample_id`, as the benchmark has it.
    pub key: String,
    /// What it turns on.
    pub pattern: Pattern,
    /// 1 recognition, 2 understanding, 3 reasoning.
    pub level: u8,
    /// The task, such as `object counting`.
    pub task: String,
    /// The field that it is from; empty when the file says none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub domain: String,
    /// What is asked.
    pub question: String,
    /// Options by their letter.
    pub options: BTreeMap<String, String>,
    /// The letter of the right one.
    pub answer: String,
    /// The image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<InputAsset>,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The contexts, of the other modality; none where both stand together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<SampleContext>,
}

impl Sample {
    /// Every image of it.
    pub fn images(&self) -> impl Iterator<Item = &InputAsset> {
        self.image.iter().chain(self.contexts.iter().filter_map(|context| context.image.as_ref()))
    }
    /// Every image of it, to fill in what it is.
    pub fn images_mut(&mut self) -> impl Iterator<Item = &mut InputAsset> {
        self.image.iter_mut().chain(self.contexts.iter_mut().filter_map(|context| context.image.as_mut()))
    }
    /// The kinds of context that it lacks; none for a sample of both together.
    pub fn lacking(&self) -> Vec<ContextKind> {
        if self.pattern == Pattern::Synergy {
            return Vec::new();
        }
        let has = |kind: ContextKind| self.contexts.iter().any(|context| context.kind == kind);
        ContextKind::ALL.iter().copied().filter(|kind| !has(*kind)).collect()
    }
    /// The variants that a model is asked: one for each context, or one without.
    pub fn variants(&self) -> Vec<Option<ContextKind>> {
        if self.contexts.is_empty() {
            vec![None]
        } else {
            self.contexts.iter().map(|context| Some(context.kind)).collect()
        }
    }
    /// What keeps it from being a sample; none when nothing does.
    pub fn fault(&self) -> Option<String> {
        if self.key.trim().is_empty() {
            return Some("sample_id is missing".to_owned());
        }
        if !(1..=3).contains(&self.level) {
            return Some(format!("level is 1, 2 or 3, not {}", self.level));
        }
        for (what, text) in [("question", &self.question), ("task", &self.task)] {
            if text.trim().is_empty() {
                return Some(format!("{what} is missing"));
            }
        }
        if self.options.len() < 2 {
            return Some("there are fewer than two options".to_owned());
        }
        if !self.options.contains_key(&self.answer) {
            return Some(format!("the answer {:?} is none of the options", self.answer));
        }
        let centre = match self.pattern {
            Pattern::Vision => self.image.is_some(),
            Pattern::Text => self.text.is_some(),
            Pattern::Synergy => self.image.is_some() && self.text.is_some(),
        };
        if !centre {
            return Some(format!("a sample of pattern {} lacks what it turns on", self.pattern));
        }
        if let Some((letter, _)) = self.options.iter().find(|(_, text)| text.trim().is_empty()) {
            return Some(format!("the option {letter} is empty"));
        }
        if self.pattern == Pattern::Synergy && !self.contexts.is_empty() {
            return Some(
                "a sample of pattern synergy has no contexts: image and text stand together".to_owned(),
            );
        }
        for (at, context) in self.contexts.iter().enumerate() {
            if context.image.is_some() == context.text.is_some() {
                return Some(format!("the context {} holds one of an image and a text", context.kind));
            }
            let from_other = match self.pattern {
                Pattern::Vision => context.text.is_some(),
                Pattern::Text | Pattern::Synergy => context.image.is_some(),
            };
            if !from_other {
                return Some(format!(
                    "the context {} is of the modality that a sample of pattern {} turns on; contexts are of the other",
                    context.kind, self.pattern
                ));
            }
            if self.contexts[..at].iter().any(|earlier| earlier.kind == context.kind) {
                return Some(format!("the context {} comes twice", context.kind));
            }
        }
        None
    }
}

/// What a model chose for one variant of a sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// The sample's key.
    pub sample_key: String,
    /// The model.
    pub model: String,
    /// Under which context; none without one.
    pub context: Option<ContextKind>,
    /// The letter; empty when the model chose none.
    pub choice: String,
}
