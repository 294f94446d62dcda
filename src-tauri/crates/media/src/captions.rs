//! Captions inside an MP4 (`tx3g`, "mov_text") as WebVTT, in the worker. Other containers' captions are not read.

use crate::worker::{Input, Registry};
use re_mp4::{Mp4, TrackKind};
use std::{
    fmt::Write as _,
    io::{BufReader, Read, Seek, SeekFrom},
};

/// The longest caption that is read, bytes; the box that states its length has 16 bits.
const LONGEST: u64 = 2 + 65_535;
/// Captions that are read.
const MOST: usize = 20_000;

pub(crate) fn register(registry: Registry) -> Registry {
    registry.with_reply("captions", |(): (), input| captions(input))
}

fn captions(input: &Input) -> Result<Option<String>, String> {
    if input.head(12)?.get(4..8).is_none_or(|kind| kind != b"ftyp") {
        return Ok(None);
    }
    let mp4 = Mp4::read(BufReader::new(input.open()?), input.length()?)
        .map_err(|e| format!("the container cannot be read: {e}"))?;
    let Some(track) = mp4.tracks().values().find(|track| track.kind == Some(TrackKind::Subtitle)) else {
        return Ok(None);
    };
    let mut from = input.open()?;
    let mut out = "WEBVTT\n".to_owned();
    for sample in track.samples.iter().take(MOST) {
        let mut bytes = Vec::new();
        let read = from
            .seek(SeekFrom::Start(sample.offset))
            .and_then(|_| from.by_ref().take(sample.size.min(LONGEST)).read_to_end(&mut bytes));
        if read.is_err() {
            break;
        }
        let Some(text) = text_of(&bytes).filter(|text| !text.trim().is_empty()) else { continue };
        let scale = sample.timescale.max(1);
        let ms = |ticks: i64| u64::try_from(ticks).unwrap_or(0).saturating_mul(1000) / scale;
        let end = sample.composition_timestamp.saturating_add_unsigned(sample.duration);
        let (begins, ends) = (stamp(ms(sample.composition_timestamp)), stamp(ms(end)));
        // A blank line would end the cue, and `-->` in a line would begin another.
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).map(escaped).collect();
        let _ = write!(out, "\n{begins} --> {ends}\n{}\n", lines.join("\n"));
    }
    Ok(Some(out))
}

/// A sample is its text's length and its text, UTF-8, or UTF-16 behind a byte order mark; styles follow.
fn text_of(sample: &[u8]) -> Option<String> {
    let length = usize::from(u16::from_be_bytes([*sample.first()?, *sample.get(1)?]));
    let text = sample.get(2..2 + length)?;
    Some(match text {
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => encoding_rs::UTF_16BE.decode(text).0.into_owned(),
        text => String::from_utf8_lossy(text).into_owned(),
    })
}

fn escaped(line: &str) -> String {
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn stamp(ms: u64) -> String {
    format!("{:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_cannot_leave_its_cue() {
        assert_eq!(text_of(b"\0\x02hi\0\0\0\x0cstyl"), Some("hi".to_owned()), "styles follow the text");
        assert_eq!(text_of(b"\0\x09hi"), None, "shorter than it says");
        assert_eq!(text_of(b"\0\x04\xfe\xff\0h"), Some("h".to_owned()), "UTF-16 behind its mark");
        assert_eq!(escaped("a --> <b>&"), "a --&gt; &lt;b&gt;&amp;", "nothing in it is markup");
        assert_eq!(stamp(3_723_004), "01:02:03.004", "hours, minutes, seconds, thousandths");
    }
}
