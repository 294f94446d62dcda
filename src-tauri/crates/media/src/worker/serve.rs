//! The child's side: a registry of handlers and the loop that answers requests.

use super::{Limits, frame, frame::kind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Cursor, Read, Seek, Write},
    path::{Path, PathBuf},
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Nothing but the arguments.
    Nothing,
    /// A file that the child opens itself, for reading only.
    Path(PathBuf),
    /// Bytes that go over the pipe; for small things.
    #[serde(skip)]
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
            Self::Bytes(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
        }
    }
    /// Its length in bytes.
    pub fn length(&self) -> Result<u64, String> {
        match self {
            Self::Nothing => Ok(0),
            Self::Path(path) => {
                Ok(std::fs::metadata(path).map_err(|e| format!("cannot open the file: {e}"))?.len())
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
    /// The file's path, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            _ => None,
        }
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
    pub(super) input: Input,
}

/// Answers requests on stdin and stdout until the parent closes the pipe: what `assize worker` does.
///
/// The first frame carries the limits, which the process puts on itself before it reads a request. Standard output is
/// moved away first, so that a library that prints cannot break the protocol. A panic ends the process.
pub fn serve(registry: impl std::borrow::Borrow<Registry>) -> Result<(), ServeError> {
    let registry: &Registry = registry.borrow();
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        default_hook(panic);
        std::process::exit(101);
    }));
    let mut from = io::stdin().lock();
    let mut sink = Pipe { to: replies()? };
    let Some((kind::LIMITS, limits)) = frame::read(&mut from, 4096)? else {
        return Err(ServeError::Request("no limits came first".to_owned()));
    };
    let limits: Limits = serde_json::from_slice(&limits).map_err(|e| ServeError::Request(e.to_string()))?;
    limits.apply()?;
    let mut given: Option<Vec<u8>> = None;
    while let Some((kind, payload)) = frame::read(&mut from, frame::MAX_FRAME)? {
        match kind {
            kind::INPUT => given.get_or_insert_default().extend_from_slice(&payload),
            kind::REQUEST => {
                let mut request: Request =
                    serde_json::from_slice(&payload).map_err(|e| ServeError::Request(e.to_string()))?;
                if let Some(bytes) = given.take() {
                    request.input = Input::Bytes(bytes);
                }
                let done = match registry.0.get(&request.job) {
                    Some(handler) => handler(&request.args, &request.input, &mut sink),
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

/// For a `main` with no command line of its own: serves and returns `true` if the one argument is `worker`.
pub fn serve_if_asked(registry: &Registry) -> Result<bool, ServeError> {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == "worker") && args.next().is_none() {
        serve(registry)?;
        return Ok(true);
    }
    Ok(false)
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
