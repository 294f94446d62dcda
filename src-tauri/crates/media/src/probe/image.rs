//! Pictures: what their containers say, and whether they decode.

use super::{
    ImageFacts, Probe, ProblemCode as Code, active,
    boxes::{self, be32, inside},
    iso,
    moving::{self, Moving},
    sniff::find,
    whole32,
};
use crate::{
    document::text,
    picture::{self, open},
    worker::Input,
};
use image::ImageDecoder;

/// The most of a picture that is looked through.
const LOOKED: u64 = 256 << 20;

pub(super) fn image(probe: &mut Probe, input: &Input) {
    let mut facts = ImageFacts { orientation: 1, ..ImageFacts::default() };
    let bytes = input.head(LOOKED).unwrap_or_default();
    match probe.format.as_str() {
        "svg" => svg(probe, &mut facts, &bytes),
        "heic" | "avif" => heif(probe, &mut facts, &bytes, input),
        _ => raster(probe, &mut facts, &bytes, input),
    }
    probe.image = Some(facts);
}

fn raster(probe: &mut Probe, facts: &mut ImageFacts, bytes: &[u8], input: &Input) {
    let moving = moving::frames_of(&probe.format, bytes);
    facts.frames = Some(1);
    if let Some(Moving { delays_ms, loops, whole }) = moving {
        let count = u32::try_from(delays_ms.len()).unwrap_or(u32::MAX);
        facts.frames = Some(count.max(1));
        if count > 1 {
            facts.duration_ms = Some(delays_ms.iter().map(|ms| u64::from(*ms)).sum());
            facts.loops = Some(loops);
        }
        if !whole {
            probe.problem(Code::Truncated, "the end of the picture is missing");
        }
    }
    match probe.format.as_str() {
        "tiff" => facts.frames = picture::pages(input).ok(),
        "jpeg" if find(&bytes[bytes.len().saturating_sub(1 << 16)..], b"\xff\xd9").is_none() => {
            probe.problem(Code::Truncated, "the end of the picture is missing");
        }
        "bmp" => {
            let said = bytes.get(2..6).map_or(0, |n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
            if u64::from(said) > bytes.len() as u64 {
                probe.problem(Code::Truncated, "the file ends before the picture does");
            }
        }
        _ => {}
    }
    let mut opened = match open(input) {
        Ok(opened) => opened,
        Err(why) => {
            if let Some((width, height)) = picture::said_size(input) {
                (facts.width, facts.height) = (Some(width), Some(height));
            }
            if why.contains("more than fit") {
                return probe.problem(Code::Limit, &why);
            }
            return undecodable(probe, &why);
        }
    };
    let (width, height) = opened.decoder.dimensions();
    (facts.width, facts.height) = (Some(width), Some(height));
    // A GIF always decodes to a picture with alpha; only one that says so has some.
    let see_through = probe.format != "gif" || moving::gif_is_transparent(bytes);
    facts.alpha = Some(see_through && opened.decoder.color_type().has_alpha());
    facts.orientation = opened.orientation.to_exif();
    facts.icc = opened.decoder.icc_profile().ok().flatten().map(|profile| picture::profile_name(&profile));
    if !probe.heads_only
        && let Err(why) = opened.decode()
    {
        undecodable(probe, &why);
    }
}

fn undecodable(probe: &mut Probe, why: &str) {
    let lower = why.to_ascii_lowercase();
    if ["unexpected end", "unexpected eof", "unexpectedeof", "failed to fill"]
        .iter()
        .any(|mark| lower.contains(mark))
    {
        probe.problem(Code::Truncated, "the file ends before the picture does");
    }
    probe.problem(Code::Undecodable, why);
}

/// Size, orientation and transparency of a HEIF file, from its properties. The picture itself is not decoded.
fn heif(probe: &mut Probe, facts: &mut ImageFacts, bytes: &[u8], input: &Input) {
    if !matches!(boxes::top_level(input, |_, _| Ok(())), Ok(true)) {
        probe.problem(Code::Truncated, "the file ends before the container says");
    }
    let top = boxes::children(bytes).find(|(kind, _)| kind == b"meta").and_then(|(_, meta)| meta.get(4..));
    let properties = top.and_then(|meta| inside(meta, &[b"iprp", b"ipco"]));
    let Some(properties) = properties else {
        return probe.problem(Code::Undecodable, "the properties of the picture are missing");
    };
    // Thumbnails, tiles and what is cropped have properties too: those of the picture that is shown count.
    let shown = top.map(properties_of_shown).unwrap_or_default();
    let shown = &shown;
    let of = |wanted: &'static [u8; 4]| {
        let each = boxes::children(properties).zip(1_u16..);
        each.filter(move |((kind, _), at)| kind == wanted && (shown.is_empty() || shown.contains(at)))
            .map(|((_, body), _)| body)
    };
    let size = of(b"ispe").filter_map(|ispe| Some((be32(ispe, 4)?, be32(ispe, 8)?)));
    if let Some((width, height)) = size.max_by_key(|(w, h)| u64::from(*w) * u64::from(*h)) {
        (facts.width, facts.height) = (Some(width), Some(height));
    } else {
        probe.problem(Code::Undecodable, "the size of the picture is missing");
    }
    // Encoders pad to whole blocks; the clean aperture is what shows.
    if let Some(clap) = of(b"clap").next()
        && let (Some(wide), Some(tall)) = (quotient(clap, 0), quotient(clap, 8))
        && facts.width.is_some_and(|all| wide <= all)
        && facts.height.is_some_and(|all| tall <= all)
    {
        (facts.width, facts.height) = (Some(wide), Some(tall));
    }
    let turns = of(b"irot").next().and_then(|irot| irot.first()).map_or(0, |turns| turns & 3);
    let mirror = of(b"imir").next().and_then(|imir| imir.first()).map(|axis| axis & 1);
    facts.orientation = orientation(turns, mirror);
    let alpha = |(kind, body): ([u8; 4], &[u8])| &kind == b"auxC" && find(body, b"alpha").is_some();
    facts.alpha = Some(boxes::children(properties).any(alpha));
    let profile = of(b"colr").find(|colr| matches!(colr.get(..4), Some(b"prof" | b"rICC")));
    facts.icc = profile.and_then(|colr| colr.get(4..)).map(picture::profile_name);
    facts.frames = Some(1);
    let brands = bytes.get(8..bytes.len().min(64)).unwrap_or_default();
    if find(brands, b"avis").is_some() && find(bytes, b"moov").is_some() {
        facts.frames = iso::pictures_in_sequence(probe, input).or(Some(1));
    }
}

/// The numbers of the properties, from 1, that belong to the primary item (ISO 23008-12, `pitm` and `ipma`); none where
/// that is not said.
fn properties_of_shown(meta: &[u8]) -> Vec<u16> {
    let id = |body: &[u8], at: usize, wide: bool| {
        if wide { be32(body, at) } else { be16(body, at).map(u32::from) }
    };
    let primary = inside(meta, &[b"pitm"]).and_then(|pitm| id(pitm, 4, *pitm.first()? > 0));
    let Some((primary, ipma)) = primary.zip(inside(meta, &[b"iprp", b"ipma"])) else { return Vec::new() };
    let wide_ids = ipma.first().is_some_and(|version| *version > 0);
    let wide_numbers = ipma.get(3).is_some_and(|flags| flags & 1 > 0);
    let mut at = 8;
    for _ in 0..be32(ipma, 4).unwrap_or(0) {
        let Some(item) = id(ipma, at, wide_ids) else { break };
        at += if wide_ids { 4 } else { 2 };
        let count = usize::from(ipma.get(at).copied().unwrap_or(0));
        let size = if wide_numbers { 2 } else { 1 };
        let Some(numbers) = ipma.get(at + 1..at + 1 + count * size) else { break };
        at += 1 + count * size;
        if item == primary {
            let each = numbers.chunks_exact(size);
            return each
                .filter_map(|n| {
                    if wide_numbers { Some(be16(n, 0)? & 0x7fff) } else { Some(u16::from(n[0] & 0x7f)) }
                })
                .collect();
        }
    }
    Vec::new()
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?).map(|n| u16::from_be_bytes([n[0], n[1]]))
}

/// Two numbers, the first divided by the second.
fn quotient(bytes: &[u8], at: usize) -> Option<u32> {
    be32(bytes, at)?.checked_div(be32(bytes, at + 4)?).filter(|n| *n > 0)
}

/// EXIF's number for quarter turns against the clock, then a mirror (0: top and bottom change places, 1: left and
/// right), as ISO 23008-12 orders them.
fn orientation(turns: u8, mirror: Option<u8>) -> u8 {
    match (turns, mirror) {
        (0, None) => 1,
        (1, None) => 8,
        (2, None) => 3,
        (_, None) => 6,
        (0, Some(1)) | (2, Some(0)) => 2,
        (0 | 2, Some(_)) => 4,
        (1, Some(1)) | (3, Some(0)) => 7,
        _ => 5,
    }
}

/// The size that the root says, in CSS pixels; and whether anything in it would run or load.
fn svg(probe: &mut Probe, facts: &mut ImageFacts, bytes: &[u8]) {
    use quick_xml::events::Event;
    facts.frames = Some(1);
    facts.alpha = Some(true); // whatever is not drawn on shows through
    let text = text::decode(bytes, None).text;
    active::markup(probe, &text);
    let mut reader = quick_xml::Reader::from_str(&text);
    let (mut depth, mut met) = (0_u32, false);
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                if !met {
                    met = true;
                    size(probe, facts, &element);
                }
                depth += 1;
            }
            Ok(Event::Empty(element)) if !met => {
                met = true;
                size(probe, facts, &element);
            }
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                // What is opened and not closed before the end.
                use quick_xml::errors::{Error, SyntaxError};
                if matches!(&error, Error::Syntax(what) if *what != SyntaxError::InvalidBangMarkup) {
                    probe.problem(Code::Truncated, "the end of the picture is missing");
                }
                probe.problem(Code::Undecodable, &format!("it is no well-formed XML: {error}"));
                break;
            }
        }
    }
    if depth > 0 && probe.problems.iter().all(|known| known.code != Code::Undecodable) {
        probe.problem(Code::Truncated, "the end of the picture is missing");
        probe.problem(Code::Undecodable, "it is no well-formed XML: elements are not closed");
    }
}

fn size(probe: &mut Probe, facts: &mut ImageFacts, root: &quick_xml::events::BytesStart<'_>) {
    let of = |name: &str| root.try_get_attribute(name).ok().flatten().map(|a| a.value.into_owned());
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| *n > 0.0 && *n < 1e6);
    let length = |text: String| {
        let units = [
            ("px", 1.0),
            ("pt", 4.0 / 3.0),
            ("pc", 16.0),
            ("mm", 96.0 / 25.4),
            ("cm", 96.0 / 2.54),
            ("in", 96.0),
        ];
        let text = text.trim();
        match units.iter().find_map(|(unit, px)| Some(number(text.strip_suffix(unit)?)? * px)) {
            Some(px) => Some(px),
            None => number(text),
        }
    };
    let view: Vec<f64> = of("viewBox").map_or_else(Vec::new, |text| {
        text.split([' ', ',', '\n', '\t']).filter_map(|n| n.trim().parse().ok()).collect()
    });
    let (wide, tall) = (of("width").and_then(length), of("height").and_then(length));
    let box_size =
        if view.len() == 4 && view[2] > 0.0 && view[3] > 0.0 { Some((view[2], view[3])) } else { None };
    let (wide, tall) = match (wide, tall, box_size) {
        (Some(w), Some(h), _) => (Some(w), Some(h)),
        (Some(w), None, Some((bw, bh))) => (Some(w), Some(w * bh / bw)),
        (None, Some(h), Some((bw, bh))) => (Some(h * bw / bh), Some(h)),
        (None, None, Some((bw, bh))) => (Some(bw), Some(bh)),
        other => (other.0, other.1),
    };
    let whole = |n: Option<f64>| n.map(|n| whole32(n.clamp(1.0, 1e6)));
    (facts.width, facts.height) = (whole(wide), whole(tall));
    if facts.width.is_none() || facts.height.is_none() {
        probe.problem(
            Code::UnknownCodec,
            "its size is that of the place where it is shown, or of the letters there",
        );
    }
}
