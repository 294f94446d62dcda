//! Matroska and WebM, through `matroska-demuxer`: the tracks from their heads, the frames by walking the blocks.

use super::{
    AudioFacts, Probe, ProblemCode as Code, VideoFacts, avi,
    sniff::find,
    timing::{self, Run},
    whole, whole32,
};
use crate::worker::{Input, ReadSeek};
use matroska_demuxer::{DemuxError, Frame, MatroskaFile, TrackEntry, TrackType};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

pub(super) fn video(probe: &mut Probe, input: &Input) {
    probe.video = Some(VideoFacts::default());
    if let Ok(head) = input.head(64 << 10)
        && let (Some(end), Ok(size)) = (segment_end(&head), input.length())
        && end > size
    {
        probe.problem(Code::Truncated, "the file ends before the container says");
    }
    let mut file = match open(probe, input) {
        Ok(file) => file,
        Err(why) => match head_alone(input) {
            Some(file) => {
                probe.problem(Code::Truncated, "the file ends before its first cluster");
                probe.problem(Code::Undecodable, "nothing of its pictures and sound is there");
                file
            }
            None => return probe.problem(Code::Undecodable, &why),
        },
    };
    let tick_ns = file.info().timestamp_scale().get();
    let ms = |ticks: f64| (ticks * tick_ns as f64 / 1e6).round().max(0.0);
    let said = file.info().duration().map(ms);
    let of = |kind: TrackType| file.tracks().iter().filter(move |track| track.track_type() == kind);
    let audio_tracks = u32::try_from(of(TrackType::Audio).count()).unwrap_or(u32::MAX);
    let sound = of(TrackType::Audio).next().map(audio_facts);
    let picture = of(TrackType::Video).next().cloned();
    let Some(picture) = picture else {
        if let Some(sound) = sound {
            probe.audio = Some(AudioFacts { duration_ms: said.map(whole), ..sound });
        }
        return super::no_picture(probe);
    };
    let mut facts = VideoFacts {
        codec: Some(codec(&picture)),
        width: picture.video().and_then(|video| u32::try_from(video.pixel_width().get()).ok()),
        height: picture.video().and_then(|video| u32::try_from(video.pixel_height().get()).ok()),
        audio_tracks,
        ..VideoFacts::default()
    };
    let (mut shown, mut frame, mut end) = (Vec::<u64>::new(), Frame::default(), 0_u64);
    loop {
        match file.next_frame(&mut frame) {
            Ok(true) => {
                end = end.max(frame.timestamp);
                if frame.track == picture.track_number().get() && !frame.is_invisible {
                    shown.push(frame.timestamp);
                }
            }
            Ok(false) => break,
            Err(error) => {
                probe.problem(Code::Truncated, &format!("the file breaks off: {}", words(&error)));
                break;
            }
        }
    }
    if shown.is_empty() && !probe.has(Code::Truncated) {
        probe.problem(Code::Undecodable, "no picture of the film is in the file");
    }
    shown.sort_unstable();
    rate(&mut facts, &shown, &picture, tick_ns);
    let frame_ms = facts.fps.map_or(0.0, |fps| 1000.0 / fps);
    facts.duration_ms = said.or_else(|| (end > 0).then(|| ms(end as f64) + frame_ms)).map(whole);
    if let Some(said) = said
        && end > 0
        && ms(end as f64) + frame_ms + 1000.0 < said
    {
        let why = format!("the last frame stands at {} ms; the container says {said} ms", ms(end as f64));
        probe.problem(Code::LengthMismatch, &why);
        probe.problem(Code::Truncated, "the file ends before the container says");
    }
    probe.audio = sound.map(|sound| AudioFacts { duration_ms: facts.duration_ms, ..sound });
    probe.video = Some(facts);
}

type Opened = MatroskaFile<BufReader<Box<dyn ReadSeek>>>;

/// Opens the file. The list of its parts may name some that are missing, at the end of a file that is cut: then they
/// are looked for one after another.
fn open(probe: &mut Probe, input: &Input) -> Result<Opened, String> {
    let error = match MatroskaFile::open(BufReader::new(input.open()?)) {
        Ok(file) => return Ok(file),
        Err(error) => words(&error),
    };
    let Some(at) = find(&input.head(4096)?, &SEEK_HEAD) else { return Err(error) };
    let unlisted: Box<dyn ReadSeek> = Box::new(Unlisted { from: input.open()?, list: at as u64 });
    let file = MatroskaFile::open(BufReader::new(unlisted)).map_err(|_| error)?;
    if !probe.has(Code::Truncated) {
        probe.problem(Code::Damaged, "the list of the file's parts is broken; they were looked for");
    }
    Ok(file)
}

/// What a file says of its tracks, where it ends before the first cluster: its head, and an empty cluster behind it.
fn head_alone(input: &Input) -> Option<Opened> {
    const INFO: u64 = 0x1549_a966;
    const TRACKS: u64 = 0x1654_ae6b;
    const TRACK: u64 = 0xae;
    const CLUSTER: u64 = 0x1f43_b675;
    let head = input.head(4 << 20).ok()?;
    let (_, at) = number(&head, 0, true)?;
    let (length, at) = number(&head, at, false)?;
    let segment = at.checked_add(usize::try_from(length).ok()?)?;
    let mut alone = head.get(..segment)?.to_vec();
    // A segment that does not say its length.
    alone.extend_from_slice(b"\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff");
    let (_, at) = number(&head, segment, true)?;
    let (_, start) = number(&head, at, false)?;
    for (id, whole, body) in elements(&head, start) {
        match (id, body) {
            (CLUSTER, _) => return None,
            (INFO, Some(_)) => alone.extend_from_slice(whole),
            (TRACKS, _) => {
                // Of tracks that are cut, those that are whole.
                let start = whole.len() - body.map_or_else(|| cut_body(whole), <[u8]>::len);
                let tracks = elements(whole, start).filter(|(id, _, body)| *id == TRACK && body.is_some());
                let tracks: Vec<u8> = tracks.flat_map(|(_, whole, _)| whole).copied().collect();
                alone.extend_from_slice(b"\x16\x54\xae\x6b\x01");
                alone.extend_from_slice(&(tracks.len() as u64).to_be_bytes()[1..]);
                alone.extend(tracks);
            }
            _ => {}
        }
    }
    alone.extend_from_slice(b"\x1f\x43\xb6\x75\x80");
    let alone: Box<dyn ReadSeek> = Box::new(io::Cursor::new(alone));
    MatroskaFile::open(BufReader::new(alone)).ok()
}

/// The elements from a place on: id, all that is there of it, and its body where that is whole.
fn elements(bytes: &[u8], from: usize) -> impl Iterator<Item = (u64, &[u8], Option<&[u8]>)> {
    let mut next = Some(from);
    std::iter::from_fn(move || {
        let at = next?;
        let (id, after) = number(bytes, at, true)?;
        let (length, body) = number(bytes, after, false)?;
        let end = usize::try_from(length).ok().and_then(|length| body.checked_add(length));
        next = end.filter(|end| *end <= bytes.len());
        let whole = bytes.get(at..next.unwrap_or(bytes.len()))?;
        Some((id, whole, next.and_then(|end| bytes.get(body..end))))
    })
}

/// How much is there of the body of an element that is cut.
fn cut_body(whole: &[u8]) -> usize {
    let body = number(whole, 0, true).and_then(|(_, at)| number(whole, at, false));
    body.map_or(0, |(_, body)| whole.len() - body)
}

/// What begins the list of parts (RFC 9559, 5.1.1).
const SEEK_HEAD: [u8; 4] = [0x11, 0x4d, 0x9b, 0x74];
/// What begins attachments, which nobody reads here.
const ATTACHMENTS: [u8; 4] = [0x19, 0x41, 0xa4, 0x69];

/// A file whose list of parts reads as attachments.
struct Unlisted {
    from: Box<dyn ReadSeek>,
    /// Where the list begins.
    list: u64,
}

impl Read for Unlisted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = self.from.stream_position()?;
        let count = self.from.read(buffer)?;
        for (at, byte) in (self.list..).zip(ATTACHMENTS) {
            let place = at.checked_sub(start).and_then(|place| usize::try_from(place).ok());
            if let Some(place) = place
                && let Some(found) = buffer.iter_mut().take(count).nth(place)
            {
                *found = byte;
            }
        }
        Ok(count)
    }
}

impl Seek for Unlisted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.from.seek(to)
    }
}

/// The demuxer's own words say nothing of what another part of Rust told it.
fn words(error: &DemuxError) -> String {
    match error {
        DemuxError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            "it ends in the middle of a part".to_owned()
        }
        DemuxError::IoError(error) => error.to_string(),
        DemuxError::FromUtf8Error(error) => error.to_string(),
        DemuxError::TryFromIntError(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// Frames, rate and start, from when each frame shows.
fn rate(facts: &mut VideoFacts, shown: &[u64], track: &TrackEntry, tick_ns: u64) {
    let declared = track.default_duration().map(|ns| timing::usual_rate(1e9 / ns.get() as f64, 1e-5));
    let (Some(first), Some(last)) = (shown.first(), shown.last()) else {
        facts.fps = declared;
        return;
    };
    let tick_ms = tick_ns as f64 / 1e6;
    facts.frames = Some(shown.len() as u64);
    facts.start_ms = Some(whole(*first as f64 * tick_ms));
    let mut runs: Vec<Run> = shown.windows(2).map(|pair| (1, pair[1] - pair[0])).collect();
    runs.push((1, runs.last().map_or(0, |(_, each)| *each)));
    let Some(found) = timing::cadence(&runs).filter(|_| shown.len() > 1) else { return };
    facts.constant_frame_rate = Some(found.constant);
    // What the track says, or else what the times say, which are rounded to ticks.
    facts.fps = match declared {
        Some(fps) if found.constant => Some(fps),
        _ => Some(timing::usual_rate(
            1000.0 / (found.ticks_per_frame * tick_ms),
            1.0 / (last - first).max(1) as f64,
        )),
    }
    .filter(|fps| fps.is_finite());
}

fn audio_facts(track: &TrackEntry) -> AudioFacts {
    let audio = track.audio();
    let rate = audio.map(|audio| audio.output_sampling_frequency().unwrap_or(audio.sampling_frequency()));
    let codec = codec(track);
    let delay_ns = track.codec_delay().unwrap_or(0);
    AudioFacts {
        sample_rate: if codec == "opus" { Some(48_000) } else { rate.map(whole32) },
        channels: audio.and_then(|audio| u32::try_from(audio.channels().get()).ok()),
        encoder_delay: rate.filter(|_| delay_ns > 0).map(|rate| whole32(delay_ns as f64 * rate / 1e9)),
        codec: Some(codec),
        ..AudioFacts::default()
    }
}

fn codec(track: &TrackEntry) -> String {
    // A codec by its name in AVI, within the head that Windows gives a picture (BITMAPINFOHEADER).
    if track.codec_id() == "V_MS/VFW/FOURCC"
        && let Some(name) = track.codec_private().and_then(|head| head.get(16..20))
    {
        return avi::codec(name);
    }
    match track.codec_id() {
        "V_VP8" => "vp8",
        "V_VP9" => "vp9",
        "V_AV1" => "av1",
        "V_MPEG4/ISO/AVC" => "h264",
        "V_MPEGH/ISO/HEVC" => "hevc",
        "V_MPEG4/ISO/SP" | "V_MPEG4/ISO/ASP" | "V_MPEG4/ISO/AP" => "mpeg4",
        "V_THEORA" => "theora",
        "V_MJPEG" => "mjpeg",
        "A_OPUS" => "opus",
        "A_VORBIS" => "vorbis",
        "A_FLAC" => "flac",
        "A_MPEG/L3" => "mp3",
        "A_MPEG/L2" => "mp2",
        "A_AC3" => "ac3",
        "A_EAC3" => "eac3",
        id if id.starts_with("A_AAC") => "aac",
        id if id.starts_with("A_PCM") => "pcm",
        other => return other.trim_start_matches(['V', 'A']).trim_start_matches('_').to_ascii_lowercase(),
    }
    .to_owned()
}

/// Where the segment ends, if it says so: one that is written as it is recorded does not.
fn segment_end(head: &[u8]) -> Option<u64> {
    let (_, at) = number(head, 0, true)?;
    let (length, at) = number(head, at, false)?;
    let at = at.checked_add(usize::try_from(length).ok()?)?;
    let (id, at) = number(head, at, true)?;
    let (length, start) = number(head, at, false)?;
    let unknown = (1_u64 << (7 * (start - at))) - 1;
    (id == 0x1853_8067 && length != unknown).then(|| (start as u64).saturating_add(length))
}

/// A number of EBML (RFC 8794): the zeros before its first bit say how long it is. An id keeps that bit.
fn number(bytes: &[u8], at: usize, id: bool) -> Option<(u64, usize)> {
    let first = *bytes.get(at)?;
    let length = first.leading_zeros() as usize + 1;
    let end = at.checked_add(length).filter(|_| length <= 8)?;
    let mark = if id { 0 } else { 1_u8.checked_shl(u32::try_from(8 - length).unwrap_or(8)).unwrap_or(0) };
    let start = u64::from(first & !mark);
    Some((bytes.get(at + 1..end)?.iter().fold(start, |all, b| all << 8 | u64::from(*b)), end))
}
