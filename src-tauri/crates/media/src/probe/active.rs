//! What in a document would run, load or lead elsewhere. Here nothing of it does; it is named, so that people know.

use super::{Probe, ProblemCode as Code};

/// HTML and SVG: scripts, handlers, and addresses that are loaded on opening.
pub(super) fn markup(probe: &mut Probe, text: &str) {
    let lower = text.to_ascii_lowercase();
    let handler = lower.match_indices(" on").any(|(at, _)| {
        let name: String = lower[at + 3..].chars().take_while(char::is_ascii_lowercase).collect();
        !name.is_empty() && lower[at + 3 + name.len()..].trim_start().starts_with('=')
    });
    if lower.contains("<script") || lower.contains("javascript:") || handler {
        probe.problem(Code::ActiveContent, "it holds scripts");
    }
    if loads(&lower) {
        probe.problem(
            Code::ExternalContent,
            "it names pictures, styles or pages elsewhere; they are not loaded",
        );
    }
}

/// Does an attribute or a style that is loaded on opening name a place in the network?
fn loads(lower: &str) -> bool {
    let remote = |value: &str| {
        let value = value.trim_start_matches(['"', '\'', ' ']);
        value.starts_with("http:") || value.starts_with("https:") || value.starts_with("//")
    };
    let after = |mark: &str| lower.match_indices(mark).any(|(at, _)| remote(&lower[at + mark.len()..]));
    if ["src=", "srcset=", "poster=", "data=", "background=", "@import url(", "@import ", "url("]
        .iter()
        .any(|m| after(m))
    {
        return true;
    }
    // href is loaded only by these.
    ["<link", "<image", "<use", "<feimage"].iter().any(|tag| {
        lower.match_indices(tag).any(|(at, _)| {
            let end = lower[at..].find('>').map_or(lower.len(), |end| at + end);
            lower[at..end].match_indices("href=").any(|(href, _)| remote(&lower[at + href + 5..end]))
        })
    })
}

/// Links of a page that lead to another host.
pub(super) fn links(text: &str) -> u32 {
    let lower = text.to_ascii_lowercase();
    let count = lower
        .match_indices("<a")
        .filter(|(at, _)| {
            let rest = &lower[*at..];
            let tag = &rest[..rest.find('>').unwrap_or(rest.len())];
            tag.find("href=").is_some_and(|href| {
                let value = tag[href + 5..].trim_start_matches(['"', '\'', ' ']);
                ["http:", "https:", "//", "mailto:", "ftp:"].iter().any(|scheme| value.starts_with(scheme))
            })
        })
        .count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_loaded_is_told_from_what_is_only_linked() {
        assert!(loads(r#"<img src="https://a.example/x.png">"#), "a picture is loaded");
        assert!(loads("<style>p{background:url(http://a.example/x)}</style>"), "a style loads it too");
        assert!(loads(r#"<image xlink:href="//a.example/x.png"/>"#), "so does a picture in SVG");
        assert!(
            !loads(r#"<a href="https://a.example">a</a><img src="data:image/png;base64,AA">"#),
            "neither leaves"
        );
        assert_eq!(
            links(r##"<a href="https://a.example">x</a> <a href="#top">y</a> <abbr>z</abbr>"##),
            1,
            "one leads out"
        );
    }
}
