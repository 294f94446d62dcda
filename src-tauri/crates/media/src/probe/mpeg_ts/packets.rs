//! Packets of a transport stream (2.4.3), the packets that they make up (PES), and their clock.

use crate::worker::{Input, ReadSeek};
use std::io::Read;

/// What is in every packet, whatever stands before or behind it.
const PACKET: usize = 188;
/// How far apart packets begin.
const STRIDES: [usize; 3] = [188, 192, 204];
const SYNC: u8 = 0x47;
const BUFFER: usize = 1 << 16;

/// Where the first packet begins and how far the next ones are: five in a row, with nothing before them that is longer than
/// one. A text whose lines stand as far apart says no sizes of zero.
pub(in crate::probe) fn begins(head: &[u8]) -> Option<(usize, usize)> {
    let sound =
        |at: usize| head.get(at..at + 4).is_some_and(|packet| packet[0] == SYNC && packet[3] & 0x30 > 0);
    let found = STRIDES.iter().flat_map(|stride| (0..*stride).map(move |first| (first, *stride)));
    let all = |(first, stride): &(usize, usize)| (0..5).all(|nth| sound(first + nth * stride));
    found.filter(all).min().filter(|(first, stride)| head[*first..first + 4 * stride].contains(&0))
}

/// The packets of a file, one after another; where they are out of step, the next two that are in step are looked for.
pub(super) struct Packets {
    from: Box<dyn ReadSeek>,
    stride: usize,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    /// Bytes that belong to no packet.
    pub(super) stray: u64,
    /// Does the file end inside a packet?
    pub(super) cut: bool,
}

impl Packets {
    pub(super) fn open(input: &Input) -> Result<Self, String> {
        let (first, stride) =
            begins(&input.head(BUFFER as u64)?).ok_or("packets do not follow each other in the file")?;
        let mut packets = Self {
            from: input.open()?,
            stride,
            buffer: Vec::with_capacity(2 * BUFFER),
            at: 0,
            ended: false,
            stray: 0,
            cut: false,
        };
        packets.fill()?;
        // The time before the first packet of a disc.
        packets.at = first.min(packets.buffer.len());
        Ok(packets)
    }

    fn fill(&mut self) -> Result<(), String> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let more = (&mut self.from)
            .take(BUFFER as u64)
            .read_to_end(&mut self.buffer)
            .map_err(|e| format!("cannot read the file: {e}"))?;
        self.ended = more == 0;
        Ok(())
    }

    /// The next packet; none at the end.
    pub(super) fn packet(&mut self) -> Result<Option<&[u8]>, String> {
        loop {
            if self.buffer.len() - self.at < PACKET + self.stride && !self.ended {
                self.fill()?;
            }
            let rest = &self.buffer[self.at..];
            if rest.first() == Some(&SYNC) && rest.len() >= PACKET {
                let start = self.at;
                self.at += self.stride.min(rest.len());
                return Ok(Some(&self.buffer[start..start + PACKET]));
            }
            if rest.len() < PACKET && self.ended {
                self.cut = rest.first() == Some(&SYNC);
                self.stray += if self.cut { 0 } else { rest.len() as u64 };
                return Ok(None);
            }
            let next = (1..rest.len())
                .find(|at| rest[*at] == SYNC && rest.get(at + self.stride).is_none_or(|next| *next == SYNC));
            let passed = next.unwrap_or(rest.len());
            self.stray += passed as u64;
            self.at += passed;
        }
    }
}

/// The head of a packet.
pub(super) struct PacketHead {
    /// Which stream it is of.
    pub(super) id: u16,
    /// A section or a packet of the stream begins in it.
    pub(super) starts: bool,
    pub(super) scrambled: bool,
    /// Counts the packets of a stream that carry something, from 0 to 15.
    counter: u8,
    /// The stream says itself that something is missing before it.
    jumps: bool,
    /// Where what it carries begins.
    payload: usize,
}

impl PacketHead {
    /// None where the sender marked it as broken, or it is no packet.
    pub(super) fn of(packet: &[u8]) -> Option<Self> {
        let (second, fourth) = (*packet.get(1)?, *packet.get(3)?);
        if second & 0x80 > 0 || packet.len() != PACKET {
            return None;
        }
        let mut payload = if fourth & 0x10 > 0 { 4 } else { PACKET };
        let mut jumps = false;
        if fourth & 0x20 > 0 {
            let length = usize::from(packet[4]);
            jumps = length > 0 && packet[5] & 0x80 > 0;
            payload = payload.max((5 + length).min(PACKET));
        }
        Some(Self {
            id: u16::from(second & 0x1f) << 8 | u16::from(packet[2]),
            starts: second & 0x40 > 0,
            scrambled: fourth >> 6 > 0,
            counter: fourth & 15,
            jumps,
            payload,
        })
    }

    /// What the packet carries.
    pub(super) fn payload<'a>(&self, packet: &'a [u8]) -> &'a [u8] {
        packet.get(self.payload..).unwrap_or_default()
    }
}

/// The times that a packet (PES) says, as they are written: 33 bits of 1/90,000 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    shown: i64,
    decoded: i64,
}

/// What a packet (PES) is made of.
pub(super) enum Part<'a> {
    /// It begins; most say when what begins in them shows.
    Start(Option<Stamp>),
    Data(&'a [u8]),
}

/// The packets of a stream (PES, 2.4.3.6), put together.
#[derive(Default)]
pub(super) struct Pes {
    counter: Option<u8>,
    head: Vec<u8>,
    state: State,
    /// Bytes that are still to come, where the head says how many.
    missing: Option<usize>,
}

#[derive(Default, PartialEq)]
enum State {
    /// Nothing has begun yet.
    #[default]
    Before,
    Head,
    Body,
}

impl Pes {
    /// Do packets miss before this one?
    pub(super) fn misses(&mut self, head: &PacketHead) -> bool {
        if head.payload >= PACKET {
            return false; // it carries nothing and is not counted
        }
        let before = self.counter.replace(head.counter);
        let follows = |before: u8| before == head.counter || (before + 1) & 15 == head.counter;
        !head.jumps && before.is_some_and(|before| !follows(before))
    }

    /// Does it end before its head says?
    pub(super) fn is_cut(&self) -> bool {
        self.state == State::Head || self.missing.is_some_and(|bytes| bytes > 0)
    }

    /// Reads on.
    pub(super) fn feed(&mut self, starts: bool, payload: &[u8], meet: &mut impl FnMut(Part<'_>)) {
        if starts {
            self.head.clear();
            self.missing = None;
            self.state = State::Head;
        }
        match self.state {
            State::Before => {}
            State::Body => self.data(payload, meet),
            State::Head => {
                self.head.extend_from_slice(payload);
                match end_of_head(&self.head) {
                    None => self.state = State::Before,
                    Some(end) if end > self.head.len() => {}
                    Some(end) => {
                        let head = std::mem::take(&mut self.head);
                        self.state = State::Body;
                        let length = usize::from(head[4]) << 8 | usize::from(head[5]);
                        self.missing = (length > 0).then(|| (length + 6).saturating_sub(end));
                        meet(Part::Start(stamp(&head[..end])));
                        self.data(&head[end..], meet);
                    }
                }
            }
        }
    }

    fn data(&mut self, payload: &[u8], meet: &mut impl FnMut(Part<'_>)) {
        let most = self.missing.unwrap_or(payload.len()).min(payload.len());
        self.missing = self.missing.map(|bytes| bytes - most);
        if most > 0 {
            meet(Part::Data(&payload[..most]));
        }
    }
}

/// How long the head of a PES is, as far as that is known; none where it is none.
fn end_of_head(head: &[u8]) -> Option<usize> {
    if head.iter().zip([0, 0, 1]).any(|(byte, of)| *byte != of) {
        return None;
    }
    match head.get(3) {
        // Maps, directories and padding carry no times.
        Some(0xbc | 0xbe | 0xbf | 0xf0..=0xf2 | 0xf8 | 0xff) => Some(6),
        _ => Some(9 + head.get(8).map_or(0, |length| usize::from(*length))),
    }
}

fn stamp(head: &[u8]) -> Option<Stamp> {
    let time = |at: usize| {
        let n = head.get(at..at + 5)?;
        let part = |byte: u8| i64::from(byte >> 1);
        Some(
            (part(n[0]) & 7) << 30
                | i64::from(n[1]) << 22
                | part(n[2]) << 15
                | i64::from(n[3]) << 7
                | part(n[4]),
        )
    };
    match head.get(7)? >> 6 {
        2 => time(9).map(|shown| Stamp { shown, decoded: shown }),
        3 => Some(Stamp { shown: time(9)?, decoded: time(14)? }),
        _ => None,
    }
}

/// A clock of 33 bits that goes on when it wraps, every 26½ hours.
#[derive(Debug, Default)]
pub(super) struct Clock {
    last: Option<(i64, i64)>,
    usual: i64,
    /// Have times of decoding been told apart from those of showing?
    told: bool,
    /// It went back, as where two files were joined; there it goes on without a gap.
    pub(super) jumped: bool,
}

impl Clock {
    const ROUND: i64 = 1 << 33;
    /// Times of showing stand out of order, by less than this, where those of decoding are left out; these go on always.
    const BACK: i64 = 90_000;

    /// The time at which it shows, from the start of the first round. A film that begins in the last minute of a round
    /// begins before 0.
    pub(super) fn pts(&mut self, stamp: Stamp) -> i64 {
        let nearest = |step: i64| (step + Self::ROUND / 2).rem_euclid(Self::ROUND) - Self::ROUND / 2;
        self.told |= stamp.decoded != stamp.shown;
        let back = if self.told { 1 } else { Self::BACK };
        let decoded = match self.last {
            None if stamp.decoded >= Self::ROUND - 60 * 90_000 => stamp.decoded - Self::ROUND,
            None => stamp.decoded,
            Some((raw, time)) => {
                let step = nearest(stamp.decoded - raw);
                if step <= -back {
                    self.jumped = true;
                    time + self.usual
                } else {
                    self.usual = if step > 0 { step } else { self.usual };
                    time + step
                }
            }
        };
        self.last = Some((stamp.decoded, decoded));
        decoded + nearest(stamp.shown - stamp.decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Stamp, begins, stamp};

    #[test]
    fn the_clock_goes_on_when_it_wraps_and_when_it_goes_back() {
        let at = |decoded: i64| Stamp { shown: (decoded + 7200) % Clock::ROUND, decoded };
        let mut clock = Clock::default();
        let before = Clock::ROUND - 100 * 90_000;
        assert_eq!(clock.pts(at(before)), before + 7200);
        assert_eq!(clock.pts(at(0)), Clock::ROUND + 7200, "it wraps");
        assert_eq!(clock.pts(at(3600)), Clock::ROUND + 10_800);
        assert!(!clock.jumped);
        let mut clock = Clock::default();
        assert_eq!(clock.pts(at(Clock::ROUND - 3600)), 3600, "soon before a wrap it counts from there");
        let mut clock = Clock::default();
        let times = [180_000, 183_600, 126_000, 129_600].map(|decoded| clock.pts(at(decoded)));
        assert_eq!(times, [187_200, 190_800, 194_400, 198_000], "what is joined on follows");
        assert!(clock.jumped);
        let mut clock = Clock::default();
        let times = [9000, 16_200, 12_600].map(|at| clock.pts(Stamp { shown: at, decoded: at }));
        assert_eq!(times, [9000, 16_200, 12_600], "written in the order of decoding, which is not told");
        assert!(!clock.jumped);
    }

    #[test]
    fn times_are_read_from_33_bits() {
        // 2^33 - 1, and 126,000 = 1.4 s.
        let head = b"\0\0\x01\xe0\0\0\x80\xc0\x0a\x3f\xff\xff\xff\xff\x11\0\x07\xd8\x61";
        assert_eq!(stamp(head), Some(Stamp { shown: (1 << 33) - 1, decoded: 126_000 }));
    }

    #[test]
    fn packets_are_told_from_text() {
        let packet = |stride: usize| [b"\x47\0\x11\x10".as_slice(), &vec![0; stride - 4]].concat();
        for (before, stride) in [(0, 188), (4, 192), (0, 204), (100, 188)] {
            let file = [vec![7; before], packet(stride).repeat(5)].concat();
            assert_eq!(begins(&file), Some((before, stride)));
            assert_eq!(begins(&file[..file.len() - stride]), None, "four are not enough");
        }
        assert_eq!(begins(&[b'G'; 4000]), None, "a text of one letter");
        let lines = format!("G123{}\n", "x".repeat(183)).repeat(20);
        assert_eq!(begins(lines.as_bytes()), None, "lines of 188 bytes");
    }
}
