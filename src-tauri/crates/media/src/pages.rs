//! Pages of office documents: LibreOffice, where it is installed, prints a document to PDF.
//!
//! The only other parser of untrusted bytes than the worker, and so kept apart as far as the system allows: a process of
//! its own with an empty environment, a profile folder of its own that forbids macros and links, no network (a network
//! namespace without any device where the system lets users make one; a proxy that leads nowhere besides), limits on CPU time
//! and written bytes, and a wall clock. What it wrote is kept by the hash of the document.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

/// Why there are no pages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PagesError {
    /// LibreOffice is not installed.
    #[error("LibreOffice is not installed; it draws the pages of office documents")]
    NotInstalled,
    /// It took too long and was ended.
    #[error("LibreOffice gave no pages within {after_ms} ms")]
    Timeout {
        /// The limit that was passed.
        after_ms: u64,
    },
    /// It ended without pages: the document is broken or asks for a password.
    #[error("LibreOffice could not draw the pages: {said}")]
    Failed {
        /// The end of what it said.
        said: String,
    },
    /// The cache's folder cannot be used.
    #[error("the folder for pages cannot be used: {why}")]
    Folder {
        /// What the system said.
        why: String,
    },
}

/// How long a document may take.
const WALL: Duration = Duration::from_secs(90);
/// What the program may hold in memory, in bytes.
const MEMORY: u64 = 2 << 30;

/// Pages of documents, printed when first asked for and kept in a folder.
pub struct Pages {
    program: OnceLock<Option<PathBuf>>,
    folder: PathBuf,
    wall: Duration,
    memory_bytes: u64,
    /// One at a time: each is a whole office suite.
    one: Mutex<()>,
}

impl Pages {
    /// Pages kept in `folder`, drawn by the LibreOffice of this machine.
    pub fn new(folder: PathBuf) -> Self {
        Self { program: OnceLock::new(), folder, wall: WALL, memory_bytes: MEMORY, one: Mutex::new(()) }
    }

    /// Pages drawn by a given program, within a given time.
    pub fn with_program(folder: PathBuf, program: PathBuf, wall: Duration) -> Self {
        Self { program: OnceLock::from(Some(program)), wall, ..Self::new(folder) }
    }

    /// The same, with so much memory for the program, where the system can limit it.
    #[must_use]
    pub fn within(self, memory_bytes: u64) -> Self {
        Self { memory_bytes, ..self }
    }

    /// Is there a program that draws pages?
    pub fn available(&self) -> bool {
        self.program.get_or_init(installed).is_some()
    }

    /// The PDF of a document that was printed before.
    pub fn kept(&self, sha256: &str) -> Option<PathBuf> {
        let path = self.path(sha256);
        path.is_file().then_some(path)
    }

    /// The PDF of a document in `format`, which becomes the ending of its name; prints it if it was not yet.
    pub fn of(&self, document: &Path, format: &str, sha256: &str) -> Result<PathBuf, PagesError> {
        let _one = self.one.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = self.kept(sha256) {
            return Ok(kept);
        }
        let program = self.program.get_or_init(installed).as_ref().ok_or(PagesError::NotInstalled)?;
        let place = self.folder.join(format!("{sha256}.{}", std::process::id()));
        let around = around(self.memory_bytes);
        let printed = print(around, program, document, format, &place, self.wall).and_then(|pdf| {
            fs::rename(pdf, self.path(sha256)).map_err(folder)?;
            Ok(self.path(sha256))
        });
        // What is left behind is swept the next time this document is printed by this process.
        let _ = fs::remove_dir_all(&place);
        printed
    }

    fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(format!("{sha256}.pdf"))
    }
}

#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn folder(error: io::Error) -> PagesError {
    PagesError::Folder { why: error.to_string() }
}

/// The program itself, not the script around it, so that ending it ends all of it.
fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::split_paths(&path).map(|folder| folder.join("soffice"));
    let known = [
        "/usr/lib/libreoffice/program/soffice",
        "/opt/libreoffice/program/soffice",
        "/Applications/LibreOffice.app/Contents/MacOS/soffice",
        r"C:\Program Files\LibreOffice\program\soffice.exe",
    ];
    let found = named.chain(known.iter().map(PathBuf::from)).find(|program| program.is_file())?;
    let found = fs::canonicalize(&found).unwrap_or(found);
    let itself = found.with_file_name("soffice.bin");
    Some(if itself.is_file() { itself } else { found })
}

fn print(
    around: Vec<OsString>,
    program: &Path,
    document: &Path,
    format: &str,
    place: &Path,
    wall: Duration,
) -> Result<PathBuf, PagesError> {
    let _ = fs::remove_dir_all(place);
    let user = place.join("profile/user");
    fs::create_dir_all(&user).map_err(folder)?;
    fs::write(user.join("registrymodifications.xcu"), PROFILE).map_err(folder)?;
    let place = fs::canonicalize(place).map_err(folder)?;
    let given = place.join(format!("document.{format}"));
    fs::copy(document, &given).map_err(folder)?;
    let said = place.join("said");
    let log = fs::File::create(&said).map_err(folder)?;
    let mut words = around;
    words.push(program.into());
    let mut profile = OsString::from("-env:UserInstallation=file://");
    profile.push(place.join("profile"));
    words.push(profile);
    words.extend(
        [
            "--headless",
            "--norestore",
            "--nolockcheck",
            "--nodefault",
            "--nologo",
            "--convert-to",
            "pdf",
            "--outdir",
        ]
        .map(Into::into),
    );
    words.push(place.clone().into());
    words.push(given.into());
    let began = Instant::now();
    // With a fresh profile it sets itself up and asks to be started again.
    let mut ended = run(&words, &place, &log, began, wall)?;
    while ended.code() == Some(AGAIN) && began.elapsed() < wall {
        ended = run(&words, &place, &log, began, wall)?;
    }
    let pdf = place.join("document.pdf");
    let whole = fs::read(&pdf).is_ok_and(|bytes| bytes.starts_with(b"%PDF-"));
    if whole {
        return Ok(pdf);
    }
    let text = String::from_utf8_lossy(&fs::read(said).unwrap_or_default()).into_owned();
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    let last = last.map_or_else(|| format!("it said nothing ({ended})"), str::to_owned);
    // Where the folder lies is nobody's matter.
    Err(PagesError::Failed { said: last.replace(&place.display().to_string(), "") })
}

/// The exit status with which the program asks to be started again (EXITHELPER_NORMAL_RESTART of its sources).
const AGAIN: i32 = 81;

/// Runs the program once, to its end.
fn run(
    words: &[OsString],
    place: &Path,
    log: &fs::File,
    began: Instant,
    wall: Duration,
) -> Result<ExitStatus, PagesError> {
    let failed = |error: io::Error| PagesError::Failed { said: error.to_string() };
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", place)
        .env("TMPDIR", place)
        .env("LANG", "C.UTF-8")
        .env("SAL_USE_VCLPLUGIN", "svp")
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(log.try_clone().map_err(folder)?)
        .stderr(log.try_clone().map_err(folder)?)
        .spawn()
        .map_err(failed)?;
    loop {
        match child.try_wait().map_err(failed)? {
            Some(status) => return Ok(status),
            None if began.elapsed() < wall => std::thread::sleep(Duration::from_millis(30)),
            None => {
                let _ = child.kill();
                let _ = child.wait();
                let after_ms = u64::try_from(wall.as_millis()).unwrap_or(u64::MAX);
                return Err(PagesError::Timeout { after_ms });
            }
        }
    }
}

/// What stands before the program on a system that has it: limits, and a network without devices.
fn around(memory_bytes: u64) -> Vec<OsString> {
    /// Can the system limit a program, and can it take the network away?
    static USABLE: OnceLock<(bool, bool)> = OnceLock::new();
    let words = |limited: bool, apart: bool| -> Vec<OsString> {
        let data = format!("--data={memory_bytes}");
        let limits = ["prlimit", "--cpu=120", &data, "--fsize=536870912", "--core=0", "--"];
        let network = ["unshare", "--user", "--map-root-user", "--net", "--kill-child", "--"];
        let limits = limits.iter().filter(|_| limited);
        limits.chain(network.iter().filter(|_| apart)).map(Into::into).collect()
    };
    let works = |(limited, apart): &(bool, bool)| {
        let words = words(*limited, *apart);
        Command::new(&words[0])
            .args(&words[1..])
            .arg("true")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    let ways = [(true, true), (false, true), (true, false)];
    let (limited, apart) = *USABLE.get_or_init(|| ways.into_iter().find(works).unwrap_or((false, false)));
    words(limited, apart)
}

/// No macros, no links followed, no updates of links, nothing fetched.
const PROFILE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetProxyType" oor:op="fuse"><value>1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyName" oor:op="fuse"><value>127.0.0.1</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetHTTPSProxyPort" oor:op="fuse"><value>9</value></prop></item>
</oor:items>
"#;
