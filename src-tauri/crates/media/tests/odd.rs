//! Files as life has them: joined, cut, padded, tagged, written by programs with habits of their own. What is right of each is
//! worked out by hand from what it was made of.
#![allow(clippy::unwrap_used, reason = "a test may stop where it finds nothing")]

mod support;

use media::{
    Probe,
    probe::{Kind, ProblemCode as Code},
    worker::Pool,
};
use std::io::Write;
use support::fixture;

struct Desk {
    pool: Pool,
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { pool: support::pool(), folder: tempfile::tempdir().unwrap() }
    }
    fn probe(&self, name: &str, bytes: &[u8]) -> Probe {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        media::probe(&self.pool, &path, name).unwrap()
    }
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).unwrap()
}

fn codes(probe: &Probe) -> Vec<Code> {
    probe.problems.iter().map(|problem| problem.code).collect()
}

/// Frames, length in milliseconds, rate, whether it is constant, and start of a film.
type Film = (Option<u64>, Option<u64>, Option<f64>, Option<bool>, Option<u64>);

fn film(probe: &Probe) -> Film {
    let facts = probe.video.clone().unwrap();
    (facts.frames, facts.duration_ms, facts.fps, facts.constant_frame_rate, facts.start_ms)
}

fn packets(stream: &[u8]) -> Vec<Vec<u8>> {
    stream.chunks(188).map(<[u8]>::to_vec).collect()
}

/// The id that a packet carries.
fn id(packet: &[u8]) -> u16 {
    u16::from(packet[1] & 0x1f) << 8 | u16::from(packet[2])
}

/// As `answers.json` has it: 50 frames in 2 s, the first at 1.48 s.
const WHOLE: Film = (Some(50), Some(2000), Some(25.0), Some(true), Some(1480));

#[test]
fn a_transport_stream_is_read_whatever_stands_between_its_packets() {
    let (desk, stream) = (Desk::new(), bytes("video/h264.ts"));
    let repaired: Vec<u8> = packets(&stream).iter().flat_map(|p| [&p[..], &[0x55; 16]].concat()).collect();
    let null = [b"\x47\x1f\xff\x10".as_slice(), &[0xff; 184]].concat();
    let padded: Vec<u8> = packets(&stream).iter().flat_map(|p| [&p[..], &null].concat()).collect();
    let late = [[7; 100].as_slice(), &stream].concat();
    for (name, bytes) in [("repaired.ts", &repaired), ("padded.ts", &padded), ("late.ts", &late)] {
        let probe = desk.probe(name, bytes);
        assert_eq!((probe.format.as_str(), film(&probe), codes(&probe)), ("ts", WHOLE, vec![]), "{name}");
    }
    let mut inside = stream.clone();
    inside.splice(188 * 50..188 * 50, [0x55; 9000]);
    let probe = desk.probe("inside.ts", &inside);
    assert_eq!(
        (film(&probe), codes(&probe)),
        (WHOLE, vec![Code::Undecodable]),
        "9,000 bytes that are none of it"
    );
}

#[test]
fn a_transport_stream_tells_what_is_missing_of_it() {
    let (desk, stream) = (Desk::new(), bytes("video/h264.ts"));
    let all = packets(&stream);
    let cut = desk.probe("cut.ts", &stream[..188 * 100 + 7]);
    assert!(codes(&cut).contains(&Code::Truncated), "the last packet is cut: {:?}", cut.problems);
    // Two that are in the middle of the first picture.
    let starts: Vec<usize> =
        (0..all.len()).filter(|at| id(&all[*at]) == 0x100 && all[*at][1] & 0x40 > 0).collect();
    let lost = [&all[..=starts[0]], &all[starts[0] + 3..]].concat().concat();
    let probe = desk.probe("lost.ts", &lost);
    assert_eq!(codes(&probe), [Code::Undecodable], "{:?}", probe.problems);
    assert_eq!(film(&probe), WHOLE, "the pictures are still counted");
    let tables: Vec<u8> = all.iter().filter(|p| matches!(id(p), 0 | 0x1000)).flatten().copied().collect();
    let probe = desk.probe("tables.ts", &tables.repeat(3));
    assert_eq!(codes(&probe), [Code::Undecodable], "no picture and no sound");
    let facts = probe.video.unwrap();
    assert_eq!(
        (facts.codec.as_deref(), facts.frames, facts.audio_tracks),
        (Some("h264"), None, 1),
        "which it names"
    );
    let without: Vec<u8> = all.iter().filter(|p| !matches!(id(p), 0 | 0x1000)).flatten().copied().collect();
    assert_eq!(codes(&desk.probe("without.ts", &without)), [Code::Undecodable], "nothing says what it holds");
    let scrambled: Vec<u8> = all
        .iter()
        .cloned()
        .flat_map(|mut p| {
            p[3] |= if matches!(id(&p), 0x100 | 0x101) { 0x80 } else { 0 };
            p
        })
        .collect();
    assert_eq!(codes(&desk.probe("scrambled.ts", &scrambled)), [Code::Encrypted], "only its tables are open");
}

#[test]
fn a_transport_stream_that_was_joined_goes_on() {
    let (desk, stream) = (Desk::new(), bytes("video/h264.ts"));
    let probe = desk.probe("joined.ts", &stream.repeat(2));
    let (frames, duration, fps, constant, start) = film(&probe);
    assert_eq!((frames, start), (Some(100), Some(1480)), "both parts");
    assert!(duration.unwrap().abs_diff(4000) <= 40, "twice two seconds: {duration:?}");
    assert!((fps.unwrap() - 25.0).abs() < 0.5, "{fps:?}");
    assert_eq!(constant, Some(false), "a player may see a gap, so no frame has a number");
    assert_eq!(probe.audio.unwrap().duration_ms, Some(4087), "176 frames of 1024 samples at 44.1 kHz");
}

#[test]
fn a_film_that_ends_before_its_first_cluster_has_the_facts_of_its_head() {
    let desk = Desk::new();
    for (name, film, sound) in [("video/vp9-opus.webm", "vp9", "opus"), ("video/h264.mkv", "h264", "aac")] {
        let whole = bytes(name);
        let cluster = whole.windows(4).position(|four| four == b"\x1f\x43\xb6\x75").unwrap();
        for end in [cluster, cluster + 3] {
            let probe = desk.probe(name.rsplit('/').next().unwrap(), &whole[..end]);
            assert_eq!(codes(&probe), [Code::Truncated, Code::Undecodable], "{name}");
            let facts = probe.video.unwrap();
            assert_eq!(
                (
                    facts.codec.as_deref(),
                    facts.width,
                    facts.height,
                    facts.fps,
                    facts.frames,
                    facts.audio_tracks
                ),
                (Some(film), Some(160), Some(120), Some(25.0), None, 1),
                "{name} up to {end}"
            );
            assert_eq!(probe.audio.unwrap().codec.as_deref(), Some(sound), "{name}");
        }
        let tracks = whole.windows(4).position(|four| four == b"\x16\x54\xae\x6b").unwrap();
        let probe = desk.probe("head.mkv", &whole[..tracks + 20]);
        assert!(codes(&probe).contains(&Code::Undecodable), "no track is whole: {:?}", probe.problems);
    }
}

#[test]
fn ogg_has_pictures_or_goes_on_in_a_chain() {
    let desk = Desk::new();
    let probe = desk.probe("film.ogv", &bytes("video/theora-vorbis.ogv"));
    assert_eq!((probe.kind, probe.format.as_str()), (Kind::Video, "ogg"));
    assert_eq!(film(&probe), (Some(50), Some(2000), Some(25.0), Some(true), Some(0)));
    let chain = [bytes("audio/vorbis.ogg"), bytes("video/theora-vorbis.ogv")].concat();
    let probe = desk.probe("chain.ogg", &chain);
    assert_eq!(probe.kind, Kind::Audio, "it begins with sound alone");
    let chain = bytes("audio/stereo.opus").repeat(3);
    let facts = desk.probe("chain.opus", &chain).audio.unwrap();
    assert_eq!(facts.duration_ms, Some(6000), "three times two seconds");
}

#[test]
fn mpeg_audio_is_found_between_tags_and_in_joined_files() {
    let (desk, plain) = (Desk::new(), bytes("audio/cbr.mp3"));
    let once = desk.probe("once.mp3", &plain).audio.unwrap();
    let item = b"\x05\0\0\0\0\0\0\0Title\0hello";
    let ape = |flags: u32| {
        let size = u32::try_from(item.len() + 32).unwrap();
        let numbers = [2000, size, 1, flags].map(u32::to_le_bytes).concat();
        [b"APETAGEX".as_slice(), &numbers, &[0; 8]].concat()
    };
    let tag = [&ape(0xa000_0000)[..], item.as_slice(), &ape(0x8000_0000)].concat();
    let old = [b"TAG".as_slice(), &[b'x'; 125]].concat();
    for (name, bytes) in [
        ("ape-before.mp3", [&tag[..], &plain].concat()),
        ("tags-behind.mp3", [&plain[..], &tag, &old].concat()),
        ("zeros-before.mp3", [[0; 3000].as_slice(), &plain].concat()),
        ("id3-and-zeros.mp3", [b"ID3\x04\0\0\0\0\0\x0a".as_slice(), &[0; 10 + 2048], &plain].concat()),
    ] {
        let probe = desk.probe(name, &bytes);
        assert_eq!((probe.format.as_str(), codes(&probe)), ("mp3", vec![]), "{name}");
        assert_eq!(probe.audio.unwrap(), once, "{name}");
    }
    let joined = desk.probe("joined.mp3", &[&plain[..], &old, &plain].concat());
    let facts = joined.audio.clone().unwrap();
    // Of the second file the frame that holds its table counts as sound: 26 ms.
    let both = 2 * once.duration_ms.unwrap() + 26;
    assert!(facts.duration_ms.unwrap().abs_diff(both) <= 1, "{facts:?}, {both} ms in all");
    assert_eq!(codes(&joined), [Code::LengthMismatch], "the first file's table tells of the first alone");
}

fn riff(size: u32, format: [u16; 8], data: u32, sound: &[u8]) -> Vec<u8> {
    // Tag, channels, rate (two halves), bytes a second (two halves), bytes a frame, bits.
    let format: Vec<u8> = format.iter().flat_map(|n| n.to_le_bytes()).collect();
    let head = [b"RIFF".as_slice(), &size.to_le_bytes(), b"WAVEfmt \x10\0\0\0", &format, b"data"].concat();
    [&head[..], &data.to_le_bytes(), sound].concat()
}

#[test]
fn a_wave_file_that_was_not_finished_or_is_coded_says_what_it_can() {
    let desk = Desk::new();
    let sound = [0; 16_000];
    let pcm = [1, 1, 8000, 0, 16_000, 0, 2, 16];
    let probe = desk.probe("unfinished.wav", &riff(0, pcm, 0, &sound));
    assert_eq!(probe.audio.as_ref().unwrap().duration_ms, Some(1000), "16,000 bytes at 16,000 a second");
    assert_eq!(codes(&probe), [Code::LengthMismatch]);
    let probe = desk.probe("empty.wav", &riff(36, pcm, 0, b""));
    assert_eq!((probe.audio.unwrap().duration_ms, probe.problems), (Some(0), vec![]), "this one is finished");
    // GSM: 65 bytes of each block of 320 samples.
    let gsm = [0x31, 1, 8000, 0, 1625, 0, 65, 0];
    let probe = desk.probe("gsm.wav", &riff(36 + 3250, gsm, 3250, &sound[..3250]));
    let facts = probe.audio.clone().unwrap();
    assert_eq!(
        (facts.codec.as_deref(), facts.sample_rate, facts.channels, facts.duration_ms),
        (Some("gsm_ms"), Some(8000), Some(1), Some(2000)),
        "50 blocks of 40 ms"
    );
    assert_eq!(codes(&probe), [Code::Undecodable]);
}

#[test]
fn boxes_may_begin_with_room_and_an_index_may_lack_a_part() {
    let (desk, film_) = (Desk::new(), bytes("video/faststart.mp4"));
    let whole = film(&desk.probe("whole.mp4", &film_));
    let room = [b"\0\0\0\x10free\0\0\0\0\0\0\0\0".as_slice(), &film_].concat();
    let probe = desk.probe("room.mp4", &room);
    assert_eq!((probe.format.as_str(), film(&probe)), ("mp4", whole));
    let without = |name: &[u8]| {
        let mut bytes = film_.clone();
        while let Some(at) = bytes.windows(4).position(|four| four == name) {
            bytes[at..at + 4].copy_from_slice(b"none");
        }
        desk.probe("without.mp4", &bytes)
    };
    let times = without(b"stts");
    assert_eq!((film(&times).0, codes(&times)), (None, vec![Code::Truncated]), "no frame has a time");
    assert_eq!(codes(&without(b"stsz")), [Code::Undecodable], "no frame has a length");
}

/// A BigTIFF of 2 × 1 pixels in RGB, one strip, not packed.
fn big_tiff() -> Vec<u8> {
    let entries: [(u16, u16, u64); 9] = [
        (256, 3, 2),
        (257, 3, 1),
        (258, 3, 8),
        (259, 3, 1),
        (262, 3, 2),
        (273, 16, 16),
        (277, 3, 3),
        (278, 3, 1),
        (279, 16, 6),
    ];
    let mut bytes = b"II+\0\x08\0\0\0".to_vec();
    bytes.extend_from_slice(&24_u64.to_le_bytes());
    bytes.extend_from_slice(&[255, 0, 0, 0, 0, 255, 0, 0]);
    bytes.extend_from_slice(&(entries.len() as u64).to_le_bytes());
    for (tag, kind, value) in entries {
        // Three samples of 8 bits each.
        let (count, value) = if tag == 258 { (3, 0x0008_0008_0008) } else { (1_u64, value) };
        bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        bytes.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend_from_slice(&0_u64.to_le_bytes());
    bytes
}

#[test]
fn a_tiff_for_more_than_4_gib_is_shown() {
    let desk = Desk::new();
    let probe = desk.probe("big.tif", &big_tiff());
    let facts = probe.image.clone().unwrap();
    assert_eq!((facts.width, facts.height, facts.frames), (Some(2), Some(1), Some(1)));
    assert_eq!(codes(&probe), []);
    let input = media::worker::Input::Bytes(big_tiff());
    let picture =
        image::load_from_memory(&media::thumbnail(&desk.pool, input, 16).unwrap()).unwrap().to_rgb8();
    assert_eq!(picture.into_raw(), [255, 0, 0, 0, 0, 255], "red and blue");
}

#[test]
fn a_drawing_whose_size_is_that_of_its_place_says_so() {
    let desk = Desk::new();
    let probe =
        desk.probe("fills.svg", br#"<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="50%"/>"#);
    assert_eq!((probe.image.clone().unwrap().width, codes(&probe)), (None, vec![Code::UnknownCodec]));
    let probe =
        desk.probe("sized.svg", br#"<svg xmlns="http://www.w3.org/2000/svg" width="2cm" height="10mm"/>"#);
    let facts = probe.image.clone().unwrap();
    // 96 pixels an inch of 2.54 cm: 75.6 and 37.8.
    assert_eq!((facts.width, facts.height, codes(&probe)), (Some(76), Some(38), vec![]));
}

fn zipped(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn office_files_may_use_prefixes_and_names_of_their_own() {
    let desk = Desk::new();
    // As programs on the Open XML SDK write them: a prefix on every name, simple quotes.
    let book =
        "<x:workbook xmlns:x='m'><x:sheets><x:sheet name='a'/><x:sheet name='b'/></x:sheets></x:workbook>";
    let relations = "<r:Relationships xmlns:r='p'><r:Relationship Id='r1' Type='k/externalLinkPath' \
        Target='file:///etc/passwd' TargetMode='External'/></r:Relationships>";
    let entries = [
        ("[Content_Types].xml", "<Types/>"),
        ("xl/workbook.xml", book),
        ("xl/externalLinks/_rels/externalLink1.xml.rels", relations),
        ("xl/macrosheets/sheet1.xml", "<xm:macrosheet/>"),
    ];
    let probe = desk.probe("prefixed.xlsx", &zipped(&entries));
    assert_eq!(probe.document.as_ref().unwrap().sheets, Some(2));
    assert_eq!(codes(&probe), [Code::ActiveContent, Code::ExternalContent], "{:?}", probe.problems);
    // As Word on the web names the main part.
    let root = "<Relationships><Relationship Id=\"r1\" \
        Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" \
        Target=\"word/document2.xml\"/></Relationships>";
    let text = "<w:document><w:body><w:p><w:r><w:t>of its own</w:t></w:r></w:p></w:body></w:document>";
    let entries = [("[Content_Types].xml", "<Types/>"), ("_rels/.rels", root), ("word/document2.xml", text)];
    let bytes = zipped(&entries);
    let probe = desk.probe("web.docx", &bytes);
    assert_eq!((probe.format.as_str(), codes(&probe)), ("docx", vec![]), "{:?}", probe.problems);
    let input = media::worker::Input::Bytes(bytes);
    let text = media::text(&desk.pool, input, "web.docx").unwrap().text;
    assert_eq!(text.trim(), "of its own");
}

#[test]
fn a_pdf_may_begin_behind_other_bytes() {
    let (desk, plain) = (Desk::new(), bytes("documents/text.pdf"));
    let probe = desk.probe("mailed.pdf", &[b"X-Header: yes\r\n\r\n".as_slice(), &plain].concat());
    assert_eq!(probe.document.as_ref().unwrap().pages, Some(5), "{:?}", probe.problems);
    assert_eq!(codes(&probe), [], "its places count from its head");
}

#[test]
fn a_page_without_a_doctype_is_one_if_its_name_says_so() {
    let desk = Desk::new();
    let page = b"<p>hello</p><script>run()</script>";
    let probe = desk.probe("part.html", page);
    assert_eq!((probe.format.as_str(), codes(&probe)), ("html", vec![Code::ActiveContent]));
    assert_eq!(desk.probe("part.md", page).format, "md", "Markdown may begin so too");
    let long = [b"<!-- ".as_slice(), &[b'x'; 9000], b" --><html><p>x"].concat();
    assert_eq!(desk.probe("late.txt", &long).format, "html", "behind a long comment");
    assert_eq!(desk.probe("words.html", b"just words").format, "txt", "no page");
}

#[test]
fn a_tiff_with_a_table_of_colours_is_shown() {
    // Two pixels, the numbers 1 and 2; behind the directory the table: 256 reds, greens and blues of 16 bits.
    let table = 8 + 2 + 11 * 12 + 4;
    let entries: [(u16, u16, u32, u32); 11] = [
        (256, 3, 1, 2),
        (257, 3, 1, 1),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 3),
        (273, 4, 1, table + 1536),
        (274, 3, 1, 1),
        (277, 3, 1, 1),
        (278, 3, 1, 1),
        (279, 4, 1, 2),
        (320, 3, 768, table),
    ];
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend_from_slice(&11_u16.to_le_bytes());
    for (tag, kind, count, value) in entries {
        bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        bytes.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend_from_slice(&[0; 4]);
    let mut colours = vec![0_u16; 768];
    (colours[1], colours[256 + 2], colours[512 + 2]) = (0xffff, 0x8080, 0x4040);
    bytes.extend(colours.iter().flat_map(|part| part.to_le_bytes()));
    bytes.extend_from_slice(&[1, 2]);
    let desk = Desk::new();
    let probe = desk.probe("palette.tif", &bytes);
    assert_eq!(
        (probe.image.clone().unwrap().width, codes(&probe)),
        (Some(2), vec![]),
        "{:?}",
        probe.problems
    );
    let input = media::worker::Input::Bytes(bytes);
    let picture =
        image::load_from_memory(&media::thumbnail(&desk.pool, input, 16).unwrap()).unwrap().to_rgb8();
    assert_eq!(picture.into_raw(), [255, 0, 0, 0, 0x80, 0x40], "the colours 1 and 2 of its table");
}

#[test]
fn colours_under_their_opacity_are_shown_as_they_were() {
    // Two pixels of red, green, blue and opacity; the colours of the first, at half opacity, are half of what they were.
    let entries: [(u16, u32, u32); 10] = [
        (256, 1, 2),
        (257, 1, 1),
        (258, 4, 8 + 2 + 10 * 12 + 4),
        (259, 1, 1),
        (262, 1, 2),
        (273, 1, 8 + 2 + 10 * 12 + 4 + 8),
        (277, 1, 4),
        (278, 1, 1),
        (279, 1, 8),
        (338, 1, 1),
    ];
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend_from_slice(&10_u16.to_le_bytes());
    for (tag, count, value) in entries {
        bytes.extend([tag.to_le_bytes(), 3_u16.to_le_bytes()].concat());
        bytes.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&[8, 0, 8, 0, 8, 0, 8, 0]);
    bytes.extend_from_slice(&[64, 0, 128, 128, 9, 8, 7, 255]);
    let desk = Desk::new();
    let input = media::worker::Input::Bytes(bytes);
    let picture =
        image::load_from_memory(&media::thumbnail(&desk.pool, input, 16).unwrap()).unwrap().to_rgba8();
    assert_eq!(picture.into_raw(), [128, 0, 255, 128, 9, 8, 7, 255]);
}
