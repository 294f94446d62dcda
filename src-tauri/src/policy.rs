//! What the page may load, and the one workaround that some machines need.

use tauri::utils::config::{Config, Csp};

/// Sets the content security policy, with the media server's exact port in it.
pub fn set(config: &mut Config, port: u16) {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; \
         img-src 'self' data: blob: assize-blob: http://assize-blob.localhost; \
         media-src 'self' http://127.0.0.1:{port}; worker-src 'self'; frame-src 'self'; \
         connect-src 'self' ipc: http://ipc.localhost assize-blob: http://assize-blob.localhost http://127.0.0.1:{port}; \
         base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'"
    );
    config.app.security.csp = Some(Csp::Policy(policy.clone()));
    config.app.security.dev_csp = Some(Csp::Policy(policy));
}

/// WebKitGTK shows a blank window with DMABUF on NVIDIA drivers. Set before any thread starts;
/// `ASSIZE_KEEP_DMABUF=1` overrides.
pub fn avoid_blank_window() {
    const NAME: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    let nvidia = std::path::Path::new("/proc/driver/nvidia/version").exists();
    if nvidia && std::env::var_os(NAME).is_none() && std::env::var_os("ASSIZE_KEEP_DMABUF").is_none() {
        eprintln!(
            "assize-desktop: NVIDIA driver found, DMABUF rendering switched off (ASSIZE_KEEP_DMABUF=1 keeps it)"
        );
        // SAFETY: called first in `main`, before any other thread exists.
        #[allow(unsafe_code, reason = "edition 2024 marks set_var unsafe; no thread is running yet")]
        unsafe {
            std::env::set_var(NAME, "1");
        }
    }
}
