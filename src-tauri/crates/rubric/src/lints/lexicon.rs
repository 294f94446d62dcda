//! Word lists of the rules. They are data: to tune a lint is to change a list here and to add a case to the fixtures.

mod carriers;
mod commands;

pub(super) use carriers::{ASSET_NOUNS, is_carrier, may_nest};
pub(super) use commands::{COMMANDS, NOUN_OR_COMMAND};

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
    "brightness",
    "sharpness",
    "clarity",
    "kerning",
    "padding",
    "camera shake",
    "audio|image|video|picture quality",
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
