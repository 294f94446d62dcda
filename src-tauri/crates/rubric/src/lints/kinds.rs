//! Heuristic rules about kinds of output: what one can show at all, what belongs inside another, which kind was asked for, and
//! what a program would measure.

use super::{
    finding::Edit,
    lexicon::{self, is_carrier},
    mend,
    rule::{Hit, Line, Sheet, position},
    shape::is_delivery,
    words::Scope,
};
use domain::Modality;

/// Nothing of this modality can show it.
pub(super) fn unachievable(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let words = &line.words;
    // What is said may be about anything: "Names the colors of the flag" is heard.
    let is_said = lexicon::is_form_of(words.at(0), SAYING);
    let found = match line.modality? {
        Modality::Audio => words.any(
            &["legible|legibly|bullets|bulleted|bullet|font|fonts|bold|italics|italic|clickable|hyperlink|hyperlinks|readable|underlined|color-coded|subtitles|captions|watermark"],
            Scope::Bare,
        )
        .or_else(|| {
            let seen = "pictured|labels|visible|visibly|depicts|diagram|chart|layout|heading|headings|table|column|columns|\
                        colors|colours|drawn|camera|displays|displayed|illustration|caption|printed|screenshot|footnote|\
                        footnotes|uppercase|axis|axes|logo|cropped|blurred|foreground|slide|slides";
            let seen = [seen, "in color|colour|black|red|blue|green|yellow"];
            if is_said { None } else { words.any(&seen, Scope::Bare) }
        }),
        Modality::Image => words
            .any(&["^ explains|argues|justifies|discusses|narrates|says|tells|pronounces|recounts"], Scope::Unquoted)
            .or_else(|| {
                words.any(
                    &[
                        "sound|audible|spoken|clickable|plays|sings|music|voice|animation|animates|animated|scrolls|loops|moves|pronounces|aloud|melody|narrator|soundtrack|voiceover|voice-over|narration|barks|meows|beeps|chirps|heard|hears|blinks|spins|ticks|rings|loudly|softly|jingle|tempo",
                        "rotates|turns|flashes|moves|changes slowly|continuously|twice|repeatedly|back|gradually|for|every",
                        "fades|zooms in|out",
                    ],
                    Scope::Bare,
                )
            }),
        Modality::Text => words.any(
            &[
                "pronounces|pronounced|spoken|sings|audible|intonation|aloud|animates|accent|voice|volume|plays|tempo|melody|sung|hums|whispers|clickable|rotates|photograph|drawn|depicts|animated|blinks|soundtrack|narrator|watercolor|photographed",
                "rising|falling tone",
                "^ contains|includes|shows|displays|embeds a|an|the ?~ photo|picture|image|illustration|drawing|video|clip|recording of|showing",
                "^ contains|includes|shows|displays|embeds a|an|the ?~ photo|picture|image|illustration|drawing|video|clip|recording $",
                "printed|written|typed|set|shown|displayed|highlighted|colored ?in red|blue|green|yellow|orange|purple|white|black|pink|gold",
                "fades|zooms in|out",
            ],
            Scope::Bare,
        ),
        Modality::Document => words.any(
            &["plays|sings|speaks|spoken|animates|animated|chime|audible|pronounces|aloud|vibrates|rotates|moves|blinks|narrates|sound|melody|hums|beeps|spins|voiceover|voice-over|narrator|soundtrack|tempo"],
            Scope::Bare,
        ),
        Modality::Video => words.any(
            &[
                "clickable|hyperlink|hyperlinks|hyperlinked|interactive|editable|searchable|scrollable|printable|downloadable|formula|formulas|selectable|copyable|sortable|fillable|dropdown|drop-down",
                "viewer|viewers|user|users|reader|readers ?can|may|to click|clicks|tap|taps|scroll|scrolls|type|types|edit|edits|search|select|copy|choose",
                "can be clicked|edited|copied|printed|searched|selected|sorted|filled",
                "^ contains|has|includes|offers ~ ?~ to click",
            ],
            Scope::Bare,
        ),
    }?;
    Some(Hit::words(found))
}

/// Verbs of speech: whatever their object is, it can be said.
const SAYING: &[&str] = &[
    "name",
    "mention",
    "list",
    "say",
    "state",
    "describe",
    "give",
    "explain",
    "tell",
    "identify",
    "pronounce",
    "spell",
    "read",
    "announce",
    "recommend",
    "define",
    "suggest",
    "compare",
    "introduce",
    "recite",
];

/// What is inside a carrier, under another tag.
pub(super) fn nested_modality(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let own = line.modality?;
    let words = &line.words;
    let carriers = [
        (Modality::Video, "video|clip|animation|film|footage|movie"),
        (
            Modality::Document,
            "pdf|document|spreadsheet|slides|slide|presentation|deck|csv|docx|workbook|report|file|worksheet",
        ),
        (Modality::Image, "image|picture|photo|diagram|poster|infographic|illustration|drawing|chart|map"),
        (Modality::Audio, "narration|narrator|soundtrack|voice-over|voiceover|recording|audio|melody"),
    ];
    carriers.into_iter().filter(|(carrier, _)| *carrier != own).find_map(|(carrier, nouns)| {
        let found = words.any(
            &[
                &format!("in|of|on|from|within|inside|throughout|during|over|to|for|under|above|below|beside|behind the|each|its ?~ {nouns}"),
                &format!("^ the|each ?~ {nouns}|{}", possessive(nouns)),
            ],
            Scope::Bare,
        )?;
        let own_noun = is_carrier(words.at(found.1 - 1), own, false);
        let holds_it = match carrier {
            Modality::Image => matches!(own, Modality::Document | Modality::Video),
            // A text may speak of a melody; only one that begins with the sound is about the sound.
            Modality::Audio => own == Modality::Video || found.0 > 0,
            _ => false,
        };
        (!own_noun && !holds_it).then(|| {
            Hit::words(found).say(format!("This belongs to the {}.", carrier.lower())).mend(
                &format!("Tag as {}", carrier.lower()),
                Edit::Modality { at: position(line.at), modality: carrier },
            )
        })
    })
}

/// "pdf|file" as "pdf's|file's".
fn possessive(nouns: &str) -> String {
    nouns
        .split('|')
        .fold(String::new(), |all, noun| if all.is_empty() { all } else { all + "|" } + noun + "'s")
}

/// The request names a kind of file and the delivery criterion does not.
pub(super) fn sub_kind(line: &Line<'_>, sheet: &Sheet<'_>) -> Option<Hit> {
    let prompt = sheet.prompt.as_ref()?;
    if !is_delivery(line) {
        return None;
    }
    let kinds: &[(&str, &str)] = match line.modality? {
        Modality::Document => &[
            ("csv", "csv"),
            ("c s v", "csv"),
            ("excel|xlsx|spreadsheet", "excel|xlsx|spreadsheet|workbook"),
            ("pdf", "pdf"),
            (
                "powerpoint|pptx|slides|slideshow|presentation",
                "powerpoint|pptx|slides|slide|presentation|slideshow|deck",
            ),
            ("slide deck", "powerpoint|pptx|slides|slide|presentation|deck"),
            ("docx", "docx|word"),
            ("word document|doc|file", "docx|word"),
            ("txt", "txt|text"),
            ("resume|cv", "resume|cv"),
            ("brochure", "brochure"),
            ("invoice", "invoice"),
            ("worksheet", "worksheet"),
            ("flyer", "flyer"),
            ("newsletter", "newsletter"),
            ("handout", "handout"),
            ("certificate", "certificate"),
            ("itinerary", "itinerary"),
            ("leaflet|pamphlet", "leaflet|pamphlet"),
            ("booklet", "booklet"),
            ("ebook|e-book", "ebook|e-book"),
        ],
        Modality::Image => &[
            ("infographic", "infographic"),
            ("poster", "poster"),
            ("logo", "logo"),
            ("diagram", "diagram"),
            ("flowchart", "flowchart"),
            ("comic", "comic"),
            ("map", "map"),
            ("chart", "chart|graph"),
            ("sketch", "sketch"),
            ("meme", "meme"),
            ("painting", "painting"),
            ("sticker", "sticker"),
            ("icon", "icon"),
            ("collage", "collage"),
            ("cartoon", "cartoon"),
            ("postcard", "postcard"),
            ("banner", "banner"),
            ("wallpaper", "wallpaper"),
            ("mascot", "mascot"),
            ("avatar", "avatar"),
            ("storyboard", "storyboard"),
            ("caricature", "caricature"),
            ("blueprint", "blueprint"),
            ("mind map", "mind"),
            ("floor plan", "floor"),
            ("graph", "graph|chart|plot"),
            ("portrait", "portrait"),
            ("flyer", "flyer"),
        ],
        Modality::Audio => &[
            ("song", "song"),
            ("podcast", "podcast"),
            ("jingle", "jingle"),
            ("lullaby", "lullaby"),
            ("voiceover|voice-over", "voiceover|voice-over|narration"),
            ("rap", "rap"),
            ("melody", "melody"),
            ("beat", "beat"),
            ("ringtone", "ringtone"),
            ("meditation", "meditation"),
            ("sound effect", "effect"),
            ("radio ad|commercial|spot", "ad|commercial|spot"),
            ("anthem", "anthem"),
            ("voicemail", "voicemail"),
            ("audiobook", "audiobook"),
            ("mp3", "mp3"),
            ("wav", "wav"),
        ],
        Modality::Video => &[
            ("animation|animated", "animation|animated"),
            ("gif", "gif"),
            ("tutorial", "tutorial"),
            ("timelapse|time-lapse", "timelapse|time-lapse"),
            ("slideshow", "slideshow"),
            ("trailer", "trailer"),
            ("teaser", "teaser"),
            ("montage", "montage"),
            ("explainer", "explainer"),
            ("stop-motion", "stop-motion"),
            ("short film", "film"),
            ("music video", "music"),
            ("screencast", "screencast"),
            ("vlog", "vlog"),
            ("commercial", "commercial"),
            ("reel", "reel"),
        ],
        Modality::Text => &[],
    };
    kinds.iter().find_map(|(asked, said)| {
        let (_, to) = prompt.find(asked, Scope::Unquoted)?;
        (line.words.find(said, Scope::Unquoted).is_none()).then(|| {
            let kind = prompt.at(to - 1);
            let text = line.modality.and_then(|modality| mend::with_kind(line, modality, kind));
            Hit::words((0, 1)).say(format!("The request names a kind ({kind}); say so.")).mend_text(
                "Name the kind",
                line,
                text,
            )
        })
    })
}

/// A duration, size, count or file type.
pub(super) fn measurable(line: &Line<'_>, _: &Sheet<'_>) -> Option<Hit> {
    let found = line.words.any(
        &[
            "lasts|runs|plays ?for ?between|at|about|exactly|less|no|under|over|up|a|around|approximately ?least|most|than|to|more|longer|shorter|minimum|maximum ?than ?of ?~ % ?and|to ?% ?~ second|seconds|minute|minutes|hour|hours|s|min",
            "% ?~ second|seconds|minute|minutes|hours ?long",
            "% seconds|minutes ?and ?% ?seconds long|or",
            "consists|consist|comprises|made ?up ?of ?at|no|exactly ?least|most|more|fewer ?than % ?~ word|words|page|pages|slide|slides|paragraph|paragraphs|sentence|sentences|line|lines|row|rows|column|columns|seconds|minutes|sections|stanzas|verses|scenes",
            "is|are|has|have|contains|spans|covers|fills|uses ?at|no|between|exactly|under|over|less|more|about ?most|least|more|fewer|than ?than ?and % ?and|to ?% word|words|page|pages|slide|slides|characters|paragraph|paragraphs|sentences|pixels|px|mb|kb|dpi|fps|lines|seconds|minutes|rows|columns|frames",
            "% word|words|pages|slides|characters|pixels|px|mb|kb|dpi|fps|hz|khz|kbps|bpm ?long|wide|high|tall|or|in",
            "aspect ratio",
            "16:9|4:3|1:1|9:16|3:2|21:9|1080p|720p|4k|2160p",
            "% x|×|by % ?pixels|px",
            "resolution of|is",
            "word count",
            "file size",
            "frame rate",
            "sample rate",
            "is ?a|an|in ?valid png|jpg|jpeg|pdf|csv|docx|xlsx|pptx|mp3|mp4|wav|gif|svg|webp|webm ?file|format|image|video",
            "saved|exported|provided|delivered|returned|encoded as ?a|an png|jpg|jpeg|pdf|csv|docx|xlsx|pptx|mp3|mp4|wav|gif|svg|webp|webm ?file",
            "in png|jpg|jpeg|pdf|csv|docx|xlsx|pptx|mp3|mp4|wav|gif|svg|webp|webm format",
        ],
        Scope::Bare,
    )?;
    Some(Hit::words(found))
}
