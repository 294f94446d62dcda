//! The pictures of an elementary stream: their size from its headers, and where each begins. Nothing is decoded.
//!
//! MPEG-1 and -2 (ISO 13818-2), MPEG-4 part 2 (ISO 14496-2), H.264 and H.265 all part their streams by the bytes 0 0 1. Two
//! fields that make one frame are one picture, as a player shows them.

use crate::probe::bits::Bits;

/// What is read of each unit behind a start code: enough for a parameter set with all its tables.
const KEPT: usize = 1024;

/// Which of them it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    /// MPEG-1 and MPEG-2.
    Mpeg2,
    /// MPEG-4 part 2.
    Mpeg4,
    H264,
    Hevc,
    /// Another: each packet with a time is a picture.
    Other(&'static str),
}

/// The pictures of one stream.
pub(super) struct Pictures {
    coding: Coding,
    pub(super) size: Option<(u32, u32)>,
    /// Frames per second, where the headers say it.
    pub(super) rate: Option<f64>,
    pub(super) count: u64,
    /// MPEG-2 begins like MPEG-1 and says so behind its first header.
    second: bool,
    /// A field waits for the other one of its frame.
    half: bool,
    slices: Option<Slices>,
    /// What follows the first picture that can be decoded on its own may need one before it, which is not there.
    leading: Leading,
    /// A picture whose header was read and whose first slice was not yet.
    begun: Option<Place>,
    unit: Vec<u8>,
    /// Where the unit that is being read began.
    open: Option<Place>,
    /// The end of what was read, where a start code may have begun.
    carry: Vec<u8>,
}

/// How the slices of H.264 say that they are of a field.
#[derive(Clone, Copy)]
struct Slices {
    separate_planes: bool,
    frame_number_bits: usize,
    only_frames: bool,
}

/// The packet (PES) in which something began: the how-manieth, and the time that it says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) packet: u64,
    pub(super) time: Option<i64>,
}

#[derive(PartialEq)]
enum Leading {
    NothingYet,
    Left,
    Shown,
}

impl Pictures {
    pub(super) fn new(coding: Coding) -> Self {
        Self {
            coding,
            size: None,
            rate: None,
            count: 0,
            second: false,
            half: false,
            slices: None,
            leading: Leading::NothingYet,
            begun: None,
            unit: Vec::new(),
            open: None,
            carry: Vec::new(),
        }
    }

    /// The codec's name.
    pub(super) fn codec(&self) -> &'static str {
        match self.coding {
            Coding::Mpeg2 if self.count > 0 && !self.second => "mpeg1video",
            Coding::Mpeg2 => "mpeg2video",
            Coding::Mpeg4 => "mpeg4",
            Coding::H264 => "h264",
            Coding::Hevc => "hevc",
            Coding::Other(name) => name,
        }
    }

    /// Are pictures looked for in the stream itself?
    pub(super) fn is_read(&self) -> bool {
        !matches!(self.coding, Coding::Other(_))
    }

    /// Reads on, in the packet that is named; `meet` is called with where each picture began.
    pub(super) fn feed(&mut self, data: &[u8], place: Place, meet: &mut impl FnMut(Place)) {
        let mut bytes = std::mem::take(&mut self.carry);
        bytes.extend_from_slice(data);
        let mut at = 0;
        while let Some(next) = start_code(&bytes, at) {
            self.keep(&bytes[at..next]);
            self.close(meet);
            self.open = Some(place);
            at = next + 3;
        }
        let rest = &bytes[at..];
        let zeros = rest.iter().rev().take(2).take_while(|byte| **byte == 0).count();
        let (whole, carry) = rest.split_at(rest.len() - zeros);
        self.keep(whole);
        self.carry = carry.to_vec();
    }

    /// The stream ends.
    pub(super) fn end(&mut self, meet: &mut impl FnMut(Place)) {
        self.close(meet);
        if let Some(place) = self.begun.take() {
            self.count += 1;
            meet(place);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.open.is_some() {
            let room = KEPT.saturating_sub(self.unit.len());
            self.unit.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }

    fn close(&mut self, meet: &mut impl FnMut(Place)) {
        let unit = std::mem::take(&mut self.unit);
        if let (Some(place), false) = (self.open.take(), unit.is_empty())
            && let Some(begun) = self.unit(&unit, place)
        {
            self.count += 1;
            meet(begun);
        }
        self.unit = unit;
        self.unit.clear();
    }

    /// Where the picture began of which this unit tells; none where it tells of none, or is broken.
    fn unit(&mut self, unit: &[u8], place: Place) -> Option<Place> {
        match self.coding {
            Coding::Mpeg2 => self.mpeg2(unit, place),
            Coding::Mpeg4 => self.mpeg4(unit).then_some(place),
            Coding::H264 => self.h264(unit)?.then_some(place),
            Coding::Hevc => self.hevc(unit)?.then_some(place),
            Coding::Other(_) => None,
        }
    }

    fn mpeg2(&mut self, unit: &[u8], place: Place) -> Option<Place> {
        let mut bits = Bits(unit, 8);
        match unit[0] {
            // A sequence.
            0xb3 => {
                let (wide, tall) = (bits.take(12)?, bits.take(12)?);
                bits.skip(4);
                self.rate = mpeg_rate(bits.take(4)?);
                self.size = Some((wide, tall)).filter(|size| size.0 > 0 && size.1 > 0);
                None
            }
            0xb5 => match bits.take(4)? {
                // Of a sequence: the high bits of its size.
                1 => {
                    self.second = true;
                    bits.skip(8 + 1 + 2);
                    let (wide, tall) = (bits.take(2)?, bits.take(2)?);
                    bits.skip(12 + 1 + 8 + 1);
                    let (times, over) = (bits.take(2)?, bits.take(5)?);
                    self.size = self.size.map(|(w, h)| (w | wide << 12, h | tall << 12));
                    self.rate = self.rate.map(|rate| rate * f64::from(times + 1) / f64::from(over + 1));
                    None
                }
                // Of a picture: a frame, or a field of one.
                8 => {
                    let begun = self.begun.take()?;
                    bits.skip(16 + 2);
                    let whole = bits.take(2)? == 3;
                    self.shows(!whole).then_some(begun)
                }
                _ => None,
            },
            // A picture; before a header of a sequence nothing decodes.
            0x00 if self.size.is_some() => self.begun.replace(place),
            // Its first slice, in MPEG-1.
            0x01..=0xaf => self.begun.take(),
            _ => None,
        }
    }

    /// Does it show as a frame of its own? Not where it is the second of two fields.
    fn shows(&mut self, field: bool) -> bool {
        let second = field && self.half;
        self.half = field && !second;
        !second
    }

    fn mpeg4(&mut self, unit: &[u8]) -> bool {
        if (0x20..=0x2f).contains(&unit[0]) {
            self.size = visual_size(unit).or(self.size);
        }
        unit[0] == 0xb6 && self.size.is_some()
    }

    fn h264(&mut self, unit: &[u8]) -> Option<bool> {
        match unit[0] & 0x1f {
            7 => {
                let (size, slices) = h264_sequence(&unescaped(&unit[1..]))?;
                (self.size, self.slices) = (self.size.or(Some(size)), Some(slices));
                Some(false)
            }
            1 | 5 => {
                let slices = self.slices?;
                let head = unescaped(unit.get(1..unit.len().min(48))?);
                let mut bits = Bits(&head, 0);
                if bits.golomb()? > 0 {
                    return None; // not the first slice of its picture
                }
                bits.golomb()?;
                bits.golomb()?;
                if slices.separate_planes && bits.take(2)? > 0 {
                    return None;
                }
                bits.take(slices.frame_number_bits)?;
                let field = !slices.only_frames && bits.flag()?;
                Some(self.shows(field))
            }
            _ => None,
        }
    }

    fn hevc(&mut self, unit: &[u8]) -> Option<bool> {
        let (kind, second) = (unit[0] >> 1 & 0x3f, *unit.get(1)?);
        if unit[0] & 1 > 0 || second >> 3 > 0 {
            return None; // another layer
        }
        if kind == 33 && self.size.is_none() {
            self.size = hevc_size(&unescaped(unit.get(2..)?));
        }
        let first_slice = kind < 32 && unit.get(2)? & 0x80 > 0;
        if !first_slice || self.size.is_none() {
            return None;
        }
        let random_access = (16..=23).contains(&kind);
        if random_access {
            let first = self.leading == Leading::NothingYet;
            let broken_link = kind <= 18;
            let open = broken_link || (kind == 21 && first);
            self.leading = if open { Leading::Left } else { Leading::Shown };
        }
        // Pictures that show before the one at which the film is entered, and need others still before it.
        let skipped = matches!(kind, 8 | 9) && self.leading == Leading::Left;
        Some(self.leading != Leading::NothingYet && !skipped)
    }
}

/// Where the next 0 0 1 stands.
fn start_code(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(third) = bytes.get(at + 2) {
        match third {
            0 => at += 1,
            1 if bytes[at] == 0 && bytes[at + 1] == 0 => return Some(at),
            _ => at += 3,
        }
    }
    None
}

/// Without the 3 that keeps 0 0 3 from being a start code (ITU-T H.264, 7.4.1).
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let (mut out, mut zeros) = (Vec::with_capacity(bytes.len()), 0);
    for byte in bytes {
        if zeros >= 2 && *byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        out.push(*byte);
    }
    out
}

/// Frames per second by their code in the header of a sequence (ISO 13818-2, table 6-4).
fn mpeg_rate(code: u32) -> Option<f64> {
    let ntsc = |whole: f64| whole * 1000.0 / 1001.0;
    Some(match code {
        1 => ntsc(24.0),
        2 => 24.0,
        3 => 25.0,
        4 => ntsc(30.0),
        5 => 30.0,
        6 => 50.0,
        7 => ntsc(60.0),
        8 => 60.0,
        _ => return None,
    })
}

/// The size in a video object layer (ISO 14496-2, 6.2.3), of a rectangle.
fn visual_size(unit: &[u8]) -> Option<(u32, u32)> {
    let mut bits = Bits(unit, 8 + 1 + 8);
    let mut version = 1;
    if bits.flag()? {
        version = bits.take(4)?;
        bits.skip(3);
    }
    if bits.take(4)? == 15 {
        bits.skip(16);
    }
    if bits.flag()? {
        bits.skip(3);
        if bits.flag()? {
            bits.skip(79);
        }
    }
    let shape = bits.take(2)?;
    if shape == 3 && version > 1 {
        bits.skip(4);
    }
    bits.skip(1);
    let resolution = bits.take(16)?;
    bits.skip(1);
    if bits.flag()? {
        bits.skip(usize::try_from((resolution.max(2) - 1).ilog2() + 1).unwrap_or(16));
    }
    if shape != 0 {
        return None;
    }
    bits.skip(1);
    let wide = bits.take(13)?;
    bits.skip(1);
    Some((wide, bits.take(13)?))
}

/// What a crop leaves of a side.
fn cropped(whole: u64, cut: u64) -> Option<u32> {
    whole.checked_sub(cut).and_then(|side| u32::try_from(side).ok()).filter(|side| *side > 0)
}

/// Size and kind of slices in a sequence parameter set of H.264 (7.3.2.1.1).
fn h264_sequence(set: &[u8]) -> Option<((u32, u32), Slices)> {
    let mut bits = Bits(set, 0);
    let profile = bits.take(8)?;
    bits.skip(16);
    bits.golomb()?;
    let (mut chroma, mut separate_planes) = (1, false);
    if matches!(profile, 100 | 110 | 122 | 244 | 44 | 83 | 86 | 118 | 128 | 138 | 139 | 134 | 135) {
        chroma = bits.golomb()?;
        separate_planes = chroma == 3 && bits.flag()?;
        bits.golomb()?;
        bits.golomb()?;
        bits.skip(1);
        if bits.flag()? {
            for list in 0..if chroma == 3 { 12 } else { 8 } {
                if bits.flag()? {
                    scaling_list(&mut bits, if list < 6 { 16 } else { 64 })?;
                }
            }
        }
    }
    let frame_number_bits = usize::try_from(bits.golomb()?).ok()?.checked_add(4).filter(|n| *n <= 16)?;
    match bits.golomb()? {
        0 => {
            bits.golomb()?;
        }
        1 => {
            bits.skip(1);
            bits.golomb()?;
            bits.golomb()?;
            for _ in 0..bits.golomb()?.min(255) {
                bits.golomb()?;
            }
        }
        _ => {}
    }
    bits.golomb()?;
    bits.skip(1);
    let (wide, tall) = (u64::from(bits.golomb()?) + 1, u64::from(bits.golomb()?) + 1);
    let only_frames = bits.flag()?;
    if !only_frames {
        bits.skip(1);
    }
    bits.skip(1);
    let mut crop = [0_u64; 4];
    if bits.flag()? {
        for side in &mut crop {
            *side = u64::from(bits.golomb()?);
        }
    }
    let fields = if only_frames { 1 } else { 2 };
    let (across, down) = match chroma {
        1 => (2, 2 * fields),
        2 => (2, fields),
        _ => (1, fields),
    };
    let size = (
        cropped(wide * 16, across * (crop[0] + crop[1]))?,
        cropped(tall * 16 * fields, down * (crop[2] + crop[3]))?,
    );
    Some((size, Slices { separate_planes, frame_number_bits, only_frames }))
}

/// Passes over a list of scaling factors (7.3.2.1.1.1).
fn scaling_list(bits: &mut Bits<'_>, length: usize) -> Option<()> {
    let (mut last, mut next) = (8_i64, 8_i64);
    for _ in 0..length {
        if next != 0 {
            next = (last + bits.signed_golomb()?).rem_euclid(256);
        }
        last = if next == 0 { last } else { next };
    }
    Some(())
}

/// The size in a sequence parameter set of H.265 (7.3.2.2.1).
fn hevc_size(set: &[u8]) -> Option<(u32, u32)> {
    let mut bits = Bits(set, 4);
    let layers = usize::try_from(bits.take(3)?).ok()?;
    // Nesting, then the profile, tier and level of all, and of each lower layer what it has.
    bits.skip(1 + 96);
    let mut of_layer = [(false, false); 8];
    for has in of_layer.iter_mut().take(layers) {
        *has = (bits.flag()?, bits.flag()?);
    }
    if layers > 0 {
        bits.skip(2 * (8 - layers));
    }
    for (profile, level) in of_layer {
        bits.skip(if profile { 88 } else { 0 } + if level { 8 } else { 0 });
    }
    bits.golomb()?;
    let chroma = bits.golomb()?;
    if chroma == 3 {
        bits.skip(1);
    }
    let (wide, tall) = (u64::from(bits.golomb()?), u64::from(bits.golomb()?));
    let mut crop = [0_u64; 4];
    if bits.flag()? {
        for side in &mut crop {
            *side = u64::from(bits.golomb()?);
        }
    }
    let (across, down) = match chroma {
        1 => (2, 2),
        2 => (2, 1),
        _ => (1, 1),
    };
    Some((cropped(wide, across * (crop[0] + crop[1]))?, cropped(tall, down * (crop[2] + crop[3]))?))
}

#[cfg(test)]
mod tests {
    use super::{Coding, Pictures, Place, start_code, unescaped};

    #[test]
    fn start_codes_are_found_across_the_bounds_of_packets() {
        assert_eq!(start_code(&[9, 0, 0, 1, 7], 0), Some(1));
        assert_eq!(start_code(&[0, 0, 0, 0, 1], 0), Some(2), "zeros may stand before it");
        assert_eq!(start_code(&[0, 1, 0, 0, 2, 0, 0], 0), None);
        assert_eq!(unescaped(&[0, 0, 3, 1, 0, 0, 0, 3]), [0, 0, 1, 0, 0, 0], "the 3 behind two zeros goes");
    }

    /// MPEG-2: a sequence of 720 x 576 at 25 frames a second, one frame, then a frame of two fields.
    #[test]
    fn two_fields_are_one_picture() {
        let stream = [
            b"\0\0\x01\xb3\x2d\x02\x40\x23\xff\xff\xe0\0".as_slice(),
            b"\0\0\x01\xb5\x14\x8a\0\x01\0\0",
            b"\0\0\x01\0\0\x08\xff\xff\0\0\x01\xb5\x81\x11\x13\x80\0\0\x01\x01abc",
            b"\0\0\x01\0\0\x08\xff\xff\0\0\x01\xb5\x81\x11\x11\x80\0\0\x01\x01abc",
            b"\0\0\x01\0\0\x08\xff\xff\0\0\x01\xb5\x81\x11\x12\x80\0\0\x01\x01abc",
        ]
        .concat();
        for packet in [1_usize, 2, 3, 7, 1000] {
            let (mut pictures, mut met) = (Pictures::new(Coding::Mpeg2), Vec::new());
            for (nth, part) in (0..).zip(stream.chunks(packet)) {
                pictures.feed(part, Place { packet: nth, time: None }, &mut |place| met.push(place.packet));
            }
            pictures.end(&mut |place| met.push(place.packet));
            assert_eq!(pictures.count, 2, "in packets of {packet}");
            // The last byte of their start codes is the 24th and the 47th.
            assert_eq!(met, [24, 47].map(|at| at / packet as u64), "in packets of {packet}");
            assert_eq!(pictures.size, Some((720, 576)));
            assert_eq!(pictures.rate, Some(25.0));
            assert_eq!(pictures.codec(), "mpeg2video");
        }
    }
}
