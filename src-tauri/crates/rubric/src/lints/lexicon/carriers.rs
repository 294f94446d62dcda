//! Nouns for what is delivered and for what was given with the prompt.

use domain::Modality;

/// Nouns for something that was given with the prompt.
pub(crate) const ASSET_NOUNS: &str = "photo|photos|photograph|photographs|image|images|picture|pictures|recording|\
    recordings|audio|video|videos|clip|clips|document|documents|file|files|pdf|text|drawing|sketch|spreadsheet|table|\
    chart|graph|logo|song|track|melody|footage|screenshot|scan|essay|letter|resume|presentation|slides|slide|deck|\
    poster|map|painting|portrait|material|materials|version|draft|script|data|dataset|csv|manuscript|article|sample|\
    diagram|worksheet|recipe|voice|sound|music|poem|story|paragraph|page|pages|menu|invoice|receipt|notes|flyer|form|\
    design|layout|composition|illustration|artwork|sheet|workbook|input|media|asset|content|report|plan|snippet|tune|\
    soundtrack|transcript|speech|lyrics|brochure|template|scene|shot|frame";

/// Nouns of each modality's outputs. The first four are its core: they name the artefact itself.
const fn carriers(modality: Modality) -> &'static [&'static str] {
    match modality {
        Modality::Text => &["text", "prose", "reply", "answer"],
        Modality::Image => &[
            "image",
            "picture",
            "photo",
            "illustration",
            "photograph",
            "drawing",
            "infographic",
            "diagram",
            "poster",
            "logo",
            "painting",
            "sketch",
            "graphic",
            "portrait",
            "sticker",
            "comic",
            "meme",
            "collage",
            "flyer",
            "icon",
            "map",
            "chart",
            "png",
            "jpg",
            "jpeg",
            "screenshot",
            "cartoon",
            "render",
            "rendering",
            "banner",
            "postcard",
            "mockup",
            "flowchart",
            "schematic",
            "visual",
            "still",
            "card",
            "graph",
            "plot",
            "storyboard",
            "blueprint",
        ],
        Modality::Audio => &[
            "audio",
            "recording",
            "sound",
            "soundtrack",
            "song",
            "podcast",
            "narration",
            "track",
            "voice-over",
            "voiceover",
            "mp3",
            "wav",
            "melody",
            "jingle",
            "music",
            "lullaby",
            "tune",
            "speech",
            "voice",
            "audiobook",
            "monologue",
            "dialogue",
            "announcement",
            "beat",
        ],
        Modality::Video => &[
            "video",
            "clip",
            "animation",
            "footage",
            "film",
            "movie",
            "mp4",
            "gif",
            "screencast",
            "trailer",
            "reel",
            "slideshow",
            "vlog",
            "tutorial",
            "timelapse",
            "time-lapse",
            "cartoon",
        ],
        Modality::Document => &[
            "document",
            "file",
            "pdf",
            "spreadsheet",
            "csv",
            "presentation",
            "deck",
            "slides",
            "slide",
            "docx",
            "xlsx",
            "pptx",
            "workbook",
            "word",
            "excel",
            "powerpoint",
            "worksheet",
            "handout",
            "brochure",
            "txt",
            "report",
            "booklet",
            "ebook",
            "slideshow",
            "resume",
            "letter",
            "form",
            "manual",
        ],
    }
}

/// Is `word` (or its singular) one of a modality's carriers?
pub(crate) fn is_carrier(word: &str, modality: Modality, core_only: bool) -> bool {
    let nouns = carriers(modality);
    let nouns = if core_only {
        &nouns[..nouns.len().min(if modality == Modality::Document { 14 } else { 5 })]
    } else {
        nouns
    };
    nouns.iter().any(|noun| word == *noun || word.strip_suffix('s') == Some(noun))
}

/// May an output of `outer` hold `inner` inside itself, so that naming it compares nothing?
pub(crate) const fn may_nest(outer: Modality, inner: Modality) -> bool {
    matches!(
        (outer, inner),
        (Modality::Video, Modality::Audio | Modality::Image | Modality::Text)
            | (Modality::Image, Modality::Text)
            | (Modality::Document, Modality::Text | Modality::Image)
    )
}
