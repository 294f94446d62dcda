//! Pictures that move: how long each frame stays and how often all are played, from the blocks and chunks of GIF, PNG
//! and WebP. Nothing is decoded for it.

/// What a container says of its frames.
pub(crate) struct Moving {
    /// How long each frame stays, in milliseconds, as the file says it.
    pub(crate) delays_ms: Vec<u32>,
    /// How many rounds are played; 0 is without end.
    pub(crate) loops: u32,
    /// Is the end there?
    pub(crate) whole: bool,
}

/// The frames by the file's format; none for one that knows no frames.
pub(crate) fn frames_of(format: &str, bytes: &[u8]) -> Option<Moving> {
    match format {
        "gif" => Some(gif(bytes)),
        "png" => Some(png(bytes)),
        "webp" => Some(webp(bytes)),
        _ => None,
    }
}

fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(2)?).map(|n| u32::from(u16::from_le_bytes([n[0], n[1]])))
}

/// The blocks of a GIF (CompuServe, 1989): each graphic control says a delay in hundredths of a second.
pub(super) fn gif(bytes: &[u8]) -> Moving {
    let mut moving = Moving { delays_ms: Vec::new(), loops: 1, whole: false };
    let _ = walk_gif(bytes, &mut |block| match block {
        GifBlock::Frame(delay, _) => moving.delays_ms.push(delay * 10),
        GifBlock::Loops(0) => moving.loops = 0,
        // What is written is how often it is played again.
        GifBlock::Loops(again) => moving.loops = again + 1,
        GifBlock::End => moving.whole = true,
    });
    moving
}

/// Does a frame of a GIF name a transparent colour, or leave a part of the picture empty?
pub(super) fn gif_is_transparent(bytes: &[u8]) -> bool {
    let mut found = false;
    let _ = walk_gif(bytes, &mut |block| {
        if let GifBlock::Frame(_, transparent) = block {
            found |= transparent;
        }
    });
    found
}

enum GifBlock {
    Frame(u32, bool),
    Loops(u32),
    End,
}

fn walk_gif(bytes: &[u8], meet: &mut dyn FnMut(GifBlock)) -> Option<()> {
    let palette = |flags: u8| if flags & 0x80 > 0 { 3 << ((flags & 7) + 1) } else { 0_usize };
    let mut at = 13 + palette(*bytes.get(10)?);
    let blocks = |mut at: usize| -> Option<usize> {
        loop {
            let length = usize::from(*bytes.get(at)?);
            at += 1 + length;
            if length == 0 {
                return Some(at);
            }
        }
    };
    let (mut delay, mut transparent) = (0, false);
    loop {
        match *bytes.get(at)? {
            0x21 => {
                match *bytes.get(at + 1)? {
                    0xf9 => {
                        transparent = bytes.get(at + 3)? & 1 > 0;
                        delay = le16(bytes, at + 4)?;
                    }
                    0xff if matches!(bytes.get(at + 3..at + 14)?, b"NETSCAPE2.0" | b"ANIMEXTS1.0")
                        && bytes.get(at + 15) == Some(&1) =>
                    {
                        meet(GifBlock::Loops(le16(bytes, at + 16)?));
                    }
                    _ => {}
                }
                at = blocks(at + 2)?;
            }
            0x2c => {
                let next = blocks(at + 11 + palette(*bytes.get(at + 9)?))?;
                meet(GifBlock::Frame(delay, transparent));
                (delay, transparent) = (0, false);
                at = next;
            }
            0x3b => {
                meet(GifBlock::End);
                return Some(());
            }
            _ => return None,
        }
    }
}

/// The chunks of a PNG: `fcTL` is a frame of an animation (APNG), its delay a fraction of a second.
pub(super) fn png(bytes: &[u8]) -> Moving {
    let mut moving = Moving { delays_ms: Vec::new(), loops: 1, whole: false };
    let be32 = |at: usize| bytes.get(at..at + 4).map(|n| u32::from_be_bytes([n[0], n[1], n[2], n[3]]));
    let be16 = |at: usize| bytes.get(at..at + 2).map(|n| u32::from(u16::from_be_bytes([n[0], n[1]])));
    let mut at = 8_usize;
    while let (Some(length), Some(kind)) = (be32(at), bytes.get(at + 4..at + 8)) {
        let body = at + 8;
        match kind {
            b"acTL" => moving.loops = be32(body + 4).unwrap_or(0),
            b"fcTL" => {
                let (part, of) = (be16(body + 20).unwrap_or(0), be16(body + 22).unwrap_or(0));
                moving.delays_ms.push(part * 1000 / if of == 0 { 100 } else { of });
            }
            _ => {}
        }
        let end = body.saturating_add(length as usize).saturating_add(4);
        if end > bytes.len() {
            break;
        }
        if kind == b"IEND" {
            moving.whole = true;
            break;
        }
        at = end;
    }
    moving
}

/// The chunks of a WebP: `ANMF` is a frame, `ANIM` says how often all are played.
pub(super) fn webp(bytes: &[u8]) -> Moving {
    let le32 = |at: usize| bytes.get(at..at + 4).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
    let said = le32(4).unwrap_or(0) as usize;
    let whole = bytes.len() >= said.saturating_add(8);
    let mut moving = Moving { delays_ms: Vec::new(), loops: 1, whole };
    let mut at = 12_usize;
    while let (Some(kind), Some(length)) = (bytes.get(at..at + 4), le32(at + 4)) {
        match kind {
            b"ANIM" => moving.loops = le16(bytes, at + 12).unwrap_or(0),
            b"ANMF" => moving.delays_ms.push(le32(at + 8 + 12).map_or(0, |n| n & 0xff_ffff)),
            _ => {}
        }
        at = at.saturating_add(8).saturating_add(length as usize).saturating_add(length as usize & 1);
    }
    moving
}
