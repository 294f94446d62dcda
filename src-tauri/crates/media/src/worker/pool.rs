//! A few workers, started when needed, reused, and replaced when they die.

use super::{Failure, Frame, Input, Job, Limits, Sandbox, Worker, process::POLL, serve::SANDBOX};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    cell::Cell,
    collections::VecDeque,
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

/// A bounded number of workers. Calls from several threads run side by side up to that number; the rest wait their
/// turn, first come, first served. Where long jobs fill the pool there is one place more, for others alone, so that a
/// look at a file never waits for an import.
pub struct Pool {
    program: Program,
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Worker>,
    /// Jobs that run, and how many of them are long.
    running: usize,
    long: usize,
    /// Who waits, in order: a ticket, and whether its job is long.
    queue: VecDeque<(u64, bool)>,
    tickets: u64,
}

/// A job that may take longer than any look at a file.
fn is_long(limits: &Limits) -> bool {
    limits.wall_ms > Limits::LOOK.wall_ms
}

impl State {
    /// How many workers may be alive.
    fn places(&self, size: usize) -> usize {
        size.max(self.long + 1)
    }
    fn has_room(&self, size: usize, long: bool) -> bool {
        self.running < if long { size } else { self.places(size) }
    }
    /// The first in the queue that could start now.
    fn next(&self, size: usize) -> Option<u64> {
        self.queue.iter().find(|(_, long)| self.has_room(size, *long)).map(|(ticket, _)| *ticket)
    }
}

impl Pool {
    /// A pool of at most `size` workers (at least one). Nothing is started yet.
    pub fn new(program: Program, size: usize) -> Self {
        Self { program, size: size.max(1), state: Mutex::default(), changed: Condvar::new() }
    }

    /// Runs a job and hands each frame to `on_frame` as it comes; breaking off ends the job as cancelled.
    ///
    /// A worker that served before may carry something over (memory in pieces, say). So a job that dies in one before
    /// anything came of it runs once more in a fresh worker: what a file gives does not depend on those before it.
    pub fn run(&self, job: &Job, mut on_frame: impl FnMut(Frame) -> ControlFlow<()>) -> Result<(), Failure> {
        let place = self.enter(job)?;
        let came = Cell::new(false);
        let mut take = |frame| {
            came.set(true);
            on_frame(frame)
        };
        let mut used = self.take_idle(&job.limits);
        let mut result = match &mut used {
            Some(worker) => worker.run(job, &mut take),
            None => Err(Failure::Cancelled),
        };
        let again =
            matches!(result, Err(Failure::Crashed { .. } | Failure::OutOfMemory { .. })) && !came.get();
        if used.is_none() || again {
            drop(used.take());
            let worker = used.insert(Worker::spawn(&self.program, &job.limits)?);
            result = worker.run(job, &mut take);
        }
        if let Some(worker) = used
            && matches!(result, Ok(()) | Err(Failure::Refused { .. }))
            && worker.fits(&job.limits)
        {
            self.lock().idle.push(worker);
        }
        drop(place);
        result
    }

    /// What holds a worker for looking at one file.
    pub fn sandbox(&self) -> Result<Sandbox, Failure> {
        self.look(SANDBOX, &(), Input::Nothing)
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

    /// Waits for a place.
    fn enter(&self, job: &Job) -> Result<Place<'_>, Failure> {
        let long = is_long(&job.limits);
        let mut state = self.lock();
        let ticket = state.tickets;
        state.tickets += 1;
        state.queue.push_back((ticket, long));
        while state.next(self.size) != Some(ticket) {
            // A job is cancelled by a flag that wakes nobody, so it is looked at now and then.
            state = self.changed.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
            if job.cancel.is_cancelled() {
                state.queue.retain(|(waiting, _)| *waiting != ticket);
                self.changed.notify_all();
                return Err(Failure::Cancelled);
            }
        }
        state.queue.retain(|(waiting, _)| *waiting != ticket);
        state.running += 1;
        state.long += usize::from(long);
        drop(state);
        // More than one may start.
        self.changed.notify_all();
        Ok(Place { pool: self, long })
    }

    /// An idle worker that fits and lives. Others are ended, so that no more processes are alive than the pool's size.
    fn take_idle(&self, limits: &Limits) -> Option<Worker> {
        let mut ended = Vec::new();
        let mut state = self.lock();
        let mut at = 0;
        while at < state.idle.len() {
            if state.idle[at].is_gone() { ended.push(state.idle.swap_remove(at)) } else { at += 1 }
        }
        let fitting = state.idle.iter().position(|worker| worker.fits(limits));
        let found = fitting.map(|at| state.idle.swap_remove(at));
        let room = state.places(self.size).saturating_sub(state.running);
        while state.idle.len() > room {
            ended.extend(state.idle.pop());
        }
        // To end a worker takes a moment: not under the lock.
        drop(state);
        drop(ended);
        found
    }
}

/// A place among the running jobs; given back when dropped, also after a panic in the caller's closure.
struct Place<'a> {
    pool: &'a Pool,
    long: bool,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.running -= 1;
        state.long -= usize::from(self.long);
        drop(state);
        self.pool.changed.notify_all();
    }
}
