//! The device: an Ed25519 key in the app's own folder, never in a study. It signs what its people state.

use crate::{Result, StoreError};
use domain::StudyId;
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// This device's key.
#[derive(Clone)]
pub struct Device {
    key: SigningKey,
    id: String,
}

impl Device {
    /// Reads the key in `folder`, or makes one there (readable by its owner alone). Two programs that start at once
    /// end with the same key.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let path = folder.join("device.key");
        match fs::read(&path) {
            Ok(bytes) => return Self::from_file(&path, &bytes),
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => return Err(StoreError::io(&path)(e)),
        }
        let secret = random::<32>()?;
        let fresh = folder.join(format!("device.key.{}", hex::encode(random::<8>()?)));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&fresh).map_err(StoreError::io(&fresh))?;
        file.write_all(&secret).and_then(|()| file.sync_all()).map_err(StoreError::io(&fresh))?;
        // A hard link, unlike a rename, does not replace the key of a program that was quicker.
        let linked = fs::hard_link(&fresh, &path);
        fs::remove_file(&fresh).map_err(StoreError::io(&fresh))?;
        match linked {
            Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(StoreError::io(&path)(e)),
            _ => {}
        }
        Self::from_file(&path, &fs::read(&path).map_err(StoreError::io(&path))?)
    }

    fn from_file(path: &Path, bytes: &[u8]) -> Result<Self> {
        let secret: [u8; 32] = bytes.try_into().map_err(|_| StoreError::Damaged {
            file: path.to_owned(),
            what: "a device key has 32 bytes; move this file away to get a new key".to_owned(),
        })?;
        let key = SigningKey::from_bytes(&secret);
        let id = device_id(&key.verifying_key());
        Ok(Self { key, id })
    }

    /// The first 16 hex digits of SHA-256 of the public key.
    pub fn id(&self) -> &str {
        &self.id
    }
    pub(crate) fn public_key(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }
    /// A further secret for one purpose; from it nothing follows about the signing key.
    pub(crate) fn key_for(&self, purpose: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"assize device key 1\n");
        hash.update(self.key.to_bytes());
        hash.update(purpose.as_bytes());
        hash.finalize().into()
    }
    pub(crate) fn sign(&self, hash: &[u8; 32]) -> [u8; 64] {
        self.key.sign(hash).to_bytes()
    }
}
impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Never the key.
        f.debug_struct("Device").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The id of the device with this public key.
pub(crate) fn device_id(key: &VerifyingKey) -> String {
    hex::encode(&Sha256::digest(key.as_bytes())[..8])
}

/// Random bytes from the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes)
        .map_err(|e| StoreError::Refused(format!("the system gives no random numbers: {e}")))?;
    Ok(bytes)
}

/// A new study's id.
pub(crate) fn new_study() -> Result<StudyId> {
    Ok(StudyId::from_bytes(random()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let first = Device::in_folder(folder.path()).expect("makes a key");
        let again = Device::in_folder(folder.path()).expect("reads the key");
        assert_eq!(first.public_key(), again.public_key(), "the second start reads what the first one made");
        assert_eq!(first.id().len(), 16, "a device id is 16 hex digits");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join("device.key")).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "nobody else may sign as this device");
        }
        assert_eq!(
            fs::read_dir(folder.path()).expect("readable").count(),
            1,
            "no half-made key is left behind"
        );
    }

    #[test]
    fn a_cut_key_is_refused_not_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("device.key"), b"short").expect("writes");
        assert!(
            Device::in_folder(folder.path()).is_err(),
            "a new key would orphan the journals of the old one"
        );
    }
}
