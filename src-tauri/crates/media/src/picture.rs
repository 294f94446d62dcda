//! Pictures in the worker: a PNG that fits a box, upright. Thumbnails, and the whole picture where the window cannot
//! show the format itself (TIFF).

use crate::worker::{Input, Registry};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use serde::{Deserialize, Serialize};
use std::io::{BufReader, Cursor};

/// Arguments of the job `thumbnail`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ThumbnailArgs {
    /// The longest side of the PNG; a smaller picture keeps its size.
    pub(crate) longest: u32,
}

/// The most memory of one decoded picture. Below the worker's own limit, so that a bomb is refused, not a crash.
const DECODED: u64 = 512 << 20;

pub(crate) fn register(registry: Registry) -> Registry {
    registry.with("thumbnail", |args, input, sink| {
        let args = ThumbnailArgs::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
        let png = thumbnail(input, args.longest.clamp(1, 16_384))?;
        sink.bytes(&png)
    })
}

/// The decoder of a picture with its limits set: some decoders skip the reader's own.
pub(crate) fn decoder(input: &Input) -> Result<(impl ImageDecoder + use<>, Option<ImageFormat>), String> {
    let bad = |e: image::ImageError| format!("the picture cannot be read: {e}");
    let reader = ImageReader::new(BufReader::new(input.open()?))
        .with_guessed_format()
        .map_err(|e| format!("the picture cannot be read: {e}"))?;
    let format = reader.format();
    let mut decoder = reader.into_decoder().map_err(bad)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODED);
    decoder.set_limits(limits).map_err(bad)?;
    if decoder.total_bytes() > DECODED {
        let (width, height) = decoder.dimensions();
        return Err(format!("the picture has {width} × {height} pixels, more than fit in {DECODED} bytes"));
    }
    Ok((decoder, format))
}

fn thumbnail(input: &Input, longest: u32) -> Result<Vec<u8>, String> {
    let bad = |e: image::ImageError| format!("the picture cannot be read: {e}");
    let (mut decoder, _) = decoder(input)?;
    let orientation = decoder.orientation().map_err(bad)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(bad)?;
    if picture.width().max(picture.height()) > longest {
        picture = picture.thumbnail(longest, longest);
    }
    picture.apply_orientation(orientation);
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).map_err(bad)?;
    Ok(png.into_inner())
}
