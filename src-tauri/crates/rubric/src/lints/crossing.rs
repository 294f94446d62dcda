//! Does a criterion compare its output with another one? Each output is graded alone, so that no grader may need the other.
//!
//! What is told from it: a word that names the criterion's own output, what lies inside it (the speech of a video, the text in an
//! image), what the output says (reports and quotes), and works that a text is about ("Names the song as …").

use super::{
    lexicon::{self, is_carrier, may_nest},
    rule::{Hit, Line, Sheet},
    words::{Found, Scope, Words},
};
use domain::Modality;

/// Compares one output with another.
pub(super) fn cross_modality(line: &Line<'_>, sheet: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let all = words.any(
        &[
            "across|in|between|over|throughout|among ?all|the|every|both|each ?of ?the ?three|two|four|five|other|output|different|requested modality|modalities|outputs|formats|deliverables|media",
            "all|both ?the ?three|two|four|five|other modalities|outputs|deliverables",
            "the|an|its accompanying|companion story|essay|article|explanation|script|recipe|poem|lyrics|materials|write-up|description|answer|response|instructions|list|guide|summary",
            "the|all|any other ?output|delivered|generated output|outputs|modality|modalities|deliverable|deliverables|file|files",
        ],
        Scope::Bare,
    );
    if let Some(found) = all {
        return Some(Hit::words(found));
    }
    let own = line.modality?;
    let others = Modality::ALL.into_iter().filter(|m| *m != own);
    // With a gold list, what is not in it is no output; it is a subject, or an input that another rule sees.
    let others = others.filter(|other| sheet.gold.is_none_or(|gold| gold.contains(other)));
    others
        .into_iter()
        .find_map(|other| part_of(words, own, other).or_else(|| points_at(words, own, other)))
        .map(Hit::words)
}

/// "the written steps", "the spoken version": another output by how its words are given.
fn part_of(words: &Words<'_>, own: Modality, other: Modality) -> Option<Found> {
    const THE: &str = "the|its|this ?accompanying|separate|full|whole|final|same";
    const PART: &str = "version|part|portion|component|section|output|summary|description|explanation|account|answer|\
                        response|reply|modality|deliverable|translation|message";
    let given = match other {
        Modality::Text => {
            let whole = words.find(
                &format!("{THE} text|text-based|textual|written|typed response|reply|answer|output|modality|deliverable|component|portion"),
                Scope::Bare,
            );
            // Steps that are written may stand in a document or be shown on a screen.
            let inside = may_nest(own, other) && !matches!(own, Modality::Image);
            let steps = || {
                words.find(
                    &format!("{THE} written|typed|textual {PART}|steps|instructions|recipe|guide|story|list|text|poem|review|plan"),
                    Scope::Bare,
                )
            };
            whole.or_else(|| if inside { None } else { steps() }).or_else(|| {
                let followed = words.any(
                    &[
                        "follow|follows|following|matches|match|mirrors|per the written|typed ~",
                        "consistent|agreement|line with the written|typed ~",
                    ],
                    Scope::Bare,
                );
                followed.map(|(from, to)| (from + 1, to))
            }).or_else(|| {
                // A document has a text of its own.
                let told = || words.find("described|listed|mentioned|explained|outlined|specified in the text $", Scope::Bare);
                if own == Modality::Document { None } else { told() }
            })
        }
        Modality::Audio if own != Modality::Video => words.find(
            &format!("{THE} audio|spoken|sung|narrated|recorded|voiced|read-aloud {PART}|narration|words|lyrics|track|text|script|story|guide|instructions|steps"),
            Scope::Bare,
        ),
        Modality::Video => words.find(
            &format!("{THE} video|filmed|animated {PART}|demonstration|walkthrough|tutorial|guide|steps"),
            Scope::Bare,
        ),
        Modality::Image if own == Modality::Video => {
            words.find(&format!("{THE} still|static|separate image|images|picture|pictures|photo|photos|frame"), Scope::Bare)
        }
        Modality::Image if own != Modality::Document => {
            words.any(&[&format!("{THE} visual {PART}|aid|aids|guide|steps"), "the pictured|depicted ~"], Scope::Bare)
        }
        _ => None,
    }?;
    // At the start it is what the criterion is about, under the wrong tag; that is another rule's.
    let relates = (given.1..words.all.len().min(given.1 + 8)).any(|at| relates(words, at));
    (given.0 > 0 || relates).then_some(given)
}

/// Does the word at `at` set two things beside each other?
fn relates(words: &Words<'_>, at: usize) -> bool {
    let word = words.at(at);
    matches!(
        word,
        "consistent"
            | "consistently"
            | "inconsistent"
            | "sync"
            | "synced"
            | "synchronized"
            | "identical"
            | "same"
            | "similar"
            | "different"
            | "equal"
            | "parallel"
            | "compatible"
            | "shown"
            | "appear"
            | "appears"
            | "described"
            | "listed"
            | "mentioned"
            | "given"
            | "seen"
            | "heard"
            | "pictured"
            | "depicted"
            | "consistency"
            | "spoken"
            | "displayed"
            | "drawn"
            | "presented"
            | "named"
            | "time"
            | "tandem"
            | "together"
            | "carried"
            | "reused"
    ) || lexicon::is_form_of(word, RELATING)
}

/// Verbs that set one output beside another.
const RELATING: &[&str] = &[
    "match",
    "agree",
    "correspond",
    "synchronize",
    "mirror",
    "reflect",
    "align",
    "repeat",
    "complement",
    "refer",
    "summarize",
    "summarise",
    "describe",
    "explain",
    "reference",
    "accompany",
    "contradict",
    "coincide",
    "duplicate",
    "echo",
    "support",
    "fit",
    "illustrate",
    "transcribe",
    "supplement",
    "paraphrase",
    "visualize",
    "restate",
    "recap",
    "follow",
    "differ",
    "narrate",
    "translate",
    "introduce",
    "extend",
    "complete",
    "parallel",
    "conflict",
    "cite",
    "transliterate",
    "annotate",
    "comment",
    "reuse",
    "continue",
];

/// Verbs that name a thing as something.
const NAMING: &[&str] = &["name", "identify", "give", "state", "list", "recognize", "recognise", "mention"];

/// Verbs by which one output speaks of another: "that the audio mentions".
const SPEAKING: &[&str] = &[
    "mention",
    "name",
    "show",
    "say",
    "list",
    "describe",
    "explain",
    "depict",
    "state",
    "use",
    "give",
    "present",
    "demonstrate",
    "report",
    "tell",
    "play",
    "read",
    "contain",
    "illustrate",
    "include",
    "display",
    "label",
    "call",
];

/// Does the word name an output of `other`? Words that are as often letters of the alphabet, words of a sentence, cards of a
/// game do not.
fn names_output(words: &Words<'_>, at: usize, own: Modality, other: Modality) -> bool {
    let word = &words.all[at];
    let is_named =
        word.is_bare() && is_carrier(&word.low, other, false) && !is_carrier(&word.low, own, false);
    let ambiguous = match word.low.as_str() {
        "word" | "words" => !(word.is_capitalised() && at > 0),
        "letters" | "form" | "forms" | "card" | "cards" | "icons" | "beats" | "voices" | "plots"
        | "manual" | "excel" | "render" | "sticker" | "answers" | "graphics" | "visuals" => true,
        "voice" => matches!(own, Modality::Text | Modality::Document),
        "letter" => matches!(own, Modality::Audio | Modality::Image | Modality::Video),
        _ => false,
    };
    is_named && !ambiguous
}

fn points_at(words: &Words<'_>, own: Modality, other: Modality) -> Option<Found> {
    for at in 0..words.all.len() {
        if !names_output(words, at, own, other) || is_modifier(words, at) {
            continue;
        }
        let back = |n: usize| at.checked_sub(n).map_or("", |i| words.at(i));
        let separate = (1..=3).find(|n| {
            matches!(
                back(*n),
                "accompanying"
                    | "separate"
                    | "companion"
                    | "corresponding"
                    | "associated"
                    | "other"
                    | "paired"
                    | "matching"
                    | "supplementary"
                    | "delivered"
                    | "generated"
                    | "complementary"
                    | "adjoining"
            )
        });
        if let Some(n) =
            separate.filter(|n| (1..*n).all(|k| !matches!(back(k), "of" | "in" | "with" | "and" | "from")))
        {
            return Some((at - n, at + 1));
        }
        let from = (1..=4).find(|n| matches!(back(*n), "the" | "its" | "this" | "each" | "both" | "these"));
        let Some(n) = from.filter(|n| {
            (1..*n)
                .all(|k| !matches!(back(k), "of" | "in" | "on" | "with" | "and" | "from" | "is" | "a" | "an"))
        }) else {
            continue;
        };
        let start = at - n;
        if may_nest(own, other) {
            if compares_nested(words, own, other, (start, at)) {
                return Some((start, at + 1));
            }
            continue;
        }
        let preposition = start.checked_sub(1).is_some_and(|i| {
            matches!(
                words.at(i),
                "in" | "from"
                    | "with"
                    | "alongside"
                    | "beside"
                    | "as"
                    | "to"
                    | "by"
                    | "than"
                    | "on"
                    | "like"
                    | "and"
                    | "during"
                    | "per"
                    | "between"
            )
        });
        let related = (start.saturating_sub(7)..at + 6).any(|i| relates(words, i));
        // "Names 'Guernica' as the painting": a work, not an output.
        if preposition && !related && words.at(start - 1) == "as" && lexicon::is_form_of(words.at(0), NAMING)
        {
            continue;
        }
        // "every ingredient that the audio mentions", "what the song is about", "each of the images"
        let speaks = start > 1
            && (lexicon::is_form_of(words.at(at + 1), SPEAKING)
                || matches!(words.at(start - 1), "what" | "which" | "that" | "where"));
        let every = start > 1
            && words.at(start - 1) == "of"
            && matches!(words.at(start - 2), "each" | "all" | "any" | "one" | "every" | "both" | "some");
        // "the text of the document"
        let of_it = start > 2
            && words.at(start - 1) == "of"
            && matches!(
                words.at(start - 2),
                "text"
                    | "words"
                    | "content"
                    | "contents"
                    | "wording"
                    | "lyrics"
                    | "script"
                    | "summary"
                    | "findings"
            );
        if related
            || of_it
            || speaks
            || every
            || (preposition && !matches!(words.at(start - 1), "to" | "and" | "by" | "on"))
        {
            return Some((start, at + 1));
        }
    }
    None
}

/// "Complements the text.", "the same colour as in the images": what could lie inside the output is set beside it as a whole.
fn compares_nested(words: &Words<'_>, own: Modality, other: Modality, (start, at): (usize, usize)) -> bool {
    const BESIDE: &[&str] = &[
        "match",
        "complement",
        "illustrate",
        "accompany",
        "support",
        "supplement",
        "reflect",
        "echo",
        "mirror",
        "agree",
        "correspond",
        "fit",
        "contradict",
        "follow",
        "visualize",
        "restate",
        "paraphrase",
        "duplicate",
    ];
    // A document has text, and a video has sound, of its own.
    if matches!((own, other), (Modality::Document, Modality::Text) | (Modality::Video, Modality::Audio)) {
        return false;
    }
    let core = is_carrier(words.at(at), other, true);
    let is_subject = start <= 3 && lexicon::is_form_of(words.at(0), BESIDE) && words.stops_at(at + 1);
    let as_in = start > 1
        && (words.at(start - 1) == "as"
            || matches!((words.at(start - 2), words.at(start - 1)), ("as", "in" | "on")));
    let same = as_in && (0..start).any(|i| matches!(words.at(i), "same" | "identical"));
    core && (is_subject || same)
}

/// "the video store", "a file cabinet", "Word document": the noun only modifies the next.
fn is_modifier(words: &Words<'_>, at: usize) -> bool {
    let next = words.at(at + 1);
    !words.stops_at(at + 1)
        && matches!(
            next,
            "store"
                | "shop"
                | "game"
                | "games"
                | "cabinet"
                | "camera"
                | "call"
                | "conference"
                | "editor"
                | "card"
                | "player"
                | "industry"
                | "star"
                | "director"
                | "studio"
                | "engineer"
                | "maker"
                | "festival"
                | "frame"
                | "gallery"
                | "library"
                | "therapy"
                | "teacher"
                | "writer"
                | "album"
                | "booth"
                | "finish"
                | "processor"
                | "search"
                | "origin"
                | "size"
                | "bubble"
                | "bubbles"
                | "balloon"
                | "box"
                | "boxes"
                | "stand"
                | "wave"
                | "waves"
                | "barrier"
                | "school"
                | "critic"
                | "lesson"
                | "contest"
                | "box-office"
                | "theater"
                | "theatre"
                | "codec"
                | "credit"
        )
}
