//! The way from the parent to a worker.
//!
//! On Unix it is a pair of sockets, because an open file can travel over one: the parent opens the input and hands it
//! over, so that the child needs the right to open nothing at all. Elsewhere it is a pipe, and the child opens the path.

#[cfg(unix)]
pub(super) use unix::{FromParent, ToChild, hand_over, open, pair};

#[cfg(unix)]
mod unix {
    use super::super::frame::{self, kind};
    use rustix::{
        cmsg_space,
        net::{
            RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
            SendFlags,
        },
    };
    use std::{
        collections::VecDeque,
        fs::{File, OpenOptions},
        io::{self, IoSlice, IoSliceMut, Read},
        mem::MaybeUninit,
        os::{
            fd::{AsFd, OwnedFd},
            unix::{fs::OpenOptionsExt, net::UnixStream},
        },
        path::Path,
        process::Stdio,
    };

    /// The parent's end.
    pub(in super::super) type ToChild = UnixStream;

    /// Both ends; the second becomes the child's standard input.
    pub(in super::super) fn pair() -> io::Result<(ToChild, Stdio)> {
        let (ours, theirs) = UnixStream::pair()?;
        Ok((ours, Stdio::from(OwnedFd::from(theirs))))
    }

    /// Opens a job's input for reading. Not to block means that a named pipe is refused instead of waited for.
    pub(in super::super) fn open(path: &Path) -> Result<File, String> {
        let quick = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(i32::try_from(quick.bits()).unwrap_or(0))
            .open(path)
            .map_err(|e| format!("cannot open the file: {e}"))?;
        let found = file.metadata().map_err(|e| format!("cannot open the file: {e}"))?;
        if found.is_file() { Ok(file) } else { Err("cannot open the file: it is no regular file".to_owned()) }
    }

    /// Sends a frame that carries an open file.
    pub(in super::super) fn hand_over(to: &ToChild, file: &File) -> io::Result<()> {
        let mut head = Vec::new();
        frame::write(&mut head, kind::FILE, b"")?;
        let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let files = [file.as_fd()];
        control.push(SendAncillaryMessage::ScmRights(&files));
        let sent = rustix::net::sendmsg(to, &[IoSlice::new(&head)], &mut control, SendFlags::empty())?;
        // The file goes with the first byte; what may be missing of the head follows without it.
        io::Write::write_all(&mut &*to, &head[sent..])
    }

    /// The child's end: standard input, and the files that came over it.
    #[derive(Default)]
    pub(in super::super) struct FromParent {
        files: VecDeque<File>,
    }

    impl FromParent {
        /// The file that the last frame carried.
        pub(in super::super) fn file(&mut self) -> io::Result<File> {
            self.files.pop_front().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no file came"))
        }
    }

    impl Read for FromParent {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let received = rustix::io::retry_on_intr(|| {
                rustix::net::recvmsg(
                    rustix::stdio::stdin(),
                    &mut [IoSliceMut::new(to)],
                    &mut control,
                    RecvFlags::empty(),
                )
            })?;
            for message in control.drain() {
                if let RecvAncillaryMessage::ScmRights(files) = message {
                    self.files.extend(files.map(File::from));
                }
            }
            Ok(received.bytes)
        }
    }
}

#[cfg(not(unix))]
pub(super) type ToChild = std::process::ChildStdin;
