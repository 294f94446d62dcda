//! The HTTP twin of the window: the built pages, `POST /api/<command>`, and blobs, on 127.0.0.1 behind a token. It
//! stands for the window in browser tests; nobody else's browser can use it, since it wants the token that it
//! prints and answers only to its own host name.

use actions::{App, Code, Failure, Settings};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, Path as UrlPath, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use clap::Args;
use std::{
    net::Ipv4Addr,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

/// Arguments of `cargo dev serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// Port; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The token; a random one if none.
    #[arg(long)]
    token: Option<String>,
    /// Where device key and recent studies are kept.
    #[arg(long)]
    data: Option<PathBuf>,
    /// The command-line program, whose worker is used.
    #[arg(long)]
    worker: Option<PathBuf>,
    /// The built pages.
    #[arg(long)]
    ui: Option<PathBuf>,
    /// Open this study.
    #[arg(long)]
    study: Option<String>,
    /// Begin a session as this person.
    #[arg(long = "as")]
    person: Option<String>,
    /// In this role.
    #[arg(long)]
    role: Option<String>,
}

struct Host {
    app: Arc<App>,
    token: String,
    ui: PathBuf,
    port: u16,
    policy: String,
}

/// Serves until the process is told to stop. Prints one line with the address, port and token.
pub fn serve(args: &ServeArgs) -> Result<(), String> {
    let root = crate::root();
    let ui = args.ui.clone().unwrap_or_else(|| root.join("ui/dist"));
    if !ui.join("index.html").is_file() {
        return Err(format!(
            "{}: no built pages are here: run `npm ci && npm run build` in ui",
            ui.display()
        ));
    }
    let beside = std::env::current_exe().ok().and_then(|here| Some(here.parent()?.join("assize")));
    let app = Arc::new(App::new(Settings {
        data_folder: args.data.clone().unwrap_or_else(actions::default_data_folder),
        demo_source: Some(root.join("assets/demo")),
        worker: args.worker.clone().or(beside).unwrap_or_else(|| "assize".into()),
        start_with_demo: false,
    }));
    let media = actions::serve_media(&app).map_err(|failure| failure.message)?;
    let media_port = media.port();
    if let Some(study) = &args.study {
        app.start_with(study, args.person.as_deref(), args.role.as_deref())
            .map_err(|failure| failure.message)?;
    }
    let token = match &args.token {
        Some(token) => token.clone(),
        None => actions::random_token().map_err(|failure| failure.message)?,
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let closing = Arc::clone(&app);
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
            .await
            .map_err(|error| format!("127.0.0.1:{}: {error}", args.port))?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; \
             img-src 'self' data: blob:; media-src 'self' http://127.0.0.1:{media_port}; worker-src 'self'; \
             connect-src 'self' http://127.0.0.1:{media_port}; frame-src 'self'; base-uri 'none'; \
             form-action 'none'; object-src 'none'; frame-ancestors 'none'"
        );
        // Before the media server runs: it lets pages of this origin read what it serves.
        app.set_page_origin(&format!("http://127.0.0.1:{port}"));
        std::thread::spawn(move || media.run());
        println!("http://127.0.0.1:{port}/#token={token}");
        let host = Arc::new(Host { app, token, ui, port, policy });
        let router = Router::new()
            .route("/api/{command}", post(command))
            .route("/blob/{token}/{hash}", get(blob))
            .fallback(get(page))
            .layer(DefaultBodyLimit::max(64 << 20))
            .layer(middleware::from_fn_with_state(Arc::clone(&host), only_own_name))
            .with_state(host);
        axum::serve(listener, router)
            .with_graceful_shutdown(stopped())
            .await
            .map_err(|error| error.to_string())
    })?;
    closing.close();
    Ok(())
}

async fn stopped() {
    #[cfg(unix)]
    {
        let term = async {
            if let Ok(mut signal) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
            {
                signal.recv().await;
            }
        };
        tokio::select! { () = term => {}, _ = tokio::signal::ctrl_c() => {} }
    }
    #[cfg(not(unix))]
    let _ = tokio::signal::ctrl_c().await;
}

/// A page of another site that guesses the port still does not have the name.
async fn only_own_name(State(host): State<Arc<Host>>, request: Request, next: Next) -> Response {
    let named = request.headers().get(header::HOST).and_then(|name| name.to_str().ok()).unwrap_or_default();
    if named == format!("127.0.0.1:{}", host.port) || named == format!("localhost:{}", host.port) {
        next.run(request).await
    } else {
        StatusCode::FORBIDDEN.into_response()
    }
}

fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (x, y)| differs | (x ^ y)) == 0
}

async fn command(
    State(host): State<Arc<Host>>,
    UrlPath(name): UrlPath<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let token = headers.get("X-Assize-Token").and_then(|token| token.to_str().ok()).unwrap_or_default();
    if !same(token, &host.token) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let app = Arc::clone(&host.app);
    let done = tokio::task::spawn_blocking(move || {
        actions::dispatch(&app, &name, if body.is_empty() { b"{}" } else { &body })
    })
    .await
    .unwrap_or_else(|error| Err(Failure::new(Code::Internal, error.to_string())));
    let (status, text) = match done {
        Ok(reply) => (StatusCode::OK, reply.to_string()),
        Err(failure) => (StatusCode::BAD_REQUEST, serde_json::to_string(&failure).unwrap_or_default()),
    };
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn blob(State(host): State<Arc<Host>>, UrlPath((token, hash)): UrlPath<(String, String)>) -> Response {
    if !same(&token, &host.token) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let app = Arc::clone(&host.app);
    let read = tokio::task::spawn_blocking(move || {
        let (path, kind) = app.blob(&hash)?;
        Some((std::fs::read(path).ok()?, kind))
    })
    .await;
    let Ok(Some((bytes, kind))) = read else { return StatusCode::NOT_FOUND.into_response() };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_str(&kind).unwrap_or(HeaderValue::from_static("application/octet-stream")),
    );
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"),
    );
    response
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|end| end.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

async fn page(State(host): State<Arc<Host>>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let Ok(bytes) = tokio::fs::read(host.ui.join(path)).await else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Ok(policy) = HeaderValue::from_str(&host.policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
