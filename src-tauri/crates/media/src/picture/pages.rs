//! Pages of a TIFF. The decoder reads the page that the file's head points to; for another, the head is read with the
//! place of that page in it.

use crate::worker::{Input, ReadSeek};
use std::io::{self, Read, Seek, SeekFrom};

/// More pages than this are not counted: a chain of them may be a circle.
const MOST: u32 = 10_000;

/// How many pages a TIFF has; 1 for anything else.
pub(crate) fn pages(input: &Input) -> Result<u32, String> {
    Ok(match Tiff::of(input)? {
        Some(mut tiff) => u32::try_from(tiff.places(MOST)?.len()).unwrap_or(1).max(1),
        None => 1,
    })
}

/// The file, with `page` (from 0) as its first. For anything but a TIFF, the file.
pub(super) fn at(input: &Input, page: u32) -> Result<Box<dyn ReadSeek>, String> {
    let tiff = if page == 0 { None } else { Tiff::of(input)? };
    let Some(mut tiff) = tiff else { return input.open() };
    let places = tiff.places(page.saturating_add(1).min(MOST))?;
    let place = *places.get(page as usize).ok_or_else(|| format!("there is no page {}", page + 1))?;
    let patch = if tiff.big {
        tiff.write(&place.to_le_bytes(), &place.to_be_bytes())
    } else {
        let place = u32::try_from(place).map_err(|e| e.to_string())?;
        tiff.write(&place.to_le_bytes(), &place.to_be_bytes())
    };
    Ok(Box::new(Patched { from: input.open()?, at: 0, start: if tiff.big { 8 } else { 4 }, patch }))
}

/// The chain of directories of a TIFF (TIFF 6.0, section 2; BigTIFF has wider numbers).
pub(super) struct Tiff {
    pub(super) from: Box<dyn ReadSeek>,
    little: bool,
    pub(super) big: bool,
}

impl Tiff {
    fn of(input: &Input) -> Result<Option<Self>, String> {
        Ok(Self::at_start(input.open()?).ok())
    }

    /// The file, if it is a TIFF; or as it was given.
    pub(super) fn at_start(mut from: Box<dyn ReadSeek>) -> Result<Self, Box<dyn ReadSeek>> {
        let mut head = [0_u8; 4];
        let read = from.read_exact(&mut head).is_ok();
        let (little, big) = match &head {
            b"II*\0" if read => (true, false),
            b"MM\0*" if read => (false, false),
            b"II+\0" if read => (true, true),
            b"MM\0+" if read => (false, true),
            _ => {
                // Where that fails, so does what is read next.
                let _ = from.rewind();
                return Err(from);
            }
        };
        Ok(Self { from, little, big })
    }

    pub(super) fn write(&self, little: &[u8], big: &[u8]) -> Vec<u8> {
        if self.little { little.to_vec() } else { big.to_vec() }
    }

    pub(super) fn number(&mut self, at: u64, length: usize) -> Option<u64> {
        let mut bytes = [0_u8; 8];
        self.from.seek(SeekFrom::Start(at)).ok()?;
        self.from.read_exact(&mut bytes[..length]).ok()?;
        let value = |all: &mut dyn Iterator<Item = &u8>| all.fold(0_u64, |n, b| n << 8 | u64::from(*b));
        Some(if self.little {
            value(&mut bytes[..length].iter().rev())
        } else {
            value(&mut bytes[..length].iter())
        })
    }

    /// Where the directories stand, at most `most` of them; a chain that breaks ends there.
    pub(super) fn places(&mut self, most: u32) -> Result<Vec<u64>, String> {
        let (width, count, entry) = if self.big { (8, 8, 20) } else { (4, 2, 12) };
        let mut places: Vec<u64> = Vec::new();
        let mut next =
            self.number(if self.big { 8 } else { 4 }, width).ok_or("the head of the picture is cut off")?;
        while next > 0 && places.len() < most as usize && !places.contains(&next) {
            let Some(entries) = self.number(next, count) else { break };
            places.push(next);
            let link = next.saturating_add(count as u64).saturating_add(entries.saturating_mul(entry));
            next = self.number(link, width).unwrap_or(0);
        }
        Ok(places)
    }
}

/// A file in which a few bytes read as others.
pub(super) struct Patched {
    pub(super) from: Box<dyn ReadSeek>,
    pub(super) at: u64,
    pub(super) start: u64,
    pub(super) patch: Vec<u8>,
}

impl Read for Patched {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(to)?;
        for (offset, byte) in to[..read].iter_mut().enumerate() {
            let inside =
                (self.at + offset as u64).checked_sub(self.start).and_then(|n| usize::try_from(n).ok());
            match inside.map(|n| self.patch.get(n)) {
                Some(Some(other)) => *byte = *other,
                Some(None) => break,
                None => {}
            }
        }
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Patched {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.from.seek(to)?;
        Ok(self.at)
    }
}
