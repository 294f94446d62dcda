//! Sound out: samples that a worker decoded, through rodio's mixer to the sound card.
//!
//! Choices: the file is never parsed here, a worker streams its samples from the wanted frame on; a seek starts a new
//! stream, so that it lands on the very sample; what is ahead of the ear is bounded, so that length costs no memory; a
//! stream that lags gives silence and does not move the position. The device is owned by a thread of its own, since it
//! may not move between threads on every system.

use crate::{
    sound::{PcmArgs, SoundFormat},
    worker::{Cancel, Failure, Frame, Input, Job, Limits, Pool, Program},
};
use rodio::{ChannelCount, DeviceSinkBuilder, SampleRate, Source, mixer::Mixer};
use std::{
    collections::VecDeque,
    ops::ControlFlow,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
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

/// One player on one output. Playing another sound replaces the first.
pub struct Player {
    pool: Arc<Pool>,
    mixer: Mixer,
    /// Dropping it lets the device's thread end.
    device: Option<mpsc::Sender<()>>,
    loaded: Option<(Input, Arc<Stream>)>,
}

struct Stream {
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
    playing: AtomicBool,
    /// Samples of the file that are before the ear.
    heard: AtomicU64,
    finished: AtomicBool,
}

#[derive(Default)]
struct State {
    samples: VecDeque<f32>,
    format: Option<SoundFormat>,
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
        // Two, so that a seek need not wait for the old stream's end.
        Self { pool: Arc::new(Pool::new(program, 2)), mixer, device: None, loaded: None }
    }

    /// Loads a sound, held at its start; waits for its first samples.
    pub fn load(&mut self, input: Input) -> Result<SoundFormat, PlaybackError> {
        self.stop();
        self.start(input, 0, false)
    }

    /// Moves to a frame: the next sample heard is its first. Behind the end, the sound is finished.
    pub fn seek(&mut self, frame: u64) -> Result<(), PlaybackError> {
        let (input, stream) = self.loaded.take().ok_or(PlaybackError::NothingLoaded)?;
        stream.end();
        self.start(input, frame, stream.playing.load(Relaxed)).map(|_| ())
    }

    /// Plays on.
    pub fn play(&self) -> Result<(), PlaybackError> {
        self.stream()?.playing.store(true, Relaxed);
        Ok(())
    }

    /// Holds where it is.
    pub fn pause(&self) -> Result<(), PlaybackError> {
        self.stream()?.playing.store(false, Relaxed);
        Ok(())
    }

    /// Unloads.
    pub fn stop(&mut self) {
        if let Some((_, stream)) = self.loaded.take() {
            stream.end();
        }
    }

    /// The frame that is heard next.
    pub fn position(&self) -> Result<u64, PlaybackError> {
        let stream = self.stream()?;
        let channels = stream.lock().format.map_or(1, |format| u64::from(format.channels.max(1)));
        Ok(stream.heard.load(Relaxed) / channels)
    }

    /// What the loaded sound is.
    pub fn format(&self) -> Option<SoundFormat> {
        self.loaded.as_ref().and_then(|(_, stream)| stream.lock().format)
    }

    /// Is it sounding: loaded, not held, and not at its end?
    pub fn is_playing(&self) -> bool {
        self.loaded.as_ref().is_some_and(|(_, s)| s.playing.load(Relaxed) && !s.finished.load(Relaxed))
    }

    /// Has the last sample been heard?
    pub fn is_finished(&self) -> bool {
        self.loaded.as_ref().is_some_and(|(_, stream)| stream.finished.load(Relaxed))
    }

    /// Why the stream broke off, if it did.
    pub fn failure(&self) -> Option<Failure> {
        self.loaded.as_ref().and_then(|(_, stream)| stream.lock().failure.clone())
    }

    /// Waits until `samples` are ready to be heard, or the sound's end is.
    pub fn wait_ready(&self, samples: usize) -> Result<(), PlaybackError> {
        let stream = self.stream()?;
        let mut state = stream.lock();
        while state.samples.len() < samples.min(AHEAD) && !state.ended {
            state = stream.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    fn stream(&self) -> Result<&Arc<Stream>, PlaybackError> {
        self.loaded.as_ref().map(|(_, stream)| stream).ok_or(PlaybackError::NothingLoaded)
    }

    fn start(&mut self, input: Input, frame: u64, playing: bool) -> Result<SoundFormat, PlaybackError> {
        let stream = Arc::new(Stream {
            state: Mutex::default(),
            changed: Condvar::new(),
            cancel: Cancel::new(),
            playing: AtomicBool::new(playing),
            heard: AtomicU64::new(0),
            finished: AtomicBool::new(false),
        });
        let job = Job::new("pcm", serde_json::json!(PcmArgs { from_frame: frame }), input.clone())
            .within(Limits::STREAM)
            .cancelled_by(stream.cancel.clone());
        std::thread::spawn({
            let (pool, stream) = (Arc::clone(&self.pool), Arc::clone(&stream));
            move || feed(&pool, &job, &stream)
        });
        let mut state = stream.lock();
        while state.format.is_none() && !state.ended {
            state = stream.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let Some(format) = state.format else {
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
        });
        self.loaded = Some((input, stream));
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

/// Reads the worker's samples into the queue, no further than [`AHEAD`].
fn feed(pool: &Pool, job: &Job, stream: &Stream) {
    let result = pool.run(job, |frame| {
        let mut state = stream.lock();
        match frame {
            Frame::Json(text) => state.format = serde_json::from_slice(&text).ok(),
            Frame::Bytes(bytes) => {
                let (samples, _) = bytes.as_chunks::<4>();
                state.samples.extend(samples.iter().map(|sample| f32::from_le_bytes(*sample)));
            }
        }
        stream.changed.notify_all();
        while state.samples.len() >= AHEAD && !stream.cancel.is_cancelled() {
            let waited = stream.changed.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if stream.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let mut state = stream.lock();
    state.failure = result.err().filter(|failure| *failure != Failure::Cancelled);
    state.ended = true;
    stream.changed.notify_all();
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
        let sample = self.taken.pop_front()?;
        self.at = (self.at + 1) % self.channels.get();
        self.stream.heard.fetch_add(1, Relaxed);
        Some(sample)
    }
}

impl Voice {
    /// Takes whole frames from the queue; `false` if there are none.
    fn refill(&mut self) -> bool {
        let channels = usize::from(self.channels.get());
        let mut state = self.stream.lock();
        let whole = state.samples.len().min(512 * channels) / channels * channels;
        self.taken.extend(state.samples.drain(..whole));
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
