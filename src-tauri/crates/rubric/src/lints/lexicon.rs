//! Word lists of the rules. They are data: to tune a lint is to change a list here and to add a case to the fixtures.

use domain::Modality;

/// Quotation marks.
pub(super) const QUOTES: &[&str] = &["\"", "“", "”", "„", "«", "»", "`", "‘", "’", "'"];

/// Numbers in words.
pub(super) const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "fifteen", "twenty", "thirty", "forty", "fifty", "sixty", "hundred", "half",
];

/// Verbs whose "that" or "how" opens reported content.
pub(super) const REPORTING: &[&str] = &[
    "state",
    "explain",
    "say",
    "note",
    "mention",
    "warn",
    "tell",
    "describe",
    "argue",
    "claim",
    "advise",
    "recommend",
    "remind",
    "inform",
    "report",
    "specify",
    "indicate",
    "clarify",
    "point out",
    "emphasize",
    "stress",
    "conclude",
    "announce",
    "add",
    "teach",
    "suggest",
    "confirm",
    "acknowledge",
    "instruct",
    "ask",
    "urge",
    "assure",
    "caution",
    "admit",
    "observe",
    "declare",
    "mean",
    "establish",
    "show",
    "demonstrate",
    "write",
    "read",
    "reveal",
    "promise",
    "encourage",
    "narrate",
    "outline",
    "summarize",
    "spell out",
    "imply",
    "believe",
    "know",
    "define",
    "answer",
];

/// Verbs that put an addressee between themselves and the content.
pub(super) const ADDRESSING: &[&str] = &[
    "tell",
    "warn",
    "remind",
    "inform",
    "advise",
    "instruct",
    "ask",
    "urge",
    "assure",
    "caution",
    "teach",
    "encourage",
    "promise",
];

/// Is `word` a form (base, -s, -ed, -ing) of one of the verbs?
pub(super) fn is_form_of(word: &str, verbs: &[&str]) -> bool {
    verbs.iter().any(|verb| {
        let stem = verb.strip_suffix('e').unwrap_or(verb);
        let stem_y = verb.strip_suffix('y').unwrap_or(verb);
        word == *verb
            || word.strip_prefix(verb).is_some_and(|rest| matches!(rest, "s" | "es" | "ed" | "d" | "ing"))
            || word.strip_prefix(stem).is_some_and(|rest| matches!(rest, "ing" | "ed"))
            || (stem_y != *verb
                && word.strip_prefix(stem_y).is_some_and(|rest| matches!(rest, "ies" | "ied")))
            || matches!((*verb, word), ("say", "said") | ("tell", "told") | ("teach", "taught"))
    })
}

/// Verbs that start an instruction and are hardly ever nouns.
pub(super) const COMMANDS: &[&str] = &[
    "include",
    "make",
    "ensure",
    "add",
    "give",
    "provide",
    "create",
    "write",
    "draw",
    "describe",
    "explain",
    "mention",
    "state",
    "identify",
    "say",
    "tell",
    "keep",
    "put",
    "avoid",
    "generate",
    "deliver",
    "produce",
    "present",
    "describe",
    "compare",
    "define",
    "demonstrate",
    "illustrate",
    "pronounce",
    "read",
    "sing",
    "speak",
    "narrate",
    "recite",
    "translate",
    "convert",
    "correct",
    "fix",
    "remove",
    "replace",
    "insert",
    "attach",
    "send",
    "return",
    "output",
    "render",
    "depict",
    "contain",
    "have",
    "be",
    "do",
    "don't",
    "let",
    "please",
    "check",
    "verify",
    "confirm",
    "choose",
    "select",
    "calculate",
    "compute",
    "solve",
    "summarize",
    "recommend",
    "suggest",
    "warn",
    "advise",
    "remind",
    "specify",
    "indicate",
    "clarify",
    "emphasize",
    "follow",
    "begin",
    "finish",
    "conclude",
    "arrange",
    "organize",
    "format",
    "align",
    "center",
    "crop",
    "resize",
    "rotate",
    "trim",
    "blur",
    "sharpen",
    "fill",
    "cite",
    "quote",
    "refer",
    "mix",
    "combine",
    "pair",
    "separate",
    "split",
    "divide",
    "group",
    "sort",
    "rank",
    "number",
    "apply",
    "adjust",
    "increase",
    "decrease",
    "reduce",
    "raise",
    "lower",
    "preserve",
    "maintain",
    "retain",
    "transpose",
    "teach",
    "answer",
    "reply",
    "respond",
    "offer",
    "propose",
    "introduce",
    "portray",
    "bring",
    "take",
    "show",
    "use",
    "list",
    "name",
    "label",
    "place",
    "mark",
    "note",
    "highlight",
    "outline",
    "display",
    "address",
    "cover",
    "discuss",
    "stick",
    "stay",
    "remember",
    "never",
    "always",
    "simply",
    "just",
    "feature",
    "zoom",
    "pan",
];

/// Nouns as often as verbs: an instruction only before a determiner or a name.
pub(super) const NOUN_OR_COMMAND: &[&str] = &[
    "show",
    "use",
    "list",
    "name",
    "label",
    "place",
    "mark",
    "note",
    "highlight",
    "outline",
    "display",
    "record",
    "play",
    "set",
    "start",
    "end",
    "design",
    "draft",
    "cut",
    "change",
    "turn",
    "stress",
    "pause",
    "sound",
    "light",
    "title",
    "voice",
    "film",
    "frame",
    "picture",
    "caption",
    "color",
    "colour",
    "balance",
    "focus",
    "plan",
    "order",
    "guide",
    "match",
    "measure",
    "paint",
    "sketch",
    "animate",
    "model",
    "map",
    "chart",
    "graph",
    "plot",
    "score",
    "report",
    "document",
    "answer",
    "return",
    "output",
    "format",
    "number",
    "group",
    "feature",
    "cover",
    "split",
    "crop",
    "center",
    "address",
    "present",
    "fill",
    "pair",
    "quote",
    "reply",
    "offer",
    "zoom",
    "check",
    "separate",
    "correct",
    "lower",
    "pan",
    "mix",
    "stay",
    "open",
    "close",
    "shade",
    "circle",
    "point",
    "export",
    "save",
    "type",
];

/// Words that open a noun phrase.
pub(super) const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "each", "every", "all", "any", "both", "some", "its",
    "their", "his", "her", "your", "our", "my", "at", "exactly", "only", "it", "them", "how", "why", "what",
    "where", "multiple", "several", "up", "sure", "either", "more",
];

/// Verbs that make a statement finite.
pub(super) const FINITE: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "appears", "appear", "shows", "reads", "lies", "lie",
    "stands", "stand", "fits", "contains", "includes", "matches", "does", "do", "can", "sits", "sit", "uses",
    "begins", "ends", "starts", "covers", "lists", "remains", "names", "costs", "gets", "comes", "goes",
    "wins", "needs", "takes",
];

/// Auxiliaries that open a question before a subject.
pub(super) const AUXILIARIES: &[&str] = &[
    "does", "do", "did", "can", "could", "would", "will", "shall", "are", "were", "should", "may", "might",
    "doesn't", "isn't", "aren't", "don't", "didn't", "can't",
];

/// Nouns for something that was given with the prompt.
pub(super) const ASSET_NOUNS: &str = "photo|photos|photograph|photographs|image|images|picture|pictures|recording|\
    recordings|audio|video|videos|clip|clips|document|documents|file|files|pdf|text|drawing|sketch|spreadsheet|table|\
    chart|graph|logo|song|track|melody|footage|screenshot|scan|essay|letter|resume|presentation|slides|slide|deck|\
    poster|map|painting|portrait|material|materials|version|draft|script|data|dataset|csv|manuscript|article|sample|\
    diagram|worksheet|recipe|voice|sound|music|poem|story|paragraph|page|pages|menu|invoice|receipt|notes|flyer|form|\
    design|layout|composition|illustration|artwork|sheet|workbook|input|media|asset|content|report|plan|snippet|tune|\
    soundtrack|transcript|speech|lyrics|brochure|template|scene|shot|frame";

/// Nouns of each modality's outputs. The first four are its core: they name the artefact itself.
pub(super) const fn carriers(modality: Modality) -> &'static [&'static str] {
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
pub(super) fn is_carrier(word: &str, modality: Modality, core_only: bool) -> bool {
    let nouns = carriers(modality);
    let nouns = if core_only {
        &nouns[..nouns.len().min(if modality == Modality::Document { 14 } else { 5 })]
    } else {
        nouns
    };
    nouns.iter().any(|noun| word == *noun || word.strip_suffix('s') == Some(noun))
}

/// May an output of `outer` hold `inner` inside itself, so that naming it compares nothing?
pub(super) const fn may_nest(outer: Modality, inner: Modality) -> bool {
    matches!(
        (outer, inner),
        (Modality::Video, Modality::Audio | Modality::Image | Modality::Text)
            | (Modality::Image, Modality::Text)
            | (Modality::Document, Modality::Text | Modality::Image)
    )
}

/// Words about how well a thing is made.
pub(super) const CRAFT: &[&str] = &[
    "legible",
    "legibly",
    "legibility",
    "readable",
    "readability",
    "layout",
    "contrast",
    "font|fonts|typeface",
    "typography",
    "pacing",
    "paced",
    "framing",
    "well-framed",
    "lighting",
    "margin|margins",
    "whitespace",
    "white space",
    "spacing|spaced",
    "alignment|aligned",
    "composition",
    "color|colour palette|scheme",
    "color|colour grading",
    "sharp focus",
    "in focus",
    "easy to read",
    "background noise",
    "transition|transitions",
    "diction",
    "enunciat*",
    "audible",
    "audibly",
    "intelligible",
    "crisp",
    "uncluttered",
    "exposure",
    "well lit",
    "well-lit",
    "loudness",
    "volume level|levels",
    "steady",
    "sharp",
    "blurry",
    "pixelated",
    "clutter",
    "sound quality",
    "resolution",
    "formatting",
    "speaking rate|pace|speed",
    "visual hierarchy",
    "text size",
    "letter|lettering size",
    "consistent style",
    "overlap|overlaps",
    "intonation",
];

/// Words without content of their own, for comparing criteria.
pub(super) const STOPWORDS: &[&str] = &[
    "the", "a", "an", "of", "in", "on", "at", "to", "for", "with", "by", "as", "is", "are", "was", "were",
    "be", "been", "and", "or", "that", "this", "it", "its", "from", "into", "has", "have", "does", "do",
    "than", "which", "there", "their", "through", "about", "output", "response", "answer", "image",
    "picture", "video", "clip", "audio", "document", "file", "text",
];

/// Verbs that only introduce what a criterion is about.
pub(super) const INTRODUCERS: &[&str] = &[
    "state",
    "name",
    "say",
    "list",
    "include",
    "contain",
    "give",
    "show",
    "mention",
    "explain",
    "describe",
    "note",
    "identify",
    "provide",
    "present",
    "display",
    "depict",
    "label",
    "feature",
    "tell",
    "specify",
    "indicate",
    "read",
    "mark",
    "point",
    "illustrate",
    "demonstrate",
    "report",
];

/// A crude stem: enough to see that *caused* and *cause*, *tides* and *tide* are one word.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word.strip_suffix("'s").unwrap_or(word).to_owned();
    if stem.chars().count() > 3 && !stem.starts_with(|c: char| c.is_ascii_digit()) {
        for (ending, put) in [
            ("ies", "y"),
            ("sses", "ss"),
            ("ingly", ""),
            ("edly", ""),
            ("ly", ""),
            ("ing", ""),
            ("ed", ""),
            ("es", "e"),
            ("s", ""),
        ] {
            let Some(rest) = stem.strip_suffix(ending) else { continue };
            if rest.len() >= 3 && !rest.ends_with("ss") && !(ending == "s" && rest.ends_with('s')) {
                stem = format!("{rest}{put}");
                break;
            }
        }
        let bytes = stem.as_bytes();
        if let [.., a, b] = bytes
            && a == b
            && !matches!(b, b'l' | b's' | b'z' | b'e' | b'o')
            && b.is_ascii()
        {
            stem.pop();
        }
        if stem.chars().count() > 3 && stem.ends_with('e') {
            stem.pop();
        }
        if stem.chars().count() > 2 && stem.ends_with('y') {
            stem.pop();
            stem.push('i');
        }
    }
    stem
}

/// The third person of a base verb: *show* gives *shows*.
pub(super) fn third_person(verb: &str) -> String {
    match verb {
        "have" => "has".to_owned(),
        "be" => "is".to_owned(),
        "do" => "does".to_owned(),
        _ if verb.ends_with(['s', 'x', 'z', 'o']) || verb.ends_with("ch") || verb.ends_with("sh") => {
            format!("{verb}es")
        }
        _ => match verb.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{verb}s"),
        },
    }
}
