//! Can the web view play? On Linux it plays through GStreamer's plug-ins, which distributions split over packages; where
//! one is missing WebKitGTK goes silent or ends. The files are looked for, nothing is loaded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A package that is missing, and what cannot be played without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissingPlugins {
    /// The Debian package.
    pub package: String,
    /// What does not play, in a few words.
    pub what: Vec<String>,
}

/// Plug-in, its package in Debian 12, and what it is needed for.
const NEEDED: [(&str, &str, &str); 19] = [
    ("app", "gstreamer1.0-plugins-base", "all sound and video"),
    ("playback", "gstreamer1.0-plugins-base", "all sound and video"),
    ("audioconvert", "gstreamer1.0-plugins-base", "all sound"),
    ("audioresample", "gstreamer1.0-plugins-base", "all sound"),
    ("typefindfunctions", "gstreamer1.0-plugins-base", "all sound and video"),
    ("ogg", "gstreamer1.0-plugins-base", "Ogg"),
    ("vorbis", "gstreamer1.0-plugins-base", "Vorbis"),
    ("opus", "gstreamer1.0-plugins-base", "Opus"),
    ("autodetect", "gstreamer1.0-plugins-good", "all sound"),
    ("audioparsers", "gstreamer1.0-plugins-good", "MP3, FLAC and AAC"),
    ("mpg123", "gstreamer1.0-plugins-good", "MP3"),
    ("flac", "gstreamer1.0-plugins-good", "FLAC"),
    ("wavparse", "gstreamer1.0-plugins-good", "WAV"),
    ("isomp4", "gstreamer1.0-plugins-good", "MP4 and M4A"),
    ("matroska", "gstreamer1.0-plugins-good", "WebM"),
    ("vpx", "gstreamer1.0-plugins-good", "VP8 and VP9"),
    ("videoparsersbad", "gstreamer1.0-plugins-bad", "H.264, HEVC and AV1"),
    ("aom", "gstreamer1.0-plugins-bad", "AV1"),
    ("libav", "gstreamer1.0-libav", "H.264, HEVC and AAC"),
];

/// What is missing on this machine; nothing where GStreamer is not what plays, or where its folder is not found.
pub fn missing() -> Vec<MissingPlugins> {
    if cfg!(target_os = "linux") { missing_in(&folders()) } else { Vec::new() }
}

/// What is missing in these folders.
pub fn missing_in(folders: &[PathBuf]) -> Vec<MissingPlugins> {
    let mut missing: Vec<MissingPlugins> = Vec::new();
    if !folders.iter().any(|folder| folder.is_dir()) {
        return missing;
    }
    for (plugin, package, what) in NEEDED {
        let file = format!("libgst{plugin}.so");
        if folders.iter().any(|folder| folder.join(&file).is_file()) {
            continue;
        }
        let at = missing.iter().position(|known| known.package == package).unwrap_or_else(|| {
            missing.push(MissingPlugins { package: package.to_owned(), what: Vec::new() });
            missing.len() - 1
        });
        if !missing[at].what.iter().any(|known| known == what) {
            missing[at].what.push(what.to_owned());
        }
    }
    missing
}

/// Where GStreamer looks: the folders of its variables, and the system's unless a variable replaces it.
fn folders() -> Vec<PathBuf> {
    let named = |names: [&str; 2]| names.into_iter().find_map(std::env::var_os);
    let mut all: Vec<PathBuf> = Vec::new();
    if let Some(paths) = named(["GST_PLUGIN_PATH_1_0", "GST_PLUGIN_PATH"]) {
        all.extend(std::env::split_paths(&paths));
    }
    if let Some(paths) = named(["GST_PLUGIN_SYSTEM_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH"]) {
        all.extend(std::env::split_paths(&paths));
        return all;
    }
    let triplet = format!("/usr/lib/{}-linux-gnu/gstreamer-1.0", std::env::consts::ARCH);
    all.extend(
        [triplet.as_str(), "/usr/lib64/gstreamer-1.0", "/usr/lib/gstreamer-1.0"]
            .map(|p| Path::new(p).to_owned()),
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_plugin_names_its_package_once() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        for (plugin, _, _) in NEEDED {
            std::fs::write(folder.path().join(format!("libgst{plugin}.so")), "").unwrap();
        }
        assert_eq!(missing_in(&folders), [], "all are there");
        for plugin in ["libav", "vpx", "matroska"] {
            std::fs::remove_file(folder.path().join(format!("libgst{plugin}.so"))).unwrap();
        }
        let packages: Vec<_> =
            missing_in(&folders).into_iter().map(|m| (m.package, m.what.join(", "))).collect();
        assert_eq!(
            packages,
            [
                ("gstreamer1.0-plugins-good".to_owned(), "WebM, VP8 and VP9".to_owned()),
                ("gstreamer1.0-libav".to_owned(), "H.264, HEVC and AAC".to_owned())
            ],
            "each package once, with all that it is needed for"
        );
        assert_eq!(missing_in(&[folder.path().join("nowhere")]), [], "no folder, no opinion");
    }
}
