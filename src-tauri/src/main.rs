//! The window of Assize. No rule lives here: one thin line per command, made from the command table; the app's own
//! scheme for pictures and documents; the loopback server for sound and video, which WebKitGTK cannot take from a
//! scheme; folder dialogs from Rust, so that no plug-in is open to JavaScript.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod policy;
mod single;

use actions::{
    App, Failure, Settings,
    wire::{ChooseFilesRequest, FileWish},
};
use std::{path::PathBuf, process::ExitCode, sync::Arc};
use tauri::{Emitter, Manager, WebviewUrl, WebviewWindowBuilder, http};

/// `assize-desktop [STUDY or PACKAGE] [--as PERSON --role ROLE] [--demo]`.
#[derive(Default)]
struct Args {
    study: Option<String>,
    person: Option<String>,
    role: Option<String>,
    demo: bool,
}

fn args() -> Args {
    let mut out = Args::default();
    let mut all = std::env::args().skip(1);
    while let Some(word) = all.next() {
        match word.as_str() {
            "--as" => out.person = all.next(),
            "--role" => out.role = all.next(),
            "--demo" => out.demo = true,
            _ if word.starts_with('-') => {}
            _ => out.study = Some(word),
        }
    }
    out
}

/// The command-line twin, whose `worker` parses what is not trusted: it lies beside this program.
fn worker() -> PathBuf {
    let name = if cfg!(windows) { "assize.exe" } else { "assize" };
    std::env::current_exe()
        .ok()
        .and_then(|here| Some(here.parent()?.join(name)))
        .unwrap_or_else(|| name.into())
}

/// The demo's source: beside the installed program, or in the source tree of a development build.
fn demo(context: &tauri::Context) -> Option<PathBuf> {
    let installed =
        tauri::utils::platform::resource_dir(context.package_info(), &tauri::utils::Env::default())
            .ok()
            .map(|folder| folder.join("demo"));
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/demo");
    installed.into_iter().chain([source]).find(|folder| folder.join("dataset.jsonl").is_file())
}

fn serve_media(app: &Arc<App>) -> Result<u16, Failure> {
    let bound = actions::serve_media(app)?;
    let port = bound.port();
    std::thread::Builder::new().name("media".to_owned()).spawn(move || bound.run())?;
    Ok(port)
}

/// Pictures and documents by hash: what the session may see, with a policy under which nothing in it runs.
fn blob(app: &App, request: &http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
    let hash = request.uri().path().trim_start_matches('/');
    let found = app.blob(hash).and_then(|(path, kind)| Some((std::fs::read(path).ok()?, kind)));
    let (status, body, kind) = match found {
        Some((bytes, kind)) => (200, bytes, kind),
        None => (404, Vec::new(), "text/plain".to_owned()),
    };
    http::Response::builder()
        .status(status)
        .header("Content-Type", kind)
        .header("X-Content-Type-Options", "nosniff")
        .header(
            "Content-Security-Policy",
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
        )
        .header("Access-Control-Allow-Origin", "tauri://localhost")
        .body(body)
        .unwrap_or_default()
}

/// Asks for packages with the system's dialog.
fn choose_files(handle: &tauri::AppHandle, request: &ChooseFilesRequest) -> Vec<PathBuf> {
    use tauri_plugin_dialog::DialogExt;
    let dialog = handle.dialog().file().add_filter("Assize", &["assizepack"]);
    let picked = match request.wish {
        FileWish::Package => dialog.blocking_pick_file().into_iter().collect(),
        FileWish::Packages => dialog.blocking_pick_files().unwrap_or_default(),
        FileWish::SavePackage => {
            dialog.set_file_name(&request.name).blocking_save_file().into_iter().collect()
        }
    };
    picked.into_iter().filter_map(|file| file.into_path().ok()).collect()
}

/// Another start of the app hands over what it was to open: the window comes forward, and the page asks for the file.
fn come_forward(handle: &tauri::AppHandle, app: &App, path: Option<PathBuf>) {
    if let Some(path) = path {
        app.ask_for(path);
        // When the page is not there yet, it asks as it starts.
        let _ = handle.emit("file-to-open", ());
    }
    if let Some(window) = handle.get_webview_window("main") {
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    policy::avoid_blank_window();
    let args = args();
    let data_folder = actions::default_data_folder();
    // Who names a person wants a window of their own; everybody else gets the one that is open.
    let first = if args.person.is_none() { single::start(&data_folder, args.study.as_deref()) } else { None };
    if matches!(first, Some(single::Start::HandedOver)) {
        return Ok(());
    }
    let mut context = tauri::generate_context!();
    let app = Arc::new(App::new(Settings {
        data_folder,
        demo_source: demo(&context),
        worker: worker(),
        start_with_demo: args.demo,
    }));
    let port = serve_media(&app)?;
    policy::set(context.config_mut(), port);
    if let Some(study) = args.study {
        app.start_with(&study, args.person.as_deref(), args.role.as_deref())?;
    }
    let blobs = Arc::clone(&app);
    let closing = Arc::clone(&app);
    let chooser = Arc::clone(&app);
    let asked = Arc::clone(&app);
    app.set_opener(Box::new(|url| open::that_detached(url).map_err(|error| error.to_string())));
    tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(app)
        .register_uri_scheme_protocol("assize-blob", move |_, request| blob(&blobs, &request))
        .invoke_handler(commands::handler())
        .setup(move |shell| {
            let handle = shell.handle().clone();
            chooser.set_chooser(Box::new(move || {
                use tauri_plugin_dialog::DialogExt;
                handle.dialog().file().blocking_pick_folder().and_then(|picked| picked.into_path().ok())
            }));
            let handle = shell.handle().clone();
            chooser.set_file_chooser(Box::new(move |request| choose_files(&handle, request)));
            if let Some(single::Start::First(inbox)) = first {
                let handle = shell.handle().clone();
                inbox.listen(move |path| come_forward(&handle, &asked, path));
            }
            WebviewWindowBuilder::new(shell, "main", WebviewUrl::App("index.html".into()))
                .title("Assize")
                .inner_size(1400.0, 900.0)
                .min_inner_size(800.0, 560.0)
                .on_navigation(|url| url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost"))
                .build()?;
            Ok(())
        })
        .build(context)?
        .run(move |_, event| {
            if let tauri::RunEvent::Exit = event {
                closing.close();
            }
        });
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("assize-desktop: {error}");
            ExitCode::FAILURE
        }
    }
}
