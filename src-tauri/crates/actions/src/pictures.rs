//! Converted pictures, kept in the app's own cache by the hash of what they stand for: never in a study. A session gets
//! one only through the hash, and only if it may see the original.

use crate::{App, Code, Failure, wire};
use media::{PictureView, PictureWish, worker::Input};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

/// What the cache may hold; when it is full, the oldest go until half of it is free.
const ROOM: u64 = 512 << 20;
/// The folder's name ends in the version of how pictures are converted: another version finds none of this one's.
const FOLDER: &str = "cache/pictures-1";

/// The cache.
pub(crate) struct Pictures {
    folder: PathBuf,
    /// Bytes that were written since the folder was last looked through.
    written: AtomicU64,
}

impl Pictures {
    pub(crate) fn new(data_folder: &Path) -> Self {
        Self { folder: data_folder.join(FOLDER), written: AtomicU64::new(ROOM) }
    }

    /// A converted picture as [`picture`] named it.
    pub(crate) fn path(&self, hash: &str, key: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let path = self.folder.join(hash).join(format!("{key}.png"));
        (key.len() < 100 && key.chars().all(plain) && path.is_file()).then_some(path)
    }

    fn known(&self, hash: &str, key: &str) -> Option<PictureView> {
        let text = fs::read(self.folder.join(hash).join(format!("{key}.json"))).ok()?;
        let view: PictureView = serde_json::from_slice(&text).ok()?;
        (view.original || self.path(hash, key).is_some()).then_some(view)
    }

    /// Keeps a picture. The description is written last, so that a picture without one does not count.
    fn keep(&self, hash: &str, key: &str, view: &PictureView, png: Option<&[u8]>) -> Result<(), Failure> {
        let folder = self.folder.join(hash);
        fs::create_dir_all(&folder)?;
        let write = |end: &str, bytes: &[u8]| -> std::io::Result<()> {
            let begun = folder.join(format!("{key}.{end}.{}", std::process::id()));
            fs::write(&begun, bytes)?;
            fs::rename(&begun, folder.join(format!("{key}.{end}")))
        };
        let bytes = png.unwrap_or_default();
        if png.is_some() {
            write("png", bytes)?;
        }
        let text =
            serde_json::to_vec(view).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        write("json", &text)?;
        let written = self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed) + bytes.len() as u64;
        if written >= ROOM / 4 {
            self.written.store(0, Ordering::Relaxed);
            make_room(&self.folder);
        }
        Ok(())
    }
}

/// Deletes the pictures that were made longest ago, if the cache holds more than [`ROOM`]. What cannot be deleted now
/// will be the next time.
fn make_room(folder: &Path) {
    let files =
        |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all: Vec<(SystemTime, u64, PathBuf)> = files(folder)
        .flat_map(|inner| files(&inner).collect::<Vec<_>>())
        .filter_map(|path| {
            let found = path.metadata().ok()?;
            Some((found.modified().ok()?, found.len(), path))
        })
        .collect();
    let mut total: u64 = all.iter().map(|(_, bytes, _)| bytes).sum();
    if total <= ROOM {
        return;
    }
    all.sort();
    for (_, bytes, path) in all {
        if total <= ROOM / 2 {
            break;
        }
        if fs::remove_file(&path).is_ok() {
            total -= bytes;
        }
    }
}

/// The name of what is wished: letters, digits and dashes.
fn key_of(wish: PictureWish) -> String {
    let frame = wish.frame.map_or_else(|| "all".to_owned(), |frame| format!("f{frame}"));
    let part = wish
        .part
        .map_or_else(String::new, |part| format!("-{}-{}-{}-{}", part.x, part.y, part.width, part.height));
    let forced = if wish.convert { "-png" } else { "" };
    format!("{frame}{part}{forced}")
}

/// How a picture is shown; converts it if it must be and was not yet.
pub(crate) fn picture(app: &App, request: &wire::PictureRequest, path: PathBuf) -> wire::PictureReply {
    let (hash, key) = (request.blob.to_string(), key_of(request.wish));
    if let Some(view) = app.pictures.known(&hash, &key) {
        return reply(view, key);
    }
    match media::picture(&app.pool, Input::Path(path), request.wish) {
        Ok((view, png)) => match app.pictures.keep(&hash, &key, &view, png.as_deref()) {
            Ok(()) => reply(view, key),
            // Without a cache what the web view shows itself can still be shown.
            Err(_) if view.original => reply(view, key),
            Err(failure) => failed("no_cache", failure.message),
        },
        Err(failure) => {
            let failure = crate::handlers::asset_failure(&failure);
            failed(&failure.code, failure.message)
        }
    }
}

fn reply(view: PictureView, key: String) -> wire::PictureReply {
    let key = (!view.original).then_some(key);
    wire::PictureReply { view: Some(view), key, failure: None }
}

fn failed(code: &str, message: String) -> wire::PictureReply {
    let failure = wire::AssetFailure { code: code.to_owned(), message };
    wire::PictureReply { view: None, key: None, failure: Some(failure) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_but_to_a_kept_picture() {
        let data = tempfile::tempdir().expect("a folder");
        let pictures = Pictures::new(data.path());
        let view = PictureView {
            original: false,
            width: Some(2),
            height: Some(1),
            scaled: false,
            pages: 1,
            delays_ms: Vec::new(),
        };
        pictures.keep("ab", "all", &view, Some(b"png")).expect("it is kept");
        assert_eq!(pictures.known("ab", "all"), Some(view), "what was kept is known");
        let path = pictures.path("ab", "all").expect("its file is there");
        assert_eq!(fs::read(path).expect("it reads"), b"png", "with the bytes that were given");
        fs::write(data.path().join("secret.png"), "x").expect("another file");
        for wrong in ["../../../secret", "other", "ALL", "all.png", ""] {
            assert_eq!(pictures.path("ab", wrong), None, "{wrong} names no kept picture");
        }
        let part = media::Part { x: 1, y: 2, width: 3, height: 4 };
        let wish = PictureWish { frame: Some(5), part: Some(part), convert: true };
        assert_eq!(key_of(wish), "f5-1-2-3-4-png", "each part of a wish is in the name");
    }
}
