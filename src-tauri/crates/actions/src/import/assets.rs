//! Bytes that rows name: found below the folder they belong to, kept as blobs, and looked at once each.

use domain::{Asset, AssetState, BlobHash, InputAsset, RowAsset};
use formats::{check_input_name, join_within};
use media::worker::{Input, Pool};
use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};
use store::{Blobs, StoreError};

/// Keeps blobs and remembers what each is.
pub(super) struct Keeper<'a> {
    pool: &'a Pool,
    /// None in a dry run: files are looked at, nothing is kept.
    blobs: Option<Blobs>,
    formats: HashMap<BlobHash, String>,
    seen: HashSet<BlobHash>,
    /// Blobs that were not there before.
    pub added: u64,
}

impl<'a> Keeper<'a> {
    pub fn new(pool: &'a Pool, blobs: Option<Blobs>) -> Self {
        Self { pool, blobs, formats: HashMap::new(), seen: HashSet::new(), added: 0 }
    }

    /// Blobs are on disk for good before a row that names them is written.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.blobs.as_ref().map_or(Ok(()), Blobs::flush)
    }

    /// An input file of a prompt: the file below `folder` if it is there, else the embedded bytes.
    pub fn input(
        &mut self,
        folder: &Path,
        name: &str,
        embedded: Option<&[u8]>,
    ) -> Result<InputAsset, StoreError> {
        let kept = match (input_file(folder, name), embedded) {
            (Some(path), _) => Some(self.keep_file(&path, name)?),
            (None, Some(bytes)) => Some(self.keep_bytes(bytes, name)?),
            (None, None) => None,
        };
        Ok(match kept {
            Some((hash, bytes, format)) => {
                InputAsset { name: name.to_owned(), blob: Some(hash), bytes, format }
            }
            None => InputAsset { name: name.to_owned(), blob: None, bytes: 0, format: "bin".to_owned() },
        })
    }

    /// A medium that came inside the dataset under no name of `input_files`.
    pub fn embedded(&mut self, name: &str, bytes: &[u8]) -> Result<InputAsset, StoreError> {
        let (hash, bytes, format) = self.keep_bytes(bytes, name)?;
        Ok(InputAsset { name: name.to_owned(), blob: Some(hash), bytes, format })
    }

    /// An asset of a response, under its position instead of its name.
    pub fn asset(&mut self, results: &Path, position: u32, row: &RowAsset) -> Result<Asset, StoreError> {
        let link =
            (row.delivery == "external_url" && !row.source_url.is_empty()).then(|| row.source_url.clone());
        let mut asset = Asset {
            position,
            modality: row.modality,
            state: AssetState::Missing,
            blob: None,
            bytes: 0,
            format: "bin".to_owned(),
            link,
        };
        match row.capture_status.as_str() {
            "reference_only" => asset.state = AssetState::ReferenceOnly,
            "skipped" => asset.state = AssetState::Skipped,
            "failed" => asset.state = AssetState::Failed,
            _ => {
                let path = row.tail.as_deref().and_then(|tail| asset_file(results, tail));
                if let Some(path) = path {
                    let name =
                        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                    let (hash, bytes, format) = self.keep_file(&path, &name)?;
                    let matches = (row.sha256.is_empty() || row.sha256 == hash.to_string())
                        && (row.size_bytes == 0 || row.size_bytes == bytes);
                    asset.state = if matches { AssetState::Ok } else { AssetState::Mismatch };
                    asset.blob = Some(hash);
                    asset.bytes = bytes;
                    asset.format = format;
                }
            }
        }
        Ok(asset)
    }

    fn keep_file(&mut self, path: &Path, name: &str) -> Result<(BlobHash, u64, String), StoreError> {
        let (hash, bytes) = match &self.blobs {
            Some(blobs) => blobs.put_file(path)?,
            None => store::hash_file(path)?,
        };
        let at = self.blobs.as_ref().map_or_else(|| path.to_owned(), |blobs| blobs.path(&hash));
        Ok((hash, bytes, self.format(hash, Input::Path(at), name)))
    }

    fn keep_bytes(&mut self, bytes: &[u8], name: &str) -> Result<(BlobHash, u64, String), StoreError> {
        let (hash, length) = match &self.blobs {
            Some(blobs) => blobs.put(&mut &bytes[..])?,
            None => (store::hash_bytes(bytes), bytes.len() as u64),
        };
        let input = match &self.blobs {
            Some(blobs) => Input::Path(blobs.path(&hash)),
            None => Input::Bytes(bytes.to_vec()),
        };
        Ok((hash, length, self.format(hash, input, name)))
    }

    /// What the bytes are, asked of a worker once per blob. A file that brings the worker down is `bin`.
    fn format(&mut self, hash: BlobHash, input: Input, name: &str) -> String {
        if self.seen.insert(hash) {
            self.added += 1;
        }
        if let Some(format) = self.formats.get(&hash) {
            return format.clone();
        }
        let format = media::sniff(self.pool, input, name).unwrap_or_else(|_| "bin".to_owned());
        self.formats.insert(hash, format.clone());
        format
    }
}

/// The file behind a rebased tail: below the results folder, with every link resolved.
pub(super) fn asset_file(results: &Path, tail: &str) -> Option<PathBuf> {
    join_within(results, tail).ok().filter(|path| path.is_file())
}

/// The input file with this name below its folder.
pub(super) fn input_file(folder: &Path, name: &str) -> Option<PathBuf> {
    check_input_name(name).ok().and_then(|()| join_within(folder, name).ok()).filter(|path| path.is_file())
}
