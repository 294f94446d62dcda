//! Sealing and unsealing with age: to a passphrase, or to the study's key.

use super::open::broken;
use crate::content::keys::Secret;
use crate::device::Device;
use crate::{Result, StoreError};
use age::secrecy::SecretString;
use age::{DecryptError, Decryptor, Encryptor, scrypt, x25519};
use bech32::{ToBase32, Variant};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

/// scrypt with N = 2^16: 64 MB and a tenth of a second or two. Fixed, since a factor tuned to a fast device would
/// be refused by a slow one, and low enough that a lead merges twenty packages without waiting.
const WORK_FACTOR: u8 = 16;
/// What is still opened: a file sealed by other tools may ask for more work, but not for minutes of it.
const MOST_WORK: u8 = 20;

/// A passphrase. It is wiped from memory when dropped and never shown.
#[derive(Clone)]
pub struct Passphrase(SecretString);

impl Passphrase {
    /// Refuses an empty one.
    pub fn new(text: String) -> Result<Self> {
        if text.is_empty() {
            return Err(StoreError::Refused("an empty passphrase seals nothing".to_owned()));
        }
        Ok(Self(text.into()))
    }
}
impl std::fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Passphrase(..)")
    }
}

/// A key of age: the study's own, which opens work that was sealed for the study, or a device's, which opens packages
/// that were sealed to it.
#[derive(Clone)]
pub struct PackageKey(x25519::Identity);

impl PackageKey {
    /// The key that follows from the study's secret.
    pub(crate) fn of(secret: &Secret) -> Result<Self> {
        Self::from_bytes(secret.key("package key"))
    }
    /// The key that follows from this device's own; it never leaves the device.
    pub fn of_device(device: &Device) -> Result<Self> {
        Self::from_bytes(device.key_for("package key"))
    }
    fn from_bytes(bytes: [u8; 32]) -> Result<Self> {
        let text = bech32::encode("age-secret-key-", bytes.to_base32(), Variant::Bech32)
            .map_err(|e| StoreError::Refused(format!("a package key: {e}")))?;
        text.to_uppercase().parse().map(Self).map_err(|e| StoreError::Refused(format!("a package key: {e}")))
    }
    /// Its public half, `age1…`: what others seal to.
    pub fn public(&self) -> String {
        self.0.to_public().to_string()
    }
}
impl std::fmt::Debug for PackageKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PackageKey({})", self.public())
    }
}

/// To whom a package is sealed.
#[derive(Debug, Clone, Copy)]
pub enum Seal<'a> {
    /// To whoever knows it.
    Passphrase(&'a Passphrase),
    /// To the holder of a public key, `age1…`.
    Key(&'a str),
}

/// Writes a sealed file at `path`, which appears only when it is whole.
pub(super) fn seal(
    path: &Path,
    to: &Seal<'_>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<u64> {
    let fail = |e: std::io::Error| StoreError::io(path)(e);
    let encryptor = match to {
        Seal::Passphrase(passphrase) => {
            let mut recipient = scrypt::Recipient::new(passphrase.0.clone());
            recipient.set_work_factor(WORK_FACTOR);
            Encryptor::with_recipients(std::iter::once(&recipient as &dyn age::Recipient))
        }
        Seal::Key(key) => {
            let recipient: x25519::Recipient = key
                .trim()
                .parse()
                .map_err(|e| StoreError::Refused(format!("{key:?} is no key (age1…): {e}")))?;
            Encryptor::with_recipients(std::iter::once(&recipient as &dyn age::Recipient))
        }
    }
    .map_err(|e| StoreError::Refused(e.to_string()))?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let mut part = tempfile::Builder::new().prefix(".part-").tempfile_in(folder).map_err(fail)?;
    {
        let mut out = encryptor.wrap_output(BufWriter::new(part.as_file_mut())).map_err(fail)?;
        write(&mut out)?;
        out.finish().and_then(|mut inner| inner.flush()).map_err(fail)?;
    }
    part.as_file().sync_all().map_err(fail)?;
    let bytes = part.as_file().metadata().map_err(fail)?.len();
    part.persist(path).map_err(|e| fail(e.error))?;
    Ok(bytes)
}

/// Does the sealed file at `path` open with a passphrase, rather than a key?
pub fn takes_passphrase(path: &Path) -> Result<bool> {
    let file = File::open(path).map_err(StoreError::io(path))?;
    let decryptor = Decryptor::new_buffered(BufReader::new(file)).map_err(|e| match e {
        DecryptError::Io(source) => broken(path, source),
        other => {
            StoreError::Damaged { file: path.to_owned(), what: format!("this is no sealed package: {other}") }
        }
    })?;
    Ok(decryptor.is_scrypt())
}

/// Opens a sealed file for reading.
pub(super) fn unseal(
    path: &Path,
    passphrase: Option<&Passphrase>,
    key: Option<&PackageKey>,
) -> Result<impl Read + use<>> {
    let file = File::open(path).map_err(StoreError::io(path))?;
    let damaged = |what: String| StoreError::Damaged { file: path.to_owned(), what };
    let decryptor = Decryptor::new_buffered(BufReader::new(file)).map_err(|e| match e {
        DecryptError::Io(source) => broken(path, source),
        other => damaged(format!("this is no sealed package: {other}")),
    })?;
    let refused = |e: DecryptError| match e {
        DecryptError::Io(source) => broken(path, source),
        DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed | DecryptError::NoMatchingKeys => {
            StoreError::WrongPassphrase(path.to_owned())
        }
        other => damaged(other.to_string()),
    };
    if decryptor.is_scrypt() {
        let Some(passphrase) = passphrase else { return Err(StoreError::Sealed(path.to_owned())) };
        let mut identity = scrypt::Identity::new(passphrase.0.clone());
        identity.set_max_work_factor(MOST_WORK);
        decryptor.decrypt(std::iter::once(&identity as &dyn age::Identity)).map_err(refused)
    } else {
        let Some(key) = key else {
            return Err(StoreError::Refused(format!(
                "{}: sealed to a key; only its holder can open it",
                path.display()
            )));
        };
        decryptor.decrypt(std::iter::once(&key.0 as &dyn age::Identity)).map_err(|e| match e {
            DecryptError::NoMatchingKeys => StoreError::Refused(format!(
                "{}: sealed to another key: that of another device or, on its way back, of another study",
                path.display()
            )),
            other => refused(other),
        })
    }
}
