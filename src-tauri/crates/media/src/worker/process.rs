//! The parent's side of one child process.

use super::{Failure, Frame, Input, Limits, Program, channel, frame, frame::kind, serve::Request};
use serde_json::Value;
use std::{
    io::{self, Read, Write},
    ops::ControlFlow,
    process::{Child, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// A flag with which another thread ends a job.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }
    /// Ends the job: its worker is killed within 50 ms.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    /// Is the flag set?
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One thing to do in a worker.
#[derive(Debug, Clone)]
pub struct Job {
    /// The handler's name.
    pub name: String,
    /// Its arguments.
    pub args: Value,
    /// What it works on.
    pub input: Input,
    /// What it may use.
    pub limits: Limits,
    /// Ends it early.
    pub cancel: Cancel,
}

impl Job {
    /// A job with the limits for looking at one file.
    pub fn new(name: &str, args: Value, input: Input) -> Self {
        Self { name: name.to_owned(), args, input, limits: Limits::LOOK, cancel: Cancel::new() }
    }
    /// The same job with other limits.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
    /// The same job with a flag that ends it.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }
}

/// What the child said on stderr: the last [`SAID`] bytes.
const SAID: usize = 8 << 10;
/// How often a waiting parent looks at the flag.
pub(super) const POLL: Duration = Duration::from_millis(50);

/// A frame, or why there are no more (`None`: the pipe ended).
type Received = Result<(u8, Vec<u8>), Option<String>>;

/// One child process. It serves many jobs, one after the other, and is killed when dropped.
pub struct Worker {
    child: Child,
    to: channel::ToChild,
    /// `Ok` is a frame; `Err` is why there are no more (`None`: the pipe ended).
    frames: Receiver<Received>,
    said: Arc<Mutex<Vec<u8>>>,
    stderr: Option<JoinHandle<()>>,
    limits: Limits,
    waited: Duration,
}

impl Worker {
    /// Starts a child with these limits.
    pub fn spawn(program: &Program, limits: &Limits) -> Result<Self, Failure> {
        let unavailable =
            |e: io::Error| Failure::Unavailable { why: format!("{}: {e}", program.exe().display()) };
        let mut command = program.command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        let (mut child, to) = {
            let (to, theirs) = channel::pair().map_err(unavailable)?;
            (command.stdin(theirs).spawn().map_err(unavailable)?, Some(to))
        };
        #[cfg(not(unix))]
        let (mut child, to) = {
            let mut child = command.stdin(Stdio::piped()).spawn().map_err(unavailable)?;
            let to = child.stdin.take();
            (child, to)
        };
        // The command holds the child's end of the pair, which must close here, or its death would go unseen.
        drop(command);
        let (Some(mut to), Some(out), Some(err)) = (to, child.stdout.take(), child.stderr.take()) else {
            return Err(Failure::Unavailable { why: "the system gave no pipes".to_owned() });
        };
        let (sender, frames) = sync_channel(4);
        std::thread::spawn(move || read_frames(out, &sender));
        let said = Arc::new(Mutex::new(Vec::new()));
        let stderr = std::thread::spawn({
            let said = Arc::clone(&said);
            move || keep_last(err, &said)
        });
        let text = serde_json::to_vec(limits).map_err(|e| Failure::Unavailable { why: e.to_string() })?;
        let sent = frame::write(&mut to, kind::LIMITS, &text);
        let mut worker = Self {
            child,
            to,
            frames,
            said,
            stderr: Some(stderr),
            limits: limits.clone(),
            waited: Duration::ZERO,
        };
        match sent {
            Ok(()) => Ok(worker),
            Err(_) => Err(worker.ended()),
        }
    }

    /// Has this child ended while nobody asked it anything?
    pub(super) fn is_gone(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Can this child serve a job with these limits and still be far from its CPU limit?
    pub(super) fn fits(&self, limits: &Limits) -> bool {
        self.limits.same_process(limits) && self.waited.as_secs() * 2 < self.limits.cpu_seconds
    }

    /// Runs one job and hands each frame to `on_frame`, which may break off. `Ok` means that the worker can be used
    /// again; after any failure but [`Failure::Refused`] it is dead.
    pub fn run(
        &mut self,
        job: &Job,
        on_frame: &mut dyn FnMut(Frame) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let result = self.exchange(job, on_frame);
        if !matches!(result, Ok(()) | Err(Failure::Refused { .. })) {
            self.kill();
        }
        result
    }

    fn exchange(
        &mut self,
        job: &Job,
        on_frame: &mut dyn FnMut(Frame) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let input = Opened::new(&job.input)?;
        match self.send(job, input) {
            Ok(()) => {}
            // A child that does not take its request is no better than one that does not answer.
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                return Err(Failure::Timeout { after_ms: job.limits.wall_ms });
            }
            Err(_) => return Err(self.ended()),
        }
        let mut left = Duration::from_millis(job.limits.wall_ms);
        let mut bytes = 0_u64;
        loop {
            let asked = Instant::now();
            let received = self.frames.recv_timeout(POLL.min(left));
            let took = asked.elapsed();
            self.waited += took;
            left = left.saturating_sub(took);
            if job.cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            let (kind, payload) = match received {
                Ok(Ok(frame)) => frame,
                Ok(Err(Some(why))) => return Err(Failure::Protocol { why }),
                Ok(Err(None)) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(Failure::Timeout { after_ms: job.limits.wall_ms });
                }
                Err(RecvTimeoutError::Timeout) => continue,
            };
            bytes += HEAD + payload.len() as u64;
            if bytes > job.limits.reply_bytes {
                return Err(Failure::TooMuchOutput { limit_bytes: job.limits.reply_bytes });
            }
            let flow = match kind {
                kind::JSON => on_frame(Frame::Json(payload)),
                kind::BYTES => on_frame(Frame::Bytes(payload)),
                kind::END => return Ok(()),
                kind::REFUSED => {
                    return Err(Failure::Refused { why: String::from_utf8_lossy(&payload).into_owned() });
                }
                other => return Err(Failure::Protocol { why: format!("a frame of type {other}") }),
            };
            if flow.is_break() {
                return Err(Failure::Cancelled);
            }
        }
    }

    fn send(&mut self, job: &Job, input: Opened<'_>) -> io::Result<()> {
        #[cfg(unix)]
        self.to.set_write_timeout(Some(Duration::from_millis(job.limits.wall_ms.max(1))))?;
        let path = match input {
            Opened::Nothing => None,
            Opened::Bytes(bytes) => {
                frame::write(&mut self.to, kind::INPUT, b"")?;
                for chunk in bytes.chunks(1 << 20) {
                    frame::write(&mut self.to, kind::INPUT, chunk)?;
                }
                None
            }
            #[cfg(unix)]
            Opened::File(file) => {
                channel::hand_over(&self.to, &file)?;
                None
            }
            #[cfg(not(unix))]
            Opened::Path(path) => Some(path),
        };
        let request = Request { job: job.name.clone(), args: job.args.clone(), path };
        frame::write(&mut self.to, kind::REQUEST, &serde_json::to_vec(&request)?)?;
        self.to.flush()
    }

    /// Why the pipe ended.
    fn ended(&mut self) -> Failure {
        let status = self.wait();
        if let Some(stderr) = self.stderr.take() {
            // The child is gone, so its end of the pipe is closed and the thread ends.
            let _ = stderr.join();
        }
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        let signal = status.and_then(signal_of);
        let code = status.and_then(|s| s.code());
        // What Rust and C++ say when an allocation fails; 9 is what the kernel sends when memory runs out.
        if said.contains("memory allocation of") || said.contains("bad_alloc") || signal == Some(9) {
            return Failure::OutOfMemory { limit_bytes: self.limits.memory_bytes };
        }
        if signal == Some(SIGXCPU) {
            return Failure::Timeout { after_ms: self.limits.cpu_seconds * 1000 };
        }
        if signal == Some(SIGSYS) {
            return Failure::Forbidden;
        }
        Failure::Crashed { signal, code, said }
    }

    /// The exit status of a child that has closed its pipe; one that lingers is killed.
    fn wait(&mut self) -> Option<ExitStatus> {
        for _ in 0..200 {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Err(_) => break,
            }
        }
        self.kill();
        None
    }

    fn kill(&mut self) {
        // Both fail only if the child is gone already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The number of `SIGXCPU` on Linux and the BSDs.
const SIGXCPU: i32 = 24;
/// The number of `SIGSYS` on Linux, where filters of system calls raise it.
const SIGSYS: i32 = 31;
/// Bytes before the payload of a frame. They count, so that frames without one come to an end too.
const HEAD: u64 = 5;

/// A job's input, opened for the child where it may not open it itself.
enum Opened<'a> {
    Nothing,
    Bytes(&'a [u8]),
    #[cfg(unix)]
    File(std::sync::Arc<std::fs::File>),
    #[cfg(not(unix))]
    Path(std::path::PathBuf),
}

impl<'a> Opened<'a> {
    fn new(input: &'a Input) -> Result<Self, Failure> {
        Ok(match input {
            Input::Nothing => Self::Nothing,
            Input::Bytes(bytes) => Self::Bytes(bytes),
            #[cfg(unix)]
            Input::Path(path) => {
                Self::File(channel::open(path).map_err(|why| Failure::Refused { why })?.into())
            }
            #[cfg(unix)]
            Input::File(file) => Self::File(std::sync::Arc::clone(file)),
            // The child stands in another folder.
            #[cfg(not(unix))]
            Input::Path(path) => {
                Self::Path(std::path::absolute(path).map_err(|e| Failure::Refused { why: e.to_string() })?)
            }
            #[cfg(not(unix))]
            Input::File(_) => {
                return Err(Failure::Refused {
                    why: "an open file can be handed over on Unix only".to_owned(),
                });
            }
        })
    }
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

fn read_frames(from: impl Read, to: &SyncSender<Received>) {
    // A frame's head is read in pieces; each would be a call of the system.
    let mut from = io::BufReader::with_capacity(64 << 10, from);
    loop {
        let (item, last) = match frame::read(&mut from, frame::MAX_FRAME) {
            Ok(Some(frame)) => (Ok(frame), false),
            Ok(None) => (Err(None), true),
            // A child that dies in the middle of a frame is a crash, not a breach of the protocol.
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => (Err(None), true),
            Err(e) => (Err(Some(e.to_string())), true),
        };
        if to.send(item).is_err() || last {
            return;
        }
    }
}

fn keep_last(mut from: impl Read, said: &Mutex<Vec<u8>>) {
    let mut buffer = [0_u8; 4096];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.extend_from_slice(&buffer[..n]);
        let over = said.len().saturating_sub(SAID);
        said.drain(..over);
    }
}
