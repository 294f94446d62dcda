//! Waveforms: the lowest and highest sample of each stretch of a sound.
//!
//! The whole is streamed as *buckets* of [`BASE`] frames while it is decoded, so that its length costs no memory. A long
//! sound that can be sought in is sampled first: a sketch of it is there at once. What is looked at closely is decoded
//! again, that stretch alone, to the very samples.

use super::{
    SoundFormat, Waveform,
    decode::{Planes, Sound},
};
use crate::worker::{FrameSink, Input, Registry};
use serde::{Deserialize, Serialize};
use symphonia::core::{
    audio::{AudioBufferRef, Signal},
    conv::IntoSample,
    sample::Sample,
};

/// Frames of a bucket.
pub(crate) const BASE: u64 = 256;
/// Longer sounds are sketched first, seconds.
const SKETCHED_SECONDS: u64 = 300;
/// Places of a sketch.
const SKETCHED_PLACES: u64 = 600;
/// Buckets sent at once.
const AT_ONCE: usize = 4096;

/// Lowest and highest sample; before any, the other way round.
pub(crate) type Span = (f32, f32);
pub(crate) const NOTHING: Span = (f32::INFINITY, f32::NEG_INFINITY);

/// The span of two spans.
pub(crate) fn joined(a: Span, b: Span) -> Span {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Arguments of the job `levels`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LevelsArgs {
    /// Is a sketch of a long sound wanted?
    pub(crate) sketch: bool,
}

/// The first answer of `levels`. Buckets follow as pairs of little-endian `i16`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LevelsHead {
    pub(crate) format: Option<SoundFormat>,
    pub(crate) promised: Option<u64>,
    /// A few places, evenly over the whole; empty when none was made.
    pub(crate) sketch: Vec<Span>,
}

/// The last answer of `levels`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LevelsTail {
    pub(crate) format: SoundFormat,
    pub(crate) frames: u64,
}

/// Arguments of the job `range`: the columns of a stretch, answered as spans.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RangeArgs {
    pub(crate) from_frame: u64,
    pub(crate) until_frame: u64,
    pub(crate) columns: u32,
}

pub(crate) fn register(registry: Registry) -> Registry {
    registry
        .with("levels", |args, input, sink| {
            let args = LevelsArgs::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
            levels(input, &args, sink)
        })
        .with_reply("range", |args: RangeArgs, input| range(input, &args))
}

fn levels(input: &Input, args: &LevelsArgs, sink: &mut dyn FrameSink) -> Result<(), String> {
    let mut sound = Sound::open(input)?;
    let head =
        |sound: &Sound, sketch| LevelsHead { format: sound.format().ok(), promised: sound.promised, sketch };
    sink.json(&head(&sound, Vec::new()))?;
    let long = |frames: u64| {
        sound.format().is_ok_and(|format| frames > SKETCHED_SECONDS * u64::from(format.sample_rate))
    };
    if args.sketch && sound.is_seekable() && sound.promised.is_some_and(long) {
        let sketch = sketch(&mut sound)?;
        sink.json(&head(&sound, sketch))?;
        sound = Sound::open(input)?;
    }
    let mut out = Vec::with_capacity(AT_ONCE * 4);
    let mut stretch = Stretch::new();
    let format = sound
        .decode_planes(|_, _, leave_out, planes| {
            stretch.take(leave_out, planes, BASE, &mut |span| {
                out.extend_from_slice(&fixed(span.0).to_le_bytes());
                out.extend_from_slice(&fixed(span.1).to_le_bytes());
            });
            if out.len() >= AT_ONCE * 4 {
                sink.bytes(&out)?;
                out.clear();
            }
            Ok(true)
        })?
        .ok_or("nothing of the sound decodes")?;
    if let Some(span) = stretch.rest() {
        out.extend_from_slice(&fixed(span.0).to_le_bytes());
        out.extend_from_slice(&fixed(span.1).to_le_bytes());
    }
    sink.bytes(&out)?;
    sink.json(&LevelsTail { format, frames: stretch.at })
}

/// A few packets here and there: what a look at the whole shows until the whole is decoded.
fn sketch(sound: &mut Sound) -> Result<Vec<Span>, String> {
    let Some(frames) = sound.promised else { return Ok(Vec::new()) };
    // Compressed sound needs a packet or two until the decoder has settled; that is heard, but hardly seen.
    let (places, runway) = if sound.is_pcm() { (SKETCHED_PLACES, 0) } else { (SKETCHED_PLACES / 2, 1152) };
    let mut spans = Vec::new();
    for place in 0..places {
        let wanted = frames * place / places;
        sound.seek_before(wanted, runway)?;
        let mut span = NOTHING;
        sound.decode_planes(|_, at, leave_out, planes| {
            let frames = planes.frames() as u64;
            if at + frames <= wanted {
                return Ok(true);
            }
            span = planes.span(leave_out, planes.frames());
            Ok(false)
        })?;
        spans.push(if span.0 <= span.1 { span } else { (0.0, 0.0) });
    }
    Ok(spans)
}

fn range(input: &Input, args: &RangeArgs) -> Result<Vec<Span>, String> {
    let length = args.until_frame.saturating_sub(args.from_frame);
    let columns = u64::from(args.columns.clamp(1, 1 << 14)).min(length);
    if columns == 0 {
        return Ok(Vec::new());
    }
    let mut sound = Sound::open(input)?;
    if args.from_frame > 0 {
        sound.seek(args.from_frame)?;
    }
    let mut spans = vec![NOTHING; usize::try_from(columns).unwrap_or(0)];
    // Column `c` begins at this frame; none is empty, since there are no more columns than frames.
    let begins = |column: u64| args.from_frame + length * column / columns;
    sound.decode_planes(|_, at, leave_out, planes| {
        let end = (at + (planes.frames() - leave_out) as u64).min(args.until_frame);
        let mut from = at.max(args.from_frame);
        while from < end {
            let mut column = (from - args.from_frame) * columns / length;
            // Rounding down may name the column before.
            while column + 1 < columns && begins(column + 1) <= from {
                column += 1;
            }
            let until = begins(column + 1).min(end);
            let within = |frame: u64| usize::try_from(frame - at).unwrap_or(0) + leave_out;
            if let Some(span) = usize::try_from(column).ok().and_then(|column| spans.get_mut(column)) {
                *span = joined(*span, planes.span(within(from), within(until)));
            }
            from = until;
        }
        Ok(end < args.until_frame)
    })?;
    Ok(spans.into_iter().map(|span| if span.0 <= span.1 { span } else { (0.0, 0.0) }).collect())
}

/// The whole in `columns` columns, in one pass with memory for a bounded number of buckets: when they are full, neighbours
/// are joined.
pub(super) fn peaks(input: &Input, columns: usize) -> Result<Waveform, String> {
    let mut sound = Sound::open(input)?;
    let mut buckets = Buckets::new((columns * 8).max(4096));
    let mut stretch = Stretch::new();
    let format = sound
        .decode_planes(|_, _, leave_out, planes| {
            stretch.take(leave_out, planes, BASE, &mut |span| buckets.push(span));
            Ok(true)
        })?
        .ok_or("nothing of the sound decodes")?;
    if let Some(span) = stretch.rest() {
        buckets.push(span);
    }
    let columns = columns.min(buckets.spans.len());
    let columns = (0..columns)
        .map(|at| {
            let all = &buckets.spans
                [at * buckets.spans.len() / columns..((at + 1) * buckets.spans.len()).div_ceil(columns)];
            all.iter().copied().fold(NOTHING, joined)
        })
        .collect();
    Ok(Waveform { format, frames: stretch.at, columns })
}

/// A bounded number of spans that cover any length: each stands for `width` of those that were pushed.
pub(crate) struct Buckets {
    pub(crate) spans: Vec<Span>,
    pub(crate) width: u64,
    filled: u64,
    most: usize,
}

impl Buckets {
    pub(crate) fn new(most: usize) -> Self {
        Self { spans: Vec::new(), width: 1, filled: 0, most: most.max(2) }
    }
    pub(crate) fn push(&mut self, span: Span) {
        if self.filled == 0 {
            if self.spans.len() == self.most {
                self.spans =
                    self.spans.chunks(2).map(|pair| pair.iter().copied().fold(NOTHING, joined)).collect();
                self.width *= 2;
                // An odd one out stands for fewer; it goes on being filled.
                self.filled = if self.most % 2 == 1 { self.width / 2 } else { 0 };
            }
            if self.filled == 0 {
                self.spans.push(NOTHING);
            }
        }
        if let Some(last) = self.spans.last_mut() {
            *last = joined(*last, span);
        }
        self.filled = (self.filled + 1) % self.width;
    }
}

/// Cuts packets into buckets.
struct Stretch {
    /// How many frames were taken.
    at: u64,
    span: Span,
    filled: u64,
}

impl Stretch {
    fn new() -> Self {
        Self { at: 0, span: NOTHING, filled: 0 }
    }
    fn take(&mut self, leave_out: usize, planes: &Planes<'_>, width: u64, done: &mut dyn FnMut(Span)) {
        let frames = planes.frames();
        let mut from = leave_out;
        while from < frames {
            let until = frames.min(from + usize::try_from(width - self.filled).unwrap_or(usize::MAX));
            self.span = joined(self.span, planes.span(from, until));
            self.filled += (until - from) as u64;
            if self.filled == width {
                done(self.span);
                (self.span, self.filled) = (NOTHING, 0);
            }
            from = until;
        }
        self.at += (frames - leave_out) as u64;
    }
    fn rest(&self) -> Option<Span> {
        (self.filled > 0).then_some(self.span)
    }
}

/// A sample as `i16`, rounded outwards by no more than a half.
fn fixed(sample: f32) -> i16 {
    #[allow(clippy::cast_possible_truncation, reason = "clamped to its range")]
    let value = (sample * 32_767.0).round().clamp(-32_768.0, 32_767.0) as i16;
    value
}

impl Planes<'_> {
    /// The span of the frames `from..until` over all channels.
    pub(crate) fn span(&self, from: usize, until: usize) -> Span {
        fn of<S: Sample + IntoSample<f32> + PartialOrd>(
            buffer: &symphonia::core::audio::AudioBuffer<S>,
            from: usize,
            until: usize,
        ) -> Span {
            let mut all = NOTHING;
            for channel in 0..buffer.spec().channels.count() {
                let Some(samples) = buffer.chan(channel).get(from..until) else { continue };
                if let Some((low, high)) = extremes(samples) {
                    all = joined(all, (low.into_sample(), high.into_sample()));
                }
            }
            all
        }
        match self {
            Self::Silence(..) => (0.0, 0.0),
            Self::Decoded(decoded) => match decoded {
                AudioBufferRef::U8(b) => of(b, from, until),
                AudioBufferRef::U16(b) => of(b, from, until),
                AudioBufferRef::U24(b) => of(b, from, until),
                AudioBufferRef::U32(b) => of(b, from, until),
                AudioBufferRef::S8(b) => of(b, from, until),
                AudioBufferRef::S16(b) => of(b, from, until),
                AudioBufferRef::S24(b) => of(b, from, until),
                AudioBufferRef::S32(b) => of(b, from, until),
                AudioBufferRef::F32(b) => of(b, from, until),
                AudioBufferRef::F64(b) => of(b, from, until),
            },
        }
    }
}

/// Lowest and highest, in lanes that a compiler can keep in vector registers.
fn extremes<S: Copy + PartialOrd>(samples: &[S]) -> Option<(S, S)> {
    const LANES: usize = 16;
    let first = *samples.first()?;
    let (mut low, mut high) = ([first; LANES], [first; LANES]);
    let (chunks, rest) = samples.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            low[lane] = if chunk[lane] < low[lane] { chunk[lane] } else { low[lane] };
            high[lane] = if chunk[lane] > high[lane] { chunk[lane] } else { high[lane] };
        }
    }
    let least = |a: S, b: S| if b < a { b } else { a };
    let most = |a: S, b: S| if b > a { b } else { a };
    Some((
        low.into_iter().chain(rest.iter().copied()).fold(first, least),
        high.into_iter().chain(rest.iter().copied()).fold(first, most),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_found_wherever_they_stand() {
        for length in [1_usize, 15, 16, 17, 100] {
            for at in 0..length {
                let mut samples = vec![0_i16; length];
                samples[at] = -7;
                samples[(at + 1) % length] = 9;
                let expected = if length == 1 { (9, 9) } else { (-7, 9) };
                assert_eq!(extremes(&samples), Some(expected), "{length} samples, the lowest at {at}");
            }
        }
        assert_eq!(extremes::<f32>(&[]), None, "no sample has no extremes");
    }

    #[test]
    fn full_buckets_are_joined_and_none_is_lost() {
        for most in [2, 5, 8] {
            let mut buckets = Buckets::new(most);
            for n in 0..100_u8 {
                buckets.push((-f32::from(n), f32::from(n)));
            }
            assert!(buckets.spans.len() <= most, "at most {most} are kept");
            assert_eq!(
                buckets.spans.len() as u64,
                100_u64.div_ceil(buckets.width),
                "each stands for {} pushes",
                buckets.width
            );
            for (at, span) in buckets.spans.iter().enumerate() {
                let last = ((at as u64 + 1) * buckets.width - 1).min(99);
                assert!((span.1 - last as f32).abs() < 0.5, "bucket {at} ends with push {last}: {}", span.1);
            }
        }
    }
}
