//! Blobs: every asset once, named by the SHA-256 of its bytes, in `blobs/ab/abcdef…`.
//!
//! A blob is on disk and synced before any row names it: `put` writes and syncs the file under a temporary name
//! and renames it; [`Blobs::flush`] syncs the folders, and the import calls it before its first commit of a
//! chunk (one sync per folder and chunk, not one per blob). Large files are linked, so that a run of 100 GB is
//! not stored twice; the copy of a small one shares its extents where the file system can (`copy_file_range`).
//! A linked file that somebody edits in place afterwards no longer has its hash; `check` finds it.

use crate::{Result, StoreError};
use domain::BlobHash;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// From this size on a file is hard-linked instead of copied, where the file system can.
pub const LINK_FROM_BYTES: u64 = 16 << 20;

const TEMPORARY: &str = ".part-";
/// The time that every copied blob says it was written at: the first second of the year 2000.
const EVERY_BLOB: Duration = Duration::from_hours(262_968);

/// The blobs of one study. Clones share what is still to be synced.
#[derive(Debug, Clone)]
pub struct Blobs {
    root: PathBuf,
    unsynced: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Blobs {
    /// The blobs of the study at `study`.
    pub(crate) fn of(study: &Path) -> Self {
        Self { root: study.join("blobs"), unsynced: Arc::default() }
    }

    /// Where a blob is, or would be. Built from the hash alone, never from an imported name.
    pub fn path(&self, hash: &BlobHash) -> PathBuf {
        below(&self.root, hash)
    }

    /// Is the blob here?
    pub fn exists(&self, hash: &BlobHash) -> bool {
        self.path(hash).is_file()
    }

    /// Opens a blob for reading. Whether the session may read it is the view's question (`may_read`).
    pub fn open(&self, hash: &BlobHash) -> Result<File> {
        let path = self.path(hash);
        File::open(&path).map_err(|source| StoreError::io(&path)(source))
    }

    /// Size of a blob in bytes; none when it is not here.
    pub fn size(&self, hash: &BlobHash) -> Option<u64> {
        fs::metadata(self.path(hash)).ok().filter(fs::Metadata::is_file).map(|m| m.len())
    }

    /// Stores what `reader` gives and answers with its hash and size. What is here already is not written again.
    pub fn put(&self, reader: &mut dyn Read) -> Result<(BlobHash, u64)> {
        let part = self.part()?;
        let stored = Self::write_part(&part, reader).and_then(|(hash, bytes)| {
            self.settle(&part, &hash)?;
            Ok((hash, bytes))
        });
        discard(&part);
        stored
    }

    /// Stores the file at `path`: linked when it is large, copied when it is small or cannot be linked. `path`
    /// must be a plain file; whether it may be read at all is the importer's question.
    pub fn put_file(&self, path: &Path) -> Result<(BlobHash, u64)> {
        let fail = |source| StoreError::io(path)(source);
        let meta = fs::symlink_metadata(path).map_err(fail)?;
        if !meta.is_file() {
            return Err(fail(std::io::Error::other("not a plain file")));
        }
        if meta.len() >= LINK_FROM_BYTES {
            let part = self.part()?;
            if fs::hard_link(path, &part).is_ok() {
                // Hashed through the link, so that the name given may be swapped without harm.
                let stored = hash_file(&part).and_then(|(hash, bytes)| {
                    self.settle(&part, &hash)?;
                    Ok((hash, bytes))
                });
                discard(&part);
                return stored;
            }
        }
        self.put(&mut File::open(path).map_err(fail)?)
    }

    /// Syncs the folders that got new blobs since the last call. After it every blob put so far outlives a loss
    /// of power; rows that name them may be written.
    pub fn flush(&self) -> Result<()> {
        let mut unsynced = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in unsynced.iter() {
            sync_folder(folder)?;
        }
        unsynced.clear();
        Ok(())
    }

    /// Does the blob still have its hash? An error when it is not here.
    pub fn verify(&self, hash: &BlobHash) -> Result<bool> {
        Ok(hash_file(&self.path(hash))?.0 == *hash)
    }

    /// The hashes of all blobs on disk, folder by folder; other files are passed over.
    pub fn all(&self) -> impl Iterator<Item = BlobHash> + use<> {
        walkdir::WalkDir::new(&self.root)
            .min_depth(2)
            .max_depth(2)
            .follow_links(false)
            .into_iter()
            .filter_map(std::result::Result::ok)
            .filter(|entry| entry.file_type().is_file())
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
    }

    /// A fresh temporary path inside the blobs folder (same file system as the blobs themselves).
    fn part(&self) -> Result<PathBuf> {
        if !self.root.is_dir() {
            fs::create_dir_all(&self.root).map_err(|source| StoreError::io(&self.root)(source))?;
        }
        let mut random = [0_u8; 8];
        getrandom::fill(&mut random)
            .map_err(|e| StoreError::io(&self.root)(std::io::Error::other(e.to_string())))?;
        Ok(self.root.join(format!("{TEMPORARY}{}", hex::encode(random))))
    }

    fn write_part(part: &Path, reader: &mut dyn Read) -> Result<(BlobHash, u64)> {
        let fail = |source| StoreError::io(part)(source);
        let mut file = File::create_new(part).map_err(fail)?;
        let (mut hasher, mut bytes, mut buffer) = (Sha256::new(), 0_u64, vec![0_u8; 1 << 16]);
        loop {
            let n = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(fail(e)),
            };
            hasher.update(&buffer[..n]);
            file.write_all(&buffer[..n]).map_err(fail)?;
            bytes += n as u64;
        }
        // When it was written would tell one run's files from another's.
        file.set_modified(SystemTime::UNIX_EPOCH + EVERY_BLOB).map_err(fail)?;
        file.sync_all().map_err(fail)?;
        Ok((BlobHash::from_bytes(hasher.finalize().into()), bytes))
    }

    /// Gives the temporary file its final name, unless the blob is here already.
    fn settle(&self, part: &Path, hash: &BlobHash) -> Result<()> {
        let path = self.path(hash);
        if path.is_file() {
            return Ok(());
        }
        let fail = |source| StoreError::io(&path)(source);
        File::open(part).and_then(|f| f.sync_all()).map_err(fail)?;
        let (mut fresh, folder) = (false, path.parent().unwrap_or(&self.root).to_owned());
        if !folder.is_dir() {
            fs::create_dir_all(&folder).map_err(fail)?;
            fresh = true;
        }
        fs::rename(part, &path).map_err(fail)?;
        // Only now: a flush by another thread before the rename would sync a folder without the blob.
        let mut unsynced = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
        if fresh {
            unsynced.insert(self.root.clone());
        }
        unsynced.insert(folder);
        Ok(())
    }
}

/// Where a blob of the study at `study` is, or would be.
pub(crate) fn path(study: &Path, hash: BlobHash) -> PathBuf {
    below(&study.join("blobs"), &hash)
}

/// Reads a blob of the study at `study` wholly and compares it with its name.
pub(crate) fn verify(study: &Path, hash: BlobHash) -> Result<()> {
    let path = path(study, hash);
    if !path.is_file() {
        return Err(StoreError::BlobMissing(hash));
    }
    if hash_file(&path)?.0 == hash { Ok(()) } else { Err(StoreError::BlobAltered(hash)) }
}

fn below(root: &Path, hash: &BlobHash) -> PathBuf {
    let name = hash.to_string();
    root.join(&name[..2]).join(name)
}

/// SHA-256 of bytes.
pub fn hash_bytes(bytes: &[u8]) -> BlobHash {
    BlobHash::from_bytes(Sha256::digest(bytes).into())
}

/// SHA-256 and size of a file.
pub fn hash_file(path: &Path) -> Result<(BlobHash, u64)> {
    let fail = |source| StoreError::io(path)(source);
    let mut file = File::open(path).map_err(fail)?;
    let mut hasher = Sha256::new();
    let bytes = std::io::copy(&mut file, &mut hasher).map_err(fail)?;
    Ok((BlobHash::from_bytes(hasher.finalize().into()), bytes))
}

/// Removes a temporary file that was not renamed; when it was, there is nothing to remove.
fn discard(part: &Path) {
    let _ = fs::remove_file(part);
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> Result<()> {
    File::open(folder).and_then(|f| f.sync_all()).map_err(|source| StoreError::io(folder)(source))
}
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "folders cannot be synced on this system; the rename is enough")]
fn sync_folder(_folder: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blobs() -> (tempfile::TempDir, Blobs) {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::of(dir.path());
        (dir, blobs)
    }

    #[test]
    fn the_same_bytes_are_stored_once_under_their_hash() {
        let (_dir, blobs) = blobs();
        let (hash, bytes) = blobs.put(&mut b"abc".as_slice()).unwrap();
        assert_eq!(
            hash.to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "the name of a blob is the SHA-256 of its bytes (FIPS 180-2, the example \"abc\")"
        );
        assert_eq!(bytes, 3, "three bytes were given");
        assert_eq!(blobs.put(&mut b"abc".as_slice()).unwrap().0, hash, "the same bytes are the same blob");
        assert_eq!(
            blobs.all().collect::<Vec<_>>(),
            [hash],
            "nothing is stored twice, no temporary file is left"
        );
        assert_eq!(std::fs::read_dir(&blobs.root).unwrap().count(), 1, "only the folder ba/ is there");
        blobs.flush().unwrap();
        assert!(blobs.unsynced.lock().unwrap().is_empty(), "flush syncs every folder that got a blob");
    }

    #[test]
    fn a_changed_blob_is_found() {
        let (_dir, blobs) = blobs();
        let (hash, _) = blobs.put(&mut b"abc".as_slice()).unwrap();
        assert!(blobs.verify(&hash).unwrap(), "untouched bytes have their hash");
        std::fs::write(blobs.path(&hash), b"abd").unwrap();
        assert!(!blobs.verify(&hash).unwrap(), "other bytes have another hash");
    }

    #[test]
    fn a_large_file_is_linked_and_a_small_one_copied() {
        let (dir, blobs) = blobs();
        let large = dir.path().join("large.bin");
        File::create(&large).unwrap().set_len(LINK_FROM_BYTES).unwrap();
        let small = dir.path().join("small.bin");
        std::fs::write(&small, b"small").unwrap();
        let (a, _) = blobs.put_file(&large).unwrap();
        let (again, bytes) = blobs.put_file(&large).unwrap();
        assert_eq!((a, LINK_FROM_BYTES), (again, bytes), "a second time it is the same blob");
        let (b, _) = blobs.put_file(&small).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let inode = |p: &Path| std::fs::metadata(p).unwrap().ino();
            assert_eq!(
                inode(&large),
                inode(&blobs.path(&a)),
                "no second copy of a large file on one file system"
            );
            assert_ne!(
                inode(&small),
                inode(&blobs.path(&b)),
                "a small file is safe from later edits in place"
            );
        }
        assert!(blobs.verify(&a).unwrap() && blobs.verify(&b).unwrap(), "both have their hash");
        assert_eq!(std::fs::read_dir(&blobs.root).unwrap().count(), 2, "no temporary link is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_is_refused() {
        let (dir, blobs) = blobs();
        std::fs::write(dir.path().join("secret"), b"x").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), dir.path().join("link")).unwrap();
        assert!(
            blobs.put_file(&dir.path().join("link")).is_err(),
            "links may lead out of the folder (quirk Q21)"
        );
    }
}
