//! What a job may use.

use serde::{Deserialize, Serialize};

/// What a worker may use. Memory, CPU time and open files hold for the process, the rest for each job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Address space of the child, in bytes (`RLIMIT_AS`).
    pub memory_bytes: u64,
    /// CPU time of the child over its life, in seconds (`RLIMIT_CPU`). The pool replaces a child before an innocent job
    /// could meet it.
    pub cpu_seconds: u64,
    /// Files open at once in the child, with its three pipes and its input (`RLIMIT_NOFILE`).
    pub open_files: u64,
    /// How long the parent waits for the child in one job, in milliseconds. Time that the caller spends on a frame
    /// does not count.
    pub wall_ms: u64,
    /// What one job may send in all, in bytes.
    pub reply_bytes: u64,
}

impl Limits {
    /// For looking at one file: a probe, a page of text, a thumbnail.
    pub const LOOK: Self = Self {
        memory_bytes: 1 << 30,
        cpu_seconds: 120,
        open_files: 32,
        wall_ms: 20_000,
        reply_bytes: 64 << 20,
    };
    /// For streaming a long file: sound, or a large import.
    pub const STREAM: Self = Self {
        memory_bytes: 2 << 30,
        cpu_seconds: 3_600,
        open_files: 32,
        wall_ms: 600_000,
        reply_bytes: 64 << 30,
    };

    /// Can one child serve both? (The limits that the process itself carries are equal.)
    pub(super) fn same_process(&self, other: &Self) -> bool {
        (self.memory_bytes, self.cpu_seconds, self.open_files)
            == (other.memory_bytes, other.cpu_seconds, other.open_files)
    }

    /// Sets the process's own limits, soft and hard, and forbids writing files and dumping core.
    #[cfg(unix)]
    pub(super) fn apply(&self) -> std::io::Result<()> {
        use rlimit::Resource;
        let lower = |resource: Resource, soft: u64, hard: u64| -> std::io::Result<()> {
            let (_, ceiling) = resource.get()?;
            resource.set(soft.min(ceiling), hard.min(ceiling))
        };
        lower(Resource::CORE, 0, 0)?;
        lower(Resource::FSIZE, 0, 0)?;
        lower(Resource::NOFILE, self.open_files, self.open_files)?;
        // One second between soft and hard: the soft limit's own signal tells CPU time from a kill for memory.
        lower(Resource::CPU, self.cpu_seconds, self.cpu_seconds + 1)?;
        #[cfg(not(target_os = "macos"))] // macOS refuses RLIMIT_AS
        lower(Resource::AS, self.memory_bytes, self.memory_bytes)?;
        Ok(())
    }

    /// Elsewhere only the wall clock and the size of the reply are limited.
    #[cfg(not(unix))]
    pub(super) fn apply(&self) -> std::io::Result<()> {
        Ok(())
    }
}
