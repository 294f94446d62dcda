//! The loopback media server of a host: sound and video by hash, as the open session may see them.

use crate::{App, Code, Failure, handlers};
use media::serve::{BlobSource, Derived, Loopback, Made};
use std::{path::PathBuf, sync::Arc};

/// A server that has its port and waits to be run.
pub struct MediaServer {
    loopback: Loopback,
    app: Arc<App>,
}

struct Session(Arc<App>);

impl BlobSource for Session {
    fn open(&self, sha256: &str) -> Option<(PathBuf, String)> {
        self.0.blob(sha256)
    }
    fn derived(&self, sha256: &str, what: &Derived) -> Option<Made> {
        handlers::derived(&self.0, sha256, what)
    }
}

/// Takes a free port, so that it can be named in the page's policy, and tells the app where media come from.
pub fn serve_media(app: &Arc<App>) -> Result<MediaServer, Failure> {
    let loopback =
        media::serve::bind().map_err(|error| Failure::from(error).about("the loopback media server"))?;
    app.set_media_base(loopback.base());
    Ok(MediaServer { loopback, app: Arc::clone(app) })
}

impl MediaServer {
    /// Its port.
    pub fn port(&self) -> u16 {
        self.loopback.port()
    }
    /// Serves on this thread until the process ends.
    pub fn run(self) -> Result<(), Failure> {
        let origin = self.app.page_origin().to_owned();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime
            .block_on(self.loopback.serve(Arc::new(Session(self.app)), &origin))
            .map_err(|error| Failure::new(Code::Internal, format!("the loopback media server: {error}")))
    }
}

/// A token that cannot be guessed.
pub fn random_token() -> Result<String, Failure> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
    Ok(hex::encode(bytes))
}
