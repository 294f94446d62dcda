//! The handlers on fixtures made with other tools (`tests/fixtures/media/make`), against those tools' own answers.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it finds nothing")]

mod support;

use media::{
    playback::Player,
    probe::ProblemCode,
    worker::{Frame, Input, Job, Limits},
};
use std::{
    io::{Read, Write},
    ops::ControlFlow,
    sync::Arc,
};
use support::{fixture, input, pool, program};

#[test]
fn sound_is_as_long_as_ffprobe_says() {
    let pool = pool();
    for (name, codec, rate) in [
        ("tone.wav", "pcm", 44_100),
        ("tone.mp3", "mp3", 44_100),
        ("tone.flac", "flac", 44_100),
        ("tone.ogg", "vorbis", 44_100),
        ("tone.m4a", "aac", 44_100),
        ("tone.opus", "opus", 48_000),
    ] {
        let probe = media::probe(&pool, &fixture(name), name).unwrap();
        assert_eq!(probe.format, name.rsplit('.').next().unwrap(), "the format of {name}, by its bytes");
        assert_eq!(probe.problems, [], "nothing is wrong with {name}");
        let audio = probe.audio.unwrap();
        assert_eq!(
            (audio.codec.as_deref(), audio.sample_rate, audio.channels),
            (Some(codec), Some(rate), Some(2)),
            "ffprobe says the same of {name}"
        );
        // ffprobe gives 2000 to 2038 ms: encoders add up to one frame and their delay.
        assert!((1_995..2_060).contains(&audio.duration_ms.unwrap()), "{name} lasts 2 s: {audio:?}");
    }
}

#[test]
fn pictures_and_videos_are_as_identify_and_ffprobe_say() {
    let pool = pool();
    let picture = media::probe(&pool, &fixture("shade.tiff"), "shade.png").unwrap();
    let facts = picture.image.unwrap();
    assert_eq!((facts.width, facts.height), (Some(40), Some(20)), "identify says 40x20");
    assert_eq!(picture.problems[0].code, ProblemCode::SuffixMismatch, "it is no png");
    let moves = media::probe(&pool, &fixture("moves.gif"), "moves.gif").unwrap();
    assert_eq!(moves.image.unwrap().frames, Some(3), "identify lists three frames");
    let video = media::probe(&pool, &fixture("clip.mp4"), "clip.mp4").unwrap().video.unwrap();
    assert_eq!(
        (video.codec.as_deref(), video.width, video.height, video.frames, video.duration_ms, video.start_ms),
        (Some("h264"), Some(64), Some(48), Some(12), Some(1000), Some(0)),
        "ffprobe says the same"
    );
    assert_eq!(
        (video.fps, video.constant_frame_rate),
        (Some(12.0), Some(true)),
        "it was made with 12 frames a second"
    );
}

#[test]
fn a_thumbnail_fits_its_box_and_stands_upright() {
    let jpeg = std::fs::read(fixture("turned.jpg")).unwrap();
    // EXIF with one entry: orientation (0x0112), SHORT, 1, the value 6 = turn 90 degrees clockwise.
    let exif = b"\xff\xe1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let turned = Input::Bytes([&jpeg[..2], exif, &jpeg[2..]].concat());
    let png = media::thumbnail(&pool(), turned, 10).unwrap();
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (5, 10), "40x20 shrinks to 10x5 and is turned");
}

#[test]
fn broken_files_end_in_typed_results() {
    let pool = pool();
    for name in [
        "clip.mp4",
        "tone.mp3",
        "tone.m4a",
        "turned.jpg",
        "moves.gif",
        "report.docx",
        "report.xlsx",
        "report.pptx",
        "report.pdf",
    ] {
        let whole = std::fs::read(fixture(name)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for tenth in 0..10 {
            let path = folder.path().join(name);
            let mut bytes = whole[..whole.len() * tenth / 10].to_vec();
            std::fs::write(&path, &bytes).unwrap();
            let probe = media::probe(&pool, &path, name).unwrap();
            assert_eq!(probe.bytes, bytes.len() as u64, "a probe of {name} cut at {tenth}/10");
            if tenth == 0 {
                assert_eq!(probe.problems[0].code, ProblemCode::Empty, "no bytes");
            }
            // Whole again, with every 97th byte wrong from there on: any result but the app's end.
            bytes = whole.clone();
            bytes.iter_mut().skip(10 + tenth).step_by(97).for_each(|b| *b ^= 0x55);
            std::fs::write(&path, &bytes).unwrap();
            media::probe(&pool, &path, name).unwrap();
            let _ = media::document(&pool, Input::Path(path.clone()), name, media::Reading::default());
            let _ = media::text(&pool, Input::Path(path), name);
        }
    }
    let cut = std::fs::read(fixture("clip.mp4")).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&cut[..1000]).unwrap();
    let codes: Vec<_> =
        media::probe(&pool, file.path(), "c.mp4").unwrap().problems.iter().map(|p| p.code).collect();
    assert!(codes.contains(&ProblemCode::Truncated), "its index stood at the end: {codes:?}");
}

/// A copy of a fixture in which `from`, which it must hold, reads as `to`.
fn changed(folder: &std::path::Path, name: &str, from: &[u8], to: &[u8]) -> std::path::PathBuf {
    let mut bytes = std::fs::read(fixture(name)).unwrap();
    let at = bytes.windows(from.len()).rposition(|window| window == from).expect("the fixture holds it");
    bytes[at..at + from.len()].copy_from_slice(to);
    let path = folder.join(name.rsplit('/').next().unwrap());
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_head_tells_what_no_decoder_gives() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    // The tag "compression" (0x103), a short, once: deflate becomes one that nobody knows.
    let tiff = changed(
        folder.path(),
        "images/deflate.tiff",
        b"\x03\x01\x03\0\x01\0\0\0\x08\0",
        b"\x03\x01\x03\0\x01\0\0\0\x63\0",
    );
    let (whole, probe) = (
        media::probe(&pool, &fixture("images/deflate.tiff"), "a.tiff").unwrap().image.unwrap(),
        media::probe(&pool, &tiff, "a.tiff").unwrap(),
    );
    let facts = probe.image.unwrap();
    assert!(
        probe.problems.iter().any(|p| p.code == ProblemCode::Undecodable),
        "nobody knows the compression"
    );
    assert!(whole.width.is_some(), "the sound one has a size");
    assert_eq!((facts.width, facts.height), (whole.width, whole.height), "the size is said all the same");
    // The block after the head of a FLAC claims 16 MB.
    let bytes = std::fs::read(fixture("audio/s16.flac")).unwrap();
    let mut claims = bytes[42..46].to_vec();
    claims[1..].fill(0xff);
    let flac = changed(folder.path(), "audio/s16.flac", &bytes[..46], &[&bytes[..42], &claims].concat());
    let (whole, probe) = (
        media::probe(&pool, &fixture("audio/s16.flac"), "a.flac").unwrap().audio.unwrap(),
        media::probe(&pool, &flac, "a.flac").unwrap(),
    );
    let facts = probe.audio.unwrap();
    assert!(probe.problems.iter().any(|p| p.code == ProblemCode::Undecodable), "nothing of it is reached");
    assert!(whole.duration_ms.is_some(), "the sound one has a length");
    assert_eq!(
        (facts.sample_rate, facts.channels, facts.duration_ms),
        (whole.sample_rate, whole.channels, whole.duration_ms),
        "the head says it all the same"
    );
}

/// A file with these bytes.
fn written(folder: &std::path::Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn text_of_two_or_four_bytes_a_letter_is_text() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let told = |bytes: &[u8]| {
        let path = written(folder.path(), "a.txt", bytes);
        let probe = media::probe(&pool, &path, "a.txt").unwrap();
        let encoding = probe.document.and_then(|document| document.encoding).unwrap_or_default();
        (probe.format, encoding)
    };
    let is = |format: &str, encoding: &str| (format.to_owned(), encoding.to_owned());
    // The mark and a letter are a sound head of a frame of MPEG audio, for many letters.
    for first in ('0'..='z').step_by(5) {
        for length in [4, 40, 300] {
            let text = format!("{first}{}", "ello world, and answer. ".repeat(20));
            let marked = [b"\xff\xfe".to_vec(), units(&text[..length])].concat();
            assert_eq!(told(&marked), is("txt", "UTF-16LE"), "{first} and {length} letters in all");
        }
    }
    assert_eq!(told(&units("without a mark\n")), is("txt", "UTF-16LE"), "every other byte is 0");
    let page = [b"\xff\xfe".to_vec(), units("<!DOCTYPE html><title>a</title>")].concat();
    assert_eq!(told(&page), is("html", "UTF-16LE"), "a page");
    let drawn = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"><script/></svg>";
    let path = written(folder.path(), "a.svg", &[b"\xff\xfe".to_vec(), units(drawn)].concat());
    let probe = media::probe(&pool, &path, "a.svg").unwrap();
    assert_eq!(probe.image.map(|facts| (facts.width, facts.height)), Some((Some(30), Some(20))), "a drawing");
    assert!(probe.problems.iter().any(|p| p.code == ProblemCode::ActiveContent), "and its script is found");
    let wide: Vec<u8> = "\u{feff}Hello".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    assert_eq!(told(&wide), is("txt", "UTF-32LE"), "four bytes a letter");
    let path = written(folder.path(), "a.txt", &wide);
    assert_eq!(media::text(&pool, Input::Path(path), "a.txt").unwrap().text.trim_end(), "Hello", "read");
}

#[test]
fn a_tag_before_other_sound_makes_it_no_mp3() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    // 133 bytes, of which the length says 7 bits in each byte.
    let tag = [b"ID3\x04\0\0\0\0\x01\x05".to_vec(), vec![0; 133]].concat();
    for (name, format) in [("audio/s16.flac", "flac"), ("audio/adts.aac", "aac")] {
        let bytes = std::fs::read(fixture(name)).unwrap();
        let path = written(folder.path(), "tagged", &[tag.clone(), bytes].concat());
        let (plain, tagged) =
            (media::probe(&pool, &fixture(name), "a").unwrap(), media::probe(&pool, &path, "a").unwrap());
        assert_eq!(tagged.format, format, "{name}: what stands behind the tag");
        assert!(tagged.audio.is_some(), "{name}: something is known");
        assert_eq!(tagged.audio, plain.audio, "{name}: and the same as without it");
        assert_eq!(tagged.problems, plain.problems, "{name}: nothing else is wrong with it");
    }
}

#[test]
fn sound_alone_in_the_box_of_a_film_is_sound() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    let path = changed(folder.path(), "tone.m4a", b"ftypM4A ", b"ftypmp42");
    let plain = media::probe(&pool, &fixture("tone.m4a"), "a.m4a").unwrap();
    for name in ["a.m4a", "a.mp4"] {
        let probe = media::probe(&pool, &path, name).unwrap();
        assert_eq!((probe.format.as_str(), probe.kind), ("m4a", plain.kind), "{name}: by its tracks");
        assert_eq!(probe.problems, [], "{name}: either ending is right");
        assert_eq!(probe.audio, plain.audio, "{name}: the same sound");
    }
    let film = media::probe(&pool, &fixture("clip.mp4"), "clip.m4a").unwrap();
    assert_eq!(film.format, "mp4", "it has pictures");
    assert_eq!(film.problems[0].code, ProblemCode::SuffixMismatch, "and its name denies them");
}

#[test]
fn a_gap_between_fragments_counts() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    let bytes = std::fs::read(fixture("video/fragmented.mp4")).unwrap();
    let boxed = |kind: &[u8; 4], body: &[u8]| {
        let length = u32::try_from(body.len() + 8).unwrap().to_be_bytes();
        [&length[..], kind, body].concat()
    };
    // One more fragment with one frame of 20 ms of the first track, 3 s after the beginning.
    let after = |scale: u32| {
        let tfhd = boxed(b"tfhd", &[0, 2, 0, 0, 0, 0, 0, 1]);
        let tfdt = boxed(b"tfdt", &[&[0_u8; 4][..], &(scale * 3).to_be_bytes()[..]].concat());
        let frame = [1_u32.to_be_bytes(), (scale / 50).to_be_bytes()].concat();
        let trun = boxed(b"trun", &[&[0_u8, 0, 1, 0][..], &frame[..]].concat());
        boxed(b"moof", &boxed(b"traf", &[tfhd, tfdt, trun].concat()))
    };
    let at = bytes.windows(4).position(|window| window == b"mdhd").unwrap();
    let scale = u32::from_be_bytes(bytes[at + 16..at + 20].try_into().unwrap());
    let path = written(folder.path(), "gap.mp4", &[bytes, after(scale)].concat());
    let whole = media::probe(&pool, &fixture("video/fragmented.mp4"), "a.mp4").unwrap().video.unwrap();
    let facts = media::probe(&pool, &path, "a.mp4").unwrap().video.unwrap();
    assert_eq!(whole.constant_frame_rate, Some(true), "without a gap");
    assert!(whole.duration_ms.is_some_and(|ms| ms < 2_900), "and it ends before the new fragment: {whole:?}");
    assert_eq!(facts.frames, whole.frames.map(|frames| frames + 1), "one more frame");
    assert_eq!(
        (facts.duration_ms, facts.constant_frame_rate),
        (Some(3_020), Some(false)),
        "to the end of the last fragment; the time of a frame is not its number's any more"
    );
}

#[test]
fn a_webm_that_is_cut_keeps_what_its_head_says() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    let bytes = std::fs::read(fixture("clip.webm")).unwrap();
    let path = written(folder.path(), "cut.webm", &bytes[..bytes.len() * 2 / 3]);
    let whole = media::probe(&pool, &fixture("clip.webm"), "a.webm").unwrap().video.unwrap();
    let probe = media::probe(&pool, &path, "a.webm").unwrap();
    let facts = probe.video.unwrap();
    assert!(whole.codec.is_some() && whole.width.is_some(), "the sound one has a codec and a size");
    assert_eq!(
        (facts.codec, facts.width, facts.height),
        (whole.codec, whole.width, whole.height),
        "the head says it all the same"
    );
    assert!(probe.problems.iter().any(|p| p.code == ProblemCode::Truncated), "it is cut");
    assert!(probe.problems.iter().all(|p| p.message.contains(' ')), "in words: {:?}", probe.problems);
}

#[test]
fn a_codec_that_matroska_has_from_avi_has_its_name() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    let path = changed(folder.path(), "video/h264.mkv", b"V_MPEG4/ISO/AVC", b"V_MS/VFW/FOURCC");
    let mut bytes = std::fs::read(&path).unwrap();
    // The codec's own head (CodecPrivate, its length in one byte): the name stands 16 bytes in.
    let at = bytes.windows(2).position(|window| window == b"\x63\xa2").unwrap() + 3;
    bytes[at + 16..at + 20].copy_from_slice(b"FFV1");
    let path = written(folder.path(), "a.mkv", &bytes);
    let video = media::probe(&pool, &path, "a.mkv").unwrap().video.unwrap();
    assert_eq!(video.codec.as_deref(), Some("ffv1"), "as AVI calls it");
}

#[test]
fn mp3_in_an_mp4_has_the_channels_that_its_frames_say() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    let mut bytes = std::fs::read(fixture("tone.m4a")).unwrap();
    let find = |what: &[u8]| bytes.windows(what.len()).rposition(|window| window == what).unwrap();
    // The kind of the stream, in its descriptor: AAC becomes mp3. Then where the first frame stands.
    let (kind, list) = (find(b"\x40\x15"), find(b"stco"));
    let first = u32::from_be_bytes(bytes[list + 12..list + 16].try_into().unwrap()) as usize;
    bytes[kind] = 0x6b;
    bytes[first..first + 4].copy_from_slice(b"\xff\xfb\x90\xc4");
    let path = written(folder.path(), "a.m4a", &bytes);
    let audio = media::probe(&pool, &path, "a.m4a").unwrap().audio.unwrap();
    assert_eq!(
        (audio.codec.as_deref(), audio.channels),
        (Some("mp3"), Some(1)),
        "mono, whatever the box says"
    );
}

#[test]
fn a_pdf_whose_table_is_broken_keeps_its_pages_and_words() {
    let (pool, folder) = (pool(), tempfile::tempdir().unwrap());
    for name in ["documents/text.pdf", "documents/object-streams.pdf", "documents/owner-password.pdf"] {
        let broken = changed(folder.path(), name, b"startxref", b"startnone");
        let (whole, probe) = (
            media::probe(&pool, &fixture(name), "a.pdf").unwrap(),
            media::probe(&pool, &broken, "a.pdf").unwrap(),
        );
        let codes: Vec<_> = probe.problems.iter().map(|p| p.code).collect();
        assert!(codes.contains(&ProblemCode::Damaged), "{name}: it is said: {codes:?}");
        let (whole, facts) = (whole.document.unwrap(), probe.document.unwrap());
        assert!(whole.pages.is_some(), "{name}: the sound one has pages");
        assert_eq!((facts.pages, facts.encrypted), (whole.pages, whole.encrypted), "{name}: its pages");
        let text = |path| media::text(&pool, Input::Path(path), "a.pdf").unwrap().text;
        assert_eq!(text(broken), text(fixture(name)), "{name}: its words");
    }
}

#[test]
fn after_a_seek_the_very_sample_is_heard() {
    for name in ["tone.wav", "tone.mp3", "tone.flac", "tone.ogg"] {
        let mut reference = Vec::new();
        let job = Job::new("pcm", serde_json::json!({"from_frame": 0}), input(name)).within(Limits::STREAM);
        pool()
            .run(&job, |frame| {
                if let Frame::Bytes(bytes) = frame {
                    reference.extend(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)));
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        let (mixer, mut heard) = rodio::mixer::mixer(2.try_into().unwrap(), 44_100.try_into().unwrap());
        let mut player = Player::on(program(), mixer);
        player.load(input(name)).unwrap();
        player.seek(12_345).unwrap();
        player.wait_ready(4_000).unwrap();
        player.play().unwrap();
        let got: Vec<f32> = heard.by_ref().take(2_000).collect();
        assert!(got == reference[24_690..26_690], "{name}: frame 12345 is sample 24690 of two channels");
        assert_eq!(player.position().unwrap(), 13_345, "1000 frames were heard");
    }
}

#[test]
fn the_loopback_server_answers_ranges_and_refuses_strangers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blob");
    std::fs::write(&path, b"0123456789").unwrap();
    let server = media::serve::bind().unwrap();
    let (port, base) = (server.port(), server.base());
    let known = "a".repeat(64);
    let source = {
        let known = known.clone();
        move |sha: &str| (sha == known).then(|| (path.clone(), "video/mp4".to_owned()))
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.spawn(server.serve(Arc::new(source), "tauri://localhost"));
    let token = base.rsplit('/').next().unwrap().to_owned();
    let ask = |method: &str, token: &str, sha: &str, host: &str, range: &str| {
        let mut to = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
        let range = if range.is_empty() { String::new() } else { format!("Range: {range}\r\n") };
        write!(to, "{method} /{token}/{sha} HTTP/1.1\r\nHost: {host}\r\n{range}Connection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        to.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].to_owned(), head.to_ascii_lowercase(), body.to_owned())
    };
    let host = format!("127.0.0.1:{port}");
    let (status, head, body) = ask("GET", &token, &known, &host, "");
    assert_eq!((status.as_str(), body.as_str()), ("200", "0123456789"), "the whole");
    for line in [
        "accept-ranges: bytes",
        "content-type: video/mp4",
        "nosniff",
        "sandbox; default-src 'none'",
        "content-length: 10",
    ] {
        assert!(head.contains(line), "{line} stands in {head}");
    }
    let (status, head, body) = ask("GET", &token, &known, &host, "bytes=2-4");
    assert_eq!((status.as_str(), body.as_str()), ("206", "234"), "a part");
    assert!(head.contains("content-range: bytes 2-4/10"), "which part it is: {head}");
    let (status, head, body) = ask("HEAD", &token, &known, &host, "");
    assert_eq!((status.as_str(), body.as_str()), ("200", ""), "no body after HEAD");
    assert!(head.contains("content-length: 10"), "but its length: {head}");
    for range in ["bytes=10-", "bytes=0-1,3-4"] {
        let (status, head, _) = ask("GET", &token, &known, &host, range);
        assert_eq!(status, "416", "{range} cannot be served");
        assert!(head.contains("content-range: bytes */10"), "the length is told: {head}");
    }
    assert_eq!(
        ask("GET", &token, &known, "evil.example", "").0,
        "403",
        "a name that was rebound to 127.0.0.1"
    );
    assert_eq!(ask("GET", &"0".repeat(64), &known, &host, "").0, "404", "another token");
    assert_eq!(
        ask("GET", &token, &"b".repeat(64), &host, "").0,
        "404",
        "a blob that the session may not see"
    );
}
