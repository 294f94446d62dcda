//! Fixtures cut short, with bits turned, under a wrong name. Nothing is random: the same files at every run.

use super::Case;
use crate::support::fixture;
use std::{path::PathBuf, sync::Arc};

/// At most so many files come of all fixtures together, so that the test stays short when fixtures are added.
const ABOUT: usize = 420;
/// Ways to break one fixture.
const WAYS: usize = 24;

pub fn cases() -> Vec<Case> {
    let mut fixtures = files(fixture(""));
    fixtures.sort();
    let each = (ABOUT / fixtures.len().max(1)).clamp(2, WAYS);
    let mut cases = Vec::new();
    for (nth, path) in fixtures.iter().enumerate() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = Arc::new(std::fs::read(path).unwrap());
        for turn in 0..each {
            // With many fixtures each meets some of the ways, its neighbours others.
            let way = (nth * each + turn * WAYS / each) % WAYS;
            let bytes = Arc::clone(&bytes);
            cases.push(match way {
                0..9 => Case::new(format!("cut-{}0%-{name}", way + 1), move || {
                    bytes[..bytes.len() * (way + 1) / 10].to_vec()
                }),
                9..20 => Case::new(format!("flipped-{way}-{name}"), move || flipped(&bytes, way as u64)),
                20..22 => {
                    let ending = ["pdf", "png", "mp4", "docx", "wav", "csv"][(nth + way) % 6];
                    Case::new(format!("{nth}-named-{way}.{ending}"), move || bytes.to_vec())
                }
                22 => Case::new(format!("head-lost-{name}"), move || bytes[bytes.len().min(7)..].to_vec()),
                _ => Case::new(format!("twice-{name}"), move || [&bytes[..], &bytes[..]].concat()),
            });
        }
    }
    cases
}

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, size) = (entry.path(), entry.metadata().unwrap().len());
        if path.is_dir() {
            all.extend(files(path));
        } else if path.extension().is_some_and(|end| end != "json" && end != "py") && size < 8 << 20 {
            all.push(path);
        }
    }
    all
}

/// More bits the higher the way: one in the head, then one of every 4096, every 1024, …
fn flipped(bytes: &[u8], way: u64) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let mut state = way.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ bytes.len() as u64;
    let mut next = || {
        // xorshift64*
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33
    };
    let (turns, within) = match way % 4 {
        0 => (3, out.len().min(64)),
        1 => (out.len() / 4096 + 1, out.len()),
        2 => (out.len() / 256 + 1, out.len()),
        _ => (out.len() / 16 + 1, out.len()),
    };
    for _ in 0..turns.min(100_000) {
        let at = usize::try_from(next()).unwrap() % within.max(1);
        if let Some(byte) = out.get_mut(at) {
            *byte ^= 1 << (next() % 8);
        }
    }
    out
}
