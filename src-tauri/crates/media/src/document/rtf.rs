//! The words of an rtf (Rich Text Format 1.9.1). A reader of our own: the crates at hand read `\'hh` as Latin-1 whatever
//! code page the file names, and stop at what they do not know.

use super::{Block, DocumentView, NotShown, Part, Room, Run};
use encoding_rs::{Encoding, WINDOWS_1252};

/// Destinations whose content is no text of the document.
const SKIPPED: [&str; 22] = [
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "object",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "footnote",
    "annotation",
    "fldinst",
    "themedata",
    "listtable",
    "listoverridetable",
    "generator",
    "xmlnstbl",
];

/// What a group inherits and gives back at its end.
#[derive(Clone)]
struct Group {
    skipped: bool,
    /// How many characters stand after a `\u` for readers that cannot take it.
    after_unicode: usize,
}

/// The view: a paragraph a block.
pub(super) fn view(bytes: &[u8], room: &mut Room) -> DocumentView {
    let mut view = DocumentView { not_shown: vec![NotShown::Layout], ..DocumentView::default() };
    let mut part = Part::default();
    for line in text(bytes, &mut view.not_shown).lines() {
        if line.trim().is_empty() {
            continue;
        }
        if !room.take(line.len()) {
            break;
        }
        part.blocks.push(Block::Paragraph { runs: vec![Run { text: line.to_owned(), ..Run::default() }] });
    }
    view.parts.push(part);
    view
}

/// The text of the document, a paragraph on a line.
fn text(bytes: &[u8], not_shown: &mut Vec<NotShown>) -> String {
    let mut out = String::new();
    let mut raw: Vec<u8> = Vec::new();
    let mut encoding: &'static Encoding = WINDOWS_1252;
    let mut groups: Vec<Group> = Vec::new();
    let mut group = Group { skipped: false, after_unicode: 1 };
    let mut ignore = 0_usize;
    let mut star = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        // Bytes of the code page are gathered, since a character may have two.
        if byte != b'\\' || bytes.get(at) != Some(&b'\'') {
            flush(&mut raw, encoding, &mut out);
        }
        match byte {
            // Nothing nests that deep but an attack; its depth is then wrong, its text is read.
            b'{' if groups.len() < 100_000 => groups.push(group.clone()),
            b'}' => group = groups.pop().unwrap_or(Group { skipped: false, after_unicode: 1 }),
            b'\\' => {
                let (word, number, end) = control(bytes, at);
                at = end;
                match word {
                    b"'" => {
                        let hex = bytes.get(at..at + 2).and_then(|h| std::str::from_utf8(h).ok());
                        at = (at + 2).min(bytes.len());
                        let Some(code) = hex.and_then(|h| u8::from_str_radix(h, 16).ok()) else { continue };
                        if ignore > 0 {
                            ignore -= 1;
                        } else if !group.skipped {
                            raw.push(code);
                        }
                    }
                    b"*" => star = true,
                    b"u" => {
                        let Some(number) = number else { continue };
                        // Written as a signed number of 16 bits; a pair of surrogates is two of them.
                        let code = number.rem_euclid(65_536);
                        if !group.skipped {
                            push_unit(&mut out, u16::try_from(code).unwrap_or(0xfffd));
                        }
                        ignore = group.after_unicode;
                    }
                    b"uc" => group.after_unicode = usize::try_from(number.unwrap_or(1)).unwrap_or(1).min(16),
                    b"ansicpg" => {
                        encoding = code_page(number.unwrap_or(1252));
                    }
                    b"bin" => at = at.saturating_add(usize::try_from(number.unwrap_or(0)).unwrap_or(0)),
                    word => {
                        let name = std::str::from_utf8(word).unwrap_or_default();
                        notice(name, not_shown);
                        // What a tracked change took away is left out, as in the other formats.
                        if star || name == "deleted" || SKIPPED.contains(&name) {
                            group.skipped = true;
                        }
                        if !group.skipped {
                            out.push_str(sign(name));
                        }
                    }
                }
                star &= word == b"*";
            }
            b'\r' | b'\n' => {}
            _ if ignore > 0 => ignore -= 1,
            _ if group.skipped => {}
            byte => raw.push(byte),
        }
    }
    flush(&mut raw, encoding, &mut out);
    // Halves of surrogate pairs were kept apart until both had come.
    join_surrogates(&out)
}

/// The encoding of a code page of Windows.
fn code_page(number: i64) -> &'static Encoding {
    let label = match number {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        950 => "big5".to_owned(),
        65001 => "utf-8".to_owned(),
        other => format!("windows-{other}"),
    };
    Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252)
}

/// A control word or sign after the backslash, its number, and where the text goes on.
fn control(bytes: &[u8], at: usize) -> (&[u8], Option<i64>, usize) {
    let rest = &bytes[at.min(bytes.len())..];
    let letters = rest.iter().take(32).take_while(|b| b.is_ascii_alphabetic()).count();
    if letters == 0 {
        let length = rest.len().min(1);
        return (&rest[..length], None, at + length);
    }
    let digits = rest[letters..]
        .iter()
        .take(11)
        .enumerate()
        .take_while(|(n, b)| b.is_ascii_digit() || (*n == 0 && **b == b'-'))
        .count();
    let number = std::str::from_utf8(&rest[letters..letters + digits]).ok().and_then(|n| n.parse().ok());
    let space = usize::from(rest.get(letters + digits) == Some(&b' '));
    (&rest[..letters], number, at + letters + digits + space)
}

/// What a control word stands for in the text.
fn sign(word: &str) -> &'static str {
    match word {
        "par" | "line" | "sect" | "page" | "row" => "\n",
        "tab" | "cell" => "\t",
        "emdash" => "—",
        "endash" => "–",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "bullet" => "•",
        "~" => "\u{a0}",
        "_" => "\u{2011}",
        "{" => "{",
        "}" => "}",
        "\\" => "\\",
        _ => "",
    }
}

fn notice(word: &str, not_shown: &mut Vec<NotShown>) {
    not_shown.extend(match word {
        "pict" => Some(NotShown::Images),
        "object" => Some(NotShown::EmbeddedObjects),
        "header" | "headerl" | "headerr" | "footer" | "footerl" | "footerr" => Some(NotShown::Headers),
        "footnote" => Some(NotShown::Footnotes),
        "annotation" => Some(NotShown::Comments),
        "revised" | "deleted" => Some(NotShown::TrackedChanges),
        "fldinst" => Some(NotShown::Fields),
        _ => None,
    });
}

fn flush(raw: &mut Vec<u8>, encoding: &'static Encoding, out: &mut String) {
    if !raw.is_empty() {
        out.push_str(&encoding.decode_without_bom_handling(raw).0);
        raw.clear();
    }
}

/// Where halves of surrogate pairs wait in private use until [`join_surrogates`].
const HALVES: u32 = 0x10_f000;

fn push_unit(out: &mut String, unit: u16) {
    let code = u32::from(unit);
    let code = if (0xd800..0xe000).contains(&code) { HALVES + (code - 0xd800) } else { code };
    out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
}

fn join_surrogates(text: &str) -> String {
    let half = |c: char| u32::from(c).checked_sub(HALVES).filter(|n| *n < 0x800);
    let mut out = String::with_capacity(text.len());
    let mut high = None;
    for c in text.chars() {
        match (half(c), high.take()) {
            (Some(n), None) if n < 0x400 => high = Some(n),
            (Some(n), Some(first)) if n >= 0x400 => {
                let code = 0x1_0000 + (first << 10) + (n - 0x400);
                out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            (Some(_), _) => out.push('\u{fffd}'),
            (None, _) => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_in_the_code_page_of_the_file() {
        let read = |rtf: &str| text(rtf.as_bytes(), &mut Vec::new());
        assert_eq!(
            read(r"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}\f0 \'cf\'f0\'e8\'e2\'e5\'f2\par two}"),
            "Привет\ntwo",
            "0xcf 0xf0 … of windows-1251, and no font's name"
        );
        assert_eq!(read(r"{\rtf1\uc1 caf\u233?{\*\generator x}!}"), "café!", "the stand-in is passed over");
        assert_eq!(read(r"{\rtf1 \u-10179?\u-8704?}"), "😀", "two halves of U+1F600");
        assert_eq!(read(r"{\rtf1 a\{b\}\\c\~d}"), "a{b}\\c\u{a0}d", "signs that were escaped");
        assert_eq!(read(r"}}}{{{\u a"), "a", "broken groups and a number that is missing harm nothing");
        assert_eq!(read("\\"), "", "a file that ends in a backslash");
    }

    #[test]
    fn what_is_left_out_is_named() {
        let mut found = Vec::new();
        text(br"{\rtf1{\header h}{\pict 00}a{\footnote n}}", &mut found);
        assert_eq!(found, [NotShown::Headers, NotShown::Images, NotShown::Footnotes], "in the order met");
    }
}
