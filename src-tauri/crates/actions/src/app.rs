//! The running app: which study is open, as whom, and the long work under way. Hosts (window, loopback host,
//! command line) make one and hand every command to it.

use crate::{Allowed, Code, Failure, jobs::Jobs, pictures::Pictures, sound::SoundCard, wire};
use domain::{BlobHash, PersonName, Role};
use media::{
    waveforms::Waveforms,
    worker::{Pool, Program},
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};
use store::{AuditorView, AuthorView, Device, Folder, JudgeView, LeadView, Readable};

/// What a host knows before the app starts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the device's key, recent studies and the demo study are kept.
    pub data_folder: PathBuf,
    /// The folder that the demo study is imported from, if it was shipped.
    pub demo_source: Option<PathBuf>,
    /// The command-line program, whose `worker` parses what is not trusted.
    pub worker: PathBuf,
    /// Should the interface open the demo study at once?
    pub start_with_demo: bool,
}

/// How a host asks its user for a folder.
pub type Chooser = Box<dyn Fn() -> Option<PathBuf> + Send + Sync>;

/// How a host asks its user for files.
pub type FileChooser = Box<dyn Fn(&wire::ChooseFilesRequest) -> Vec<PathBuf> + Send + Sync>;

/// How a host opens an address in the system's browser.
pub type Opener = Box<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// The running app.
pub struct App {
    pub(crate) settings: Settings,
    pub(crate) pool: Arc<Pool>,
    pub(crate) jobs: Jobs,
    pub(crate) sound: SoundCard,
    pub(crate) pages: media::pages::Pages,
    pub(crate) pictures: Pictures,
    pub(crate) waveforms: Waveforms,
    state: Mutex<State>,
    device: OnceLock<Device>,
    media_base: OnceLock<String>,
    page_origin: OnceLock<String>,
    chooser: OnceLock<Chooser>,
    file_chooser: OnceLock<FileChooser>,
    asked_for: Mutex<Option<PathBuf>>,
    opener: OnceLock<Opener>,
}

#[derive(Default)]
struct State {
    study: Option<OpenStudy>,
}

/// A study that is open.
pub(crate) struct OpenStudy {
    pub folder: Folder,
    pub session: Option<Session>,
}

/// Someone at work in it.
pub(crate) struct Session {
    pub person: PersonName,
    pub display: String,
    pub role: Role,
    pub view: View,
    /// Counts what other programs changed; the token of `changes`.
    pub changes: u64,
    /// What an auditor's or lead's files had as versions when last asked.
    pub versions: Vec<i64>,
}

/// What the role's files offer, and nothing else.
pub(crate) enum View {
    Judge(Box<JudgeView>),
    Author(Box<AuthorView>),
    Auditor(Box<AuditorView>),
    Lead(Box<LeadView>),
}

impl App {
    /// An app with nothing open.
    pub fn new(settings: Settings) -> Self {
        let size = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).clamp(2, 8);
        let program = Program::assize(settings.worker.clone());
        let pool = Arc::new(Pool::new(program.clone(), size));
        let pages = media::pages::Pages::new(settings.data_folder.join("pages"));
        let pictures = Pictures::new(&settings.data_folder);
        // Disposable, and of this machine: not in the study.
        let waveforms =
            Waveforms::new(settings.data_folder.join("cache/waveforms"), program, Arc::clone(&pool));
        Self {
            settings,
            pool,
            pages,
            pictures,
            waveforms,
            jobs: Jobs::default(),
            sound: SoundCard::default(),
            state: Mutex::default(),
            device: OnceLock::new(),
            media_base: OnceLock::new(),
            page_origin: OnceLock::new(),
            chooser: OnceLock::new(),
            file_chooser: OnceLock::new(),
            asked_for: Mutex::default(),
            opener: OnceLock::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key that signs this device's statements; made at the first use.
    pub(crate) fn device(&self) -> Result<&Device, Failure> {
        if let Some(device) = self.device.get() {
            return Ok(device);
        }
        let device = Device::in_folder(&self.settings.data_folder)?;
        Ok(self.device.get_or_init(|| device))
    }

    /// Lets hosts with dialogs offer them.
    pub fn set_chooser(&self, chooser: Chooser) {
        let _ = self.chooser.set(chooser);
    }
    /// Lets hosts with dialogs for files offer them.
    pub fn set_file_chooser(&self, chooser: FileChooser) {
        let _ = self.file_chooser.set(chooser);
    }
    pub(crate) fn file_chooser(&self) -> Option<&FileChooser> {
        self.file_chooser.get()
    }
    /// Keeps a file that somebody asked for from outside, until the page takes it up ([`crate::call::file_to_open`]).
    pub fn ask_for(&self, path: PathBuf) {
        *self.asked_for.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
    }
    pub(crate) fn take_asked_for(&self) -> Option<PathBuf> {
        self.asked_for.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
    /// Lets hosts with a system browser offer it.
    pub fn set_opener(&self, opener: Opener) {
        let _ = self.opener.set(opener);
    }
    pub(crate) fn opener(&self) -> Option<&Opener> {
        self.opener.get()
    }
    pub(crate) fn chooser(&self) -> Option<&Chooser> {
        self.chooser.get()
    }
    /// The origin of the page, which may read media from the loopback server.
    pub fn set_page_origin(&self, origin: &str) {
        let _ = self.page_origin.set(origin.to_owned());
    }
    pub(crate) fn page_origin(&self) -> &str {
        self.page_origin.get().map_or("tauri://localhost", String::as_str)
    }
    pub(crate) fn set_media_base(&self, base: String) {
        let _ = self.media_base.set(base);
    }
    pub(crate) fn media_base(&self) -> &str {
        self.media_base.get().map_or("", String::as_str)
    }

    /// Is the session's role allowed?
    pub(crate) fn permit(&self, command: &str, allowed: Allowed) -> Result<(), Failure> {
        let role = match allowed {
            Allowed::Anyone => return Ok(()),
            Allowed::Roles(_) => {
                let state = self.state();
                let study = state.study.as_ref().ok_or_else(no_study)?;
                study.session.as_ref().ok_or_else(no_session)?.role
            }
        };
        if allowed.permits(Some(role)) {
            Ok(())
        } else {
            Err(Failure::new(Code::NotAllowed, format!("the role {role} may not use {command}")))
        }
    }

    /// Works with the open study.
    pub(crate) fn with_study<T>(
        &self,
        work: impl FnOnce(&mut OpenStudy) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        work(self.state().study.as_mut().ok_or_else(no_study)?)
    }
    /// Works with the session.
    pub(crate) fn with_session<T>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.with_study(|study| work(study.session.as_mut().ok_or_else(no_session)?))
    }
    /// Works with the judge's view.
    pub(crate) fn judge<T>(
        &self,
        work: impl FnOnce(&mut JudgeView) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.with_session(|session| match &mut session.view {
            View::Judge(view) => work(view),
            _ => Err(not_for(session.role)),
        })
    }
    /// Works with the author's view.
    pub(crate) fn author<T>(
        &self,
        work: impl FnOnce(&mut AuthorView) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.with_session(|session| match &mut session.view {
            View::Author(view) => work(view),
            _ => Err(not_for(session.role)),
        })
    }
    /// Works with the view of those who see everything.
    pub(crate) fn sighted<T>(
        &self,
        work: impl FnOnce(&mut AuditorView) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.with_session(|session| match &mut session.view {
            View::Auditor(view) => work(view),
            View::Lead(view) => work(view),
            _ => Err(not_for(session.role)),
        })
    }
    /// Works with the lead's view.
    pub(crate) fn lead<T>(
        &self,
        work: impl FnOnce(&mut LeadView) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.with_session(|session| match &mut session.view {
            View::Lead(view) => work(view),
            _ => Err(not_for(session.role)),
        })
    }

    /// Replaces what is open; what was open is closed first.
    pub(crate) fn put_study(&self, folder: Option<Folder>) {
        let mut state = self.state();
        state.study = None;
        state.study = folder.map(|folder| OpenStudy { folder, session: None });
    }

    /// Opens the files of `person` in `role`, and no others.
    pub(crate) fn begin(&self, person: &PersonName, role: Role) -> Result<(), Failure> {
        let device = self.device()?;
        self.with_study(|study| {
            study.session = None;
            let me = study.folder.person(person)?;
            if !me.roles.contains(&role) {
                return Err(Failure::new(Code::NotAllowed, format!("{person} is not {role} in this study")));
            }
            let folder = &study.folder;
            let view = match role {
                Role::Judge => View::Judge(Box::new(folder.judge(person, device)?)),
                Role::Author => View::Author(Box::new(folder.author(person, device)?)),
                Role::Auditor => View::Auditor(Box::new(folder.auditor(person, device)?)),
                Role::Lead => {
                    let mut lead = folder.lead(person, device)?;
                    crate::regrading::queue(&mut lead)?;
                    View::Lead(Box::new(lead))
                }
            };
            study.session = Some(Session {
                person: person.clone(),
                display: me.display,
                role,
                view,
                changes: 1,
                versions: Vec::new(),
            });
            Ok(())
        })
    }

    /// In a study that was unsealed from a package, begins the session that it was made for.
    pub(crate) fn begin_as_packed(&self) -> Result<(), Failure> {
        match self.with_study(|study| Ok(study.folder.package()?))? {
            Some(mark) => self.begin(&mark.person, mark.role),
            None => Ok(()),
        }
    }

    /// Opens a study, and begins a session if both person and role are given: how a host starts from its arguments. A
    /// package begins the session that it was made for; one that wants a passphrase waits for the page to ask.
    pub fn start_with(&self, study: &str, person: Option<&str>, role: Option<&str>) -> Result<(), Failure> {
        let package = store::is_package(Path::new(study));
        match crate::home::open(self, Path::new(study)) {
            Err(failure) if package && matches!(failure.code, Code::Sealed | Code::WrongPassphrase) => {
                self.ask_for(PathBuf::from(study));
                return Ok(());
            }
            other => other?,
        }
        if let (Some(person), Some(role)) = (person, role) {
            let bad = |why: String| Failure::new(Code::BadRequest, why);
            self.begin(&person.parse().map_err(bad)?, role.parse().map_err(bad)?)?;
        } else if package {
            self.begin_as_packed()?;
        }
        Ok(())
    }

    /// Where the app stands.
    pub(crate) fn standing(&self) -> wire::Standing {
        let state = self.state();
        let Some(study) = &state.study else { return wire::Standing::default() };
        wire::Standing {
            study: Some(crate::home::study_view(&study.folder)),
            session: study.session.as_ref().map(|session| wire::SessionView {
                person: session.person.to_string(),
                display: session.display.clone(),
                role: session.role,
            }),
        }
    }

    /// A blob's file and format, if the session may see it.
    pub(crate) fn readable(&self, hash: &BlobHash) -> Result<Option<Readable>, Failure> {
        self.with_session(|session| {
            Ok(match &mut session.view {
                View::Judge(view) => view.readable(hash)?,
                View::Author(view) => view.readable(hash)?,
                View::Auditor(view) => view.readable(hash)?,
                View::Lead(view) => view.readable(hash)?,
            })
        })
    }

    /// The file and content type of a blob, if the session may see it; of `HASH.pdf`, the pages that were drawn of it; of
    /// `HASH.KEY`, a picture that was made from it.
    pub fn blob(&self, name: &str) -> Option<(PathBuf, String)> {
        let (hash, key) = name.split_once('.').map_or((name, None), |(hash, key)| (hash, Some(key)));
        let found = self.readable(&hash.parse().ok()?).ok()??;
        if key == Some("pdf") {
            return Some((self.pages.kept(hash)?, content_type("pdf").to_owned()));
        }
        if let Some(key) = key {
            return Some((self.pictures.path(hash, key)?, content_type("png").to_owned()));
        }
        Some((found.path, content_type(&found.format).to_owned()))
    }

    /// Closes the study: files are checkpointed, so that the folder can be copied.
    pub fn close(&self) {
        self.sound.stop();
        self.jobs.cancel_all();
        self.put_study(None);
    }
}

fn no_study() -> Failure {
    Failure::new(Code::NoStudy, "no study is open")
}
fn no_session() -> Failure {
    Failure::new(Code::NoSession, "nobody has begun a session")
}
fn not_for(role: Role) -> Failure {
    Failure::new(Code::NotAllowed, format!("the role {role} may not do this"))
}

/// What the page may take a blob for. What could run is only ever text.
fn content_type(format: &str) -> &'static str {
    match format {
        "png" => "image/png",
        "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "bmp" => "image/bmp",
        "svg" => "image/svg+xml",
        "avif" => "image/avif",
        "tiff" => "image/tiff",
        "wav" => "audio/wav",
        "mp3" => "audio/mpeg",
        "ogg" | "opus" => "audio/ogg",
        "flac" => "audio/flac",
        "m4a" => "audio/mp4",
        "aac" => "audio/aac",
        "mp4" | "mov" => "video/mp4",
        "webm" => "video/webm",
        "mkv" => "video/x-matroska",
        "pdf" => "application/pdf",
        "csv" | "txt" | "html" | "md" | "rtf" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
