//! The loopback media server: sound and video reach the window over HTTP with ranges, because WebKitGTK cannot play
//! them from any other scheme. It hands out bytes as they are, by hash only, and parses none.
//!
//! Choices: bound to 127.0.0.1 on a free port before the window opens, so that the port can stand in its policy; a
//! token in the path, compared in constant time; the `Host` header checked, so that a name that resolves to 127.0.0.1
//! (DNS rebinding) is refused; a request for several ranges is refused with 416, since no player here sends one and an
//! answer in parts is easy to get wrong. A blob never changes, so its hash is its strong `ETag`. What is worked out from a
//! blob (its spectrogram, its captions) lies one step below it.

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header},
    routing::get,
};
use std::{fs::File, io, net::TcpListener, path::PathBuf, sync::Arc};
use tokio::io::{AsyncReadExt, AsyncSeekExt};

/// Where the bytes come from: the session decides what may be opened.
pub trait BlobSource: Send + Sync + 'static {
    /// The file and its content type, if the session may see the blob.
    fn open(&self, sha256: &str) -> Option<(PathBuf, String)>;
    /// What is worked out from the blob, if the session may see it and there is such a thing.
    fn derived(&self, sha256: &str, what: &Derived) -> Option<Made> {
        let _ = (sha256, what);
        None
    }
}

/// What can be asked for below a blob.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Derived {
    /// `spectrogram?from=SECONDS&to=SECONDS&columns=N&rows=N`.
    Spectrogram(Stretch),
    /// `captions.vtt`.
    Captions,
}

/// Which stretch of a sound, in how much detail.
#[derive(Debug, Clone, Copy, PartialEq, serde::Deserialize)]
pub struct Stretch {
    /// From which second.
    pub from: f64,
    /// To which second.
    pub to: f64,
    /// Columns.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
}

/// The answer to [`BlobSource::derived`].
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    /// Bytes and their content type.
    Bytes(Vec<u8>, &'static str),
    /// The file does not give it: why, as JSON.
    Failed(String),
}

impl<F: Fn(&str) -> Option<(PathBuf, String)> + Send + Sync + 'static> BlobSource for F {
    fn open(&self, sha256: &str) -> Option<(PathBuf, String)> {
        self(sha256)
    }
}

/// A server that is bound and not yet serving.
pub struct Loopback {
    listener: TcpListener,
    port: u16,
    token: String,
}

/// Binds 127.0.0.1 on a free port and makes the token.
pub fn bind() -> io::Result<Loopback> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret).map_err(|e| io::Error::other(e.to_string()))?;
    Ok(Loopback { listener, port, token: hex::encode(secret) })
}

impl Loopback {
    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
    /// `http://127.0.0.1:PORT`: what the window's policy must name.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
    /// What a blob's hash is appended to, without the closing slash: `http://127.0.0.1:PORT/TOKEN`.
    pub fn base(&self) -> String {
        format!("{}/{}", self.origin(), self.token)
    }
    /// Serves until the process ends; to be spawned on a tokio runtime. Pages of `app_origin` may read the bytes.
    pub async fn serve(self, source: Arc<dyn BlobSource>, app_origin: &str) -> io::Result<()> {
        let router = router(source, &self.token, self.port, app_origin);
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        axum::serve(listener, router).await
    }
}

struct Shop {
    source: Arc<dyn BlobSource>,
    token: String,
    hosts: [String; 2],
    app_origin: Option<HeaderValue>,
}

/// The routes: `GET` and `HEAD` of `/TOKEN/SHA256`, with single ranges, and `GET` of what is [`Derived`] below it.
pub fn router(source: Arc<dyn BlobSource>, token: &str, port: u16, app_origin: &str) -> Router {
    let shop = Shop {
        source,
        token: token.to_owned(),
        hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
        app_origin: HeaderValue::from_str(app_origin).ok(),
    };
    Router::new()
        .route("/{token}/{sha256}", get(blob))
        .route("/{token}/{sha256}/spectrogram", get(spectrogram))
        .route("/{token}/{sha256}/captions.vtt", get(captions))
        .with_state(Arc::new(shop))
}

async fn spectrogram(
    State(shop): State<Arc<Shop>>,
    Path(names): Path<(String, String)>,
    Query(stretch): Query<Stretch>,
    headers: HeaderMap,
) -> Response<Body> {
    shop.derived(names, &headers, Derived::Spectrogram(stretch)).await
}

async fn captions(
    State(shop): State<Arc<Shop>>,
    Path(names): Path<(String, String)>,
    headers: HeaderMap,
) -> Response<Body> {
    shop.derived(names, &headers, Derived::Captions).await
}

async fn blob(
    State(shop): State<Arc<Shop>>,
    Path((token, sha256)): Path<(String, String)>,
    method: Method,
    headers: HeaderMap,
) -> Response<Body> {
    if let Some(status) = shop.refuses(&token, &sha256, &headers) {
        return shop.empty(status);
    }
    let tag = format!("\"{sha256}\"");
    let opened = tokio::task::spawn_blocking({
        let source = Arc::clone(&shop.source);
        move || -> Option<(File, u64, String)> {
            let (path, content_type) = source.open(&sha256)?;
            let file = File::open(path).ok()?;
            let length = file.metadata().ok()?.len();
            Some((file, length, content_type))
        }
    })
    .await;
    let Ok(Some((file, length, content_type))) = opened else { return shop.empty(StatusCode::NOT_FOUND) };
    // RFC 9110: `Range` means something for GET alone (14.2), and with `If-Range` only while that still holds (13.1.5).
    let current =
        headers.get(header::IF_RANGE).is_none_or(|validator| validator.as_bytes() == tag.as_bytes());
    let asked = match headers.get(header::RANGE).map(|range| range.to_str().unwrap_or_default()) {
        Some(text) if method == Method::GET && current => range(text, length),
        _ => Range::Whole,
    };
    let (status, start, end) = match asked {
        Range::Whole => (StatusCode::OK, 0, length),
        Range::Part(start, end) => (StatusCode::PARTIAL_CONTENT, start, end),
        Range::Refused => {
            let mut response = shop.empty(StatusCode::RANGE_NOT_SATISFIABLE);
            put(&mut response, header::CONTENT_RANGE, &format!("bytes */{length}"));
            return response;
        }
    };
    let body = if method == Method::HEAD { Body::empty() } else { stream(file, start, end - start) };
    let mut response = shop.with(status, body);
    put(&mut response, header::CONTENT_TYPE, &content_type);
    put(&mut response, header::ETAG, &tag);
    put(&mut response, header::CONTENT_LENGTH, &(end - start).to_string());
    if status == StatusCode::PARTIAL_CONTENT {
        put(&mut response, header::CONTENT_RANGE, &format!("bytes {start}-{}/{length}", end - 1));
    }
    response
}

impl Shop {
    /// The status of a request that is not for this server, not with its token, or for no hash.
    fn refuses(&self, token: &str, sha256: &str, headers: &HeaderMap) -> Option<StatusCode> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if !self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) {
            return Some(StatusCode::FORBIDDEN);
        }
        let known = same(token.as_bytes(), self.token.as_bytes()) && is_hash(sha256);
        (!known).then_some(StatusCode::NOT_FOUND)
    }
    async fn derived(
        &self,
        (token, sha256): (String, String),
        headers: &HeaderMap,
        what: Derived,
    ) -> Response<Body> {
        if let Some(status) = self.refuses(&token, &sha256, headers) {
            return self.empty(status);
        }
        let source = Arc::clone(&self.source);
        let made = tokio::task::spawn_blocking(move || source.derived(&sha256, &what)).await;
        let (status, body, kind) = match made {
            Ok(Some(Made::Bytes(bytes, kind))) => (StatusCode::OK, bytes, kind),
            Ok(Some(Made::Failed(why))) => {
                (StatusCode::UNPROCESSABLE_ENTITY, why.into_bytes(), "application/json")
            }
            _ => return self.empty(StatusCode::NOT_FOUND),
        };
        let mut response = self.with(status, Body::from(body));
        put(&mut response, header::CONTENT_TYPE, kind);
        response
    }
    fn empty(&self, status: StatusCode) -> Response<Body> {
        self.with(status, Body::empty())
    }
    fn with(&self, status: StatusCode, body: Body) -> Response<Body> {
        let mut response = Response::new(body);
        *response.status_mut() = status;
        put(&mut response, header::ACCEPT_RANGES, "bytes");
        put(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        put(&mut response, header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'");
        put(&mut response, header::CACHE_CONTROL, "no-store");
        put(&mut response, header::REFERRER_POLICY, "no-referrer");
        let headers = response.headers_mut();
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
        if let Some(origin) = &self.app_origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(header::VARY, HeaderValue::from_static("Origin"));
            headers.insert(
                header::ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static("Content-Length, Content-Range, Accept-Ranges"),
            );
        }
        response
    }
}

fn put(response: &mut Response<Body>, name: header::HeaderName, value: &str) {
    // A content type that is no header value is left out; nosniff then shows the bytes as nothing.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Equal? In a time that depends on the lengths alone.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0_u8, |differ, (x, y)| differ | (x ^ y)) == 0
}

#[derive(Debug, PartialEq, Eq)]
enum Range {
    Whole,
    /// First byte, and the byte after the last.
    Part(u64, u64),
    Refused,
}

/// RFC 9110, 14.1.2. A unit other than bytes is ignored, as the RFC says; several ranges are refused.
fn range(text: &str, length: u64) -> Range {
    let Some((unit, spec)) = text.split_once('=') else { return Range::Refused };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return Range::Whole;
    }
    let Some((first, last)) = spec.trim().split_once('-') else { return Range::Refused };
    // A number that is too long to count with lies behind the end of any file.
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (start, end) = match (first, last) {
        ("", last) => match number(last) {
            Some(n) => (length.saturating_sub(n), length),
            None => return Range::Refused,
        },
        (first, "") => match number(first) {
            Some(first) => (first, length),
            None => return Range::Refused,
        },
        (first, last) => match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => (first, last.saturating_add(1).min(length)),
            _ => return Range::Refused,
        },
    };
    if start < end { Range::Part(start, end) } else { Range::Refused }
}

/// First byte and the byte after the last of what a `Range` header asks of a file, if it asks for a part.
pub(crate) fn part(text: &str, length: u64) -> Option<(u64, u64)> {
    match range(text, length) {
        Range::Part(start, end) => Some((start, end)),
        Range::Whole | Range::Refused => None,
    }
}

/// The bytes of a range, 256 KiB at a time.
fn stream(file: File, start: u64, length: u64) -> Body {
    let (to, from) = tokio::io::duplex(1 << 18);
    tokio::spawn(async move {
        let mut file = tokio::fs::File::from_std(file);
        let mut to = to;
        if file.seek(io::SeekFrom::Start(start)).await.is_ok() {
            // It fails when the player hangs up, which it does at every seek.
            let _ = tokio::io::copy(&mut file.take(length), &mut to).await;
        }
    });
    Body::new(Reader(from))
}

/// A reader as a body.
struct Reader(tokio::io::DuplexStream);

impl axum::body::HttpBody for Reader {
    type Data = Bytes;
    type Error = io::Error;
    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, io::Error>>> {
        use std::task::Poll;
        let mut bytes = vec![0_u8; 1 << 16];
        let mut buffer = tokio::io::ReadBuf::new(&mut bytes);
        match tokio::io::AsyncRead::poll_read(std::pin::Pin::new(&mut self.0), context, &mut buffer) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Err(error)) => Poll::Ready(Some(Err(error))),
            Poll::Ready(Ok(())) => {
                let n = buffer.filled().len();
                bytes.truncate(n);
                Poll::Ready((n > 0).then(|| Ok(http_body::Frame::data(bytes.into()))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_as_rfc_9110_has_them() {
        assert_eq!(range("bytes=0-0", 10), Range::Part(0, 1), "the first byte");
        assert_eq!(range("bytes=5-", 10), Range::Part(5, 10), "from the sixth on");
        assert_eq!(range("bytes=-3", 10), Range::Part(7, 10), "the last three");
        assert_eq!(range("bytes=-30", 10), Range::Part(0, 10), "a suffix longer than the file is the file");
        assert_eq!(range("bytes=8-99", 10), Range::Part(8, 10), "the end is cut to the file");
        assert_eq!(
            range("bytes=0-18446744073709551615", 10),
            Range::Part(0, 10),
            "the largest number does not wrap"
        );
        for bad in [
            "bytes=10-",
            "bytes=-0",
            "bytes=5-2",
            "bytes=0-1,3-4",
            "bytes=a-b",
            "bytes",
            "bytes=-",
            "bytes=+1-2",
        ] {
            assert_eq!(range(bad, 10), Range::Refused, "{bad} names no byte, or more than one range");
        }
        assert_eq!(range("bytes=0-", 0), Range::Refused, "an empty file has no byte");
        assert_eq!(range("lines=1-2", 10), Range::Whole, "an unknown unit is ignored");
    }
}
