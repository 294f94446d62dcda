//! The sound-card player, on a thread of its own: an output device may not change threads. It is opened at the first
//! use; where there is none, that is a state that is shown.

use crate::{App, handlers::asset_failure, wire};
use domain::BlobHash;
use media::{
    Loudness,
    playback::{PlaybackError, Player},
    worker::{Input, Program},
};
use std::{
    collections::HashMap,
    path::PathBuf,
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
pub(crate) struct SoundCard {
    line: Mutex<Option<Line>>,
    /// Measured once a session.
    loudness: Mutex<HashMap<BlobHash, Loudness>>,
}

struct Line {
    ask: Sender<Ask>,
    answers: Receiver<wire::SoundView>,
}

/// A sound, and its length where it was counted.
#[derive(Clone)]
struct Clip {
    blob: BlobHash,
    path: PathBuf,
    counted_ms: Option<f64>,
}

enum Ask {
    Load(Box<Load>),
    View,
    Stop,
}

struct Load {
    /// The one to hear, and the one beside it, each with its gain.
    clips: Vec<(Clip, f32)>,
    at_ms: Option<f64>,
    play: bool,
    repeat_ms: Option<(f64, f64)>,
    volume: f32,
}

fn idle() -> wire::SoundView {
    wire::SoundView {
        blob: None,
        position_ms: 0.0,
        duration_ms: 0.0,
        playing: false,
        beside: None,
        gain_db: 0.0,
        failure: None,
    }
}

fn failed(code: &str, message: String) -> wire::SoundView {
    wire::SoundView { failure: Some(wire::AssetFailure { code: code.to_owned(), message }), ..idle() }
}

impl SoundCard {
    fn ask(&self, ask: Ask, start: Option<&Program>) -> wire::SoundView {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.is_none() {
            let Some(program) = start.cloned() else { return idle() };
            let (ask, asked) = channel();
            let (answer, answers) = channel();
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

    /// Loads a sound, or a pair, and plays or holds it at a place.
    pub fn load(
        &self,
        app: &App,
        request: &wire::SoundRequest,
        path: PathBuf,
        beside: Option<(BlobHash, PathBuf)>,
    ) -> wire::SoundView {
        let clip = |blob: BlobHash, path: PathBuf| Clip {
            counted_ms: app
                .waveforms
                .counted(&blob.to_string())
                .map(|(format, frames)| frames as f64 * 1000.0 / f64::from(format.sample_rate.max(1))),
            blob,
            path,
        };
        let own = clip(request.blob, path);
        let clips = match beside.filter(|(blob, _)| *blob != request.blob) {
            None => vec![(own, 1.0)],
            Some((blob, path)) => {
                let other = clip(blob, path);
                match self.loudness(app, &own).and_then(|a| Ok((a, self.loudness(app, &other)?))) {
                    Ok((a, b)) => {
                        let (gain, other_gain) = gains(a, b);
                        vec![(own, gain), (other, other_gain)]
                    }
                    Err(failure) => {
                        return wire::SoundView { failure: Some(asset_failure(&failure)), ..idle() };
                    }
                }
            }
        };
        let load = Load {
            clips,
            at_ms: request.at_ms,
            play: request.play,
            repeat_ms: request.repeat_ms,
            volume: request.volume.unwrap_or(1.0),
        };
        self.ask(Ask::Load(Box::new(load)), Some(&Program::assize(app.settings.worker.clone())))
    }

    fn loudness(&self, app: &App, clip: &Clip) -> Result<Loudness, media::worker::Failure> {
        let known = |card: &Self| {
            card.loudness.lock().unwrap_or_else(PoisonError::into_inner).get(&clip.blob).copied()
        };
        if let Some(known) = known(self) {
            return Ok(known);
        }
        let measured = media::loudness(&app.pool, Input::Path(clip.path.clone()))?;
        self.loudness.lock().unwrap_or_else(PoisonError::into_inner).insert(clip.blob, measured);
        Ok(measured)
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

/// Gains that make two sounds equally loud: the louder is turned down, so that nothing clips.
fn gains(a: Loudness, b: Loudness) -> (f32, f32) {
    let (Some(a), Some(b)) = (a.lufs, b.lufs) else { return (1.0, 1.0) };
    #[allow(clippy::cast_possible_truncation, reason = "a gain of 0 to 1")]
    let down = |by: f64| 10_f64.powf(-by.max(0.0) / 20.0) as f32;
    (down(a - b), down(b - a))
}

/// The player and what it holds, as the thread sees them.
struct Deck {
    player: Player,
    clips: Vec<(Clip, f32)>,
    heard: usize,
}

fn serve(program: &Program, asked: &Receiver<Ask>, answer: &Sender<wire::SoundView>) {
    let mut deck: Option<Deck> = None;
    while let Ok(ask) = asked.recv() {
        let view = match ask {
            Ask::Stop => {
                if let Some(deck) = &mut deck {
                    deck.player.stop();
                    deck.clips.clear();
                }
                idle()
            }
            Ask::View => deck.as_ref().map_or_else(idle, Deck::view),
            Ask::Load(load) => match opened(&mut deck, program).and_then(|deck| deck.load(&load)) {
                Ok(view) => view,
                Err(PlaybackError::NoDevice { why }) => failed("no_device", why),
                Err(PlaybackError::Undecodable(failure)) => {
                    wire::SoundView { failure: Some(asset_failure(&failure)), ..idle() }
                }
                Err(error) => failed("refused", error.to_string()),
            },
        };
        if answer.send(view).is_err() {
            return;
        }
    }
}

fn opened<'a>(deck: &'a mut Option<Deck>, program: &Program) -> Result<&'a mut Deck, PlaybackError> {
    Ok(match deck {
        Some(deck) => deck,
        none => none.insert(Deck { player: Player::open(program.clone())?, clips: Vec::new(), heard: 0 }),
    })
}

impl Deck {
    fn load(&mut self, load: &Load) -> Result<wire::SoundView, PlaybackError> {
        let wanted = &load.clips[0].0.blob;
        let here = self.clips.iter().position(|(clip, _)| clip.blob == *wanted);
        let same = self.clips.len() == load.clips.len()
            && load.clips.iter().all(|(clip, _)| self.clips.iter().any(|(known, _)| known.blob == clip.blob));
        let before = self.view();
        match here {
            Some(at) if same => {
                if at != self.heard {
                    self.player.choose(at)?;
                    self.heard = at;
                }
            }
            _ => self.fill(load)?,
        }
        let rate = self.player.format().map_or(1, |format| format.sample_rate);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
        let frame = |ms: f64| (ms.max(0.0) * f64::from(rate) / 1000.0).round() as u64;
        self.player.set_volume(load.volume);
        // Only a sound that was loaded anew has to be brought to where the one before was.
        let at = load.at_ms.or((!same && before.blob.is_some()).then_some(before.position_ms));
        if let Some(at) = at.filter(|at| *at > 0.0 || same) {
            self.player.seek(frame(at))?;
        }
        self.player.repeat(load.repeat_ms.map(|(from, to)| frame(from)..frame(to)))?;
        if load.play {
            self.player.play()?;
        } else {
            self.player.pause()?;
        }
        Ok(self.view())
    }

    fn fill(&mut self, load: &Load) -> Result<(), PlaybackError> {
        self.clips.clear();
        self.heard = 0;
        let input = |clip: &Clip| Input::Path(clip.path.clone());
        match load.clips.as_slice() {
            [(one, gain), (other, other_gain)] => {
                self.player.load_pair([(input(one), *gain), (input(other), *other_gain)])?;
            }
            [(one, _), ..] => self.player.load(input(one)).map(|_| ())?,
            [] => return Err(PlaybackError::NothingLoaded),
        }
        self.clips.clone_from(&load.clips);
        Ok(())
    }

    fn view(&self) -> wire::SoundView {
        let (Some((clip, gain)), Some(format)) = (self.clips.get(self.heard), self.player.format()) else {
            return idle();
        };
        let ms = |frames: u64| frames as f64 * 1000.0 / f64::from(format.sample_rate.max(1));
        wire::SoundView {
            blob: Some(clip.blob),
            position_ms: ms(self.player.position().unwrap_or(0)),
            duration_ms: clip.counted_ms.or_else(|| self.player.promised().map(ms)).unwrap_or(0.0),
            playing: self.player.is_playing(),
            beside: self
                .clips
                .get(1 - self.heard.min(1))
                .map(|(other, _)| other.blob)
                .filter(|_| self.clips.len() > 1),
            gain_db: 20.0 * f64::from(*gain).log10(),
            failure: self.player.failure().map(|failure| asset_failure(&failure)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_louder_of_two_is_turned_down_and_nothing_is_turned_up() {
        let at = |lufs| Loudness { lufs, peak: 0.5 };
        let (a, b) = gains(at(Some(-14.0)), at(Some(-20.0)));
        assert!((f64::from(a) - 0.501_187).abs() < 1e-5, "6 dB are a factor of 10^(-6/20): {a}");
        assert!((b - 1.0).abs() < f32::EPSILON, "the softer stays as it is");
        assert_eq!(gains(at(None), at(Some(-20.0))), (1.0, 1.0), "silence has no loudness to match");
    }
}
