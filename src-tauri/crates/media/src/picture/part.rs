//! Parts of a picture, in the coordinates of the upright one.

use image::{DynamicImage, metadata::Orientation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the upright picture, in its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
    /// How wide.
    pub width: u32,
    /// How tall.
    pub height: u32,
}

/// The longest side of a part.
const LONGEST: u32 = 4096;

/// Width and height after turning.
pub(super) fn upright_size((wide, tall): (u32, u32), orientation: Orientation) -> (u32, u32) {
    use Orientation as O;
    match orientation {
        O::Rotate90 | O::Rotate270 | O::Rotate90FlipH | O::Rotate270FlipH => (tall, wide),
        O::NoTransforms | O::Rotate180 | O::FlipHorizontal | O::FlipVertical => (wide, tall),
    }
}

/// A part of a picture that is stored unturned. The part is cut first, so that only it is turned.
pub(super) fn cut(
    stored: &DynamicImage,
    part: Part,
    orientation: Orientation,
) -> Result<DynamicImage, String> {
    let size = (stored.width(), stored.height());
    let (wide, tall) = upright_size(size, orientation);
    if part.x >= wide || part.y >= tall || part.width == 0 || part.height == 0 {
        return Err("this part lies outside of the picture".to_owned());
    }
    let part = Part {
        width: part.width.min(LONGEST).min(wide - part.x),
        height: part.height.min(LONGEST).min(tall - part.y),
        ..part
    };
    let Part { x, y, width, height } = stored_part(part, orientation, size);
    let mut cut = stored.crop_imm(x, y, width, height);
    cut.apply_orientation(orientation);
    Ok(cut)
}

/// Where a part of the upright picture is stored.
fn stored_part(part: Part, orientation: Orientation, (wide, tall): (u32, u32)) -> Part {
    use Orientation as O;
    let Part { x, y, width, height } = part;
    let (sideways, from_right, from_bottom) = match orientation {
        O::NoTransforms => (false, false, false),
        O::FlipHorizontal => (false, true, false),
        O::Rotate180 => (false, true, true),
        O::FlipVertical => (false, false, true),
        O::Rotate90FlipH => (true, false, false),
        O::Rotate90 => (true, false, true),
        O::Rotate270FlipH => (true, true, true),
        O::Rotate270 => (true, true, false),
    };
    let (x, y, width, height) = if sideways { (y, x, height, width) } else { (x, y, width, height) };
    Part {
        x: if from_right { wide - x - width } else { x },
        y: if from_bottom { tall - y - height } else { y },
        width,
        height,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_cut_before_turning_is_the_part_cut_after_it() {
        // Every pixel has another colour.
        let colours = |x, y| image::Rgb([u8::try_from(x * 30).unwrap(), u8::try_from(y * 40).unwrap(), 9]);
        let stored = DynamicImage::ImageRgb8(image::RgbImage::from_fn(7, 5, colours));
        let part = Part { x: 1, y: 2, width: 3, height: 2 };
        for exif in 1..=8 {
            let orientation = Orientation::from_exif(exif).unwrap();
            let mut turned = stored.clone();
            turned.apply_orientation(orientation);
            let after = turned.crop_imm(part.x, part.y, part.width, part.height);
            let before = cut(&stored, part, orientation).unwrap();
            assert_eq!(before, after, "orientation {exif}");
        }
        let outside = Part { x: 7, ..part };
        assert!(cut(&stored, outside, Orientation::NoTransforms).is_err(), "7 is the width");
    }
}
