//! Assets that the session may see: documents, probes, waveforms, the sound card.

use crate::{App, Code, Failure, wire};
use domain::BlobHash;
use media::worker::Input;
use std::path::PathBuf;

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

pub(crate) fn waveform(app: &App, request: wire::WaveformRequest) -> Result<wire::WaveformReply, Failure> {
    let (path, _) = asset(app, request.blob, "")?;
    Ok(match media::peaks(&app.pool, Input::Path(path), request.columns.clamp(1, 4000)) {
        Ok(wave) => wire::WaveformReply {
            duration_ms: (wave.format.sample_rate > 0)
                .then(|| (wave.frames * 1000 / u64::from(wave.format.sample_rate)).into()),
            columns: wave.columns,
            failure: None,
        },
        Err(failure) => wire::WaveformReply {
            columns: Vec::new(),
            duration_ms: None,
            failure: Some(asset_failure(&failure)),
        },
    })
}

pub(crate) fn sound_load(app: &App, request: wire::SoundRequest) -> Result<wire::SoundView, Failure> {
    let (path, _) = asset(app, request.blob, "")?;
    Ok(app.sound.load(&app.pool, &app.settings.worker, request.blob, path, request.at_ms.get(), request.play))
}

pub(crate) fn sound(app: &App, _: wire::Nothing) -> Result<wire::SoundView, Failure> {
    Ok(app.sound.view())
}

pub(crate) fn sound_stop(app: &App, _: wire::Nothing) -> Result<wire::SoundView, Failure> {
    app.sound.stop();
    Ok(app.sound.view())
}
