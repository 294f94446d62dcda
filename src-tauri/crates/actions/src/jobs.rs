//! Long work: one thread each, progress that can be asked for, a flag that ends it.

use crate::{Code, Failure, wire};
use media::worker::Cancel;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// All jobs of the app.
#[derive(Default)]
pub(crate) struct Jobs(Mutex<BTreeMap<u64, Arc<Job>>>);

/// One job.
pub(crate) struct Job {
    number: u64,
    pub cancel: Cancel,
    view: Mutex<wire::JobView>,
}

/// Finished jobs that are remembered.
const KEPT: usize = 50;

impl Jobs {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts `work` on a thread of its own.
    pub fn start(
        &self,
        doing: &str,
        work: impl FnOnce(&Job) -> Result<Option<wire::ImportSummary>, Failure> + Send + 'static,
    ) -> Result<wire::JobStarted, Failure> {
        let mut all = self.all();
        let number = all.last_key_value().map_or(1, |(last, _)| last + 1);
        let job = Arc::new(Job {
            number,
            cancel: Cancel::new(),
            view: Mutex::new(wire::JobView {
                job: number.into(),
                state: wire::JobState::Running,
                doing: doing.to_owned(),
                done: 0_u64.into(),
                total: 0_u64.into(),
                import: None,
                error: None,
            }),
        });
        let running = Arc::clone(&job);
        std::thread::Builder::new().name(format!("job {number}")).spawn(move || {
            let done = work(&running);
            running.change(|view| match done {
                Ok(import) => {
                    view.state = if running.cancel.is_cancelled() {
                        wire::JobState::Cancelled
                    } else {
                        wire::JobState::Done
                    };
                    view.import = import;
                }
                Err(_) if running.cancel.is_cancelled() => view.state = wire::JobState::Cancelled,
                Err(failure) => {
                    view.state = wire::JobState::Failed;
                    view.error = Some(failure);
                }
            });
        })?;
        all.insert(number, job);
        while all.len() > KEPT {
            all.pop_first();
        }
        Ok(wire::JobStarted { job: number.into() })
    }

    /// The job of that number.
    pub fn get(&self, number: u64) -> Result<Arc<Job>, Failure> {
        self.all()
            .get(&number)
            .cloned()
            .ok_or_else(|| Failure::new(Code::NotFound, format!("there is no job {number}")))
    }

    /// Ends all that run.
    pub fn cancel_all(&self) {
        for job in self.all().values() {
            job.cancel.cancel();
        }
    }
}

impl Job {
    /// A job outside the table, for the command line.
    pub fn alone() -> Self {
        Self {
            number: 0,
            cancel: Cancel::new(),
            view: Mutex::new(wire::JobView {
                job: 0_u64.into(),
                state: wire::JobState::Running,
                doing: String::new(),
                done: 0_u64.into(),
                total: 0_u64.into(),
                import: None,
                error: None,
            }),
        }
    }
    /// How it stands.
    pub fn view(&self) -> wire::JobView {
        self.view.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
    /// Reports progress.
    pub fn change(&self, change: impl FnOnce(&mut wire::JobView)) {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut view);
        view.job = self.number.into();
    }
}
