//! Fuzzes the parsers of ours: `cargo run -p actions --example fuzz -- [SECONDS] [TARGET…]`, 60 seconds each if none are
//! given. Inputs begin as those in `tests/fixtures/fuzz` and are changed at random from a fixed start; one that is taken in a
//! way not met before is changed further. A find lies in `target/fuzz/TARGET-…`; what was being tried when the
//! whole process died lies in `target/fuzz/TARGET.last`. Mend it, then add it to the fixtures, which the tests replay.
#![allow(clippy::expect_used, reason = "a tool for us may stop where it finds nothing")]

#[path = "../fuzz/targets.rs"]
mod targets;

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
    time::{Duration, Instant},
};

/// The longest input that is made.
const LONGEST: usize = 64 << 10;
/// An input that takes longer is a find.
const SLOW: Duration = Duration::from_secs(5);
/// What formats are made of.
const WORDS: [&[u8]; 48] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b":",
    b"\n",
    b"\r\n",
    b"\0",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"-0",
    b"null",
    b"\\ud83d",
    b"\\udc00",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFF",
    b"../",
    b"..\\",
    b"data:image/png;base64,AAAA",
    b"http://a.b/c.mp4",
    b"\"prompt_id\":",
    b"\"modality\":",
    b"\"score\":",
    b"'=",
    b"=",
    b"<w:p>",
    b"</w:p>",
    b"<w:tbl>",
    b"<w:tc>",
    b"<!--",
    b"&#x10FFFF;",
    b"moov",
    b"trak",
    b"stts",
    b"\x47\x41\0\x10",
    b"\0\0\x01\xe0\0\0\x80\x80\x05",
    b"OggS\0\x02",
    b"\x1f\x43\xb6\x75",
    b"\0\0\0\x08",
    b"\xFF\xFF\xFF\xFF",
    b"\x7F\xFF\xFF\xFF",
    b"bytes=",
    b"-18446744073709551615",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    /// Below `n`, and 0 where `n` is.
    fn below(&mut self, n: usize) -> usize {
        usize::try_from((self.next() >> 16) % (n.max(1) as u64)).unwrap_or(0)
    }
}

fn change(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(input.len() + 1);
        let to = (at + 1 + random.below(32)).min(input.len());
        match random.below(9) {
            0 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            1 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte = random.next().to_le_bytes()[3];
                }
            }
            2 => drop(input.drain(at..to)),
            3 => {
                let part = input[at..to].to_vec();
                input.splice(at..at, part);
            }
            4 | 5 => {
                let word = WORDS[random.below(WORDS.len())];
                input.splice(at..at, word.iter().copied());
            }
            6 => {
                let word = WORDS[random.below(WORDS.len())];
                let end = (at + word.len()).min(input.len());
                input.splice(at..end, word.iter().copied());
            }
            7 => input.truncate(at),
            _ => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
        }
    }
    if random.below(200) == 0 {
        // The same again and again: what nests, nests deep.
        let part = input[..input.len().min(64)].to_vec();
        input = part.repeat(1 + random.below(LONGEST / part.len().max(1)));
    }
    input.truncate(LONGEST);
    input
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().and_then(|text| text.parse().ok()).unwrap_or(60);
    let wanted: BTreeSet<String> = args.collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let out = root.join("target/fuzz");
    fs::create_dir_all(&out).expect("target can be written to");
    let place: &'static Mutex<String> = Box::leak(Box::default());
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string).unwrap_or_default();
        *place.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = format!("{at}: {panic}");
    }));
    let mut found = 0;
    for (name, run) in targets::TARGETS.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(*name))
    {
        found += fuzz(name, *run, seconds, &root.join("tests/fixtures/fuzz").join(name), &out, place);
    }
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn fuzz(
    name: &str,
    run: fn(&[u8]) -> u64,
    seconds: u64,
    seeds: &Path,
    out: &Path,
    place: &Mutex<String>,
) -> usize {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(seeds).map(|all| all.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    paths.sort();
    let mut corpus: Vec<Vec<u8>> = paths.iter().filter_map(|path| fs::read(path).ok()).collect();
    corpus.push(Vec::new());
    let (mut seen, mut finds) = (HashSet::new(), BTreeMap::<String, usize>::new());
    let began = Instant::now();
    let (mut runs, seeds) = (0, corpus.len());
    while began.elapsed().as_secs() < seconds {
        let input = if runs < seeds { corpus[runs].clone() } else { change(&mut random, &corpus) };
        let last = out.join(format!("{name}.last"));
        let _ = fs::write(&last, &input);
        let started = Instant::now();
        let end = catch_unwind(AssertUnwindSafe(|| run(&input)));
        let what = match end {
            Ok(way) => {
                if seen.insert(way) && runs >= seeds && corpus.len() < 20_000 {
                    corpus.push(input.clone());
                }
                (started.elapsed() > SLOW).then(|| format!("slow: {:?}", started.elapsed()))
            }
            Err(_) => Some(place.lock().map(|said| said.clone()).unwrap_or_default()),
        };
        if let Some(what) = what {
            let place: String = what.split(": ").next().unwrap_or_default().to_owned();
            let times = finds.entry(place).or_default();
            *times += 1;
            if *times == 1 {
                let file = out.join(format!("{name}-{runs}"));
                let _ = fs::write(&file, &input);
                println!("{name}: {} {what}", file.display());
            }
        }
        runs += 1;
    }
    println!("{name}: {runs} runs, {} ways, {} finds in {seconds} s", seen.len(), finds.len());
    finds.len()
}
