//! TIFF with a table of colours. The decoder does not know them: it reads the numbers of the colours when the file says
//! that they are shades of grey, and they are looked up in the table afterwards. Of one byte a pixel, as nearly all are.

use super::pages::{Patched, Tiff};
use crate::worker::ReadSeek;
use image::{ColorType, ImageDecoder, ImageResult, Limits};
use std::io::{Seek, SeekFrom};

/// Tags of a directory (TIFF 6.0, section 8).
const BITS: u64 = 258;
const PHOTOMETRIC: u64 = 262;
const COLOURS: u64 = 320;
/// What `PHOTOMETRIC` says where there is a table of colours, and where 0 is black.
const PALETTE: u64 = 3;
const BLACK_IS_ZERO: u16 = 1;
/// A byte tells 256 colours apart.
const COUNT: usize = 256;

/// The colours of a picture, in the order of their numbers.
pub(super) type Colours = Vec<[u8; 3]>;

/// The file as one in grey, with its colours; the file as it is where it has no table of them.
pub(super) fn in_grey(from: Box<dyn ReadSeek>) -> (Box<dyn ReadSeek>, Option<Colours>) {
    let mut tiff = match Tiff::at_start(from) {
        Ok(tiff) => tiff,
        Err(from) => return (from, None),
    };
    let found = colours(&mut tiff);
    let patch = tiff.write(&BLACK_IS_ZERO.to_le_bytes(), &BLACK_IS_ZERO.to_be_bytes());
    let mut from = tiff.from;
    if from.seek(SeekFrom::Start(0)).is_err() {
        return (from, None);
    }
    match found {
        Some((start, colours)) => (Box::new(Patched { from, at: 0, start, patch }), Some(colours)),
        None => (from, None),
    }
}

/// Where the first directory says that there is a table of colours, and the table.
fn colours(tiff: &mut Tiff) -> Option<(u64, Colours)> {
    let place = *tiff.places(1).ok()?.first()?;
    let (count, first, each, value, wide) = if tiff.big { (8, 8, 20, 12, 8) } else { (2, 2, 12, 8, 4) };
    let entries = tiff.number(place, count)?.min(4096);
    let (mut bits, mut start, mut table) = (None, None, None);
    for nth in 0..entries {
        let at = place.checked_add(first)?.checked_add(nth * each)?;
        match tiff.number(at, 2)? {
            BITS => bits = tiff.number(at + value, 2),
            PHOTOMETRIC if tiff.number(at + value, 2)? == PALETTE => start = Some(at + value),
            COLOURS => table = tiff.number(at + value, wide),
            _ => {}
        }
    }
    let (start, table) = (start?, table.filter(|_| bits == Some(8))?);
    // All reds, then all greens, then all blues, of 16 bits each.
    let colours = (0..COUNT).map(|nth| {
        let mut part = |colour: usize| {
            let at = table.checked_add(2 * (colour * COUNT + nth) as u64)?;
            u8::try_from(tiff.number(at, 2)? >> 8).ok()
        };
        Some([part(0)?, part(1)?, part(2)?])
    });
    Some((start, colours.collect::<Option<Colours>>()?))
}

/// A decoder of grey whose shades are numbers of colours.
pub(super) struct Palette {
    pub(super) numbers: Box<dyn ImageDecoder>,
    pub(super) colours: Colours,
}

impl ImageDecoder for Palette {
    fn dimensions(&self) -> (u32, u32) {
        self.numbers.dimensions()
    }
    fn color_type(&self) -> ColorType {
        ColorType::Rgb8
    }
    fn icc_profile(&mut self) -> ImageResult<Option<Vec<u8>>> {
        self.numbers.icc_profile()
    }
    fn set_limits(&mut self, limits: Limits) -> ImageResult<()> {
        self.numbers.set_limits(limits)
    }
    fn read_image(self, pixels: &mut [u8]) -> ImageResult<()> {
        let mut numbers = vec![0; pixels.len() / 3];
        self.numbers.read_image_boxed(&mut numbers)?;
        for (pixel, number) in pixels.chunks_exact_mut(3).zip(numbers) {
            pixel.copy_from_slice(&self.colours.get(usize::from(number)).copied().unwrap_or_default());
        }
        Ok(())
    }
    fn read_image_boxed(self: Box<Self>, pixels: &mut [u8]) -> ImageResult<()> {
        (*self).read_image(pixels)
    }
}
