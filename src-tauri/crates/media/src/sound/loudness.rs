//! How loud a sound is, after EBU R 128: what makes two clips comparable by ear.

use super::{Loudness, decode::Sound};
use crate::worker::Input;
use ebur128::{EbuR128, Mode};

pub(super) fn loudness(input: &Input) -> Result<Loudness, String> {
    let mut sound = Sound::open(input)?;
    let mut meter: Option<EbuR128> = None;
    let bad = |e: ebur128::Error| format!("its loudness cannot be measured: {e}");
    let format = sound
        .decode_at(|format, _, samples| {
            let meter = match &mut meter {
                Some(meter) => meter,
                none => none.insert(
                    EbuR128::new(u32::from(format.channels), format.sample_rate, Mode::I | Mode::SAMPLE_PEAK)
                        .map_err(bad)?,
                ),
            };
            meter.add_frames_f32(samples).map_err(bad)?;
            Ok(true)
        })?
        .ok_or("nothing of the sound decodes")?;
    let meter = meter.ok_or("nothing of the sound decodes")?;
    let lufs = meter.loudness_global().map_err(bad)?;
    let peaks = (0..u32::from(format.channels)).map(|channel| meter.sample_peak(channel).unwrap_or(0.0));
    Ok(Loudness { lufs: lufs.is_finite().then_some(lufs), peak: peaks.fold(0.0, f64::max) })
}
