//! What a worker gives up for good before it reads the first request.
//!
//! On Linux two layers that do not need each other. Landlock: no file is opened, made or run, no port is bound or
//! connected to, no other process is signalled. Seccomp: of the system calls only those that reading an open file,
//! computing and answering need; what else is asked for fails with `EPERM`, and what only an attack asks for (a socket,
//! another program, another process, another process's memory) ends the worker. Both are best effort: an older kernel
//! has less, and [`Sandbox`] says what holds. Elsewhere only the limits of [`super::Limits`] hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a layer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Held {
    /// All that this app asks for.
    Wholly,
    /// What this kernel knows of it.
    Partly,
    /// Nothing.
    Not,
}

/// What holds a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sandbox {
    /// Limits on memory, CPU time, open files and the size of written files.
    pub limits: Held,
    /// Landlock (Linux): no file can be opened, no port reached.
    pub landlock: Held,
    /// Seccomp (Linux): no system call that no parser needs.
    pub seccomp: Held,
}

impl Sandbox {
    /// Puts the layers on this process; they hold for its threads to come. Limits must be on already.
    pub(super) fn enter() -> Self {
        Self {
            limits: if cfg!(target_os = "macos") {
                Held::Partly
            } else if cfg!(unix) {
                Held::Wholly
            } else {
                Held::Not
            },
            landlock: landlock(),
            seccomp: seccomp(),
        }
    }
}

/// Closes files that whoever started this process left open: a socket among them would be a way out. Comes first, before
/// this process opens a file of its own.
#[cfg(target_os = "linux")]
pub(super) fn close_inherited() {
    const FIRST: libc::c_uint = 3; // after standard input, output and error
    // SAFETY: a worker's program opens no file before it serves, so nothing here owns these numbers.
    #[allow(unsafe_code, reason = "there is no safe call that closes what nobody owns")]
    unsafe {
        libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, 0);
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn close_inherited() {}

#[cfg(target_os = "linux")]
fn landlock() -> Held {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope,
    };
    // The newest set that was tried here; an older kernel takes what it knows.
    const TRIED: ABI = ABI::V6;
    let restricted = || -> Result<RulesetStatus, RulesetError> {
        let restricted = Ruleset::default()
            .handle_access(AccessFs::from_all(TRIED))?
            .handle_access(AccessNet::from_all(TRIED))?
            .scope(Scope::from_all(TRIED))?
            .create()?
            .restrict_self()?;
        Ok(restricted.ruleset)
    };
    match restricted() {
        Ok(RulesetStatus::FullyEnforced) => Held::Wholly,
        Ok(RulesetStatus::PartiallyEnforced) => Held::Partly,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Held::Not,
    }
}

#[cfg(not(target_os = "linux"))]
fn landlock() -> Held {
    Held::Not
}

#[cfg(target_os = "linux")]
fn seccomp() -> Held {
    match calls::filters() {
        Ok(filters) => {
            let all = filters.iter().map(|filter| seccompiler::apply_filter(filter)).all(|done| done.is_ok());
            if all { Held::Wholly } else { Held::Not }
        }
        // An architecture without filters.
        Err(_) => Held::Not,
    }
}

#[cfg(not(target_os = "linux"))]
fn seccomp() -> Held {
    Held::Not
}

/// Which system calls a worker may make.
#[cfg(target_os = "linux")]
mod calls {
    use seccompiler::{
        BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch,
    };
    use std::collections::BTreeMap;

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    /// To compute, to read what is open, to answer.
    const FREE: &[i64] = &[
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_pread64,
        libc::SYS_preadv,
        libc::SYS_recvmsg,
        libc::SYS_lseek,
        libc::SYS_fstat,
        libc::SYS_fcntl,
        libc::SYS_close,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_membarrier,
        libc::SYS_futex,
        libc::SYS_set_robust_list,
        libc::SYS_rseq,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_gettid,
        libc::SYS_getpid,
        libc::SYS_getrusage,
        libc::SYS_sysinfo,
        libc::SYS_getrandom,
        libc::SYS_nanosleep,
        libc::SYS_clock_nanosleep,
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_gettimeofday,
        libc::SYS_restart_syscall,
        libc::SYS_sigaltstack,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_exit,
        libc::SYS_exit_group,
        // Answered with ENOSYS by a filter of its own.
        libc::SYS_clone3,
    ];

    /// No parser asks for these: whoever does is not one of ours any more.
    const FATAL: &[i64] = &[
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_sendmmsg,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_pidfd_send_signal,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_process_madvise,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_io_uring_setup,
        libc::SYS_userfaultfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_kexec_load,
        libc::SYS_open_by_handle_at,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_fork,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_vfork,
    ];

    /// The filters in the order they are put on; of several answers the kernel takes the strictest.
    pub(super) fn filters() -> Result<Vec<BpfProgram>, Error> {
        let here: TargetArch = std::env::consts::ARCH.try_into()?;
        let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
        let mut fatal: Rules = all(FATAL);
        fatal.insert(libc::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(thread), 0)?]);
        // A call whose flags lie in memory cannot be looked at; the C library then falls back to `clone`.
        let unknown: Rules = all(&[libc::SYS_clone3]);
        let filters = [
            (fatal, SeccompAction::Allow, SeccompAction::KillProcess),
            (unknown, SeccompAction::Allow, SeccompAction::Errno(number(libc::ENOSYS))),
            (allowed()?, SeccompAction::Errno(number(libc::EPERM)), SeccompAction::Allow),
        ];
        filters
            .into_iter()
            .map(|(rules, other, matching)| {
                let program = SeccompFilter::new(rules, other, matching, here)?.try_into()?;
                Ok(program)
            })
            .collect()
    }

    fn allowed() -> Result<Rules, Error> {
        let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
        let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
        let empty_path = u64::from(libc::AT_EMPTY_PATH.unsigned_abs());
        let naming = u64::from(libc::PR_SET_NAME.unsigned_abs());
        let own = u64::from(std::process::id());
        let mut rules = all(FREE);
        // Memory that can be run is never asked for again.
        rules.insert(libc::SYS_mmap, vec![rule(2, SeccompCmpOp::MaskedEq(executable), 0)?]);
        rules.insert(libc::SYS_mprotect, vec![rule(2, SeccompCmpOp::MaskedEq(executable), 0)?]);
        rules.insert(libc::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(thread), thread)?]);
        // What is known of an open file, not of a path.
        rules.insert(libc::SYS_newfstatat, vec![rule(3, SeccompCmpOp::MaskedEq(empty_path), empty_path)?]);
        rules.insert(libc::SYS_prctl, vec![rule(0, SeccompCmpOp::Eq, naming)?]);
        // Reading limits, not setting them.
        rules.insert(libc::SYS_prlimit64, vec![rule(2, SeccompCmpOp::Eq, 0)?]);
        // `abort` signals its own thread.
        rules.insert(libc::SYS_tgkill, vec![rule(0, SeccompCmpOp::Eq, own)?]);
        Ok(rules)
    }

    fn all(calls: &[i64]) -> Rules {
        calls.iter().map(|call| (*call, Vec::new())).collect()
    }

    fn rule(argument: u8, compare: SeccompCmpOp, with: u64) -> Result<SeccompRule, Error> {
        Ok(SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Qword, compare, with)?])?)
    }

    fn number(errno: i32) -> u32 {
        errno.unsigned_abs()
    }
}
