//! Rules about what a criterion points at outside its own output: the prompt, an input, another criterion. Another output is
//! in [`super::crossing`].

use super::{
    lexicon::ASSET_NOUNS,
    rule::{Hit, Line, Sheet},
    words::{Found, Scope, Words},
};

/// Points at the prompt or the person who wrote it.
pub(super) fn prompt_reference(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let person = "user|user's|requester|requester's|asker|prompter|questioner|client|customer|person";
    let verbs = "ask|asks|asked|want|wants|wanted|request|requests|requested|specify|specifies|specified|upload|uploads|\
                 uploaded|provide|provides|provided|need|needs|needed|mention|mentions|mentioned|describe|describes|\
                 described|gave|gives|supply|supplies|supplied|said|says|named|listed|attach|attached|chose|prefers|\
                 preferred|stated|states|expects|expected|likes|sent|shared|submitted|included|wrote|instructed|posed|\
                 would|has";
    let user = words.find(
        &format!("the|a user|requester|asker|prompter ?has|had|originally|explicitly {verbs}"),
        Scope::Bare,
    );
    let found = user.or_else(|| {
        words.any(
            &[
                "user's|requester's|asker's ?original|stated|specific|exact request|requests|question|questions|prompt|instructions|query|needs|\
                 need|preferences|goal|wish|description|message|task|requirements|specifications|specification|criteria|wishes|constraints|intent|budget|situation|input|photo|image|upload",
                "user-requested|user-specified|user-provided|user-supplied|as-requested",
                "as requested|asked|specified|instructed|prompted|required|desired",
                "as ?was|were requested|asked|specified|instructed",
                &format!("requested|asked|specified|required by|for ?by ?the {person}"),
                &format!("by the {person} $"),
                "asked for|to|about $",
                "was|were|is|are|been requested|prompted $",
                "the|all|every|each|any requested ~",
                "was|were asked|requested ?for|in|by",
                "what was|is asked|requested|wanted",
                "per|following|follows|follow|to|with|in|from|by|meets|fulfills|fulfils|satisfies|obeys|matches|match|answers|addresses|of|all the|all|given|original ?user's|original|given|full|initial instructions|request|prompt|query|task|brief|assignment|instruction $",
                "per|following|follows|follow|answers|addresses|meets|fulfills|fulfils|satisfies|obeys|matches all|the|every ?of ?the ?user's|given|original instructions|request|prompt|query|task|brief|assignment|question|requirements|questions ?$",
                "in response to the ?original|user's prompt|request|question|query",
                "responds|replies|reacts|response|reply|answers ?directly|fully ?to the ?~ question|request|prompt|query|task|message ?directly|fully|completely|correctly|clearly|accurately $",
                "their|your|his|her|our request|question|prompt|instructions|query $",
                "asked-for|prompted-for",
                "as per ?the ?~ instructions|request|prompt|brief|task",
                "whoever|person asked|asking|asks ?for ?this",
                "original|initial request|prompt|question|query",
            ],
            Scope::Bare,
        )
        .filter(|found| !is_thing(words, *found))
    });
    let found = found.or_else(|| {
        let (from, to) = words
            .find("the|this|a ?original|given|initial|user prompt|prompt's|query|request", Scope::Bare)?;
        let noun = words.at(to - 1);
        let next = words.at(to);
        let bare = words.stops_at(to)
            || matches!(
                next,
                "is" | "asks"
                    | "asked"
                    | "says"
                    | "specifies"
                    | "states"
                    | "requires"
                    | "mentions"
                    | "names"
                    | "lists"
                    | "was"
                    | "and"
                    | "exactly"
                    | "in"
                    | "calls"
                    | "wants"
                    | "describes"
                    | "gives"
            );
        (noun.starts_with("prompt") && bare && words.at(from) != "a").then_some((from, to))
    })?;
    Some(Hit::words(found))
}

/// A command prompt, a request form: things, not what the criterion was written for.
fn is_thing(words: &Words<'_>, (from, to): Found) -> bool {
    let near = |i: usize| {
        matches!(
            words.at(i),
            "command"
                | "shell"
                | "window"
                | "form"
                | "deadline"
                | "box"
                | "button"
                | "terminal"
                | "number"
                | "forms"
                | "host"
                | "teacher"
                | "letter"
                | "desk"
        )
    };
    near(to)
        || from.checked_sub(1).is_some_and(near)
        || (words.at(to - 1) == "question"
            && (words.at(to) == "of" || words.all.get(to).is_some_and(|w| w.quoted)))
        || (words.at(to - 1) == "for" && words.at(to) == "by" && words.at(to + 1) != "the")
}

/// Can be checked only by looking at an input.
pub(super) fn input_reference(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let nouns = ASSET_NOUNS;
    let found = words.any(
        &[
            &format!("input|original|uploaded|attached|supplied|provided|submitted|pre-edit|unedited|source|reference|starting|pre-existing ?~ {nouns}"),
            &format!("the|this|that|user's|your|their given|existing|initial|shared|sent|earlier|previous ?~ {nouns}"),
            &format!("user's ?~ {nouns}"),
            &format!("the {nouns} ?that|which ?was|were provided|uploaded|attached|supplied|submitted|shared|given"),
            &format!("the {nouns} that|which ?the was|were|user provided|uploaded|attached|supplied|submitted|sent|shared|given"),
            &format!("{nouns} provided|uploaded|attached|supplied by the user|requester"),
            "uploaded|attached ~",
            "the upload|attachment|attachments|uploads $",
            "the input|inputs $|'s",
            "the|its|an ?audio|image|video|text|visual|user input|inputs $",
            "from|to|in|of|than|as|with|like|match|matches|matching the ?user's original|originals|source|reference|input|sample|upload|attachment|inputs $",
            "from|in|of|than|as|with|like|to the original's|original|source|input|reference is|was|are|were|does|did|has|but|and|by|while",
            "original ~ ~ preserved|retained|kept|unchanged|maintained|intact|untouched",
            "original ~ ?and ?~ is|are|remains|remain|stays|stay ?all ?fully preserved|retained|kept|unchanged|maintained|intact|untouched|visible|recognizable",
            "keep|keeps|keeping|preserve|preserves|preserving|retain|retains|retaining|maintain|maintains|maintaining|leave|leaves|leaving ?~ ?~ ?~ ?~ ?~ ?~ ?~ ?~ original|unchanged|unaltered|untouched|intact|as-is|unmodified|same",
            "remain|remains|stay|stays|is|are|left|kept ?otherwise|completely|fully|entirely unchanged|unaltered|untouched|unmodified|intact|preserved|as-is",
            "same ?~ ?~ ?~ as|in as|in ?in|on the ?user's|uploaded original|reference|source|input|sample",
            "same as ?it was before",
            "original|source|reference|input color|colors|colour|colours|perspective|background|style|wording|meaning|tone|size|length|aspect|resolution|order|structure|tempo|key|pitch|lyrics|subject|pose|lighting|proportions|position|formatting|content|vocals|quality",
            "before the edit|editing|change|retouch*",
            "left|stays|stay|remains|remain|is|are|kept ?exactly|just as it|they was|were ?before $",
            "everything|anything|all else ?in|on|about|of ?~ ?~ ?~ is|are|remains|remain|stays|stay|looks|look ?left ?the same|unchanged|untouched|unaltered|identical|intact",
            "compared with|to ?the ?user's original|source|reference|input|upload|before",
            "nothing|no else|other ?thing|things|elements|part|parts|changes changed|changes|is|are|made",
        ],
        Scope::Bare,
    )?;
    // "An original song", "the reference list": no input is meant.
    let noun = words.at(found.1 - 1);
    let makes_new = matches!(words.at(found.0), "original")
        && found.0 > 0
        && matches!(words.at(found.0 - 1), "an" | "one" | "entirely");
    let cites = matches!(words.at(found.0), "reference" | "source")
        && found.0 > 0
        && matches!(words.at(found.0 - 1), "a" | "each" | "every" | "one")
        && !matches!(noun, "photo" | "image" | "picture");
    (!makes_new && !cites).then(|| Hit::words(found))
}

/// Leans on another criterion.
pub(super) fn cross_criterion(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let found = words.any(
        &[
            "criterion|criteria|requirement|check|rubric # %",
            "criterion|criteria %|above|below",
            "requirement|check|item|point % above|below",
            "requirement|rubric|check %",
            "previous|preceding|prior|other|earlier|next|following|first|second|third|above|last criterion|criteria|requirement|requirements|check|checks|rubric",
            "another criterion|requirement",
            "of the criteria|criterion|requirements",
            "# %",
            "the above",
            "all|any|both|one|each|most of the ?above above|these|those $",
            "all|any of the above",
            "criterion's|requirement's|criteria's",
            "the requirement|requirements|criterion|check|checks above|below|before",
            "^ does ?exactly this|that|so|these|those|likewise",
            "^ do|does the same",
            "as well|too $",
            "also ~",
            "mentioned|listed|shown|described|named|given|noted|stated|discussed|introduced|specified|identified|referenced|cited|defined|outlined above|earlier|previously|before|below",
            "as|see above|before|earlier|previously|below $",
            "as above|before|previously",
            "previously|earlier|already|above|afore mentioned|listed|named|described|stated|given|noted|identified|introduced|discussed",
            "aforementioned|above-mentioned|abovementioned|aforesaid|ditto|above-listed|previously-mentioned|above-named",
            "the former|latter is|are|was|were|has|have|of|as|in|to|for|with|and|costs|being|appears|shows",
            "^ the former|latter $",
            "the former|latter $",
            "^ it|they|he|she also|additionally|further",
            "it also",
            "^ additionally|also|furthermore|moreover|likewise|similarly|and|but|however|besides|plus|then|lastly|again|further|afterwards|thus|therefore|next|finally ?, ~",
            "^ in addition",
            "^ then ~",
            "^ as well",
            "^ on top of that|this",
            "^ ?the ~ ~ also ~",
            "^ the ~ also ~",
            "^ also",
            "^ ~ also ~",
            "^ same as|for",
            "^ the same applies|goes|is|holds",
            "^ this|that|these|those|both is|are|of|must|also|should|includes|shows",
        ],
        Scope::Bare,
    )?;
    // "also known as" gives another name; it leans on nothing.
    if words.at(found.0) == "also"
        && matches!(words.at(found.0 + 1), "known" | "called" | "named" | "accepted" | "spelled" | "spelt")
    {
        return None;
    }
    // "the above" as a viewpoint never takes an article; "Next to" and "Then" open scenes as often as lists.
    let first = words.at(found.0);
    if found.0 == 0 && matches!(first, "next" | "finally") && words.at(1) != "," {
        return None;
    }
    Some(Hit::words(found))
}
