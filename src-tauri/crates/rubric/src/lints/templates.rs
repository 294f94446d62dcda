//! First criteria to start from: delivery and integrity for each kind of output. `___` stands for what only the author knows.

use super::{
    parts::Part,
    words::{Scope, Words},
};
use domain::Modality;
use schemars::JsonSchema;
use serde::Serialize;

/// One criterion to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Template {
    /// The kind of output, as people call it.
    pub kind: &'static str,
    /// Its modality.
    pub modality: Modality,
    /// What the criterion is for.
    pub part: Part,
    /// Its text.
    pub text: &'static str,
    /// Does the prompt name this kind?
    pub suggested: bool,
}

/// A kind of output: its name, its modality, the words by which a prompt asks for it, delivery and integrity.
type Row = (&'static str, Modality, &'static str, &'static str, &'static str);

const KINDS: [Row; 15] = [
    (
        "PDF",
        Modality::Document,
        "pdf",
        "Delivers a PDF document with ___.",
        "Opens as a PDF in full, from the first page to the last.",
    ),
    (
        "Word document",
        Modality::Document,
        "word|docx",
        "Delivers a Word document (.docx) with ___.",
        "Opens as a Word document in full, from the first page to the last.",
    ),
    (
        "Spreadsheet",
        Modality::Document,
        "excel|xlsx|spreadsheet|workbook",
        "Delivers an Excel spreadsheet (.xlsx) with ___.",
        "Opens as a spreadsheet in full, with every sheet.",
    ),
    (
        "Slides",
        Modality::Document,
        "powerpoint|pptx|slides|slide|slideshow|presentation|deck",
        "Delivers PowerPoint slides (.pptx) with ___.",
        "Opens as slides in full, from the first to the last.",
    ),
    (
        "CSV",
        Modality::Document,
        "csv",
        "Delivers a CSV file with ___.",
        "Parses as a comma-separated table with one header row.",
    ),
    (
        "Plain text file",
        Modality::Document,
        "txt",
        "Delivers a plain text file (.txt) with ___.",
        "Opens as plain text in full, from the first line to the last.",
    ),
    (
        "Any document",
        Modality::Document,
        "document|report|brochure|invoice|worksheet|newsletter|resume|cv",
        "Delivers a document with ___.",
        "Opens completely.",
    ),
    (
        "Infographic",
        Modality::Image,
        "infographic",
        "Delivers an infographic about ___.",
        "Renders completely.",
    ),
    ("Diagram", Modality::Image, "diagram|flowchart", "Delivers a diagram of ___.", "Renders completely."),
    (
        "Any image",
        Modality::Image,
        "image|picture|photo|drawing|illustration|poster|logo",
        "Delivers an image of ___.",
        "Renders completely.",
    ),
    (
        "Song",
        Modality::Audio,
        "song|jingle|lullaby|rap",
        "Delivers a song about ___.",
        "Plays from start to end without interruption.",
    ),
    (
        "Podcast",
        Modality::Audio,
        "podcast|interview",
        "Delivers a podcast about ___.",
        "Plays from start to end without interruption.",
    ),
    (
        "Any audio",
        Modality::Audio,
        "audio|recording|voice|sound|pronounce",
        "Delivers an audio recording of ___.",
        "Plays from start to end without interruption.",
    ),
    (
        "Animation",
        Modality::Video,
        "animation|animated",
        "Delivers an animation of ___.",
        "Plays from start to end without freezing.",
    ),
    (
        "Any video",
        Modality::Video,
        "video|clip|film|footage",
        "Delivers a video of ___.",
        "Plays from start to end without freezing.",
    ),
];

/// The templates of a modality, those whose kind the prompt names first. Text has none: it has no delivery criterion.
pub fn templates(modality: Modality, prompt: &str) -> Vec<Template> {
    let words = Words::of(prompt);
    let named = |wanted: &str| words.find(wanted, Scope::Unquoted).is_some();
    // The English letters of "C S V", as a spoken prompt is written down.
    let spelt = words.find("c s v", Scope::Unquoted).is_some();
    let of = KINDS.iter().filter(|row| row.1 == modality);
    let mut all: Vec<Template> = of
        .flat_map(|(kind, modality, wanted, delivery, integrity)| {
            let suggested = named(wanted) || (*kind == "CSV" && spelt);
            [(Part::Delivery, *delivery), (Part::Integrity, *integrity)].map(|(part, text)| Template {
                kind,
                modality: *modality,
                part,
                text,
                suggested,
            })
        })
        .collect();
    all.sort_by_key(|template| !template.suggested);
    all
}
