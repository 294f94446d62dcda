//! Rules about the form of one criterion: statement, instruction, negation, weight, wording of speech.

use super::{
    lexicon::{self, DETERMINERS},
    rule::{Hit, Line, Sheet},
    words::{Scope, Word, Words},
};
use domain::Modality;

/// A weight in a field of its own or in the words.
pub(super) fn weight_leak(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    if line.has_weight {
        return Some(Hit::default());
    }
    let words = &line.words;
    let labels = "dealbreaker|deal-breaker|gating|critical|bonus|essential|optional|required|mandatory|important|major|minor|crucial|must-have|\
                  nice-to-have|key|core|vital|primary|secondary|extra|musthave";
    let found = words.any(
        &[
            "(|[ p0|p1|p2|p3 )|]",
            "^ p0|p1|p2|p3 :|-|–",
            "^ tier|level|priority|importance ?: % :|-|–",
            "(|[ tier|level|priority|importance ?: ~ )|]",
            &format!("^ ?[|( ?very|most|high|low|medium|non|top {labels}|priority|severity ?criterion|point|credit ?]|) :|-|–|—"),
            &format!("(|[ ?very|most|highly {labels} )|]"),
            "^ high|low|medium|top priority",
            "high|low|medium|top priority )|]",
            "^ must|nice ?to have :|-|–",
            "nice to have )|]",
            "(|[ ?+|x|× % ?.|/ ?% point|points|pt|pts|mark|marks )|]",
            "(|[ ?worth % ?% point|points|pt|pts|mark|marks|credit ~ )|]",
            "(|[ ?x|×|+ weight|weighting|weights ?: ?= ?of ?x % ?% ?% )|]",
            "(|[ x|×|+ % )|]",
            "(|[ x2|x3|x4|x5|2x|3x|2pts|3pts|5pts|1pt|10pts )|]",
            "^ [ ?+ % ]",
            "[ ?+ % ] ?. $",
            "^ ?+ % point|points|pt|pts|mark|marks :|-|–",
            "^ weight ?: ?=|of %",
            "weight ?: ?=|of % ?% $",
            "for % point|points|mark|marks $",
            "worth ?up|double|twice|half|full|partial|extra|more|most|a ?to % ?% point|points|mark|marks|credit|credits",
            "worth half|full|double|partial|extra|more ?the ?credit|points|marks|weight",
            "half|partial|extra|double|bonus|full credit|marks",
            "bonus point|points|mark|marks",
            "count|counts|counted|weighs|weighted double|twice|triple|half|more|heavily|most",
            "double|triple weight|weighted",
            "most important criterion|requirement|check|point",
        ],
        Scope::Bare,
    )?;
    // "(2 points)" inside an enumeration of facts is still a weight; "the key:" in the middle is not matched above.
    Some(Hit::words(found).mend_text("Delete the weight", line, without(line, found)))
}

/// The text without the words `found`, tidied.
fn without(line: &Line<'_>, (from, to): (usize, usize)) -> Option<String> {
    let all = &line.words.all;
    let start = all.get(from)?.start as usize;
    let end = all.get(to.checked_sub(1)?)?.end as usize;
    let chars: Vec<char> = line.text.chars().collect();
    let before: String = chars.get(..start)?.iter().collect();
    let after: String = chars.get(end..)?.iter().collect();
    let after = after.trim_start();
    let joined = if before.trim().is_empty() {
        capitalised(after)
    } else if after.starts_with(['.', ',', ';']) || after.is_empty() {
        format!("{}{after}", before.trim_end())
    } else {
        format!("{} {after}", before.trim_end())
    };
    (joined.chars().any(char::is_alphanumeric)).then_some(joined)
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A question, with or without its mark.
pub(super) fn question_form(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let last = words.all.iter().rposition(|w| !matches!(w.raw, ")" | "]" | "!" | "."))?;
    let asks = words.all[last].raw == "?" && !words.all[last].quoted;
    let (first, second, third) = (words.at(0), words.at(1), words.at(2));
    let subject = |w: &str| {
        DETERMINERS.contains(&w)
            || matches!(w, "there" | "you" | "we" | "he" | "she" | "they" | "i" | "no" | "one")
    };
    let inverted = match first {
        // "Does column B hold ..." asks; "Does are grazing", "Does not show" do not.
        "does" | "did" if plain_question(words) => true,
        _ if lexicon::AUXILIARIES.contains(&first) => {
            subject(second) || words.all.get(1).is_some_and(Word::is_capitalised)
        }
        // "Is the only ..." and "Is a photo" describe; "Is the map labelled" asks.
        "is" | "was" => {
            matches!(second, "there" | "it" | "each" | "every" | "this" | "that")
                || (second == "the"
                    && !matches!(
                        third,
                        "same" | "only" | "first" | "last" | "size" | "color" | "colour" | "shape" | "length"
                    )
                    && words.find("^ is|was the ~ ?~ ?of|in ?the ?~ ~", Scope::Unquoted).is_some()
                    && !words.stops_at(3)
                    && !matches!(
                        words.at(3),
                        "of" | "for" | "to" | "and" | "that" | "with" | "from" | "in" | "on"
                    ))
        }
        "has" | "have" => {
            matches!(second, "the" | "it" | "each" | "every" | "there")
                && (3..=5)
                    .any(|i| words.at(i) == "been" || (words.at(i).ends_with("ed") && words.at(i).len() > 4))
                && !matches!(words.at(3), "of" | "with" | "in")
        }
        // "What the tenant pays is given as 640 euros" and "How the valve closes is shown" tell.
        "what" | "how" | "why" | "who" | "where" | "when" if matches!(second, "the" | "a" | "an" | "its") => {
            false
        }
        "what" | "which" | "who" | "whom" | "whose" | "why" | "whether" => true,
        "how" => second != "to",
        "where" | "when" => {
            lexicon::AUXILIARIES.contains(&second) || matches!(second, "is" | "was" | "has" | "have")
        }
        _ => false,
    };
    (asks || inverted).then(|| {
        let hit = Hit::words(if inverted { (0, 1) } else { (last, last + 1) });
        hit.mend_text("Turn into a statement", line, as_statement(words, line.text))
    })
}

/// An auxiliary, a subject without an article, and a base verb.
fn plain_question(words: &Words<'_>) -> bool {
    let subject = words.at(1);
    let is_verb = |i: usize| {
        let verb = words.at(i);
        lexicon::COMMANDS.contains(&verb)
            || matches!(
                verb,
                "hold"
                    | "start"
                    | "end"
                    | "get"
                    | "look"
                    | "match"
                    | "sound"
                    | "open"
                    | "sit"
                    | "stand"
                    | "work"
            )
    };
    !lexicon::FINITE.contains(&subject)
        && !matches!(subject, "not" | "so" | "likewise" | "" | "in" | "with" | "on" | "of")
        && (2..6).any(is_verb)
}

/// "Does the diagram label X?" gives "Labels X."
fn as_statement(words: &Words<'_>, text: &str) -> Option<String> {
    if !matches!(words.at(0), "does" | "do" | "did") {
        return None;
    }
    let is_verb = |i: &usize| {
        let w = words.at(*i);
        lexicon::COMMANDS.contains(&w) || lexicon::NOUN_OR_COMMAND.contains(&w)
    };
    let verb = (2..5).find(is_verb)?;
    let rest: String = text.chars().skip(words.all[verb].end as usize).collect();
    let rest = rest.trim_end().trim_end_matches('?');
    Some(format!("{}{rest}.", capitalised(&lexicon::third_person(words.at(verb)))))
}

/// An instruction: a command, or "should".
pub(super) fn instruction_form(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let start = usize::from(words.at(0) == "please");
    if start == 1 || is_command(words, 0) {
        let verb = words.all.get(start)?;
        let rest: String = line.text.chars().skip(verb.end as usize).collect();
        let text = (!matches!(
            verb.low.as_str(),
            "make" | "ensure" | "let" | "do" | "don't" | "never" | "always" | "be"
        ))
        .then(|| format!("{}{rest}", capitalised(&lexicon::third_person(&verb.low))));
        return Some(Hit::words((start, start + 1)).mend_text("Make it a description", line, text));
    }
    let found = words.any(
        &[
            "should|must|shall|shouldn't|mustn't|ought",
            "need|needs|has|have to",
            "is|are required|supposed|expected|obliged|meant to",
            "is|are|be required|mandatory|obligatory|compulsory",
            "is|are to be|include|show|have|contain|mention|use|state",
            "make|making sure",
            "will include|show|have|contain|mention|use|state|be|last|end|start|name|list|say|explain",
        ],
        Scope::Bare,
    )?;
    if is_content(words, found.0) {
        return None;
    }
    Some(Hit::words(found).mend_text("Make it a description", line, described(line, found)))
}

/// "Lists the forms that visitors must bring": the modal belongs to what is listed, not to the output.
fn is_content(words: &Words<'_>, modal: usize) -> bool {
    let first = words.at(0);
    let is_described = first.ends_with('s') && !matches!(first, "this" | "its" | "is" | "has");
    let relative = (1..modal)
        .rev()
        .find(|i| matches!(words.at(*i), "that" | "which" | "who" | "what" | "where" | "when" | "whom"));
    is_described && relative.is_some_and(|r| modal > r + 1 || words.at(r) == "who" || words.at(r) == "what")
}

/// "The narration needs to mention X" gives "The narration mentions X".
fn described(line: &Line<'_>, (from, to): (usize, usize)) -> Option<String> {
    let all = &line.words.all;
    let verb = all.get(to)?;
    let subject_end = all.get(from.checked_sub(1)?)?;
    if !verb.is_word() || matches!(verb.low.as_str(), "not" | "never" | "also" | "always" | "be") {
        return None;
    }
    let plural = subject_end.low.ends_with('s') && !subject_end.low.ends_with("ss");
    let before: String = line.text.chars().take(subject_end.end as usize).collect();
    let after: String = line.text.chars().skip(verb.end as usize).collect();
    let verb = if plural { verb.low.clone() } else { lexicon::third_person(&verb.low) };
    Some(format!("{before} {verb}{after}"))
}

/// Does a command start at `at`?
fn is_command(words: &Words<'_>, at: usize) -> bool {
    let (verb, next) = (words.at(at), words.at(at + 1));
    let may_be_noun = lexicon::NOUN_OR_COMMAND.contains(&verb);
    let is_verb = lexicon::COMMANDS.contains(&verb);
    if !(may_be_noun || is_verb) || matches!(next, "of" | "is" | "are" | "was" | "were" | "has" | "have") {
        return false;
    }
    if !may_be_noun {
        return next != ":" && !words.stops_at(at + 1);
    }
    // "Start with the chorus", "Zoom in on the keyhole"
    let leads = matches!(
        verb,
        "start"
            | "end"
            | "open"
            | "close"
            | "focus"
            | "zoom"
            | "pan"
            | "cut"
            | "turn"
            | "point"
            | "play"
            | "stay"
    ) && matches!(next, "with" | "by" | "on" | "in" | "at" | "to" | "from" | "under" | "within");
    let tells =
        || words.all.iter().skip(at + 1).any(|w| w.is_bare() && lexicon::FINITE.contains(&w.low.as_str()));
    if leads && !tells() {
        return true;
    }
    let Some(next_word) = words.all.get(at + 1).filter(|w| w.is_word() || w.quoted) else { return false };
    if next_word.quoted || DETERMINERS.contains(&next) || next_word.is_capitalised() || next_word.is_digits()
    {
        return true;
    }
    let finite =
        words.all.iter().skip(at + 1).any(|w| w.is_bare() && lexicon::FINITE.contains(&w.low.as_str()));
    is_verb && !finite
}

/// Words that tell of a broken file: there a negative is the natural form.
const INTEGRITY: &str = "freez*|cut|cuts|cutting|glitch*|stutter*|corrupt*|distort*|artifact*|artefact*|interrupt*|gap|\
                         gaps|dropout*|truncat*|crash*|skip*|clipping|garbled|buffering|lag|lagging|static|hang*|repair*|\
                         password|crackl*|breaking|broken|blank|damage*|failing|breaks";

/// A requirement in the negative.
pub(super) fn negative_form(line: &Line<'_>, sheet: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let found = words.any(
        &[
            "not|no|without|never|none|nothing|neither|nor|cannot|nobody",
            "avoid|avoids|avoiding|refrain|refrains|omits|omit|excludes|exclude|lacks|lack|lacking|excluding|omitting",
            "doesn't|isn't|aren't|don't|can't|won't|hasn't|haven't|didn't|wasn't|weren't|shouldn't|mustn't|couldn't",
            "free of|from",
            "devoid of",
            "leave|leaves|leaving out",
            "fail|fails|failing to",
            "stay|stays|keep|keeps|staying|keeping clear|away of|from",
            "zero ~",
            "absence|absent ?of|from",
            "instead of",
            "rather than",
        ],
        Scope::Bare,
    )?;
    let word = &words.all[found.0];
    // Names such as a No Parking sign, bounds such as "no more than", and "whether or not" negate nothing.
    let is_name =
        found.0 > 0 && word.is_capitalised() && words.all.get(found.0 + 1).is_some_and(Word::is_capitalised);
    let is_bound = matches!(word.low.as_str(), "no" | "not")
        && matches!(
            words.at(found.0 + 1),
            "more"
                | "fewer"
                | "less"
                | "later"
                | "longer"
                | "earlier"
                | "larger"
                | "smaller"
                | "higher"
                | "lower"
                | "only"
                | "less-than"
        );
    let is_number = word.low == "no"
        && (words.all.get(found.0 + 1).is_some_and(Word::is_digits) || words.at(found.0 + 1) == ".");
    let either = found.0 > 0 && words.at(found.0 - 1) == "or" && word.low == "not";
    let contrast = matches!(word.low.as_str(), "instead" | "rather");
    if is_name || is_bound || is_number || either || contrast || is_integrity_wording(words) {
        return None;
    }
    if sheet.prompt.as_ref().is_some_and(asks_for_removal) && !matches!(word.low.as_str(), "never") {
        return None;
    }
    Some(Hit::words(found))
}

fn is_integrity_wording(words: &Words<'_>) -> bool {
    words.find(INTEGRITY, Scope::Bare).is_some()
        || words
            .any(
                &[
                    "opens|plays|loads|renders|downloads|runs|displays|parses ?~ ?~ ?~ without",
                    "without|no missing|error|errors|warning|warnings $",
                    "no|not ?any missing|corrupt*|unreadable|error ?messages|pages|frames",
                    "no|not ?a|any ?single page|pages|frame|frames|slide|sheet|image|second|part ?of ?it ?is|are missing|lost|cut|dropped",
                ],
                Scope::Bare,
            )
            .is_some_and(|_| words.any(&["spelling|grammar|grammatical|typo|typos|factual|mathematical"], Scope::Bare).is_none())
            && words
                .any(&["open|opens|play|plays|load|loads|render|renders|download|downloads|run|runs|parse|parses|displays|file|corrupt*|missing|frames"], Scope::Bare)
                .is_some()
}

fn asks_for_removal(prompt: &Words<'_>) -> bool {
    prompt
        .any(
            &[
                "remove|remov*|erase|eras*|delete|delet*|strip|eliminate|mute|unblur|declutter|exclude|hide|omit",
                "take|cut|crop|edit|leave|filter|photoshop|clean ?~ ?~ ?~ ?~ out|off|away",
                "get rid of",
                "rid of",
                "clean up",
                "edit out",
            ],
            Scope::Unquoted,
        )
        .is_some()
}

/// Speech graded by its exact words.
pub(super) fn exact_speech(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    if !matches!(line.modality, Some(Modality::Audio | Modality::Video)) {
        return None;
    }
    let words = &line.words;
    let verbatim = words.any(
        &[
            "verbatim",
            "word for word",
            "word-for-word",
            "exact|precise|same|identical phrase|phrases|words|word|wording|sentence|sentences|quote|script|text|line|lines|phrasing",
            "exactly as written|worded|scripted|given|printed|follows|stated",
            "exactly the|these|those words|phrase|sentence|line|same",
            "exactly :",
            "letter for letter",
            "to the letter",
            "changing|altering a|one single ?word",
            "letter-perfect",
            "quotes|recites|repeats|says|reads ?the|a ~ ?~ ?~ exactly|literally $",
            "without ?any change|changes in|of|to ?the wording|text|words",
        ],
        Scope::Unquoted,
    );
    if let Some(found) = verbatim {
        return Some(Hit::words(found));
    }
    let tolerant = words.any(
        &[
            "similar|equivalent|comparable|paraphrase*|like|alike|variant|variation|variations|synonym*",
            "such as",
            "words|something to that|the effect|like",
            "e.g",
            "for example|instance",
            "pronounc*|pronunciation|title|titled|called|named|entitled|spelled|spells",
            "song|poem|chapter|book|film|movie|play|story|rhyme|track|episode ~ ~",
        ],
        Scope::Unquoted,
    );
    let written = words.any(
        &["sign|caption*|title*|text|label*|screen|heading|headline|banner|subtitle*|card|poster|button|written|displayed|shown|overlay|slide|logo|displays|shows|on-screen|headed|lettering|words"],
        Scope::Unquoted,
    );
    let spoken = words.any(
        &["say|says|said|saying|narrator|speaker|voice|presenter|speaks|spoken|announces|recites|voice-over|voiceover|utters|host|sings|greets|narration"],
        Scope::Unquoted,
    );
    if tolerant.is_some() || (line.modality == Some(Modality::Video) && written.is_some() && spoken.is_none())
    {
        return None;
    }
    let (from, to) = longest_quote(words)?;
    (words.all[from..to].iter().filter(|w| w.is_word()).count() >= 4).then(|| {
        let speech: String = line
            .text
            .chars()
            .skip(words.all[from].start as usize)
            .take((words.all[to - 1].end - words.all[from].start) as usize)
            .collect();
        let text: String = line.text.trim_end().trim_end_matches('.').replacen(
            &speech,
            &format!("{speech} or words to that effect"),
            1,
        );
        Hit::words((from, to)).mend_text("Accept words to that effect", line, Some(format!("{text}.")))
    })
}

fn longest_quote(words: &Words<'_>) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < words.all.len() {
        let length = words.all[at..].iter().take_while(|w| w.quoted).count();
        if length > best.map_or(0, |(from, to)| to - from) {
            best = Some((at, at + length));
        }
        at += length.max(1);
    }
    best
}
