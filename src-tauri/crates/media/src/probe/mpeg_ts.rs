//! MPEG transport streams (ISO/IEC 13818-1): packets of 188 bytes (192 on discs, with a time before each; 204 with bytes of
//! repair behind), of which some hold tables and others, put together, the packets of pictures and sound (PES) with their
//! times. Read once from front to end; of the pictures and the sound only heads are looked at.
//!
//! The first stream of pictures and the first of sound are told of, of whichever program, as ffprobe does.

mod packets;
mod picture;
mod sound;
mod tables;

use self::{
    packets::{Clock, PacketHead, Packets, Part, Pes},
    picture::{Pictures, Place},
    sound::Sounds,
    tables::{Carries, Sections},
};
use super::{
    AudioFacts, Probe, ProblemCode as Code, VideoFacts, aac,
    timing::{self, Run},
    whole,
};
use crate::worker::Input;

pub(super) use packets::begins;

/// Ticks of a second.
const TICKS: f64 = 90_000.0;
/// A day of film; a stream of more pictures is told of without their times.
const MOST_TIMES: usize = 2_200_000;
/// More bytes that belong to nothing are told of.
const STRAY: u64 = 4096;

pub(super) fn video(probe: &mut Probe, input: &Input) {
    probe.video = Some(VideoFacts::default());
    match Film::read(input) {
        Ok(film) => film.tell(probe),
        Err(why) => probe.problem(Code::Undecodable, &why),
    }
}

/// How many programs and streams a table names, whatever its checksum: a way in for fuzzing.
pub(crate) fn named(section: &[u8]) -> usize {
    tables::programs(section).len() + tables::streams(section).len()
}

/// What the packets of an id are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Nothing,
    Programs,
    /// The table of a program, by its place among them.
    Program(usize),
    Picture,
    Sound,
    /// A stream that is known and not looked at.
    Passed,
}

/// A stream that is looked at.
struct Stream<T> {
    pes: Pes,
    clock: Clock,
    holds: T,
}

impl<T> Stream<T> {
    fn new(holds: T) -> Self {
        Self { pes: Pes::default(), clock: Clock::default(), holds }
    }
}

/// The pictures and the times at which they show, in ticks of 1/90,000 s.
struct Shown {
    pictures: Pictures,
    times: Vec<i64>,
    at: Place,
    /// The packet to which the last picture belongs: its time is that of the first picture in it.
    of: u64,
    untimed: u64,
}

impl Shown {
    fn feed(&mut self, part: &Part<'_>, clock: &mut Clock) {
        match part {
            Part::Start(stamp) => {
                self.at = Place { packet: self.at.packet + 1, time: stamp.map(|stamp| clock.pts(stamp)) };
                if !self.pictures.is_read() {
                    self.pictures.count += u64::from(self.at.time.is_some());
                    self.times.extend(self.at.time.filter(|_| self.times.len() < MOST_TIMES));
                }
            }
            Part::Data(data) => {
                let Self { pictures, times, at, of, untimed } = self;
                pictures.feed(data, *at, &mut |place| note(place, times, of, untimed));
            }
        }
    }
    fn end(&mut self) {
        let Self { pictures, times, of, untimed, .. } = self;
        pictures.end(&mut |place| note(place, times, of, untimed));
    }
}

fn note(place: Place, times: &mut Vec<i64>, of: &mut u64, untimed: &mut u64) {
    let time = place.time.filter(|_| place.packet != *of && times.len() < MOST_TIMES);
    *of = place.packet;
    match time {
        Some(time) => times.push(time),
        None => *untimed += 1,
    }
}

/// A transport stream that was read.
struct Film {
    roles: Vec<Role>,
    programs: Sections,
    tables: Vec<Sections>,
    picture: Option<Stream<Shown>>,
    sound: Option<Stream<Sounds>>,
    /// When the first and the last packet of the sound are heard, in ticks.
    heard: Option<(i64, i64)>,
    audio_tracks: u32,
    /// Times at which packets of what is told of are missing: in the middle of something, and before the start of something.
    gaps: [u64; 2],
    scrambled: bool,
    /// Bytes among the packets that belong to none.
    stray: u64,
    cut: bool,
    packets: u64,
}

impl Film {
    fn read(input: &Input) -> Result<Self, String> {
        let mut packets = Packets::open(input)?;
        let mut film = Self {
            roles: vec![Role::Nothing; 1 << 13],
            programs: Sections::default(),
            tables: Vec::new(),
            picture: None,
            sound: None,
            heard: None,
            audio_tracks: 0,
            gaps: [0; 2],
            scrambled: false,
            stray: 0,
            cut: false,
            packets: 0,
        };
        film.roles[0] = Role::Programs;
        while let Some(packet) = packets.packet()? {
            film.packets += 1;
            film.packet(packet);
        }
        if let Some(stream) = &mut film.picture {
            stream.holds.end();
        }
        (film.stray, film.cut) = (packets.stray, packets.cut);
        Ok(film)
    }

    fn packet(&mut self, packet: &[u8]) {
        let Some(head) = PacketHead::of(packet) else { return };
        let payload = head.payload(packet);
        match self.roles[usize::from(head.id)] {
            Role::Nothing | Role::Passed => {}
            Role::Programs => {
                let mut found = Vec::new();
                self.programs
                    .feed(head.starts, payload, &mut |section| found.extend(tables::programs(section)));
                for id in found {
                    self.take(id, Role::Program(self.tables.len()));
                }
            }
            Role::Program(nth) => {
                let mut found = Vec::new();
                if let Some(table) = self.tables.get_mut(nth) {
                    table.feed(head.starts, payload, &mut |section| found.extend(tables::streams(section)));
                }
                for (id, carries) in found {
                    self.meet(id, carries);
                }
            }
            Role::Picture => {
                let Some(Stream { pes, clock, holds }) = &mut self.picture else { return };
                self.gaps[usize::from(head.starts)] += u64::from(pes.misses(&head));
                self.scrambled |= head.scrambled;
                if !head.scrambled {
                    pes.feed(head.starts, payload, &mut |part| holds.feed(&part, clock));
                }
            }
            Role::Sound => {
                let Some(Stream { pes, clock, holds }) = &mut self.sound else { return };
                self.gaps[usize::from(head.starts)] += u64::from(pes.misses(&head));
                self.scrambled |= head.scrambled;
                let heard = &mut self.heard;
                if !head.scrambled {
                    pes.feed(head.starts, payload, &mut |part| match part {
                        Part::Data(data) => holds.feed(data),
                        Part::Start(None) => {}
                        Part::Start(Some(stamp)) => {
                            let time = clock.pts(stamp);
                            *heard = Some((heard.map_or(time, |(first, _)| first), time));
                        }
                    });
                }
            }
        }
    }

    /// A program's table or a stream, unless its packets were spoken for.
    fn take(&mut self, id: u16, role: Role) -> bool {
        let known = &mut self.roles[usize::from(id)];
        let new = *known == Role::Nothing;
        if new {
            *known = role;
            if matches!(role, Role::Program(_)) {
                self.tables.push(Sections::default());
            }
        }
        new
    }

    fn meet(&mut self, id: u16, carries: Carries) {
        match carries {
            Carries::Picture(coding) if self.picture.is_none() => {
                if self.take(id, Role::Picture) {
                    let pictures = Pictures::new(coding);
                    self.picture = Some(Stream::new(Shown {
                        pictures,
                        times: Vec::new(),
                        at: Place::default(),
                        of: 0,
                        untimed: 0,
                    }));
                }
            }
            Carries::Sound(frames) => {
                let first = self.sound.is_none();
                if self.take(id, if first { Role::Sound } else { Role::Passed }) {
                    self.audio_tracks += 1;
                    if first {
                        self.sound = Some(Stream::new(Sounds::new(frames)));
                    }
                }
            }
            Carries::Picture(_) | Carries::Other => {
                self.take(id, Role::Passed);
            }
        }
    }

    fn tell(self, probe: &mut Probe) {
        if self.cut {
            probe.problem(Code::Truncated, "the last packet is cut off");
        }
        if self.scrambled {
            probe.problem(Code::Encrypted, "its pictures or its sound are scrambled");
        }
        // Where another stream was joined on, its first packets begin something.
        let jumped = |clock: Option<&Clock>| clock.is_some_and(|clock| clock.jumped);
        let joined = jumped(self.picture.as_ref().map(|stream| &stream.clock))
            || jumped(self.sound.as_ref().map(|stream| &stream.clock));
        let [inside, before] = self.gaps;
        let gaps = inside + if joined { 0 } else { before };
        if gaps > 0 {
            let why = format!("packets of it are missing (gaps: {gaps})");
            probe.problem(Code::Undecodable, &why);
        }
        if self.stray > STRAY {
            let why = format!("{} bytes among the packets are none", self.stray);
            probe.problem(Code::Undecodable, &why);
        }
        if self.packets == 0 || (self.picture.is_none() && self.sound.is_none()) {
            probe.problem(Code::Undecodable, "no table in it names pictures or sound");
            return;
        }
        if let Some(stream) = &self.sound {
            probe.audio = Some(sound(probe, stream, self.heard));
        }
        if let Some(stream) = self.picture {
            let facts = picture(probe, stream, self.scrambled);
            probe.video = Some(VideoFacts { audio_tracks: self.audio_tracks, ..facts });
        } else {
            super::no_picture(probe);
        }
    }
}

fn sound(probe: &mut Probe, stream: &Stream<Sounds>, heard: Option<(i64, i64)>) -> AudioFacts {
    let sounds = &stream.holds;
    let mut facts = AudioFacts { codec: Some(sounds.codec().to_owned()), ..AudioFacts::default() };
    if let Some(first) = sounds.first {
        let rate = u64::from(first.sample_rate.max(1));
        facts.sample_rate = if sounds.codec() == "aac" {
            aac::whole_rate(probe, first.sample_rate)
        } else {
            Some(first.sample_rate)
        };
        facts.channels = first.channels;
        facts.duration_ms = Some((sounds.samples * 1000 + rate / 2) / rate);
        if sounds.is_cut() || stream.pes.is_cut() {
            probe.problem(Code::Truncated, "the last frame of the sound is cut off");
        }
        if sounds.stray > STRAY {
            let why = format!("{} bytes among the frames are no sound", sounds.stray);
            probe.problem(Code::Undecodable, &why);
        }
    } else if sounds.is_read() {
        if !probe.has(Code::Encrypted) {
            probe.problem(Code::Undecodable, "no frame of its sound is in the file");
        }
    } else {
        if let Some(channels) = sounds.opus_channels() {
            (facts.sample_rate, facts.channels) = (Some(48_000), Some(channels).filter(|n| *n > 0));
        } else {
            let why = format!("the frames of {} are not read here", sounds.codec());
            probe.problem(Code::UnknownCodec, &why);
        }
        facts.duration_ms = heard.map(|(first, last)| whole((last - first).max(0) as f64 / TICKS * 1000.0));
    }
    facts
}

fn picture(probe: &mut Probe, stream: Stream<Shown>, scrambled: bool) -> VideoFacts {
    let (joined, cut) = (stream.clock.jumped, stream.pes.is_cut());
    let Shown { pictures, mut times, untimed, .. } = stream.holds;
    let mut facts = VideoFacts {
        codec: Some(pictures.codec().to_owned()),
        width: pictures.size.map(|size| size.0),
        height: pictures.size.map(|size| size.1),
        ..VideoFacts::default()
    };
    if cut {
        probe.problem(Code::Truncated, "the last picture is cut off");
    }
    if !pictures.is_read() {
        let why = format!("the headers of {} are not read here", pictures.codec());
        probe.problem(Code::UnknownCodec, &why);
    } else if pictures.count == 0 && !scrambled {
        probe.problem(Code::Undecodable, "no picture of the film is in the file");
    }
    if pictures.count == 0 {
        return facts;
    }
    facts.frames = Some(pictures.count);
    times.sort_unstable();
    let (Some(first), Some(last)) = (times.first().copied(), times.last().copied()) else { return facts };
    facts.start_ms = Some(whole(first as f64 / TICKS * 1000.0));
    if times.len() >= MOST_TIMES {
        probe
            .problem(Code::Limit, "there are more pictures than a day of film has; their times are not told");
    } else if untimed == 0 {
        steps(&mut facts, &times, joined);
    } else if let Some(rate) = pictures.rate {
        // Only some pictures say when they show; the others follow at the stream's own rate, if those that do stand where
        // that puts them.
        let places = times.iter().map(|time| (time - first) as f64 * rate / TICKS);
        let on_time = places.into_iter().all(|place| (place - place.round()).abs() <= 90.0 * rate / TICKS);
        let spanned = whole((last - first) as f64 * rate / TICKS) + 1;
        let all = pictures.count >= spanned && pictures.count - spanned <= 64;
        facts.fps = Some(rate);
        facts.constant_frame_rate = Some(on_time && all && !joined);
        facts.duration_ms = Some(whole(pictures.count as f64 / rate * 1000.0));
    } else {
        let why = format!("{untimed} of {} pictures do not say when they show", pictures.count);
        probe.problem(Code::LengthMismatch, &why);
        facts.duration_ms = Some(whole((last - first) as f64 / TICKS * 1000.0));
    }
    facts
}

/// Rate and length by the times at which all pictures show.
fn steps(facts: &mut VideoFacts, times: &[i64], joined: bool) {
    let ticks: Vec<u64> = times.windows(2).map(|pair| pair[1].abs_diff(pair[0])).collect();
    if ticks.is_empty() {
        return;
    }
    // From a container that counts milliseconds: their rounding is no change of rate.
    let each = if ticks.iter().all(|step| step % 90 == 0) { 90 } else { 1 };
    let mut runs: Vec<Run> = ticks.iter().map(|step| (1, step / each)).collect();
    runs.push((1, runs.last().map_or(0, |(_, step)| *step)));
    let Some(found) = timing::cadence(&runs) else { return };
    let span = timing::length(&runs[..runs.len() - 1]).max(1) as f64;
    let fps = TICKS / (each as f64 * found.ticks_per_frame);
    facts.fps = Some(timing::usual_rate(fps, 1.0 / span)).filter(|fps| fps.is_finite());
    facts.constant_frame_rate = Some(found.constant && !joined && found.ticks > 0);
    facts.duration_ms = Some(whole(found.ticks as f64 * each as f64 / TICKS * 1000.0));
}
