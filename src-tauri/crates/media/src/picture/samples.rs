//! What a TIFF says of its pixels and the decoder does not heed: a table of colours, whose numbers it reads as shades of grey
//! when the file says that they are, and that are looked up afterwards (of one byte a pixel, as nearly all are); and colours
//! that are already multiplied by their opacity.

use super::pages::{Patched, Tiff};
use crate::worker::ReadSeek;
use image::{ColorType, ImageDecoder, ImageResult, Limits};
use std::io::{Seek, SeekFrom};

/// Tags of a directory (TIFF 6.0, section 8).
const BITS: u64 = 258;
const PHOTOMETRIC: u64 = 262;
const COLOURS: u64 = 320;
const EXTRA_SAMPLES: u64 = 338;
/// What `PHOTOMETRIC` says where there is a table of colours, and where 0 is black.
const PALETTE: u64 = 3;
const BLACK_IS_ZERO: u16 = 1;
/// What `EXTRA_SAMPLES` says of opacity by which the colours are multiplied.
const ASSOCIATED: u64 = 1;
/// A byte tells 256 colours apart.
const COUNT: usize = 256;

/// The colours of a picture, in the order of their numbers.
pub(super) type Colours = Vec<[u8; 3]>;

/// What is to be done with the pixels.
pub(super) enum Pixels {
    AsTheyAre,
    LookedUp(Colours),
    Divided,
}

/// The file as the decoder is to read it, and what is to be done with what it reads.
pub(super) fn looked_at(from: Box<dyn ReadSeek>) -> (Box<dyn ReadSeek>, Pixels) {
    let mut tiff = match Tiff::at_start(from) {
        Ok(tiff) => tiff,
        Err(from) => return (from, Pixels::AsTheyAre),
    };
    let said = said(&mut tiff).unwrap_or_default();
    let table = match said {
        Said { table: Some(at), bits: Some(8), palette: Some(_), .. } => table(&mut tiff, at),
        _ => None,
    };
    let grey = tiff.write(&BLACK_IS_ZERO.to_le_bytes(), &BLACK_IS_ZERO.to_be_bytes());
    let mut from = tiff.from;
    // Where that fails, so does what is read next.
    let _ = from.seek(SeekFrom::Start(0));
    match (said.palette, table) {
        (Some(start), Some(colours)) => {
            (Box::new(Patched { from, at: 0, start, patch: grey }), Pixels::LookedUp(colours))
        }
        _ if said.associated => (from, Pixels::Divided),
        _ => (from, Pixels::AsTheyAre),
    }
}

/// What the first directory says.
#[derive(Default, Clone, Copy)]
struct Said {
    bits: Option<u64>,
    /// Where it says that there is a table of colours.
    palette: Option<u64>,
    /// Where the table stands.
    table: Option<u64>,
    associated: bool,
}

fn said(tiff: &mut Tiff) -> Option<Said> {
    let place = *tiff.places(1).ok()?.first()?;
    let (count, first, each, value, wide) = if tiff.big { (8, 8, 20, 12, 8) } else { (2, 2, 12, 8, 4) };
    let entries = tiff.number(place, count)?.min(4096);
    let mut said = Said::default();
    for nth in 0..entries {
        let at = place.checked_add(first)?.checked_add(nth * each)?;
        let short = tiff.number(at + value, 2);
        match tiff.number(at, 2)? {
            BITS => said.bits = short,
            PHOTOMETRIC if short == Some(PALETTE) => said.palette = Some(at + value),
            COLOURS => said.table = tiff.number(at + value, wide),
            EXTRA_SAMPLES => said.associated = short == Some(ASSOCIATED),
            _ => {}
        }
    }
    Some(said)
}

/// All reds, then all greens, then all blues, of 16 bits each.
fn table(tiff: &mut Tiff, at: u64) -> Option<Colours> {
    let colours = (0..COUNT).map(|nth| {
        let mut part = |colour: usize| {
            let at = at.checked_add(2 * (colour * COUNT + nth) as u64)?;
            u8::try_from(tiff.number(at, 2)? >> 8).ok()
        };
        Some([part(0)?, part(1)?, part(2)?])
    });
    colours.collect()
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

/// A decoder of colours that are multiplied by their opacity: they are divided by it.
pub(super) struct Divided(pub(super) Box<dyn ImageDecoder>);

impl ImageDecoder for Divided {
    fn dimensions(&self) -> (u32, u32) {
        self.0.dimensions()
    }
    fn color_type(&self) -> ColorType {
        self.0.color_type()
    }
    fn icc_profile(&mut self) -> ImageResult<Option<Vec<u8>>> {
        self.0.icc_profile()
    }
    fn set_limits(&mut self, limits: Limits) -> ImageResult<()> {
        self.0.set_limits(limits)
    }
    fn read_image(self, pixels: &mut [u8]) -> ImageResult<()> {
        let kind = self.0.color_type();
        self.0.read_image_boxed(pixels)?;
        match kind {
            ColorType::Rgba8 => {
                for [colours @ .., opacity] in pixels.as_chunks_mut::<4>().0 {
                    for colour in colours {
                        *colour = u8::try_from(divided(u32::from(*colour), u32::from(*opacity), 0xff))
                            .unwrap_or(0xff);
                    }
                }
            }
            ColorType::Rgba16 => {
                for pixel in pixels.as_chunks_mut::<8>().0 {
                    let opacity = u32::from(u16::from_ne_bytes([pixel[6], pixel[7]]));
                    for colour in pixel[..6].as_chunks_mut::<2>().0 {
                        let whole = divided(u32::from(u16::from_ne_bytes(*colour)), opacity, 0xffff);
                        *colour = u16::try_from(whole).unwrap_or(0xffff).to_ne_bytes();
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
    fn read_image_boxed(self: Box<Self>, pixels: &mut [u8]) -> ImageResult<()> {
        (*self).read_image(pixels)
    }
}

/// A part of a colour without its opacity; of what does not show there is none.
fn divided(colour: u32, opacity: u32, most: u32) -> u32 {
    (colour * most + opacity / 2).checked_div(opacity).unwrap_or(0).min(most)
}

#[cfg(test)]
mod tests {
    use super::divided;

    #[test]
    fn a_colour_comes_back_from_under_its_opacity() {
        assert_eq!(divided(64, 128, 255), 128, "half of it was kept");
        assert_eq!(divided(200, 100, 255), 255, "never more than all");
        assert_eq!(divided(0, 0, 255), 0, "nothing shows");
        assert_eq!(divided(0x8000, 0xffff, 0xffff), 0x8000, "all of it was kept");
    }
}
