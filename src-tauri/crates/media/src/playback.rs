//! Sound out: samples that a worker decoded, through rodio's mixer to the sound card.
//!
//! Choices: the file is never parsed here, a worker streams its samples from the wanted frame on; a seek starts a new
//! stream, so that it lands on the very sample; what is ahead of the ear is bounded, so that length costs no memory; a
//! stream that lags gives silence and does not move the position. A part that repeats is joined in the stream itself,
//! so that no gap and no extra sample is heard. Two clips that are compared run side by side, one of them silent, so
//! that changing over takes one short fade. The device is owned by a thread of its own, since it may not move between
//! threads on every system.

use crate::{
    sound::{Head, PcmArgs, SoundFormat},
    worker::{Cancel, Failure, Frame, Input, Job, Limits, Pool, Program},
};
use rodio::{ChannelCount, DeviceSinkBuilder, SampleRate, Source, mixer::Mixer};
use std::{
    collections::VecDeque,
    ops::{ControlFlow, Range},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    time::Duration,
};

/// Why nothing is heard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaybackError {
    /// There is no sound device, or it cannot be opened.
    #[error("no sound device can be opened: {why}")]
    NoDevice {
        /// What the system said.
        why: String,
    },
    /// No sound is loaded.
    #[error("no sound is loaded")]
    NothingLoaded,
    /// The worker could not decode it.
    #[error(transparent)]
    Undecodable(#[from] Failure),
}

/// Samples ahead of the ear, at most: about five seconds of stereo.
const AHEAD: usize = 1 << 19;

/// Frames over which a change of gain is spread: 5 ms at 48 kHz, too short to be heard as a fade, long enough not to click.
const FADE: f32 = 240.0;
/// How far two clips that run side by side may come apart before they are set together again, milliseconds.
const APART_MS: u64 = 20;

/// One player on one output. Playing another sound replaces the first.
pub struct Player {
    pool: Arc<Pool>,
    mixer: Mixer,
    /// Dropping it lets the device's thread end.
    device: Option<mpsc::Sender<()>>,
    /// One clip, or two that are compared.
    clips: Vec<Clip>,
    /// Which of them is heard.
    chosen: usize,
    /// What repeats, in frames of the clip that is heard.
    part: Option<Range<u64>>,
    playing: Arc<AtomicBool>,
    volume: f32,
}

struct Clip {
    input: Input,
    /// Against the loudness of the other.
    gain: f32,
    format: SoundFormat,
    /// Its length as its container promises it, frames.
    promised: Option<u64>,
    stream: Arc<Stream>,
}

struct Stream {
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
    /// All clips of a player hold and go together.
    playing: Arc<AtomicBool>,
    /// How strong it is to be heard: the bits of an `f32`.
    gain: AtomicU32,
    /// The sample of the file that is heard next.
    heard: AtomicU64,
    finished: AtomicBool,
}

#[derive(Default)]
struct State {
    samples: VecDeque<f32>,
    /// How many samples went into the queue, and came out of it.
    put: u64,
    taken: u64,
    /// Where the stream jumps: the count of samples before, and the frame of the file that follows.
    jumps: VecDeque<(u64, u64)>,
    head: Option<Head>,
    ended: bool,
    failure: Option<Failure>,
}

impl Player {
    /// A player on the default device.
    pub fn open(program: Program) -> Result<Self, PlaybackError> {
        let (tell, told) = mpsc::channel();
        let (alive, until) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            match DeviceSinkBuilder::open_default_sink() {
                Ok(mut sink) => {
                    sink.log_on_drop(false);
                    if tell.send(Ok(sink.mixer().clone())).is_ok() {
                        // Nothing is ever sent: this ends when the player is dropped.
                        let _ = until.recv();
                    }
                }
                Err(error) => {
                    let _ = tell.send(Err(PlaybackError::NoDevice { why: error.to_string() }));
                }
            }
        });
        let mixer =
            told.recv().map_err(|_| PlaybackError::NoDevice { why: "the device ended".to_owned() })??;
        let mut player = Self::on(program, mixer);
        player.device = Some(alive);
        Ok(player)
    }

    /// A player on a mixer of the caller's.
    pub fn on(program: Program, mixer: Mixer) -> Self {
        // Four: a seek need not wait for the old streams' end.
        Self {
            pool: Arc::new(Pool::new(program, 4)),
            mixer,
            device: None,
            clips: Vec::new(),
            chosen: 0,
            part: None,
            playing: Arc::default(),
            volume: 1.0,
        }
    }

    /// Loads a sound, held at its start; waits for its first samples.
    pub fn load(&mut self, input: Input) -> Result<SoundFormat, PlaybackError> {
        self.stop();
        self.add(input, 1.0, 0, None)
    }

    /// Loads two sounds side by side, held at their start, each with its gain; the first is heard.
    pub fn load_pair(&mut self, sounds: [(Input, f32); 2]) -> Result<(), PlaybackError> {
        self.stop();
        for (input, gain) in sounds {
            if let Err(error) = self.add(input, gain, 0, None) {
                self.stop();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Lets the other of two clips be heard, at the same time of it.
    pub fn choose(&mut self, clip: usize) -> Result<(), PlaybackError> {
        let before = self.position_ms()?;
        if clip >= self.clips.len() {
            return Err(PlaybackError::NothingLoaded);
        }
        let (old, new) = (self.chosen()?.format.sample_rate, self.clips[clip].format.sample_rate);
        let there = |frame: u64| frame.saturating_mul(u64::from(new)) / u64::from(old.max(1));
        self.part = self.part.take().map(|part| there(part.start)..there(part.end));
        self.chosen = clip;
        self.set_gains();
        if self.position_ms()?.abs_diff(before) > APART_MS && !self.is_finished() {
            let frame = before * u64::from(self.clips[clip].format.sample_rate) / 1000;
            self.seek(frame)?;
        }
        Ok(())
    }

    /// Moves to a frame of the clip that is heard: the next sample heard is its first. Behind the end, the sound is
    /// finished.
    pub fn seek(&mut self, frame: u64) -> Result<(), PlaybackError> {
        let rate = self.chosen()?.format.sample_rate;
        let clips = std::mem::take(&mut self.clips);
        for clip in &clips {
            clip.stream.end();
        }
        for clip in clips {
            let there = |frame: u64| {
                frame.saturating_mul(u64::from(clip.format.sample_rate)) / u64::from(rate.max(1))
            };
            let part = self.part.as_ref().map(|part| there(part.start)..there(part.end));
            self.add(clip.input, clip.gain, there(frame), part)?;
        }
        Ok(())
    }

    /// Repeats the frames of a part without a gap, or nothing any more. A sound that is behind its part plays on from
    /// the part's start.
    pub fn repeat(&mut self, part: Option<Range<u64>>) -> Result<(), PlaybackError> {
        let part = part.filter(|part| part.start < part.end);
        if part == self.part {
            return Ok(());
        }
        let at = self.position()?;
        self.part = part;
        self.seek(at)
    }

    /// Plays on.
    pub fn play(&self) -> Result<(), PlaybackError> {
        self.chosen()?;
        self.playing.store(true, Relaxed);
        Ok(())
    }

    /// Holds where it is.
    pub fn pause(&self) -> Result<(), PlaybackError> {
        self.chosen()?;
        self.playing.store(false, Relaxed);
        Ok(())
    }

    /// How loud, 0 to 1. At 1 (and without a comparison) samples are heard as they were decoded.
    pub fn set_volume(&mut self, volume: f32) {
        self.volume = volume.clamp(0.0, 1.0);
        self.set_gains();
    }

    /// Unloads.
    pub fn stop(&mut self) {
        for clip in self.clips.drain(..) {
            clip.stream.end();
        }
        self.chosen = 0;
        self.part = None;
        self.playing = Arc::default();
    }

    /// The frame that is heard next.
    pub fn position(&self) -> Result<u64, PlaybackError> {
        let clip = self.chosen()?;
        Ok(clip.stream.heard.load(Relaxed) / u64::from(clip.format.channels.max(1)))
    }

    fn position_ms(&self) -> Result<u64, PlaybackError> {
        Ok(self.position()?.saturating_mul(1000) / u64::from(self.chosen()?.format.sample_rate.max(1)))
    }

    /// What the sound that is heard is.
    pub fn format(&self) -> Option<SoundFormat> {
        self.chosen().ok().map(|clip| clip.format)
    }

    /// How many frames its container promises.
    pub fn promised(&self) -> Option<u64> {
        self.chosen().ok().and_then(|clip| clip.promised)
    }

    /// Is it sounding: loaded, not held, and not at its end?
    pub fn is_playing(&self) -> bool {
        self.playing.load(Relaxed) && !self.clips.is_empty() && !self.is_finished()
    }

    /// Has the last sample been heard?
    pub fn is_finished(&self) -> bool {
        self.chosen().is_ok_and(|clip| clip.stream.finished.load(Relaxed))
    }

    /// Why the stream broke off, if it did.
    pub fn failure(&self) -> Option<Failure> {
        self.chosen().ok().and_then(|clip| clip.stream.lock().failure.clone())
    }

    /// Waits until `samples` of each clip are ready to be heard, or its end is.
    pub fn wait_ready(&self, samples: usize) -> Result<(), PlaybackError> {
        self.chosen()?;
        for clip in &self.clips {
            let mut state = clip.stream.lock();
            while state.samples.len() < samples.min(AHEAD) && !state.ended {
                state = clip.stream.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        Ok(())
    }

    fn chosen(&self) -> Result<&Clip, PlaybackError> {
        self.clips.get(self.chosen).ok_or(PlaybackError::NothingLoaded)
    }

    fn set_gains(&self) {
        for (at, clip) in self.clips.iter().enumerate() {
            clip.stream.gain.store(self.gain(at, clip.gain).to_bits(), Relaxed);
        }
    }

    fn gain(&self, at: usize, own: f32) -> f32 {
        if at == self.chosen { own * self.volume } else { 0.0 }
    }

    /// Begins a stream at `frame` and puts it on the mixer.
    fn add(
        &mut self,
        input: Input,
        own: f32,
        frame: u64,
        part: Option<Range<u64>>,
    ) -> Result<SoundFormat, PlaybackError> {
        let gain = self.gain(self.clips.len(), own);
        let stream = Arc::new(Stream {
            state: Mutex::default(),
            changed: Condvar::new(),
            cancel: Cancel::new(),
            playing: Arc::clone(&self.playing),
            gain: AtomicU32::new(gain.to_bits()),
            heard: AtomicU64::new(0),
            finished: AtomicBool::new(false),
        });
        std::thread::spawn({
            let (pool, input, stream) = (Arc::clone(&self.pool), input.clone(), Arc::clone(&stream));
            move || feed(&pool, &input, frame, part.as_ref(), &stream)
        });
        let mut state = stream.lock();
        while state.head.is_none() && !state.ended {
            state = stream.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let Some(Head { format, promised }) = state.head else {
            let why = "the sound has no samples".to_owned();
            return Err(state.failure.take().unwrap_or(Failure::Refused { why }).into());
        };
        drop(state);
        let (Some(channels), Some(rate)) =
            (ChannelCount::new(format.channels), SampleRate::new(format.sample_rate))
        else {
            stream.end();
            return Err(Failure::Refused { why: "the sound has no channels or no rate".to_owned() }.into());
        };
        stream.heard.store(frame.saturating_mul(u64::from(format.channels)), Relaxed);
        self.mixer.add(Voice {
            stream: Arc::clone(&stream),
            channels,
            rate,
            taken: VecDeque::new(),
            silent: 0,
            at: 0,
            gain,
        });
        self.clips.push(Clip { input, gain: own, format, promised, stream });
        Ok(format)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Stream {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn end(&self) {
        self.cancel.cancel();
        self.changed.notify_all();
    }
}

/// Reads the worker's samples into the queue, no further ahead than [`AHEAD`], and over and over where a part repeats.
fn feed(pool: &Pool, input: &Input, from: u64, part: Option<&Range<u64>>, stream: &Stream) {
    let mut from = match part {
        Some(part) if from >= part.end => part.start,
        _ => from,
    };
    let result = loop {
        let before = {
            let mut state = stream.lock();
            let put = state.put;
            state.jumps.push_back((put, from));
            put
        };
        let args = PcmArgs { from_frame: from, until_frame: part.map(|part| part.end) };
        let job = Job::new("pcm", serde_json::json!(args), input.clone())
            .within(Limits::STREAM)
            .cancelled_by(stream.cancel.clone());
        let result = pool.run(&job, |frame| take(stream, frame));
        // A part that lies behind the sound's end has nothing to repeat.
        let Some(part) = part.filter(|_| result.is_ok() && stream.lock().put > before) else { break result };
        from = part.start;
    };
    let mut state = stream.lock();
    state.failure = result.err().filter(|failure| *failure != Failure::Cancelled);
    state.ended = true;
    stream.changed.notify_all();
}

fn take(stream: &Stream, frame: Frame) -> ControlFlow<()> {
    let mut state = stream.lock();
    match frame {
        Frame::Json(text) => state.head = serde_json::from_slice(&text).ok().or(state.head),
        Frame::Bytes(bytes) => {
            let (samples, _) = bytes.as_chunks::<4>();
            state.samples.extend(samples.iter().map(|sample| f32::from_le_bytes(*sample)));
            state.put += samples.len() as u64;
        }
    }
    stream.changed.notify_all();
    while state.samples.len() >= AHEAD && !stream.cancel.is_cancelled() {
        let waited = stream.changed.wait_timeout(state, Duration::from_millis(100));
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
    if stream.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// What the mixer pulls from.
struct Voice {
    stream: Arc<Stream>,
    channels: ChannelCount,
    rate: SampleRate,
    taken: VecDeque<f32>,
    /// Samples of silence that are due, to the end of a frame.
    silent: u16,
    /// Which channel is next.
    at: u16,
    /// How strong it is heard now; goes towards what is wanted, frame by frame.
    gain: f32,
}

impl Iterator for Voice {
    type Item = f32;
    fn next(&mut self) -> Option<f32> {
        if self.silent > 0 {
            self.silent -= 1;
            return Some(0.0);
        }
        if self.at == 0 {
            if self.stream.cancel.is_cancelled() {
                return None;
            }
            if !self.stream.playing.load(Relaxed) {
                self.silent = self.channels.get() - 1;
                return Some(0.0);
            }
        }
        if self.taken.len() < usize::from(self.channels.get()) && self.at == 0 && !self.refill() {
            if self.stream.finished.load(Relaxed) {
                return None;
            }
            self.silent = self.channels.get() - 1;
            return Some(0.0);
        }
        if self.at == 0 {
            let wanted = f32::from_bits(self.stream.gain.load(Relaxed));
            self.gain += (wanted - self.gain).clamp(-1.0 / FADE, 1.0 / FADE);
        }
        let sample = self.taken.pop_front()?;
        self.at = (self.at + 1) % self.channels.get();
        self.stream.heard.fetch_add(1, Relaxed);
        Some(sample * self.gain)
    }
}

impl Voice {
    /// Takes whole frames from the queue, up to where the stream jumps; `false` if there are none.
    fn refill(&mut self) -> bool {
        let channels = usize::from(self.channels.get());
        let mut state = self.stream.lock();
        while let Some((_, frame)) = state.jumps.front().copied().filter(|(at, _)| *at == state.taken) {
            self.stream.heard.store(frame.saturating_mul(channels as u64), Relaxed);
            state.jumps.pop_front();
        }
        let jump = state.jumps.front().map_or(u64::MAX, |(at, _)| at - state.taken);
        let most = state.samples.len().min(512 * channels).min(usize::try_from(jump).unwrap_or(usize::MAX));
        let whole = most / channels * channels;
        self.taken.extend(state.samples.drain(..whole));
        state.taken += whole as u64;
        if whole == 0 && state.ended {
            self.stream.finished.store(true, Relaxed);
        }
        self.stream.changed.notify_all();
        whole > 0
    }
}

impl Source for Voice {
    fn current_span_len(&self) -> Option<usize> {
        None
    }
    fn channels(&self) -> ChannelCount {
        self.channels
    }
    fn sample_rate(&self) -> SampleRate {
        self.rate
    }
    fn total_duration(&self) -> Option<Duration> {
        None
    }
}
