//! Decoders with their limits set, for a picture, a page of it or a frame of it.

use super::{
    pages,
    samples::{self, Divided, Palette, Pixels},
};
use crate::worker::{Input, ReadSeek};
use image::{
    AnimationDecoder, ColorType, DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits,
    codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder},
    metadata::Orientation,
};
use std::io::{BufRead, BufReader};

/// The most memory of one decoded picture. Below the worker's own limit, so that a bomb is refused, not a crash.
const DECODED: u64 = 512 << 20;

/// A picture whose head is read.
pub(crate) struct Opened {
    pub(crate) decoder: Box<dyn ImageDecoder>,
    /// What makes it upright.
    pub(crate) orientation: Orientation,
}

impl Opened {
    /// The pixels as they are stored, not turned.
    pub(crate) fn decode(self) -> Result<DynamicImage, String> {
        DynamicImage::from_decoder(self.decoder).map_err(bad)
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn bad(error: image::ImageError) -> String {
    format!("the picture cannot be read: {error}")
}

/// Opens the first picture of a file; refuses one that would not fit.
pub(crate) fn open(input: &Input) -> Result<Opened, String> {
    let opened = head(input.open()?)?;
    let (width, height) = opened.decoder.dimensions();
    if opened.decoder.total_bytes() > DECODED {
        return Err(format!("the picture has {width} × {height} pixels, more than fit in {DECODED} bytes"));
    }
    Ok(opened)
}

fn head(from: Box<dyn ReadSeek>) -> Result<Opened, String> {
    let (from, pixels) = samples::looked_at(from);
    let mut from = BufReader::new(from);
    let io = |e: std::io::Error| format!("the picture cannot be read: {e}");
    // A TIFF of more than 4 GiB begins in another way, which is not guessed.
    let big = matches!(from.fill_buf().map_err(io)?, [b'I', b'I', b'+', 0, ..] | [b'M', b'M', 0, b'+', ..]);
    let mut reader = ImageReader::new(from).with_guessed_format().map_err(io)?;
    if big {
        reader.set_format(ImageFormat::Tiff);
    }
    let mut decoder = reader.into_decoder().map_err(bad)?;
    decoder.set_limits(limits()).map_err(bad)?;
    let orientation = orientation(&mut decoder);
    let decoder: Box<dyn ImageDecoder> = Box::new(decoder);
    let decoder: Box<dyn ImageDecoder> = match pixels {
        Pixels::LookedUp(_) if decoder.color_type() != ColorType::L8 => {
            return Err("the picture cannot be read: its pixels are no numbers of colours".to_owned());
        }
        Pixels::LookedUp(colours) => Box::new(Palette { numbers: decoder, colours }),
        Pixels::Divided => Box::new(Divided(decoder)),
        Pixels::AsTheyAre => decoder,
    };
    Ok(Opened { decoder, orientation })
}

/// Some decoders skip the limits of the reader, so they are set on each.
fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODED);
    limits
}

fn orientation(decoder: &mut impl ImageDecoder) -> Orientation {
    let told = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    if told != Orientation::NoTransforms {
        return told;
    }
    // Some write the head of a JPEG segment before the EXIF of a WebP.
    let exif = decoder.exif_metadata().ok().flatten();
    exif.as_deref()
        .and_then(|exif| exif.strip_prefix(b"Exif\0\0"))
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms)
}

/// Width and height that the head says, however large, and whether or not the pixels can be decoded.
pub(crate) fn said_size(input: &Input) -> Option<(u32, u32)> {
    let size = imagesize::reader_size(BufReader::new(input.open().ok()?)).ok()?;
    let side = |n: usize| u32::try_from(n).ok().filter(|n| *n > 0);
    Some((side(size.width)?, side(size.height)?))
}

/// Width and height as stored, and what makes it upright. `page` counts for TIFF alone.
pub(super) fn size_and_orientation(input: &Input, page: u32) -> Result<((u32, u32), Orientation), String> {
    let opened = head(pages::at(input, page)?)?;
    Ok((opened.decoder.dimensions(), opened.orientation))
}

/// One page or frame as it is stored, and its colour profile.
pub(super) fn frame(input: &Input, format: &str, at: u32) -> Result<(DynamicImage, Option<Vec<u8>>), String> {
    if at > 0 && format != "tiff" {
        return Ok((moved(input, format, at)?, None));
    }
    let mut opened = head(pages::at(input, at)?)?;
    let (width, height) = opened.decoder.dimensions();
    if opened.decoder.total_bytes() > DECODED {
        return Err(format!("the picture has {width} × {height} pixels, more than fit in {DECODED} bytes"));
    }
    let profile = opened.decoder.icc_profile().ok().flatten();
    Ok((opened.decode()?, profile))
}

/// A frame of a picture that moves, with what the frames before it left standing.
fn moved(input: &Input, format: &str, at: u32) -> Result<DynamicImage, String> {
    let from: BufReader<Box<dyn ReadSeek>> = BufReader::new(input.open()?);
    let mut frames = match format {
        "gif" => {
            let mut decoder = GifDecoder::new(from).map_err(bad)?;
            decoder.set_limits(limits()).map_err(bad)?;
            decoder.into_frames()
        }
        "webp" => WebPDecoder::new(from).map_err(bad)?.into_frames(),
        "png" => {
            PngDecoder::with_limits(from, limits()).and_then(PngDecoder::apng).map_err(bad)?.into_frames()
        }
        other => return Err(format!("{other} has one frame")),
    };
    let frame = frames.nth(at as usize).ok_or_else(|| format!("there is no frame {}", at + 1))?;
    Ok(DynamicImage::ImageRgba8(frame.map_err(bad)?.into_buffer()))
}
