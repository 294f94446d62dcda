//! One window for one person's data: a second start hands its file to the first and ends. A lock in the data folder says
//! who is first, a local socket beside it takes files. Where that cannot be had, every start has a window of its own.

use std::path::{Path, PathBuf};

/// What a start is.
pub enum Start {
    /// The first: it takes what others hand over.
    First(Inbox),
    /// Another window has taken the file over.
    HandedOver,
}

#[cfg(unix)]
pub use unix::{Inbox, start};

#[cfg(unix)]
mod unix {
    use super::{Path, PathBuf, Start};
    use std::{
        ffi::OsString,
        fs::{self, File},
        io::{Read, Write},
        os::unix::{
            ffi::{OsStrExt, OsStringExt},
            fs::PermissionsExt,
            net::{UnixListener, UnixStream},
        },
        thread::sleep,
        time::Duration,
    };

    /// The longest path that is taken, in bytes.
    const LONGEST: u64 = 16_384;
    const PAUSE: Duration = Duration::from_millis(50);
    const TRIES: u32 = 60;

    /// Where other starts leave what they were to open.
    pub struct Inbox {
        listener: UnixListener,
        /// Held as long as the app runs; the system lets go of it however the app ends.
        _lock: File,
    }

    impl Inbox {
        /// Tells of each file that another start was to open; none when it was only to come forward.
        pub fn listen(self, each: impl Fn(Option<PathBuf>) + Send + 'static) {
            let Self { listener, _lock: lock } = self;
            let listening = std::thread::Builder::new().name("starts".to_owned()).spawn(move || {
                // A closure takes only what it names: unnamed, the lock would be let go of here.
                let _held = lock;
                for stream in listener.incoming() {
                    let Ok(mut stream) = stream else { continue };
                    let mut bytes = Vec::new();
                    let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
                    if (&mut stream).take(LONGEST).read_to_end(&mut bytes).is_ok() {
                        each((!bytes.is_empty()).then(|| PathBuf::from(OsString::from_vec(bytes))));
                        let _ = stream.write_all(b"ok");
                    }
                }
            });
            if let Err(error) = listening {
                eprintln!("assize-desktop: other starts cannot be heard: {error}");
            }
        }
    }

    /// Is this the first start? None: it cannot be known, and the window is one of its own.
    pub fn start(data: &Path, file: Option<&str>) -> Option<Start> {
        // A window that a test drives is always one of its own, and waits for the last one to end.
        let driven = std::env::var_os("TAURI_WEBVIEW_AUTOMATION").is_some();
        fs::create_dir_all(data).ok()?;
        let lock = File::create(data.join("window.lock")).ok()?;
        let socket = data.join("window.socket");
        for _ in 0..TRIES {
            if lock.try_lock().is_ok() {
                return listen_at(&socket, lock);
            }
            if !driven && hand_over(&socket, file).is_some() {
                return Some(Start::HandedOver);
            }
            sleep(PAUSE);
        }
        None
    }

    fn listen_at(socket: &Path, lock: File) -> Option<Start> {
        // It was left by a window that was killed: the lock is ours, so nobody listens there.
        let _ = fs::remove_file(socket);
        let listener = UnixListener::bind(socket).ok()?;
        fs::set_permissions(socket, fs::Permissions::from_mode(0o600)).ok()?;
        Some(Start::First(Inbox { listener, _lock: lock }))
    }

    fn hand_over(socket: &Path, file: Option<&str>) -> Option<()> {
        let mut stream = UnixStream::connect(socket).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
        let path = file.map(|file| fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file)));
        stream.write_all(path.as_deref().map_or(&[], |path| path.as_os_str().as_bytes())).ok()?;
        stream.shutdown(std::net::Shutdown::Write).ok()?;
        let mut answer = [0; 2];
        stream.read_exact(&mut answer).ok()?;
        (answer == *b"ok").then_some(())
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::mpsc;

        #[test]
        fn a_second_start_hands_its_file_to_the_first() {
            let data = std::env::temp_dir().join(format!("assize-single-{}", std::process::id()));
            let Some(Start::First(inbox)) = start(&data, None) else { panic!("nobody else is there") };
            let (tell, told) = mpsc::channel();
            inbox.listen(move |path| tell.send(path).unwrap());
            let file = data.join("a package.assizepack");
            fs::write(&file, "x").unwrap();
            let second = start(&data, file.to_str());
            assert!(matches!(second, Some(Start::HandedOver)), "the second ends");
            let path = told.recv_timeout(Duration::from_secs(5)).unwrap().expect("with its file");
            assert_eq!(path, fs::canonicalize(&file).unwrap(), "the first opens it");
            assert!(matches!(start(&data, None), Some(Start::HandedOver)), "without a file, too");
            assert_eq!(told.recv_timeout(Duration::from_secs(5)).unwrap(), None, "the first comes forward");
            fs::remove_dir_all(&data).unwrap();
        }
    }
}

/// Elsewhere every start has a window of its own.
#[cfg(not(unix))]
pub struct Inbox {}
#[cfg(not(unix))]
impl Inbox {
    /// Nobody hands anything over.
    pub fn listen(self, _: impl Fn(Option<PathBuf>) + Send + 'static) {}
}
#[cfg(not(unix))]
pub fn start(_: &Path, _: Option<&str>) -> Option<Start> {
    None
}
