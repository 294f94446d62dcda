//! The loopback media server over raw HTTP, request by request as RFC 9110 has it.
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]
#![allow(clippy::format_collect, reason = "a few lines of a request")]

use media::serve::{BlobSource, Derived, Made};
use std::{
    io::{Read, Seek, SeekFrom, Write},
    net::TcpStream,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

const ORIGIN: &str = "tauri://localhost";

struct Shelf {
    path: PathBuf,
    sha256: String,
}

impl BlobSource for Shelf {
    fn open(&self, sha256: &str) -> Option<(PathBuf, String)> {
        (sha256 == self.sha256).then(|| (self.path.clone(), "video/mp4".to_owned()))
    }
    fn derived(&self, sha256: &str, what: &Derived) -> Option<Made> {
        match what {
            _ if sha256 != self.sha256 => None,
            Derived::Captions => Some(Made::Bytes(b"WEBVTT\n".to_vec(), "text/vtt; charset=utf-8")),
            Derived::Spectrogram(stretch) => {
                Some(Made::Failed(format!("{{\"columns\":{}}}", stretch.columns)))
            }
        }
    }
}

/// A server on one file.
struct Server {
    port: u16,
    token: String,
    sha256: String,
    _runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Server {
    fn on(write: impl FnOnce(&mut std::fs::File)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("blob");
        write(&mut std::fs::File::create(&path).unwrap());
        let server = media::serve::bind().unwrap();
        let token = server.base().rsplit('/').next().unwrap().to_owned();
        let (port, sha256) = (server.port(), "a1".repeat(32));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.spawn(server.serve(Arc::new(Shelf { path, sha256: sha256.clone() }), ORIGIN));
        Self { port, token, sha256, _runtime: runtime, _folder: folder }
    }
    fn ten() -> Self {
        Self::on(|file| file.write_all(b"0123456789").unwrap())
    }
    fn path(&self) -> String {
        format!("/{}/{}", self.token, self.sha256)
    }
    fn get(&self, headers: &[&str]) -> Answer {
        self.ask("GET", &self.path(), headers)
    }
    fn ask(&self, method: &str, path: &str, headers: &[&str]) -> Answer {
        self.ask_as(&format!("127.0.0.1:{}", self.port), method, path, headers)
    }
    fn ask_as(&self, host: &str, method: &str, path: &str, headers: &[&str]) -> Answer {
        let mut to = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let more: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
        write!(to, "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n").unwrap();
        let mut all = Vec::new();
        to.read_to_end(&mut all).unwrap();
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        Answer { status: head[9..12].parse().unwrap(), body: all[end + 4..].to_vec(), head }
    }
}

#[test]
fn without_a_range_the_whole_comes() {
    let server = Server::ten();
    let answer = server.get(&[]);
    assert_eq!((answer.status, answer.body.as_slice()), (200, b"0123456789".as_slice()), "the whole");
    let tag = format!("\"{}\"", server.sha256);
    for (name, value) in [
        ("content-length", "10"),
        ("content-type", "video/mp4"),
        ("accept-ranges", "bytes"),
        ("etag", tag.as_str()),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("access-control-allow-origin", ORIGIN),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    assert_eq!(answer.header("content-range"), None, "it is no part");
}

#[test]
fn one_range_gives_its_bytes_and_says_which() {
    let server = Server::ten();
    for (range, body, said) in [
        ("bytes=0-0", "0", "bytes 0-0/10"),
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=9-9", "9", "bytes 9-9/10"),
        // Open: from the seventh on.
        ("bytes=6-", "6789", "bytes 6-9/10"),
        ("bytes=0-", "0123456789", "bytes 0-9/10"),
        // A suffix: the last three; and one that is longer than the file.
        ("bytes=-3", "789", "bytes 7-9/10"),
        ("bytes=-300", "0123456789", "bytes 0-9/10"),
        // An end behind the end is cut.
        ("bytes=8-99999999999999999999", "89", "bytes 8-9/10"),
        ("bytes=8-99", "89", "bytes 8-9/10"),
        // Units are compared without case.
        ("Bytes=1-1", "1", "bytes 1-1/10"),
    ] {
        let answer = server.get(&[&format!("Range: {range}")]);
        assert_eq!(answer.status, 206, "{range} is a part");
        assert_eq!(String::from_utf8_lossy(&answer.body), body, "the bytes of {range}");
        assert_eq!(answer.header("content-range"), Some(said), "which bytes {range} are");
        assert_eq!(answer.header("content-length"), Some(body.len().to_string().as_str()), "how many");
    }
}

#[test]
fn what_names_no_byte_or_several_ranges_is_refused_with_the_length() {
    let server = Server::ten();
    for range in [
        "bytes=10-",
        "bytes=10-20",
        "bytes=-0",
        "bytes=5-2",
        "bytes=0-1,3-4",
        "bytes=0-1, 2-3",
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "bytes=0x1-2",
        "bytes=1.5-2",
        "bytes=+1-2",
        "bytes 1-2",
        "bytes=--3",
    ] {
        let answer = server.get(&[&format!("Range: {range}")]);
        assert_eq!((answer.status, answer.body.len()), (416, 0), "{range} cannot be served");
        assert_eq!(answer.header("content-range"), Some("bytes */10"), "the length is told after {range}");
    }
    let answer = server.get(&["Range: seconds=1-2"]);
    assert_eq!((answer.status, answer.body.len()), (200, 10), "another unit is ignored (RFC 9110, 14.2)");
    let empty = Server::on(|_| ());
    assert_eq!(empty.get(&[]).status, 200, "an empty file is whole");
    let answer = empty.get(&["Range: bytes=0-"]);
    assert_eq!((answer.status, answer.header("content-range")), (416, Some("bytes */0")), "it has no byte");
}

#[test]
fn if_range_keeps_the_range_only_while_the_tag_holds() {
    let server = Server::ten();
    let tag = format!("If-Range: \"{}\"", server.sha256);
    let answer = server.get(&["Range: bytes=2-4", &tag]);
    assert_eq!((answer.status, answer.body.as_slice()), (206, b"234".as_slice()), "it is still that file");
    for other in ["If-Range: \"0000\"", "If-Range: W/\"a1\"", "If-Range: Sat, 29 Oct 1994 19:43:31 GMT"] {
        let answer = server.get(&["Range: bytes=2-4", other]);
        assert_eq!((answer.status, answer.body.len()), (200, 10), "{other} does not hold: the whole comes");
    }
}

#[test]
fn head_says_what_get_would_without_a_body_and_knows_no_range() {
    let server = Server::ten();
    for headers in [&[][..], &["Range: bytes=2-4"][..]] {
        let answer = server.ask("HEAD", &server.path(), headers);
        assert_eq!((answer.status, answer.body.len()), (200, 0), "a range means something for GET alone");
        assert_eq!(answer.header("content-length"), Some("10"), "its length");
        assert_eq!(answer.header("accept-ranges"), Some("bytes"), "that ranges are served");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        assert_eq!(server.ask(method, &server.path(), &[]).status, 405, "{method} is nothing here");
    }
}

#[test]
fn strangers_get_nothing() {
    let server = Server::ten();
    let path = server.path();
    let port = server.port;
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        String::new(),
    ] {
        let answer = server.ask_as(&host, "GET", &path, &[]);
        assert_eq!(
            (answer.status, answer.body.len()),
            (403, 0),
            "{host:?} is not this server (DNS rebinding)"
        );
    }
    assert_eq!(server.ask_as(&format!("localhost:{port}"), "GET", &path, &[]).status, 200, "its other name");
    let sha = &server.sha256;
    for path in [
        format!("/{}/{sha}", "0".repeat(64)),
        format!("/{}/{sha}", &server.token[..63]),
        format!("/{}/{}", server.token, "b2".repeat(32)),
        format!("/{}/{}", server.token, sha.to_uppercase()),
        format!("/{}/{}", server.token, "../".repeat(21)),
        format!("/{}/..%2f..%2fetc%2fpasswd", server.token),
        format!("/{sha}"),
        "/".to_owned(),
    ] {
        let answer = server.ask("GET", &path, &[]);
        assert_eq!((answer.status, answer.body.len()), (404, 0), "{path} is nothing here");
    }
}

#[test]
fn what_is_made_of_a_blob_lies_below_it_behind_the_same_door() {
    let server = Server::ten();
    let path = server.path();
    let answer = server.ask("GET", &format!("{path}/captions.vtt"), &[]);
    assert_eq!((answer.status, answer.body.as_slice()), (200, b"WEBVTT\n".as_slice()), "captions");
    assert_eq!(answer.header("content-type"), Some("text/vtt; charset=utf-8"), "as such");
    assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN), "the page may read them");
    let asked = format!("{path}/spectrogram?from=0&to=1.5&columns=7&rows=3");
    let answer = server.ask("GET", &asked, &[]);
    assert_eq!(
        (answer.status, answer.body.as_slice()),
        (422, b"{\"columns\":7}".as_slice()),
        "why there is none"
    );
    assert_eq!(server.ask("GET", &format!("{path}/spectrogram?from=x"), &[]).status, 400, "no such stretch");
    assert_eq!(server.ask_as("evil.example", "GET", &asked, &[]).status, 403, "a stranger");
    let other = format!("/{}/{}/captions.vtt", server.token, "b2".repeat(32));
    assert_eq!(server.ask("GET", &other, &[]).status, 404, "a blob that the session may not see");
}

#[test]
fn a_seek_in_a_file_over_2_gb_reads_what_is_wanted_and_no_more() {
    const LENGTH: u64 = (2 << 30) + 100;
    let server = Server::on(|file| {
        // Sparse: it takes no room.
        file.set_len(LENGTH).unwrap();
        file.seek(SeekFrom::Start(LENGTH - 8)).unwrap();
        file.write_all(b"the end.").unwrap();
    });
    let answer = server.get(&["Range: bytes=-8"]);
    assert_eq!((answer.status, answer.body.as_slice()), (206, b"the end.".as_slice()), "behind 2^31");
    assert_eq!(
        answer.header("content-range"),
        Some(format!("bytes {}-{}/{LENGTH}", LENGTH - 8, LENGTH - 1).as_str()),
        "64-bit places"
    );
    // A player that seeks hangs up in the middle of an open range; the next one must not wait for the rest.
    for share in 1..=20_u64 {
        let mut to = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        to.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let from = LENGTH * share / 25;
        write!(
            to,
            "GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nRange: bytes={from}-\r\n\r\n",
            server.path(),
            server.port
        )
        .unwrap();
        let mut head = [0_u8; 12];
        to.read_exact(&mut head).unwrap();
        assert_eq!(&head, b"HTTP/1.1 206", "the range from {from}");
    }
    let began = Instant::now();
    assert_eq!(server.get(&["Range: bytes=2000000000-2000000009"]).body.len(), 10, "still there");
    eprintln!("a range after 20 broken ones: {:?}", began.elapsed());
}
