//! What markup says beside the text that it shows: values of attributes, names of its parts, and text that it hides.

/// The values of attributes, one a line, but for those that are shown or read out in the element's place, and names of
/// typefaces, styles and drawn things, which programs give.
pub(super) fn attributes(markup: &str) -> String {
    const LEFT_OUT: [&str; 19] = [
        "alt",
        "title",
        "label",
        "placeholder",
        "value",
        "href",
        "descr",
        "xmlns",
        "name",
        "typeface",
        "family",
        "ascii",
        "hansi",
        "cs",
        "eastasia",
        "val",
        "style",
        "lang",
        "font",
    ];
    let mut out = String::new();
    for tag in markup.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let mut parts = tag.split(['"', '\'']);
        while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
            let name = before.trim_end_matches(['=', ' ', '\n', '\t']);
            let name = name.rsplit([' ', '\n', '\t', ':', '-']).next().unwrap_or_default();
            if !LEFT_OUT.contains(&name.to_ascii_lowercase().as_str()) {
                out.push_str(value);
                out.push('\n');
            }
        }
    }
    out
}

/// The text between tags, without the tags: words that formatting cut in two come together again.
pub(super) fn without_tags(xml: &str) -> String {
    let mut out = String::with_capacity(xml.len() / 4);
    for (n, part) in xml.split(['<', '>']).enumerate() {
        if n % 2 == 0 {
            out.push_str(part);
        } else if part.starts_with("/w:p") || part.starts_with("/a:p") || part.starts_with("/si") {
            out.push('\n');
        }
    }
    out
}

/// Names that authors give to what a reader does not see named: drawn things and pictures, defined ranges, sheets that are
/// hidden, people who remarked on something.
pub(super) fn names(markup: &str) -> String {
    let mut out = String::new();
    for tag in markup.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let element = tag.split([' ', '/', '\n', '\t']).next().unwrap_or_default();
        let local = element.rsplit(':').next().unwrap_or_default();
        let named = match local {
            "cNvPr" | "docPr" | "definedName" | "cmAuthor" | "docVar" | "bookmarkStart" | "customPr" => true,
            "sheet" => ["hidden", "veryHidden"].iter().any(|state| attribute(tag, "state") == Some(state)),
            _ => false,
        };
        if named {
            for key in ["name", "val"] {
                out.extend(attribute(tag, key).into_iter().flat_map(|value| [value, "\n"]));
            }
        }
    }
    out
}

/// The value of a tag's attribute, whatever its prefix.
fn attribute<'a>(tag: &'a str, wanted: &str) -> Option<&'a str> {
    let mut parts = tag.split(['"', '\'']);
    while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
        let name = before.trim_end_matches(['=', ' ', '\n', '\t']);
        if name.rsplit([' ', '\n', '\t', ':']).next() == Some(wanted) {
            return Some(value);
        }
    }
    None
}

/// The words of runs that are marked as hidden.
pub(super) fn hidden(markup: &str) -> String {
    let mut out = String::new();
    for run in markup.split("</w:r>") {
        // A run's properties begin with the same letters.
        let Some(start) = run.rfind("<w:r>").max(run.rfind("<w:r ")) else { continue };
        let run = &run[start..];
        let mark =
            ["<w:vanish", "<w:webHidden", "<w:specVanish"].iter().find_map(|mark| run.split_once(mark));
        let Some((_, behind)) = mark else { continue };
        let off = behind.split('>').next().and_then(|tag| attribute(tag, "val"));
        if !matches!(off, Some("0" | "false" | "off")) {
            out.push_str(&without_tags(run));
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_or_named_behind_the_page() {
        let run = |mark: &str| {
            format!("<w:p><w:r><w:rPr>{mark}</w:rPr><w:t>made so</w:t></w:r><w:r><w:t>seen</w:t></w:r></w:p>")
        };
        assert_eq!(hidden(&run("<w:vanish/>")).trim(), "made so", "a hidden run");
        assert_eq!(hidden(&run("<w:vanish w:val=\"0\"/>")), "", "one that is not");
        assert_eq!(hidden(&run("")), "");
        let book = "<sheets><sheet name=\"Seen\" sheetId=\"1\"/><sheet name=\"Made by\" state=\"veryHidden\"/></sheets>\
                    <definedName name=\"Range_A\">Sheet1!A1</definedName>";
        assert_eq!(
            names(book),
            "Made by\nRange_A\n",
            "a hidden sheet and a range; a sheet that is seen is read"
        );
        assert_eq!(
            names("<pic:cNvPr id=\"3\" name=\"out.png\" descr=\"A tower\"/>"),
            "out.png\n",
            "a picture's file"
        );
    }
}
