//! Waveforms, as they are looked at: worked out once by a worker, shown while they grow, and kept by hash in a folder of
//! the app's (never in the study). Nothing is parsed here.
//!
//! Choices: at most [`MOST`] buckets are kept of a sound whatever its length, so that memory and disk stay flat; a closer
//! look decodes that stretch again, to the very samples; who asks waits a moment at most and is told how far it is.

use crate::{
    sound::{
        BASE, Buckets, LevelsArgs, LevelsHead, LevelsTail, NOTHING, RangeArgs, SoundFormat, Span, joined,
    },
    worker::{Failure, Frame, Input, Job, Limits, Pool, Program},
};
use std::{
    collections::HashMap,
    fs,
    io::{self, Read, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Buckets that are kept of a sound: 1 MB.
const MOST: usize = 1 << 18;
/// Waveforms that are kept on disk.
const FILES: usize = 2_000;
/// Waveforms that are kept in memory, besides those that are growing.
const KEPT: usize = 16;
const MAGIC: &[u8; 8] = b"AssizeW1";

/// What of a waveform is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// From which second; none: the start.
    pub from_seconds: Option<f64>,
    /// To which second; none: the end.
    pub to_seconds: Option<f64>,
    /// In how many columns.
    pub columns: u32,
    /// How long to wait for what is not there yet.
    pub patience: Duration,
}

/// A look at a waveform.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// What the sound is.
    pub format: SoundFormat,
    /// Lowest and highest sample of each column, -1 to 1.
    pub columns: Vec<(f32, f32)>,
    /// The first frame that the columns stand for.
    pub from_frame: u64,
    /// The frame after the last.
    pub until_frame: u64,
    /// The sound's length: counted once it is whole, else promised by its container.
    pub frames: Option<u64>,
    /// How much was decoded so far. Columns behind it are a sketch, or nothing.
    pub decoded: u64,
    /// Was all of it decoded?
    pub whole: bool,
}

/// The waveforms of an app.
pub struct Waveforms {
    folder: PathBuf,
    /// For close looks, which someone waits for.
    pool: Arc<Pool>,
    /// For whole sounds: long work, which must not keep the others waiting.
    long: Arc<Pool>,
    known: Mutex<HashMap<String, Arc<Growing>>>,
}

struct Growing {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    format: Option<SoundFormat>,
    promised: Option<u64>,
    sketch: Vec<Span>,
    buckets: Buckets,
    decoded: u64,
    whole: bool,
    failure: Option<Failure>,
    used: Instant,
}

impl Waveforms {
    /// Waveforms that are kept in `folder`, which is made when needed. Whole sounds are decoded by workers of their own,
    /// two at a time; a closer look at a stretch is asked of `pool`.
    pub fn new(folder: PathBuf, program: Program, pool: Arc<Pool>) -> Self {
        Self { folder, pool, long: Arc::new(Pool::new(program, 2)), known: Mutex::default() }
    }

    /// How long the sound is, in frames, if its waveform is whole.
    pub fn counted(&self, sha256: &str) -> Option<(SoundFormat, u64)> {
        let growing = Arc::clone(lock(&self.known).get(sha256)?);
        let state = lock(&growing.state);
        state.format.filter(|_| state.whole).map(|format| (format, state.decoded))
    }

    /// Looks at the waveform of the sound `input`, whose hash is `sha256`.
    pub fn look(&self, sha256: &str, input: &Input, look: &Look) -> Result<Seen, Failure> {
        let growing = self.growing(sha256, input);
        let until = Instant::now() + look.patience;
        let mut state = lock(&growing.state);
        loop {
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            // Without a format there is nothing to say, however impatient the question.
            let enough = state.format.is_some() && (left.is_zero() || !state.sketch.is_empty());
            if state.whole || enough {
                break;
            }
            let wait = if left.is_zero() { Duration::from_secs(1) } else { left };
            state = growing.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.used = Instant::now();
        let format = state
            .format
            .ok_or_else(|| Failure::Refused { why: "nothing of the sound decodes".to_owned() })?;
        let frames = if state.whole { Some(state.decoded) } else { state.promised };
        let end = frames.unwrap_or(state.decoded);
        let place = |seconds: f64| frame_at(seconds, format.sample_rate).min(end);
        let from = look.from_seconds.map_or(0, place);
        let until = look.to_seconds.map_or(end, place).max(from);
        let mut seen = Seen {
            format,
            columns: Vec::new(),
            from_frame: from,
            until_frame: until,
            frames,
            decoded: state.decoded,
            whole: state.whole,
        };
        let columns = u64::from(look.columns.max(1)).min(until - from);
        if columns == 0 {
            return Ok(seen);
        }
        let close = (until - from) / columns < state.buckets.width * BASE;
        if close && until - from <= CLOSE {
            drop(state);
            seen.columns = self.range(input, from, until, look.columns)?;
            if !seen.whole {
                seen.decoded = seen.decoded.max(until);
            }
            return Ok(seen);
        }
        seen.columns = (0..columns)
            .map(|c| {
                state.column(from + (until - from) * c / columns, from + (until - from) * (c + 1) / columns)
            })
            .collect();
        Ok(seen)
    }

    fn range(&self, input: &Input, from: u64, until: u64, columns: u32) -> Result<Vec<Span>, Failure> {
        let args = RangeArgs { from_frame: from, until_frame: until, columns };
        self.pool.call(&Job::new("range", serde_json::json!(args), input.clone()).within(Limits::STREAM))
    }

    /// The waveform, whole or growing; begins it if there is none.
    fn growing(&self, sha256: &str, input: &Input) -> Arc<Growing> {
        let mut known = lock(&self.known);
        if let Some(growing) = known.get(sha256)
            && lock(&growing.state).failure.is_none()
        {
            return Arc::clone(growing);
        }
        forget_old(&mut known);
        let file = self.folder.join(format!("{sha256}.waveform"));
        let kept = read(&file).ok();
        let is_kept = kept.is_some();
        let growing =
            Arc::new(Growing { state: Mutex::new(kept.unwrap_or_else(State::new)), changed: Condvar::new() });
        known.insert(sha256.to_owned(), Arc::clone(&growing));
        drop(known);
        if !is_kept {
            let (pool, input, growing) = (Arc::clone(&self.long), input.clone(), Arc::clone(&growing));
            std::thread::spawn(move || {
                grow(&pool, input, &growing);
                let state = lock(&growing.state);
                // What is not kept is worked out again; nothing else is lost.
                if state.whole && write(&file, &state).is_ok() {
                    drop(state);
                    prune(&file);
                }
            });
        }
        growing
    }
}

/// Stretches up to this many frames (44 s at 48 kHz) are decoded again for a closer look.
const CLOSE: u64 = 1 << 21;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn frame_at(seconds: f64, rate: u32) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
    let frame = (seconds.max(0.0) * f64::from(rate)).round() as u64;
    frame
}

fn forget_old(known: &mut HashMap<String, Arc<Growing>>) {
    while known.len() >= KEPT {
        let oldest = known
            .iter()
            .filter_map(|(key, growing)| {
                let state = lock(&growing.state);
                (state.whole || state.failure.is_some()).then_some((state.used, key.clone()))
            })
            .min();
        let Some((_, key)) = oldest else { return };
        known.remove(&key);
    }
}

fn grow(pool: &Pool, input: Input, growing: &Growing) {
    let job =
        Job::new("levels", serde_json::json!(LevelsArgs { sketch: true }), input).within(Limits::STREAM);
    let mut broken = None;
    let result = pool.run(&job, |frame| {
        let mut state = lock(&growing.state);
        match frame {
            Frame::Json(text) => {
                if let Ok(tail) = serde_json::from_slice::<LevelsTail>(&text) {
                    state.format = Some(tail.format);
                    state.decoded = tail.frames;
                    state.whole = true;
                } else if let Ok(head) = serde_json::from_slice::<LevelsHead>(&text) {
                    state.format = head.format.or(state.format);
                    state.promised = head.promised;
                    state.sketch = head.sketch;
                } else {
                    broken = Some(Failure::Protocol { why: "an unexpected answer".to_owned() });
                    return ControlFlow::Break(());
                }
            }
            Frame::Bytes(bytes) => {
                let (pairs, _) = bytes.as_chunks::<4>();
                for pair in pairs {
                    state.buckets.push(span(*pair));
                }
                state.decoded += pairs.len() as u64 * BASE;
            }
        }
        growing.changed.notify_all();
        ControlFlow::Continue(())
    });
    let mut state = lock(&growing.state);
    if let Some(failure) = broken.or(result.err()) {
        state.failure = Some(failure);
        state.whole = false;
    } else if !state.whole {
        state.failure = Some(Failure::Protocol { why: "no answer came".to_owned() });
    }
    growing.changed.notify_all();
}

fn span(pair: [u8; 4]) -> Span {
    let level = |low: u8, high: u8| f32::from(i16::from_le_bytes([low, high])) / 32_767.0;
    (level(pair[0], pair[1]), level(pair[2], pair[3]))
}

impl State {
    fn new() -> Self {
        Self {
            format: None,
            promised: None,
            sketch: Vec::new(),
            buckets: Buckets::new(MOST),
            decoded: 0,
            whole: false,
            failure: None,
            used: Instant::now(),
        }
    }

    /// The span of a stretch: of its buckets where they are there, else of the sketch.
    fn column(&self, from: u64, until: u64) -> Span {
        let width = self.buckets.width * BASE;
        let at = |frame: u64| usize::try_from(frame / width).unwrap_or(usize::MAX);
        let spans = &self.buckets.spans;
        let last = at(until.max(from + 1) - 1);
        if last < spans.len() || self.whole {
            let all = spans.get(at(from).min(spans.len())..(last + 1).min(spans.len())).unwrap_or_default();
            return seen(all.iter().copied().fold(NOTHING, joined));
        }
        let Some(promised) = self.promised.filter(|frames| *frames > 0 && !self.sketch.is_empty()) else {
            return (0.0, 0.0);
        };
        let places = self.sketch.len() as u64;
        let place = |frame: u64| usize::try_from((frame * places / promised).min(places - 1)).unwrap_or(0);
        seen(self.sketch[place(from)..=place(until.max(from + 1) - 1)].iter().copied().fold(NOTHING, joined))
    }
}

fn seen(span: Span) -> Span {
    if span.0 <= span.1 { span } else { (0.0, 0.0) }
}

/// The file: magic, rate, channels, frames, bucket width, and the buckets as pairs of `i16`; all little-endian.
fn write(file: &Path, state: &State) -> io::Result<()> {
    let Some((folder, format)) = file.parent().zip(state.format) else { return Ok(()) };
    fs::create_dir_all(folder)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(format.sample_rate.to_le_bytes());
    bytes.extend(u32::from(format.channels).to_le_bytes());
    bytes.extend(state.decoded.to_le_bytes());
    bytes.extend(state.buckets.width.to_le_bytes());
    for span in &state.buckets.spans {
        for level in [span.0, span.1] {
            #[allow(clippy::cast_possible_truncation, reason = "it was an i16")]
            bytes.extend(((level * 32_767.0).round() as i16).to_le_bytes());
        }
    }
    let part = file.with_extension(format!("{}.part", std::process::id()));
    fs::File::create(&part)?.write_all(&bytes)?;
    fs::rename(part, file)
}

fn read(file: &Path) -> io::Result<State> {
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(32 + 4 * MOST as u64 + 1).read_to_end(&mut bytes)?;
    let broken = || io::Error::other("no waveform");
    let (head, pairs) = bytes.split_at_checked(32).ok_or_else(broken)?;
    let number = |at: usize| head[at..at + 8].iter().rev().fold(0_u64, |n, b| n << 8 | u64::from(*b));
    let (rate, channels) = (number(8) & 0xffff_ffff, number(8) >> 32);
    let (frames, width) = (number(16), number(24));
    let (pairs, rest) = pairs.as_chunks::<4>();
    let mut state = State::new();
    let whole = head.starts_with(MAGIC) && rest.is_empty() && width > 0 && rate > 0;
    if !whole || frames.div_ceil(width.saturating_mul(BASE)) != pairs.len() as u64 {
        return Err(broken());
    }
    state.buckets.spans = pairs.iter().map(|pair| span(*pair)).collect();
    state.buckets.width = width;
    state.format = Some(SoundFormat {
        sample_rate: u32::try_from(rate).map_err(io::Error::other)?,
        channels: u16::try_from(channels).map_err(io::Error::other)?,
    });
    state.decoded = frames;
    state.whole = true;
    Ok(state)
}

/// Removes the oldest files when there are too many.
fn prune(file: &Path) {
    let Some(entries) = file.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    let mut all: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .collect();
    if all.len() > FILES {
        all.sort();
        for (_, old) in &all[..all.len() - FILES] {
            // Another instance may have been faster.
            let _ = fs::remove_file(old);
        }
    }
}
