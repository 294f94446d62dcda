//! Assets that the session may see: documents, probes, waveforms, the sound card.

use crate::{App, Code, Failure, wire};
use domain::BlobHash;
use media::{
    serve::{Derived, Made, Stretch},
    waveforms::Look,
    worker::Input,
};
use std::{path::PathBuf, time::Duration};

/// The file of an asset, if the session may see it, and a name that tells csv from txt.
fn asset(app: &App, blob: BlobHash, name: &str) -> Result<(PathBuf, String), Failure> {
    let found = app
        .readable(&blob)?
        .ok_or_else(|| Failure::new(Code::NotFound, format!("there is no asset {blob} in this session")))?;
    let name = if name.contains('.') { name.to_owned() } else { format!("asset.{}", found.format) };
    Ok((found.path, name))
}

/// Why a worker gave no answer, as the UI shows it and a verdict can record it.
pub(crate) fn asset_failure(failure: &media::worker::Failure) -> wire::AssetFailure {
    let code =
        serde_json::to_value(failure).ok().and_then(|value| value["failure"].as_str().map(str::to_owned));
    wire::AssetFailure { code: code.unwrap_or_else(|| "refused".to_owned()), message: failure.to_string() }
}

pub(crate) fn document(app: &App, request: wire::DocumentRequest) -> Result<wire::DocumentReply, Failure> {
    let (path, name) = asset(app, request.blob, &request.name)?;
    let how = media::Reading { encoding: request.encoding, source: request.source };
    Ok(match media::document(&app.pool, Input::Path(path), &name, how) {
        Ok(view) => wire::DocumentReply { view: Some(view), failure: None },
        Err(failure) => wire::DocumentReply { view: None, failure: Some(asset_failure(&failure)) },
    })
}

/// Formats whose pages an office suite draws.
const PRINTED: [&str; 7] = ["docx", "pptx", "xlsx", "odt", "ods", "odp", "rtf"];

pub(crate) fn document_pages(app: &App, request: wire::AssetRequest) -> Result<wire::PagesReply, Failure> {
    let (path, name) = asset(app, request.blob, &request.name)?;
    let without = |code: &str, message: String| wire::PagesReply {
        ready: false,
        failure: Some(wire::AssetFailure { code: code.to_owned(), message }),
    };
    if app.pages.kept(&request.blob.to_string()).is_some() {
        return Ok(wire::PagesReply { ready: true, failure: None });
    }
    if !app.pages.available() {
        return Ok(without("no_office", media::pages::PagesError::NotInstalled.to_string()));
    }
    // What it is, by its content: the office suite is handed nothing else.
    let view = match media::document(&app.pool, Input::Path(path.clone()), &name, media::Reading::default()) {
        Ok(view) => view,
        Err(failure) => {
            return Ok(wire::PagesReply { ready: false, failure: Some(asset_failure(&failure)) });
        }
    };
    if !PRINTED.contains(&view.format.as_str()) {
        return Ok(without("refused", format!("{} has no pages to draw", view.format)));
    }
    Ok(match app.pages.of(&path, &view.format, &request.blob.to_string()) {
        Ok(_) => wire::PagesReply { ready: true, failure: None },
        Err(error @ media::pages::PagesError::Timeout { .. }) => without("timeout", error.to_string()),
        Err(error) => without("refused", error.to_string()),
    })
}

pub(crate) fn probe(app: &App, request: wire::AssetRequest) -> Result<wire::ProbeReply, Failure> {
    let (path, name) = asset(app, request.blob, &request.name)?;
    Ok(match media::probe(&app.pool, &path, &name) {
        Ok(probe) => wire::ProbeReply { probe: Some(probe), failure: None },
        Err(failure) => wire::ProbeReply { probe: None, failure: Some(asset_failure(&failure)) },
    })
}

pub(crate) fn picture(app: &App, request: wire::PictureRequest) -> Result<wire::PictureReply, Failure> {
    let (path, _) = asset(app, request.blob, "")?;
    Ok(crate::pictures::picture(app, &request, path))
}

/// What of a waveform is waited for at most: long enough for the sketch of a long sound.
const PATIENCE: Duration = Duration::from_millis(400);

pub(crate) fn waveform(app: &App, request: wire::WaveformRequest) -> Result<wire::WaveformReply, Failure> {
    let (path, _) = asset(app, request.blob, "")?;
    let look = Look {
        from_seconds: request.from_ms.map(|ms| ms / 1000.0),
        to_seconds: request.to_ms.map(|ms| ms / 1000.0),
        columns: request.columns.clamp(1, 4000),
        patience: PATIENCE,
    };
    Ok(match app.waveforms.look(&request.blob.to_string(), &Input::Path(path), &look) {
        Ok(seen) => {
            let rate = seen.format.sample_rate;
            let ms = |frames: u64| frames as f64 * 1000.0 / f64::from(rate.max(1));
            wire::WaveformReply {
                from_ms: ms(seen.from_frame),
                to_ms: ms(seen.until_frame),
                duration_ms: seen.frames.map(ms),
                decoded_ms: ms(seen.decoded),
                whole: seen.whole,
                sample_rate: rate,
                columns: seen.columns,
                failure: None,
            }
        }
        Err(failure) => wire::WaveformReply {
            columns: Vec::new(),
            from_ms: 0.0,
            to_ms: 0.0,
            duration_ms: None,
            decoded_ms: 0.0,
            whole: false,
            sample_rate: 0,
            failure: Some(asset_failure(&failure)),
        },
    })
}

/// What the loopback server hands out below a blob.
pub(crate) fn derived(app: &App, sha256: &str, what: &Derived) -> Option<Made> {
    let (path, _) = asset(app, sha256.parse().ok()?, "").ok()?;
    let input = Input::Path(path);
    let made = match what {
        Derived::Captions => match media::captions(&app.pool, input) {
            Ok(found) => Ok(Made::Bytes(found?.into_bytes(), "text/vtt; charset=utf-8")),
            Err(failure) => Err(failure),
        },
        Derived::Spectrogram(stretch) => spectrogram(app, sha256, &input, stretch),
    };
    Some(made.unwrap_or_else(|failure| {
        Made::Failed(serde_json::to_string(&asset_failure(&failure)).unwrap_or_default())
    }))
}

/// Sampling rate and rows as little-endian `u32`, then the cells.
fn spectrogram(
    app: &App,
    sha256: &str,
    input: &Input,
    stretch: &Stretch,
) -> Result<Made, media::worker::Failure> {
    let look = Look {
        from_seconds: Some(stretch.from),
        to_seconds: Some(stretch.to),
        columns: 1,
        patience: Duration::ZERO,
    };
    let seen = app.waveforms.look(sha256, input, &look)?;
    let frames = seen.from_frame..seen.until_frame;
    let (columns, rows) = (stretch.columns.clamp(1, 4096), stretch.rows.clamp(1, 512));
    let made = media::spectrogram(&app.pool, input.clone(), frames, columns, rows)?;
    let mut bytes = made.format.sample_rate.to_le_bytes().to_vec();
    bytes.extend(made.rows.to_le_bytes());
    bytes.extend(made.cells);
    Ok(Made::Bytes(bytes, "application/octet-stream"))
}

pub(crate) fn sound_load(app: &App, request: wire::SoundRequest) -> Result<wire::SoundView, Failure> {
    let (path, _) = asset(app, request.blob, "")?;
    let beside = match request.beside {
        Some(blob) => Some((blob, asset(app, blob, "")?.0)),
        None => None,
    };
    Ok(app.sound.load(app, &request, path, beside))
}

pub(crate) fn sound(app: &App, _: wire::Nothing) -> Result<wire::SoundView, Failure> {
    Ok(app.sound.view())
}

pub(crate) fn sound_stop(app: &App, _: wire::Nothing) -> Result<wire::SoundView, Failure> {
    app.sound.stop();
    Ok(app.sound.view())
}

#[allow(clippy::unnecessary_wraps, reason = "every handler answers a result")]
pub(crate) fn playback_check(_: &App, _: wire::Nothing) -> Result<wire::PlaybackCheck, Failure> {
    Ok(wire::PlaybackCheck { missing: media::plugins::missing() })
}
