//! The loopback host as a browser sees it: a process, and calls by name over HTTP.

use crate::{Place, dev_program};
use serde_json::Value;
use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

/// A running host. It is killed when dropped.
pub struct Host {
    child: Child,
    /// The host itself, which is not the child when something watches it.
    pid: u32,
    port: u16,
    token: String,
}

/// An answer: its bytes as they came.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

impl Host {
    /// Starts one with nothing open.
    pub fn start(place: &Place) -> Self {
        Self::with(place, &[], &[])
    }
    /// Starts one on a study, as a person in a role.
    pub fn as_person(place: &Place, study: &Path, person: &str, role: &str) -> Self {
        Self::with(place, &[], &session(study, person, role))
    }
    /// The same, with every file it opens written to `trace`.
    pub fn watched(place: &Place, study: &Path, person: &str, role: &str, trace: &Path) -> Self {
        let calls = "trace=open,openat,openat2,creat,link,linkat,rename,renameat,renameat2";
        let watch =
            ["strace", "-f", "-qq", "-s", "4096", "-e", calls, "-e", "signal=none", "-o"].map(OsStr::new);
        let watch: Vec<&OsStr> = watch.into_iter().chain([trace.as_os_str()]).collect();
        Self::with(place, &watch, &session(study, person, role))
    }

    fn with(place: &Place, before: &[&OsStr], more: &[&OsStr]) -> Self {
        let program = dev_program();
        let line: Vec<&OsStr> = before.iter().copied().chain([program.as_os_str()]).collect();
        let mut child = Command::new(line[0])
            .args(&line[1..])
            .args(["serve", "--data"])
            .arg(place.data())
            .args(more)
            .env("ASSIZE_DATA", place.data())
            .env("ASSIZE_PASSPHRASE", crate::PASSPHRASE)
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap_or_else(|error| panic!("{} can be started: {error}", line[0].display()));
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let (port, token) = first
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.split_once("/#token="))
            .unwrap_or_else(|| panic!("the host says where it is, not {first:?}"));
        let pid = if before.is_empty() { child.id() } else { only_child(child.id()) };
        Self { pid, port: port.parse().unwrap(), token: token.to_owned(), child }
    }

    /// A call with any bytes as its request.
    pub fn raw(&self, command: &str, request: &[u8]) -> std::io::Result<Reply> {
        let head = format!(
            "POST /api/{command} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Assize-Token: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            self.token,
            request.len()
        );
        self.send(&[head.as_bytes(), request].concat())
    }
    /// A blob, as an image of the page asks for it.
    pub fn blob(&self, hash: &str) -> Reply {
        let head = format!(
            "GET /blob/{}/{hash} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.token, self.port
        );
        self.send(head.as_bytes()).expect("the host answers")
    }
    /// A GET at an address of the media server, `http://127.0.0.1:PORT/…`.
    pub fn get(&self, address: &str) -> Reply {
        let rest = address.strip_prefix("http://127.0.0.1:").expect("a loopback address");
        let (port, path) = rest.split_once('/').expect("it has a path");
        let head = format!("GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
        exchange(port.parse().expect("it has a port"), head.as_bytes()).expect("the media server answers")
    }

    fn send(&self, bytes: &[u8]) -> std::io::Result<Reply> {
        exchange(self.port, bytes)
    }

    /// A call that must succeed.
    pub fn call(&self, command: &str, request: &Value) -> Value {
        let reply = self.raw(command, request.to_string().as_bytes()).expect("the host answers");
        assert_eq!(
            reply.status,
            200,
            "{command} {request} succeeds: {}",
            String::from_utf8_lossy(&reply.body)
        );
        reply.json()
    }
    /// A call that must fail; the failure.
    pub fn refused(&self, command: &str, request: &Value) -> Value {
        let reply = self.raw(command, request.to_string().as_bytes()).expect("the host answers");
        assert_eq!(
            reply.status,
            400,
            "{command} {request} is refused: {}",
            String::from_utf8_lossy(&reply.body)
        );
        reply.json()
    }
    /// Waits for a job; how it ended.
    pub fn wait(&self, job: &Value) -> Value {
        loop {
            let view = self.call("job", job);
            if view["state"] != "running" {
                return view;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// The host's process.
    pub fn pid(&self) -> u32 {
        self.pid
    }
    /// `kill -9`, as the power failing would be.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
    /// Asks it to end, and waits until it has.
    pub fn stop(mut self) {
        signal(self.pid, "TERM");
        let _ = self.child.wait();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            if self.pid != self.child.id() {
                signal(self.pid, "KILL");
            }
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn session<'a>(study: &'a Path, person: &'a str, role: &'a str) -> [&'a OsStr; 6] {
    let name = OsStr::new;
    [name("--study"), study.as_os_str(), name("--as"), name(person), name("--role"), name(role)]
}

fn only_child(parent: u32) -> u32 {
    let list = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
    list.split_whitespace().next().and_then(|pid| pid.parse().ok()).expect("what is watched is a child")
}

fn signal(pid: u32, name: &str) {
    let _ = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status();
}

fn exchange(port: u16, bytes: &[u8]) -> std::io::Result<Reply> {
    let broken = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.write_all(bytes)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(broken)?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or_else(broken)?;
    let body = answer.split_off(end + 4);
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    // An answer that broke off is none: the host may have been killed while it was being sent.
    if length.is_some_and(|length| length != body.len()) {
        return Err(broken());
    }
    Ok(Reply { status, body })
}
