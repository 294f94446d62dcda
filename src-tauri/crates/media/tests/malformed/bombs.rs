//! Small files that promise, unpack to or nest into more than any machine has; and files of a head alone.

use super::Case;
use crate::support::fixture;
use flate2::{
    Compression,
    write::{GzEncoder, ZlibEncoder},
};
use std::{
    fmt::Write as _,
    io::{Cursor, Read, Write},
};
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

pub fn cases() -> Vec<Case> {
    let mut cases = committed();
    cases.extend(heads());
    cases.extend(pictures());
    cases.extend(packed());
    cases.extend(pdfs());
    cases.extend(boxes());
    cases.extend(sounds());
    cases.extend(texts());
    cases
}

/// Bombs that other tools made, where they are committed.
fn committed() -> Vec<Case> {
    let Ok(folder) = std::fs::read_dir(fixture("bombs")) else { return Vec::new() };
    folder
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            Case::new(format!("bomb-{name}"), move || std::fs::read(&path).unwrap())
        })
        .collect()
}

fn heads() -> Vec<Case> {
    let heads: [(&str, &[u8]); 26] = [
        ("nothing.bin", b""),
        ("one.bin", b"\0"),
        ("png.png", b"\x89PNG\r\n\x1a\n"),
        ("jpeg.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\0"),
        ("jpeg-end.jpg", b"\xff\xd8\xff\xff\xff\xff\xff\xff"),
        ("gif.gif", b"GIF89a\xff\xff\xff\xff\xff\xff\xff"),
        ("webp.webp", b"RIFF\xff\xff\xff\xffWEBPVP8X\xff\xff\xff\xff"),
        ("tiff.tif", b"II*\0\x08\0\0\0\xff\xff"),
        ("tiff-loop.tif", b"II*\0\x08\0\0\0\0\0\x08\0\0\0"),
        ("big.tif", b"II+\0\x08\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"),
        (
            "bmp.bmp",
            b"BM\xff\xff\xff\xff\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\xff\x7f\xff\xff\xff\x7f\x01\0\x20\0",
        ),
        ("wav.wav", b"RIFF\xff\xff\xff\xffWAVE"),
        ("mp3.mp3", b"ID3\x04\0\x10\x7f\x7f\x7f\x7f"),
        ("ogg.ogg", b"OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff"),
        ("flac.flac", b"fLaC\x84\xff\xff\xff"),
        ("mp4.mp4", b"\0\0\0\x18ftypisom\0\0\0\0isomavc1"),
        ("webm.webm", b"\x1a\x45\xdf\xa3\x01\xff\xff\xff\xff\xff\xff\xff"),
        ("pdf.pdf", b"%PDF-1.7\n"),
        ("zip.docx", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
        ("zip-lies.xlsx", b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
        ("svg.svg", b"<svg"),
        ("html.html", b"<!doctype html><"),
        ("rtf.rtf", b"{\\rtf1"),
        ("bom.txt", b"\xff\xfe"),
        ("half.txt", b"\xff\xfe\x3d\xd8"),
        ("gzip.bin", b"\x1f\x8b\x08\0\0\0\0\0"),
    ];
    heads.into_iter().map(|(name, bytes)| Case::new(format!("head-{name}"), move || bytes.to_vec())).collect()
}

fn chunk(kind: &[u8], body: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(kind);
    crc.update(body);
    let length = u32::try_from(body.len()).unwrap().to_be_bytes();
    [&length[..], kind, body, &crc.sum().to_be_bytes()].concat()
}

/// A picture of so many pixels with as many bytes of zero packed into it.
fn png(width: u32, height: u32, depth: u8, colour: u8, zeros: u64) -> Vec<u8> {
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, colour, 0, 0, 0]].concat();
    let parts = [chunk(b"IHDR", &head), chunk(b"IDAT", &deflated(zeros)), chunk(b"IEND", b"")].concat();
    [b"\x89PNG\r\n\x1a\n", &parts[..]].concat()
}

fn deflated(zeros: u64) -> Vec<u8> {
    let mut to = ZlibEncoder::new(Vec::new(), Compression::fast());
    std::io::copy(&mut std::io::repeat(0).take(zeros), &mut to).unwrap();
    to.finish().unwrap()
}

fn pictures() -> Vec<Case> {
    vec![
        Case::new("bomb-largest.png", || png(0x7fff_ffff, 0x7fff_ffff, 16, 6, 1 << 10)),
        Case::new("bomb-wide.png", || png(0x7fff_ffff, 1, 8, 6, 1 << 20)),
        Case::new("bomb-tall.png", || png(1, 0x7fff_ffff, 1, 0, 1 << 20)),
        Case::new("bomb-40-megapixel.png", || png(6_400, 6_400, 8, 6, 6_400 * (6_400 * 4 + 1))),
        Case::new("bomb-400-megapixel.png", || png(20_000, 20_000, 1, 0, 20_000 * 2_501)),
        Case::new("bomb-much-too-long.png", || png(4, 4, 8, 6, 256 << 20)),
        Case::new("bomb-no-pixels.png", || png(0, 0, 8, 6, 0)),
        Case::new("bomb-icc.png", || {
            let profile = [b"x\0\0".as_slice(), &deflated(256 << 20)].concat();
            let whole = png(4, 4, 8, 6, 68);
            [&whole[..33], &chunk(b"iCCP", &profile), &whole[33..]].concat()
        }),
        Case::new("bomb-text.png", || {
            let text = [b"note\0\0".as_slice(), &deflated(256 << 20)].concat();
            let whole = png(4, 4, 8, 6, 68);
            [&whole[..33], &chunk(b"zTXt", &text), &whole[33..]].concat()
        }),
        Case::new("bomb-frames.gif", || {
            let mut out = b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff".to_vec();
            for _ in 0..20_000 {
                out.extend(b"\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\xff\xff\xff\xff\0\x02\x02\x4c\x01\0");
            }
            out.push(0x3b);
            out
        }),
        Case::new("bomb-directory.tiff", || {
            // 65535 entries, each of which says that it has 2³² values.
            let mut out = b"II*\0\x08\0\0\0\xff\xff".to_vec();
            for tag in 0..u16::MAX {
                out.extend(tag.to_le_bytes());
                out.extend(b"\x04\0\xff\xff\xff\xff\x08\0\0\0");
            }
            out
        }),
        Case::new("bomb-laughs.svg", || {
            let entities: String = (1..12)
                .map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10)))
                .collect();
            format!("<!DOCTYPE svg [<!ENTITY l0 \"ha\">{entities}]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&l11;</text></svg>").into_bytes()
        }),
        Case::new("bomb-deep.svg", || {
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}", "<g>".repeat(500_000)).into_bytes()
        }),
    ]
}

/// Writes one member of an archive.
type Written<'a> = &'a dyn Fn(&mut dyn Write);

fn zip(entries: &[(&str, Written<'_>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let packed =
        SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated).large_file(true);
    for (name, write) in entries {
        zip.start_file(*name, packed).unwrap();
        write(&mut zip);
    }
    zip.finish().unwrap().into_inner()
}

/// A fixture with one entry put in another's place.
fn with_entry(name: &str, entry: &str, write: &dyn Fn(&mut dyn Write)) -> Vec<u8> {
    let mut from = ZipArchive::new(Cursor::new(std::fs::read(fixture(name)).unwrap())).unwrap();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..from.len() {
        let file = from.by_index_raw(at).unwrap();
        if file.name().is_ok_and(|found| found == entry) {
            continue;
        }
        zip.raw_copy_file(file).unwrap();
    }
    let packed =
        SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated).large_file(true);
    zip.start_file(entry, packed).unwrap();
    write(&mut zip);
    zip.finish().unwrap().into_inner()
}

fn zeros(to: &mut dyn Write, head: &[u8], fill: u8, length: u64) {
    to.write_all(head).unwrap();
    std::io::copy(&mut std::io::repeat(fill).take(length), to).unwrap();
}

const LAUGHS: &str = "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"haha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
    <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;\">\
    <!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;\"><!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;\"><!ENTITY h \"&g;&g;&g;&g;&g;&g;&g;&g;\">]>";

fn packed() -> Vec<Case> {
    let document = "word/document.xml";
    let mut cases = vec![
        Case::new("bomb-512-mib.docx", move || {
            with_entry("report.docx", document, &|to| {
                zeros(to, b"<w:document><w:p><w:r><w:t>", b'a', 512 << 20);
            })
        }),
        Case::new("bomb-laughs.docx", move || {
            with_entry("report.docx", document, &|to| {
                write!(
                    to,
                    "{LAUGHS}<w:document><w:body><w:p><w:r><w:t>&h;</w:t></w:r></w:p></w:body></w:document>"
                )
                .unwrap();
            })
        }),
        Case::new("bomb-deep.docx", move || {
            with_entry("report.docx", document, &|to| {
                write!(to, "<w:document>{}", "<w:tbl><w:tr><w:tc>".repeat(400_000)).unwrap();
            })
        }),
        Case::new("bomb-relations.docx", move || {
            with_entry("report.docx", "word/_rels/document.xml.rels", &|to| {
                to.write_all(b"<Relationships>").unwrap();
                for n in 0..400_000 {
                    write!(to, "<Relationship Id=\"r{n}\" Target=\"t\"/>").unwrap();
                }
            })
        }),
        Case::new("bomb-itself.docx", || {
            // An archive in an archive in an archive.
            let mut inner = b"core".to_vec();
            for _ in 0..40 {
                let bytes = inner.clone();
                inner = zip(&[("word/document.xml", &|to| to.write_all(&bytes).unwrap())]);
            }
            inner
        }),
        Case::new("bomb-many.docx", || {
            let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
            for n in 0..65_000 {
                zip.start_file(format!("word/{n}.xml"), SimpleFileOptions::default()).unwrap();
            }
            zip.finish().unwrap().into_inner()
        }),
        Case::new("bomb-slides.pptx", || {
            with_entry("report.pptx", "ppt/presentation.xml", &|to| {
                to.write_all(b"<p:presentation><p:sldIdLst>").unwrap();
                for _ in 0..500_000 {
                    to.write_all(b"<p:sldId r:id=\"rId2\"/><p:sldId r:id=\"rId3\"/>").unwrap();
                }
            })
        }),
        Case::new("bomb-512-mib.pptx", || {
            with_entry("report.pptx", "ppt/slides/slide1.xml", &|to| zeros(to, b"<p:sld>", b' ', 512 << 20))
        }),
        Case::new("bomb-512-mib.xlsx", || {
            with_entry("report.xlsx", "xl/worksheets/sheet1.xml", &|to| {
                zeros(to, b"<worksheet>", b' ', 512 << 20);
            })
        }),
        Case::new("bomb-laughs.xlsx", || {
            with_entry("report.xlsx", "xl/sharedStrings.xml", &|to| {
                write!(to, "{LAUGHS}<sst count=\"1\" uniqueCount=\"1\"><si><t>&h;</t></si></sst>").unwrap();
            })
        }),
        Case::new("bomb-strings.xlsx", || {
            with_entry("report.xlsx", "xl/sharedStrings.xml", &|to| {
                write!(to, "<sst count=\"4294967295\" uniqueCount=\"4294967295\"><si><t>a</t></si></sst>")
                    .unwrap();
            })
        }),
        Case::new("bomb-corners.xlsx", || {
            // Two cells: a dense grid of all between them has 17 thousand million.
            with_entry("report.xlsx", "xl/worksheets/sheet1.xml", &|to| {
                to.write_all(b"<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><dimension ref=\"A1:XFD1048576\"/>\
                    <sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row></sheetData></worksheet>").unwrap();
            })
        }),
        Case::new("bomb-merged.xlsx", || {
            with_entry("report.xlsx", "xl/worksheets/sheet1.xml", &|to| {
                to.write_all(b"<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row></sheetData><mergeCells>").unwrap();
                for n in 0..200_000 {
                    write!(to, "<mergeCell ref=\"A{}:XFD1048576\"/>", n + 1).unwrap();
                }
                to.write_all(b"</mergeCells></worksheet>").unwrap();
            })
        }),
    ];
    for (name, entry) in [
        ("report.docx", document),
        ("report.xlsx", "xl/workbook.xml"),
        ("report.pptx", "ppt/presentation.xml"),
    ] {
        cases.push(Case::new(format!("bomb-no-end-{name}"), move || {
            with_entry(name, entry, &|to| to.write_all(b"<w:document><w:p><!-- ").unwrap())
        }));
        cases.push(Case::new(format!("encrypted-{name}"), move || {
            // The flag of an encrypted entry on every one of them.
            let mut bytes = std::fs::read(fixture(name)).unwrap();
            for (magic, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
                let places: Vec<usize> = bytes
                    .windows(4)
                    .enumerate()
                    .filter(|(_, four)| four == magic)
                    .map(|(at, _)| at)
                    .collect();
                for at in places {
                    bytes[at + flags] |= 1;
                }
            }
            bytes
        }));
    }
    cases.push(Case::new("encrypted-ole.docx", || {
        // The head of a compound file, as an encrypted document is one.
        let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        bytes.resize(4096, 0xff);
        bytes
    }));
    cases.push(Case::new("bomb.gz", || {
        let mut to = GzEncoder::new(Vec::new(), Compression::fast());
        std::io::copy(&mut std::io::repeat(0).take(256 << 20), &mut to).unwrap();
        to.finish().unwrap()
    }));
    cases
}

/// A PDF of these objects, with a table of their places.
fn pdf(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (at, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        out.extend(format!("{} 0 obj\n", at + 1).as_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let start = out.len();
    out.extend(table.as_bytes());
    out.extend(
        format!(
            "trailer\n<< /Size {} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n",
            objects.len() + 1
        )
        .as_bytes(),
    );
    out
}

fn page(content: &[u8], filter: &str) -> Vec<Vec<u8>> {
    let stream =
        [format!("<< /Length {} {filter} >>\nstream\n", content.len()).as_bytes(), content, b"\nendstream"]
            .concat();
    vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << >> >>".to_vec(),
        stream,
    ]
}

fn pdfs() -> Vec<Case> {
    vec![
        Case::new("bomb-arrays.pdf", || pdf(&page(&b"[".repeat(1 << 20), ""), "")),
        Case::new("bomb-object-arrays.pdf", || {
            let mut objects = page(b"", "");
            objects[0] = [b"<< /Type /Catalog /Pages 2 0 R /X ".as_slice(), &b"[".repeat(1 << 20)].concat();
            pdf(&objects, "")
        }),
        Case::new("bomb-object-dictionaries.pdf", || {
            let mut objects = page(b"", "");
            objects[0] =
                [b"<< /Type /Catalog /Pages 2 0 R /X ".as_slice(), &b"<< /A ".repeat(1 << 18)].concat();
            pdf(&objects, "")
        }),
        Case::new("bomb-256-mib.pdf", || pdf(&page(&deflated(256 << 20), "/Filter /FlateDecode"), "")),
        Case::new("bomb-filters.pdf", || {
            pdf(&page(&deflated(1 << 20), &format!("/Filter [{}]", "/FlateDecode ".repeat(10_000))), "")
        }),
        Case::new("bomb-tree-loop.pdf", || {
            let mut objects = page(b"", "");
            objects[1] = b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2147483647 /Parent 2 0 R >>".to_vec();
            pdf(&objects, "")
        }),
        Case::new("bomb-reference-loop.pdf", || {
            let mut objects = page(b"", "");
            objects[3] = b"4 0 R".to_vec();
            pdf(&objects, "")
        }),
        Case::new("bomb-length-loop.pdf", || {
            let mut objects = page(b"", "");
            objects[3] = b"<< /Length 4 0 R >>\nstream\nBT (x) Tj ET\nendstream".to_vec();
            pdf(&objects, "")
        }),
        Case::new("bomb-table-loop.pdf", || {
            let whole = pdf(&page(b"", ""), "");
            let start = whole.windows(5).rposition(|five| five == b"xref\n").unwrap_or(0);
            pdf(&page(b"", ""), &format!("/Prev {start}"))
        }),
        Case::new("bomb-form-loop.pdf", || {
            let mut objects = page(b"/F Do /F Do", "");
            objects[2] = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1 1] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>".to_vec();
            objects.push(b"<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F 5 0 R >> >> /Length 11 >>\nstream\n/F Do /F Do\nendstream".to_vec());
            pdf(&objects, "")
        }),
        Case::new("bomb-pages.pdf", || {
            let mut objects = page(b"BT (x) Tj ET", "");
            objects[1] =
                format!("<< /Type /Pages /Kids [{}] /Count 100000 >>", "3 0 R ".repeat(100_000)).into_bytes();
            pdf(&objects, "")
        }),
        Case::new("encrypted.pdf", || {
            let mut objects = page(b"BT (x) Tj ET", "");
            objects.push(
                format!(
                    "<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <{0}> /U <{0}> >>",
                    "41".repeat(32)
                )
                .into_bytes(),
            );
            pdf(&objects, "/Encrypt 5 0 R /ID [<00><00>]")
        }),
        Case::new("encrypted-by-nobody.pdf", || {
            let mut objects = page(b"BT (x) Tj ET", "");
            objects.push(b"<< /Filter /Nobody /V 99 /R 99 /Length -1 >>".to_vec());
            pdf(&objects, "/Encrypt 5 0 R")
        }),
    ]
}

fn boxed(kind: &[u8], body: &[u8]) -> Vec<u8> {
    [&u32::try_from(body.len() + 8).unwrap().to_be_bytes()[..], kind, body].concat()
}

/// A video track whose table of times says what is given.
fn film(stts: &[u8]) -> Vec<u8> {
    let mut hdlr = vec![0; 24];
    hdlr[8..12].copy_from_slice(b"vide");
    let mut mdhd = vec![0; 24];
    mdhd[15] = 1; // one tick a second
    let mut entry = vec![0; 86];
    entry[3] = 86;
    entry[4..8].copy_from_slice(b"avc1");
    let stsd = [&[0, 0, 0, 0, 0, 0, 0, 1][..], &entry].concat();
    let stbl = [boxed(b"stsd", &stsd), boxed(b"stts", stts)].concat();
    let mdia =
        [boxed(b"mdhd", &mdhd), boxed(b"hdlr", &hdlr), boxed(b"minf", &boxed(b"stbl", &stbl))].concat();
    let moov = boxed(b"moov", &boxed(b"trak", &boxed(b"mdia", &mdia)));
    [boxed(b"ftyp", b"isom\0\0\0\0isom"), moov].concat()
}

fn boxes() -> Vec<Case> {
    let head = || boxed(b"ftyp", b"isom\0\0\0\0isom");
    vec![
        Case::new("bomb-times.mp4", || {
            // Ticks that together are more than 64 bits hold.
            film(&[&[0, 0, 0, 0, 0, 0, 0, 4][..], &[0xff; 32]].concat())
        }),
        Case::new("bomb-count.mp4", || film(&[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])),
        Case::new("bomb-deep.mp4", move || {
            let mut inner = Vec::new();
            for _ in 0..2_000 {
                inner = boxed(b"moov", &boxed(b"trak", &inner));
            }
            [head(), inner].concat()
        }),
        Case::new("bomb-many.mp4", move || [head(), boxed(b"free", b"").repeat(1 << 20)].concat()),
        Case::new("bomb-size.mp4", move || {
            [head(), b"\0\0\0\x01moov\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()].concat()
        }),
        Case::new("bomb-size-wraps.mp4", move || {
            [head(), b"\0\0\0\x01moov\xff\xff\xff\xff\xff\xff\xff\xe0".repeat(2)].concat()
        }),
        Case::new("bomb-small-size.mp4", move || [head(), b"\0\0\0\x04moov".to_vec()].concat()),
        Case::new("bomb-deep.webm", || {
            [
                b"\x1a\x45\xdf\xa3\x84\x42\x82\x81w".to_vec(),
                b"\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff".repeat(50_000),
            ]
            .concat()
        }),
    ]
}

fn wav(channels: u16, rate: u32, align: u16, bits: u16, promised: u32, body: &[u8]) -> Vec<u8> {
    let format = [
        &1_u16.to_le_bytes()[..],
        &channels.to_le_bytes(),
        &rate.to_le_bytes(),
        &rate.wrapping_mul(u32::from(align)).to_le_bytes(),
        &align.to_le_bytes(),
        &bits.to_le_bytes(),
    ]
    .concat();
    [b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0", &format[..], b"data", &promised.to_le_bytes(), body].concat()
}

fn sounds() -> Vec<Case> {
    vec![
        Case::new("bomb-no-rate.wav", || wav(1, 0, 2, 16, 1 << 10, &[0; 1 << 10])),
        Case::new("bomb-no-channels.wav", || wav(0, 44_100, 0, 16, 1 << 10, &[0; 1 << 10])),
        Case::new("bomb-many-channels.wav", || wav(u16::MAX, 44_100, u16::MAX, 8, 1 << 10, &[0; 1 << 10])),
        Case::new("bomb-no-bits.wav", || wav(2, 44_100, 0, 0, 1 << 10, &[0; 1 << 10])),
        Case::new("bomb-promise.wav", || wav(2, 44_100, 4, 16, u32::MAX, &[0; 1 << 10])),
        Case::new("bomb-rate.wav", || wav(1, u32::MAX, 1, 8, 1 << 20, &[1; 1 << 20])),
        Case::new("bomb-chunks.wav", || {
            [b"RIFF\xff\xff\xff\xffWAVE".to_vec(), b"LIST\0\0\0\0".repeat(1 << 19)].concat()
        }),
        Case::new("bomb-tags.mp3", || {
            [b"ID3\x04\0\0\x0f\x7f\x7f\x7f".to_vec(), b"TXXX\0\0\0\x01\0\0\0".repeat(1 << 18)].concat()
        }),
        Case::new("bomb-pages.ogg", || b"OggS\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".repeat(1 << 18)),
        Case::new("bomb-picture.flac", || [b"fLaC\x86\xff\xff\xff".to_vec(), vec![0xff; 1 << 20]].concat()),
        Case::new("bomb-noise.mp3", || b"\xff\xfb\xe0\x64".repeat(1 << 19)),
    ]
}

fn texts() -> Vec<Case> {
    vec![
        Case::new("bomb-one-line.csv", || b"a,".repeat(4 << 20)),
        Case::new("bomb-lines.csv", || b"\n,\n".repeat(4 << 20)),
        Case::new("bomb-quote.csv", || [b"\"".to_vec(), b"a\n".repeat(4 << 20)].concat()),
        Case::new("bomb-cell.csv", || vec![b'a'; 64 << 20]),
        Case::new("bomb-one-line.txt", || vec![b'a'; 64 << 20]),
        Case::new("bomb-zeros.txt", || vec![0; 1 << 20]),
        Case::new("bomb-halves.txt", || [b"\xff\xfe".to_vec(), b"\x3d\xd8".repeat(1 << 20)].concat()),
        Case::new("bomb-escapes.txt", || b"\x1b$B\x1b(B".repeat(1 << 18)),
        Case::new("bomb-quotes.md", || [b">".repeat(1 << 20), b" x".to_vec()].concat()),
        Case::new("bomb-brackets.md", || b"[![](".repeat(1 << 18)),
        Case::new("bomb-deep.html", || [b"<!doctype html>".to_vec(), b"<div>".repeat(1 << 19)].concat()),
        Case::new("bomb-deep.rtf", || [b"{\\rtf1".to_vec(), b"{\\b ".repeat(1 << 18)].concat()),
        Case::new("bomb-deep.json", || b"[".repeat(4 << 20)),
    ]
}
