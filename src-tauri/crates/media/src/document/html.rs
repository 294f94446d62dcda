//! Web pages: their words without markup, and what the static view leaves out. Read as a stream of tags; nothing is
//! built up, so broken nesting is harmless.

use super::{DocumentView, NotShown};
use std::borrow::Cow;

/// One piece of a page.
enum Piece<'a> {
    Text(&'a str),
    /// A tag without its angle brackets: `p class="x"`, `/p`.
    Tag(&'a str),
}

/// Cuts a page into text and tags; what scripts and styles hold is neither.
fn each<'a>(html: &'a str, mut take: impl FnMut(Piece<'a>)) {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        take(Piece::Text(&rest[..at]));
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        if !rest[1..]
            .trim_start_matches('/')
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?')
        {
            take(Piece::Text("<"));
            rest = &rest[1..];
            continue;
        }
        let Some(end) = tag_end(rest) else {
            take(Piece::Text(rest));
            return;
        };
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        let name = name_of(tag);
        take(Piece::Tag(tag));
        if ["script", "style", "template", "noscript"].contains(&name.as_str()) {
            let close = format!("</{name}");
            let lower = rest.to_ascii_lowercase();
            rest = lower.find(&close).map_or("", |at| &rest[at..]);
        }
    }
    take(Piece::Text(rest));
}

/// Where a tag ends: the first `>` outside of quotes.
fn tag_end(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    // A quote that never closes is no quote.
    rest.find('>')
}

fn name_of(tag: &str) -> String {
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(tag.len());
    tag[..end].to_ascii_lowercase()
}

/// The words of a page, a block on a line.
pub(super) fn text(html: &str) -> String {
    let mut text = String::new();
    each(html, |piece| match piece {
        Piece::Text(words) => {
            for word in unescape(words).split_inclusive(char::is_whitespace) {
                let space = word.ends_with(char::is_whitespace);
                text.push_str(word.trim_end());
                if space && !text.ends_with([' ', '\n', '\t']) {
                    text.push(' ');
                }
            }
        }
        Piece::Tag(tag) => {
            let name = name_of(tag.trim_start_matches('/'));
            let cell = matches!(name.as_str(), "td" | "th");
            let block = matches!(
                name.as_str(),
                "p" | "div"
                    | "br"
                    | "li"
                    | "tr"
                    | "h1"
                    | "h2"
                    | "h3"
                    | "h4"
                    | "h5"
                    | "h6"
                    | "title"
                    | "table"
                    | "section"
                    | "article"
                    | "header"
                    | "footer"
                    | "pre"
                    | "blockquote"
                    | "ul"
                    | "ol"
                    | "dt"
                    | "dd"
                    | "hr"
                    | "option"
                    | "figcaption"
            );
            if block && !text.ends_with('\n') {
                text.push('\n');
            } else if cell && tag.starts_with('/') {
                text.push('\t');
            }
        }
    });
    text.trim().to_owned()
}

/// Character references by number and by the names of HTML.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest name has 31 letters.
        let end = rest.bytes().take(33).position(|b| b == b';');
        if let Some((end, known)) = end.and_then(|end| Some((end, named(&rest[1..end])?))) {
            out.push_str(&known);
            rest = &rest[end + 1..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

fn named(name: &str) -> Option<Cow<'static, str>> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).map(|c| c.to_string().into());
    }
    quick_xml::escape::resolve_html5_entity(name).map(Cow::Borrowed)
}

/// What the page holds and a static view without scripts and network does not show.
pub(super) fn holds(html: &str, view: &mut DocumentView) {
    each(html, |piece| {
        let Piece::Tag(tag) = piece else { return };
        let lower = tag.to_ascii_lowercase();
        let name = name_of(tag);
        let outside = |attribute: &str| {
            lower.split_once(attribute).is_some_and(|(_, value)| {
                let value = value.trim_start_matches(['=', ' ', '"', '\'']);
                !value.starts_with("data:") && !value.starts_with('#')
            })
        };
        let mut note = |what| view.not_shown.push(what);
        match name.as_str() {
            "script" => note(NotShown::Scripts),
            "form" | "input" | "select" | "textarea" => note(NotShown::Forms),
            "video" | "audio" => note(NotShown::Media),
            "iframe" | "object" | "embed" | "frame" => note(NotShown::EmbeddedObjects),
            "img" | "source" | "image" if outside("src") || outside("href") => {
                note(NotShown::ExternalContent);
            }
            "link" if lower.contains("stylesheet") => note(NotShown::ExternalContent),
            "a" if outside("href") => note(NotShown::Links),
            "canvas" => note(NotShown::Images),
            _ => {}
        }
        if lower.split_ascii_whitespace().any(|part| part.starts_with("on") && part.contains('=')) {
            note(NotShown::Scripts);
        }
        if lower.contains("url(http") || lower.contains("url('http") || lower.contains("url(\"http") {
            note(NotShown::ExternalContent);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_without_markup_scripts_and_styles() {
        let page = "<html><head><title>T</title><style>p{color:red}</style><script>if (a<b) x()</script></head>\
                    <body><!-- no --><p>caf&eacute; &amp; cr&#232;me &no; AT&T &CounterClockwiseContourIntegral;</p><table><tr><td>1</td><td>2</td></tr></table>";
        assert_eq!(text(page), "T\ncafé & crème &no; AT&T ∳\n1\t2", "an unknown name stays as written");
        assert_eq!(text("a < b and c > d"), "a < b and c > d", "a lone bracket is text");
        assert_eq!(text("<p title='a>b'>x"), "x", "a bracket in quotes ends no tag");
    }

    #[test]
    fn what_a_static_view_leaves_out_is_found() {
        let mut view = DocumentView::default();
        holds(
            "<img src=\"https://a.example/x.png\"><p onclick=x()>a<form><input></form><iframe src=x></iframe>",
            &mut view,
        );
        view.not_shown.sort_unstable();
        view.not_shown.dedup();
        let mut wanted =
            vec![NotShown::Scripts, NotShown::EmbeddedObjects, NotShown::ExternalContent, NotShown::Forms];
        wanted.sort_unstable();
        assert_eq!(view.not_shown, wanted, "a handler, a frame, a picture outside, a form");
        let mut inert = DocumentView::default();
        holds("<p>hello <img src=\"data:image/png;base64,AA\"></p>", &mut inert);
        assert_eq!(inert.not_shown, [], "nothing is left out");
    }
}
