//! Fixes for rules that cannot know the answer: they put the criterion into the right form and leave `___` where only
//! its author can go on. A fix that would not silence its own rule is not offered.

use super::{
    finding::{Edit, SplitPart},
    lexicon::{self, is_carrier},
    rule::{Hit, Line, LineCheck, Sheet, position},
    words::{Found, Words},
};
use domain::Modality;

const BLANK: &str = "___";

/// The hit with a fix, where there is one for its rule and none yet.
pub(super) fn mended(rule: &str, check: LineCheck, line: &Line<'_>, sheet: &Sheet<'_>, hit: Hit) -> Hit {
    let (None, Some(found)) = (&hit.fix, hit.words) else { return hit };
    let silent = |text: &str| check(&line.with_text(text), sheet).is_none();
    let (label, texts) = match rule {
        "prompt-reference" | "technique" => ("State the property", property(line, found)),
        "input-reference" => ("Name the property", output_property(line, found)),
        "negative-form" => ("Say what is there", positive(line, found)),
        "cross-criterion" => ("Name what is meant", standing_alone(line, found)),
        "unsettled-answer" => ("Give the answer", settled(line, found)),
        "subjective" => {
            let hint = hint(line.words.at(found.0));
            let texts = replaced(line, found, BLANK).into_iter().collect();
            return with_text(hit, &format!("Name {hint}"), line, texts, silent);
        }
        "vague-quantity" => ("Give a number", quantity(line, found)),
        "time-unanchored" => ("Give the date", vec![appended(line, " as of ___")]),
        "open-set" => ("List which count", vec![appended(line, ", such as ___, ___, or ___")]),
        "closed-set" => ("Accept others", opened(line, found)),
        "conditional" => ("Make it unconditional", unconditional(line, found)),
        "boilerplate" => return hit.mend("Delete", Edit::Delete { at: position(line.at) }),
        "unachievable" => return retagged(hit, check, line, sheet),
        "cross-modality" => return asserted_in_each(hit, line, found),
        "compound" => return split(hit, line, found),
        "too-long" => {
            let ands = line.words.all.iter().enumerate().filter(|(_, w)| w.is_bare() && w.low == "and");
            let middle = line.words.all.len() / 2;
            let and = ands.map(|(at, _)| at).min_by_key(|at| at.abs_diff(middle));
            return match and {
                Some(at) => split(hit, line, (at, at + 1)),
                None => hit,
            };
        }
        _ => return hit,
    };
    with_text(hit, label, line, texts, silent)
}

/// The first text that differs, says something, and silences the rule.
fn with_text(
    hit: Hit,
    label: &str,
    line: &Line<'_>,
    texts: Vec<String>,
    silent: impl Fn(&str) -> bool,
) -> Hit {
    let good = |text: &String| text != line.text && Words::of(text).count() >= 2 && silent(text);
    let text = texts.into_iter().find(good);
    hit.mend_text(label, line, text)
}

/// A criterion of which only the form is known.
fn stub(modality: Option<Modality>) -> String {
    match modality {
        Some(Modality::Text) | None => "States that ___.",
        Some(Modality::Image | Modality::Video) => "Shows ___ in the ___.",
        Some(Modality::Audio) => "The recording has ___.",
        Some(Modality::Document) => "The document has ___.",
    }
    .to_owned()
}

/// The text with some words replaced; none when no such words are there.
fn replaced(line: &Line<'_>, (from, to): Found, with: &str) -> Option<String> {
    let all = &line.words.all;
    let start = all.get(from)?.start as usize;
    let end = all.get(to.checked_sub(1)?)?.end as usize;
    let before: String = line.text.chars().take(start).collect();
    let after: String = line.text.chars().skip(end).collect();
    Some(tidied(&format!("{before}{with}{after}")))
}

/// Single spaces, none before punctuation, a capital first.
fn tidied(text: &str) -> String {
    let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let spaced = spaced.replace(" .", ".").replace(" ,", ",").replace(",.", ".");
    capitalised(spaced.trim_start_matches([',', ' ']))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn without_period(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix('.').unwrap_or(text)
}

fn appended(line: &Line<'_>, tail: &str) -> String {
    format!("{}{tail}.", without_period(line.text))
}

/// One past the last word of the clause that `at` is in.
fn clause_end(words: &Words<'_>, at: usize) -> usize {
    (at..words.all.len()).find(|i| words.stops_at(*i)).unwrap_or(words.all.len())
}

/// "Uses the colors as requested." -> "Uses the colors ___."
fn property(line: &Line<'_>, found: Found) -> Vec<String> {
    let leads = matches!(
        found.0.checked_sub(1).map_or("", |at| line.words.at(at)),
        "the" | "a" | "an" | "with" | "using" | "by" | "in" | "to" | "of" | "from" | "for" | "all"
    );
    let closes = found.0 >= 2 && line.words.stops_at(found.1) && !leads;
    let blank = replaced(line, found, BLANK).filter(|_| closes);
    blank.into_iter().chain([stub(line.modality)]).collect()
}

/// What an output can have without its input beside it.
const PROPERTIES: &[&str] = &[
    "perspective",
    "background",
    "color",
    "colors",
    "colour",
    "colours",
    "style",
    "wording",
    "meaning",
    "tone",
    "size",
    "length",
    "aspect",
    "resolution",
    "order",
    "structure",
    "tempo",
    "key",
    "pitch",
    "lyrics",
    "subject",
    "pose",
    "lighting",
    "proportions",
    "position",
    "formatting",
    "layout",
    "melody",
    "rhythm",
    "title",
    "composition",
    "framing",
];

/// "Preserves the original perspective." -> "The perspective is ___."
fn output_property(line: &Line<'_>, found: Found) -> Vec<String> {
    let words = &line.words;
    let be = match words.at(found.0) {
        "is" | "remains" | "stays" => Some("is ___"),
        "are" | "remain" | "stay" => Some("are ___"),
        _ => None,
    };
    let end = clause_end(words, found.0);
    let kept = be.filter(|_| found.0 > 0).and_then(|be| replaced(line, (found.0, end), be));
    let noun = (found.0..end).rev().map(|at| words.at(at)).find(|word| PROPERTIES.contains(word));
    let named = noun.map(|noun| {
        let be = if noun.ends_with('s') { "are" } else { "is" };
        format!("The {noun} {be} {BLANK}.")
    });
    kept.into_iter().chain(named).chain([stub(line.modality)]).collect()
}

/// "The poster has no border." -> "The poster has ___."
fn positive(line: &Line<'_>, found: Found) -> Vec<String> {
    let words = &line.words;
    let auxiliary = found.0 > 0
        && matches!(
            words.at(found.0 - 1),
            "does" | "do" | "did" | "is" | "are" | "was" | "were" | "has" | "have" | "can"
        );
    let keeps_verb = matches!(words.at(found.0), "no" | "nothing" | "none")
        || auxiliary && matches!(words.at(found.0 - 1), "is" | "are" | "has" | "have");
    let start = if auxiliary && !keeps_verb { found.0 - 1 } else { found.0 };
    let rest = (start, clause_end(words, found.1));
    let blank = (start >= 2 || keeps_verb && start >= 1).then(|| replaced(line, rest, BLANK)).flatten();
    blank.into_iter().chain([stub(line.modality)]).collect()
}

/// "Additionally, lists the price." -> "Lists the price."; "It also lists the price." -> "___ lists the price."
fn standing_alone(line: &Line<'_>, found: Found) -> Vec<String> {
    let words = &line.words;
    let opener = found.0 == 0 && words.at(1) == ",";
    let without = opener.then(|| replaced(line, (0, 2), "")).flatten();
    without.into_iter().chain(replaced(line, found, BLANK)).collect()
}

/// "Identifies the capital." -> "Identifies the capital as ___."
fn settled(line: &Line<'_>, found: Found) -> Vec<String> {
    let words = &line.words;
    let judging = matches!(
        words.at(found.0),
        "correct"
            | "proper"
            | "right"
            | "accurate"
            | "appropriate"
            | "correctly"
            | "properly"
            | "accurately"
            | "appropriately"
    );
    if judging {
        let bare = replaced(line, (found.0, found.0 + 1), "").unwrap_or_default();
        return vec![format!("{} as ___.", without_period(&bare))];
    }
    let asks = (found.0..found.1)
        .find(|at| matches!(words.at(*at), "how" | "why" | "which" | "what" | "when" | "where" | "who"));
    match asks {
        Some(at) => {
            let end = clause_end(words, at);
            replaced(line, (at, end), "that ___").into_iter().collect()
        }
        None => vec![appended(line, " as ___")],
    }
}

/// What to name instead of an impression.
fn hint(word: &str) -> &'static str {
    match word {
        "appealing" | "attractive" | "beautiful" | "beautifully" | "stunning" | "aesthetic"
        | "aesthetically" | "visually" | "eye-catching" | "gorgeous" | "lovely" => {
            "contrast, title position or label size"
        }
        "clear" | "clearly" | "clean" | "easy" | "intuitive" | "user-friendly" => {
            "what makes it so: labels, order, spacing or size of letters"
        }
        "professional" | "professionally" | "polished" | "sophisticated" | "elegant" | "stylish"
        | "modern" | "tasteful" => "margins, alignment, fonts or parts that it must have",
        "engaging" | "compelling" | "interesting" | "captivating" | "memorable" | "exciting" | "catchy" => {
            "the hook, the example or the turn that it must have"
        }
        "natural" | "naturally" | "realistic" | "realistically" | "lifelike" | "believable" | "authentic" => {
            "shadows, proportions, pauses or textures"
        }
        "smooth" | "smoothly" | "dramatic" | "moving" | "vivid" => "cuts, pace, light or volume",
        "warm" | "friendly" | "soothing" | "calming" | "relaxing" | "cheerful" | "cozy" => {
            "tempo, pitch, colors or the words that are used"
        }
        _ => "what can be seen or heard",
    }
}

/// "Lists several causes." -> "Lists at least ___ causes."
fn quantity(line: &Line<'_>, found: Found) -> Vec<String> {
    let tail = matches!(line.words.at(found.0), "in" | "to" | "on" | "into");
    let with = if tail { "in at least ___ sentences" } else { "at least ___" };
    replaced(line, found, with).into_iter().chain([appended_number(line, found)]).collect()
}

fn appended_number(line: &Line<'_>, found: Found) -> String {
    let bare = replaced(line, found, "").unwrap_or_default();
    format!("{} with at least ___.", without_period(&bare))
}

/// "Names only Paris." -> "Names Paris, such as ___."
fn opened(line: &Line<'_>, (from, to): Found) -> Vec<String> {
    let article = line.words.at(from) == "the";
    let bare = replaced(line, (from, to), if article { "a" } else { "" }).unwrap_or_default();
    vec![format!("{}, such as ___.", without_period(&bare))]
}

/// "If it rains, shows an umbrella." -> "Shows an umbrella."; "Lists fees, if applicable." -> "Lists fees."
fn unconditional(line: &Line<'_>, found: Found) -> Vec<String> {
    let words = &line.words;
    let comma = (found.1..words.all.len()).find(|at| words.at(*at) == ",");
    let leading = comma.filter(|_| found.0 == 0).and_then(|at| replaced(line, (0, at + 1), ""));
    let start = if found.0 > 0 && words.at(found.0 - 1) == "," { found.0 - 1 } else { found.0 };
    let trailing = (found.0 > 0).then(|| replaced(line, (start, clause_end(words, found.0)), "")).flatten();
    leading.into_iter().chain(trailing).collect()
}

/// The first modality that can show it, one that the prompt expects before others.
fn retagged(hit: Hit, check: LineCheck, line: &Line<'_>, sheet: &Sheet<'_>) -> Hit {
    use Modality::{Audio, Document, Image, Text, Video};
    let gold = sheet.gold.unwrap_or_default().iter().copied();
    // Text says the least against anything, so that it comes last.
    let can = gold.chain([Image, Document, Video, Audio, Text]).find(|modality| {
        let fits = sheet.gold.is_none_or(|gold| gold.contains(modality));
        fits && Some(*modality) != line.modality && check(&line.with_modality(*modality), sheet).is_none()
    });
    match can {
        Some(modality) => {
            let edit = Edit::Modality { at: position(line.at), modality };
            hit.mend(&format!("Tag as {}", modality.lower()), edit)
        }
        None => hit,
    }
}

/// The fact once for each of the two modalities that were compared.
fn asserted_in_each(hit: Hit, line: &Line<'_>, found: Found) -> Hit {
    let Some(own) = line.modality else { return hit };
    let others = Modality::ALL.into_iter().filter(|modality| *modality != own);
    let other = others
        .into_iter()
        .find(|other| (found.0..found.1).any(|at| is_carrier(line.words.at(at), *other, false)));
    let part = |modality| SplitPart { text: stub(Some(modality)), modality };
    let parts = std::iter::once(own).chain(other).map(part).collect();
    hit.mend("Assert the fact in each", Edit::Split { at: position(line.at), parts })
}

/// Two criteria out of one, cut at the words that join them.
fn split(hit: Hit, line: &Line<'_>, found: Found) -> Hit {
    let Some((first, second)) = halves(line, found) else { return hit };
    let Some(modality) = line.modality else { return hit };
    if Words::of(&first).count() < 2 || Words::of(&second).count() < 2 {
        return hit;
    }
    let parts = [first, second].into_iter().map(|text| SplitPart { text, modality }).collect();
    hit.mend("Split in two", Edit::Split { at: position(line.at), parts })
}

fn halves(line: &Line<'_>, (from, to): Found) -> Option<(String, String)> {
    let words = &line.words;
    let join = words.all.get(from)?;
    let before: String = line.text.chars().take(join.start as usize).collect();
    let first = format!("{}.", tidied(&before).trim_end_matches([',', ';', '.', ' ']));
    // Of "; shows" and ". Shows" only the mark joins.
    let joined_by = if join.is_word() { to } else { from + 1 };
    let start = words.all.get(joined_by)?.start as usize;
    let rest: String = line.text.chars().skip(start).collect();
    let rest = format!("{}.", without_period(&rest));
    if join.raw == "." {
        return Some((first, capitalised(&rest)));
    }
    let is_verb = |at: usize| {
        let word = words.at(at);
        word.ends_with('s')
            && (lexicon::is_form_of(word, lexicon::INTRODUCERS)
                || lexicon::COMMANDS.contains(&word.trim_end_matches('s')))
            || lexicon::FINITE.contains(&word)
    };
    // What both halves share: a subject before the verb, or a verb before its object.
    let lead = if is_verb(joined_by) {
        (0..from).find(|at| is_verb(*at)).unwrap_or(0)
    } else {
        let object =
            |at: &usize| matches!(words.at(*at), "that" | "how" | "why" | "the" | "a" | "an" | "its");
        (1..from).find(object).or_else(|| (0..from).find(|at| is_verb(*at)).map(|at| at + 1)).unwrap_or(0)
    };
    let lead = if lead == 0 {
        String::new()
    } else {
        let end = words.all.get(lead - 1)?.end as usize;
        line.text.chars().take(end).collect()
    };
    Some((first, tidied(&format!("{lead} {rest}"))))
}

/// "Names a file kind": the kind before the carrier, with its article.
pub(super) fn with_kind(line: &Line<'_>, modality: Modality, kind: &str) -> Option<String> {
    let words = &line.words;
    let carrier = (0..words.all.len()).find(|at| is_carrier(words.at(*at), modality, false))?;
    let starts_with_vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    let article = if starts_with_vowel { "an" } else { "a" };
    if carrier > 0 && matches!(words.at(carrier - 1), "a" | "an") {
        replaced(line, (carrier - 1, carrier), &format!("{article} {kind}"))
    } else {
        replaced(line, (carrier, carrier + 1), &format!("{kind} {}", words.all.get(carrier)?.raw))
    }
}
