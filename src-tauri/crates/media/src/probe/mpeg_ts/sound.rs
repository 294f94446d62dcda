//! The sound of an elementary stream, by the heads of its frames: they say rate and channels, and counted they say how long it
//! is.

use crate::probe::{aac, bits::Bits, mpeg};

/// As many bytes as any head of a frame takes.
const HEAD: usize = 8;

/// Which frames a stream is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frames {
    /// MPEG-1 and -2, of any layer.
    Mpeg,
    /// AAC with a head on each frame.
    Adts,
    Ac3,
    Eac3,
    /// Always at 48 kHz; 0 channels are unknown ones.
    Opus {
        channels: u8,
    },
    /// Another, by its name: its frames are not read.
    Other(&'static str),
}

/// What the head of a frame says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    codec: &'static str,
    /// In bytes, with the head.
    length: usize,
    samples: u64,
    pub(super) sample_rate: u32,
    /// None where a frame's body would say it.
    pub(super) channels: Option<u32>,
}

/// The sound of one stream.
pub(super) struct Sounds {
    frames: Frames,
    pub(super) first: Option<Frame>,
    pub(super) samples: u64,
    /// Bytes that belong to no frame.
    pub(super) stray: u64,
    /// Bytes of the frame that are still to come.
    missing: usize,
    carry: Vec<u8>,
}

impl Sounds {
    pub(super) fn new(frames: Frames) -> Self {
        Self { frames, first: None, samples: 0, stray: 0, missing: 0, carry: Vec::new() }
    }

    /// The codec's name.
    pub(super) fn codec(&self) -> &'static str {
        match (self.frames, self.first) {
            (Frames::Opus { .. }, _) => "opus",
            (Frames::Other(name), _) => name,
            (_, Some(frame)) => frame.codec,
            (Frames::Mpeg, None) => "mp3",
            (Frames::Adts, None) => "aac",
            (Frames::Ac3, None) => "ac3",
            (Frames::Eac3, None) => "eac3",
        }
    }

    /// Are its frames looked for?
    pub(super) fn is_read(&self) -> bool {
        !matches!(self.frames, Frames::Opus { .. } | Frames::Other(_))
    }

    /// How many channels a stream of Opus has; 0 where it does not say.
    pub(super) fn opus_channels(&self) -> Option<u32> {
        match self.frames {
            Frames::Opus { channels } => Some(u32::from(channels)),
            _ => None,
        }
    }

    /// Does it end inside a frame?
    pub(super) fn is_cut(&self) -> bool {
        self.missing > 0
    }

    /// Reads on.
    pub(super) fn feed(&mut self, data: &[u8]) {
        let passed = self.missing.min(data.len());
        self.missing -= passed;
        self.carry.extend_from_slice(&data[passed..]);
        let mut at = 0;
        while let Some(head) = self.carry.get(at..at + HEAD) {
            let like_first = |frame: &Frame| {
                self.first
                    .is_none_or(|first| (first.codec, first.sample_rate) == (frame.codec, frame.sample_rate))
            };
            let Some(frame) = self.frames.head(head).filter(like_first) else {
                self.stray += 1;
                at += 1;
                continue;
            };
            self.first.get_or_insert(frame);
            self.samples += frame.samples;
            let end = at + frame.length;
            self.missing = end.saturating_sub(self.carry.len());
            at = end.min(self.carry.len());
        }
        self.carry.drain(..at);
    }
}

impl Frames {
    /// The head of a frame that begins with these bytes, which are [`HEAD`].
    fn head(self, bytes: &[u8]) -> Option<Frame> {
        match self {
            Self::Mpeg => {
                let head = mpeg::header([bytes[0], bytes[1], bytes[2], bytes[3]])?;
                Some(Frame {
                    codec: head.codec(),
                    length: usize::try_from(head.length).ok()?,
                    samples: head.samples,
                    sample_rate: head.sample_rate,
                    channels: Some(head.channels),
                })
            }
            Self::Adts => {
                let head = aac::adts_head(bytes)?;
                Some(Frame {
                    codec: "aac",
                    length: head.length,
                    samples: head.samples,
                    sample_rate: head.sample_rate,
                    channels: head.channels,
                })
            }
            Self::Ac3 | Self::Eac3 => dolby(bytes),
            Self::Opus { .. } | Self::Other(_) => None,
        }
    }
}

/// AC-3 and E-AC-3 (ETSI TS 102 366, 4.3 and E.1.2), which a field in the same place tells apart.
fn dolby(bytes: &[u8]) -> Option<Frame> {
    const RATES: [u32; 3] = [48_000, 44_100, 32_000];
    const KILOBITS: [u32; 19] =
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
    const CHANNELS: [u32; 8] = [2, 1, 2, 3, 3, 4, 4, 5];
    if !bytes.starts_with(&[0x0b, 0x77]) {
        return None;
    }
    let version = *bytes.get(5)? >> 3;
    if version > 10 {
        let mut bits = Bits(bytes, 16);
        // A stream that adds channels to the one before it lasts no longer for that.
        let adds = matches!((bits.take(2)?, bits.take(3)?), (1, _) | (_, 1..));
        let length = (bits.take(11)? as usize + 1) * 2;
        let rate = bits.take(2)?;
        let (sample_rate, blocks) = if rate == 3 {
            (RATES.get(bits.take(2)? as usize)? / 2, 6_u64)
        } else {
            (*RATES.get(rate as usize)?, [1, 2, 3, 6][bits.take(2)? as usize])
        };
        let (mode, low) = (bits.take(3)? as usize, bits.take(1)?);
        let channels = Some(CHANNELS[mode] + low).filter(|_| !adds);
        let samples = if adds { 0 } else { 256 * blocks };
        return (version <= 16).then_some(Frame { codec: "eac3", length, samples, sample_rate, channels });
    }
    let sample_rate = *RATES.get(usize::from(bytes[4] >> 6))?;
    let code = usize::from(bytes[4] & 63);
    let kilobits = *KILOBITS.get(code / 2)?;
    let words = match sample_rate {
        48_000 => kilobits * 2,
        // Rounded down, and up for every odd code.
        44_100 => kilobits * 320 / 147 + u32::from(code % 2 > 0),
        _ => kilobits * 3,
    };
    let mode = usize::from(bytes[6] >> 5);
    let mut bits = Bits(bytes, 6 * 8 + 3);
    // How loud the middle, the surround and the hidden channels are.
    bits.skip(if mode & 1 > 0 && mode != 1 { 2 } else { 0 });
    bits.skip(if mode & 4 > 0 { 2 } else { 0 });
    bits.skip(if mode == 2 { 2 } else { 0 });
    let channels = Some(CHANNELS[mode] + bits.take(1)?);
    let length = usize::try_from(words * 2).ok()?;
    Some(Frame { codec: "ac3", length, samples: 1536, sample_rate, channels })
}

#[cfg(test)]
mod tests {
    use super::{Frame, Frames, Sounds, dolby};

    #[test]
    fn ac3_says_its_length_and_channels() {
        let stereo = dolby(b"\x0b\x77\0\0\x14\x40\x43\xe0");
        let expected =
            Frame { codec: "ac3", length: 768, samples: 1536, sample_rate: 48_000, channels: Some(2) };
        assert_eq!(stereo, Some(expected), "192 kbit/s for 32 ms are 768 bytes");
        let surround = dolby(b"\x0b\x77\0\0\x1e\x40\xe1\xe0").unwrap();
        assert_eq!((surround.length, surround.channels), (1792, Some(6)), "448 kbit/s, 3/2 and low effects");
        let odd = dolby(b"\x0b\x77\0\0\x55\x40\x43\xe0").unwrap();
        assert_eq!((odd.length, odd.sample_rate), (836, 44_100), "192 kbit/s, the longer of two: 418 words");
        assert_eq!(dolby(b"\x0b\x77\0\0\xd4\x40\x43\xe0"), None, "no such rate");
    }

    #[test]
    fn frames_are_counted_across_packets() {
        // ADTS: 44.1 kHz, two channels, 16 bytes with the head.
        let frame = [b"\xff\xf1\x50\x80\x02\x1f\xfc".as_slice(), &[0; 9]].concat();
        for packet in [1, 5, 16, 17, 1000] {
            let mut sounds = Sounds::new(Frames::Adts);
            for part in [b"??", &frame[..], &frame, &frame[..12]].concat().chunks(packet) {
                sounds.feed(part);
            }
            assert_eq!((sounds.samples, sounds.stray), (3 * 1024, 2), "in packets of {packet}");
            assert!(sounds.is_cut(), "the third ends early");
            assert_eq!(sounds.first.and_then(|first| first.channels), Some(2));
        }
    }
}
