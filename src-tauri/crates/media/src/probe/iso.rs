//! ISO media (mp4, mov, m4a): tracks from the boxes of `moov`, and from the fragments of files that are written as they
//! are recorded. Read by hand, because what is wanted of a broken file is what can still be read of it.

use super::{
    AudioFacts, Probe, ProblemCode as Code, VideoFacts, aac,
    boxes::{self, be32, be64, inside},
    mpeg,
    timing::{self, Cadence, Run},
};
use crate::worker::Input;
use std::io::{Read, Seek, SeekFrom};

/// What a track is, in the units of its own clock.
#[derive(Default)]
struct Track<'a> {
    id: u32,
    handler: [u8; 4],
    /// Ticks in a second.
    scale: u32,
    /// As its header says, in ticks.
    duration: u64,
    /// How long frames last, in order.
    runs: Vec<Run>,
    /// When the first frame of the first fragment shows, in ticks; none without fragments.
    fragments_start: Option<i64>,
    /// Where the frames begin on the track's clock, and where those that were met so far end.
    begins: u64,
    ends: u64,
    /// Where the last frame to end ends.
    furthest: u64,
    /// Does a fragment begin elsewhere than the one before it ends?
    jumps: bool,
    trak: &'a [u8],
    stbl: &'a [u8],
}

pub(super) fn video(probe: &mut Probe, input: &Input) {
    probe.video = Some(VideoFacts::default());
    let Some(file) = read(probe, input) else { return };
    let tracks = file.tracks();
    let of = |kind: &[u8; 4]| tracks.iter().filter(|track| &track.handler == kind).collect::<Vec<_>>();
    let (pictures, sounds) = (of(b"vide"), of(b"soun"));
    if let Some(track) = sounds.first() {
        probe.audio = sound(probe, input, track, file.movie_scale());
    }
    let Some(facts) = pictures.iter().find_map(|track| picture(probe, track, file.movie_scale())) else {
        return super::no_picture(probe);
    };
    probe.video = Some(VideoFacts { audio_tracks: u32::try_from(sounds.len()).unwrap_or(u32::MAX), ..facts });
}

/// The sound of an m4a; none where its boxes do not say.
pub(super) fn audio(probe: &mut Probe, input: &Input) -> Option<AudioFacts> {
    let file = read(probe, input)?;
    let tracks = file.tracks();
    let track = tracks.iter().find(|track| &track.handler == b"soun")?;
    sound(probe, input, track, file.movie_scale())
}

/// How many pictures an image sequence (avis) holds.
pub(super) fn pictures_in_sequence(probe: &mut Probe, input: &Input) -> Option<u32> {
    let file = read(probe, input)?;
    let tracks = file.tracks();
    let track = tracks.iter().find(|track| &track.handler == b"pict")?;
    u32::try_from(track.runs.iter().map(|(count, _)| count).sum::<u64>()).ok()
}

/// The most of an index that is read to see which tracks there are.
const INDEX: u64 = 32 << 20;

/// Has the file a track of sound and none of pictures? Nothing but its index is read.
pub(super) fn only_sound(input: &Input) -> bool {
    let mut moov = Vec::new();
    // An error ends the walk: with the index read, the boxes behind it do not count.
    let _ = boxes::top_level(input, |kind, body| {
        if kind != b"moov" {
            return Ok(());
        }
        if body.length() <= INDEX {
            moov = body.read()?;
        }
        Err("the index is found".to_owned())
    });
    let handlers: Vec<&[u8]> = boxes::children(&moov)
        .filter(|(kind, _)| kind == b"trak")
        .filter_map(|(_, trak)| inside(trak, &[b"mdia", b"hdlr"])?.get(8..12))
        .collect();
    let any = |wanted: &[u8]| handlers.contains(&wanted);
    any(b"soun") && !any(b"vide") && !any(b"pict") && !any(b"auxv")
}

struct File {
    moov: Vec<u8>,
    /// The bodies of the `moof` boxes, in order.
    fragments: Vec<Vec<u8>>,
}

fn read(probe: &mut Probe, input: &Input) -> Option<File> {
    let mut file = File { moov: Vec::new(), fragments: Vec::new() };
    let mut left = 256_usize << 20;
    let walked = boxes::top_level(input, |kind, body| {
        if matches!(kind, b"moov" | b"moof") && body.length() <= left as u64 {
            let bytes = body.read()?;
            left -= bytes.len();
            if kind == b"moov" {
                file.moov = bytes;
            } else {
                file.fragments.push(bytes);
            }
        }
        Ok(())
    });
    match walked {
        Ok(true) => {}
        Ok(false) => probe.problem(Code::Truncated, "the file ends before the container says"),
        Err(why) => probe.problem(Code::Undecodable, &why),
    }
    if file.moov.is_empty() {
        probe.problem(Code::Truncated, "the index of the file (moov) is missing");
        probe.problem(Code::Undecodable, "without its index nothing plays");
        return None;
    }
    Some(file)
}

impl File {
    fn movie_scale(&self) -> u32 {
        inside(&self.moov, &[b"mvhd"])
            .and_then(|mvhd| be32(mvhd, if mvhd.first() == Some(&1) { 20 } else { 12 }))
            .unwrap_or(0)
    }

    fn tracks(&self) -> Vec<Track<'_>> {
        let traks = boxes::children(&self.moov).filter(|(kind, _)| kind == b"trak");
        let mut tracks: Vec<Track<'_>> = traks.filter_map(|(_, trak)| track(trak)).collect();
        for fragment in &self.fragments {
            for (_, traf) in boxes::children(fragment).filter(|(kind, _)| kind == b"traf") {
                let tfhd = inside(traf, &[b"tfhd"]).unwrap_or_default();
                let id = be32(tfhd, 4).unwrap_or(0);
                if let Some(track) = tracks.iter_mut().find(|track| track.id == id) {
                    let usual = self.usual_length(id);
                    track.append(traf, fragment_runs(traf, tfhd, usual));
                }
            }
        }
        tracks
    }

    /// The length of a frame in fragments that do not say it themselves (`trex`).
    fn usual_length(&self, track: u32) -> u32 {
        let mvex = inside(&self.moov, &[b"mvex"]).unwrap_or_default();
        boxes::children(mvex)
            .filter(|(kind, trex)| kind == b"trex" && be32(trex, 4) == Some(track))
            .find_map(|(_, trex)| be32(trex, 12))
            .unwrap_or(0)
    }
}

impl Track<'_> {
    /// The frames of one more fragment. Where it begins later than those before it end, the last of them stays until
    /// then; where it begins earlier, the last is cut short.
    fn append(&mut self, traf: &[u8], runs: Vec<Run>) {
        let base = base_time(traf);
        if self.runs.is_empty() {
            self.fragments_start = Some(fragment_start(traf));
            self.begins = base.unwrap_or(0);
            self.ends = self.begins;
        } else if let (Some(base), Some(last)) = (base, self.runs.last_mut()) {
            let each = last.1;
            let off = base.abs_diff(self.ends);
            // Less than a part of a frame is rounding.
            if off > (each / 4).max(1) {
                let stays =
                    if base > self.ends { each.saturating_add(off) } else { each.saturating_sub(off) };
                if let Some(rest) = last.0.checked_sub(1) {
                    last.0 = rest;
                    self.runs.push((1, stays));
                }
                self.ends = base;
                self.jumps = true;
            }
        }
        self.ends = self.ends.saturating_add(timing::length(&runs));
        self.furthest = self.furthest.max(self.ends);
        self.runs.extend(runs);
    }

    /// The cadence of all frames; with a jump between fragments it is not constant.
    fn cadence(&self) -> Option<Cadence> {
        let found = timing::cadence(&self.runs)?;
        if !self.jumps {
            return Some(found);
        }
        let ticks = self.furthest.saturating_sub(self.begins);
        let ticks_per_frame = ticks as f64 / found.frames as f64;
        Some(Cadence { ticks, constant: false, ticks_per_frame, ..found })
    }
}

fn track(trak: &[u8]) -> Option<Track<'_>> {
    let tkhd = inside(trak, &[b"tkhd"])?;
    let mdhd = inside(trak, &[b"mdia", b"mdhd"])?;
    let (scale, duration) = if mdhd.first() == Some(&1) {
        (be32(mdhd, 20)?, be64(mdhd, 24)?)
    } else {
        (be32(mdhd, 12)?, u64::from(be32(mdhd, 16)?))
    };
    let stbl = inside(trak, &[b"mdia", b"minf", b"stbl"])?;
    let stts = inside(stbl, &[b"stts"]).unwrap_or_default();
    let pairs = stts.get(8..).unwrap_or_default().chunks_exact(8);
    let runs: Vec<Run> = pairs
        .take(be32(stts, 4).unwrap_or(0) as usize)
        .map(|pair| (u64::from(be32(pair, 0).unwrap_or(0)), u64::from(be32(pair, 4).unwrap_or(0))))
        .collect();
    let ends = timing::length(&runs);
    Some(Track {
        id: be32(tkhd, if tkhd.first() == Some(&1) { 20 } else { 12 })?,
        handler: inside(trak, &[b"mdia", b"hdlr"])?.get(8..12)?.try_into().ok()?,
        scale,
        duration,
        runs,
        fragments_start: None,
        begins: 0,
        ends,
        furthest: ends,
        jumps: false,
        trak,
        stbl,
    })
}

/// When a fragment begins on its track's clock (ISO 14496-12, 8.8.12); none where it does not say.
fn base_time(traf: &[u8]) -> Option<u64> {
    let tfdt = inside(traf, &[b"tfdt"])?;
    if tfdt.first() == Some(&1) { be64(tfdt, 4) } else { be32(tfdt, 4).map(u64::from) }
}

/// When the first frame of a fragment shows: where the fragment begins (`tfdt`) and the frame's composition offset.
fn fragment_start(traf: &[u8]) -> i64 {
    let begins = base_time(traf);
    let trun = inside(traf, &[b"trun"]).unwrap_or_default();
    let flags = be32(trun, 0).unwrap_or(0);
    let before = 8 + 4 * (flags & 0x705).count_ones() as usize;
    let offset = (flags & 0x800 > 0).then(|| be32(trun, before)).flatten().unwrap_or(0);
    i64::try_from(begins.unwrap_or(0)).unwrap_or(i64::MAX).saturating_add(i64::from(offset.cast_signed()))
}

/// The frames of one fragment (`trun`), which may carry a length each.
fn fragment_runs(traf: &[u8], tfhd: &[u8], usual: u32) -> Vec<Run> {
    let flags = be32(tfhd, 0).unwrap_or(0) & 0xff_ffff;
    // Base data offset (8 bytes) and sample description (4) may stand before the length.
    let at = 8 + if flags & 1 > 0 { 8 } else { 0 } + if flags & 2 > 0 { 4 } else { 0 };
    let usual = if flags & 8 > 0 { be32(tfhd, at).unwrap_or(usual) } else { usual };
    let mut runs = Vec::new();
    for (_, trun) in boxes::children(traf).filter(|(kind, _)| kind == b"trun") {
        let flags = be32(trun, 0).unwrap_or(0) & 0xff_ffff;
        let count = be32(trun, 4).unwrap_or(0);
        if flags & 0x100 == 0 {
            runs.push((u64::from(count), u64::from(usual)));
            continue;
        }
        let start = 8 + if flags & 1 > 0 { 4 } else { 0 } + if flags & 4 > 0 { 4 } else { 0 };
        let each = 4 * (flags & 0xf00).count_ones() as usize;
        let entries = trun.get(start..).unwrap_or_default().chunks_exact(each);
        runs.extend(
            entries.take(count as usize).map(|entry| (1, u64::from(be32(entry, 0).unwrap_or(usual)))),
        );
    }
    runs
}

fn ms(ticks: u64, scale: u32) -> u64 {
    let scale = u128::from(scale.max(1));
    u64::try_from((u128::from(ticks) * 1000 + scale / 2) / scale).unwrap_or(u64::MAX)
}

fn picture(probe: &mut Probe, track: &Track<'_>, movie_scale: u32) -> Option<VideoFacts> {
    let entry = inside(track.stbl, &[b"stsd"])?.get(8..)?;
    // SampleEntry (8 of head, 8) and 16 bytes of VisualSampleEntry stand before the size.
    let size = be32(entry, 32)?;
    let mut facts = VideoFacts {
        codec: Some(codec(entry.get(4..8)?)),
        width: Some(size >> 16),
        height: Some(size & 0xffff),
        rotation: inside(track.trak, &[b"tkhd"]).and_then(rotation).unwrap_or(0),
        ..VideoFacts::default()
    };
    if track.fragments_start.is_none() {
        let table = |name: &[u8; 4]| inside(track.stbl, &[name]).is_some();
        if track.runs.iter().all(|(count, _)| *count == 0) {
            probe.problem(Code::Truncated, "the index of the film's frames is missing");
        } else if !table(b"stsz") && !table(b"stz2") {
            probe.problem(Code::Undecodable, "the index does not say how long the frames' bytes are");
        }
    }
    if let Some(found) = track.cadence().filter(|_| track.scale > 0) {
        facts.frames = Some(found.frames);
        facts.constant_frame_rate = Some(found.constant);
        let fps = (found.ticks_per_frame > 0.0).then(|| f64::from(track.scale) / found.ticks_per_frame);
        // Where the clock is too coarse for the rate, the lengths of frames are rounded.
        let even = track.runs.iter().all(|(_, each)| Some(*each) == track.runs.first().map(|run| run.1));
        let within = 1.0 / found.ticks.max(1) as f64;
        facts.fps =
            fps.map(|fps| if found.constant && !even { timing::usual_rate(fps, within) } else { fps });
        facts.duration_ms = Some(ms(if found.ticks > 0 { found.ticks } else { track.duration }, track.scale));
        let said = track.duration;
        if said > 0
            && said != u64::from(u32::MAX)
            && said != u64::MAX
            && ms(said.abs_diff(found.ticks), track.scale) > 500
        {
            let (frames, says) = (ms(found.ticks, track.scale), ms(said, track.scale));
            let why = format!("the frames last {frames} ms; the container says {says} ms");
            probe.problem(Code::LengthMismatch, &why);
        }
    } else {
        facts.duration_ms = (track.scale > 0 && track.duration > 0).then(|| ms(track.duration, track.scale));
    }
    if track.scale > 0 {
        facts.start_ms = Some(start(track, movie_scale));
        if let Some((frames, duration_ms)) = cut(track, movie_scale) {
            (facts.frames, facts.duration_ms) = (Some(frames), Some(duration_ms));
        }
    }
    Some(facts)
}

fn codec(name: &[u8]) -> String {
    match name {
        b"avc1" | b"avc3" => "h264",
        b"hvc1" | b"hev1" => "hevc",
        b"av01" => "av1",
        b"vp09" => "vp9",
        b"vp08" => "vp8",
        b"mp4v" => "mpeg4",
        b"jpeg" | b"mjpa" | b"mjpb" => "mjpeg",
        b"apch" | b"apcn" | b"apcs" | b"apco" | b"ap4h" | b"ap4x" => "prores",
        b"mp4a" => "aac",
        b"alac" => "alac",
        b"Opus" => "opus",
        b"fLaC" => "flac",
        b".mp3" => "mp3",
        b"s263" | b"h263" => "h263",
        b"samr" => "amr_nb",
        b"sawb" => "amr_wb",
        b"ac-3" => "ac3",
        b"ec-3" => "eac3",
        b"sowt" | b"twos" | b"lpcm" | b"in24" | b"in32" | b"fl32" | b"fl64" | b"ipcm" | b"fpcm" => "pcm",
        other => return String::from_utf8_lossy(other).trim().to_owned(),
    }
    .to_owned()
}

fn sound(probe: &mut Probe, input: &Input, track: &Track<'_>, movie_scale: u32) -> Option<AudioFacts> {
    let entry = inside(track.stbl, &[b"stsd"])?.get(8..)?;
    let mut facts = AudioFacts {
        codec: Some(codec(entry.get(4..8)?)),
        channels: be32(entry, 24).map(|both| both >> 16).filter(|channels| *channels > 0),
        sample_rate: be32(entry, 32).map(|rate| rate >> 16).filter(|rate| *rate > 0),
        ..AudioFacts::default()
    };
    // QuickTime's second version of the entry has 16 more bytes before its boxes.
    let quicktime = entry.get(16..18) == Some(&[0, 1]);
    let inner = entry.get(if quicktime { 52 } else { 36 }..).unwrap_or_default();
    let esds = inside(inner, &[b"esds"]).or_else(|| inside(inner, &[b"wave", b"esds"]));
    if let Some(config) = esds.and_then(aac::config_in_esds) {
        facts.codec = Some(config.codec.to_owned());
        facts.sample_rate = config.sample_rate.or(facts.sample_rate);
        facts.channels = config.channels.or(facts.channels);
        if config.spectral_band {
            probe.problem(Code::HalfRate, "HE-AAC: only the web view plays it at its whole rate");
        }
    }
    let edit = edits(track.trak).into_iter().find(|(_, from)| *from >= 0);
    let whole = track.cadence().map_or(track.duration, |found| found.ticks);
    facts.duration_ms = match edit {
        Some((length, _)) if length > 0 && movie_scale > 0 && track.scale > 0 => {
            Some(ms(length, movie_scale).min(ms(whole, track.scale)))
        }
        _ => (track.scale > 0 && whole > 0).then(|| ms(whole, track.scale)),
    };
    // An edit that begins later than any encoder's delay is a cut.
    facts.encoder_delay =
        edit.and_then(|(_, from)| u32::try_from(from).ok()).filter(|from| (1..=4096).contains(from));
    if facts.codec.as_deref().is_some_and(|codec| codec.starts_with("amr_")) {
        facts.channels = Some(1); // always; the field says 2 (3GPP TS 26.244)
    }
    if facts.codec.as_deref() == Some("mp3") {
        facts.channels = first_frame(input, track).and_then(mpeg::channels).or(facts.channels);
    }
    Some(facts)
}

/// What the first frame of a track begins with: the field of channels is often 2 whatever they are.
fn first_frame(input: &Input, track: &Track<'_>) -> Option<[u8; 4]> {
    let near = inside(track.stbl, &[b"stco"]).and_then(|stco| be32(stco, 8)).map(u64::from);
    let far = || inside(track.stbl, &[b"co64"]).and_then(|co64| be64(co64, 8));
    let mut from = input.open().ok()?;
    from.seek(SeekFrom::Start(near.or_else(far)?)).ok()?;
    let mut start = [0_u8; 4];
    from.read_exact(&mut start).ok()?;
    Some(start)
}

/// Degrees clockwise, from the matrix of the track header.
fn rotation(tkhd: &[u8]) -> Option<u32> {
    let at = if tkhd.first() == Some(&1) { 52 } else { 40 };
    let (a, b) = (be32(tkhd, at)?.cast_signed(), be32(tkhd, at + 4)?.cast_signed());
    Some(match (a.signum(), b.signum()) {
        (0, 1) => 90,
        (-1, 0) => 180,
        (0, -1) => 270,
        _ => 0,
    })
}

/// The edit list: length on the movie's clock, and from where on the track's (-1: nothing shows).
fn edits(trak: &[u8]) -> Vec<(u64, i64)> {
    let Some(elst) = inside(trak, &[b"edts", b"elst"]) else { return Vec::new() };
    let wide = elst.first() == Some(&1);
    let entries = elst.get(8..).unwrap_or_default().chunks_exact(if wide { 20 } else { 12 });
    entries
        .take(be32(elst, 4).unwrap_or(0) as usize)
        .filter_map(|entry| {
            Some(if wide {
                (be64(entry, 0)?, be64(entry, 8)?.cast_signed())
            } else {
                (u64::from(be32(entry, 0)?), i64::from(be32(entry, 4)?.cast_signed()))
            })
        })
        .collect()
}

/// When the first frame shows, in milliseconds: what the edit list leaves empty before it, and its composition offset less
/// where the edit list begins.
fn start(track: &Track<'_>, movie_scale: u32) -> u64 {
    let edits = edits(track.trak);
    let empty: u64 = edits.iter().take_while(|(_, from)| *from < 0).map(|(length, _)| *length).sum();
    let from = edits.into_iter().find(|(_, from)| *from >= 0).map_or(0, |(_, from)| from);
    let first = track.fragments_start.or_else(|| times(track).next()).unwrap_or(0);
    let first = first.saturating_sub(from).max(0);
    let empty = if movie_scale > 0 { ms(empty, movie_scale) } else { 0 };
    empty + ms(u64::try_from(first).unwrap_or(0), track.scale)
}

/// When frames show on the track's clock, in the order in which they are stored.
fn times<'a>(track: &'a Track<'_>) -> impl Iterator<Item = i64> + 'a {
    let ctts = inside(track.stbl, &[b"ctts"]).unwrap_or_default();
    let entries = ctts.get(8..).unwrap_or_default().chunks_exact(8).take(be32(ctts, 4).unwrap_or(0) as usize);
    let mut offsets = entries.flat_map(|entry| {
        let offset = be32(entry, 4).map_or(0, |n| i64::from(n.cast_signed()));
        std::iter::repeat_n(offset, be32(entry, 0).unwrap_or(0) as usize)
    });
    let mut decoded = 0_i64;
    track.runs.iter().flat_map(|(count, each)| (0..*count).map(|_| each.cast_signed())).map(move |each| {
        let at = decoded;
        decoded = decoded.saturating_add(each);
        at.saturating_add(offsets.next().unwrap_or(0))
    })
}

/// Frames and milliseconds that show, where the one edit of a track leaves out more than a frame of it.
fn cut(track: &Track<'_>, movie_scale: u32) -> Option<(u64, u64)> {
    let shown: Vec<_> = edits(track.trak).into_iter().filter(|(_, from)| *from >= 0).collect();
    let [(length, from)] = shown[..] else { return None };
    let whole = track.cadence()?;
    if length == 0 || movie_scale == 0 {
        return None; // "to the end", as fragments say it
    }
    let length_ms = ms(length, movie_scale);
    let ticks = u64::try_from(u128::from(length) * u128::from(track.scale) / u128::from(movie_scale)).ok()?;
    if ticks as f64 + whole.ticks_per_frame >= whole.ticks as f64 {
        return None;
    }
    let end = from.saturating_add(ticks.cast_signed());
    // More frames than a day of film has are a lie of the index.
    let frames = times(track).take(2_200_000).filter(|time| (from..end).contains(time)).count();
    Some((frames as u64, length_ms))
}
