//! The probe and the pictures of every fixture against what other tools say of it (`tests/fixtures/media/answers.json`:
//! ffprobe, identify, exiftool, pdfinfo, LibreOffice).
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]
#![allow(
    clippy::needless_pass_by_value,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "two values side by side; the names of fixtures"
)]

mod support;

use image::GenericImageView;
use media::{
    Probe,
    probe::{AudioFacts, ProblemCode, VideoFacts},
    worker::{Failure, Pool},
};
use serde_json::Value;
use std::collections::BTreeMap;
use support::{fixture, input, pool};

fn answers() -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(fixture("answers.json")).unwrap();
    let all: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    all.into_iter().filter(|(name, _)| !name.starts_with('_')).collect()
}

fn probed(pool: &Pool, name: &str) -> Probe {
    media::probe(pool, &fixture(name), name).unwrap()
}

/// What the list of formats does not know: the probe says so and no more.
const UNKNOWN: [&str; 13] =
    ["aiff", "caf", "au", "amr", "wma", "wmv", "ico", "ods", "odp", "epub", "srt", "vtt", "json"];

/// Collects what differs, so that one run shows all of it.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, ours: T, theirs: T) {
        if ours != theirs {
            self.0.push(format!("{what}: the probe says {ours:?}, the tool {theirs:?}"));
        }
    }
    fn near(&mut self, what: &str, ours: Option<f64>, theirs: f64, within: f64) {
        if ours.is_none_or(|ours| (ours - theirs).abs() > within) {
            self.0.push(format!("{what}: the probe says {ours:?}, the tool {theirs}, {within} allowed"));
        }
    }
}

fn codec_of(stream: &Value) -> String {
    let name = stream["codec"].as_str().unwrap();
    if name.starts_with("pcm_") { "pcm".to_owned() } else { name.to_owned() }
}

fn streams<'a>(answer: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = answer["streams"].as_array().into_iter().flatten();
    all.filter(|stream| stream["type"] == kind && stream["cover"] != true).collect()
}

fn compare_sound(found: &mut Differences, name: &str, facts: &AudioFacts, answer: &Value, stream: &Value) {
    let number = |key: &str| stream[key].as_u64().unwrap();
    found.same(&format!("{name}: codec"), facts.codec.clone(), Some(codec_of(stream)));
    found.same(&format!("{name}: rate"), facts.sample_rate.map(u64::from), Some(number("sample_rate")));
    found.same(&format!("{name}: channels"), facts.channels.map(u64::from), Some(number("channels")));
    // Without a table at its head, the length of a VBR file is ffprobe's guess, and wrong; and of a transport stream it tells
    // when the last packet begins, which holds several frames. So the samples count.
    let seconds = if name.contains("no-xing") || answer["format"] == "mpegts" {
        number("decoded_samples") as f64 / number("sample_rate") as f64
    } else {
        stream["duration"].as_f64().or_else(|| answer["duration"].as_f64()).unwrap()
    };
    let ours = facts.duration_ms.map(|ms| ms as f64);
    // Codecs of blocks pad the last one: a frame of mp3 or AAC is up to 26 ms at 44.1 kHz, twice that at half the rate.
    let within = if number("sample_rate") < 32_000 && codec_of(stream) != "pcm" { 50.0 } else { 26.0 };
    found.near(&format!("{name}: length in ms"), ours, seconds * 1000.0, within);
}

/// Are frames evenly spread? By the times at which ffprobe shows them, which are rounded to milliseconds in Matroska.
fn evenly(stream: &Value) -> bool {
    let times: Vec<f64> =
        stream["frame_times"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.iter().all(|step| (step - steps[0]).abs() < 0.002)
}

fn compare_film(found: &mut Differences, name: &str, facts: &VideoFacts, answer: &Value, stream: &Value) {
    let number = |key: &str| stream[key].as_u64();
    found.same(&format!("{name}: codec"), facts.codec.clone(), Some(codec_of(stream)));
    found.same(&format!("{name}: width"), facts.width.map(u64::from), number("width"));
    found.same(&format!("{name}: height"), facts.height.map(u64::from), number("height"));
    found.same(&format!("{name}: frames"), facts.frames, number("frames"));
    // ffprobe turns against the clock.
    let turn = (360 - stream["rotation"].as_i64().unwrap().rem_euclid(360)) % 360;
    found.same(&format!("{name}: rotation"), i64::from(facts.rotation), turn);
    found.same(&format!("{name}: constant rate"), facts.constant_frame_rate, Some(evenly(stream)));
    let (count, per) = stream["avg_frame_rate"].as_str().unwrap().split_once('/').unwrap();
    let seconds = stream["duration"].as_f64().or_else(|| answer["duration"].as_f64()).unwrap();
    // Of a transport stream ffprobe tells the rate of its first frames; the frames that it counts last as long together.
    let fps = if answer["format"] == "mpegts" {
        number("frames").unwrap() as f64 / seconds
    } else {
        count.parse::<f64>().unwrap() / per.parse::<f64>().unwrap()
    };
    found.near(&format!("{name}: frames a second"), facts.fps, fps, 0.01);
    let ours = facts.duration_ms.map(|ms| ms as f64);
    found.near(&format!("{name}: length in ms"), ours, seconds * 1000.0, 1000.0 / fps);
    // What ffprobe puts before 0, where a clock wraps, begins at 0.
    let start = stream["start_time"].as_f64().unwrap().max(0.0);
    found.near(&format!("{name}: start in ms"), facts.start_ms.map(|ms| ms as f64), start * 1000.0, 1.0);
    found.same(
        &format!("{name}: tracks of sound"),
        facts.audio_tracks as usize,
        streams(answer, "audio").len(),
    );
}

#[test]
fn sound_and_film_are_as_ffprobe_says() {
    let (pool, mut found, mut compared) = (pool(), Differences::default(), 0);
    for (name, answer) in answers().iter().filter(|(_, answer)| answer["streams"].is_array()) {
        let end = name.rsplit('.').next().unwrap();
        let probe = probed(&pool, name);
        if UNKNOWN.contains(&end) {
            found.same(name, probe.format.as_str(), "bin");
            continue;
        }
        found.same(&format!("{name}: problems"), format!("{:?}", probe.problems).as_str(), "[]");
        if let Some(stream) = streams(answer, "audio").first() {
            match &probe.audio {
                Some(facts) => compare_sound(&mut found, name, facts, answer, stream),
                None => found.same(name, "no sound", "sound"),
            }
        }
        match (&probe.video, streams(answer, "video").first()) {
            (Some(facts), Some(stream)) => compare_film(&mut found, name, facts, answer, stream),
            (None, None) => {}
            (ours, theirs) => found.same(&format!("{name}: is film"), ours.is_some(), theirs.is_some()),
        }
        compared += 1;
    }
    assert_eq!(found.0, Vec::<String>::new(), "ffprobe says the same");
    assert!(compared > 50, "{compared} files were compared");
}

#[test]
fn pictures_are_as_identify_and_exiftool_say() {
    let (pool, mut found, mut compared) = (pool(), Differences::default(), 0);
    for (name, answer) in answers().iter().filter(|(_, answer)| answer["shown"]["pixels"].is_array()) {
        if name.ends_with(".ico") {
            continue;
        }
        let probe = probed(&pool, name);
        let facts = probe.image.unwrap();
        let number = |key: &str| answer[key].as_u64();
        let problems: Vec<_> = probe.problems.iter().map(|problem| problem.code).collect();
        let known: &[ProblemCode] = if name.contains("script.svg") {
            &[ProblemCode::ActiveContent, ProblemCode::ExternalContent]
        } else {
            &[]
        };
        found.same(&format!("{name}: problems"), problems.as_slice(), known);
        found.same(&format!("{name}: width"), facts.width.map(u64::from), number("width"));
        found.same(&format!("{name}: height"), facts.height.map(u64::from), number("height"));
        found.same(
            &format!("{name}: orientation"),
            Some(u64::from(facts.orientation)),
            number("orientation"),
        );
        if answer["frames"].is_u64() {
            found.same(&format!("{name}: frames"), facts.frames.map(u64::from), number("frames"));
        }
        if let (Some(alpha), false) = (answer["alpha"].as_bool(), name.ends_with(".gif")) {
            found.same(&format!("{name}: alpha"), facts.alpha, Some(alpha));
        }
        if let Some(delays) = answer["delays_ms"].as_array() {
            let all = delays.iter().map(|ms| ms.as_u64().unwrap()).sum();
            found.same(&format!("{name}: length in ms"), facts.duration_ms, Some(all));
        }
        if let Some(again) = number("repeats") {
            let rounds = if again == 0 { 0 } else { again + 1 };
            found.same(&format!("{name}: rounds"), facts.loops.map(u64::from), Some(rounds));
        }
        compared += 1;
    }
    assert_eq!(found.0, Vec::<String>::new(), "identify and exiftool say the same");
    assert!(compared > 40, "{compared} pictures were compared");
}

/// The pixels that the tools show, in an upright picture, a few steps apart where the file is lossy.
fn shows(found: &mut Differences, what: &str, png: &[u8], shown: &Value) {
    let picture = image::load_from_memory(png).unwrap();
    let size = (shown["width"].as_u64().unwrap(), shown["height"].as_u64().unwrap());
    found.same(what, (u64::from(picture.width()), u64::from(picture.height())), size);
    if (u64::from(picture.width()), u64::from(picture.height())) != size {
        return;
    }
    for pixel in shown["pixels"].as_array().unwrap() {
        let at = |key: &str| u32::try_from(pixel[key].as_u64().unwrap()).unwrap();
        let ours = picture.get_pixel(at("x"), at("y")).0;
        let theirs: Vec<u8> = serde_json::from_value(pixel["rgba"].clone()).unwrap();
        // Where nothing shows, its colour is nothing.
        let far = if theirs[3] == 0 && ours[3] == 0 {
            0
        } else {
            ours.iter().zip(&theirs).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
        };
        if far > 12 {
            found.0.push(format!("{what} at {},{}: {ours:?}, the tool {theirs:?}", at("x"), at("y")));
        }
    }
}

#[test]
fn thumbnails_and_converted_pictures_show_the_same_upright() {
    let (pool, mut found, mut compared) = (pool(), Differences::default(), 0);
    for (name, answer) in answers().iter().filter(|(_, answer)| answer["shown"]["pixels"].is_array()) {
        let shown = &answer["shown"];
        let end = name.rsplit('.').next().unwrap();
        if matches!(end, "svg" | "avif" | "heic" | "ico") || name.contains("wide.png") {
            continue;
        }
        let wish = media::PictureWish { convert: true, ..media::PictureWish::default() };
        let thumbnail = media::thumbnail(&pool, input(name), 4096).unwrap();
        let (view, converted) = media::picture(&pool, input(name), wish).unwrap();
        let converted = converted.unwrap();
        assert!(!view.original, "{name}: a conversion was asked for");
        if name.contains("adobergb") {
            // The numbers stay, and the profile that says what they mean goes with them.
            for png in [&thumbnail, &converted] {
                assert!(png.windows(4).any(|chunk| chunk == b"iCCP"), "{name}: the profile is kept");
            }
            continue;
        }
        shows(&mut found, &format!("{name}: thumbnail"), &thumbnail, shown);
        shows(&mut found, &format!("{name}: converted"), &converted, shown);
        compared += 1;
    }
    assert_eq!(found.0, Vec::<String>::new(), "the tools show the same");
    assert!(compared > 35, "{compared} pictures were compared");
}

#[test]
fn a_part_of_a_turned_picture_is_cut_where_it_shows() {
    let (pool, mut found) = (pool(), Differences::default());
    for orientation in 1..=8 {
        let name = format!("images/orientation-{orientation}.jpg");
        let part = Some(media::Part { x: 56, y: 40, width: 8, height: 8 });
        let wish = media::PictureWish { part, ..media::PictureWish::default() };
        let (_, png) = media::picture(&pool, input(&name), wish).unwrap();
        let corner = serde_json::json!({
            "width": 8, "height": 8, "pixels": [{"x": 4, "y": 4, "rgba": [0, 0, 255, 255]}]
        });
        shows(&mut found, &name, &png.unwrap(), &corner);
    }
    assert_eq!(found.0, Vec::<String>::new(), "the blue block is at the bottom right of all eight");
}

#[test]
fn frames_and_pages_are_given_one_by_one() {
    let pool = pool();
    let frame = |name: &str, at: u32| {
        let wish = media::PictureWish { frame: Some(at), ..media::PictureWish::default() };
        media::picture(&pool, input(name), wish)
    };
    for (name, frames) in
        [("images/animated.gif", 3), ("images/animated.webp", 3), ("images/two-page.tiff", 2)]
    {
        let pictures: Vec<Vec<u8>> = (0..frames).map(|at| frame(name, at).unwrap().1.unwrap()).collect();
        let different = pictures.windows(2).all(|pair| pair[0] != pair[1]);
        assert!(different, "{name}: no two that follow each other are the same");
        let beyond = frame(name, frames).unwrap_err();
        assert!(matches!(beyond, Failure::Refused { .. }), "{name}: there is no further one: {beyond:?}");
    }
    let (view, png) =
        media::picture(&pool, input("images/animated.gif"), media::PictureWish::default()).unwrap();
    assert_eq!((view.original, png), (true, None), "all of them move in the web view itself");
    assert_eq!(view.delays_ms, [100, 200, 400], "as identify says");
    let (view, _) =
        media::picture(&pool, input("images/two-page.tiff"), media::PictureWish::default()).unwrap();
    assert_eq!((view.original, view.pages), (false, 2), "a web view shows no TIFF");
}

#[test]
fn what_the_web_view_would_show_wrongly_is_converted() {
    let pool = pool();
    let original =
        |name: &str| media::picture(&pool, input(name), media::PictureWish::default()).unwrap().0.original;
    assert!(original("images/orientation-6.jpg"), "every web view heeds EXIF in JPEG");
    assert!(!original("images/orientation-6.png"), "not every one does in PNG");
    assert!(!original("images/orientation-6.webp"), "nor in WebP");
    assert!(!original("images/wide.png"), "20,000 pixels are too wide for one");
    assert!(original("images/letter.svg") && original("images/letter.avif"), "only a web view shows these");
    let heic = media::picture(&pool, input("images/letter.heic"), media::PictureWish::default()).unwrap_err();
    assert!(matches!(heic, Failure::Refused { .. }), "nothing here shows HEIC, and that is said: {heic:?}");
}

#[test]
fn documents_are_as_pdfinfo_and_libreoffice_say() {
    let (pool, mut found) = (pool(), Differences::default());
    let has = |probe: &Probe, code| probe.problems.iter().any(|problem| problem.code == code);
    for (name, answer) in &answers() {
        if let Some(pages) = answer["pages"].as_u64() {
            let probe = probed(&pool, name);
            let facts = probe.document.clone().unwrap();
            found.same(&format!("{name}: encrypted"), Some(facts.encrypted), answer["encrypted"].as_bool());
            if !name.contains("user-password") {
                found.same(&format!("{name}: pages"), facts.pages.map(u64::from), Some(pages));
            }
            if answer["javascript"] == true {
                found.same(&format!("{name}: scripts"), has(&probe, ProblemCode::ActiveContent), true);
            }
        }
        if name.ends_with(".xlsx") && !name.contains("password") {
            let sheets = probed(&pool, name).document.unwrap().sheets.map(|count| count as usize);
            found.same(
                &format!("{name}: sheets"),
                sheets,
                answer["shown"].as_object().map(serde_json::Map::len),
            );
        }
    }
    let source = std::fs::read_to_string(fixture("sources/slides.fodp")).unwrap();
    let slides = probed(&pool, "documents/slides.pptx").document.unwrap().slides.map(|count| count as usize);
    found.same("slides.pptx: slides", slides, Some(source.matches("<draw:page ").count()));
    for name in ["documents/password.docx", "documents/password.xlsx", "documents/user-password.pdf"] {
        let probe = probed(&pool, name);
        let facts = probe.document.clone().unwrap();
        found.same(name, (facts.encrypted, has(&probe, ProblemCode::Encrypted)), (true, true));
        found.same(&format!("{name}: format"), probe.format.as_str(), name.rsplit('.').next().unwrap());
    }
    let probe = probed(&pool, "documents/external-image.docx");
    found.same("external-image.docx", has(&probe, ProblemCode::ExternalContent), true);
    let links = probed(&pool, "documents/links.pdf").document.unwrap().links;
    found.same("links.pdf: it has links that lead out", links.is_some_and(|links| links > 0), true);
    assert_eq!(found.0, Vec::<String>::new(), "pdfinfo and LibreOffice say the same");
}

#[test]
fn a_file_that_is_cut_is_called_cut() {
    let pool = pool();
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "images/rgb8.png",
        "images/baseline.jpg",
        "images/animated.gif",
        "images/lossy.webp",
        "images/rgb24.bmp",
        "images/letter.svg",
        "images/letter.avif",
        "images/letter.heic",
        "audio/s16-stereo.wav",
        "audio/cbr.mp3",
        "audio/vorbis.ogg",
        "audio/stereo.opus",
        "audio/aac-lc.m4a",
        "audio/adts.aac",
        "audio/s16.flac",
        "video/h264-25fps.mp4",
        "video/faststart.mp4",
        "video/vp9-opus.webm",
        "video/mpeg4-mp3.avi",
        "video/h264.ts",
        "documents/text.pdf",
        "documents/full.docx",
        "documents/sheets.xlsx",
    ] {
        let whole = std::fs::read(fixture(name)).unwrap();
        let path = folder.path().join(name.replace('/', "-"));
        std::fs::write(&path, &whole[..whole.len() * 3 / 5]).unwrap();
        let probe = media::probe(&pool, &path, name).unwrap();
        let codes: Vec<_> = probe.problems.iter().map(|problem| problem.code).collect();
        assert!(codes.contains(&ProblemCode::Truncated), "{name} misses two fifths: {codes:?}");
        let end = name.rsplit('.').next().unwrap().replace("jpg", "jpeg");
        assert_eq!(probe.format, end, "{name}: what is left still says what it is");
    }
}
