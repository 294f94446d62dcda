//! Pictures, sound and documents.

use super::{AudioFacts, DocumentFacts, ImageFacts, Probe, ProblemCode as Code, sniff::find};
use crate::{document::text, picture, sound::Sound, worker::Input};
use image::{AnimationDecoder, ImageDecoder, codecs::gif::GifDecoder};
use std::io::{BufReader, Read};

/// The most of a document that is looked through.
const LOOKED: u64 = 256 << 20;

pub(super) fn image(probe: &mut Probe, input: &Input) {
    let bytes = input.head(LOOKED).unwrap_or_default();
    let mut facts = ImageFacts { width: None, height: None, orientation: 1, frames: None, alpha: None };
    let format = probe.format.clone();
    match format.as_str() {
        "svg" | "heic" | "avif" => {
            if let Some((width, height)) = ispe(&bytes) {
                (facts.width, facts.height) = (Some(width), Some(height));
            }
            probe.problem(Code::UnknownCodec, "the size or look of this format is not decoded here");
        }
        format => {
            facts.frames = frames(format, &bytes, input);
            match picture::decoder(input) {
                Ok((mut decoder, _)) => {
                    let (width, height) = decoder.dimensions();
                    (facts.width, facts.height) = (Some(width), Some(height));
                    facts.alpha = Some(decoder.color_type().has_alpha());
                    facts.orientation =
                        decoder.orientation().map_or(1, image::metadata::Orientation::to_exif);
                    if let Err(error) = image::DynamicImage::from_decoder(decoder) {
                        probe.problem(Code::Undecodable, &error.to_string());
                    }
                }
                Err(why) if why.contains("more than fit") => probe.problem(Code::Limit, &why),
                Err(why) => probe.problem(Code::Undecodable, &why),
            }
            let end = &bytes[bytes.len().saturating_sub(1 << 16)..];
            let whole = match format {
                "jpeg" => find(end, b"\xff\xd9").is_some(),
                "png" => find(end, b"IEND").is_some(),
                "gif" => end.contains(&0x3b),
                "webp" => {
                    let said = bytes.get(4..8).map_or(0, |n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
                    bytes.len() as u64 >= u64::from(said) + 8
                }
                _ => true,
            };
            if !whole {
                probe.problem(Code::Truncated, "the end of the picture is missing");
            }
        }
    }
    probe.image = Some(facts);
}

fn frames(format: &str, bytes: &[u8], input: &Input) -> Option<u32> {
    match format {
        "gif" => {
            let frames = GifDecoder::new(BufReader::new(input.open().ok()?)).ok()?.into_frames();
            u32::try_from(frames.take(10_000).take_while(Result::is_ok).count()).ok()
        }
        "png" => {
            match find(&bytes[..bytes.len().min(4096)], b"acTL").and_then(|at| bytes.get(at + 4..at + 8)) {
                Some(n) => Some(u32::from_be_bytes([n[0], n[1], n[2], n[3]])),
                None => Some(1),
            }
        }
        "webp" => {
            let (mut at, mut count) = (12_usize, 0);
            while let Some(head) = bytes.get(at..at.saturating_add(8)) {
                count += u32::from(head.starts_with(b"ANMF"));
                let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
                at = at.saturating_add(8).saturating_add(length).saturating_add(length & 1);
            }
            Some(count.max(1))
        }
        _ => Some(1),
    }
}

/// The largest `ispe` box of a HEIF file: the coded size.
fn ispe(bytes: &[u8]) -> Option<(u32, u32)> {
    let head = &bytes[..bytes.len().min(1 << 16)];
    let number = |at: usize| head.get(at..at + 4).map(|n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]));
    (0..head.len())
        .filter(|at| head[*at..].starts_with(b"ispe"))
        .filter_map(|at| Some((number(at + 8)?, number(at + 12)?)))
        .max()
}

pub(super) fn audio(probe: &mut Probe, input: &Input) {
    let mut facts = AudioFacts {
        codec: None,
        sample_rate: None,
        channels: None,
        duration_ms: None,
        variable_bitrate: None,
    };
    if probe.format == "opus" {
        opus(&mut facts, input);
        probe.audio = Some(facts);
        return;
    }
    match Sound::open(input) {
        Ok(mut sound) => {
            facts.codec =
                Some(if sound.codec.starts_with("pcm") { "pcm".to_owned() } else { sound.codec.clone() });
            let mut samples = 0_u64;
            let decoded = sound.decode(|_, part| {
                samples += part.len() as u64;
                Ok(true)
            });
            match decoded {
                Ok(Some(format)) => {
                    facts.sample_rate = Some(format.sample_rate);
                    facts.channels = Some(u32::from(format.channels));
                    let frames = samples / u64::from(format.channels.max(1));
                    let ms = |frames: u64| {
                        (frames * 1000 + u64::from(format.sample_rate) / 2)
                            / u64::from(format.sample_rate.max(1))
                    };
                    facts.duration_ms = Some(ms(frames));
                    if let Some(promised) = sound.promised
                        && promised.abs_diff(frames) > u64::from(format.sample_rate) / 5
                    {
                        let why = format!("{} ms decode; the container says {} ms", ms(frames), ms(promised));
                        probe.problem(Code::LengthMismatch, &why);
                        if frames < promised {
                            probe.problem(Code::Truncated, "the sound ends before the container says");
                        }
                    }
                }
                Ok(None) => probe.problem(Code::Undecodable, "nothing of the sound decodes"),
                Err(why) => probe.problem(Code::Undecodable, &why),
            }
            if sound.broken > 0 {
                probe.problem(Code::Undecodable, &format!("{} packets do not decode", sound.broken));
            }
        }
        Err(why) => probe.problem(Code::Undecodable, &why),
    }
    if probe.format == "mp3" {
        let head = input.head(1 << 16).unwrap_or_default();
        facts.variable_bitrate = if find(&head, b"Xing").is_some() || find(&head, b"VBRI").is_some() {
            Some(true)
        } else {
            find(&head, b"Info").map(|_| false)
        };
    }
    probe.audio = Some(facts);
}

/// Ogg Opus: channels and pre-skip from its head, the length from the last page (RFC 7845: always 48 kHz).
fn opus(facts: &mut AudioFacts, input: &Input) {
    let bytes = input.head(LOOKED).unwrap_or_default();
    facts.codec = Some("opus".to_owned());
    facts.sample_rate = Some(48_000);
    let Some(head) =
        find(&bytes[..bytes.len().min(4096)], b"OpusHead").and_then(|at| bytes.get(at + 8..at + 12))
    else {
        return;
    };
    facts.channels = Some(u32::from(head[1]));
    let skip = u64::from(u16::from_le_bytes([head[2], head[3]]));
    let last =
        bytes.windows(4).rposition(|window| window == b"OggS").and_then(|at| bytes.get(at + 6..at + 14));
    if let Some(n) = last {
        let end = u64::from_le_bytes([n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]]);
        facts.duration_ms = end.checked_sub(skip).map(|frames| frames / 48);
    }
}

pub(super) fn document(probe: &mut Probe, input: &Input) {
    let mut facts = DocumentFacts::default();
    match probe.format.as_str() {
        "pdf" => pdf(probe, &mut facts, input),
        "docx" | "xlsx" | "pptx" | "odt" => office(probe, &mut facts, input),
        "rtf" => {}
        _ => {
            let bytes = input.head(4 << 20).unwrap_or_default();
            facts.encoding = Some(text::encoding_of(&bytes).name().to_owned());
            let lower = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
            if probe.format == "html" && (lower.contains("<script") || lower.contains("javascript:")) {
                probe.problem(Code::ActiveContent, "the page holds scripts");
            }
        }
    }
    probe.document = Some(facts);
}

fn pdf(probe: &mut Probe, facts: &mut DocumentFacts, input: &Input) {
    let bytes = input.head(LOOKED).unwrap_or_default();
    if find(&bytes[bytes.len().saturating_sub(2048)..], b"%%EOF").is_none() {
        probe.problem(Code::Truncated, "the PDF's end mark is missing");
    }
    if [&b"/JavaScript"[..], b"/JS", b"/Launch", b"/RichMedia"]
        .iter()
        .any(|mark| find(&bytes, mark).is_some())
    {
        probe.problem(Code::ActiveContent, "the PDF holds scripts or actions");
    }
    facts.encrypted = find(&bytes, b"/Encrypt").is_some();
    match pdf_extract::Document::load_mem(&bytes) {
        Ok(pdf) => {
            facts.encrypted |= pdf.is_encrypted();
            facts.pages = u32::try_from(pdf.get_pages().len()).ok().filter(|pages| *pages > 0);
            if facts.pages.is_none() {
                probe.problem(Code::Undecodable, "the PDF has no readable page");
            }
        }
        Err(error) => probe.problem(Code::Undecodable, &error.to_string()),
    }
    if facts.encrypted {
        probe.problem(Code::Encrypted, "the PDF is encrypted");
    }
}

fn office(probe: &mut Probe, facts: &mut DocumentFacts, input: &Input) {
    let Ok(mut zip) = input.open().and_then(|file| zip::ZipArchive::new(file).map_err(|e| e.to_string()))
    else {
        probe.problem(Code::Undecodable, "the zip inside cannot be read");
        return;
    };
    let names: Vec<String> = zip.file_names().flatten().map(std::borrow::Cow::into_owned).collect();
    if names.iter().any(|name| name.ends_with("vbaProject.bin")) {
        probe.problem(Code::ActiveContent, "the document holds macros");
    }
    let mut count = |entry: &str, mark: &str| -> Option<u32> {
        let mut xml = String::new();
        zip.by_name(entry).ok()?.take(16 << 20).read_to_string(&mut xml).ok()?;
        u32::try_from(xml.matches(mark).count()).ok()
    };
    match probe.format.as_str() {
        "xlsx" => facts.sheets = count("xl/workbook.xml", "<sheet "),
        "pptx" => facts.slides = count("ppt/presentation.xml", "<p:sldId "),
        _ => {}
    }
}
