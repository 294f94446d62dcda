//! Spectrograms: how strong each pitch is over time. Rows follow the mel scale, since hearing does; a long sound is looked
//! at in one window per column, so that its length does not make it slow.

use super::{SoundFormat, decode::Sound};
use crate::worker::{FrameSink, Input, Registry};
use realfft::RealFftPlanner;
use serde::{Deserialize, Serialize};
use std::{collections::VecDeque, f32::consts::TAU};

/// Frames of a window: 43 ms at 48 kHz.
const WINDOW: usize = 2048;
/// What is drawn as nothing, in decibels below a full-scale sine.
const FLOOR_DB: f32 = -96.0;

/// Arguments of the job `spectrogram`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct SpectrogramArgs {
    pub(crate) from_frame: u64,
    pub(crate) until_frame: u64,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

pub(crate) fn register(registry: Registry) -> Registry {
    registry.with("spectrogram", |args, input, sink| {
        let args = SpectrogramArgs::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
        spectrogram(input, &args, sink)
    })
}

/// Hertz to mel, and back (O'Shaughnessy 1987).
fn mel(hertz: f32) -> f32 {
    2595.0 * (1.0 + hertz / 700.0).log10()
}
fn hertz(mel: f32) -> f32 {
    700.0 * (10_f32.powf(mel / 2595.0) - 1.0)
}

/// Answers the format as JSON, then the columns one after the other, each from the lowest pitch to half the sampling
/// rate: one byte a row, from 0 (96 dB below a full-scale sine, or less) to 255 (a full-scale sine).
fn spectrogram(input: &Input, args: &SpectrogramArgs, sink: &mut dyn FrameSink) -> Result<(), String> {
    let mut sound = Sound::open(input)?;
    let (columns, rows) = (u64::from(args.columns.clamp(1, 4096)), args.rows.clamp(1, 512) as usize);
    let length = args.until_frame.saturating_sub(args.from_frame).max(1);
    let half = WINDOW as u64 / 2;
    // A window lies around the middle of its column.
    let begins =
        |column: u64| (args.from_frame + length * (2 * column + 1) / (2 * columns)).saturating_sub(half);
    let hop = length / columns;
    let mut eye = Eye::new(rows);
    let mut said = false;
    let mut column = 0;
    while column < columns {
        // Windows far from each other are sought one by one; near ones share one pass.
        let wanted = begins(column);
        if wanted > 0 && (column == 0 || hop > 64 * WINDOW as u64) {
            sound.seek(wanted)?;
            eye.mono.clear();
        }
        let before = column;
        let format = sound.decode_at(|format, at, samples| {
            if !said {
                sink.json(&format)?;
                said = true;
                eye.tune(format);
            }
            eye.take(at, samples, format);
            while column < columns && eye.reaches(begins(column)) {
                let bytes = eye.column(begins(column));
                sink.bytes(&bytes)?;
                column += 1;
                if hop > 64 * WINDOW as u64 {
                    return Ok(false);
                }
            }
            if column < columns {
                eye.forget(begins(column));
            }
            Ok(column < columns)
        })?;
        if format.is_none() && !said {
            if wanted == 0 {
                return Err("nothing of the sound decodes".to_owned());
            }
            sink.json(&sound.format()?)?;
            break;
        }
        if column == before {
            break;
        }
    }
    // Behind the end there is silence.
    while column < columns {
        let bytes = if eye.bands.is_empty() { vec![0; rows] } else { eye.column(begins(column)) };
        sink.bytes(&bytes)?;
        column += 1;
    }
    Ok(())
}

/// Looks at windows of the sound.
struct Eye {
    fft: std::sync::Arc<dyn realfft::RealToComplex<f32>>,
    hann: Vec<f32>,
    /// All channels mixed, from `first` on.
    mono: VecDeque<f32>,
    first: u64,
    /// The bins of each row: from, and how many.
    bands: Vec<(usize, usize)>,
    rows: usize,
}

impl Eye {
    fn new(rows: usize) -> Self {
        let hann = (0..WINDOW).map(|n| 0.5 - 0.5 * (TAU * n as f32 / WINDOW as f32).cos()).collect();
        let fft = RealFftPlanner::new().plan_fft_forward(WINDOW);
        Self { fft, hann, mono: VecDeque::new(), first: 0, bands: Vec::new(), rows }
    }
    fn tune(&mut self, format: SoundFormat) {
        let top = format.sample_rate as f32 / 2.0;
        let edge = |row: usize| {
            let share = row as f32 / self.rows as f32;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to half a window")]
            let bin = (hertz(mel(top) * share) / top * (WINDOW / 2) as f32).round() as usize;
            bin.min(WINDOW / 2)
        };
        self.bands = (0..self.rows).map(|row| (edge(row), (edge(row + 1) - edge(row)).max(1))).collect();
    }
    fn take(&mut self, at: u64, samples: &[f32], format: SoundFormat) {
        if self.mono.is_empty() {
            self.first = at;
        }
        let channels = usize::from(format.channels.max(1));
        let share = 1.0 / channels as f32;
        self.mono.extend(samples.chunks_exact(channels).map(|frame| frame.iter().sum::<f32>() * share));
    }
    fn reaches(&self, begin: u64) -> bool {
        self.first + self.mono.len() as u64 >= begin + WINDOW as u64
    }
    fn forget(&mut self, before: u64) {
        let old =
            usize::try_from(before.saturating_sub(self.first)).unwrap_or(usize::MAX).min(self.mono.len());
        self.mono.drain(..old);
        self.first += old as u64;
    }
    fn column(&self, begin: u64) -> Vec<u8> {
        let mut window: Vec<f32> = (0..WINDOW)
            .map(|n| {
                let at = (begin + n as u64).checked_sub(self.first).and_then(|at| usize::try_from(at).ok());
                at.and_then(|at| self.mono.get(at)).copied().unwrap_or(0.0) * self.hann[n]
            })
            .collect();
        let mut spectrum = self.fft.make_output_vec();
        if self.fft.process(&mut window, &mut spectrum).is_err() {
            return vec![0; self.rows];
        }
        // The sum of a Hann window is half its length, and a sine's strength lies in two mirrored bins.
        let scale = 4.0 / WINDOW as f32;
        self.bands
            .iter()
            .map(|(from, count)| {
                let strongest = spectrum[*from..(*from + *count).min(spectrum.len())]
                    .iter()
                    .map(realfft::num_complex::Complex::norm_sqr)
                    .fold(0.0, f32::max);
                let decibels = 20.0 * (strongest.sqrt() * scale).max(1e-9).log10();
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped to a byte"
                )]
                let byte = ((1.0 - decibels / FLOOR_DB) * 255.0).round().clamp(0.0, 255.0) as u8;
                byte
            })
            .collect()
    }
}
