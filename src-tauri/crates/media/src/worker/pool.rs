//! A few workers, started when needed, reused, and replaced when they die.

use super::{Failure, Frame, Input, Job, Limits, Worker};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    ffi::OsString,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::Command,
    sync::{Condvar, Mutex, PoisonError},
};

/// Which program is the worker.
#[derive(Debug, Clone)]
pub struct Program {
    exe: PathBuf,
    args: Vec<OsString>,
}

impl Program {
    /// The command-line binary: `EXE worker`.
    pub fn assize(exe: impl Into<PathBuf>) -> Self {
        Self { exe: exe.into(), args: vec!["worker".into()] }
    }
    /// Any program that calls [`super::serve`].
    pub fn new(exe: impl Into<PathBuf>, args: impl IntoIterator<Item = OsString>) -> Self {
        Self { exe: exe.into(), args: args.into_iter().collect() }
    }
    /// Its path.
    pub fn exe(&self) -> &Path {
        &self.exe
    }
    /// The command, with an empty environment where the system allows one: a worker needs nothing from it.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(std::path::absolute(&self.exe).unwrap_or_else(|_| self.exe.clone()));
        command.args(&self.args);
        #[cfg(unix)]
        command.env_clear().current_dir("/");
        command
    }
}

/// A bounded number of workers. Calls from several threads run side by side up to that number; the rest wait.
pub struct Pool {
    program: Program,
    state: Mutex<State>,
    freed: Condvar,
}

struct State {
    idle: Vec<Worker>,
    free: usize,
}

impl Pool {
    /// A pool of at most `size` workers (at least one). Nothing is started yet.
    pub fn new(program: Program, size: usize) -> Self {
        let size = size.max(1);
        Self {
            program,
            state: Mutex::new(State { idle: Vec::with_capacity(size), free: size }),
            freed: Condvar::new(),
        }
    }

    /// Runs a job and hands each frame to `on_frame` as it comes; breaking off ends the job as cancelled.
    pub fn run(&self, job: &Job, mut on_frame: impl FnMut(Frame) -> ControlFlow<()>) -> Result<(), Failure> {
        let place = self.enter();
        let mut worker = match self.take_idle(&job.limits) {
            Some(worker) => worker,
            None => Worker::spawn(&self.program, &job.limits)?,
        };
        let result = worker.run(job, &mut on_frame);
        if matches!(result, Ok(()) | Err(Failure::Refused { .. })) && worker.fits(&job.limits) {
            self.lock().idle.push(worker);
        }
        drop(place);
        result
    }

    /// Runs a job whose answer is one JSON value.
    pub fn call<R: DeserializeOwned>(&self, job: &Job) -> Result<R, Failure> {
        let mut answer = None;
        self.run(job, |frame| {
            if let Frame::Json(text) = frame {
                answer = Some(text);
            }
            ControlFlow::Continue(())
        })?;
        let text = answer.ok_or_else(|| Failure::Protocol { why: "no answer came".to_owned() })?;
        serde_json::from_slice(&text)
            .map_err(|e| Failure::Protocol { why: format!("an unexpected answer: {e}") })
    }

    /// [`Self::call`] with the limits for looking at one file.
    pub fn look<R: DeserializeOwned>(
        &self,
        name: &str,
        args: &impl Serialize,
        input: Input,
    ) -> Result<R, Failure> {
        let args = serde_json::to_value(args).map_err(|e| Failure::Protocol { why: e.to_string() })?;
        self.call(&Job::new(name, args, input))
    }

    /// Runs a job whose answer is bytes.
    pub fn bytes(&self, job: &Job) -> Result<Vec<u8>, Failure> {
        let mut answer = Vec::new();
        self.run(job, |frame| {
            if let Frame::Bytes(bytes) = frame {
                answer.extend_from_slice(&bytes);
            }
            ControlFlow::Continue(())
        })?;
        Ok(answer)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> Place<'_> {
        let mut state = self.lock();
        while state.free == 0 {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.free -= 1;
        Place(self)
    }

    /// An idle worker that fits. Others are ended, so that no more processes are alive than the pool's size.
    fn take_idle(&self, limits: &Limits) -> Option<Worker> {
        let mut state = self.lock();
        let at = state.idle.iter().position(|worker| worker.fits(limits));
        if let Some(at) = at {
            Some(state.idle.swap_remove(at))
        } else {
            let over = state.idle.len() > state.free;
            let ended = if over { state.idle.pop() } else { None };
            drop(state);
            drop(ended);
            None
        }
    }
}

/// A place among the running jobs; given back when dropped, also after a panic in the caller's closure.
struct Place<'a>(&'a Pool);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.lock().free += 1;
        self.0.freed.notify_one();
    }
}
