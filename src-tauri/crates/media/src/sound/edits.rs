//! What an MP4's edit list cuts off at the start: the encoder's delay, which players do not play. symphonia does not
//! apply edit lists.

use crate::worker::Input;
use re_mp4::{Mp4, StsdBoxContent};
use std::io::BufReader;

/// A delay of over a second is no encoder's; such an edit is left alone.
const MOST_SECONDS: u64 = 1;

/// How many frames stand before the first that is heard; 0 for what is no MP4.
pub(super) fn skipped_frames(input: &Input, rate: u32) -> u64 {
    let is_mp4 = input.head(12).is_ok_and(|head| head.get(4..8) == Some(b"ftyp"));
    if !is_mp4 || rate == 0 {
        return 0;
    }
    let Ok(length) = input.length() else { return 0 };
    let Some(mp4) = input.open().ok().and_then(|file| Mp4::read(BufReader::new(file), length).ok()) else {
        return 0;
    };
    mp4.moov
        .traks
        .iter()
        .find(|trak| matches!(trak.mdia.minf.stbl.stsd.contents, StsdBoxContent::Mp4a(_)))
        .filter(|trak| trak.mdia.mdhd.timescale == rate)
        .and_then(|trak| trak.edts.as_ref()?.elst.as_ref()?.entries.first().map(|edit| edit.media_time))
        .filter(|frames| *frames <= u64::from(rate) * MOST_SECONDS)
        .unwrap_or(0)
}
