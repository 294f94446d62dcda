//! Pictures in the worker: thumbnails; and what the window shows in place of bytes that it cannot show itself, or that
//! are too large for it. Always upright, always PNG.
//!
//! The web view shows most pictures itself, and then it gets the bytes as they are: nothing is more faithful. A
//! converted picture stands in for TIFF, for orientations that a web view heeds in JPEG alone, for single frames and
//! pages, and for pictures of more pixels than a web view holds; of those, parts are given at full size.

mod colour;
mod decode;
mod pages;
mod part;
mod samples;
mod shrink;

pub(crate) use colour::profile_name;
pub(crate) use decode::{open, said_size};
pub(crate) use pages::pages;
pub use part::Part;

use crate::{
    probe::{Kind, format_of, kind_of, moving},
    worker::{FrameSink, Input, Registry},
};
use image::{DynamicImage, ImageDecoder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments of the job `thumbnail`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ThumbnailArgs {
    /// The longest side of the PNG; a smaller picture keeps its size.
    pub(crate) longest: u32,
}

/// How a picture is wanted; also the arguments of the job `picture`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureWish {
    /// This frame or page, from 0; none where the web view may show the bytes with all their frames.
    #[serde(default)]
    pub frame: Option<u32>,
    /// This part of it at full size; none for all of it, scaled down where it is large.
    #[serde(default)]
    pub part: Option<Part>,
    /// Convert in any case: the web view has tried the bytes and failed.
    #[serde(default)]
    pub convert: bool,
}

/// What a picture is and how it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureView {
    /// Does the web view show the bytes themselves? Else a PNG stands in for them.
    pub original: bool,
    /// The whole picture, upright, in pixels; `null` where only the web view can tell.
    pub width: Option<u32>,
    /// The whole picture, upright, in pixels; `null` where only the web view can tell.
    pub height: Option<u32>,
    /// Is the PNG smaller than what it stands for?
    pub scaled: bool,
    /// How many pages a TIFF has; else 1.
    pub pages: u32,
    /// How long each frame stays, in milliseconds, where the picture moves; else empty.
    pub delays_ms: Vec<u32>,
}

/// A picture with more pixels or a longer side is not given to the web view whole: WebKitGTK shows nothing of a side over
/// 32,767 pixels, and holds four bytes for every pixel.
const SHOWN_PIXELS: u64 = 64 << 20;
const SHOWN_SIDE: u32 = 16_384;
/// The longest side of a PNG that stands in for a whole picture.
const CONVERTED_SIDE: u32 = 4096;
/// The most of a file that is looked through for frames.
const LOOKED: u64 = 256 << 20;
/// More frames than this are not looked at one by one.
const MOST_FRAMES: usize = 10_000;

pub(crate) fn register(registry: Registry) -> Registry {
    registry
        .with("thumbnail", |args, input, sink| {
            let args = ThumbnailArgs::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
            let png = thumbnail(input, args.longest.clamp(1, SHOWN_SIDE))?;
            sink.bytes(&png)
        })
        .with("picture", |args, input, sink| {
            let wish = PictureWish::deserialize(args).map_err(|e| format!("wrong arguments: {e}"))?;
            picture(input, wish, sink)
        })
}

fn thumbnail(input: &Input, longest: u32) -> Result<Vec<u8>, String> {
    let format = format_of(input, "")?;
    if kind_of(format) != Kind::Image {
        return Err(format!("{format} is no picture, and thumbnails are made of pictures"));
    }
    let mut found = if let Some(found) = shrink::jpeg(input, longest)? {
        found
    } else {
        let mut opened = open(input)?;
        let (orientation, profile) = (opened.orientation, opened.decoder.icc_profile().ok().flatten());
        shrink::Shrunk { picture: opened.decode()?, orientation, profile }
    };
    let profile = found.profile.take();
    colour::png(&found.upright(longest)?, profile)
}

/// Sends a [`PictureView`], and a PNG unless the web view shows the bytes themselves.
fn picture(input: &Input, wish: PictureWish, sink: &mut dyn FrameSink) -> Result<(), String> {
    let format = format_of(input, "")?;
    let mut view = PictureView {
        original: true,
        width: None,
        height: None,
        scaled: false,
        pages: 1,
        delays_ms: Vec::new(),
    };
    match format {
        "svg" | "avif" if !wish.convert && wish.frame.is_none() && wish.part.is_none() => {
            return sink.json(&view);
        }
        "svg" | "avif" | "heic" => return Err(format!("{format} cannot be decoded here")),
        "tiff" => view.pages = pages(input)?,
        "gif" | "png" | "webp" => {
            let moving = moving::frames_of(format, &input.head(LOOKED)?);
            view.delays_ms = moving.map(|m| m.delays_ms).filter(|all| all.len() > 1).unwrap_or_default();
            view.delays_ms.truncate(MOST_FRAMES);
        }
        "jpeg" | "bmp" => {}
        other => return Err(format!("{other} is no picture")),
    }
    let at = wish.frame.unwrap_or(0);
    let (stored, orientation) = match decode::size_and_orientation(input, at) {
        Ok(found) => found,
        // What is strange to this decoder may be none to the web view. If it is, the picture is asked for again.
        Err(_) if format != "tiff" && wish == PictureWish::default() => return sink.json(&view),
        Err(why) => return Err(why),
    };
    let (wide, tall) = part::upright_size(stored, orientation);
    (view.width, view.height) = (Some(wide), Some(tall));
    let large = u64::from(wide) * u64::from(tall) > SHOWN_PIXELS || wide.max(tall) > SHOWN_SIDE;
    let turned = orientation != image::metadata::Orientation::NoTransforms;
    view.original = !(wish.convert
        || wish.frame.is_some()
        || wish.part.is_some()
        || large
        || format == "tiff"
        || (turned && format != "jpeg"));
    if view.original {
        return sink.json(&view);
    }
    let (shown, profile) = match wish.part {
        Some(wanted) => {
            let (whole, profile) = decode::frame(input, format, at)?;
            (part::cut(&whole, wanted, orientation)?, profile)
        }
        None => whole(input, format, at, orientation)?,
    };
    view.scaled = wish.part.is_none() && shown.width() < wide;
    sink.json(&view)?;
    sink.bytes(&colour::png(&shown, profile)?)
}

/// A whole frame, upright, scaled down to [`CONVERTED_SIDE`].
fn whole(
    input: &Input,
    format: &str,
    at: u32,
    orientation: image::metadata::Orientation,
) -> Result<(DynamicImage, Option<Vec<u8>>), String> {
    if format == "jpeg"
        && let Some(mut found) = shrink::jpeg(input, CONVERTED_SIDE)?
    {
        let profile = found.profile.take();
        return Ok((found.upright(CONVERTED_SIDE)?, profile));
    }
    let (picture, profile) = decode::frame(input, format, at)?;
    let shrunk = shrink::Shrunk { picture, orientation, profile: None };
    Ok((shrunk.upright(CONVERTED_SIDE)?, profile))
}
