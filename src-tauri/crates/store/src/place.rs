//! Where a study lies. SQLite loses data on network file systems, so they are refused; a folder that a cloud
//! client synchronises can be copied half-written, so it is warned of.
//!
//! The mount table is read, not `statfs`: only it tells `fuse.sshfs` from a harmless local FUSE file system.

use crate::{Result, StoreError};
use std::path::{Path, PathBuf};

/// File systems on which locks or shared memory cannot be relied on.
const NETWORK: [&str; 20] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb",
    "smb2",
    "smb3",
    "smbfs",
    "afs",
    "ncpfs",
    "9p",
    "ceph",
    "glusterfs",
    "davfs",
    "fuse.sshfs",
    "fuse.davfs2",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.gvfsd-fuse",
    "fuse.glusterfs",
    "fuse.ceph",
];
/// Folder names that cloud clients use.
const SYNCED: [&str; 9] = [
    "dropbox",
    "onedrive",
    "google drive",
    "googledrive",
    "my drive",
    "icloud drive",
    "mobile documents",
    "nextcloud",
    "owncloud",
];

/// Refuses a network file system. `path` need not exist yet.
pub(crate) fn refuse_network(path: &Path) -> Result<()> {
    // No mount table (other systems): nothing can be said, so nothing is refused.
    let Ok(mounts) = std::fs::read_to_string("/proc/self/mountinfo") else { return Ok(()) };
    let absolute = std::path::absolute(path).map_err(StoreError::io(path))?;
    let existing = absolute.ancestors().find_map(|a| a.canonicalize().ok()).unwrap_or(absolute);
    match filesystem_of(&existing, &mounts) {
        Some(kind) if NETWORK.contains(&kind.as_str()) => {
            Err(StoreError::NetworkFolder { path: path.to_owned(), filesystem: kind })
        }
        _ => Ok(()),
    }
}

/// The type of the file system that holds `path`, by the longest mount point; the later of equal ones covers.
fn filesystem_of(path: &Path, mountinfo: &str) -> Option<String> {
    let mut best: Option<(usize, String)> = None;
    for line in mountinfo.lines() {
        let Some((left, right)) = line.split_once(" - ") else { continue };
        let (Some(point), Some(kind)) = (left.split(' ').nth(4), right.split(' ').next()) else { continue };
        let point = PathBuf::from(unescape(point));
        let depth = point.components().count();
        if path.starts_with(&point) && best.as_ref().is_none_or(|(deepest, _)| depth >= *deepest) {
            best = Some((depth, kind.to_owned()));
        }
    }
    best.map(|(_, kind)| kind)
}

/// The mount table writes space, tab, newline and backslash as three octal digits.
fn unescape(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(text.to_owned(), |text, (code, plain)| text.replace(code, plain))
}

/// The folder above `path` that looks like a cloud client's, if any.
pub(crate) fn synced_by(path: &Path) -> Option<String> {
    let absolute = std::path::absolute(path).ok()?;
    absolute.components().find_map(|part| {
        let name = part.as_os_str().to_string_lossy();
        let lower = name.to_lowercase();
        let is = |s: &str| lower.strip_prefix(s).is_some_and(|r| r.is_empty() || r.starts_with([' ', '-']));
        SYNCED.into_iter().any(is).then(|| name.into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:30 / /mnt/team\\040share rw - nfs4 server:/share rw
41 22 0:31 / /mnt/remote rw - fuse.sshfs me@host: rw
42 41 8:2 / /mnt/remote/local rw shared:9 - xfs /dev/sdb1 rw
";

    #[test]
    fn the_deepest_mount_point_decides() {
        let of = |p: &str| filesystem_of(Path::new(p), MOUNTS).expect("the root mount covers everything");
        assert_eq!(of("/home/x/study.assize"), "ext4", "only the root covers it");
        assert_eq!(of("/mnt/team share/s.assize"), "nfs4", "a space in the mount point is written as \\040");
        assert_eq!(of("/mnt/team"), "ext4", "a name that only begins alike is not below the mount");
        assert_eq!(of("/mnt/remote/s"), "fuse.sshfs", "FUSE is told apart by its subtype");
        assert_eq!(of("/mnt/remote/local/s"), "xfs", "a local disk mounted inside a network folder is local");
    }

    #[test]
    fn synced_folders_are_named() {
        assert_eq!(
            synced_by(Path::new("/home/x/Dropbox/s.assize")).as_deref(),
            Some("Dropbox"),
            "Dropbox's folder"
        );
        assert_eq!(
            synced_by(Path::new("/home/x/OneDrive - University/s")).as_deref(),
            Some("OneDrive - University"),
            "OneDrive adds the organisation"
        );
        assert_eq!(
            synced_by(Path::new("/home/x/dropboxes/s")),
            None,
            "another word that begins alike is fine"
        );
    }
}
