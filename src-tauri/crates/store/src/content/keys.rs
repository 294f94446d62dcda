//! Opaque ids of imported things: HMAC-SHA256 under the study's secret over the natural key, cut to 128 bits.
//! The same on every import, and, without the secret (which only `audit.sqlite` holds), saying nothing of model,
//! time or order. Parts are prefixed with their length, so that no two keys run together to the same bytes.

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// The study's secret.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// From its bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Are its bytes, plain or as hexadecimal digits, among these?
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        let digits = hex::encode(self.0);
        bytes.windows(32).any(|w| w == self.0) || bytes.windows(64).any(|w| w == digits.as_bytes())
    }

    /// A key for one purpose.
    pub fn key(&self, purpose: &str) -> [u8; 32] {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return [0; 32] };
        mac.update(b"assize key\n");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// The id of the thing of this kind with this key.
    pub fn id(&self, kind: &str, parts: &[&[u8]]) -> [u8; 16] {
        // HMAC takes a key of any length, so this never fails for 32 bytes; an empty id would show at once.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return [0; 16] };
        mac.update(&length(kind.len()));
        mac.update(kind.as_bytes());
        for part in parts {
            mac.update(&length(part.len()));
            mac.update(part);
        }
        let mut id = [0; 16];
        id.copy_from_slice(&mac.finalize().into_bytes()[..16]);
        id
    }
}

/// SHA-256 over parts that are each prefixed with their length.
#[derive(Debug, Default)]
pub struct ContentHash(Sha256);

impl ContentHash {
    /// Adds a part.
    #[must_use]
    pub fn part(mut self, bytes: &[u8]) -> Self {
        self.0.update(length(bytes.len()));
        self.0.update(bytes);
        self
    }
    /// Adds a part that may be missing; none differs from empty.
    #[must_use]
    pub fn optional(self, bytes: Option<&[u8]>) -> Self {
        match bytes {
            Some(bytes) => self.part(&[1]).part(bytes),
            None => self.part(&[0]),
        }
    }
    /// The hash.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

fn length(n: usize) -> [u8; 8] {
    (n as u64).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_on_secret_kind_and_the_borders_of_the_parts() {
        let one = Secret::new([1; 32]);
        assert_eq!(one.id("prompt", &[b"p1"]), one.id("prompt", &[b"p1"]), "every import gives the same id");
        assert_ne!(
            one.id("prompt", &[b"p1"]),
            Secret::new([2; 32]).id("prompt", &[b"p1"]),
            "without the secret the id cannot be computed from the key"
        );
        assert_ne!(one.id("prompt", &[b"p1"]), one.id("response", &[b"p1"]), "kinds do not share ids");
        assert_ne!(one.id("x", &[b"ab", b"c"]), one.id("x", &[b"a", b"bc"]), "parts do not run together");
    }

    #[test]
    fn missing_is_not_empty() {
        assert_ne!(
            ContentHash::default().optional(None).finish(),
            ContentHash::default().optional(Some(b"")).finish(),
            "an asset without a link is not one with an empty link"
        );
    }
}
