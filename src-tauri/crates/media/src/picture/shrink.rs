//! Smaller pictures. A JPEG is decoded at a half, a quarter or an eighth of its size, which skips most of the work of
//! decoding; the rest of the way, and all of it for other formats, is a resize with the filter of Catmull and Rom.

use crate::worker::Input;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::{DynamicImage, GrayImage, RgbImage, metadata::Orientation};
use jpeg_decoder::{Decoder, PixelFormat};
use std::io::BufReader;

/// The most memory of a JPEG that is decoded at a fraction of its size.
const DECODED: usize = 256 << 20;

/// A picture that may have lost size, not turned yet.
pub(super) struct Shrunk {
    pub(super) picture: DynamicImage,
    pub(super) orientation: Orientation,
    pub(super) profile: Option<Vec<u8>>,
}

/// A JPEG at the smallest fraction of its size whose longest side is still at least `longest`. `None`: it is no JPEG, or
/// one of those that the scaling decoder does not know (CMYK, lossless, arithmetic coding).
pub(super) fn jpeg(input: &Input, longest: u32) -> Result<Option<Shrunk>, String> {
    if !input.head(3)?.starts_with(b"\xff\xd8\xff") {
        return Ok(None);
    }
    let mut decoder = Decoder::new(BufReader::new(input.open()?));
    decoder.set_max_decoding_buffer_size(DECODED);
    if decoder.read_info().is_err() {
        return Ok(None);
    }
    let Some(info) = decoder.info() else { return Ok(None) };
    if !matches!(info.pixel_format, PixelFormat::RGB24 | PixelFormat::L8) {
        return Ok(None);
    }
    let (wide, tall) = fit((u32::from(info.width), u32::from(info.height)), longest);
    let side = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    let Ok((wide, tall)) = decoder.scale(side(wide), side(tall)) else { return Ok(None) };
    let Ok(pixels) = decoder.decode() else { return Ok(None) };
    let (wide, tall) = (u32::from(wide), u32::from(tall));
    let picture = match info.pixel_format {
        PixelFormat::L8 => GrayImage::from_raw(wide, tall, pixels).map(DynamicImage::ImageLuma8),
        _ => RgbImage::from_raw(wide, tall, pixels).map(DynamicImage::ImageRgb8),
    };
    let orientation = decoder.exif_data().and_then(Orientation::from_exif_chunk);
    Ok(picture.map(|picture| Shrunk {
        picture,
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
        profile: decoder.icc_profile(),
    }))
}

/// The size whose longest side is at most `longest`.
fn fit((wide, tall): (u32, u32), longest: u32) -> (u32, u32) {
    let most = wide.max(tall);
    if most <= longest {
        return (wide, tall);
    }
    let scaled = |side: u32| {
        let side = (u64::from(side) * u64::from(longest) + u64::from(most) / 2) / u64::from(most);
        u32::try_from(side).unwrap_or(longest).max(1)
    };
    (scaled(wide), scaled(tall))
}

impl Shrunk {
    /// Upright, with a longest side of at most `longest`.
    pub(super) fn upright(self, longest: u32) -> Result<DynamicImage, String> {
        let size = (self.picture.width(), self.picture.height());
        let (wide, tall) = fit(size, longest);
        let mut small = if (wide, tall) == size {
            self.picture
        } else {
            let mut small = DynamicImage::new(wide, tall, self.picture.color());
            let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom));
            Resizer::new()
                .resize(&self.picture, &mut small, &options)
                .map_err(|e| format!("the picture cannot be scaled: {e}"))?;
            small
        };
        small.apply_orientation(self.orientation);
        Ok(small)
    }
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn the_longest_side_fits_and_no_side_vanishes() {
        assert_eq!(fit((4000, 3000), 512), (512, 384), "three quarters of 512");
        assert_eq!(fit((3000, 4000), 512), (384, 512), "either way round");
        assert_eq!(fit((40, 20), 512), (40, 20), "a smaller one keeps its size");
        assert_eq!(fit((10_000, 1), 100), (100, 1), "a line stays a line");
    }
}
