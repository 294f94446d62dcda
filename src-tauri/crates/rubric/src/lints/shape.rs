//! Rules about the shape of a rubric: tags, numbers, order, delivery, craft, repeats.

use super::{
    finding::Edit,
    lexicon::{self, CRAFT, is_carrier},
    parts::Part as Kind,
    rule::{Hit, Line, Sheet, position},
    words::{Scope, Words},
};
use domain::Modality;
use std::collections::BTreeSet;

const NON_TEXT: [Modality; 4] = [Modality::Image, Modality::Audio, Modality::Video, Modality::Document];

/// Exactly one of the five, in lower case.
pub(super) fn modality_tag(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    if Modality::ALL.iter().any(|m| m.lower() == line.tag) {
        return None;
    }
    let meant = line.modality.or_else(|| {
        let tag = line.tag.trim().to_lowercase();
        Modality::ALL.into_iter().find(|m| is_carrier(&tag, *m, false))
    });
    Some(match meant {
        Some(modality) => Hit::default().mend(
            &format!("Tag as {}", modality.lower()),
            Edit::Modality { at: position(line.at), modality },
        ),
        None => Hit::default(),
    })
}

/// A modality that the prompt does not expect.
pub(super) fn not_gold(line: &Line<'_>, sheet: &Sheet<'_>) -> Option<Hit> {
    let (gold, modality) = (sheet.gold?, line.modality?);
    if gold.contains(&modality) {
        return None;
    }
    let hit = Hit::default().say(format!(
        "This prompt does not expect {}. Flag the gold list, or move the requirement.",
        modality.lower()
    ));
    Some(match gold {
        [only] => hit.mend(
            &format!("Tag as {}", only.lower()),
            Edit::Modality { at: position(line.at), modality: *only },
        ),
        _ => hit,
    })
}

/// An expected modality without criteria.
pub(super) fn uncovered_modality(sheet: &Sheet<'_>) -> Vec<Hit> {
    let missing = sheet.gold.unwrap_or_default().iter().filter(|m| sheet.of_modality(**m).is_empty());
    missing
        .map(|modality| {
            Hit { modality: Some(*modality), ..Hit::default() }
                .say(format!("{} is expected but has no criteria.", modality.name()))
                .mend("Add a first criterion", stub(sheet.lines.len(), *modality))
        })
        .collect()
}

fn stub(at: usize, modality: Modality) -> Edit {
    let text = match modality {
        Modality::Text => "States that ___.",
        Modality::Image => "Delivers an image of ___.",
        Modality::Audio => "Delivers an audio recording of ___.",
        Modality::Video => "Delivers a video of ___.",
        Modality::Document => "Delivers a document with ___.",
    };
    Edit::Insert { at: position(at), text: text.to_owned(), modality }
}

/// Ids are "1" to "n".
pub(super) fn ids(sheet: &Sheet<'_>) -> Vec<Hit> {
    let wrong = sheet.lines.iter().find(|line| line.id != (line.at + 1).to_string());
    wrong
        .map(|line| {
            let message = format!(
                "Number criteria from 1 across all modalities: here {} is expected, not {:?}.",
                line.at + 1,
                line.id.chars().take(40).collect::<String>()
            );
            Hit::at(line).say(message).mend("Renumber", Edit::Renumber)
        })
        .into_iter()
        .collect()
}

const DELIVERS: &str = "deliver|delivers|provide|provides|return|returns|output|outputs|supply|supplies|produce|produces|\
                        make|makes|render|renders|draw|draws|record|records|share|shares|export|exports|\
                        generate|generates|create|creates|attach|attaches|send|sends|present|presents|offer|offers|give|\
                        gives|is|consists|comprises|include|includes|contain|contains|has";

/// Does a criterion assert that its modality was delivered? "Contains a table" is content: it names no artefact.
pub(super) fn is_delivery(line: &Line<'_>) -> bool {
    let Some(modality) = line.modality else { return false };
    let words = &line.words;
    // "The output is an image", "The response includes a PDF": the verb may follow its subject.
    let output = "output|response|answer|result|model|deliverable|submission|assistant|system|reply";
    let verb = words
        .find(&format!("^ ?the|this|its ?final {output} ?also {DELIVERS}"), Scope::Bare)
        .or_else(|| words.find(&format!("^ {DELIVERS}"), Scope::Bare));
    if let Some((_, after)) = verb {
        // Weak verbs introduce content as well, so that only the artefact itself will do after them.
        let core_only = matches!(
            words.at(after - 1),
            "include"
                | "includes"
                | "contain"
                | "contains"
                | "has"
                | "give"
                | "gives"
                | "is"
                | "presents"
                | "present"
                | "make"
                | "makes"
                | "draw"
                | "draws"
                | "render"
                | "renders"
                | "record"
                | "records"
                | "share"
                | "shares"
                | "export"
                | "exports"
        );
        for at in after..after + 7 {
            let word = words.at(at);
            if matches!(
                word,
                "with"
                    | "in"
                    | "that"
                    | "about"
                    | "for"
                    | "from"
                    | "as"
                    | "where"
                    | "to"
                    | "on"
                    | "by"
                    | "showing"
                    | "which"
            ) || words.stops_at(at) && !word.is_empty() && !matches!(word, "," | "(")
            {
                break;
            }
            if word == "of" && words.at(at - 1) != "consists" {
                break;
            }
            if is_carrier(word, modality, core_only) && !(core_only && names_part(words, at + 1, modality)) {
                return true;
            }
        }
    }
    (0..5).any(|at| {
        is_carrier(words.at(at), modality, false)
            && words
                .any(&["is|are ?actually|successfully delivered|provided|returned|included|produced|generated|attached|created|present|supplied|there|made|sent|rendered|available", "exists"], Scope::Bare)
                .is_some_and(|(from, to)| from > at && words.stops_at(to) && words.at(0) != "no")
    })
}

/// "a picture frame", "a document number": after the artefact comes a noun that it only modifies.
fn names_part(words: &Words<'_>, next: usize, modality: Modality) -> bool {
    let word = words.at(next);
    let goes_on = matches!(
        word,
        "of" | "with"
            | "in"
            | "that"
            | "about"
            | "for"
            | "from"
            | "as"
            | "where"
            | "to"
            | "on"
            | "by"
            | "which"
            | "and"
            | "or"
            | "titled"
            | "at"
            | "format"
            | "is"
            | "file"
            | "version"
            | "output"
            | "clip"
    );
    !(words.stops_at(next)
        || goes_on
        || is_carrier(word, modality, false)
        || word.ends_with("ing")
        || word.ends_with("ed"))
}

/// A text criterion that only asserts a text.
pub(super) fn delivery_on_text(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    if line.modality != Some(Modality::Text) {
        return None;
    }
    let words = &line.words;
    let noun = "text|texts|answer|response|reply|message|output|prose|explanation|paragraph|message|content";
    let tail = "?in|as|to|for|within|via ?the|a ?text|plain|written|user|user's|prompt|words|writing|chat|question|request|form|prose ?form|format|message|question|request|prompt $";
    let found = words.any(
        &[
            &format!("^ ?the ?output|response|answer|model|result {DELIVERS}|gives|writes|replies|responds|answers ?of ?a|an|some|the|its|at ?least ?one ?complete|full ?non-empty|written|text|textual|text-based|prose|plain|short|brief|verbal {noun} {tail}"),
            "^ ?the ?output|response|answer|model responds|replies|answers|writes ?back in|with|as|via|using ?a|plain|written text|writing|words|prose|reply|response|answer $",
            "^ a|an|the|some ?written|text|textual|text-based|prose|complete response|answer|reply|text|explanation|message is ?actually provided|delivered|returned|given|present|included|produced|sent|there|written ?in|as ?writing|text|words|prose $",
            "^ text|prose is provided|delivered|returned|given|present|included|produced $",
            "^ is ?a|an ?written|text|plain text|textual|written|prose ?response|answer|reply $",
            "^ there is ?a|an|some ?written|text text|answer|response|reply|textual $",
        ],
        Scope::Bare,
    )?;
    Some(Hit::words(found).mend("Delete", Edit::Delete { at: position(line.at) }))
}

/// A non-text modality without a delivery criterion.
pub(super) fn delivery_missing(sheet: &Sheet<'_>) -> Vec<Hit> {
    let hit = |modality| {
        let lines = sheet.of_modality(modality);
        let first = lines.first()?;
        (!lines.iter().any(|l| is_delivery(l))).then(|| {
            Hit::at(first)
                .say(format!(
                    "Start with one criterion that the {} exists and is of the right kind.",
                    modality.lower()
                ))
                .mend("Insert a delivery criterion", stub(first.at, modality))
        })
    };
    NON_TEXT.into_iter().filter_map(hit).collect()
}

/// Delivery asserted again.
pub(super) fn delivery_restated(sheet: &Sheet<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for modality in NON_TEXT {
        let lines = sheet.of_modality(modality);
        let mut deliveries = lines.iter().filter(|l| is_delivery(l));
        let Some(first) = deliveries.next() else { continue };
        hits.extend(deliveries.map(|line| {
            Hit::at(line)
                .say(format!("Delivery is already asserted in #{}.", first.id))
                .mend("Delete", Edit::Delete { at: position(line.at) })
        }));
    }
    hits
}

pub(super) fn kind(line: &Line<'_>) -> Kind {
    if line.modality != Some(Modality::Text) && is_delivery(line) {
        Kind::Delivery
    } else if is_integrity(&line.words) {
        Kind::Integrity
    } else if is_craft(line) {
        Kind::Craft
    } else {
        Kind::Content
    }
}

fn is_integrity(words: &Words<'_>) -> bool {
    words
        .any(
            &[
                "plays|play ?back from|without|through|to|fully|completely|smoothly|uninterrupted|in start|freez*|beginning|cutting|stutter*|interruption*|errors|glitches|end|the|full|its",
                "plays|play ?back fully|completely|smoothly|uninterrupted|correctly|normally|through $",
                "opens|open|loads|load|renders|render|downloads|parses|runs ?fully|correctly|cleanly|successfully|properly without|as|in",
                "opens|loads|renders|downloads|parses ?fully|correctly|cleanly|successfully|properly|completely $",
                "without freez*|stutter*|cutting|glitch*|corrupt*|errors|error|interruption*|gaps|skipping|dropouts|distortion|truncat* ?off|or $",
                "not corrupt*|truncated|cut|blank|broken|garbled|empty",
                "is playable|openable|intact|uncorrupted|complete $",
                "can be opened|played|loaded|read",
                "free of|from corruption|artifacts|artefacts|glitches|distortion|dropouts|stuttering",
            ],
            Scope::Bare,
        )
        .is_some()
}

fn is_craft(line: &Line<'_>) -> bool {
    let modality_says_so = line.modality.is_some();
    modality_says_so
        && line.words.any(CRAFT, Scope::Bare).is_some_and(|(from, _)| {
            let word = line.words.at(from);
            // "profit margins", "chemical composition", "Includes a table layout" in prose: words of the subject.
            line.modality != Some(Modality::Text)
                || matches!(
                    word,
                    "legible"
                        | "readable"
                        | "formatting"
                        | "layout"
                        | "readability"
                        | "easy"
                        | "font"
                        | "fonts"
                )
        })
}

/// Delivery, integrity, content, craft.
pub(super) fn criteria_order(sheet: &Sheet<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for modality in Modality::ALL {
        let lines = sheet.of_modality(modality);
        let kinds: Vec<Kind> = lines.iter().map(|l| kind(l)).collect();
        for (i, line) in lines.iter().enumerate() {
            let earlier_content = kinds[..i].iter().any(|k| *k >= Kind::Content);
            let later_content = kinds[i + 1..].contains(&Kind::Content);
            let first_delivery = kinds.iter().position(|k| *k == Kind::Delivery) == Some(i);
            let (wrong, to, message) = match kinds[i] {
                Kind::Delivery => (first_delivery && i > 0, lines[0].at, "Delivery comes first."),
                Kind::Integrity => {
                    let to = kinds.iter().position(|k| *k >= Kind::Content).unwrap_or(i);
                    (earlier_content, lines[to].at, "Integrity comes right after delivery.")
                }
                Kind::Content => (false, line.at, ""),
                Kind::Craft => {
                    let to = kinds.iter().rposition(|k| *k == Kind::Content).unwrap_or(i);
                    (later_content, lines[to].at, "Craft comes last.")
                }
            };
            if wrong {
                let edit = Edit::Move { at: position(line.at), to: position(to) };
                hits.push(Hit::at(line).say(message.to_owned()).mend("Move", edit));
            }
        }
    }
    hits
}

/// Over two craft criteria; each is a candidate to go, so each is marked.
pub(super) fn craft_limit(sheet: &Sheet<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for modality in Modality::ALL {
        let lines = sheet.of_modality(modality);
        let craft: Vec<_> = lines.iter().filter(|l| kind(l) == Kind::Craft).collect();
        if craft.len() > 2 {
            hits.extend(craft.iter().map(|line| {
                Hit::at(line).say(format!(
                    "At most two craft criteria; {} has {}.",
                    modality.lower(),
                    craft.len()
                ))
            }));
        }
    }
    hits
}

/// Fewer than 4 or over 12 in a modality.
pub(super) fn criteria_count(sheet: &Sheet<'_>) -> Vec<Hit> {
    let hit = |modality: Modality| {
        let lines = sheet.of_modality(modality);
        let first = lines.first()?;
        (!(4..=12).contains(&lines.len())).then(|| {
            Hit::at(first).say(format!(
                "{} has {}. Target 4-12; a small edit may need fewer.",
                modality.name(),
                domain::counted(lines.len(), "criterion", "criteria")
            ))
        })
    };
    Modality::ALL.into_iter().filter_map(hit).collect()
}

/// The words that carry a criterion's content, stemmed.
pub(super) fn content(words: &Words<'_>) -> BTreeSet<String> {
    let words = words.all.iter().enumerate().filter(|(i, w)| {
        w.is_word()
            && !lexicon::STOPWORDS.contains(&w.low.as_str())
            && !(lexicon::is_form_of(&w.low, lexicon::INTRODUCERS) && (*i == 0 || w.low.ends_with("ed")))
            && !(*i > 0
                && matches!(
                    w.low.as_str(),
                    "mention" | "mentions" | "says" | "states" | "names" | "lists" | "shows"
                ))
    });
    words.map(|(_, w)| lexicon::stem(&w.low)).collect()
}

/// Two criteria of one modality with nearly the same content words.
pub(super) fn near_duplicate(sheet: &Sheet<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for modality in Modality::ALL {
        let lines = sheet.of_modality(modality);
        let contents: Vec<BTreeSet<String>> = lines.iter().map(|l| content(&l.words)).collect();
        let kinds: Vec<Kind> = lines.iter().map(|l| kind(l)).collect();
        for later in 1..lines.len() {
            let earlier = (0..later).find(|earlier| {
                kinds[*earlier] == kinds[later]
                    && kinds[later] != Kind::Delivery
                    && repeats(lines[*earlier], &contents[*earlier], lines[later], &contents[later])
            });
            if let Some(earlier) = earlier {
                hits.push(
                    Hit::at(lines[later]).say(format!("Rewards the same content as #{}.", lines[earlier].id)),
                );
            }
        }
    }
    hits
}

fn repeats(a: &Line<'_>, a_content: &BTreeSet<String>, b: &Line<'_>, b_content: &BTreeSet<String>) -> bool {
    let shared = a_content.intersection(b_content).count();
    let smaller = a_content.len().min(b_content.len());
    if shared == 0 {
        return a.text.trim().eq_ignore_ascii_case(b.text.trim()) && !a.text.trim().is_empty();
    }
    if shared == smaller {
        // One inside the other, unless all that is shared is a single word of a longer criterion.
        return smaller >= 2 || a_content.len() == b_content.len();
    }
    let union = a_content.len() + b_content.len() - shared;
    if shared * 10 < union * 6 {
        return false;
    }
    // Parallel items ("Lists X at 6 euros", "Lists Y at 6 euros") put another word into the same frame; another
    // number is another fact.
    let differs = |mine: &BTreeSet<String>, other: &BTreeSet<String>| {
        mine.difference(other)
            .any(|w| w.starts_with(|c: char| c.is_ascii_digit()) || lexicon::NUMBERS.contains(&w.as_str()))
    };
    let parallel = a.words.at(0) == b.words.at(0) || a.words.count() == b.words.count();
    !(parallel || differs(a_content, b_content) || differs(b_content, a_content))
}
