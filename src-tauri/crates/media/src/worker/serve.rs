//! The child's side: a registry of handlers and the loop that answers requests.

#[cfg(unix)]
use super::channel::FromParent;
use super::{Limits, Sandbox, frame, frame::kind, sandbox::close_inherited};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    cell::Cell,
    collections::BTreeMap,
    fs::File,
    io::{self, Cursor, Read, Seek, Write},
    path::PathBuf,
    sync::Arc,
};

/// Where a handler sends its results. An error means that the parent is gone; hand it on as the refusal.
pub trait FrameSink {
    /// Sends one JSON value.
    fn json(&mut self, value: &dyn Json) -> Result<(), String>;
    /// Sends raw bytes, cut into frames where they are many.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), String>;
}

/// A value that can be written as JSON: what lets a `dyn FrameSink` take any serializable value.
pub trait Json {
    /// The value as JSON text.
    fn to_json(&self) -> serde_json::Result<Vec<u8>>;
}
impl<T: Serialize> Json for T {
    fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }
}

/// What a job works on.
#[derive(Debug, Clone)]
pub enum Input {
    /// Nothing but the arguments.
    Nothing,
    /// A file by its path, as the parent names it. On Unix the parent opens it and hands it over, and the handler
    /// meets [`Input::File`].
    Path(PathBuf),
    /// A file that is open for reading, as the handler meets it.
    File(Arc<File>),
    /// Bytes that go over the pipe; for small things.
    Bytes(Vec<u8>),
}

/// Anything that can be read and sought.
pub trait ReadSeek: Read + Seek + Send + Sync {}
impl<T: Read + Seek + Send + Sync> ReadSeek for T {}

impl Input {
    /// Opens the input for reading.
    pub fn open(&self) -> Result<Box<dyn ReadSeek>, String> {
        match self {
            Self::Nothing => Err("this job needs a file".to_owned()),
            Self::Path(path) => {
                Ok(Box::new(File::open(path).map_err(|e| format!("cannot open the file: {e}"))?))
            }
            #[cfg(unix)]
            Self::File(file) => Ok(Box::new(Reader { file: Arc::clone(file), at: 0 })),
            #[cfg(not(unix))]
            Self::File(_) => Err("an open file comes on Unix only".to_owned()),
            Self::Bytes(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
        }
    }
    /// The input as a file at its start, for a library that takes nothing else. All files that come of one input share
    /// one place.
    pub fn file(&self) -> Result<File, String> {
        let bad = |e: io::Error| format!("cannot open the file: {e}");
        match self {
            Self::Path(path) => File::open(path).map_err(bad),
            Self::File(file) => {
                let mut file = file.try_clone().map_err(bad)?;
                file.rewind().map_err(bad)?;
                Ok(file)
            }
            Self::Nothing | Self::Bytes(_) => Err("this job needs a file".to_owned()),
        }
    }
    /// Its length in bytes.
    pub fn length(&self) -> Result<u64, String> {
        match self {
            Self::Nothing => Ok(0),
            Self::Path(path) => {
                Ok(std::fs::metadata(path).map_err(|e| format!("cannot open the file: {e}"))?.len())
            }
            Self::File(file) => {
                Ok(file.metadata().map_err(|e| format!("cannot look at the file: {e}"))?.len())
            }
            Self::Bytes(bytes) => Ok(bytes.len() as u64),
        }
    }
    /// The whole input, refused if it is longer than `most` bytes.
    pub fn read(&self, most: u64) -> Result<Vec<u8>, String> {
        let length = self.length()?;
        if length > most {
            return Err(format!("the file has {length} bytes; at most {most} are read"));
        }
        let mut bytes = Vec::new();
        self.open()?.take(most).read_to_end(&mut bytes).map_err(|e| format!("cannot read the file: {e}"))?;
        Ok(bytes)
    }
    /// At most the first `most` bytes.
    pub fn head(&self, most: u64) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.open()?.take(most).read_to_end(&mut bytes).map_err(|e| format!("cannot read the file: {e}"))?;
        Ok(bytes)
    }
}

/// An open file read from a place of its own, so that several readers of one input do not move each other.
#[cfg(unix)]
struct Reader {
    file: Arc<File>,
    at: u64,
}

#[cfg(unix)]
impl Read for Reader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = std::os::unix::fs::FileExt::read_at(&*self.file, to, self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

#[cfg(unix)]
impl Seek for Reader {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            io::SeekFrom::Start(at) => (at, 0),
            io::SeekFrom::End(by) => (self.file.metadata()?.len(), by),
            io::SeekFrom::Current(by) => (self.at, by),
        };
        self.at = from
            .checked_add_signed(by)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a place before the start"))?;
        Ok(self.at)
    }
}

type Handler = Box<dyn Fn(&Value, &Input, &mut dyn FrameSink) -> Result<(), String>>;

/// The handlers that a worker answers with, by name.
#[derive(Default)]
pub struct Registry(BTreeMap<String, Handler>);

impl Registry {
    /// A registry with no handler.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a handler: arguments, input, and where results go; its error is the reason of a refusal.
    #[must_use]
    pub fn with(
        mut self,
        name: &str,
        handler: impl Fn(&Value, &Input, &mut dyn FrameSink) -> Result<(), String> + 'static,
    ) -> Self {
        self.0.insert(name.to_owned(), Box::new(handler));
        self
    }
    /// Adds a handler with typed arguments and one JSON reply.
    #[must_use]
    pub fn with_reply<A, R>(
        self,
        name: &str,
        handler: impl Fn(A, &Input) -> Result<R, String> + 'static,
    ) -> Self
    where
        A: serde::de::DeserializeOwned,
        R: Serialize,
    {
        self.with(name, move |args, input, sink| {
            let args = A::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
            sink.json(&handler(args, input)?)
        })
    }
    /// Runs a handler in this process; `None` if there is none of that name.
    pub(crate) fn answer(
        &self,
        name: &str,
        args: &Value,
        input: &Input,
        sink: &mut dyn FrameSink,
    ) -> Option<Result<(), String>> {
        self.0.get(name).map(|handler| handler(args, input, sink))
    }
    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Why a worker stopped serving.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The pipes are gone or broken.
    #[error("the worker's pipe broke: {0}")]
    Pipe(#[from] io::Error),
    /// The parent sent something that is no request.
    #[error("the worker was sent no request: {0}")]
    Request(String),
}

#[derive(Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) job: String,
    pub(super) args: Value,
    /// Where open files cannot be handed over: what the child opens itself.
    pub(super) path: Option<PathBuf>,
}

/// The job that every worker answers: what holds it, as [`Sandbox`].
pub(super) const SANDBOX: &str = "sandbox";

/// Answers requests on stdin and stdout until the parent closes the pipe: what `assize worker` does.
///
/// The first frame carries the limits, which the process puts on itself before it reads a request, with the layers of
/// [`Sandbox`]. Standard output is moved away first, so that a library that prints cannot break the protocol. A panic
/// ends the process.
///
/// Call it before the process opens a file: what is open above standard error is closed.
pub fn serve(registry: impl std::borrow::Borrow<Registry>) -> Result<(), ServeError> {
    close_inherited();
    let registry: &Registry = registry.borrow();
    std::panic::set_hook(Box::new(|panic| {
        if !CAUGHT.get() {
            eprintln!("{}", last_words(panic));
            std::process::exit(101);
        }
    }));
    let mut from = FromParent::default();
    let mut sink = Pipe { to: replies()? };
    let Some((kind::LIMITS, limits)) = frame::read(&mut from, 4096)? else {
        return Err(ServeError::Request("no limits came first".to_owned()));
    };
    let limits: Limits = serde_json::from_slice(&limits).map_err(|e| ServeError::Request(e.to_string()))?;
    limits.apply()?;
    let sandbox = Sandbox::enter();
    let (mut given, mut opened): (Option<Vec<u8>>, Option<File>) = (None, None);
    while let Some((kind, payload)) = frame::read(&mut from, frame::MAX_FRAME)? {
        match kind {
            kind::INPUT => given.get_or_insert_default().extend_from_slice(&payload),
            #[cfg(unix)]
            kind::FILE => opened = Some(from.file()?),
            kind::REQUEST => {
                let request: Request =
                    serde_json::from_slice(&payload).map_err(|e| ServeError::Request(e.to_string()))?;
                let input = match (given.take(), opened.take(), request.path) {
                    (Some(bytes), ..) => Input::Bytes(bytes),
                    (_, Some(file), _) => Input::File(Arc::new(file)),
                    (.., Some(path)) => Input::Path(path),
                    _ => Input::Nothing,
                };
                let done = match registry.answer(&request.job, &request.args, &input, &mut sink) {
                    Some(done) => done,
                    None if request.job == SANDBOX => sink.json(&sandbox),
                    None => Err(format!("no handler is named {:?}", request.job)),
                };
                match done {
                    Ok(()) => frame::write(&mut sink.to, kind::END, b"")?,
                    Err(why) => frame::write(&mut sink.to, kind::REFUSED, why.as_bytes())?,
                }
                sink.to.flush()?;
            }
            other => return Err(ServeError::Request(format!("a frame of type {other}"))),
        }
    }
    Ok(())
}

thread_local! {
    /// Is a panic of this thread caught where it was caused?
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs a part of a job whose panic shall cost that part alone: one page of a document. Its error is what the panic said.
pub(crate) fn without_panic<T>(part: impl FnOnce() -> T) -> Result<T, String> {
    CAUGHT.set(true);
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(part));
    CAUGHT.set(false);
    done.map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words").to_owned()
    })
}

/// What a panic says, and where in which library: without the folders of the machine that built it.
fn last_words(panic: &std::panic::PanicHookInfo<'_>) -> String {
    let said = panic.payload_as_str().unwrap_or("a panic without words");
    let Some(place) = panic.location() else { return said.to_owned() };
    let path: Vec<&str> = place.file().rsplit(['/', '\\']).take(3).collect();
    let path: Vec<&str> = path.into_iter().rev().collect();
    format!("{said} ({}:{})", path.join("/"), place.line())
}

/// For a `main` with no command line of its own: serves and returns `true` if the one argument is `worker`.
pub fn serve_if_asked(registry: &Registry) -> Result<bool, ServeError> {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == "worker") && args.next().is_none() {
        serve(registry)?;
        return Ok(true);
    }
    Ok(false)
}

/// Requests: standard input as it is.
#[cfg(not(unix))]
#[derive(Default)]
struct FromParent;

#[cfg(not(unix))]
impl Read for FromParent {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        io::stdin().read(to)
    }
}

/// The pipe to the parent. What anything else prints goes to stderr instead.
#[cfg(unix)]
fn replies() -> io::Result<Box<dyn Write>> {
    use std::os::fd::AsFd;
    let pipe = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdout(io::stderr().as_fd())?;
    Ok(Box::new(io::BufWriter::new(pipe)))
}

#[cfg(not(unix))]
fn replies() -> io::Result<Box<dyn Write>> {
    Ok(Box::new(io::BufWriter::new(io::stdout())))
}

struct Pipe {
    to: Box<dyn Write>,
}

impl FrameSink for Pipe {
    fn json(&mut self, value: &dyn Json) -> Result<(), String> {
        let text = value.to_json().map_err(|e| format!("the result is no JSON: {e}"))?;
        self.send(kind::JSON, &text)
    }
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        bytes.chunks(1 << 20).try_for_each(|chunk| self.send(kind::BYTES, chunk))
    }
}

impl Pipe {
    fn send(&mut self, kind: u8, payload: &[u8]) -> Result<(), String> {
        frame::write(&mut self.to, kind, payload)
            .and_then(|()| self.to.flush())
            .map_err(|e| format!("cannot send the result: {e}"))
    }
}
