//! A place on disk of a test's own, and the command line run in it.

use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The repository.
pub fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).expect("the repository is there")
}

/// The fixtures of all tests.
pub fn fixtures() -> PathBuf {
    root().join("tests/fixtures")
}

/// A program that was built beside this test.
fn program(name: &str, package: &str) -> PathBuf {
    let here = std::env::current_exe().expect("a test knows where it is");
    let path = here.parent().and_then(Path::parent).expect("tests lie in deps/").join(name);
    assert!(path.is_file(), "{} is missing; build it first: cargo build -p {package}", path.display());
    path
}
/// The command line.
pub fn assize_program() -> PathBuf {
    program("assize", "assize")
}
/// The program that holds the loopback host.
pub fn dev_program() -> PathBuf {
    program("dev", "dev")
}

/// Seals and opens the packages of all tests.
pub const PASSPHRASE: &str = "seven quiet otters";

/// A time in UTC so many seconds ahead, as RFC 3339.
pub fn seconds_from_now(seconds: u32) -> String {
    let ahead = format!("+{seconds} seconds");
    let done = Command::new("date").args(["-u", "-d", &ahead, "+%Y-%m-%dT%H:%M:%SZ"]).output();
    String::from_utf8(done.expect("there is a date").stdout).expect("it prints UTF-8").trim().to_owned()
}

/// A temporary folder with a device of its own.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

impl Place {
    /// A new one.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }
    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    /// Where the device's key is kept.
    pub fn data(&self) -> PathBuf {
        self.path("device")
    }
    /// Writes a file in it, with the folders above.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it lies in the place")).expect("folders can be made");
        fs::write(&path, bytes).expect("files can be written");
        path
    }

    /// The command line, ready to run on this place's device.
    pub fn command(&self) -> Command {
        let mut command = Command::new(assize_program());
        command
            .env("ASSIZE_DATA", self.data())
            .env_remove("ASSIZE_PERSON")
            .env("ASSIZE_PASSPHRASE", PASSPHRASE);
        command
    }
    /// Runs the command line, however it ends.
    pub fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Output {
        self.command().args(args).output().expect("assize can be started")
    }
    /// Runs the command line, which must succeed; its text.
    pub fn text<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> String {
        let args: Vec<_> = args.into_iter().map(|arg| arg.as_ref().to_owned()).collect();
        let done = self.run(&args);
        assert!(
            done.status.success(),
            "assize {args:?} succeeds, but: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8(done.stdout).expect("it prints UTF-8")
    }
    /// Runs the command line with `--json`; its value.
    pub fn json<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Value {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned()).chain(["--json".into()]);
        serde_json::from_str(&self.text(args)).expect("--json prints one JSON value")
    }

    /// A new, empty study.
    pub fn study(&self, name: &str) -> PathBuf {
        let path = self.path(&format!("{name}.assize"));
        self.text([OsStr::new("new"), path.as_os_str()]);
        path
    }
    /// Imports, which must succeed; the summary.
    pub fn import(&self, study: &Path, paths: &[&Path]) -> Value {
        let args = [OsStr::new("import"), study.as_os_str()].into_iter();
        self.json(args.chain(paths.iter().map(|path| path.as_os_str())))
    }
    /// Imports, whatever becomes of it: did it succeed, and the summary.
    pub fn try_import(&self, study: &Path, paths: &[&Path]) -> (bool, Value) {
        let args = [OsStr::new("import"), study.as_os_str()].into_iter();
        let args = args.chain(paths.iter().map(|path| path.as_os_str())).chain([OsStr::new("--json")]);
        let done = self.run(args);
        let summary = serde_json::from_slice(&done.stdout).unwrap_or_else(|_| {
            panic!("a summary is printed, but: {}", String::from_utf8_lossy(&done.stderr))
        });
        (done.status.success(), summary)
    }
    /// Scores of a study.
    pub fn scores(&self, study: &Path) -> Value {
        self.json([OsStr::new("score"), study.as_os_str()])
    }
    /// Agreement in a study, without intervals.
    pub fn agreement(&self, study: &Path) -> Value {
        self.json([OsStr::new("agreement"), study.as_os_str(), OsStr::new("--resamples"), OsStr::new("0")])
    }
    /// `check`: the report, and whether the study is whole.
    pub fn check(&self, study: &Path) -> (bool, Value) {
        let done = self.run([OsStr::new("check"), study.as_os_str(), OsStr::new("--json")]);
        (done.status.success(), serde_json::from_slice(&done.stdout).expect("check prints its report"))
    }
    /// `check` must find nothing at all.
    pub fn check_clean(&self, study: &Path) {
        let (whole, report) = self.check(study);
        assert!(whole && report["problems"] == serde_json::json!([]), "the study is whole, but: {report}");
    }
    /// Everything that can be got out of a study: figures and every table. Two studies that say the same are equal in
    /// it, whatever their secret ids are.
    pub fn dump(&self, study: &Path) -> Value {
        let mut dump = serde_json::json!({"score": self.scores(study), "agreement": self.agreement(study)});
        for format in self.json(["export", "--as", "list"]).as_array().expect("a list of formats") {
            let name = format["name"].as_str().expect("a format has a name");
            let args = [OsStr::new("export"), study.as_os_str(), OsStr::new("--as"), OsStr::new(name)];
            let done = self.run(args);
            // A study without results has no such table; that is then what it says.
            let text = String::from_utf8([done.stdout, done.stderr].concat()).expect("it prints UTF-8");
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            dump[name] = serde_json::json!(lines);
        }
        dump
    }
}
