//! Links in prose, as the harness detects them (MMI-FORMAT 9): a substring test on the lower-cased address, odd as it
//! is, since scores depend on it.

use domain::Modality;

/// A link that counts as returning a modality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The address as written.
    pub url: String,
    /// What it counts as.
    pub modality: Modality,
}

/// Order, substrings, extensions.
const PATTERNS: [(Modality, &[&str], &[&str]); 4] = [
    (
        Modality::Video,
        &[
            "youtube.com",
            "youtu.be",
            "instagram.com/reel/",
            "instagram.com/p/",
            "tiktok.com/",
            "vimeo.com/",
            "dailymotion.com/",
            "twitch.tv/",
        ],
        &["mp4", "webm", "mov", "avi", "mkv", "flv", "wmv"],
    ),
    (
        Modality::Audio,
        &["soundcloud.com/", "open.spotify.com/", "music.apple.com/", "bandcamp.com/"],
        &["mp3", "wav", "ogg", "flac", "aac", "m4a", "wma"],
    ),
    (
        Modality::Image,
        &["flickr.com/", "imgur.com/", "unsplash.com/photos/"],
        &["jpg", "jpeg", "png", "gif", "webp", "bmp", "svg", "tiff"],
    ),
    (
        Modality::Document,
        &["docs.google.com/", "drive.google.com/", "dropbox.com/"],
        &["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "csv", "txt"],
    ),
];

/// The modality that an address counts as, if any.
pub fn classify_url(url: &str) -> Option<Modality> {
    let url = url.to_lowercase();
    let has_extension = |extension: &str| {
        url.match_indices(extension).any(|(at, _)| {
            url[..at].ends_with('.') && matches!(url.as_bytes().get(at + extension.len()), None | Some(b'?'))
        })
    };
    PATTERNS
        .iter()
        .find(|(_, hosts, extensions)| {
            hosts.iter().any(|host| url.contains(host)) || extensions.iter().any(|e| has_extension(e))
        })
        .map(|(modality, _, _)| *modality)
}

/// All links of a text that count as a modality, in order; the same address as often as it is written.
pub fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("http") {
        let candidate = &rest[at..];
        let Some(scheme) = ["https://", "http://"].into_iter().find(|s| candidate.starts_with(s)) else {
            rest = &candidate[4..];
            continue;
        };
        let ends = |c: char| c.is_whitespace() || matches!(c, ')' | ']' | '"' | '\'' | '`');
        let length = candidate.find(ends).unwrap_or(candidate.len());
        let url = candidate[..length].trim_end_matches(['.', ',', ';', ':', '!']);
        if url.len() > scheme.len()
            && let Some(modality) = classify_url(url)
        {
            found.push(Link { url: url.to_owned(), modality });
        }
        rest = &candidate[length.max(scheme.len())..];
    }
    found
}
