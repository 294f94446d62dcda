//! Paths that strangers wrote. Nothing recorded in a file is ever opened as it stands: an asset's path is rebased by
//! its `*_assets` tail (quirk Q20), an input file's name is checked (MMI-FORMAT 1.1), and what is then joined to a
//! folder must, with every link resolved, still lie in it (Q21).

use std::path::{Path, PathBuf};

/// Why a name or path was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathRefusal {
    /// Nothing is left of it.
    #[error("the name is empty")]
    Empty,
    /// A NUL byte or another control character.
    #[error("the name holds a control character")]
    Control,
    /// POSIX, Windows or UNC.
    #[error("the path is absolute; only names below the folder are taken")]
    Absolute,
    /// `C:`, or a colon anywhere (an NTFS stream).
    #[error("the name holds a drive letter or colon")]
    Drive,
    /// `..` in it, or a link that leads out.
    #[error("the path leaves its folder")]
    Leaves,
    /// There is no regular file of that name.
    #[error("there is no such file")]
    Missing,
}

/// Checks the name of an input file by the rules of MMI-FORMAT 1.1 that need no file system.
pub fn check_input_name(name: &str) -> Result<(), PathRefusal> {
    if name.trim().is_empty() {
        return Err(PathRefusal::Empty);
    }
    if name.chars().any(char::is_control) {
        return Err(PathRefusal::Control);
    }
    if name.starts_with(['/', '\\']) {
        return Err(PathRefusal::Absolute);
    }
    let bytes = name.as_bytes();
    if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' {
        return Err(PathRefusal::Drive);
    }
    if name.split(['/', '\\']).any(|part| part.trim_end_matches(' ') == "..") {
        return Err(PathRefusal::Leaves);
    }
    Ok(())
}

/// The tail of a recorded `local_path`: from the first component that ends in `_assets`, split at `/` and `\`, joined
/// with `/`. None if there is no such component, nothing after it, or anything in it that climbs (quirk Q20).
pub fn asset_tail(local_path: &str) -> Option<String> {
    let parts: Vec<&str> = local_path.split(['/', '\\']).collect();
    let start = parts.iter().position(|part| part.ends_with("_assets"))?;
    let tail: Vec<&str> = parts[start..].iter().copied().filter(|p| !p.is_empty() && *p != ".").collect();
    let sound = tail.len() >= 2
        && tail.iter().all(|part| {
            part.trim_end_matches(' ') != ".." && !part.contains(|c: char| c == ':' || c.is_control())
        });
    sound.then(|| tail.join("/"))
}

/// The regular file `relative` below `folder`, with all links resolved; refused if that lies outside of it.
/// Components are split at `/` only, as both [`asset_tail`] and datasets write them.
pub fn join_within(folder: &Path, relative: &str) -> Result<PathBuf, PathRefusal> {
    check_input_name(relative)?;
    let mut path = folder.to_path_buf();
    for part in relative.split('/').filter(|part| !part.is_empty() && *part != ".") {
        path.push(part);
    }
    let missing = |_| PathRefusal::Missing;
    let home = folder.canonicalize().map_err(missing)?;
    let real = path.canonicalize().map_err(missing)?;
    if real == home || !real.starts_with(&home) {
        return Err(PathRefusal::Leaves);
    }
    if real.metadata().map_err(missing)?.is_file() { Ok(real) } else { Err(PathRefusal::Missing) }
}

/// The folder name that the harness gives to a prompt id (MMI-FORMAT 4); different ids may share one (quirk Q31).
pub fn safe_prompt_folder(prompt_id: &str) -> String {
    let mut safe = String::with_capacity(prompt_id.len());
    for c in prompt_id.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') {
            safe.push(c);
        } else if !safe.ends_with('\u{0}') {
            safe.push('\u{0}'); // one mark for a run of others; a `_` of the id itself must not swallow it
        }
    }
    let safe = safe.replace('\u{0}', "_");
    let safe = safe.trim_matches(['.', '_']);
    if safe.is_empty() { "asset".to_owned() } else { safe.to_owned() }
}
