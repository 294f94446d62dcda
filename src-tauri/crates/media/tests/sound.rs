//! Sound to the sample: where a seek lands, what repeats, what two clips do side by side, and whether a waveform shows
//! what is heard. Fixtures are ffmpeg's (`tests/fixtures/media/make`).
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]

mod support;

use media::{
    playback::Player,
    waveforms::{Look, Seen, Waveforms},
    worker::{Frame, Input, Job, Limits},
};
use std::{
    io::Write,
    ops::ControlFlow,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use support::{fixture, input, pool, program};

const FORMATS: [&str; 5] = ["tone.wav", "tone.mp3", "tone.flac", "tone.ogg", "tone.m4a"];

/// The samples of a sound between two frames, as the worker decodes them.
fn samples(input: Input, from: u64, until: Option<u64>) -> Vec<f32> {
    let mut samples = Vec::new();
    let args = serde_json::json!({"from_frame": from, "until_frame": until});
    let job = Job::new("pcm", args, input).within(Limits::STREAM);
    pool()
        .run(&job, |frame| {
            if let Frame::Bytes(bytes) = frame {
                samples.extend(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    samples
}

/// The correlation of the left channels of two interleaved stereo sounds, `b` moved by `lag` frames.
fn alike(a: &[f32], b: &[f32], lag: usize) -> f64 {
    let left = |all: &[f32], skip: usize| -> Vec<f64> {
        all.as_chunks::<2>().0.iter().skip(skip).take(40_000).map(|f| f64::from(f[0])).collect()
    };
    let (a, b) = (left(a, 0), left(b, lag));
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
}

#[test]
fn encoders_delay_and_padding_are_not_heard() {
    // 2 s at 44.1 kHz of two sines that begin at 0: what was encoded is the wav.
    let wav = samples(input("tone.wav"), 0, None);
    assert_eq!(wav.len(), 2 * 88_200, "two channels of 2 s");
    for name in FORMATS {
        let decoded = samples(input(name), 0, None);
        // An AAC file does not say where its padding begins; the others do.
        let over = if name == "tone.m4a" { 1024 } else { 0 };
        let frames = decoded.len() / 2;
        assert!((88_200..=88_200 + over).contains(&frames), "{name} has {frames} frames of 88200");
        let same = alike(&wav, &decoded, 0);
        assert!(same > 0.99, "{name} begins where the wav does: {same}");
        // A quarter of the sine's period: late by half a millisecond is seen.
        assert!(alike(&wav, &decoded, 25) < 0.5, "the measure tells {name} from one that is late");
    }
}

#[test]
fn a_seek_gives_the_samples_that_decoding_from_the_start_gives() {
    for name in FORMATS {
        let whole = samples(input(name), 0, None);
        let frames = whole.len() as u64 / 2;
        for from in [1, 500, 1151, 1152, 1153, 12_345, 30_000, 44_100, 70_001, frames - 1] {
            let until = (from + 3_000).min(frames);
            let part = samples(input(name), from, Some(until));
            let at = |frame: u64| usize::try_from(frame * 2).unwrap();
            assert_eq!(part.len(), at(until - from), "{name}: as many frames as asked for from {from} on");
            let wanted = &whole[at(from)..at(until)];
            // AAC comes back with other low bits than from the start: 0.00002 was seen, and noise that the decoder fills
            // bands with (ISO 14496-3, 4.6.13) would explain it. A sample's shift would be a thousand times as much.
            let within = if name == "tone.m4a" { 1.0 / 32_768.0 } else { 0.0 };
            let off = part.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off <= within, "{name}: the very samples from frame {from} on; off by {off}");
        }
        assert_eq!(samples(input(name), frames + 10, None), [0.0; 0], "{name}: nothing lies behind its end");
    }
}

#[test]
fn a_part_repeats_without_a_gap_or_a_sample_too_many() {
    for name in ["tone.wav", "tone.mp3", "tone.ogg"] {
        let whole = samples(input(name), 0, None);
        let (mixer, mut heard) = rodio::mixer::mixer(2.try_into().unwrap(), 44_100.try_into().unwrap());
        let mut player = Player::on(program(), mixer);
        player.load(input(name)).unwrap();
        player.seek(10_500).unwrap();
        player.repeat(Some(10_000..11_500)).unwrap();
        // One more than are taken below: the first of the part once more.
        player.wait_ready(2 * 4_001).unwrap();
        player.play().unwrap();
        let got: Vec<f32> = heard.by_ref().take(2 * 4_000).collect();
        let once = &whole[20_000..23_000];
        let expected: Vec<f32> = [&once[1_000..], once, once].concat();
        assert!(got == expected, "{name}: from the middle of the part, then the part twice");
        assert_eq!(player.position().unwrap(), 11_500, "it is at the part's end again");
        let _ = heard.next();
        assert_eq!(player.position().unwrap(), 10_000, "and the next frame is the part's first");
        player.repeat(None).unwrap();
        player.wait_ready(2 * 3_000).unwrap();
        let got: Vec<f32> = heard.by_ref().take(2 * 3_000).collect();
        // A pitch looks alike again and again: the place is looked for from the part's start on.
        let from =
            20_000 + whole[20_000..].windows(64).position(|window| window == &got[2_000..2_064]).unwrap();
        assert!(got[2_000..] == whole[from..from + 4_000], "{name}: without the part it plays on");
        assert!(from + 4_000 > 23_000, "over the part's end");
    }
}

#[test]
fn two_clips_change_over_at_the_same_time_and_loudness() {
    let (a, b) = (samples(input("tone.wav"), 0, None), samples(input("tone.flac"), 0, None));
    let (mixer, mut heard) = rodio::mixer::mixer(2.try_into().unwrap(), 44_100.try_into().unwrap());
    let mut player = Player::on(program(), mixer);
    player.load_pair([(input("tone.wav"), 1.0), (input("tone.flac"), 0.5)]).unwrap();
    player.wait_ready(2 * 20_000).unwrap();
    player.play().unwrap();
    let mut take = |frames: usize| -> Vec<f32> { heard.by_ref().take(2 * frames).collect() };
    assert!(take(5_000) == a[..10_000], "the first alone is heard, as it decodes");
    player.choose(1).unwrap();
    assert_eq!(player.position().unwrap(), 5_000, "the other is at the same place");
    let fade = take(240);
    assert!(fade.iter().all(|sample| sample.abs() <= 0.75), "no click while they change over");
    let got = take(5_000);
    let half: Vec<f32> = b[10_480..20_480].iter().map(|sample| sample * 0.5).collect();
    let off = got.iter().zip(&half).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
    assert!(off < 1e-5, "the other alone, at half its level, from where the first was: off by {off}");
    player.choose(0).unwrap();
    take(240);
    let off = take(2_000).iter().zip(&a[20_960..]).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
    assert!(off < 1e-5, "and back, without a sample lost: off by {off}");
}

#[test]
fn loudness_is_what_ffmpegs_ebur128_says() {
    // `ffmpeg -i tone.wav -af ebur128=peak=sample -f null -`: I -8.4 LUFS, peak -6.0 dBFS.
    let measured = media::loudness(&pool(), input("tone.wav")).unwrap();
    assert!((measured.lufs.unwrap() - -8.4).abs() < 0.06, "one decimal of ffmpeg's: {measured:?}");
    assert!((20.0 * measured.peak.log10() - -6.0).abs() < 0.06, "half of full scale: {measured:?}");
}

#[test]
fn a_spectrogram_shows_a_pitch_where_it_is_and_as_strong_as_it_is() {
    let rows = 128_u32;
    let seen = media::spectrogram(&pool(), input("tone.wav"), 0..88_200, 50, rows).unwrap();
    assert_eq!(seen.cells.len(), 50 * rows as usize, "a byte for each cell");
    // 440 Hz of 22050 on the mel scale: 549.6 of 3923.3, row 17.9 of 128. Half of full scale on one of two channels is a
    // quarter of both mixed, -12.04 dB: (1 - 12.04 / 96) * 255 = 223.
    for column in seen.cells.chunks(rows as usize).skip(1).take(48) {
        let (row, strength) = column.iter().enumerate().max_by_key(|(_, cell)| **cell).unwrap();
        assert!((17..=18).contains(&row), "440 Hz is row 17.9, not {row}");
        assert!(
            (219..=224).contains(strength),
            "a quarter is 223, at most 1.4 dB less between two bins: {strength}"
        );
        assert!(column[64..].iter().all(|cell| *cell < 60), "nothing above 5 kHz: {:?}", &column[64..]);
    }
    let close = media::spectrogram(&pool(), input("tone.wav"), 44_100..44_600, 200, 16).unwrap();
    assert_eq!(close.cells.len(), 200 * 16, "windows may overlap");
    let behind = media::spectrogram(&pool(), input("tone.wav"), 90_000..180_000, 4, 16).unwrap();
    assert!(behind.cells.iter().all(|cell| *cell == 0), "behind the end there is silence");
}

#[test]
fn captions_inside_an_mp4_come_as_webvtt() {
    let vtt = media::captions(&pool(), input("captions.mp4")).unwrap();
    assert_eq!(
        vtt.as_deref(),
        Some(
            "WEBVTT\n\n00:00:00.250 --> 00:00:01.500\nTwo  &amp; a pier\n\n\
             00:00:02.000 --> 00:00:03.000\nGone\n"
        ),
        "the two lines that were put in; ffmpeg took `<boats>` for a style and left it out"
    );
    for name in ["clip.mp4", "clip.webm", "tone.mp3"] {
        assert_eq!(media::captions(&pool(), input(name)).unwrap(), None, "{name} holds none");
    }
}

/// `clicks-vbr.mp3` over and over, as one file with one head that counts them all.
fn clicks(times: u32) -> (Vec<u8>, u64) {
    let one = std::fs::read(fixture("clicks-vbr.mp3")).unwrap();
    let tag = 10 + one[6..10].iter().fold(0_usize, |n, b| n << 7 | usize::from(*b));
    // MPEG 1 layer III at 44.1 kHz: a frame's length follows from its bit rate.
    let length = |at: usize| {
        let kbit =
            [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][usize::from(one[at + 2] >> 4)];
        144_000 * kbit / 44_100 + usize::from(one[at + 2] >> 1 & 1)
    };
    let mut frames = 0_u32;
    let mut at = tag + length(tag);
    let sound = at;
    while at + 4 <= one.len() && one[at] == 0xff {
        at += length(at);
        frames += 1;
    }
    assert_eq!(at, one.len(), "every byte belongs to a frame");
    let mut head = one[tag..sound].to_vec();
    // Mono: 4 bytes of header, 17 of side information; then `Xing`, flags, the count of frames and of bytes.
    assert_eq!(&head[21..25], b"Xing", "it says of itself that its bit rate varies");
    let bytes = u32::try_from((one.len() - sound) * times as usize + head.len()).unwrap();
    head[29..33].copy_from_slice(&(frames * times).to_be_bytes());
    head[33..37].copy_from_slice(&bytes.to_be_bytes());
    // The LAME part ends with a CRC-16 over all before it.
    let lame = 21 + 120;
    let crc = head[..lame + 34].iter().fold(0_u16, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xa001 } else { crc >> 1 })
    });
    head[lame + 34..lame + 36].copy_from_slice(&crc.to_be_bytes());
    let mut file = head;
    for _ in 0..times {
        file.extend_from_slice(&one[sound..]);
    }
    (file, u64::from(frames) * 1152)
}

fn waveforms(folder: &Path) -> Waveforms {
    Waveforms::new(folder.to_owned(), program(), Arc::new(pool()))
}

fn whole(waveforms: &Waveforms, sha256: &str, input: &Input, columns: u32) -> Seen {
    let look = Look { from_seconds: None, to_seconds: None, columns, patience: Duration::from_millis(100) };
    loop {
        let seen = waveforms.look(sha256, input, &look).unwrap();
        if seen.whole {
            return seen;
        }
    }
}

/// The first column that reaches 0.4, as a frame.
fn first_loud(seen: &Seen) -> u64 {
    let column = seen.columns.iter().position(|span| span.1 > 0.4).unwrap() as u64;
    seen.from_frame + (seen.until_frame - seen.from_frame) * column / seen.columns.len() as u64
}

#[test]
fn click_marks_and_sound_agree_over_forty_minutes_of_variable_bit_rate() {
    const RATE: u64 = 44_100;
    let (bytes, period) = clicks(100);
    let file = tempfile::Builder::new().suffix(".mp3").tempfile().unwrap();
    file.as_file().write_all(&bytes).unwrap();
    let input = Input::Path(file.path().to_owned());
    let folder = tempfile::tempdir().unwrap();
    let waveforms = waveforms(folder.path());
    let seen = whole(&waveforms, "40min", &input, 1_000);
    assert!(seen.frames.unwrap() > 40 * 60 * RATE, "it is over 40 minutes long: {:?}", seen.frames);
    let (mixer, mut heard) = rodio::mixer::mixer(1.try_into().unwrap(), 44_100.try_into().unwrap());
    let mut player = Player::on(program(), mixer);
    player.load(input.clone()).unwrap();
    // In which repetition, and the click of which second in it.
    for (repetition, second) in
        [(0_u64, 1_u64), (1, 2), (9, 5), (33, 11), (66, 20), (80, 1), (99, 17), (99, 23)]
    {
        let truth = repetition * period + second * RATE;
        let at = truth as f64 / RATE as f64;
        // The waveform, looked at closely and from afar.
        for (around, columns) in [(0.5, 1_000), (30.0, 3_000)] {
            // From just before the click, since there is one every second.
            let look = Look {
                from_seconds: Some(at - 0.4),
                to_seconds: Some(at - 0.4 + around),
                columns,
                patience: Duration::ZERO,
            };
            let seen = waveforms.look("40min", &input, &look).unwrap();
            let marked = first_loud(&seen);
            let off = marked.abs_diff(truth) * 1000 / RATE;
            assert!(off <= 15, "the mark of {at:.3} s in {around} s: off by {off} ms");
        }
        // The sound, from a seek to half a second before.
        let from = truth - RATE / 2;
        player.seek(from).unwrap();
        player.wait_ready(30_000).unwrap();
        player.play().unwrap();
        let got: Vec<f32> = heard.by_ref().take(30_000).collect();
        let click = got.iter().position(|sample| *sample > 0.4).unwrap() as u64;
        let off = (from + click).abs_diff(truth) * 1000 / RATE;
        assert!(off <= 5, "the click of {at:.3} s is heard off by {off} ms");
    }
}

#[test]
fn a_waveform_is_kept_by_hash_and_the_kept_one_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let first = whole(&waveforms(folder.path()), "a", &input("tone.ogg"), 300);
    assert_eq!((first.columns.len(), first.frames), (300, Some(88_200)), "2 s in 300 columns");
    assert!(
        first.columns[5..295]
            .iter()
            .all(|(low, high)| (-0.55..-0.45).contains(low) && (0.45..0.55).contains(high)),
        "a sine of 0.5, in whole periods"
    );
    let file = folder.path().join("a.waveform");
    let until = Instant::now() + Duration::from_secs(20);
    while !file.exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Another app on the same folder does not need the sound any more.
    let gone = Input::Path("/nowhere/tone.ogg".into());
    let again = whole(&waveforms(folder.path()), "a", &gone, 300);
    for (a, b) in first.columns.iter().zip(&again.columns) {
        assert!((a.0 - b.0).abs() < 2e-4 && (a.1 - b.1).abs() < 2e-4, "as it was kept: {a:?}, {b:?}");
    }
    // A kept file that was cut is not believed.
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 4]).unwrap();
    let look = Look { from_seconds: None, to_seconds: None, columns: 9, patience: Duration::from_secs(20) };
    assert!(waveforms(folder.path()).look("a", &gone, &look).is_err(), "it would have to be decoded again");
}

#[test]
fn a_long_sound_is_sketched_before_it_is_whole() {
    // Ten minutes at 8 kHz: silence but for a loud minute, the seventh.
    let (rate, minutes) = (8_000_u32, 10_u32);
    let bytes = rate * 60 * minutes * 2;
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + bytes).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(rate.to_le_bytes());
    wav.extend((rate * 2).to_le_bytes());
    wav.extend(b"\x02\0\x10\0data");
    wav.extend(bytes.to_le_bytes());
    for n in 0..rate * 60 * minutes {
        let loud = n / (rate * 60) == 6;
        let sample: i16 = if !loud {
            0
        } else if n % 8 < 4 {
            16_384
        } else {
            -16_384
        };
        wav.extend(sample.to_le_bytes());
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().write_all(&wav).unwrap();
    let input = Input::Path(file.path().to_owned());
    let folder = tempfile::tempdir().unwrap();
    let waveforms = waveforms(folder.path());
    let look = Look { from_seconds: None, to_seconds: None, columns: 100, patience: Duration::from_secs(20) };
    let seen = waveforms.look("long", &input, &look).unwrap();
    assert_eq!(seen.frames, Some(u64::from(rate * 60 * minutes)), "the head promises the length");
    for seen in [seen, whole(&waveforms, "long", &input, 100)] {
        for (at, span) in seen.columns.iter().enumerate() {
            let loud = (60..70).contains(&at);
            let expected = if loud { (-0.5, 0.5) } else { (0.0, 0.0) };
            // Buckets and places of the sketch may reach over the edges of the loud minute.
            let edge = [59, 60, 69, 70].contains(&at);
            let off = (span.0 - expected.0).abs().max((span.1 - expected.1).abs());
            assert!(edge || off < 1e-3, "column {at} is {expected:?}: {span:?} (whole: {})", seen.whole);
        }
    }
}
