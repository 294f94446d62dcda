//! The sound-card player, on a thread of its own: an output device may not change threads. It is opened at the first
//! use; where there is none, that is a state that is shown.

use crate::{handlers::asset_failure, wire};
use domain::BlobHash;
use media::{
    playback::{PlaybackError, Player},
    worker::{Input, Pool, Program},
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};

/// How long a command may wait for the sound thread.
const PATIENCE: Duration = Duration::from_secs(20);

/// The player, seen from the commands.
#[derive(Default)]
pub(crate) struct SoundCard(Mutex<Option<Line>>);

struct Line {
    ask: Sender<Ask>,
    answers: Receiver<wire::SoundView>,
}

enum Ask {
    Load { blob: BlobHash, path: PathBuf, duration_ms: u64, at_ms: u64, play: bool },
    View,
    Stop,
}

fn idle() -> wire::SoundView {
    wire::SoundView {
        blob: None,
        position_ms: 0_u64.into(),
        duration_ms: 0_u64.into(),
        playing: false,
        failure: None,
    }
}

fn failed(code: &str, message: String) -> wire::SoundView {
    wire::SoundView { failure: Some(wire::AssetFailure { code: code.to_owned(), message }), ..idle() }
}

impl SoundCard {
    fn ask(&self, ask: Ask, start: Option<&Path>) -> wire::SoundView {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if line.is_none() {
            let Some(worker) = start else { return idle() };
            let (ask, asked) = channel();
            let (answer, answers) = channel();
            let program = Program::assize(worker);
            let thread = std::thread::Builder::new()
                .name("sound".to_owned())
                .spawn(move || serve(&program, &asked, &answer));
            match thread {
                Ok(_) => *line = Some(Line { ask, answers }),
                Err(error) => return failed("no_device", error.to_string()),
            }
        }
        let said = line.as_ref().and_then(|line| {
            line.ask.send(ask).ok()?;
            line.answers.recv_timeout(PATIENCE).ok()
        });
        said.unwrap_or_else(|| {
            // A thread that hangs on its device is left behind; the next use starts another.
            *line = None;
            failed("no_device", "the sound device does not answer".to_owned())
        })
    }

    /// Loads a sound and plays or holds it at a place.
    pub fn load(
        &self,
        pool: &Pool,
        worker: &Path,
        blob: BlobHash,
        path: PathBuf,
        at_ms: u64,
        play: bool,
    ) -> wire::SoundView {
        // Peaks of one column: what is wanted is the decoded length.
        let length = match media::peaks(pool, Input::Path(path.clone()), 1) {
            Ok(wave) if wave.format.sample_rate > 0 => {
                wave.frames * 1000 / u64::from(wave.format.sample_rate)
            }
            Ok(_) => return failed("undecodable", "the sound has no sampling rate".to_owned()),
            Err(failure) => return wire::SoundView { failure: Some(asset_failure(&failure)), ..idle() },
        };
        self.ask(Ask::Load { blob, path, duration_ms: length, at_ms, play }, Some(worker))
    }
    /// How it stands.
    pub fn view(&self) -> wire::SoundView {
        self.ask(Ask::View, None)
    }
    /// Stops, if it plays.
    pub fn stop(&self) {
        self.ask(Ask::Stop, None);
    }
}

fn serve(program: &Program, asked: &Receiver<Ask>, answer: &Sender<wire::SoundView>) {
    let mut player: Option<Player> = None;
    let mut loaded: Option<(BlobHash, u64)> = None;
    while let Ok(ask) = asked.recv() {
        let view = match ask {
            Ask::Stop => {
                if let Some(player) = &mut player {
                    player.stop();
                }
                loaded = None;
                idle()
            }
            Ask::View => view(player.as_ref(), loaded),
            Ask::Load { blob, path, duration_ms, at_ms, play } => {
                let done =
                    load(&mut player, program, loaded.map(|(old, _)| old) == Some(blob), path, at_ms, play);
                match done {
                    Ok(()) => {
                        loaded = Some((blob, duration_ms));
                        view(player.as_ref(), loaded)
                    }
                    Err(error) => {
                        loaded = None;
                        let code = if matches!(error, PlaybackError::NoDevice { .. }) {
                            "no_device"
                        } else {
                            "undecodable"
                        };
                        failed(code, error.to_string())
                    }
                }
            }
        };
        if answer.send(view).is_err() {
            return;
        }
    }
}

fn load(
    player: &mut Option<Player>,
    program: &Program,
    again: bool,
    path: PathBuf,
    at_ms: u64,
    play: bool,
) -> Result<(), PlaybackError> {
    if player.is_none() {
        *player = Some(Player::open(program.clone())?);
    }
    let Some(player) = player else { return Ok(()) };
    if !again {
        player.load(Input::Path(path))?;
    }
    if let Some(format) = player.format() {
        player.seek(at_ms * u64::from(format.sample_rate) / 1000)?;
    }
    if play { player.play() } else { player.pause() }
}

fn view(player: Option<&Player>, loaded: Option<(BlobHash, u64)>) -> wire::SoundView {
    let (Some(player), Some((blob, duration_ms))) = (player, loaded) else { return idle() };
    let rate = player.format().map_or(1, |format| u64::from(format.sample_rate.max(1)));
    wire::SoundView {
        blob: Some(blob),
        position_ms: (player.position().unwrap_or(0) * 1000 / rate).into(),
        duration_ms: duration_ms.into(),
        playing: player.is_playing(),
        failure: player.failure().map(|failure| asset_failure(&failure)),
    }
}
