//! The tables of a transport stream (ISO 13818-1, 2.4.4): which programs it has, and which streams each of them.

use super::{picture::Coding, sound::Frames};

/// No section is longer: 12 bits of length behind 3 bytes.
const LONGEST: usize = 4098;
/// A table that changes more often than this is no table.
const VERSIONS: u32 = 1000;

/// What a stream carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carries {
    Picture(Coding),
    Sound(Frames),
    /// Captions, data, or something unknown.
    Other,
}

/// Puts sections together out of the packets of one id.
#[derive(Default)]
pub(super) struct Sections {
    bytes: Vec<u8>,
    open: bool,
    last: Vec<u8>,
    met: u32,
}

impl Sections {
    /// The next packet's payload; `meet` gets each section that is whole, and new.
    pub(super) fn feed(&mut self, starts: bool, payload: &[u8], meet: &mut impl FnMut(&[u8])) {
        let mut payload = payload;
        if starts {
            let Some((pointer, rest)) = payload.split_first() else { return };
            let (before, after) = rest.split_at(rest.len().min(usize::from(*pointer)));
            self.add(before, meet);
            self.bytes.clear();
            self.open = true;
            payload = after;
        }
        self.add(payload, meet);
    }

    fn add(&mut self, payload: &[u8], meet: &mut impl FnMut(&[u8])) {
        if !self.open {
            return;
        }
        self.bytes.extend_from_slice(payload);
        while let Some(head) = self.bytes.get(..3) {
            let end = 3 + (usize::from(head[1] & 15) << 8 | usize::from(head[2]));
            // A table of kind 255 is stuffing to the end of the packet.
            if head[0] == 0xff || end > LONGEST {
                self.open = false;
                return;
            }
            let Some(section) = self.bytes.get(..end) else { return };
            if section != self.last && self.met < VERSIONS {
                self.met += 1;
                self.last = section.to_vec();
                if whole(section) {
                    meet(section);
                }
            }
            self.bytes.drain(..end);
            if self.bytes.is_empty() {
                self.open = false;
                return;
            }
        }
    }
}

/// Is it of the long kind, and does its checksum hold (2.4.4.10, annex A)?
fn whole(section: &[u8]) -> bool {
    let sum = section.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
            if sum >> 31 > 0 { sum << 1 ^ 0x04c1_1db7 } else { sum << 1 }
        })
    });
    section.len() >= 12 && section[1] & 0x80 > 0 && sum == 0
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).map(|n| u16::from_be_bytes([n[0], n[1]]))
}

/// The ids of the packets that hold the programs' own tables.
pub(super) fn programs(section: &[u8]) -> Vec<u16> {
    if section.first() != Some(&0) {
        return Vec::new();
    }
    let entries = section.get(8..section.len().saturating_sub(4)).unwrap_or_default();
    entries
        .chunks_exact(4)
        .filter(|entry| entry[..2] != [0, 0]) // the network's
        .filter_map(|entry| Some(be16(entry, 2)? & 0x1fff))
        .collect()
}

/// The streams of a program: the id of their packets, and what they carry.
pub(super) fn streams(section: &[u8]) -> Vec<(u16, Carries)> {
    let mut found = Vec::new();
    if section.first() != Some(&2) {
        return found;
    }
    let _ = entries(section, &mut found);
    found
}

fn entries(section: &[u8], found: &mut Vec<(u16, Carries)>) -> Option<()> {
    let end = section.len().checked_sub(4)?;
    let own = usize::from(be16(section, 10)? & 0xfff);
    let of_disc = registered(section.get(12..12 + own)?) == Some(*b"HDMV");
    let mut at = 12 + own;
    while at + 5 <= end {
        let length = usize::from(be16(section, at + 3)? & 0xfff);
        let told = section.get(at + 5..(at + 5 + length).min(end))?;
        found.push((be16(section, at + 1)? & 0x1fff, carries(section[at], told, of_disc)));
        at += 5 + length;
    }
    Some(())
}

/// The descriptors of a stream: tag and body.
fn descriptors(mut bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let (tag, length) = (*bytes.first()?, usize::from(*bytes.get(1)?));
        let body = bytes.get(2..2 + length)?;
        bytes = &bytes[2 + length..];
        Some((tag, body))
    })
}

/// The four letters under which a format was registered (2.6.8).
fn registered(told: &[u8]) -> Option<[u8; 4]> {
    descriptors(told).find(|(tag, _)| *tag == 5).and_then(|(_, body)| body.get(..4)?.try_into().ok())
}

/// By the type of a stream (table 2-34; above 0x7f it is the business of ATSC, SCTE or a disc), and for private ones by
/// their descriptors (ETSI EN 300 468; Opus by its own).
fn carries(kind: u8, told: &[u8], of_disc: bool) -> Carries {
    use Carries::{Other, Picture, Sound};
    match kind {
        0x01 | 0x02 => Picture(Coding::Mpeg2),
        0x03 | 0x04 => Sound(Frames::Mpeg),
        0x0f => Sound(Frames::Adts),
        0x10 => Picture(Coding::Mpeg4),
        0x11 | 0x1c => Sound(Frames::Other("aac_latm")),
        0x1b => Picture(Coding::H264),
        0x21 => Picture(Coding::Other("jpeg2000")),
        0x24 => Picture(Coding::Hevc),
        0x33 => Picture(Coding::Other("vvc")),
        0x42 => Picture(Coding::Other("cavs")),
        0xd1 => Picture(Coding::Other("dirac")),
        0xd2 => Picture(Coding::Other("avs2")),
        0xea => Picture(Coding::Other("vc1")),
        0x80 if of_disc => Sound(Frames::Other("pcm")),
        0x83 if of_disc => Sound(Frames::Other("truehd")),
        0x82 | 0x85 | 0x86 if of_disc => Sound(Frames::Other("dts")),
        0x8a => Sound(Frames::Other("dts")),
        0x81 => Sound(Frames::Ac3),
        0x84 | 0x87 => Sound(Frames::Eac3),
        0x06 => private(told),
        _ => Other,
    }
}

fn private(told: &[u8]) -> Carries {
    use Carries::{Other, Picture, Sound};
    match registered(told).as_ref() {
        Some(b"AC-3") => return Sound(Frames::Ac3),
        Some(b"EAC3") => return Sound(Frames::Eac3),
        Some(b"DTS1" | b"DTS2" | b"DTS3") => return Sound(Frames::Other("dts")),
        Some(b"BSSD") => return Sound(Frames::Other("s302m")),
        Some(b"HEVC") => return Picture(Coding::Hevc),
        Some(b"AV01") => return Picture(Coding::Other("av1")),
        Some(b"VC-1") => return Picture(Coding::Other("vc1")),
        Some(b"Opus") => {
            let layout = descriptors(told).find_map(|(tag, body)| match body {
                [0x80, layout, ..] if tag == 0x7f => Some(*layout),
                _ => None,
            });
            // 0 is two separate voices, 1 to 8 are so many channels.
            let channels = layout.map_or(0, |layout| if layout == 0 { 2 } else { layout });
            return Sound(Frames::Opus { channels });
        }
        _ => {}
    }
    let named = descriptors(told).find_map(|(tag, _)| match tag {
        0x6a => Some(Frames::Ac3),
        0x7a => Some(Frames::Eac3),
        0x7b => Some(Frames::Other("dts")),
        0x7c => Some(Frames::Other("aac_latm")),
        _ => None,
    });
    named.map_or(Other, Sound)
}

#[cfg(test)]
mod tests {
    use super::{Carries, Coding, Frames, Sections, programs, streams};

    /// As ffmpeg writes them: one program, its table in packets of the id 0x1000.
    const PAT: &[u8] = b"\0\xb0\x0d\0\x01\xc1\0\0\0\x01\xf0\0\x2a\xb1\x04\xb2";
    const PMT: &[u8] =
        b"\x02\xb0\x17\0\x01\xc1\0\0\xe1\0\xf0\0\x1b\xe1\0\xf0\0\x0f\xe1\x01\xf0\0\x2f\x44\xb9\x9b";

    fn met(payloads: &[(bool, &[u8])]) -> Vec<Vec<u8>> {
        let (mut sections, mut met) = (Sections::default(), Vec::new());
        for (starts, payload) in payloads {
            sections.feed(*starts, payload, &mut |section| met.push(section.to_vec()));
        }
        met
    }

    #[test]
    fn tables_are_put_together_and_a_broken_one_is_none() {
        let whole = [b"\0", PMT, &[0xff; 20]].concat();
        assert_eq!(met(&[(true, &whole), (true, &whole)]), [PMT], "the second says nothing new");
        let (first, rest) = PMT.split_at(9);
        let (first, last) = ([b"\0", first].concat(), [&[17], rest, PAT].concat());
        assert_eq!(met(&[(true, &first), (true, &last)]), [PMT, PAT], "one ends where the next begins");
        let mut broken = whole.clone();
        broken[13] ^= 1;
        assert_eq!(met(&[(true, &broken)]), Vec::<Vec<u8>>::new(), "its checksum does not hold");
        assert_eq!(met(&[(false, &whole)]), Vec::<Vec<u8>>::new(), "nothing begins here");
    }

    #[test]
    fn they_name_programs_and_streams() {
        assert_eq!(programs(PAT), [0x1000]);
        let found = [(0x100, Carries::Picture(Coding::H264)), (0x101, Carries::Sound(Frames::Adts))];
        assert_eq!(streams(PMT), found);
        assert_eq!(streams(PAT), [], "it is another table");
    }
}
