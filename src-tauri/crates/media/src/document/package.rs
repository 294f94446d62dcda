//! Documents that are a zip of XML: opening one, its entries, the relations between them, and a walk over tags that
//! needs no stack, so that nesting of any depth is harmless.

use crate::worker::{Input, ReadSeek};
use quick_xml::{
    Reader,
    escape::resolve_xml_entity,
    events::{BytesStart, Event},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
};
use zip::ZipArchive;

/// The most that is unpacked of one entry.
const ENTRY: u64 = 64 << 20;

/// An opened package.
pub(super) struct Package {
    zip: ZipArchive<Box<dyn ReadSeek>>,
    names: BTreeSet<String>,
}

/// Where a relation points.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Relation {
    /// The last word of its kind: `image`, `hyperlink`, `slide`, …
    pub(super) kind: String,
    /// As written: a path beside the part, or an address.
    pub(super) target: String,
    /// Does it lie outside the package?
    pub(super) external: bool,
}

impl Package {
    pub(super) fn open(input: &Input) -> Result<Self, String> {
        let zip = ZipArchive::new(input.open()?).map_err(|e| format!("the file is no whole zip: {e}"))?;
        let names = zip.file_names().flatten().map(std::borrow::Cow::into_owned).collect();
        Ok(Self { zip, names })
    }

    /// Is there an entry whose name begins like this?
    pub(super) fn has(&self, start: &str) -> bool {
        self.starting(start).next().is_some()
    }

    /// The names that begin like this, in order.
    pub(super) fn starting<'a>(&'a self, start: &'a str) -> impl Iterator<Item = &'a str> {
        self.names.iter().map(String::as_str).filter(move |name| name.starts_with(start))
    }

    /// The bytes of an entry, at most `most` of them.
    pub(super) fn bytes(&mut self, name: &str, most: u64) -> Result<Vec<u8>, String> {
        let file = self.zip.by_name(name).map_err(|e| format!("{name}: {e}"))?;
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
        if bytes.len() as u64 > most {
            return Err(format!("{name} unpacks to more than {most} bytes"));
        }
        Ok(bytes)
    }

    /// The name of the entry that holds the main part: the usual one, if it is there.
    pub(super) fn main(&mut self, usual: &str) -> String {
        if self.names.contains(usual) {
            return usual.to_owned();
        }
        let named = self.text("_rels/.rels").ok().and_then(|relations| main_part(&relations));
        named.unwrap_or_else(|| usual.to_owned())
    }

    /// An entry as text.
    pub(super) fn text(&mut self, name: &str) -> Result<String, String> {
        Ok(super::text::decode(&self.bytes(name, ENTRY)?, None).text)
    }

    /// The relations of a part by id; empty where there are none. `word/document.xml` has them in
    /// `word/_rels/document.xml.rels`.
    pub(super) fn relations(&mut self, part: &str) -> BTreeMap<String, Relation> {
        let (folder, file) =
            part.rsplit_once('/').map_or((String::new(), part), |(f, n)| (format!("{f}/"), n));
        let mut all = BTreeMap::new();
        if let Ok(xml) = self.text(&format!("{folder}_rels/{file}.rels")) {
            // A broken list of relations costs links and pictures, not the text.
            let _ = each_tag(&xml, |tag| {
                if let (Some(id), Some(target)) = (attribute(tag, "Id"), attribute(tag, "Target")) {
                    let kind = attribute(tag, "Type").unwrap_or_default();
                    let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                    let external = attribute(tag, "TargetMode").is_some_and(|mode| mode == "External");
                    all.insert(id, Relation { kind, target, external });
                }
            });
        }
        all
    }
}

/// The entry that holds the main part, by the relations of the package itself: some programs give it a name of their own.
pub(crate) fn main_part(relations: &str) -> Option<String> {
    let mut found = None;
    let _ = each_tag(relations, |tag| {
        if attribute(tag, "Type").is_some_and(|kind| kind.ends_with("/officeDocument")) {
            found = found.take().or_else(|| attribute(tag, "Target"));
        }
    });
    found.map(|target| beside("", &target))
}

/// The entry that a relation of `part` points to: `../media/image1.png` of `ppt/slides/slide1.xml` is
/// `ppt/media/image1.png`.
pub(super) fn beside(part: &str, target: &str) -> String {
    if let Some(whole) = target.strip_prefix('/') {
        return whole.to_owned();
    }
    let mut path: Vec<&str> = part.split('/').collect();
    path.pop();
    for step in target.split('/') {
        match step {
            "." | "" => {}
            ".." => {
                path.pop();
            }
            name => path.push(name),
        }
    }
    path.join("/")
}

/// Hands each event to `take`, until it answers `false`. An entity that the XML makes itself is not read (neither Office
/// Open XML nor OpenDocument has any), so a file that refers to one is refused.
pub(super) fn each(xml: &str, mut take: impl FnMut(&Event) -> bool) -> Result<(), String> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    loop {
        match reader.read_event().map_err(|e| format!("broken XML: {e}"))? {
            Event::Eof => return Ok(()),
            Event::GeneralRef(name)
                if !name.is_char_ref() && resolve_xml_entity(&name.xml10_content()).is_none() =>
            {
                return Err(format!("the XML refers to an entity of its own, &{};", name.xml10_content()));
            }
            event if take(&event) => {}
            _ => return Ok(()),
        }
    }
}

/// Hands each opening tag to `take`.
pub(crate) fn each_tag(xml: &str, mut take: impl FnMut(&BytesStart)) -> Result<(), String> {
    each(xml, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = event {
            take(tag);
        }
        true
    })
}

/// An attribute by name; with a prefix in the asked name, any prefix will do, since documents choose their own.
pub(crate) fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let local = name.rsplit(':').next().unwrap_or(name);
    tag.attributes()
        .flatten()
        .find(|a| {
            a.key.as_ref() == name
                || (name.contains(':')
                    && a.key.as_ref().contains(':')
                    && a.key.local_name().as_ref() == local)
        })
        .and_then(|a| {
            a.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
        })
}

/// The text of an event, with character references resolved; nothing for tags.
pub(super) fn text_of(event: &Event) -> Option<String> {
    match event {
        Event::Text(text) => Some(text.xml10_content().into_owned()),
        Event::CData(text) => Some(text.xml10_content().into_owned()),
        Event::GeneralRef(name) => Some(match name.resolve_char_ref() {
            Ok(Some(c)) => c.to_string(),
            _ => resolve_xml_entity(&name.xml10_content()).unwrap_or_default().to_owned(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn a_target_is_found_from_its_part() {
        let slide = "ppt/slides/slide1.xml";
        assert_eq!(beside(slide, "../media/a.png"), "ppt/media/a.png", "one folder up");
        assert_eq!(beside(slide, "/ppt/media/a.png"), "ppt/media/a.png", "from the root");
        assert_eq!(beside("word/document.xml", "media/a.png"), "word/media/a.png", "beside");
        assert_eq!(beside("a.xml", "../../../x"), "x", "no further up than the root");
    }
}
