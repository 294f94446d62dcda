//! PNG with eight bits a channel, and the colour profile that its numbers are meant by.

use image::{DynamicImage, ImageEncoder, codecs::png::PngEncoder};

/// A PNG. A profile goes with it where it is of the same kind of colour: one of CMYK says nothing of the RGB that was
/// made from it.
pub(super) fn png(picture: &DynamicImage, profile: Option<Vec<u8>>) -> Result<Vec<u8>, String> {
    let eight;
    let picture = match picture {
        DynamicImage::ImageLuma8(_)
        | DynamicImage::ImageLumaA8(_)
        | DynamicImage::ImageRgb8(_)
        | DynamicImage::ImageRgba8(_) => picture,
        deeper => {
            let colour = deeper.color();
            eight = match (colour.has_color(), colour.has_alpha()) {
                (true, true) => DynamicImage::ImageRgba8(deeper.to_rgba8()),
                (true, false) => DynamicImage::ImageRgb8(deeper.to_rgb8()),
                (false, true) => DynamicImage::ImageLumaA8(deeper.to_luma_alpha8()),
                (false, false) => DynamicImage::ImageLuma8(deeper.to_luma8()),
            };
            &eight
        }
    };
    let mut out = Vec::new();
    let mut encoder = PngEncoder::new(&mut out);
    let space: &[u8] = if picture.color().has_color() { b"RGB " } else { b"GRAY" };
    if let Some(profile) = profile.filter(|profile| profile.get(16..20) == Some(space)) {
        // A profile that cannot be written is a loss of colour, not of the picture.
        let _ = encoder.set_icc_profile(profile);
    }
    encoder
        .write_image(picture.as_bytes(), picture.width(), picture.height(), picture.color().into())
        .map_err(|e| format!("the picture cannot be written: {e}"))?;
    Ok(out)
}

/// The description of an ICC profile (ICC.1, 9.2.41), or `unnamed`.
pub(crate) fn profile_name(profile: &[u8]) -> String {
    described(profile).filter(|name| !name.is_empty()).unwrap_or_else(|| "unnamed".to_owned())
}

fn described(profile: &[u8]) -> Option<String> {
    let be32 =
        |at: usize| profile.get(at..at.checked_add(4)?).map(|n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]));
    let tags = be32(128)?.min(200) as usize;
    let entry = (0..tags).map(|n| 132 + n * 12).find(|at| profile.get(*at..at + 4) == Some(b"desc"))?;
    let (at, length) = (be32(entry + 4)? as usize, be32(entry + 8)? as usize);
    let tag = profile.get(at..at.checked_add(length)?)?;
    let number =
        |at: usize| tag.get(at..at + 4).map(|n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]) as usize);
    let text = match tag.get(..4)? {
        b"desc" => {
            let text = tag.get(12..12_usize.checked_add(number(8)?)?)?;
            String::from_utf8_lossy(text).into_owned()
        }
        b"mluc" => {
            let (length, from) = (number(20)?, number(24)?);
            let pairs = tag.get(from..from.checked_add(length)?)?.chunks_exact(2);
            String::from_utf16_lossy(&pairs.map(|b| u16::from_be_bytes([b[0], b[1]])).collect::<Vec<_>>())
        }
        _ => return None,
    };
    Some(text.trim_matches(['\0', ' ']).to_owned())
}
