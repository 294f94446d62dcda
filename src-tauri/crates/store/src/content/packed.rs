//! Numbers and texts as bytes, one after the other, for what is kept beside an index: read in one go, and never trusted.

/// Writes.
#[derive(Debug, Default)]
pub(crate) struct Packer(pub Vec<u8>);

impl Packer {
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    pub fn number(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }
    pub fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }
    pub fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }
    pub fn texts(&mut self, texts: &[String]) {
        self.count(texts.len());
        for text in texts {
            self.text(text);
        }
    }
}

/// Reads what a [`Packer`] wrote; none beyond the end, or of what is no text.
#[derive(Debug)]
pub(crate) struct Unpacker<'b>(pub &'b [u8]);

impl Unpacker<'_> {
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (found, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*found)
    }
    pub fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }
    pub fn number(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
    /// How many follow; never more than there are bytes left, so that nobody makes room for what is not there.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(u64::from_le_bytes(self.array()?)).ok()?;
        (count <= self.0.len()).then_some(count)
    }
    pub fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        let (found, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(found.to_vec()).ok()
    }
    pub fn texts(&mut self) -> Option<Vec<String>> {
        (0..self.count()?).map(|_| self.text()).collect()
    }
}
