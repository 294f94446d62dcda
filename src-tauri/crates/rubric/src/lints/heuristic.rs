//! Heuristic rules (class ii): warnings that an author can dismiss with a reason.

use super::{
    lexicon::{self, NUMBERS},
    rule::{Hit, Line, Sheet},
    words::{Found, Scope, Word},
};

fn bare(line: &Line<'_>, patterns: &[&str]) -> Option<Hit> {
    line.words.any(patterns, Scope::Bare).map(Hit::words)
}

/// More than one fact.
pub(super) fn compound(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let all = &words.all;
    // Two sentences.
    let sentence = (1..all.len().saturating_sub(1)).find(|i| {
        all[*i].raw == "."
            && !all[*i].quoted
            && all[*i + 1].is_capitalised()
            && !all[*i + 1].quoted
            && all[*i - 1].raw.len() > 2
    });
    if let Some(at) = sentence {
        return Some(Hit::words((at, at + 2)));
    }
    if words.any(&["such as", "including", "e.g", "for example"], Scope::Unquoted).is_some() {
        return None;
    }
    let fixed = [
        "black and white",
        "pros and cons",
        "salt and pepper",
        "bread and butter",
        "back and forth",
        "before and after",
        "up and down",
        "left and right",
        "light and dark",
        "question and answer",
        "questions and answers",
        "hot and cold",
        "between ~ ?~ ?~ and",
        "from ~ and",
        "both ~ ?~ and",
        "drag and drop",
        "cut and paste",
        "copy and paste",
        "research and development",
        "arts and crafts",
        "trial and error",
        "terms and conditions",
        "first and last name",
        "name and address",
        "date and time",
        "rock and roll",
        "supply and demand",
        "red and white",
        "cause and effect",
        "advantages and disadvantages",
        "start and end",
        "beginning and end",
        "top and bottom",
        "peanut butter and jelly",
        "and so on",
        "hundred and",
        "more and more",
        "again and again",
        "over and over",
        "black and yellow",
        // "12 hours and 25 minutes" is one amount.
        "% year|years|month|months|week|weeks|day|days|hour|hours|minute|minutes|mile|miles|yard|yards|foot|feet|kilometer|\
         kilometers|kilometre|kilometres|meter|meters|metre|metres|kilogram|kilograms|pound|pounds|euro|euros|dollar|dollars|\
         degree|degrees and % month|months|week|weeks|day|days|hour|hours|minute|minutes|second|seconds|yard|yards|foot|feet|\
         inch|inches|meter|meters|metre|metres|centimeter|centimeters|centimetre|centimetres|gram|grams|ounce|ounces|cent|\
         cents|pence",
    ];
    let masked: Vec<Found> = fixed.iter().filter_map(|p| words.find(p, Scope::Unquoted)).collect();
    let is_masked = |i: usize| masked.iter().any(|(from, to)| (*from..*to).contains(&i));
    let ands: Vec<usize> =
        (1..all.len()).filter(|i| matches!(words.at(*i), "and" | "plus") && !is_masked(*i)).collect();
    if let Some(found) =
        words.any(&["as well as", "and also", "along with", "in addition to", "; ~"], Scope::Unquoted)
    {
        return Some(Hit::words(found));
    }
    // "Mentions the price and availability": what is named is two things.
    let names_two = lexicon::is_form_of(words.at(0), LISTING);
    let joins_facts = |i: usize| {
        let next = words.at(i + 1);
        let both_names = all.get(i + 1).is_some_and(Word::is_capitalised) && all[i - 1].is_capitalised();
        let acts = next.ends_with('s')
            && matches!(
                words.at(i + 2),
                "the" | "a" | "an" | "it" | "its" | "them" | "each" | "both" | "at" | "to"
            );
        let lower = !all[i - 1].is_capitalised()
            && all.get(i + 1).is_some_and(|word| word.is_word() && !word.is_capitalised());
        let two = names_two && all[i].is_bare() && lower && !all[i - 1].is_digits();
        let verb = acts
            || two
            || next.ends_with('s') && lexicon::is_form_of(next, lexicon::INTRODUCERS)
            || lexicon::FINITE.contains(&next)
            || next.ends_with('s') && lexicon::COMMANDS.contains(&next.trim_end_matches('s'));
        !both_names
            && (verb
                || all.get(i + 1).is_some_and(|word| word.is_number)
                || matches!(
                    next,
                    "that"
                        | "how"
                        | "why"
                        | "the"
                        | "a"
                        | "an"
                        | "its"
                        | "does"
                        | "gives"
                        | "each"
                        | "every"
                        | "there"
                        | "it"
                        | "they"
                        | "then"
                        | "both"
                        | "no"
                        | "at"
                        | "where"
                        | "when"
                ))
    };
    (ands.len() >= 2)
        .then(|| ands[0])
        .or_else(|| ands.iter().copied().find(|i| joins_facts(*i)))
        .map(|i| Hit::words((i, i + 1)))
}

/// Verbs whose objects are what an answer must hold.
const LISTING: &[&str] = &[
    "name", "mention", "list", "give", "identify", "specify", "include", "label", "provide", "describe",
    "report", "cite",
];

/// Says which question is to be answered, not what the answer is.
pub(super) fn unsettled_answer(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let all = &words.all;
    let settled = all
        .iter()
        .skip(1)
        .any(|w| w.quoted || w.is_digits() || NUMBERS.contains(&w.low.as_str()) || w.is_capitalised())
        || words.any(&["as|that", "such as", ":", "or"], Scope::Unquoted).is_some_and(|(from, _)| from > 0);
    let settled_value = all.iter().any(|w| w.quoted || w.is_digits())
        || words.find("as|such|that", Scope::Unquoted).is_some();
    let correct = words.any(
        &["correct|proper|right|accurate|appropriate ~", "correctly|properly|accurately|appropriately"],
        Scope::Bare,
    );
    if let Some(found) = correct.filter(|_| !settled_value) {
        return Some(Hit::words(found));
    }
    if settled {
        return None;
    }
    bare(
        line,
        &[
            "^ identifies|states|names|gives|specifies|provides|tells|says|mentions|reports the|its|his|her|their ~",
            "^ explains|describes|states|identifies|says|tells|clarifies how|why|which|what|when|where|who",
            "^ calculates|computes|solves|determines|finds|chooses|picks|selects|estimates|predicts|classifies|diagnoses|recognizes|lists|recommends|defines the|its|his|her|their ~",
            "^ gives|provides|offers a|an ?~ answer|solution|definition|translation|estimate|explanation|conversion",
            "^ answers ~",
        ],
    )
    .or_else(|| words.any(&["^ explains|describes|states|identifies|says|tells how|why|which"], Scope::Unquoted).map(Hit::words))
}

/// An impression.
pub(super) fn subjective(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let list = "engaging|professional|professionally|beautiful|beautifully|clear|clearly|appealing|attractive|nice|nicely|good|\
                great|excellent|high-quality|well-written|well-designed|well-made|well-structured|well-organized|interesting|\
                compelling|creative|natural|naturally|realistic|realistically|pleasant|pleasing|impressive|elegant|stylish|polished|\
                smooth|smoothly|effective|effectively|catchy|fun|funny|amusing|charming|moving|inspiring|friendly|warm|soothing|calming|\
                useful|meaningful|powerful|immersive|vibrant|playful|whimsical|lively|upbeat|energetic|serene|peaceful|mysterious|\
                nostalgic|romantic|joyful|festive|spooky|polite|politely|respectful|respectfully|empathetic|sincere|enthusiastic|\
                enthusiastically|persuasive|persuasively|entertaining|enjoyable|fascinating|amazing|wonderful|fantastic|awesome|\
                perfectly|fluently|delicious|tasty|trendy|classy|luxurious|sleek|credible|plausible|logical|logically|well-balanced|\
                well-composed|well-organised|seamless|seamlessly|unique|original-looking|flattering|beautifully-made|fitting|\
                relaxing|exciting|dramatic|vivid|aesthetic|aesthetically|memorable|intuitive|user-friendly|convincing|thoughtful|\
                suitable|tasteful|lovely|stunning|cute|believable|lifelike|expressive|eye-catching|visually|captivating|cozy|modern|clean|sophisticated|insightful|delightful|gorgeous|cheerful|authentic|cohesive|easy";
    let found = words.any(&[list], Scope::Bare)?;
    let next = words.at(found.1);
    let excepted = matches!(
        (words.at(found.0), next),
        (
            "great",
            "white"
                | "wall"
                | "dane"
                | "lakes"
                | "barrier"
                | "britain"
                | "depression"
                | "pyramid"
                | "blue"
                | "horned"
                | "plague"
                | "fire"
                | "war"
        ) | (
            "natural",
            "gas"
                | "selection"
                | "number"
                | "numbers"
                | "history"
                | "resources"
                | "resource"
                | "disaster"
                | "disasters"
                | "log"
                | "logarithm"
                | "language"
                | "light"
                | "hair"
                | "fiber"
                | "wood"
                | "habitat"
        ) | ("good", "conductor" | "friday" | "faith" | "morning" | "night" | "evening" | "source")
            | (
                "clear",
                "sky" | "glass" | "water" | "plastic" | "coat" | "quartz" | "liquid" | "bag" | "button"
            )
            | ("warm", "water" | "up" | "milk" | "front" | "air" | "white" | "place")
            | ("smooth", "muscle" | "jazz" | "surface" | "peanut")
            | ("moving", "average" | "parts" | "part" | "truck" | "water" | "train" | "boxes" | "car")
            | ("modern", "art" | "history" | "english" | "greek" | "pentathlon" | "jazz")
            | ("clean", "water" | "air" | "energy" | "cloth")
            | ("fun", "fact" | "run")
            | ("right" | "dramatic", "irony")
            | ("nice", "france")
    ) || (found.0 > 0 && words.all[found.0].is_capitalised())
        || (words.at(found.0) == "moving"
            && found.0 > 0
            && !matches!(words.at(found.0 - 1), "is" | "a" | "deeply" | "very"));
    (!excepted).then(|| Hit::words(found))
}

/// A degree instead of a number.
pub(super) fn vague_quantity(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let found = line.words.any(
        &[
            "several|many|enough|sufficient|sufficiently|mostly|various|numerous|multiple|adequate|adequately|ample|plenty|generally|\
             detailed|thoroughly|thorough|extensive|comprehensive|comprehensively|roughly|fairly|somewhat|reasonably|reasonable|lots|largely|few|usually|briefly|moderately|significant|substantial|considerable|most|some|varied|variety|diverse|appropriate-length|short|long",
            "in ?great|full|more|sufficient|enough detail|depth",
            "on a scale",
            "scores|rated|rates ?at % ?at ?least %",
            "to some|a|large|great extent",
            "a lot|number|range|couple|variety|handful|bit",
            "% out of %",
            "often|frequently|occasionally|sometimes|rarely|abundant|abundantly|decent",
            "large|small|good|fair|high|low|certain amount|number|quantity|portion|part of",
            "at length",
            "in ?a few|brief",
        ],
        Scope::Bare,
    )?;
    let word = line.words.at(found.0);
    // "the most visited peak" is one; "most peaks" are nobody knows how many.
    let before = found.0.checked_sub(1).map_or("", |at| line.words.at(at));
    let comparative = word == "most"
        && (matches!(line.words.at(found.0 + 1), "recent" | "important" | "common" | "popular")
            || matches!(before, "the" | "its" | "their" | "his" | "her" | "at")
            || before.ends_with("'s"));
    let duration =
        matches!(word, "long" | "short") && (found.0 > 0 || line.words.all[found.0].is_capitalised());
    (!comparative && !duration).then(|| Hit::words(found))
}

/// Changes with time.
pub(super) fn time_unanchored(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let anchored =
        words.any(&["as of", "in|on|of|from|since|by ?~ ?~ 19*|20*", "dated ~"], Scope::Unquoted).is_some();
    if anchored && words.any(&["as of now|today|writing", "as of the time"], Scope::Bare).is_none() {
        return None;
    }
    let found = words.any(
        &[
            "latest|newest|today's|today|reigning|up-to-date|currently|nowadays|presently|incumbent|recent|recently|upcoming|ongoing|tomorrow's|yesterday's|tonight's|now",
            "up to date",
            "current ~",
            "most recent",
            "at the moment",
            "this year|month|week|season|year's|month's|week's|season's",
            "last|next year|month|week|season",
            "the present day|owner|holder|champion|president|mayor|ceo|price|value|rate|version|population|record|prime|king|queen|team|coach|government|year",
            "at present",
            "right now",
            "present-day",
            "as|until of now|today",
            "these days",
            "so far",
            "to date",
        ],
        Scope::Bare,
    )?;
    let before = found.0.checked_sub(1).map_or("", |i| words.at(i));
    let is_flow = words.at(found.0) == "current"
        && (matches!(
            before,
            "electric"
                | "electrical"
                | "ocean"
                | "alternating"
                | "direct"
                | "rip"
                | "water"
                | "gulf"
                | "river"
                | "a"
                | "air"
        ) || matches!(
            words.at(found.0 + 1),
            "flows" | "of" | "in" | "is" | "through" | "flow" | "direction"
        ));
    (!is_flow).then(|| Hit::words(found))
}

/// How it was made.
pub(super) fn technique(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    // "Recommends GIMP or Krita" is about tools, and was made by none that anybody could name.
    let is_about = lexicon::is_form_of(words.at(0), lexicon::INTRODUCERS)
        || matches!(
            words.at(0),
            "recommends" | "suggests" | "compares" | "advises" | "defines" | "introduces" | "covers"
        );
    let named = words.any(
        &[
            "photoshop|premiere|python|matplotlib|blender|canva|midjourney|dall-e|dalle|illustrator|figma|latex|pandas|numpy|openpyxl|\
             pillow|ffmpeg|gimp|audacity|garageband|davinci|imovie|procreate|ableton|inkscape|javascript|reportlab|elevenlabs|suno|sora|\
             moviepy|autocad|indesign|lightroom|capcut|veo|imagen|gpt*|chatgpt|openai|gemini|firefly|runway|krita|musescore|lilypond|\
             houdini|sketchup|vba|comfyui|plantuml|graphviz|d3|manim|filmora|camtasia|sibelius",
            "stable diffusion",
            "after effects",
            "final cut",
            "logic|pro pro|tools",
            "fl studio",
        ],
        Scope::Bare,
    );
    named.filter(|_| !is_about).map(Hit::words).or_else(|| {
        bare(
            line,
            &[
                "text-to-speech|tts|ai-generated|computer-generated|machine-generated|ai-made|ai-written|ai-created|auto-tune|autotuned|green-screen|inpainting|inpainted|upscaled|photoshopped|hand-coded",
                "text to speech",
                "built|made|created|written|drawn|edited|done in|with|using excel|word|powerpoint|sheets|keynote|paint|notepad|docs|code|html|css|svg",
                "macro|macros",
                "generated|created|made|edited|produced|built|rendered|drawn|written|composed|recorded|synthesized|designed|plotted|animated|exported|processed|converted|removed|replaced by|with|using|in|via|from|through ?a|an|the ?~ ?~ tool|software|program|model|library|code|script|generator|ai|app|editor|editor's|synthesizer|plugin|engine|prompt|pipeline|filter|api|package",
                "uses|using|through|via ?a|an|the ?~ ?~ tool|software|library|generator|plugin|model|filter|algorithm|api|script|synthesizer",
                "generated|created|made|written|produced|drawn using|with|by ai|code|software",
                "by ?an ai|algorithm",
            ],
        )
    })
}

/// "at least N" of a kind without saying which ones count.
pub(super) fn open_set(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    let found = words.any(
        &[
            "at least % ~ ?~ ?~",
            "minimum of % ~",
            "no fewer than % ~",
            "% or more ~",
            "more than % ~",
            "not less than % ~",
            "a minimum of % ~",
        ],
        Scope::Bare,
    )?;
    if words
        .any(
            &["such as", "or", "including", "e.g", "like", "from|among the ~", ":", "for example"],
            Scope::Unquoted,
        )
        .is_some_and(|(from, _)| from > found.0 && words.at(from + 1) != "more")
    {
        return None;
    }
    let plain = "second|seconds|minute|minutes|hour|hours|row|rows|column|columns|page|pages|slide|slides|word|words|sentence|sentences|\
                 paragraph|paragraphs|item|items|person|people|pixel|pixels|section|sections|times|bars|beats|cells|entries|entry|step|steps|\
                 frames|lines|line|verses|verse|chapters|stanzas|stanza|sheets|sheet|questions|characters|percent|cm|mm|px|dpi|points|images|photos|shots|days|bullet|bullets|records|headings|heading|syllables|trees|dogs|cats|birds|boats|children|cars|flowers|houses|stars|figures|meters|inches|degrees|panels|scenes|letters|speakers|voices|colors|colours|chairs|tables|instruments|notes|windows|labels|charts|clouds|animals";
    let counted = words.find(&format!("% ?or ?more ?~ ?~ {plain}"), Scope::Bare);
    counted.is_none().then(|| Hit::words(found))
}

/// Only one answer is let through.
pub(super) fn closed_set(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    bare(
        line,
        &[
            "only|solely|exclusively|sole",
            "the ?single|very best|perfect|ideal",
            "just the|one",
            "nothing but",
            "must be",
            "the one",
            "nothing|nobody|no-one else",
            "no other|others",
            "~ alone $",
        ],
    )
}

/// Would fit any prompt.
pub(super) fn boilerplate(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    bare(
        line,
        &[
            "is|are ?free of|from ?any ?spelling|grammar|grammatical|factual errors|mistakes|typos $",
            "grammatically correct",
            "is|are ?very|generally clear|concise|helpful|accurate|relevant|informative|complete|coherent|factual|correct|useful|readable and|,|or ?and clear|concise|helpful|accurate|relevant|informative|complete|coherent|factual|correct|useful|readable|easy",
            "provides|gives|contains|includes|offers|presents ?only ?highly|factually accurate|correct|relevant|useful|factual|reliable|helpful|complete information|content|answer|response|details|facts|advice",
            "is|are ?very well|clearly|logically|properly|nicely|neatly|-structured structured|organized|organised|formatted|written|presented|arranged",
            "well-structured|well-organized|well-organised|well-formatted|well-written",
            "reads|flows well|smoothly|naturally",
            "consistent|coherent throughout",
            "of ?a|an ?very high|good|top|great|excellent|acceptable|professional|decent standard",
            "satisfies|pleases the user|reader|audience",
            "appropriate|suitable for the|its ?intended|target audience|purpose|reader",
            "is|are ?very|generally helpful|useful|relevant|accurate|informative|comprehensive|safe|harmless|complete|coherent|well-written|clear|concise|factual|correct|appropriate|honest $",
            "of ?a|very high|good|professional quality",
            "high|good quality $",
            "fully|completely|adequately|properly|sufficiently|directly|accurately answers|addresses|covers|responds|satisfies|meets|fulfills|explains ?to ?the ?user's ?original question|request|prompt|topic|task|needs",
            "addresses|answers|covers|fulfills|meets all|every|each ?of ?the parts|aspects|part|aspect|requirements|points|components|needs",
            "stays|stay|remains|is ?strictly on topic|point|task",
            "stays|remains focused|relevant",
            "is|are relevant|pertinent to the ?user's ?original question|topic|prompt|request|task $",
            "no ?spelling|grammar|grammatical|factual|obvious|major errors|mistakes|typos $",
            "is ?factually|generally accurate|correct $",
            "without ?spelling|grammar|grammatical|factual|any errors|mistakes $",
            "helpful tone",
            "easy to understand|follow|read $",
            "well organized|written|structured|formatted",
            "follows|uses ?the ?best practices|standards",
            "proper|correct|good grammar|spelling|punctuation|formatting",
            "meets|satisfies|fulfills ?all ?the ?user expectations|needs",
            "avoids hallucination*|harmful|offensive|misinformation",
            "makes sense",
        ],
    )
}

/// Holds only under a condition.
pub(super) fn conditional(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    // "Explains what happens if the fuse blows" holds always.
    if line.words.find("what|which ~ ?~ if|when|unless", Scope::Bare).is_some_and(|(from, _)| from > 0) {
        return None;
    }
    bare(
        line,
        &[
            "if|where|when|as|whenever|wherever applicable|relevant|needed|necessary|possible|appropriate|available|required|present|any|desired|useful|used|feasible",
            "as needed|appropriate|applicable|necessary",
            "^ if|when|whenever|unless|where|should|provided|assuming|once",
            "if|unless|provided|assuming ~",
            "in case",
            "as|so long as",
            "in the event",
            "otherwise",
            "depending on",
            "where|when|if|as known|given|visible|shown|mentioned|suitable|helpful|practical|appropriate|discussed|permitted|allowed|feasible",
            "when|whenever the|its|an|a ?~ answer|output|response|text|image|video|audio|document|clip|recording|file|story|poem|reply|model|user ?~ is|are|mentions|uses|includes|contains|appears|talks|has|needs|asks",
            "when|whenever it|there is|are|mentions|uses|includes|contains|appears|applies|matters|helps",
            "when|whenever ?a|an|the ~ ?~ is|are|was|were mentioned|used|discussed|included|given|named|cited|present|shown|needed|asked|required|quoted|listed|provided",
        ],
    )
}

/// Over 45 words or 300 characters.
pub(super) fn too_long(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    (line.words.count() > 45 || line.text.chars().count() > 300)
        .then(|| Hit::words((0, line.words.all.len())))
}
